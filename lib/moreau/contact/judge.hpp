// The judge decides whether percussions solve a contact problem, and which discrete state they mean; no solver does.
//
//   e_i = |s_i P_i - proj_sC(s_i P_i - xi_i)|      in m/s, s_i the contact's scale (residual of SLG08 eq. 19), which is
//       = |min(s_i P_i, xi_i)| on the half line    and is computed so: a small xi beside a large s P is not lost
//   v_i = |c_i| + sum_j |G_ij P_j|                 what xi_i is added up from; at least a rounding of max |c|
//
//   ok        e_i + rounding v_i < atol + rtol min(v_i, v_max), or e_i = v_i = 0
//   inexact   e_i <= reject v_i, or <= negligible max |c|    the step advances, with this status
//   neither   no_solution                          the state stays;     v_max = cancellation * max |c|
//
//   sigma_N = 0 (constraint) iff s P_N - xi_N > margin,  sigma_T = 0 iff |s P_T - xi_T| < s mu P_N - margin  (SLG08
//   sec. 4), margin = sigma_margin * v_i: a tie within the noise of a converged solver counts as impressed.
//
// C is the half line, the interval or disc of radius mu max(P_N, 0), or of an element's own bound. A tangential row
// that cannot act (mu = 0 or a zero direction) must carry no percussion. Anything not finite is a violation.
//
// Difference from the paper: compared are velocities s P, never percussions, so that a violation cannot vanish in a
// percussion too small to be represented; and an overflow of v (which would excuse everything) makes e a NaN.
// v_max: percussions so large that xi is nothing but their rounding prove nothing (dependent contacts without a
// solution produce them). The least v_i, and negligible: friction without a load has v_i = e_i for all that an iteration leaves
// of it, however little that is. The strict comparison: velocities whose rounding errors underflow (below 1e-39 m/s in float)
// are not known well enough to be ok.
#pragma once

#include "moreau/contact/contact_problem.hpp"
#include "moreau/contact/laws.hpp"
#include "moreau/model/state.hpp"
#include "moreau/model/status.hpp"

namespace moreau {
namespace detail {

template <class Real, class Flow = Branching>
struct Verdict;

}  // namespace detail

// The thresholds, in one place. rtol: some hundred roundings of v, what Lemke's pivots and a converged prox iteration
// leave behind on well-posed problems; a solver that stopped early is one to six orders above it.
template <class Real>
struct Judge {
  Real atol = Real(0);                                              // m/s
  Real rtol = sizeof(Real) == 8 ? Real(1e-9) : Real(1e-5);          // of v_i
  Real reject = Real(0.1);                                          // of v_i
  Real cancellation = sizeof(Real) == 8 ? Real(1e3) : Real(1e2);    // v_max / max |c|: digits that may cancel in xi
  Real sigma_margin = sizeof(Real) == 8 ? Real(1e-8) : Real(1e-4);  // of v_i; above rtol, so that solvers agree

  // What evaluate() answers: residual (max e_i, m/s), relative (max e_i / v_i), exact (ok), passable (ok or inexact), status().
  using Verdict = detail::Verdict<Real>;

  static constexpr Real least_cancellation = Real(64);                             // steps of few contacts count on it
  static constexpr Real negligible = sizeof(Real) == 8 ? Real(1e-6) : Real(1e-4);  // of max |c|

  constexpr bool valid() const {
    return atol >= Real(0) && rtol > Real(0) && rtol < Real(1) && reject >= rtol && reject <= Real(1) &&
           sigma_margin >= Real(0) && sigma_margin < Real(1) && cancellation >= least_cancellation &&
           cancellation < Real(1e9) && atol < std::numeric_limits<Real>::infinity();
  }
};

// Discrete state of the laws of one problem, in the problem's order.
template <class Problem>
struct Sigmas {
  detail::Sigma<Problem::contacts> N, T;
  detail::Sigma<Problem::frictions> F;
};
// Another name of Sigmas.
template <class Problem>
using Modes = Sigmas<Problem>;

namespace detail {

// What the judge says of percussions.
template <class Real, class Flow>
struct Verdict {
  using Condition = typename Flow::Condition;
  Real residual = Real(0);                     // max e_i, m/s
  Real relative = Real(0);                     // max e_i / v_i
  Condition exact = Flow::condition(true);     // ok
  Condition passable = Flow::condition(true);  // ok or inexact
  Real c_max = Real(0);                        // m/s, max |c|
  Real sum = Real(0);                          // NaN where something is not finite, or no law can have it

