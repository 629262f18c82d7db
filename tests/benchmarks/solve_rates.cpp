// Solve rates and times of all solvers on a file of contact problems, and wrong solutions accepted by the acceptance
// test.
//
//   benchmarks.solve_rates FILE [failures]      `failures` lists the problems that a solver missed
//
//   FCPROB 1 <count>
//   P <id> <family> <dim> <k> <f>     dim 2: rows n, t; dim 3: rows n, t1, t2; k contacts
//   <mu: k>  <q: dim k>  <G: (dim k)^2, row by row>  and, if f > 0,  <M: f^2>  <W: f dim k>   (ignored here)
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "../solvers/hand_over.hpp"
#include "../solvers/hostile.hpp"

namespace {

using problems::Answer;
using problems::PlainProblem;
using problems::Wide;

struct Named {
  int id = 0;
  std::string family;
  PlainProblem problem;
};

template <class Numbers>
bool read_numbers(std::ifstream& in, std::size_t count, Numbers& out) {
  for (std::size_t i = 0; i < count; ++i)
    if (!(in >> out[i])) return false;
  return true;
}

bool skip_numbers(std::ifstream& in, std::size_t count) {
  Wide unused;
  for (std::size_t i = 0; i < count; ++i)
    if (!(in >> unused)) return false;
  return true;
}

std::vector<Named> read_problems(const char* path) {
  std::ifstream in(path);
  std::string word;
  std::vector<Named> all;
  int version = 0, count = 0;
  if (!(in >> word >> version >> count) || word != "FCPROB" || version != 1) return all;
  for (int i = 0; i < count; ++i) {
    Named one;
    std::size_t f = 0;
    if (!(in >> word >> one.id >> one.family >> one.problem.dim >> one.problem.k >> f) || word != "P") return {};
    const std::size_t rows = std::size_t(one.problem.rows());
    if (one.problem.k > problems::capacity || !read_numbers(in, std::size_t(one.problem.k), one.problem.mu) ||
        !read_numbers(in, rows, one.problem.q) || !read_numbers(in, rows * rows, one.problem.G) ||
        !skip_numbers(in, f * f + f * rows))
      return {};
    all.push_back(one);
  }
  return all;
}

template <class Real>
constexpr Wide limit = sizeof(Real) == 8 ? Wide(1e-6) : Wide(1e-3);  // of the measure: solved

using Clock = std::chrono::steady_clock;

struct Tally {
  int problems = 0, solved = 0, ok = 0, inexact = 0, refused = 0, silently_wrong = 0, iterations = 0;
  double nanoseconds = 0;
  std::vector<int> missed, wrong;
};

struct Column {
  std::string name;
  bool is_float;
  std::map<std::string, Tally> families;
  std::vector<Answer> answers;
};

template <class Real, int dim, class Solver>
Answer timed(const PlainProblem& plain, const Solver& solver, double& nanoseconds) {
  static const auto work = std::make_unique<moreau::Workspace<Solver, problems::Problem<Real, dim>>>();
  const Answer result = problems::answer<Real, dim>(plain, solver, *work);
  problems::Problem<Real, dim> problem;
  problems::hand_over<Real, dim>(plain, problem);
  double best = 1e300;
  for (int round = 0; round < 3; ++round) {
    const int repeat = result.iterations > 200 ? 1 : 20;
    double elapsed = 0;
    typename problems::Problem<Real, dim>::Percussions P;
    const auto begin = Clock::now();
    for (int i = 0; i < repeat; ++i) {
      P.setZero();
      moreau::solve(problem, solver, *work, P);
    }
    elapsed = std::chrono::duration<double, std::nano>(Clock::now() - begin).count();
    best = std::min(best, elapsed / repeat);
  }
  nanoseconds = best;
  return result;
}

template <class Real, int dim, class Solver>
void run(const std::string& name, const std::vector<Named>& all, const Solver& solver, std::vector<Column>& columns) {
  Column column{name, sizeof(Real) == 4, {}, {}};
  for (const Named& one : all) {
    column.answers.emplace_back();
    if (one.problem.dim != dim) continue;
    double nanoseconds = 0;
    const Answer a = timed<Real, dim>(one.problem, solver, nanoseconds);
    column.answers.back() = a;
    for (const std::string& family :
         {one.family, std::string("all"), std::string(one.problem.k <= 2 ? "k<=2" : "k>2")}) {
      Tally& tally = column.families[family];
      const bool solved = a.error <= limit<Real>;
      ++tally.problems;
      tally.solved += solved;
      tally.ok += a.ok;
      tally.inexact += !a.ok && a.passable;
      tally.refused += !a.passable;
      tally.iterations += a.iterations;
      tally.nanoseconds += nanoseconds;
      if (!solved) tally.missed.push_back(one.id);
      if (a.ok && !solved) ++tally.silently_wrong, tally.wrong.push_back(one.id);
    }
  }
  columns.push_back(column);
}

template <class Real>
void run_all(const std::vector<Named>& all, std::vector<Column>& columns) {
  const std::string scalar = sizeof(Real) == 8 ? "double" : "float";
  moreau::Psor psor, fast;
  psor.max_iterations = 10000;
  fast.max_iterations = 10000;
  fast.omega = 1.5f;
  moreau::Psor short_psor;
  short_psor.max_iterations = 100;
  const moreau::Lemke lemke;
  const moreau::Exact exact;
  const moreau::Cascade<moreau::Psor, moreau::Lemke> cascade{{short_psor, lemke}};
  run<Real, 2>(scalar + " Lemke", all, lemke, columns);
  run<Real, 2>(scalar + " Exact", all, exact, columns);
  run<Real, 2>(scalar + " Psor", all, psor, columns);
  run<Real, 2>(scalar + " Psor 1.5", all, fast, columns);
  run<Real, 2>(scalar + " Cascade", all, cascade, columns);
  run<Real, 3>(scalar + " Psor 3D", all, psor, columns);
  run<Real, 3>(scalar + " Newton 3D", all, moreau::Newton{}, columns);
}

void print(const std::vector<Column>& columns, bool list) {
  for (const Column& column : columns) {
    std::printf("\n%-16s  problems  solved      %%      ok inexact refused  silently wrong   ns/solve  iterations\n",
                column.name.c_str());
    for (const auto& [family, t] : column.families) {
      std::printf("  %-14s  %8d %7d %6.2f  %6d %7d %7d  %14d %10.0f %11.1f\n", family.c_str(), t.problems, t.solved,
                  100.0 * t.solved / t.problems, t.ok, t.inexact, t.refused, t.silently_wrong,
                  t.nanoseconds / t.problems, double(t.iterations) / t.problems);
      if (list && !t.missed.empty()) {
        std::printf("      missed:");
        for (int id : t.missed) std::printf(" %d", id);
        std::printf("\n");
      }
      if (list && !t.wrong.empty()) {
        std::printf("      silently wrong:");
        for (int id : t.wrong) std::printf(" %d(%.1Le)", id, column.answers[std::size_t(id)].error);
        std::printf("\n");
      }
    }
  }
}

// Shares of the problems that at least one solver solves in the same scalar.
void print_shares(const std::vector<Named>& all, const std::vector<Column>& columns) {
  for (const bool is_float : {false, true})
    for (const int dim : {2, 3}) {
      std::vector<bool> solvable(all.size(), false);
      const Wide small = is_float ? limit<float> : limit<double>;
      const auto solves = [&](const Column& c, std::size_t i) {
        return all[i].problem.dim == dim && (c.name.find("3D") != std::string::npos) == (dim == 3) &&
               c.answers[i].error <= small;
      };
      for (const Column& c : columns)
        if (c.is_float == is_float)
          for (std::size_t i = 0; i < all.size(); ++i) solvable[i] = solvable[i] || solves(c, i);
      const auto count = std::count(solvable.begin(), solvable.end(), true);
      std::printf("\n%s, dim %d: %ld problems solved by any solver\n", is_float ? "float" : "double", dim, long(count));
      for (const Column& c : columns) {
        if (c.is_float != is_float || (c.name.find("3D") != std::string::npos) != (dim == 3)) continue;
        long solved = 0, few = 0, few_solved = 0;
        for (std::size_t i = 0; i < all.size(); ++i) {
          if (!solvable[i]) continue;
          solved += solves(c, i);
          if (all[i].problem.k <= 2) ++few, few_solved += solves(c, i);
        }
        std::printf("  %-16s %6.2f %%   k <= 2: %6.2f %%\n", c.name.c_str(), 100.0 * double(solved) / double(count),
                    100.0 * double(few_solved) / double(few));
      }
    }
}

// Verdicts of the acceptance test on corrupted data: accepted solutions, and wrong ones among them.
struct Hostile {
  long solves = 0, ok = 0, wrong = 0;
};

template <class Real, int dim, class Solver>
int hostile(const char* name, const std::vector<Named>& all, const Solver& solver) {
  const auto work = std::make_unique<moreau::Workspace<Solver, problems::Problem<Real, dim>>>();
  Hostile scales, non_numbers;
  Wide worst = 0;
  const auto count = [&](Hostile& tally, const PlainProblem& corrupted) {
    const Answer a = problems::answer<Real, dim>(corrupted, solver, *work);
    ++tally.solves;
    tally.ok += a.ok;
    if (a.ok && !(a.error <= limit<Real>)) {
      ++tally.wrong;
      if (!(a.error <= worst)) worst = a.error;
    }
  };
  for (const Named& one : all) {
    if (one.problem.dim != dim) continue;
    problems::for_extreme_scales<Real>(one.problem, [&](const PlainProblem& p) { count(scales, p); });
    problems::for_non_numbers(one.problem, [&](const PlainProblem& p) { count(non_numbers, p); });
  }
  std::printf("  %-7s %-10s %8ld %8ld %6ld   %8ld %8ld %6ld   %.1Le\n", sizeof(Real) == 8 ? "double" : "float", name,
              scales.solves, scales.ok, scales.wrong, non_numbers.solves, non_numbers.ok, non_numbers.wrong, worst);
  return int(scales.wrong + non_numbers.wrong);
}

template <class Real>
int hostile_all(const std::vector<Named>& all) {
  moreau::Psor psor;
  psor.max_iterations = 50;
  const moreau::Cascade<moreau::Psor, moreau::Lemke> cascade{{psor, moreau::Lemke{}}};
  return hostile<Real, 2>("Lemke", all, moreau::Lemke{}) + hostile<Real, 2>("Exact", all, moreau::Exact{}) +
         hostile<Real, 2>("Psor", all, psor) + hostile<Real, 2>("Cascade", all, cascade) +
         hostile<Real, 3>("Psor 3D", all, psor) + hostile<Real, 3>("Newton 3D", all, moreau::Newton{});
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: benchmarks.solve_rates FILE [failures]\n");
    return 2;
  }
  const std::vector<Named> all = read_problems(argv[1]);
  if (all.empty()) {
    std::fprintf(stderr, "%s is not an FCPROB 1 file\n", argv[1]);
    return 2;
  }
  std::vector<Column> columns;
  run_all<double>(all, columns);
  run_all<float>(all, columns);
  print(columns, argc > 2 && std::strcmp(argv[2], "failures") == 0);
  print_shares(all, columns);
  int wrong = 0;
  for (const Column& column : columns)
    for (const auto& [family, tally] : column.families)
      if (family == "all") wrong += tally.silently_wrong;
  std::printf("\ncorrupted data:        scales       ok  wrong   NaN, inf       ok  wrong   largest accepted e\n");
  wrong += hostile_all<double>(all) + hostile_all<float>(all);
  std::printf("\nsilently wrong in all: %d\n", wrong);
  return wrong == 0 ? 0 : 1;
}
