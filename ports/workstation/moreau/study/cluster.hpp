// Texts for machines that share work: a job script for Slurm, and a line for GNU parallel. The study itself knows of them
// nothing but --part i/n.
#pragma once
#include <cmath>
#include <cstdio>
#include <string>

namespace moreau::study {

struct Cluster {
  std::string program, folder, name, more;  // more: options that every command repeats
  unsigned parts = 1, threads = 1;
  double seconds = 0;  // of a part, from the plan
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

  // Three times the plan, and ten minutes: nodes differ and are shared. What is not done in that time goes back into the
  // queue, where it goes on with what is missing.
  long minutes() const { return long(std::ceil(3 * seconds / 60)) + 10; }
  // Time for the blocks in hand between the signal and the end.
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
           "# A part that is requeued, or that runs twice, goes on with what is missing. Exit code 75: stopped before "
           "its end.\n"
           "trap 'told=yes; kill -TERM $study' TERM\n" +
           command("\"$SLURM_ARRAY_TASK_ID\"") +
           " &\n"
           "study=$!\n"
           "wait $study\n"
           "code=$?\n"
           "[ -z \"${told-}\" ] || { wait $study; code=$?; }  # a signal ends wait, not the study\n"
           "[ $code -ne 75 ] || scontrol requeue \"${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID\"\n"
           "exit $code\n";
  }

  // Over ssh, one part after the other on each machine; --joblog and --resume-failed let the line be given again.
  std::string parallel() const {
    return "parallel --sshloginfile machines --jobs 1 --joblog " + quoted(name + ".jobs") + " --resume-failed --wd . " +
           quoted(command("{}")) + " ::: $(seq " + std::to_string(parts) + ")\n";
  }
};

}  // namespace moreau::study
