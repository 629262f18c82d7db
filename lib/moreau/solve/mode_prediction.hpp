// One guess of the modes of at most four closed planar contacts, its linear equations, and whether the answer agrees.
//
//   open    P_N = 0,                     xi_N >= 0
//   stick   xi_N = 0, xi_T = 0,          P_N >= 0, |P_T| <= mu P_N
//   slip s  xi_N = 0, P_T = -s mu P_N,   P_N >= 0, s xi_T >= 0         (s = +1, -1)
//
// A friction element (mode_enumeration.hpp) has no normal and does not open; its bound stands for mu P_N.
//
// Rank: two corners on one face share w_T. Both sticking, only the sum S of their friction is determined; it is solved
// for and split in proportion to mu P_N, the split that sticks whenever any split does. Compare u_E and W P there,
// never single percussions.
#pragma once

#include <utility>

#include "moreau/solve/solver.hpp"

namespace moreau {
namespace detail {

enum class Mode : std::int8_t { open, stick, slip_plus, slip_minus };
constexpr int mode_count = 4, most_predicted = 4, most_unknowns = 2 * most_predicted;  // modes; closed contacts; rows

// The unknowns of a set of modes: the percussion of a `row`, which drags that of the next row along.
template <class Problem>
struct ModeUnknowns {
  using Real = typename Problem::Real;
  int count = 0, row[most_unknowns] = {};
  Real drag[most_unknowns] = {};

  void add(int of_row, Real dragged) {
    row[count] = of_row, drag[count] = dragged;
    ++count;
  }
  // What unknown j changes the velocity of row r by.
  Real entry(const Problem& problem, int r, int j) const {
    const Real normal = problem.G.coeff(r, row[j]);
    return drag[j] == Real(0) ? normal : normal + drag[j] * problem.G.coeff(r, row[j] + 1);
  }
  // What unknown j has by now, its friction has, too.
  template <class Percussions>
  void drag_along(int j, Percussions& P) const {
    if (drag[j] != Real(0)) P.coeffRef(row[j] + 1) = drag[j] * P.coeff(row[j]);
  }
};

template <class Problem>
class ModePrediction {
 public:
  using Real = typename Problem::Real;
  using Percussions = typename Problem::Percussions;
  ModePrediction(const Problem& problem, Real tolerance, const Judge<Real>& judge)
      : problem_(problem),
        tolerance_(tolerance * epsilon<Real>),
        equation_(judge.rtol / Real(2)),
        cancellation_(judge.cancellation) {
    for (int i = 0; i < problem.k; ++i)
      acts_[i] = Problem::tangents == 1 && problem.mu.coeff(i) > Real(0) && problem.diagonal(tangent(i)) > Real(0);
  }

  // The modes the percussions of the last step mean.
  void read(const Percussions& P) {
    for (int i = 0; i < problem_.k; ++i) {
      const Real P_N = P.coeff(problem_.row(i));
      mode_[i] = Mode::open;
      if (!(P_N > Real(0))) continue;
      mode_[i] = Mode::slip_plus;
      if (Problem::tangents == 0 || !acts_[i]) continue;
      const Real P_T = P.coeff(tangent(i)), limit = problem_.mu.coeff(i) * P_N * (Real(1) - tolerance_);
      mode_[i] = P_T >= limit ? Mode::slip_minus : (P_T <= -limit ? Mode::slip_plus : Mode::stick);
    }
  }
  // Set number `code` of all 4^k; false where it means nothing new for a law whose friction cannot act.
  bool set(int code) {
    for (int i = 0; i < problem_.k; ++i, code /= mode_count) {
      mode_[i] = static_cast<Mode>(code % mode_count);
      if (!acts_[i] && (mode_[i] == Mode::stick || mode_[i] == Mode::slip_minus)) return false;
    }
    return true;
  }

  // Solves the equations of the modes; false where they are singular or the result contradicts the modes.
  bool solve(Percussions& P) {
    unknowns_.count = 0;
    for (int i = 0; i < problem_.k; ++i)
      if (mode_[i] != Mode::open) unknowns_.add(problem_.row(i), drag(i));
    for (int i = 0; i < problem_.k; ++i)
      if (mode_[i] == Mode::stick) unknowns_.add(tangent(i), Real(0));
    solved_ = eliminate();
    if (!solved_) return shared_tangent() && solve_shared(P) && consistent(P);
    for (int r = 0; r < problem_.rows(); ++r) P.coeffRef(r) = Real(0);
    spread(P);
    return consistent(P);
  }

  // The modes that P, the solution of the present ones, implies (a contact that closes slips on as it does): all at
  // once, or the first only, as changing all may go round in circles. False where they are the present ones.
  bool revise(const Percussions& P, bool first_only) {
    bool changed = false;
    for (int i = 0; i < problem_.k && solved_ && !(changed && first_only); ++i) {
      const Mode old = std::exchange(mode_[i], revised(i, P));
      changed = changed || mode_[i] != old;
    }
    return changed;
  }

 private:
  Mode revised(int i, const Percussions& P) const {
    const int n = problem_.row(i);
    const Mode old = mode_[i];
    const bool acts = Problem::tangents == 1 && acts_[i];
    if (old == Mode::open && problem_.xi(n, P) >= Real(0)) return old;
    if (old == Mode::open) return acts && problem_.xi(n + 1, P) < Real(0) ? Mode::slip_minus : Mode::slip_plus;
    if (P.coeff(n) < Real(0)) return Mode::open;
    if (!acts) return old;
    if (old != Mode::stick) return Real(sign(old)) * problem_.xi(n + 1, P) < Real(0) ? Mode::stick : old;
    if (absolute(P.coeff(n + 1)) <= problem_.mu.coeff(i) * P.coeff(n)) return old;
    return P.coeff(n + 1) > Real(0) ? Mode::slip_minus : Mode::slip_plus;
  }

