// Acceptance test of percussions, and discrete state of the contacts.
//
//   e_i = |s_i P_i - prox_sC(s_i P_i - xi_i)|      violation in m/s (SLG08 eq. 19); s_i is the scale of the contact
//       = |min(s_i P_i, xi_i)|                     the form for unilateral contacts
//   v_i = |c_i| + sum_j |G_ij P_j|                 scale of xi_i, at least epsilon max |c|
//
//   ok            e_i + epsilon v_i < atol + rtol min(v_i, v_max),   or e_i = v_i = 0
//   inexact       e_i <= reject v_i,   or e_i <= atol + negligible max |c|
//   no_solution   otherwise
//
//   v_max = cancellation * max |c|,   epsilon: machine epsilon of Real
//
//   sigma_N = 0 (constraint)   iff  s P_N - xi_N > margin                (SLG08 section 4)
//   sigma_T = 0 (constraint)   iff  |s P_T - xi_T| < s mu P_N - margin
//   margin = sigma_margin * v_i
//
// C is [0, inf) for a normal law. For a friction law, C is an interval or disc of radius mu max(P_N, 0); for a friction
// element, the radius is the bound of the element. If mu or a tangential direction is 0, the percussion of its row must
// be 0. Non-finite values are violations. A step advances if its status is ok or inexact; otherwise the state is
// unchanged.
//
// Departures from the paper:
//
//   - The test compares velocities s P, because a violation measured as a percussion can underflow.
//   - The form min(s P, xi) preserves a small xi beside a large s P.
//   - If v_i overflows, the residual is NaN and the test fails. An infinite scale would accept every violation.
//   - v_max limits the scale. Problems with linearly dependent directions and without a solution can produce
//     percussions so large that rounding errors dominate xi.
//   - A friction row without normal load and with c_i = 0 has the solution P_i = 0. An iterative solver leaves a small
//     P_i, for which e_i and v_i are of equal size, however small P_i is. The lower limit of v_i and `negligible`
//     accept these violations.
//   - The comparison for ok is strict. Below 1e-39 m/s in float, rounding errors underflow and the test is meaningless.
//   - sigma has a margin above the error of a converged solver. A difference within this margin gives sigma = 1
//     (impressed percussion).
//
// The test is independent of the solver.
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

// Thresholds of the acceptance test. A step that uses a threshold out of range fails with Cause::judge.
template <class Real>
struct Judge {
  // Absolute tolerance of ok, in m/s. Finite and not negative. Default 0: the test is relative only.
  Real atol = Real(0);

  // Relative tolerance of ok, as a fraction of v_i. 0 < rtol < 1. Default 1e-9, in float 1e-5. On well-posed problems,
  // the errors of Lemke's method and of a converged prox iteration are below the default. An iteration that stops early
  // leaves relative errors of 1e-5 or more.
  Real rtol = sizeof(Real) == 8 ? Real(1e-9) : Real(1e-5);

  // Relative tolerance of inexact, as a fraction of v_i. rtol <= reject <= 1. Default 0.1.
  Real reject = Real(0.1);

  // Ratio v_max / max |c|, the cancellation allowed in xi. 64 <= cancellation < 1e9. Default 1e3, in float 1e2.
  Real cancellation = sizeof(Real) == 8 ? Real(1e3) : Real(1e2);

  // Margin of the discrete state, as a fraction of v_i. 0 <= sigma_margin < 1. Default 1e-8, in float 1e-4. The default
  // is ten times rtol, so that all solvers return the same sigma.
  Real sigma_margin = sizeof(Real) == 8 ? Real(1e-8) : Real(1e-4);

  // Result of evaluate(): residual (max e_i, m/s), relative (max e_i / v_i), exact (ok), passable (ok or inexact) and
  // status().
  using Verdict = detail::Verdict<Real>;

  static constexpr Real least_cancellation = Real(64);  // lower limit of cancellation; QuickVerdict relies on it
  static constexpr Real negligible = sizeof(Real) == 8 ? Real(1e-6) : Real(1e-4);  // fraction of max |c|, see above

