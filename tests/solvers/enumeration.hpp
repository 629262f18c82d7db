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

// f(percussions, modes) of every set of modes whose percussions obey the laws to `small`; ends where f is true.
template <class F>
bool any_solution(const PlainProblem& problem, Wide small, const F& f) {
  for (int code = 0; code < 1 << (2 * problem.k); ++code) {
    Rows P;
    Modes modes{};
    for (int i = 0; i < problem.k; ++i) modes[std::size_t(i)] = static_cast<Mode>(code >> (2 * i) & 3);
    if (!percussions_of(problem, modes, P) || !(natural_map_error(problem, P) <= small)) continue;
    if (f(P, modes)) return true;
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

// What the velocity of a row is added up from, with these percussions, and of all rows that of the fastest.
inline Wide added_up(const PlainProblem& problem, const Rows& P, int r) {
  Wide v = std::fabs(problem.q[std::size_t(r)]);
  for (int s = 0; s < problem.rows(); ++s) v += std::fabs(problem.entry(r, s) * P[std::size_t(s)]);
  return v;
}
inline Wide added_up(const PlainProblem& problem, const Rows& P) {
  Wide largest = 0;
  for (int r = 0; r < problem.rows(); ++r) largest = std::fmax(largest, added_up(problem, P, r));
  return largest;
}

// Each contact does what its mode says, to `noise` of what its velocities are added up from.
inline bool obeys(const PlainProblem& problem, const Modes& modes, const Rows& P, Wide noise) {
  const Rows xi = velocities(problem, P);
  for (int i = 0; i < problem.k; ++i) {
    const std::size_t n = std::size_t(2 * i), t = n + 1;
    Wide v = 0;
    for (int r = 2 * i; r <= 2 * i + 1; ++r) v = std::fmax(v, added_up(problem, P, r));
    const Wide off = noise * v, s = std::fmax(problem.entry(2 * i, 2 * i), problem.entry(2 * i + 1, 2 * i + 1));
    const Wide limit = problem.mu[std::size_t(i)] * P[n];
    switch (modes[std::size_t(i)]) {
      case open:
        if (!(xi[n] >= -noise * added_up(problem, P, 2 * i))) return false;
        break;
      case stick:
        if (!(s * P[n] >= -off && s * (std::fabs(P[t]) - limit) <= off)) return false;
        break;
      default:
        if (!(s * P[n] >= -off && (modes[std::size_t(i)] == slip_plus ? xi[t] : -xi[t]) >= -off)) return false;
    }
  }
  return true;
}

// The modes have percussions that data tell which are as good as these to two roundings of the scalar: none change by
// more than a tenth of the largest. (Where modes are nearly singular, rounding makes percussions of any size.)
inline bool resolved(const PlainProblem& problem, const Modes& modes, const Rows& P, Wide rounding) {
  PlainProblem near = problem;
  const int n = problem.rows();
  for (int trial = 1; trial <= 2; ++trial) {
    const auto changed = [&](int number) { return 1 + rounding * (number * (2 * trial + 1) % 5 - 2); };
    for (int r = 0; r < n; ++r) {
      near.q[std::size_t(r)] = problem.q[std::size_t(r)] * changed(r);
      for (int s = 0; s < n; ++s) near.G[std::size_t(r * n + s)] = problem.entry(r, s) * changed(r * s + r + s);
    }
    Rows other;
    if (!percussions_of(near, modes, other)) return false;
    Wide largest = 0, change = 0;  // as velocities
    for (int r = 0; r < n; ++r) {
      const Wide s = std::fmax(problem.entry(r, r), problem.entry(r ^ 1, r ^ 1));
      largest = std::fmax(largest, s * std::fabs(P[std::size_t(r)]));
      change = std::fmax(change, s * std::fabs(P[std::size_t(r)] - other[std::size_t(r)]));
    }
    if (!(change <= largest / 10)) return false;
  }
  return true;
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
  return any_solution(problem, limit, [&](const Rows& P, const Modes&) {
    const Rows other = velocities(problem, P);
    for (int r = 0; r < problem.rows(); ++r)
      if (!(std::fabs(xi[std::size_t(r)] - other[std::size_t(r)]) <= limit * largest)) return false;
    return true;
  });
}

}  // namespace problems
