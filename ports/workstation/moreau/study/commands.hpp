// The commands of a study program: plan, run, status, merge, worst, rerun, sbatch, parallel.
//
//   int main(int count, char** words) { ... return moreau::study::commands(study, count, words, observers...); }
#pragma once
#include <chrono>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

#include "moreau/study/cluster.hpp"
#include "moreau/study/merge.hpp"
#include "moreau/study/options.hpp"
#include "moreau/study/program.hpp"
#include "moreau/study/rerun.hpp"
#include "moreau/study/trace.hpp"
#include "moreau/study/workers.hpp"
#include "moreau/study/worst.hpp"

namespace moreau::study {

inline constexpr char help[] =
    "plan                               what the study is, what it costs\n"
    "run [--threads N] [--part i/n]     computes what is missing; exit code 75: stopped before its end\n"
    "status                             what is there, what is missing\n"
    "merge [--to PREFIX] [--csv] [--incomplete]   PREFIX.npy, PREFIX.mat, PREFIX.csv\n"
    "quantiles [AT ...]                 of every result: below which value so many percent of the runs lie\n"
    "worst RESULT [--least] [--count N] [--runs N]   the worst runs, and a search from each of them\n"
    "rerun RUN [NAME=VALUE ...] [--trace FILE]   one run again, step by step: a table (.csv, .mat) or a page (.html)\n"
    "sbatch --parts N [--threads N]     a job script for Slurm\n"
    "parallel --parts N [--threads N]   a line for GNU parallel\n"
    "all of them: [--folder FOLDER] [--samples N] [--seed N] [--steps N] [--block N]\n";

class Commands {
 public:
  Commands(const Program& program, int count, char** words)
      : program_(program), count_(count), words_(words), command_(count > 1 ? words[1] : "") {}

  int run() {
    const int code = command();
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
    std::fprintf(stderr, "%s: what was to be printed is lost: %s\n", name(), std::strerror(errno));
    return Exit::disk;
  }

 private:
  const char* name() const { return program_.description.name.c_str(); }

  int command() {
    try {
      if (command_ == "plan") return plan(options({}));
      if (command_ == "run") return compute(options({"threads", "part"}));
      if (command_ == "status") return status(options({}));
      if (command_ == "merge") return merge(options({"to", "csv!", "incomplete!"}));
      if (command_ == "quantiles") return quantiles(options({}));
      if (command_ == "worst") return worst(options({"least!", "count", "runs"}));
      if (command_ == "rerun") return rerun(options({"trace"}));
      if (command_ == "sbatch" || command_ == "parallel") return cluster(options({"parts", "threads"}));
      throw Refusal(Exit::usage, (command_.empty() ? "a command is missing" : "there is no command " + command_) +
                                     ". The commands are\n" + help);
    } catch (const Refusal& refusal) {
      std::fprintf(stderr, "%s: %s\n", name(), refusal.what());
      return refusal.code;
    } catch (const std::exception& trouble) {
      std::fprintf(stderr, "%s: %s\n", name(), trouble.what());
      return Exit::software;
    }
  }

  // Takes over what all commands have in common, and looks at the study.
  Options options(std::vector<std::string> own) {
    own.insert(own.end(), {"folder", "samples", "seed", "steps", "block"});
    Options given(count_, words_, own);
    Description& d = program_.description;
    d.sampling.samples = given.number("samples", d.sampling.samples, 1, Design::most_runs);
    d.seed = given.number("seed", d.seed, 0, ~std::uint64_t{0});
    d.steps = given.number("steps", d.steps, 1, std::uint64_t{1} << 62);
    d.block = given.number("block", d.block, 1, Design::most_runs);
    if (const std::string fault = program_.fault(); !fault.empty()) throw Refusal(Exit::refused, fault);
    text_ = program_.text();
    folder_ = given.text("folder", d.name + ".study");
    for (const char* common : {"samples", "seed", "steps", "block"})
      if (given.given(common)) repeated_ += std::string(" --") + common + ' ' + given.text(common, "");
    return given;
  }
  Folder folder() const { return {folder_, program_.layout(text_)}; }
  static unsigned threads(const Options& given) {
    return unsigned(given.number("threads", std::max(1u, std::thread::hardware_concurrency()), 1, 4096));
  }
  static void none_alone(const Options& given) {
    if (!given.alone().empty()) throw Refusal(Exit::usage, "'" + given.alone()[0] + "' is not understood");
  }

