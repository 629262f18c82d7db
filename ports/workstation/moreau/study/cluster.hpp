// Job texts for shared computation: a Slurm script and a GNU parallel command line. Both use only --part i/n of the
// study program.
#pragma once
#include <cmath>
#include <cstdio>
#include <string>

namespace moreau::study {

struct Cluster {
  std::string program, folder, name, more;  // more: options common to all commands
  unsigned parts = 1, threads = 1;
  double seconds = 0;  // of a part, estimated by the plan
  double block_seconds = 0;

  static std::string quoted(const std::string& text) {
    std::string all = "'";
    for (const char c : text) {
      if (c == '\'')
        all += "'\\''";
      else
        all += c;
    }
    return all + "'";
  }

  std::string command(const std::string& part) const {
    return quoted(program) + " run --folder " + quoted(folder) + more + " --threads " + std::to_string(threads) +
           " --part " + part + "/" + std::to_string(parts);
  }

  // Time limit: three times the estimate plus ten minutes, because nodes differ and are shared. A requeued job
  // continues with the missing blocks.
  long minutes() const { return long(std::ceil(3 * seconds / 60)) + 10; }
  // Time between the signal and the limit, for the blocks in progress.
  long notice() const { return long(std::ceil(3 * block_seconds)) + 60; }

  std::string sbatch() const {
    char time[40];
    std::snprintf(time, sizeof time, "%ld:%02ld:00", minutes() / 60, minutes() % 60);
    return "#!/bin/bash\n"
           "#SBATCH --job-name=" +
           name +
           "\n"
           "#SBATCH --array=1-" +
           std::to_string(parts) +
           "\n"
           "#SBATCH --ntasks=1 --cpus-per-task=" +
           std::to_string(threads) +
           "\n"
           "#SBATCH --time=" +
           time +
           "\n"
           "#SBATCH --signal=B:TERM@" +
           std::to_string(notice()) +
           "\n"
           "#SBATCH --requeue\n"
           "#SBATCH --open-mode=append\n"
           "#SBATCH --output=" +
           name +
           "-%A_%a.log\n"
           "# A requeued or repeated part continues with the missing blocks. Exit code 75: stopped before "
           "its end.\n"
           "trap 'told=yes; kill -TERM $study' TERM\n" +
           command("\"$SLURM_ARRAY_TASK_ID\"") +
           " &\n"
           "study=$!\n"
           "wait $study\n"
           "code=$?\n"
           "[ -z \"${told-}\" ] || { wait $study; code=$?; }  # a signal interrupts wait, not the study\n"
           "[ $code -ne 75 ] || scontrol requeue \"${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID\"\n"
           "exit $code\n";
  }

  // Runs over ssh, one part at a time on each machine. With --joblog and --resume-failed the line can be repeated.
  std::string parallel() const {
    return "parallel --sshloginfile machines --jobs 1 --joblog " + quoted(name + ".jobs") + " --resume-failed --wd . " +
           quoted(command("{}")) + " ::: $(seq " + std::to_string(parts) + ")\n";
  }
};

}  // namespace moreau::study
