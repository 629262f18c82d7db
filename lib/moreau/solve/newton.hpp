// Prox sweeps (sweeps.hpp) until they tell which contacts are closed, stick and slip, and Newton's method on the prox
// equations from there: for contacts in space that are stiff, where sweeps alone creep.
//
//   F(P) = s P - prox_sC(s P - xi) = 0 of every law, s its scale
//
//   open    F_N = s P_N           closed  F_N = xi_N                                        (s P_N > xi_N: closed)
//   stick   F_T = xi_T            slip    F_T = s P_T - R d,  x = s P_T - xi_T,  d = x / |x|,  R = s mu P_N
//
// where |x| < R sticks. F is linear in each of these modes but the last; its derivative there is
//
//   s I - (R / |x|) (I - d d^T) (s I - G_T) of P_T,  -s mu d of P_N.
//
// More rows than coordinates make it singular; what changes no velocity is held small by `held` of the diagonal.
// Sweeps and Newton take turns, with twice the sweeps each time; the judge says when to end, and what has come nearer.
// Bounded: newton_rounds, newton_steps in each, of a matrix of all rows. Friction elements are laws like a contact's.
#pragma once

#include "moreau/solve/psor.hpp"

namespace moreau {

struct Newton {
  int sweeps = 8;  // of the first round

  constexpr bool valid() const { return sweeps >= 1 && sweeps <= 1000; }
};

template <class Problem>
struct Workspace<Newton, Problem> {
  using Real = typename Problem::Real;
  static constexpr int fallbacks = 0;
  Sigmas<Problem> modes{};
  typename Problem::Percussions candidate;
  Matrix<Real, Problem::capacity, Problem::capacity> J;
  Vector<Real, Problem::capacity> F;
};

namespace detail {

constexpr int newton_rounds = 6, newton_steps = 8;

template <class Problem>
class NewtonStep {
 public:
  using Real = typename Problem::Real;
  using Percussions = typename Problem::Percussions;
  NewtonStep(const Problem& problem, Workspace<Newton, Problem>& work) : problem_(problem), work_(work) {}

  // P one step nearer; false where the equations are singular.
  bool move(Percussions& P) {
    constexpr int tangents = Problem::tangents, dim = Problem::friction_dim;
    n_ = problem_.rows();
    for (int i = 0; i < problem_.k; ++i) {
      const int n = problem_.row(i);
      const Real s = contact_scale(problem_, i), xi = problem_.xi(n, P);
      if (!(s > Real(0))) return false;
      const bool closed = s * P.coeff(n) > xi;
      closed ? row_of_xi(n, xi, s) : row_of_percussion(n, P.coeff(n));
      if constexpr (tangents > 0) {
        const Real mu = problem_.mu.coeff(i), P_N = closed ? prox_nonnegative(P.coeff(n)) : Real(0);
        friction<tangents>(n + 1, P, s, mu * P_N, closed ? n : -1, mu);
      }
    }
    if constexpr (Problem::frictions > 0)
      for (int j = 0; j < problem_.elements; ++j) {
        const int first = problem_.friction_row(j);
        const Real s = largest_diagonal<Branch, dim>(problem_, first);
        friction<dim>(first, P, s > Real(0) ? s : Real(1), problem_.bound.coeff(j), -1, Real(0));
      }
    return solve(P);
  }

 private:
  static constexpr Real held = sizeof(Real) == 8 ? Real(1e-9) : Real(1e-5);

  void row_of_xi(int r, Real xi, Real s) {
    for (int j = 0; j < n_; ++j) work_.J.coeffRef(r, j) = problem_.G.coeff(r, j) / s;
    work_.J.coeffRef(r, r) += held;
    work_.F.coeffRef(r) = -xi / s;
  }
  void row_of_percussion(int r, Real own) {
    for (int j = 0; j < n_; ++j) work_.J.coeffRef(r, j) = Real(0);
    work_.J.coeffRef(r, r) = Real(1);
    work_.F.coeffRef(r) = -own;
  }