  // Returns true if all thresholds are in their ranges.
  constexpr bool valid() const {
    return atol >= Real(0) && rtol > Real(0) && rtol < Real(1) && reject >= rtol && reject <= Real(1) &&
           sigma_margin >= Real(0) && sigma_margin < Real(1) && cancellation >= least_cancellation &&
           cancellation < Real(1e9) && atol < std::numeric_limits<Real>::infinity();
  }
};

// Discrete state of one problem, in the order of its contacts and friction elements: 0 constraint, 1 impressed.
template <class Problem>
struct Sigmas {
  detail::Sigma<Problem::contacts> N, T;
  detail::Sigma<Problem::frictions> F;
};
// Alternative name of Sigmas.
template <class Problem>
using Modes = Sigmas<Problem>;

namespace detail {

// Result of the acceptance test.
template <class Real, class Flow>
struct Verdict {
  using Condition = typename Flow::Condition;
  Real residual = Real(0);                     // max e_i, m/s
  Real relative = Real(0);                     // max e_i / v_i
  Condition exact = Flow::condition(true);     // ok
  Condition passable = Flow::condition(true);  // ok or inexact
  Real c_max = Real(0);                        // m/s, max |c|
  Real sum = Real(0);                          // NaN if a value is non-finite or a law parameter is out of range

  // Adds the violation of one unilateral or friction law. if (!law) return; `law` is false for an open contact.
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
    const Condition violated = Flow::positive(e);
    if (Flow::may_exit(!violated)) return;
    relative = Flow::larger(relative, e / select<Flow>(violated, v, Real(1)));
  }

  // Completes the result. Non-finite values fail every test and propagate into the residual.
  void conclude() {
    residual += sum;
    relative += sum;
    exact = exact && Flow::at_most(sum, Real(0));
    passable = passable && Flow::at_most(sum, Real(0));
  }

  // Returns !passable ? no_solution : !exact ? inexact : ok.
  Status status() const {
    static_assert(int(Status::ok) == 0 && int(Status::inexact) == 1 && int(Status::no_solution) == 2,
                  "status() relies on these values");
    return static_cast<Status>(Flow::as_bit(!passable) << 1 | Flow::as_bit(passable && !exact));
  }
};

// Returns |s P - prox_sC(s P - xi)| for C = [0, inf), in m/s. `carried` = s P.
template <class C, class Real>
Real miss_N(Real carried, Real xi) {
  return absolute(C::smaller(xi, carried));
}
// Returns s P - prox_sC(s P - xi) for planar friction, in m/s. `limit` = s mu P_N.
template <class C, class Real>
Real miss_T(Real carried, Real limit, Real xi) {
  return C::smaller(C::larger(xi, carried - limit), carried + limit);
}

// Sufficient condition for ok with at most n rows, for the direct solution (step/direct_contacts.hpp, n = 4) and for
// nested elimination (solve/nested_solution.hpp):
//
//   sum e_i / v_i + (n + 1) epsilon < rtol
//   sum e_i + n / 4 epsilon sum v_i <= (1 - 4 n epsilon) (least_cancellation / n) rtol sum |c_i|
//
// Rows that it accepts are ok for every valid Judge, because max |c| is at least 1 / n of the sum, and atol >= 0. The
// factors of epsilon cover the rounding errors of both tests. The order of the n + 1 terms of xi can differ, so xi can
// differ by n epsilon v. A sum over n rows has a relative error of at most n epsilon / 2. The implication holds if max
// |c| is 0 or above 4 x_min / epsilon^2, where x_min is the smallest normal number. In float, this limit is 3e-24 m/s.
// residual and relative are sums, and thus upper bounds of the values in Verdict.
template <class C, class Real>
struct QuickVerdict {
  Real residual = Real(0), relative = Real(0);
  Real v = Real(0), c = Real(0);

