// Every set of modes of a planar problem of few contacts, solved in the widest scalar there is: what solves the problem
// is among them, whatever the library makes of it.
//
// A problem of low rank has more solutions than these, but their velocities are those of one that is here: a corner of
// the set of its percussions.
#pragma once
#include "measure.hpp"

namespace problems {

constexpr int most_enumerated = 4;  // contacts: 256 sets of modes

// Modes of one contact: which of its rows are equations, and what P_T is where its own row is none.
enum Mode { open, stick, slip_plus, slip_minus, mode_count };
using Modes = std::array<Mode, most_enumerated>;

// The percussions of a set of modes; false where its equations are singular.
inline bool percussions_of(const PlainProblem& problem, const Modes& modes, Rows& P) {
  constexpr int most = 2 * most_enumerated;
  int unknowns = 0, row[most];
  Wide drag[most], A[most][most + 1];
  for (int i = 0; i < problem.k; ++i) {
    const Mode mode = modes[std::size_t(i)];
    if (mode == open) continue;
    const Wide mu = problem.mu[std::size_t(i)];
    row[unknowns] = 2 * i;
    drag[unknowns++] = mode == stick ? 0 : (mode == slip_plus ? -mu : mu);
    if (mode == stick) row[unknowns] = 2 * i + 1, drag[unknowns++] = 0;
  }
  for (int r = 0; r < unknowns; ++r) {
    for (int s = 0; s < unknowns; ++s)
      A[r][s] = problem.entry(row[r], row[s]) + (drag[s] != 0 ? drag[s] * problem.entry(row[r], row[s] + 1) : 0);
    A[r][unknowns] = -problem.q[std::size_t(row[r])];
  }
  for (int j = 0; j < unknowns; ++j) {
    int p = j;
    for (int r = j + 1; r < unknowns; ++r)
      if (std::fabs(A[r][j]) > std::fabs(A[p][j])) p = r;
    if (!(std::fabs(A[p][j]) > 0)) return false;
    std::swap(A[j], A[p]);
    for (int r = 0; r < unknowns; ++r) {
      if (r == j) continue;
      const Wide f = A[r][j] / A[j][j];
      for (int s = j; s <= unknowns; ++s) A[r][s] -= f * A[j][s];
    }
  }
  P = {};
  for (int j = 0; j < unknowns; ++j) {
    P[std::size_t(row[j])] = A[j][unknowns] / A[j][j];
    if (drag[j] != 0) P[std::size_t(row[j] + 1)] = drag[j] * P[std::size_t(row[j])];
  }
  return true;
}

// f(percussions) of every set of modes whose percussions obey the laws to `small`; ends where f is true.
template <class F>
bool any_solution(const PlainProblem& problem, Wide small, const F& f) {
  for (int code = 0; code < 1 << (2 * problem.k); ++code) {
    Rows P;
    Modes modes{};
    for (int i = 0; i < problem.k; ++i) modes[std::size_t(i)] = static_cast<Mode>(code >> (2 * i) & 3);
    if (!percussions_of(problem, modes, P) || !(natural_map_error(problem, P) <= small)) continue;
    if (f(P)) return true;
  }
  return false;
}

inline Rows velocities(const PlainProblem& problem, const Rows& P) {
  Rows xi{};
  for (int r = 0; r < problem.rows(); ++r) {
    Wide& sum = xi[std::size_t(r)] = problem.q[std::size_t(r)];
    for (int s = 0; s < problem.rows(); ++s) sum += problem.entry(r, s) * P[std::size_t(s)];
  }
  return xi;
}

// What the fastest velocity of the problem is added up from, with these percussions.
inline Wide added_up(const PlainProblem& problem, const Rows& P) {
  Wide largest = 0;
  for (int r = 0; r < problem.rows(); ++r) {
    Wide v = std::fabs(problem.q[std::size_t(r)]);
    for (int s = 0; s < problem.rows(); ++s) v += std::fabs(problem.entry(r, s) * P[std::size_t(s)]);
    largest = std::fmax(largest, v);
  }
  return largest;
}

// Velocities of the answer are those of a solution, to `limit` of the largest velocity that one of them is added up
// from: what the scalar can resolve. Or the scalar cannot tell the problem from one that the answer solves: the laws
// are missed by less than twice the `noise` of what was added up. (Two normals that are nearly one make velocities
// depend on the last digits of c.) What cannot be enumerated is measured.
inline bool right(const PlainProblem& problem, const Rows& answer, Wide limit, Wide noise) {
  const Wide largest = added_up(problem, answer), cancelled = largest / added_up(problem, Rows{});
  const Wide error = natural_map_error(problem, answer, Units::of_contacts);
  if (error <= std::fmin(2 * noise * cancelled, limit)) return true;
  if (problem.dim > 2 || problem.k > most_enumerated) return error <= limit;
  const Rows xi = velocities(problem, answer);
  return any_solution(problem, limit, [&](const Rows& P) {
    const Rows other = velocities(problem, P);
    for (int r = 0; r < problem.rows(); ++r)
      if (!(std::fabs(xi[std::size_t(r)] - other[std::size_t(r)]) <= limit * largest)) return false;
    return true;
  });
}

}  // namespace problems