  // One row, or the rows of one friction law; `law`: it is there.
  void evaluate(Condition law, Real e, Real v, const Judge<Real>& judge) {
    if (Flow::may_exit(!law)) return;
    e = select_or_zero<Flow>(law, e);
    v = select_or_zero<Flow>(law, v);
    sum += finite_probe(e + v);
    v = Flow::larger(epsilon<Real> * c_max, v);
    const Real v_max = judge.cancellation * c_max;
    const Real limit = judge.atol + judge.rtol * select<Flow>(Flow::less(v, v_max), v, v_max) - epsilon<Real> * v;
    exact = exact && (Flow::less(e, limit) || Flow::at_most(e + v, Real(0)));
    passable =
        passable && (Flow::at_most(e, judge.reject * v) || Flow::at_most(e, judge.atol + judge.negligible * c_max));
    residual = Flow::larger(residual, e);
    const Condition off = Flow::positive(e);
    if (Flow::may_exit(!off)) return;
    relative = Flow::larger(relative, e / select<Flow>(off, v, Real(1)));
  }

  // What is not finite fails every test, and shows.
  void conclude() {
    residual += sum;
    relative += sum;
    exact = exact && Flow::at_most(sum, Real(0));
    passable = passable && Flow::at_most(sum, Real(0));
  }

  Status status() const {
    static_assert(int(Status::ok) == 0 && int(Status::inexact) == 1 && int(Status::no_solution) == 2, "see below");
    return static_cast<Status>(Flow::as_bit(!passable) << 1 | Flow::as_bit(passable && !exact));
  }
};

// s P - proj_sC(s P - xi), in m/s: of the half line, up to its sign; of the interval of radius `limit` = s mu P_N
template <class C, class Real>
Real miss_N(Real carried, Real xi) {
  return absolute(C::smaller(xi, carried));
}
template <class C, class Real>
Real miss_T(Real carried, Real limit, Real xi) {
  return C::smaller(C::larger(xi, carried - limit), carried + limit);
}

// A sufficient test for `ok`, for steps of few contacts (at most four rows): the sum of e_i / v_i in place of each, the
// sum of all |c| in place of their largest one. What it does not refuse is ok; residual and relative, which are sums, are
// at least the judge's.
template <class C, class Real>
struct QuickVerdict {
  Real residual = Real(0), relative = Real(0);
  Real v = Real(0), c = Real(0);

