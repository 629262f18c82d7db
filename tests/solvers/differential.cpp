// Every solver against every other and against the exhaustive enumeration of modes in the widest scalar, on random
// problems: the number of problems that each solves, rejects, and accepts wrongly (none may be).
//
//   solvers.differential [--solves N] [--seed N] [--threads N] [--state FILE] [--data NAME] [--show SOLVER]
//
// A run consists of numbered blocks, each of one family, scalar and number of laws, drawn from the seed and its number.
// With --state it resumes the run in FILE, however that was interrupted, until it has made this number of solves in
// all. Interruptions and threads do not change the counts. A state belongs to the code that it has judged (code.cmake)
// and is rejected by other solvers or other rules.
//
// --data writes NAME.csv, a row per family, scalar, solver and number of laws, and NAME.json, the run; referee.hpp
// defines the columns. --show SOLVER prints the problems that it missed. The program fails if an answer is wrong or
// differs between timing modes.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <thread>

#include "draws.hpp"
#include "referee.hpp"
#include "solvers_code.hpp"

namespace {

using problems::Family;
using problems::Verdicts;

volatile std::sig_atomic_t interrupted = 0;

struct Tally {
  long problems = 0, solvable = 0, ok = 0, inexact = 0, missed = 0, doubtful = 0, wrong = 0, apart = 0, enumerated = 0,
       unlike = 0, both = 0, timings = 0;

  template <class Self, class F>
  static void each(Self& self, const F& f) {
    f(self.problems), f(self.solvable), f(self.ok), f(self.inexact), f(self.missed), f(self.doubtful), f(self.wrong);
    f(self.apart), f(self.enumerated), f(self.unlike), f(self.both), f(self.timings);
  }
};
using Tallies = std::map<std::string, Tally>;

// One block of problems.
class Block {
 public:
  Block(std::uint64_t seed, long number, const char* show) : number_(number), show_(show) {
    const Family& family = problems::families[number % problems::family_count];
    constexpr int sizes[] = {1, 2, 3, 2, 4, 3, 2, 0};  // laws; 0: one of 5..8
    const long round = number / problems::family_count;
    const int size = sizes[round / 2 % 8], k = size > 0 ? size : 5 + int(round / 16 % 4);
    seed_ = (seed * 0x9e3779b97f4a7c15u + std::uint64_t(number)) * 0xbf58476d1ce4e5b9u | 1u;
    round % 2 == 0 ? run<double>(family, k) : run<float>(family, k);
  }
  Tallies tallies;
  long solves = 0, wrong = 0;

 private:
  static constexpr int count = 200, loads = 8;

  template <class Real>
  void run(const Family& family, int k) {
    constexpr int some = problems::most_elements;
    if (family.dim == 2)
      family.elements ? run<Real, 2, some>(family, k) : run<Real, 2, 0>(family, k);
    else
      family.elements ? run<Real, 3, some>(family, k) : run<Real, 3, 0>(family, k);
  }
  template <class Real, int dim, int elements>
  void run(const Family& family, int k) {
    thread_local const auto referee = std::make_unique<problems::Referee<Real, dim, elements>>();
    problems::Draws<Real> draws(seed_, loads);
    const std::string scalar = sizeof(Real) == 8 ? "double" : "float";
    for (int n = 0; n < count; ++n) {
      const problems::PlainProblem& plain = draws.draw(family, k);
      const char* const laws = plain.laws() <= 2 ? "1..2" : (plain.laws() <= 4 ? "3..4" : "5..8");
      for (const Verdicts& a : referee->judge(plain, draws.known(), n)) add(family, scalar, laws, a, n);
    }
  }

  void add(const Family& family, const std::string& scalar, const char* laws, const Verdicts& a, int n) {
    const std::string name = std::string(family.name) + " | " + scalar + " | " + a.solver + " | " + laws;
    Tally& t = tallies[name];
    ++t.problems, ++solves;
    t.solvable += a.solvable, t.ok += a.ok, t.inexact += !a.ok && a.passable;
    t.missed += a.missed, t.doubtful += a.doubtful, t.wrong += a.wrong, t.apart += a.apart;
    t.enumerated += a.enumerated, t.unlike += a.unlike, t.both += a.both, t.timings += a.timings;
    wrong += a.wrong || a.timings;
    const bool shown = std::strcmp(show_, a.solver) == 0;
    const char* const what =
        a.wrong ? "wrong"
                : (a.timings ? "timings" : (shown && a.missed ? "missed" : (shown && a.unlike ? "unlike" : "")));
    if (*what != '\0') std::fprintf(stderr, "%s: block %ld, problem %d, %s\n", what, number_, n, name.c_str());
  }

  const long number_;
  const char* const show_;
  std::uint64_t seed_;
};

class Run {
 public:
  std::uint64_t seed = 1;
  long solves = 0, wrong = 0;
  const char* show = "";
  double rate() const { return double(solves) / std::max(seconds_, 1e-3); }

  // The next blocks.
  void blocks(int threads) {
    constexpr int count = 32;
    const std::clock_t begin = std::clock();
    std::vector<std::unique_ptr<Block>> done(count);
    std::vector<std::thread> crew;
    const auto work = [&](int first) {
      for (int i = first; i < count; i += threads)
        done[std::size_t(i)] = std::make_unique<Block>(seed, next_ + i, show);
    };
    for (int t = 1; t < threads; ++t) crew.emplace_back(work, t);
    work(0);
    for (std::thread& t : crew) t.join();
    for (const auto& block : done) {
      ++next_;
      solves += block->solves, wrong += block->wrong;
      for (const auto& [name, tally] : block->tallies) add(tallies_[name], tally);
    }
    seconds_ += double(std::clock() - begin) / CLOCKS_PER_SEC;
  }

