// Commands that evaluate stored results: status, merge, quantiles, worst, rerun.
#pragma once
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "moreau/study/extremes.hpp"
#include "moreau/study/merge.hpp"
#include "moreau/study/parsed_command.hpp"
#include "moreau/study/rerun.hpp"

namespace moreau::study::detail {

inline constexpr auto no_column = std::size_t(-1);

// Returns the column of a result that every study of such a model has (observers.hpp); they are the last ones.
inline std::size_t default_column(const std::vector<Column>& results, const char* name) {
  for (std::size_t i = results.size(); i > 0 && i + 3 > results.size(); --i)
    if (results[i - 1].name == name) return i - 1;
  return no_column;
}

// Contents of the study folder.
struct Stored {
  Folder folder;
  Found found;
  std::string missing;                // missing blocks, as ranges
  std::size_t reach, joints, ranges;  // columns of `reach`, `joint_error` and `out_of_range`

  explicit Stored(const Request& request)
      : folder(request.folder()),
        reach(default_column(request.program.description.results, "reach")),
        joints(default_column(request.program.description.results, "joint_error")),
        ranges(default_column(request.program.description.results, "out_of_range")) {
    folder.compare(request.text);
    found = folder.read();
    request.complain(found);
    missing = missing_blocks(folder.layout(), found);
  }
  std::string hash() const { return hexadecimal(hash_of_results(folder, found)); }