  QuickVerdict() = default;
  QuickVerdict(Real e, Real v_i, Real c_i)  // of one row
      : residual(e), relative(e / (v_i + std::numeric_limits<Real>::min())), v(v_i), c(absolute(c_i)) {}
  friend QuickVerdict operator+(QuickVerdict a, const QuickVerdict& b) {
    a.residual += b.residual;
    a.relative += b.relative;
    a.v += b.v;
    a.c += b.c;
    return a;
  }
  // e + rounding v < rtol v, and < rtol v_max: v_max >= least_cancellation c / 4. Of that a fourth is allowed to e.
  // Thresholds that are out of range refuse everything.
  typename C::Condition refused(const Judge<Real>& judge) const {
    constexpr Real digits = Judge<Real>::least_cancellation / Real(16), rounding = epsilon<Real> / digits / Real(4);
    constexpr Real below_1 = Real(1) - epsilon<Real> / Real(2);
    const auto sane =
        C::condition(in_range<Branchless>(judge.rtol, below_1) && in_range<Branchless>(judge.sigma_margin, below_1));
    return !(sane && C::less(relative + epsilon<Real>, judge.rtol) &&
             C::at_most(residual + rounding * v, digits * (judge.rtol * c)));
  }
};

// sigma of a law that is there: 0 where it is a constraint. `margin`: the noise that a tie may be off by.
template <class C, class Real>
std::uint8_t sigma_N(typename C::Condition law, Real carried, Real xi, Real margin) {
  return static_cast<std::uint8_t>(1 - C::as_bit(law && C::less(margin, carried - xi)));
}
// distance = |s P_T - xi_T|, limit = s mu P_N
template <class C, class Real>
std::uint8_t sigma_T(typename C::Condition law, Real distance, Real limit, Real margin) {
  return static_cast<std::uint8_t>(1 - C::as_bit(law && C::less(distance, limit - margin)));
}

// One friction law: rows first..first+dim-1, a percussion of at most limit / s. `acts`: it has a radius and a direction
// to act in; rows that cannot act must not carry anything, s_idle is their scale. Returns its sigma.
template <class C, int dim, class Problem, class P, class Real>
std::uint8_t evaluate_friction(const Problem& problem, const P& percussions, int first, Real limit, Real s, Real s_idle,
                               typename C::Condition law, typename C::Condition acts, const Judge<Real>& judge,
                               Verdict<Real, C>& verdict) {
  using Rows = Vector<Real, dim>;
  Rows own, carried, xi;
  Real v = finite_probe(limit);
  for (int t = 0; t < dim; ++t) {
    own.coeffRef(t) = percussions.coeff(first + t);
    carried.coeffRef(t) = s * own.coeff(t);
    Real v_t;
    xi.coeffRef(t) = problem.xi(first + t, percussions, v_t);
    v += v_t;
  }
  const Rows x = carried - xi;
  const Real distance = length<C>(x);
  Rows miss = xi;  // s P - prox(s P - xi)
  if constexpr (dim == 1) {
    miss.coeffRef(0) = miss_T<C>(carried.coeff(0), limit, xi.coeff(0));
  } else {
    const auto inside = C::at_most(distance, limit);
    if (!C::may_exit(inside)) C::assign_if(!inside, miss, Rows(carried - prox_friction<C>(x, limit)));
  }
  verdict.evaluate(law, select<C>(acts, length<C>(miss), s_idle * length<C>(own)), v, judge);
  return sigma_T<C>(law && acts, distance, limit, judge.sigma_margin * v);
}

// law(i): contact i of the problem is there. All friction elements are.
template <class C, class Problem, class P, class Law, class Real, class S>
Verdict<Real, C> evaluate(const Problem& problem, const P& percussions, const Law& law, const Judge<Real>& judge,
                          S& sigmas) {
  const auto lawful = [](typename C::Condition holds, Verdict<Real, C>& of) {
    C::assign_if(!holds, of.sum, std::numeric_limits<Real>::quiet_NaN());
  };
  Verdict<Real, C> verdict;
  for (int r = 0; r < problem.rows(); ++r) verdict.c_max = C::larger(verdict.c_max, absolute(problem.c.coeff(r)));
  for (int i = 0; i < problem.k; ++i) {
    const int n = problem.row(i);
    const auto here = law(i);
    const Real s = contact_scale<C>(problem, i);
    Real v;
    const Real carried = s * percussions.coeff(n), xi = problem.xi(n, percussions, v);
    verdict.evaluate(here, miss_N<C>(carried, xi), v, judge);
    lawful(!here || C::positive(s), verdict);
    sigmas.N[std::size_t(i)] = sigma_N<C>(here, carried, xi, judge.sigma_margin * v);
    sigmas.T[std::size_t(i)] = 1;
    if constexpr (Problem::tangents > 0) {
      const Real mu = problem.mu.coeff(i), act = largest_diagonal<C, Problem::tangents>(problem, n + 1);
      // s (mu P_N), so that P_T = mu P_N is on the cone to the bit
      const Real limit = s * (mu * prox_nonnegative<C>(percussions.coeff(n)));
      lawful(C::at_most(Real(0), mu), verdict);
      sigmas.T[std::size_t(i)] = evaluate_friction<C, Problem::tangents>(
          problem, percussions, n + 1, limit, s, s, here, C::positive(mu) && C::positive(act), judge, verdict);
    }
  }
  if constexpr (Problem::frictions > 0) {
    constexpr int dim = Problem::friction_dim;
    for (int j = 0; j < problem.elements; ++j) {
      const int r = problem.friction_row(j);
      const Real bound = problem.bound.coeff(j), s = largest_diagonal<C, dim>(problem, r);
      lawful(C::at_most(Real(0), bound), verdict);
      sigmas.F[std::size_t(j)] =
          evaluate_friction<C, dim>(problem, percussions, r, Real(s * bound), s, Real(1), C::condition(true),
                                    C::positive(bound) && C::positive(s), judge, verdict);
    }
  }
  verdict.conclude();
  return verdict;
}

}  // namespace detail

// The judge: xi = G P + c against the laws, row by row, and the sigma of every law.
template <class Problem, class P>
typename Judge<typename Problem::Real>::Verdict evaluate(const Problem& problem, const P& percussions,
                                                         const Judge<typename Problem::Real>& judge,
                                                         Sigmas<Problem>& sigmas) {
  return detail::evaluate<detail::Branching>(
      problem, percussions, [](int) { return true; }, judge, sigmas);
}

}  // namespace moreau
