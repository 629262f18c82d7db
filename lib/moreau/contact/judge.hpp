// The judge: the only one who decides whether percussions solve a contact problem, and the discrete state they mean.
//
//   e_i = |s_i P_i - proj_sC(s_i P_i - xi_i)|      in m/s, s_i the contact's scale (residual of SLG08 eq. 19), which is
//       = |min(s_i P_i, xi_i)| on the half line    and is computed so: a small xi beside a large s P is not lost
//   v_i = |c_i| + sum_j |G_ij P_j|                 what xi_i is added up from
//
//   ok        e_i + rounding v_i < atol + rtol min(v_i, v_max), or e_i = v_i = 0
//   inexact   e_i <= reject v_i                    advances, and says so
//   neither   no_solution                          the state stays;     v_max = cancellation * max |c|
//
//   sigma_N = 0 (constraint) iff s P_N - xi_N > margin,  sigma_T = 0 iff |s P_T - xi_T| < s mu P_N - margin  (SLG08
//   sec. 4), margin = sigma_margin * v_i: a tie within the noise of a converged solver counts as impressed.
//
// C is the half line, the interval or disc of radius mu max(P_N, 0), or of an element's own bound. A tangential row
// that cannot act (mu = 0 or a zero direction) must carry no percussion. Anything not finite is a violation.
//
// Difference from the paper: compared are velocities s P, never percussions, so that a violation cannot vanish in a
// percussion too small to be represented; and an overflow of v (which would excuse everything) turns e into a NaN.
// v_max: percussions so large that xi is nothing but their rounding prove nothing (dependent contacts without a
// solution produce them). The strict comparison: velocities whose rounding errors underflow (below 1e-39 m/s in float)
// are not known well enough to be ok.
#pragma once

#include "moreau/contact/contact_problem.hpp"
#include "moreau/contact/laws.hpp"
#include "moreau/model/state.hpp"

namespace moreau {

// The thresholds, in one place. rtol: some hundred roundings of v, what Lemke's pivots and a converged prox iteration
// leave behind on well-posed problems; a solver that stopped early is one to six orders above it.
template <class Real>
struct Judge {
  Real atol = Real(0);                                              // m/s
  Real rtol = sizeof(Real) == 8 ? Real(1e-9) : Real(1e-5);          // of v_i
  Real reject = Real(0.1);                                          // of v_i
  Real cancellation = sizeof(Real) == 8 ? Real(1e3) : Real(1e2);    // v_max / max |c|: digits that may cancel in xi
  Real sigma_margin = sizeof(Real) == 8 ? Real(1e-8) : Real(1e-4);  // of v_i; above rtol, so that solvers agree

