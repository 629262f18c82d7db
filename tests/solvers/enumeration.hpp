// Exhaustive enumeration of the contact-mode combinations of a planar problem with few laws, in the widest scalar: a
// reference independent of the library.
//
// A problem of low rank has more solutions than these, but their velocities are those of an enumerated one: a vertex
// of the set of its percussions.
#pragma once
#include "measure.hpp"

namespace problems {

constexpr int most_enumerated = 4;  // contacts and friction elements: 256 mode combinations

// Mode of one law: which of its rows are equations, and the friction of a row that is not. A friction element does
// not open.
enum Mode { open, stick, slip_plus, slip_minus, mode_count };
using Modes = std::array<Mode, most_enumerated>;

inline bool enumerable(const PlainProblem& problem) { return problem.dim == 2 && problem.laws() <= most_enumerated; }

// Percussions of a mode combination; false if its equations are singular.
inline bool percussions_of(const PlainProblem& problem, const Modes& modes, Rows& P) {
  constexpr int most = 2 * most_enumerated;
  int unknowns = 0, row[most];
  Wide drag[most], A[most][most + 1];
  const auto add = [&](int r, Wide d) { row[unknowns] = r, drag[unknowns++] = d; };
  P = {};
  for (int i = 0; i < problem.laws(); ++i) {
    const Mode mode = modes[std::size_t(i)];
    if (i >= problem.k) {
      const int r = problem.element(i - problem.k);
      const Wide a = problem.bound[std::size_t(i - problem.k)];
      if (mode == stick) add(r, 0);
      if (mode != stick) P[std::size_t(r)] = mode == slip_plus ? -a : a;
    } else if (mode != open) {
      const Wide mu = problem.mu[std::size_t(i)];
      add(2 * i, mode == stick ? 0 : (mode == slip_plus ? -mu : mu));
      if (mode == stick) add(2 * i + 1, 0);
    }
  }
  for (int r = 0; r < unknowns; ++r) {
    for (int s = 0; s < unknowns; ++s)
      A[r][s] = problem.entry(row[r], row[s]) + (drag[s] != 0 ? drag[s] * problem.entry(row[r], row[s] + 1) : 0);
    A[r][unknowns] = -problem.q[std::size_t(row[r])];
    for (int f = problem.element(0); f < problem.rows(); ++f)
      A[r][unknowns] -= problem.entry(row[r], f) * P[std::size_t(f)];
  }
  for (int j = 0; j < unknowns; ++j) {
    int p = j;
    for (int r = j + 1; r < unknowns; ++r)
      if (std::fabs(A[r][j]) > std::fabs(A[p][j])) p = r;
    if (!(std::fabs(A[p][j]) > 0)) return false;
    for (int s = j; s <= unknowns && p != j; ++s) std::swap(A[j][s], A[p][s]);
    for (int r = j + 1; r < unknowns; ++r) {
      const Wide f = A[r][j] / A[j][j];
      for (int s = j + 1; s <= unknowns; ++s) A[r][s] -= f * A[j][s];
    }
  }
  for (int j = unknowns - 1; j >= 0; --j) {
    Wide sum = A[j][unknowns];
    for (int s = j + 1; s < unknowns; ++s) sum -= A[j][s] * A[s][unknowns];
    const Wide x = A[j][unknowns] = P[std::size_t(row[j])] = sum / A[j][j];
    if (drag[j] != 0) P[std::size_t(row[j] + 1)] = drag[j] * x;
  }
  return true;
}

// Sum of term magnitudes behind the velocity of a row with these percussions; below, of all rows the largest.
inline Wide added_up(const PlainProblem& problem, const Rows& P, int r) {
  Wide v = std::fabs(problem.q[std::size_t(r)]);
  for (int s = 0; s < problem.rows(); ++s) v += std::fabs(problem.entry(r, s) * P[std::size_t(s)]);
  return v;
}
inline Wide added_up(const PlainProblem& problem, const Rows& P) {
  Wide most = 0;
  for (int r = 0; r < problem.rows(); ++r) most = larger(most, added_up(problem, P, r));
  return most;
}

// Percussions outside their cones. The measure also rejects them, but later.
inline bool off_the_cones(const PlainProblem& problem, const Rows& P, Wide off) {
  for (int i = 0; i < problem.k; ++i) {
    const Wide P_N = P[std::size_t(2 * i)];
    if (P_N < -off || std::fabs(P[std::size_t(2 * i + 1)]) > problem.mu[std::size_t(i)] * larger(0, P_N) + off)
      return true;
  }
  return false;
}

// f(percussions, modes) of every mode combination whose percussions satisfy the laws to `small`; stops when f returns
// true.
template <class F>
bool any_solution(const PlainProblem& problem, Wide small, const F& f) {
  Wide v = 0, heaviest = 0;
  for (int r = 0; r < problem.rows(); ++r) {
    v = larger(v, std::fabs(problem.q[std::size_t(r)]));
    heaviest = larger(heaviest, problem.entry(r, r));
  }
  const Wide off = Wide(1.001) * small * (v > 0 ? v : 1) / heaviest;
  Rows P;
  for (int code = 0; code < 1 << (2 * problem.laws()); ++code) {
    Modes modes{};
    bool one = true;
    for (int i = 0; i < problem.laws(); ++i) {
      const Mode mode = modes[std::size_t(i)] = static_cast<Mode>(code >> (2 * i) & 3);
      one = one && !(i >= problem.k && mode == open);
    }
    if (!one || !percussions_of(problem, modes, P) || off_the_cones(problem, P, off)) continue;
    if (natural_map_error(problem, P) <= small && f(P, modes)) return true;
  }
  return false;
}

// Each law satisfies the equations of its mode, to `noise` of the summed term magnitudes of its velocities.
inline bool obeys(const PlainProblem& problem, const Modes& modes, const Rows& P, Wide noise) {
  const Rows xi = velocities(problem, P);
  for (int i = 0; i < problem.laws(); ++i) {
    const Mode mode = modes[std::size_t(i)];
    const bool contact = i < problem.k;
    const int n = 2 * i, t = contact ? n + 1 : problem.element(i - problem.k);
    const Wide v = larger(added_up(problem, P, t), contact ? added_up(problem, P, n) : 0), off = noise * v;
    const Wide s = larger(problem.entry(t, t), contact ? problem.entry(n, n) : 0), P_N = P[std::size_t(n)];
    const Wide limit = contact ? problem.mu[std::size_t(i)] * P_N : problem.bound[std::size_t(i - problem.k)];
    if (mode == open) {
      if (!(xi[std::size_t(n)] >= -noise * added_up(problem, P, n))) return false;
      continue;
    }
    if (contact && !(s * P_N >= -off)) return false;
    if (mode == stick && !(s * (std::fabs(P[std::size_t(t)]) - limit) <= off)) return false;
    if (mode != stick && !((mode == slip_plus ? xi[std::size_t(t)] : -xi[std::size_t(t)]) >= -off)) return false;
  }
  return true;
}

// Percussions of this mode combination are well-conditioned: two roundings of the data change them by at most a tenth
// of the largest. (If a combination is nearly singular, rounding creates percussions of any size.)
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
    Wide most = 0, change = 0;  // as velocities
    for (int r = 0; r < n; ++r) {
      const bool alone = r >= problem.element(0);
      const Wide s = larger(problem.entry(r, r), alone ? 0 : problem.entry(r ^ 1, r ^ 1));
      most = larger(most, s * std::fabs(P[std::size_t(r)]));
      change = larger(change, s * std::fabs(P[std::size_t(r)] - other[std::size_t(r)]));
    }
    if (!(change <= most / 10)) return false;
  }
  return true;
}