  static int tangent(int i) { return Problem::row(i) + 1; }
  static int sign(Mode m) { return m == Mode::slip_plus ? 1 : (m == Mode::slip_minus ? -1 : 0); }

  // P_T / P_N of a contact that slips.
  Real drag(int i) const {
    const int s = sign(mode_[i]);
    return s == 0 || !acts_[i] ? Real(0) : -Real(s) * problem_.mu.coeff(i);
  }

  // Gauss with row pivoting on the equations xi_r = 0, rows scaled by their diagonal.
  bool eliminate() {
    const int n = unknowns_.count, *const row = unknowns_.row;
    Real A[most_unknowns][most_unknowns + 1];
    for (int i = 0; i < n; ++i) {
      const Real scale = Real(1) / problem_.diagonal(row[i]);
      for (int j = 0; j < n; ++j) A[i][j] = unknowns_.entry(problem_, row[i], j) * scale;
      A[i][n] = -problem_.c.coeff(row[i]) * scale;
    }
    for (int j = 0; j < n; ++j) {
      int p = j;
      for (int i = j + 1; i < n; ++i)
        if (absolute(A[i][j]) > absolute(A[p][j])) p = i;
      const Real ratio = problem_.diagonal(row[j]) / problem_.diagonal(row[p]);
      if (!(absolute(A[p][j]) > tolerance_ * ratio)) return false;
      for (int l = j; l <= n; ++l) std::swap(A[j][l], A[p][l]);
      for (int i = j + 1; i < n; ++i) {
        const Real f = A[i][j] / A[j][j];
        for (int l = j + 1; l <= n; ++l) A[i][l] -= f * A[j][l];
      }
    }
    for (int i = n - 1; i >= 0; --i) {
      Real sum = A[i][n];
      for (int l = i + 1; l < n; ++l) sum -= A[i][l] * x_[l];
      x_[i] = sum / A[i][i];
    }
    return true;
  }

  void spread(Percussions& P) const {
    for (int j = 0; j < unknowns_.count; ++j) {
      P.coeffRef(unknowns_.row[j]) += x_[j];
      unknowns_.drag_along(j, P);
    }
  }

  // Both stick and w_T2 is a multiple of w_T1.
  bool shared_tangent() const {
    return Problem::contacts >= 2 && Problem::tangents == 1 && problem_.k == 2 && mode_[0] == Mode::stick &&
           mode_[1] == Mode::stick;
  }
  bool solve_shared(Percussions& P) {
    const int T0 = tangent(0), T1 = tangent(1);
    const Real ratio = problem_.G.coeff(T0, T1) / problem_.diagonal(T0);  // w_T1 = ratio w_T0
    unknowns_.count = 0;
    for (const int row : {problem_.row(0), problem_.row(1), T0}) unknowns_.add(row, Real(0));
    if (!eliminate()) return false;
    const Real N0 = x_[0], N1 = x_[1], S = x_[2];  // S = P_T0 + ratio P_T1
    const Real share0 = problem_.mu.coeff(0) * N0, share1 = problem_.mu.coeff(1) * N1;
    const Real total = share0 + absolute(ratio) * share1;
    if (!(total > Real(0))) return false;
    P.coeffRef(problem_.row(0)) = N0;
    P.coeffRef(problem_.row(1)) = N1;
    P.coeffRef(T0) = S / total * share0;
    P.coeffRef(T1) = S / total * (ratio < Real(0) ? -share1 : share1);
    return true;
  }

  // Equations to half of what the judge allows (a singular set of them leaves a remainder), signs to a few roundings. Percussions
  // that cancel by more digits than the judge allows prove nothing.
  bool consistent(const Percussions& P) const {
    Real v_max = Real(0);
    for (int r = 0; r < problem_.rows(); ++r) v_max = larger(v_max, absolute(problem_.c.coeff(r)));
    v_max *= cancellation_;
    const Real v_most =
        Real(2) * equation_ * v_max / (tolerance_ + epsilon<Real>);  // a sign's slack would be a violation
    for (int i = 0; i < problem_.k; ++i) {
      const int n = problem_.row(i);
      const Real xi_N = problem_.xi(n, P), v_N = problem_.velocity_scale(n, P), slack = tolerance_ * v_N;
      if (!(v_N <= v_most)) return false;
      if (mode_[i] == Mode::open) {
        if (!(xi_N >= -slack)) return false;
        continue;
      }
      const Real s = contact_scale(problem_, i);
      if (!(absolute(xi_N) <= equation_ * Branching::smaller(v_N, v_max) && s * P.coeff(n) >= -slack)) return false;
      if (Problem::tangents == 0 || !acts_[i]) continue;
      const Real xi_T = problem_.xi(n + 1, P), v_T = problem_.velocity_scale(n + 1, P), slack_T = tolerance_ * v_T;
      const Real limit = s * (problem_.mu.coeff(i) * prox_nonnegative(P.coeff(n)));
      if (!(v_T <= v_most && s * absolute(P.coeff(n + 1)) <= limit + slack_T)) return false;
      const bool sticks = mode_[i] == Mode::stick;
      if (sticks && !(absolute(xi_T) <= equation_ * Branching::smaller(v_T, v_max))) return false;
      if (!sticks && !(Real(sign(mode_[i])) * xi_T >= -slack_T)) return false;
    }
    return true;
  }

  const Problem& problem_;
  const Real tolerance_, equation_, cancellation_;
  bool acts_[most_predicted] = {};
  Mode mode_[most_predicted] = {};
  bool solved_ = false;
  ModeUnknowns<Problem> unknowns_;
  Real x_[most_unknowns] = {};
};

}  // namespace detail
}  // namespace moreau