  constexpr bool valid() const {
    return atol >= Real(0) && rtol > Real(0) && rtol < Real(1) && reject >= rtol && reject <= Real(1) &&
           sigma_margin >= Real(0) && sigma_margin < Real(1) && cancellation >= Real(1) && cancellation < Real(1e9) &&
           atol < std::numeric_limits<Real>::infinity();
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
  Real v_max = Real(0);     // m/s

  // Written so that a NaN fails every test, and stays.
  void weigh(Real e, Real v, const Judge<Real>& judge) {
    e += finite_probe(v);
    exact = exact && (e < judge.atol + judge.rtol * (v < v_max ? v : v_max) - rounding<Real> * v || e + v == Real(0));
    passable = passable && (e <= judge.reject * v || e <= judge.atol);
    if (e > residual || e != e) residual = e;
    if (e > Real(0) || e != e) {
      const Real ratio = e / v;
      if (ratio > relative || ratio != ratio) relative = ratio;
    }
  }
};

namespace detail {

// Added to a yardstick: 0, or NaN for a scale, mu or bound that no law can have (in a problem filled by hand).
template <class Real>
[[gnu::always_inline]] inline Real lawful(bool holds) {
  return holds ? Real(0) : std::numeric_limits<Real>::quiet_NaN();
}

// x moved into [low, high]; sP - prox(sP - xi) is xi moved between sP - limit and sP + limit.
template <class Real>
[[gnu::always_inline]] inline Real between(Real low, Real x, Real high) {
  return x < low ? low : (x > high ? high : x);
}

// One friction law: rows first..first+dim-1, percussion of at most `limit` / s. Returns its sigma.
template <int dim, class Problem, class P>
[[gnu::always_inline]] inline std::uint8_t weigh_friction(const Problem& problem, const P& percussions, int first,
                                                          typename Problem::Real limit, typename Problem::Real s,
                                                          const Judge<typename Problem::Real>& judge,
                                                          Verdict<typename Problem::Real>& verdict) {
  using Real = typename Problem::Real;
  Vector<Real, dim> carried, xi;
  Real v = finite_probe(limit);
  for (int t = 0; t < dim; ++t) {
    carried.coeffRef(t) = s * percussions.coeff(first + t);
    xi.coeffRef(t) = problem.xi(first + t, percussions);
    v += problem.magnitude(first + t, percussions);
  }
  const Vector<Real, dim> x = carried - xi;
  const Real distance = length(x);
  if constexpr (dim == 1)
    verdict.weigh(absolute(between(carried.coeff(0) - limit, xi.coeff(0), carried.coeff(0) + limit)), v, judge);
  else
    verdict.weigh(distance <= limit ? length(xi) : length(Vector<Real, dim>(carried - prox_disc(x, limit))), v, judge);
  return distance < limit - judge.sigma_margin * v ? 0 : 1;
}

// Rows that cannot act must not carry anything.
template <int dim, class Problem, class P>
void weigh_idle(const Problem& problem, const P& percussions, int first, typename Problem::Real s,
                typename Problem::Real law, const Judge<typename Problem::Real>& judge,
                Verdict<typename Problem::Real>& verdict) {
  for (int t = 0; t < dim; ++t)
    verdict.weigh(s * absolute(percussions.coeff(first + t)), law + problem.magnitude(first + t, percussions), judge);
}

}  // namespace detail

template <class Problem, class P>
[[gnu::always_inline]] inline Verdict<typename Problem::Real> weigh_in_place(const Problem& problem,
                                                                             const P& percussions,
                                                                             const Judge<typename Problem::Real>& judge,
                                                                             Modes<Problem>& modes) {
  using Real = typename Problem::Real;
  Verdict<Real> verdict;
  for (int r = 0; r < problem.rows(); ++r) verdict.v_max = larger(verdict.v_max, absolute(problem.c.coeff(r)));
  verdict.v_max *= judge.cancellation;
  for (int i = 0; i < problem.k; ++i) {
    const int n = problem.row(i);
    const Real s = contact_scale(problem, i);
    const Real carried = s * percussions.coeff(n), xi = problem.xi(n, percussions);
    const Real v = detail::lawful<Real>(s > Real(0)) + problem.magnitude(n, percussions);
    verdict.weigh(absolute(carried < xi ? carried : xi), v, judge);
    modes.N[std::size_t(i)] = carried - xi > judge.sigma_margin * v ? 0 : 1;
    modes.T[std::size_t(i)] = 1;
    if constexpr (Problem::tangents > 0) {
      constexpr int dim = Problem::tangents;
      const Real act = friction_scale(problem, n + 1, std::integral_constant<int, dim>{});
      const Real mu = problem.mu.coeff(i);
      if (mu > Real(0) && act > Real(0))
        modes.T[std::size_t(i)] =
            detail::weigh_friction<dim>(problem, percussions, n + 1, mu * prox_nonnegative(carried), s, judge, verdict);
      else
        detail::weigh_idle<dim>(problem, percussions, n + 1, s, detail::lawful<Real>(mu >= Real(0)), judge, verdict);
    }
  }
  if constexpr (Problem::frictions > 0) {
    constexpr int dim = Problem::friction_dim;
    for (int j = 0; j < problem.elements; ++j) {
      const int r = problem.friction_row(j);
      const Real s = friction_scale(problem, r, std::integral_constant<int, dim>{});
      modes.F[std::size_t(j)] = 1;
      const Real bound = problem.bound.coeff(j);
      if (bound > Real(0) && s > Real(0))
        modes.F[std::size_t(j)] = detail::weigh_friction<dim>(problem, percussions, r, s * bound, s, judge, verdict);
      else
        detail::weigh_idle<dim>(problem, percussions, r, Real(1), detail::lawful<Real>(bound >= Real(0)), judge,
                                verdict);
    }
  }
  return verdict;
}

template <class Problem, class P>
Verdict<typename Problem::Real> weigh(const Problem& problem, const P& percussions,
                                      const Judge<typename Problem::Real>& judge, Modes<Problem>& modes) {
  return weigh_in_place(problem, percussions, judge, modes);
}

}  // namespace moreau
