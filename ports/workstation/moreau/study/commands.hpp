// Commands of a study program: plan, run, status, merge, quantiles, worst, rerun, sbatch, parallel.
//
//   int main(int count, char** words) { ... return moreau::study::commands(study, count, words, observers...); }
#pragma once
#include <cstdio>
#include <string>
#include <vector>

#include "moreau/study/result_commands.hpp"
#include "moreau/study/run_commands.hpp"
#include "moreau/study/trace.hpp"

namespace moreau::study {

namespace detail {

inline constexpr char help[] =
    "plan                               description and estimated cost of the study\n"
    "run [--threads N] [--part i/n]     computes the missing blocks; exit code 75: stopped before its end\n"
    "status                             stored and missing blocks\n"
    "merge [--to PREFIX] [--csv] [--incomplete]   PREFIX.npy, PREFIX.mat, PREFIX.csv\n"
    "quantiles [AT ...]                 quantiles of every result, AT in percent\n"
    "worst RESULT [--least] [--count N] [--runs N]   the worst runs, and a local search from each\n"
    "rerun RUN [NAME=VALUE ...] [--trace FILE]   repeats one run; its trace as a table (.csv, .mat) or page (.html)\n"
    "sbatch --parts N [--threads N]     a job script for Slurm\n"
    "parallel --parts N [--threads N]   a command line for GNU parallel\n"
    "common options: [--folder FOLDER] [--samples N] [--seed N] [--steps N] [--block N]\n";

// Executes the command and returns the exit code.
inline int obey(const Program& program, int count, char** words) {
  const std::string command = count > 1 ? words[1] : "";
  const auto request = [&](const std::vector<std::string>& own) { return Request(program, count, words, own); };
  if (command == "plan") return plan(request({}));
  if (command == "run") return run(request({"threads", "part"}));
  if (command == "status") return status(request({}));
  if (command == "merge") return merge(request({"to", "csv!", "incomplete!"}));
  if (command == "quantiles") return quantiles(request({}));
  if (command == "worst") return worst(request({"least!", "count", "runs"}));
  if (command == "rerun") return rerun(request({"trace"}));
  if (command == "sbatch" || command == "parallel") return cluster(request({"parts", "threads"}));
  throw Refusal(Exit::usage,
                (command.empty() ? "missing command" : "unknown command " + command) + ". Commands:\n" + help);
}

}  // namespace detail

inline int commands(const Program& program, int count, char** words) {
  int code = Exit::software;
  const auto complain = [&program](const char* what) {
    std::fprintf(stderr, "%s: %s\n", program.description.name.c_str(), what);
  };
  try {
    code = detail::obey(program, count, words);
  } catch (const Refusal& refusal) {
    complain(refusal.what());
    code = refusal.code;
  } catch (const std::exception& trouble) { complain(trouble.what()); }
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
  complain("the output could not be written");
  return Exit::disk;
}

namespace detail {

template <class Study, class... Observers>
int commands_of(const Study& study, int count, char** words, const Observers&... observers) {
  Study whole = study;
  for (const auto& columns : {observers.columns()...})
    whole.results.insert(whole.results.end(), columns.begin(), columns.end());
  const std::tuple<Observers...> all{observers...};
  using Runs = Runner<Study, Observers...>;
  Program program{whole, {}, {}, {}};
  program.worker = [&] {
    return [runs = Runs(whole, all)](const double* values, double* results) {
      runs(values, results, [](const auto&, const auto&) {});
    };
  };
  program.trace = [&](const double* values, double* results, const std::string& path) {
    write_trace(Runs(whole, all), whole, values, results, path);
  };
  program.refusal = [&](const double* values) { return Runs(whole, all).refusal(values); };
  return commands(program, count, words);
}

}  // namespace detail

// Executes a command of the study. A model with play has the further result `reach`, a model with ideal joints the
// result `joint_error`, and a mechanism with a part that has a range the result `out_of_range` (observers.hpp).
template <class Study, class... Observers>
int commands(const Study& study, int count, char** words, const Observers&... observers) {
  static_assert(sizeof...(Observers) > 0, "a study needs a result: pass an observer to commands()");
  using Model = typename Study::Model;
  using Largest = detail::LargestReach<Model>;
  if constexpr (Largest::has_play || Largest::has_joints || Largest::has_ranges)
    return detail::commands_of(study, count, words, observers..., Largest{});
  else
    return detail::commands_of(study, count, words, observers...);
}

}  // namespace moreau::study