// Percussions, their velocities, and the summed term magnitudes of the fastest.
struct Outcome {
  Rows P, xi;
  Wide largest;
  Outcome() = default;
  Outcome(const PlainProblem& problem, const Rows& answer)
      : P(answer), xi(velocities(problem, answer)), largest(added_up(problem, answer)) {}
};

// Equal velocities, to `limit` of the summed term magnitudes.
inline bool alike(const PlainProblem& problem, const Rows& x, const Rows& y, Wide off) {
  for (int r = 0; r < problem.rows(); ++r)
    if (!(std::fabs(x[std::size_t(r)] - y[std::size_t(r)]) <= off)) return false;
  return true;
}
inline bool alike(const PlainProblem& problem, const Outcome& a, const Outcome& b, Wide limit) {
  return alike(problem, a.xi, b.xi, limit * (a.largest + b.largest));
}

// The velocities of the answer are those of an enumerated solution.
inline bool is_enumerated(const PlainProblem& problem, const Outcome& answer, Wide limit) {
  return any_solution(problem, limit, [&](const Rows& P, const Modes&) {
    return alike(problem, answer.xi, velocities(problem, P), limit * answer.largest);
  });
}

// The velocities of the answer are those of a solution, to `limit` of the largest summed term magnitudes: the
// resolution of the scalar. Or the scalar cannot distinguish the problem from one that the answer solves: the laws
// are violated by less than twice the `noise`. (With two nearly parallel normals, velocities depend on the last
// digits of c.) Problems that cannot be enumerated are measured.
inline bool right(const PlainProblem& problem, const Outcome& answer, Wide limit, Wide noise) {
  const Wide cancelled = answer.largest / added_up(problem, Rows{});
  const Wide error = natural_map_error(problem, answer.P, answer.xi, Units::of_contacts);
  if (error <= std::fmin(2 * noise * cancelled, limit)) return true;
  return enumerable(problem) ? is_enumerated(problem, answer, limit) : error <= limit;
}
inline bool right(const PlainProblem& problem, const Rows& answer, Wide limit, Wide noise) {
  return right(problem, Outcome(problem, answer), limit, noise);
}

}  // namespace problems
