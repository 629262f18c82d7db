// Contact problems of all solvers, and the rows of their results. The measure is that of tests/solvers: independent
// of all solvers, in the widest scalar.
//
// A solver has load(problem), which is not timed, and solve(), which starts from zero and returns its success;
// percussion(row) then returns its answer, rows contact by contact: normal, tangents.
#pragma once
#include <numeric>
#include <vector>

#include "race.hpp"
#include "solvers/draws.hpp"
#include "solvers/enumeration.hpp"
#include "support/feet.hpp"

namespace peers {

using problems::PlainProblem;
using problems::Wide;

constexpr Wide small = Wide(1e-6);  // of the measure, which has no unit: solved
constexpr std::uint64_t seed = 20260101;

struct Set {
  const char* table;  // of the page
  int dim;
  std::vector<PlainProblem> problems;
};

// The problems of the table in tests/solvers that have a known solution.
inline Set of_table(const char* name, int dim) {
  Set set{name, dim, {}};
  problems::Reader reader;
  for (int i = 0; i < problems::problem_count; ++i) {
    const PlainProblem& problem = reader.read();
    if (problem.dim == dim && reader.solvable) set.problems.push_back(problem);
  }
  return set;
}

// New free velocities with a known solution: percussions and velocities of random contact modes.
inline PlainProblem solvable(PlainProblem problem, test::Random& random) {
  problems::Rows P{}, xi{};
  for (int i = 0; i < problem.k; ++i) {
    const auto n = std::size_t(2 * i), t = n + 1;
    const Wide mu = problem.mu[std::size_t(i)], share = Wide(random.between(-1.0, 1.0));
    const auto mode = random.bits() % 3;  // open, sticks, slips
    if (mode == 0) xi[n] = Wide(random.between(0.0, 1.0));
    if (mode != 0) P[n] = Wide(random.between(0.0, 1.0));
    if (mode == 1) P[t] = share * mu * P[n];
    if (mode == 2) P[t] = share > 0 ? -mu * P[n] : mu * P[n];
    if (mode != 1) xi[t] = share;
  }
  for (int r = 0; r < problem.rows(); ++r) {
    Wide& q = problem.q[std::size_t(r)];
    q = xi[std::size_t(r)];
    for (int s = 0; s < problem.rows(); ++s) q -= problem.entry(r, s) * P[std::size_t(s)];
    q = Wide(double(q));
  }
  return problem;
}

// A mode combination solves it, with percussions that are robust to rounding of the data.
inline bool has_solution(const PlainProblem& problem) {
  constexpr Wide exact = Wide(1e-12);  // of the measure: a solution in the widest scalar
  constexpr Wide rounding = Wide(std::numeric_limits<double>::epsilon());
  return problems::any_solution(problem, exact, [&](const problems::Rows& P, const problems::Modes& modes) {
    return problems::obeys(problem, modes, P, exact) && problems::resolved(problem, modes, P, rounding);
  });
}

// `each` problems of every family without friction elements, with k contacts. Planar ones must have a solution, by
// enumeration if that is possible.
inline Set drawn(const char* name, int dim, int k, int each) {
  Set set{name, dim, {}};
  problems::Draws<double> draws(seed);
  test::Random random(seed);
  for (const auto& family : problems::families) {
    if (family.dim != dim || family.change != problems::Family::plain || family.elements) continue;
    for (int found = 0; found < each;) {
      PlainProblem problem = draws.draw(family, k);
      if (dim == 2 && k > problems::most_enumerated)
        problem = solvable(problem, random);
      else if (dim == 2 && !has_solution(problem))
        continue;
      set.problems.push_back(problem);
      ++found;
    }
  }
  return set;
}

// A rigid body of 1 kg on feet around its centre of mass, with equal vertical and horizontal distance: more rows than
// its six coordinates. A step of 1 ms under a push, in which it stands, slides or lands.
inline Set on_feet(const char* name, int k, int each) {
  constexpr double dt = 1e-3, gravity = 9.81, around = 0.1, under = 0.1;
  Set set{name, 3, {}};
  test::Random random(seed);
  while (int(set.problems.size()) < each) {
    PlainProblem problem;
    problem.dim = 3;
    problem.k = k;
    double inertia[3], u[6] = {0, 0, -dt * gravity}, W[3 * problems::capacity][6] = {};
    test::draw_inertia(random, inertia);
    for (int i = 0; i < k; ++i) {
      const double angle = 2 * moreau::pi<double> * (i + 0.3 * random.between(-1.0, 1.0)) / k;
      moreau::Directions<double, 6, 2> d;
      test::directions_of_foot(around * std::cos(angle), around * std::sin(angle), under, d);
      for (int j = 0; j < 6; ++j) {  // of coordinates that have mass 1
        const double unit = j < 3 ? 1 : std::sqrt(inertia[j - 3]);
        W[3 * i][j] = d.w_N(j) / unit, W[3 * i + 1][j] = d.w_T(j, 0) / unit, W[3 * i + 2][j] = d.w_T(j, 1) / unit;
      }
      problem.mu[std::size_t(i)] = Wide(test::draw_friction<double>(random));
    }
    test::draw_velocity(random, dt, u);
    const auto times = [](const double* a, const double* b) { return std::inner_product(a, a + 6, b, 0.0); };
    for (int r = 0; r < 3 * k; ++r) {
      problem.q[std::size_t(r)] = Wide(times(W[r], u));
      for (int s = 0; s < 3 * k; ++s) problem.G[std::size_t(r * 3 * k + s)] = Wide(times(W[r], W[s]));
    }
    set.problems.push_back(problem);
  }
  return set;
}

inline const std::vector<Set>& sets() {
  static const std::vector<Set> all = {of_table("contacts_table", 2),       drawn("contacts_2", 2, 2, 100),
                                       drawn("contacts_4", 2, 4, 100),      drawn("contacts_8", 2, 8, 30),
                                       of_table("contacts_space_table", 3), drawn("contacts_space_4", 3, 4, 40),
                                       on_feet("contacts_feet_4", 4, 100),  on_feet("contacts_feet_5", 5, 100)};
  return all;
}

template <class Solver>
void race_solver(const Entrant& who, int dim, Solver&& solver) {
  for (const Set& set : sets()) {
    if (set.dim != dim) continue;
    int solved = 0, refused = 0, wrong = 0;
    double nanoseconds = 0, heap = 0;
    for (const PlainProblem& problem : set.problems) {
      solver.load(problem);
      const bool reported = solver.solve();
      problems::Rows r{};
      for (int i = 0; i < problem.rows(); ++i) r[std::size_t(i)] = Wide(solver.percussion(i));
      const bool right = problems::natural_map_error(problem, r) <= small;
      solved += reported && right;
      refused += !reported;
      wrong += reported && !right;

      double least = 1e300, spent = 0;
      const long calls = heap_calls;
      int repeats = 0;
      for (; repeats < 3 || (repeats < 30 && spent < budget / 100); ++repeats) {
        const auto begin = Clock::now();
        solver.solve();
        const double elapsed = seconds_since(begin);
        least = std::min(least, elapsed);
        spent += elapsed;
      }
      nanoseconds += least * 1e9;
      heap += double(heap_calls - calls) / repeats;
    }
    const double all = double(set.problems.size());
    Line(set.table, who) << nanoseconds / all << heap / all << 100 * solved / all << 100 * refused / all
                         << 100 * wrong / all;
  }
}

}  // namespace peers