  // Prints the number of runs for each status, of those whose dt is too long for the play, of those with open ideal
  // joints, and of those with a part outside its range.
  void print_statuses() const {
    std::map<int, std::uint64_t> of_status;
    std::uint64_t too_long = 0, open = 0, outside = 0;
    for_each_block(folder, found, [&](std::uint64_t, std::uint64_t count, const std::vector<double>& rows) {
      const std::size_t width = folder.layout().width;
      for (std::uint64_t k = 0; k < count; ++k) {
        ++of_status[int(rows[(k + 1) * width - 1])];
        const double* run = &rows[k * width];
        too_long += reach != no_column && run[reach] > StepReach<double>::limit;
        outside += ranges != no_column && run[ranges] > 0;
        open += joints != no_column && run[joints] > StepReach<double>::JointError::limit;
      }
    });
    for (const auto& [status, runs] : of_status)
      std::printf("runs %-12s %llu\n", moreau::name(Status(status)), number(runs));
    if (too_long > 0)
      std::printf("runs with a dt too long for the play: %llu (reach above %g)\n", number(too_long),
                  StepReach<double>::limit);
    if (open > 0)
      std::printf("runs with open ideal joints: %llu (joint_error above %g)\n", number(open),
                  StepReach<double>::JointError::limit);
    if (outside > 0) std::printf("runs with a part outside its range: %llu\n", number(outside));
  }
  // Reports missing blocks and returns the exit code of a command that accepts them.
  int end() const {
    if (!missing.empty()) std::printf("missing: blocks %s\n", missing.c_str());
    return missing.empty() ? Exit::done : Exit::incomplete;
  }
};

inline int status(const Request& request) {
  request.none_alone();
  const Stored stored(request);
  const Found& found = stored.found;
  std::printf("blocks %llu of %llu, files %llu, doubled %llu, damaged %llu, unfinished %llu\n",
              number(found.blocks.size()), number(stored.folder.layout().blocks()), number(found.files.size()),
              number(found.doubled), number(found.damaged.size()), number(found.unfinished.size()));
  stored.print_statuses();
  if (stored.missing.empty()) std::printf("complete, hash %s\n", stored.hash().c_str());
  return stored.end();
}

inline int merge(const Request& request) {
  request.none_alone();
  const Stored stored(request);
  if (!stored.missing.empty() && !request.given.has("incomplete"))
    throw Refusal(
        Exit::incomplete,
        "blocks " + stored.missing + " are missing: complete the run, or merge the available blocks with --incomplete");
  const std::string prefix = request.given.text("to", request.program.description.name);
  std::error_code ignored;  // errors show when the files are opened
  std::filesystem::create_directories(std::filesystem::path(prefix).parent_path(), ignored);
  const Merger merger(request.program.description, stored.folder, stored.found);
  merger.npy(prefix + ".npy");
  if (merger.runs() <= workstation::Mat4::most_numbers)
    merger.mat(prefix + ".mat");
  else
    std::printf("no %s.mat: more rows than MAT level 4 holds\n", prefix.c_str());
  if (request.given.has("csv")) merger.csv(prefix + ".csv");
  stored.print_statuses();
  std::printf("%lld runs, %llu columns, hash %s\n", static_cast<long long>(merger.runs()),
              number(columns_of(request.program.description).size()), stored.hash().c_str());
  return stored.end();
}

// Of n values in ascending order, the q % quantile is number ceil(q n / 100): a computed value, never interpolated.
// Failed runs have no value; their number is printed below.
inline int quantiles(const Request& request) {
  std::vector<std::string> at = request.given.alone();
  if (at.empty()) at = {"0", "1", "5", "50", "95", "99", "100"};
  std::vector<double> percent;
  for (const auto& q : at) percent.push_back(Options::real(q, "a percentage, 0 to 100", 0, 100));
  const Description& d = request.program.description;
  const Stored stored(request);
  std::printf("%-20s %10s", "result", "runs");
  for (const auto& q : at) std::printf(" %12s", (q + " %").c_str());
  for (std::size_t result = 0; result < d.results.size(); ++result) {
    const std::vector<double> values = sorted_result(stored.folder, stored.found, result);
    const std::string name = d.results[result].name + " [" + d.results[result].unit + "]";
    std::printf("\n%-20s %10llu", name.c_str(), number(values.size()));
    for (const double q : percent) {
      const auto place = std::size_t(std::ceil(q / 100 * double(values.size())));
      std::printf(" %12.6g", values.empty() ? none : values[place > 0 ? place - 1 : 0]);
    }
  }
  std::printf("\n");
  stored.print_statuses();
  return stored.end();
}

inline std::string row(const Description& d, const std::vector<double>& values, double value, std::size_t result) {
  std::string all = d.results[result].name + ' ' + text_of(value) + ' ' + d.results[result].unit + " at";
  for (std::size_t i = 0; i < values.size(); ++i) all += ' ' + d.parameters[i].column.name + '=' + text_of(values[i]);
  return all;
}

inline int worst(const Request& request) {
  const Description& d = request.program.description;
  const auto& names = request.given.alone();
  if (names.size() != 1) throw Refusal(Exit::usage, "worst needs the name of one result");
  std::size_t result = 0;
  while (result < d.results.size() && d.results[result].name != names[0]) ++result;
  if (result == d.results.size()) {
    std::string known;
    for (const auto& each : d.results) known += (known.empty() ? "" : ", ") + each.name;
    throw Refusal(Exit::usage, "unknown result " + names[0] + "; results: " + known);
  }
  const double sign = request.given.has("least") ? -1 : 1;
  const auto count = std::size_t(request.given.number("count", 3, 1, 1000));
  const int budget = int(request.given.number("runs", 1000, 0, 1'000'000'000));

  const Stored stored(request);
  const auto evaluate = request.program.worker();
  Draws draws(d.design());
  for (const Extreme& extreme : extremes(stored.folder, stored.found, result, sign, count)) {
    (void)draws(extreme.run);
    std::printf("run %llu: %s\n", number(extreme.run), row(d, draws.values, extreme.value, result).c_str());
    const Refined refined = refine(d, evaluate, extreme, result, sign, budget);
    std::printf("  after %d more runs: %s\n", refined.runs, row(d, refined.values, refined.value, result).c_str());
  }
  stored.print_statuses();
  return stored.end();
}

inline int rerun(const Request& request) {
  const Description& d = request.program.description;
  if (request.given.alone().empty()) throw Refusal(Exit::usage, "rerun needs the number of a run");
  const Design design = d.design();
  const std::uint64_t run = Options::parse(request.given.alone()[0], "a run", 0, design.runs() - 1);
  Draws draws(design);
  std::vector<double>& values = draws.values;
  std::vector<double> results(d.width());
  (void)draws(run);
  const bool changed = request.given.alone().size() > 1;
  for (std::size_t i = 1; i < request.given.alone().size(); ++i) set_by_word(d, values, request.given.alone()[i]);
  const std::string path = request.given.text("trace", d.name + '-' + std::to_string(run) + ".csv");
  request.program.trace(values.data(), results.data(), path);
  for (std::size_t i = 0; i < values.size(); ++i)
    std::printf("%s %s %s\n", d.parameters[i].column.name.c_str(), text_of(values[i]).c_str(),
                d.parameters[i].column.unit.c_str());
  for (std::size_t i = 0; i < d.results.size(); ++i)
    std::printf("%s %s %s\n", d.results[i].name.c_str(), text_of(results[i]).c_str(), d.results[i].unit.c_str());
  std::printf("status %s\n", moreau::name(Status(int(results.back()))));
  if (results.back() > double(int(Status::inexact)))
    std::printf("cause %s\n", request.program.refusal(values.data()).c_str());
  std::printf("trace %s\n", path.c_str());
  if (!changed && compare_with_folder(request.program, request.text, request.path, run, results))
    std::printf("bit-identical to the stored run in %s\n", request.path.c_str());
  return Exit::done;
}

}  // namespace moreau::study::detail