  QuickVerdict() = default;
  QuickVerdict(Real e, Real v_i, Real c_i)  // one row
      : residual(e), relative(e / (v_i + std::numeric_limits<Real>::min())), v(v_i), c(absolute(c_i)) {}
  friend QuickVerdict operator+(QuickVerdict a, const QuickVerdict& b) {
    a.residual += b.residual;
    a.relative += b.relative;
    a.v += b.v;
    a.c += b.c;
    return a;
  }
  // Returns true if a condition is violated, or if rtol or sigma_margin is out of range.
  template <int n = 4>
  typename C::Condition rejected(const Judge<Real>& judge) const {
    constexpr Real within = Judge<Real>::least_cancellation / Real(n) * (Real(1) - Real(4 * n) * epsilon<Real>);
    constexpr Real below_1 = Real(1) - epsilon<Real> / Real(2);
    const auto sane =
        C::condition(in_range<Branchless>(judge.rtol, below_1) && in_range<Branchless>(judge.sigma_margin, below_1));
    return !(sane && C::less(relative + Real(n + 1) * epsilon<Real>, judge.rtol) &&
             C::at_most(residual + Real(n) / Real(4) * epsilon<Real> * v, within * (judge.rtol * c)));
  }
};

// Returns law && carried - xi > margin ? 0 : 1, with `carried` = s P_N. `law` is false for an open contact.
template <class C, class Real>
std::uint8_t sigma_N(typename C::Condition law, Real carried, Real xi, Real margin) {
  return static_cast<std::uint8_t>(1 - C::as_bit(law && C::less(margin, carried - xi)));
}
// Returns law && distance < limit - margin ? 0 : 1, with distance = |s P_T - xi_T| and limit = s mu P_N.
template <class C, class Real>
std::uint8_t sigma_T(typename C::Condition law, Real distance, Real limit, Real margin) {
  return static_cast<std::uint8_t>(1 - C::as_bit(law && C::less(distance, limit - margin)));
}

// Evaluates one friction law in the rows first..first+dim-1. Its percussion is at most limit / s. Returns its sigma.
//
// `acts` is true if radius and direction are nonzero. Otherwise the percussion must be 0, and s_idle is its scale.
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
  // e = acts ? |miss| : s_idle |P|
  verdict.evaluate(law, select<C>(acts, length<C>(miss), s_idle * length<C>(own)), v, judge);
  return sigma_T<C>(law && acts, distance, limit, judge.sigma_margin * v);
}

// Evaluates all contact laws. law(i) is false if contact i of the problem is open; friction elements are always
// present.
template <class C, class Problem, class P, class Law, class Real, class S>
Verdict<Real, C> evaluate(const Problem& problem, const P& percussions, const Law& law, const Judge<Real>& judge,
                          S& sigmas) {
  const auto lawful = [](typename C::Condition holds, Verdict<Real, C>& of) {
    C::assign_if(!holds, of.sum, std::numeric_limits<Real>::quiet_NaN());
  };
  Verdict<Real, C> verdict;
  for (int r = 0; r < problem.rows(); ++r) verdict.c_max = C::larger(verdict.c_max, absolute(problem.c.coeff(r)));

  // Evaluate contact laws.
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
      // The evaluation order s (mu P_N) puts P_T = mu P_N exactly on the boundary of the cone.
      const Real limit = s * (mu * prox_nonnegative<C>(percussions.coeff(n)));
      lawful(C::at_most(Real(0), mu), verdict);
      sigmas.T[std::size_t(i)] = evaluate_friction<C, Problem::tangents>(
          problem, percussions, n + 1, limit, s, s, here, C::positive(mu) && C::positive(act), judge, verdict);
    }
  }

  // Evaluate friction elements.
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

// Tests percussions against all contact laws, with xi = G P + c, and sets the sigma of every law.
template <class Problem, class P>
MOREAU_FLATTEN typename Judge<typename Problem::Real>::Verdict evaluate(const Problem& problem, const P& percussions,
                                                                        const Judge<typename Problem::Real>& judge,
                                                                        Sigmas<Problem>& sigmas) {
  return detail::evaluate<detail::Branching>(
      problem, percussions, [](int) { return true; }, judge, sigmas);
}

}  // namespace moreau