  // Seconds of a run, from the first runs of the study: about a second's worth of them.
  double seconds_of_a_run() const {
    const auto evaluate = program_.worker();
    const Description& d = program_.description;
    const Design design = d.design();
    std::vector<double> u(std::size_t(design.drawn())), values(d.parameters.size()), results(d.width());
    const auto begin = std::chrono::steady_clock::now();
    for (std::uint64_t run = 0;;) {
      design.draw(run, u.data());
      design.values(run, u.data(), values.data());
      evaluate(values.data(), results.data());
      const double passed = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
      if (++run == design.runs() || passed > 1) return passed / double(run);
    }
  }

  int plan(const Options& given) {
    none_alone(given);
    const Layout layout = program_.layout(text_);
    const double run = seconds_of_a_run(), all = run * double(layout.runs);
    const double block = run * double(layout.block_size);
    const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
    std::printf("%sruns %llu, blocks %llu, folder %s\n", text_.c_str(), number(layout.runs), number(layout.blocks()),
                folder_.c_str());
    std::printf("a run takes %.3g s here, a block %.3g s, all of it %.3g s in one thread, %.3g s in %u\n", run, block,
                all, all / cores, cores);
    if (layout.blocks() > 1 && (block < 1 || block > 10))
      std::printf("blocks of 1 to 10 s are best: --block %.0f makes them 3 s\n", std::max(1.0, 3 / run));
    const double columns = double(columns_of(program_.description).size());
    std::printf("on disk %.3g MB, merged %.3g MB\n", double(layout.blocks() * folder().record_bytes()) / 1e6,
                double(layout.runs) * columns * 16 / 1e6);
    return Exit::done;
  }

  int compute(const Options& given) {
    none_alone(given);
    const Part part = part_of(given.text("part", "1/1"));
    const unsigned most_threads = threads(given);
    const Folder there = folder();
    const Layout& layout = there.layout();
    Stop::listen();
    there.claim(text_);
    const auto mine = [&part](std::uint64_t block) { return part.has(block); };
    const Found before = there.read(mine);
    complain(before);
    std::vector<std::uint64_t> todo;
    for (std::uint64_t b = part.index - 1; b < layout.blocks(); b += part.parts)
      if (before.blocks.count(b) == 0) todo.push_back(b);
    if (!todo.empty()) Workers(program_, there, todo).run(unsigned(std::min<std::uint64_t>(most_threads, todo.size())));

    const Found after = there.read(mine);
    std::uint64_t left = 0, computed = 0;
    for (const auto b : todo) ++(after.blocks.count(b) == 0 ? left : computed);
    std::printf("part %llu/%llu: %llu blocks were there, %llu computed, %llu left\n", number(part.index),
                number(part.parts), number(before.blocks.size()), number(computed), number(left));
    if (left == 0) return Exit::done;
    if (!Stop::asked()) throw Refusal(Exit::disk, "blocks were written to '" + folder_ + "' and are not there");
    return Exit::interrupted;
  }
  static Part part_of(const std::string& text) {
    const std::size_t slash = text.find('/');
    if (slash == std::string::npos) throw Refusal(Exit::usage, "--part is i/n, such as 1/4, not '" + text + "'");
    constexpr std::uint64_t most = 1'000'000'000;
    const std::uint64_t parts = Options::parse(text.substr(slash + 1), "n of --part i/n", 1, most);
    return {Options::parse(text.substr(0, slash), "i of --part i/n", 1, parts), parts};
  }
  void complain(const Found& found) const {
    for (const auto& place : found.damaged)
      std::fprintf(stderr, "%s: damaged, and left alone: %s\n", name(), place.c_str());
  }

  int status(const Options& given) {
    none_alone(given);
    const Folder there = folder();
    there.compare(text_);
    const Found found = there.read();
    complain(found);
    const Layout& layout = there.layout();
    std::printf("blocks %llu of %llu, files %llu, doubled %llu, damaged %llu, unfinished %llu\n",
                number(found.blocks.size()), number(layout.blocks()), number(found.files.size()), number(found.doubled),
                number(found.damaged.size()), number(found.unfinished.size()));
    print_failures(there, found);
    const std::string missing = missing_blocks(layout, found);
    if (!missing.empty()) {
      std::printf("missing: blocks %s\n", missing.c_str());
      return Exit::incomplete;
    }
    std::printf("complete, hash %s\n", hexadecimal(hash_of_results(there, found)).c_str());
    return Exit::done;
  }