  // limit: radius of the disc; `normal`: the row whose mu-fold it is, or -1
  template <int dim>
  void friction(int first, const Percussions& P, Real s, Real limit, int normal, Real mu) {
    Vector<Real, dim> xi, x;
    for (int t = 0; t < dim; ++t) {
      xi.coeffRef(t) = problem_.xi(first + t, P);
      x.coeffRef(t) = P.coeff(first + t) - xi.coeff(t) / s;
    }
    const Real size = length(x);
    if (!(limit > Real(0)) && normal < 0) {
      for (int t = 0; t < dim; ++t) row_of_percussion(first + t, P.coeff(first + t));
    } else if (size < limit) {
      for (int t = 0; t < dim; ++t) row_of_xi(first + t, xi.coeff(t), s);
    } else {
      const Real ratio = size > Real(0) ? limit / size : Real(0);
      for (int t = 0; t < dim; ++t) {
        const Real d = size > Real(0) ? x.coeff(t) / size : Real(0);
        row_of_percussion(first + t, P.coeff(first + t) - limit * d);
        if (normal >= 0) work_.J.coeffRef(first + t, normal) -= mu * d;
        for (int u = 0; u < dim; ++u) {  // across d
          const Real across =
              ratio * ((t == u ? Real(1) : Real(0)) - d * (size > Real(0) ? x.coeff(u) / size : Real(0)));
          work_.J.coeffRef(first + t, first + u) -= across;
          for (int j = 0; j < n_; ++j) work_.J.coeffRef(first + t, j) += across * problem_.G.coeff(first + u, j) / s;
        }
      }
    }
  }

  // Gauss with row pivoting.
  bool solve(Percussions& P) {
    auto& J = work_.J;
    auto& F = work_.F;
    for (int j = 0; j < n_; ++j) {
      int p = j;
      for (int i = j + 1; i < n_; ++i)
        if (absolute(J.coeff(i, j)) > absolute(J.coeff(p, j))) p = i;
      if (!(absolute(J.coeff(p, j)) > std::numeric_limits<Real>::min())) return false;
      for (int l = j; p != j && l < n_; ++l) std::swap(J.coeffRef(j, l), J.coeffRef(p, l));
      if (p != j) std::swap(F.coeffRef(j), F.coeffRef(p));
      const Real inverse = Real(1) / J.coeff(j, j);
      for (int i = j + 1; i < n_; ++i) {
        const Real f = J.coeff(i, j) * inverse;
        if (f == Real(0)) continue;
        for (int l = j + 1; l < n_; ++l) J.coeffRef(i, l) -= f * J.coeff(j, l);
        F.coeffRef(i) -= f * F.coeff(j);
      }
    }
    for (int j = n_ - 1; j >= 0; --j) {
      Real sum = F.coeff(j);
      for (int l = j + 1; l < n_; ++l) sum -= J.coeff(j, l) * F.coeff(l);
      F.coeffRef(j) = sum / J.coeff(j, j);
    }
    for (int j = 0; j < n_; ++j) P.coeffRef(j) += F.coeff(j);
    return true;
  }

  const Problem& problem_;
  Workspace<Newton, Problem>& work_;
  int n_ = 0;
};

}  // namespace detail

template <class Problem>
int solve(const Problem& problem, const Newton& options, Workspace<Newton, Problem>& work,
          typename Problem::Percussions& P, const Judge<typename Problem::Real>& judge = {}) {
  using Real = typename Problem::Real;
  detail::NewtonStep<Problem> newton(problem, work);
  detail::clear_idle_rows(problem, P);
  int iterations = 0, sweeps = options.sweeps;
  for (int round = 0; round < detail::newton_rounds; ++round, sweeps *= 2) {
    Real change = Real(1);
    for (int n = 0; n < sweeps && change > Real(2) * detail::epsilon<Real>; ++n, ++iterations)
      change = detail::measured_sweep(problem, Real(1), P, P);
    auto best = weigh(problem, P, judge, work.modes).relative;
    work.candidate = P;
    for (int n = 0; n < detail::newton_steps; ++n, ++iterations) {
      if (!newton.move(work.candidate)) break;
      const auto verdict = weigh(problem, work.candidate, judge, work.modes);
      if (verdict.exact || verdict.relative < best) P = work.candidate, best = verdict.relative;
      if (verdict.exact) return iterations;
    }
  }
  return iterations;
}

}  // namespace moreau