  bool load(const char* path) {
    std::ifstream in(path);
    if (!in) return true;  // none yet
    std::string word, code, line;
    if (!(in >> word >> code >> seed >> next_ >> solves >> wrong >> seconds_)) return false;
    if (word != "DIFFERENTIAL" || code != solvers_code) return false;
    std::getline(in, line);
    while (std::getline(in, line)) {
      const auto comma = line.rfind(',');
      std::istringstream numbers(line.substr(comma + 1));
      Tally::each(tallies_[line.substr(0, comma)], [&numbers](long& x) { numbers >> x; });
    }
    return in.eof();
  }
  // The old file or the new one is whole, whenever the run is interrupted.
  bool save(const char* path) const {
    const std::string fresh = std::string(path) + ".new";
    std::ofstream out(fresh);
    out << "DIFFERENTIAL " << solvers_code << ' ' << seed << ' ' << next_ << ' ' << solves << ' ' << wrong << ' '
        << seconds_ << '\n';
    for (const auto& [name, tally] : tallies_) {
      out << name << ',';
      Tally::each(tally, [&out](long x) { out << ' ' << x; });
      out << '\n';
    }
    out.close();
    return out && std::rename(fresh.c_str(), path) == 0;
  }

  // One row per family, scalar, solver and number of laws.
  bool write_table(const std::string& path) const {
    std::ofstream out(path);
    out << "family,scalar,solver,laws,problems,solvable,ok,inexact,missed,doubtful,wrong,apart,enumerated,unlike,both,"
           "timings\n";
    for (const auto& [name, tally] : tallies_) {
      out << columns(name);
      Tally::each(tally, [&out](long x) { out << ',' << x; });
      out << '\n';
    }
    out.close();
    return bool(out);
  }
  bool write_summary(const std::string& path) const {
    char date[16];
    const std::time_t now = std::time(nullptr);
    std::strftime(date, sizeof date, "%Y-%m-%d", std::gmtime(&now));
    std::ofstream out(path);
    out << "{\n  \"date\": \"" << date << "\",\n  \"compiler\": \"g++ " << __VERSION__ << "\",\n  \"code\": \""
        << solvers_code << "\",\n  \"seed\": " << seed << ",\n  \"blocks\": " << next_ << ",\n  \"solves\": " << solves
        << ",\n  \"wrong\": " << wrong << ",\n  \"solves_per_cpu_second\": " << long(rate()) << "\n}\n";
    out.close();
    return bool(out);
  }

 private:
  // The columns of a name with " | " between them; one with a comma is quoted.
  static std::string columns(const std::string& name) {
    std::string all;
    for (std::size_t begin = 0, end = 0; end != std::string::npos; begin = end + 3) {
      end = name.find(" | ", begin);
      const std::string one = name.substr(begin, end == std::string::npos ? end : end - begin);
      all += (begin > 0 ? "," : "") + (one.find(',') == std::string::npos ? one : '"' + one + '"');
    }
    return all;
  }
  static void add(Tally& sum, const Tally& of_block) {
    std::vector<long> counts;
    Tally::each(of_block, [&counts](long x) { counts.push_back(x); });
    std::size_t i = 0;
    Tally::each(sum, [&](long& x) { x += counts[i++]; });
  }

  long next_ = 0;
  double seconds_ = 0;  // of all threads
  Tallies tallies_;
};

}  // namespace

int main(int argc, char** argv) {
  Run run;
  const char *state = nullptr, *data = nullptr;
  long wanted = 1000000;
  int threads = 1;
  for (int i = 1; i + 1 < argc; i += 2) {
    const auto is = [&](const char* name) { return std::strcmp(argv[i], name) == 0; };
    if (is("--solves")) wanted = std::atol(argv[i + 1]);
    if (is("--seed")) run.seed = std::strtoull(argv[i + 1], nullptr, 10);
    if (is("--threads")) threads = std::max(1, std::atoi(argv[i + 1]));
    if (is("--state")) state = argv[i + 1];
    if (is("--data")) data = argv[i + 1];
    if (is("--show")) run.show = argv[i + 1];
  }
  if (state != nullptr && !run.load(state)) {
    std::fprintf(stderr, "%s is not the state of a run of this code (%s)\n", state, solvers_code);
    return 2;
  }
  std::signal(SIGINT, [](int) { interrupted = 1; });
  std::signal(SIGTERM, [](int) { interrupted = 1; });
  std::time_t saved = std::time(nullptr);
  while (run.solves < wanted && interrupted == 0) {
    run.blocks(threads);
    if (state == nullptr || std::time(nullptr) < saved + 10) continue;
    saved = std::time(nullptr);
    if (!run.save(state)) return 2;
  }
  if (state != nullptr && !run.save(state)) return 2;
  if (data != nullptr) {
    const std::string name = data;
    if (!run.write_table(name + ".csv") || !run.write_summary(name + ".json")) return 2;
  }
  std::printf("%ld solves, %ld wrong, %.0f solves per second of a CPU\n", run.solves, run.wrong, run.rate());
  return run.wrong == 0 ? 0 : 1;
}