  static void print_failures(const Folder& there, const Found& found) {
    std::map<int, std::uint64_t> of_status;
    for_each_block(there, found, [&](std::uint64_t, std::uint64_t count, const std::vector<double>& rows) {
      const std::size_t width = there.layout().width;
      for (std::uint64_t k = 0; k < count; ++k) ++of_status[int(rows[(k + 1) * width - 1])];
    });
    for (const auto& [status, runs] : of_status)
      std::printf("runs %-12s %llu\n", moreau::name(Status(status)), number(runs));
  }

  int merge(const Options& given) {
    none_alone(given);
    const Folder there = folder();
    there.compare(text_);
    const Found found = there.read();
    complain(found);
    const std::string missing = missing_blocks(there.layout(), found);
    if (!missing.empty() && !given.given("incomplete"))
      throw Refusal(
          Exit::incomplete,
          "blocks " + missing + " are missing: run the study to its end, or take what is there with --incomplete");
    const std::string prefix = given.text("to", program_.description.name);
    const Merger merger(program_.description, there, found);
    merger.npy(prefix + ".npy");
    if (merger.runs() <= workstation::Mat4::most_numbers)
      merger.mat(prefix + ".mat");
    else
      std::printf("no %s.mat: more rows than MAT level 4 holds\n", prefix.c_str());
    if (given.given("csv")) merger.csv(prefix + ".csv");
    print_failures(there, found);
    if (!missing.empty()) std::printf("missing: blocks %s\n", missing.c_str());
    std::printf("%lld runs, %llu columns, hash %s\n", static_cast<long long>(merger.runs()),
                number(columns_of(program_.description).size()), hexadecimal(hash_of_results(there, found)).c_str());
    return missing.empty() ? Exit::done : Exit::incomplete;
  }

  // Of n values that rise, q percent are at or below number ceil(q n / 100): a value of the study, nothing in between.
  int quantiles(const Options& given) {
    std::vector<std::string> at = given.alone();
    if (at.empty()) at = {"0", "1", "5", "50", "95", "99", "100"};
    const Description& d = program_.description;
    const Folder there = folder();
    there.compare(text_);
    const Found found = there.read();
    const std::string missing = missing_blocks(there.layout(), found);
    if (!missing.empty()) std::printf("missing, and not looked at: blocks %s\n", missing.c_str());
    std::printf("%-20s %10s", "result", "runs");
    for (const auto& q : at) std::printf(" %12s", (q + " %").c_str());
    for (std::size_t result = 0; result < d.results.size(); ++result) {
      const std::vector<double> values = sorted_result(there, found, result);
      const std::string name = d.results[result].name + " [" + d.results[result].unit + "]";
      std::printf("\n%-20s %10llu", name.c_str(), number(values.size()));
      for (const auto& q : at) {
        const double percent = Options::real(q, "a percentage, 0 to 100", 0, 100);
        const auto place = std::size_t(std::ceil(percent / 100 * double(values.size())));
        std::printf(" %12.6g", values.empty() ? detail::none : values[place > 0 ? place - 1 : 0]);
      }
    }
    std::printf("\n");
    return missing.empty() ? Exit::done : Exit::incomplete;
  }

