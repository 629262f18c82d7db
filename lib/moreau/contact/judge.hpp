// The judge: the only one who decides whether percussions solve a contact problem, and the discrete state they mean.
//
//   e_i = s_i |P_i - proj_C(P_i - xi_i / s_i)|     in m/s, s_i the contact's scale (residual of SLG08 eq. 19)
//   v_i = |c_i| + sum_j |G_ij P_j|                 what xi_i is added up from
//
//   ok        e_i <= atol + rtol v_i for all i
//   inexact   e_i <= reject v_i                    advances, and says so
//   neither   no_solution                          the state stays
//
//   sigma_N = 0 (constraint) iff s P_N - xi_N > margin,  sigma_T = 0 iff |s P_T - xi_T| < s mu P_N - margin  (SLG08
//   sec. 4), margin = sigma_margin * v_i: a tie within the noise of a converged solver counts as impressed.
//
// C is the half line, the interval or disc of radius mu max(P_N, 0), or of an element's own bound. A tangential row
// that cannot act (mu = 0 or a zero direction) must carry no percussion. Anything not finite is a violation.
#pragma once

#include "moreau/contact/contact_problem.hpp"
#include "moreau/contact/prox.hpp"
#include "moreau/model/state.hpp"

namespace moreau {

// The thresholds, in one place. rtol: some hundred roundings of v, what Lemke's pivots and a converged prox iteration
// leave behind on well-posed problems; a solver that stopped early is one to six orders above it.
template <class Real>
struct Judge {
  Real atol = Real(0);                                              // m/s
  Real rtol = sizeof(Real) == 8 ? Real(1e-9) : Real(1e-5);          // of v_i
  Real reject = Real(0.1);                                          // of v_i
  Real sigma_margin = sizeof(Real) == 8 ? Real(1e-8) : Real(1e-4);  // of v_i; above rtol, so that solvers agree

  constexpr bool valid() const {
    return atol >= Real(0) && rtol > Real(0) && rtol < Real(1) && reject >= rtol && reject <= Real(1) &&
           sigma_margin >= Real(0) && sigma_margin < Real(1) && atol < std::numeric_limits<Real>::infinity();
  }
};

// Discrete state of the laws of one problem, in the problem's order.
template <class Problem>
struct Modes {
  Sigma<Problem::contacts> N, T;
  Sigma<Problem::frictions> F;
};

template <class Real>
struct Verdict {
  Real residual = Real(0);  // max e_i, m/s
  Real relative = Real(0);  // max e_i / v_i
  bool exact = true;        // ok
  bool passable = true;     // ok or inexact

  // Written so that a NaN fails every test.
  void weigh(Real e, Real v, const Judge<Real>& judge) {
    exact = exact && e <= judge.atol + judge.rtol * v;
    passable = passable && (e <= judge.reject * v || e <= judge.atol);
    if (!(e <= residual)) residual = e;
    if (e > Real(0) || !(e <= Real(0))) {
      const Real ratio = e / v;
      if (!(ratio <= relative)) relative = ratio;
    }
  }
};

namespace detail {

// One friction law: rows first..first+dim-1, percussion of at most `radius`, scale s. Returns its sigma.
template <int dim, class Problem, class P>
std::uint8_t weigh_friction(const Problem& problem, const P& percussions, int first, typename Problem::Real radius,
                            typename Problem::Real s, const Judge<typename Problem::Real>& judge,
                            Verdict<typename Problem::Real>& verdict) {
  using Real = typename Problem::Real;
  Vector<Real, dim> P_T, x;
  Real v = Real(0);
  for (int t = 0; t < dim; ++t) {
    P_T.coeffRef(t) = percussions.coeff(first + t);
    x.coeffRef(t) = P_T.coeff(t) - problem.xi(first + t, percussions) / s;
    v += problem.magnitude(first + t, percussions);
  }
  const Vector<Real, dim> projected = prox_friction(x, radius);
  const Vector<Real, dim> violation = P_T - projected;
  if constexpr (dim == 1) {
    verdict.weigh(s * absolute(violation.coeff(0)), v, judge);
    return s * absolute(x.coeff(0)) < s * radius - judge.sigma_margin * v ? 0 : 1;
  } else {
    verdict.weigh(s * sqrt(dot(violation, violation)), v, judge);
    return s * sqrt(dot(x, x)) < s * radius - judge.sigma_margin * v ? 0 : 1;
  }
}

// Rows that cannot act must not carry anything.
template <int dim, class Problem, class P>
void weigh_idle(const Problem& problem, const P& percussions, int first, typename Problem::Real s,
                const Judge<typename Problem::Real>& judge, Verdict<typename Problem::Real>& verdict) {
  for (int t = 0; t < dim; ++t)
    verdict.weigh(s * absolute(percussions.coeff(first + t)), problem.magnitude(first + t, percussions), judge);
}

}  // namespace detail

template <class Problem, class P>
Verdict<typename Problem::Real> weigh(const Problem& problem, const P& percussions,
                                      const Judge<typename Problem::Real>& judge, Modes<Problem>& modes) {
  using Real = typename Problem::Real;
  Verdict<Real> verdict;
  for (int i = 0; i < problem.k; ++i) {
    const int n = problem.row(i);
    const Real s = contact_scale(problem, i);
    const Real P_N = percussions.coeff(n);
    const Real v = problem.magnitude(n, percussions);
    const Real x = P_N - problem.xi(n, percussions) / s;
    verdict.weigh(s * absolute(P_N - prox_nonnegative(x)), v, judge);
    modes.N[std::size_t(i)] = s * x > judge.sigma_margin * v ? 0 : 1;
    modes.T[std::size_t(i)] = 1;
    if constexpr (Problem::tangents > 0) {
      constexpr int dim = Problem::tangents;
      const Real act = friction_scale(problem, n + 1, std::integral_constant<int, dim>{});
      if (problem.mu.coeff(i) > Real(0) && act > Real(0))
        modes.T[std::size_t(i)] = detail::weigh_friction<dim>(
            problem, percussions, n + 1, problem.mu.coeff(i) * prox_nonnegative(P_N), s, judge, verdict);
      else
        detail::weigh_idle<dim>(problem, percussions, n + 1, s, judge, verdict);
    }
  }
  if constexpr (Problem::frictions > 0) {
    constexpr int dim = Problem::friction_dim;
    for (int j = 0; j < problem.elements; ++j) {
      const int r = problem.friction_row(j);
      const Real s = friction_scale(problem, r, std::integral_constant<int, dim>{});
      modes.F[std::size_t(j)] = 1;
      if (problem.bound.coeff(j) > Real(0) && s > Real(0))
        modes.F[std::size_t(j)] =
            detail::weigh_friction<dim>(problem, percussions, r, problem.bound.coeff(j), s, judge, verdict);
      else
        detail::weigh_idle<dim>(problem, percussions, r, Real(1), judge, verdict);
    }
  }
  return verdict;
}

}  // namespace moreau