  int worst(const Options& given) {
    const Description& d = program_.description;
    if (given.alone().size() != 1) throw Refusal(Exit::usage, "worst needs the name of one result");
    std::size_t result = 0;
    while (result < d.results.size() && d.results[result].name != given.alone()[0]) ++result;
    if (result == d.results.size()) throw Refusal(Exit::usage, "there is no result " + given.alone()[0]);
    const double sign = given.given("least") ? -1 : 1;
    const auto count = std::size_t(given.number("count", 3, 1, 1000));
    const int budget = int(given.number("runs", 1000, 0, 1'000'000'000));

    const Folder there = folder();
    there.compare(text_);
    const Found found = there.read();
    const std::string missing = missing_blocks(there.layout(), found);
    if (!missing.empty()) std::printf("missing, and not looked at: blocks %s\n", missing.c_str());
    const Design design = d.design();
    const auto evaluate = program_.worker();
    std::vector<double> u(std::size_t(design.drawn())), values(d.parameters.size());
    for (const Extreme& extreme : extremes(there, found, result, sign, count)) {
      design.draw(extreme.run, u.data());
      design.values(extreme.run, u.data(), values.data());
      std::printf("run %llu: %s\n", number(extreme.run), row(values, extreme.value, result).c_str());
      const Refined refined = refine(d, evaluate, extreme, result, sign, budget);
      std::printf("  after %d more runs: %s\n", refined.runs, row(refined.values, refined.value, result).c_str());
    }
    return missing.empty() ? Exit::done : Exit::incomplete;
  }
  std::string row(const std::vector<double>& values, double value, std::size_t result) const {
    const Description& d = program_.description;
    std::string all = d.results[result].name + ' ' + text_of(value) + ' ' + d.results[result].unit + " at";
    for (std::size_t i = 0; i < values.size(); ++i) all += ' ' + d.parameters[i].column.name + '=' + text_of(values[i]);
    return all;
  }

  int rerun(const Options& given) {
    const Description& d = program_.description;
    if (given.alone().empty()) throw Refusal(Exit::usage, "rerun needs the number of a run");
    const Design design = d.design();
    const std::uint64_t run = Options::parse(given.alone()[0], "a run", 0, design.runs() - 1);
    std::vector<double> u(std::size_t(design.drawn())), values(d.parameters.size()), results(d.width());
    design.draw(run, u.data());
    design.values(run, u.data(), values.data());
    const bool changed = given.alone().size() > 1;
    for (std::size_t i = 1; i < given.alone().size(); ++i) set_by_word(d, values, given.alone()[i]);
    const std::string path = given.text("trace", d.name + '-' + std::to_string(run) + ".csv");
    program_.trace(values.data(), results.data(), path);
    for (std::size_t i = 0; i < values.size(); ++i)
      std::printf("%s %s %s\n", d.parameters[i].column.name.c_str(), text_of(values[i]).c_str(),
                  d.parameters[i].column.unit.c_str());
    for (std::size_t i = 0; i < d.results.size(); ++i)
      std::printf("%s %s %s\n", d.results[i].name.c_str(), text_of(results[i]).c_str(), d.results[i].unit.c_str());
    std::printf("status %s\ntrace %s\n", moreau::name(Status(int(results.back()))), path.c_str());
    if (!changed && compare_with_folder(program_, text_, folder_, run, results))
      std::printf("same bits as in %s\n", folder_.c_str());
    return Exit::done;
  }
  int cluster(const Options& given) {
    none_alone(given);
    const Layout layout = program_.layout(text_);
    Cluster texts;
    texts.parts = unsigned(given.number("parts", 0, 1, 1'000'000));
    if (texts.parts == 0) throw Refusal(Exit::usage, command_ + " needs --parts N");
    texts.threads = threads(given);
    texts.program = words_[0], texts.folder = folder_, texts.name = program_.description.name, texts.more = repeated_;
    texts.block_seconds = seconds_of_a_run() * double(layout.block_size);
    const std::uint64_t blocks = (layout.blocks() + texts.parts - 1) / texts.parts;
    texts.seconds = texts.block_seconds * double((blocks + texts.threads - 1) / texts.threads);
    std::fputs((command_ == "sbatch" ? texts.sbatch() : texts.parallel()).c_str(), stdout);
    return Exit::done;
  }

  static unsigned long long number(std::uint64_t x) { return x; }

  const Program& program_;
  int count_;
  char** words_;
  std::string command_, text_, folder_, repeated_;
};

template <class Study, class... Observers>
int commands(const Study& study, int count, char** words, const Observers&... observers) {
  static_assert(sizeof...(Observers) > 0, "a study measures something: give commands() an observer");
  Study whole = study;
  for (const auto& columns : {observers.columns()...})
    whole.results.insert(whole.results.end(), columns.begin(), columns.end());
  const std::tuple<Observers...> all{observers...};
  using Runs = Runner<Study, Observers...>;
  Program program{whole, {}, {}};
  program.worker = [&] {
    return [runs = Runs(whole, all)](const double* values, double* results) mutable {
      runs(values, results, [](const auto&, const auto&) {});
    };
  };
  program.trace = [&](const double* values, double* results, const std::string& path) {
    Runs runs(whole, all);
    write_trace(runs, whole, values, results, path);
  };
  return Commands(program, count, words).run();
}

}  // namespace moreau::study
