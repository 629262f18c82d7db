// Semismooth Newton method on the prox equations, started by prox sweeps (sweeps.hpp), for strongly coupled spatial
// contacts. Sweeps alone converge slowly for such contacts, but a few sweeps determine the modes (open, stick, slip).
//
//   F(P) = P - prox_C(x) = 0,   x = P - xi / s   for every law with scale s;   F' = I - A (I - G / s),   A = prox_C'(x)
//
//   open    A = 0,  F_N = P_N       closed  A = 1,  F_N = xi_N / s       (closed if s P_N > xi_N)
//   stick   A = I,  F_T = xi_T / s  slip    A = (R / |x|) (I - d d^T),  F_T = P_T - R d,  d = x / |x|,  R = mu P_N
//
// A contact sticks if |x| < R. If it slips, the derivative of F_T with respect to P_N is -mu d. F is linear in each
// mode except slip.
//
// With more rows than coordinates F' is singular. A small diagonal term regularises linearly dependent rows:
// newton_regularisation in the first round, and at least the relative violation of P in the others. If c is not in the
// range of the rows, as for a disc whose points rest on a face, no solution has all these contacts closed or sticking.
// With a smaller term, a step moves P by many times its size along the null space, and the modes repeat in a cycle.
// With a term as large as the violation, a step has the size of P, and the convergence remains quadratic.
//
// Each round consists of sweeps and up to newton_steps Newton steps, starting from the best percussions so far. The
// number of sweeps doubles with each round. The acceptance test ranks the results and ends the iteration. The number of
// rounds is bounded by `rounds`. The matrix contains all rows of the problem. Friction elements are treated like the
// friction laws of contacts.
//
// In constant time (step/masked_contacts.hpp) masks replace all branches. All rounds run with all sweeps and steps.
// Pivoting applies one masked exchange for each row below the pivot row. `rounds` then determines the cost of a step.
// If `rounds` is too small, the step is inexact or returns no_solution.
#pragma once

#include "moreau/solve/psor.hpp"

namespace moreau {

// Options of Newton's method.
struct Newton {
  int sweeps = 8;  // sweeps of the first round, 1 to 1000; doubled in each further round
  int rounds = 6;  // upper limit of rounds, 1 to 10; in constant time the number of rounds

  static constexpr float omega = 1.0f;  // relaxation of the sweeps

  constexpr bool valid() const { return sweeps >= 1 && sweeps <= 1000 && rounds >= 1 && rounds <= 10; }
};

template <class Problem>
struct Workspace<Newton, Problem> {
  using Real = typename Problem::Real;
  static constexpr int fallbacks = 0;
  Sigmas<Problem> modes{};
  typename Problem::Percussions candidate;
  Matrix<Real, Problem::capacity, Problem::capacity> J;  // transposed: a row is contiguous in memory
  Vector<Real, Problem::capacity> F;
};

namespace detail {

constexpr int newton_steps = 8;  // upper limit per round

// Least regularisation of linearly dependent rows: above rounding error, below the acceptance tolerance.
template <class Real>
constexpr Real newton_regularisation = sizeof(Real) == 8 ? Real(1e-9) : Real(1e-5);

// One Newton step. Problem: ContactProblem, or FullProblem with all contacts of the model.
template <class C, class Problem, class Work>
class NewtonStep {
 public:
  using Real = typename Problem::Real;
  using Percussions = typename Problem::Percussions;
  using Condition = typename C::Condition;
  NewtonStep(const Problem& problem, Work& work) : problem_(problem), work_(work) {}

  // Moves P by one Newton step. Returns false and leaves P unchanged if the equations are singular.
  Condition move(Percussions& P, Real regularisation = newton_regularisation<Real>) {
    regularisation_ = regularisation;
    constexpr int tangents = Problem::tangents, dim = Problem::friction_dim;
    for (int i = 0; i < problem_.k; ++i) {
      const int n = problem_.row(i);
      const Real s = contact_scale<C>(problem_, i), per_s = divide_or_zero<C>(Real(1), s);
      const Real own = P.coeff(n), xi = problem_.xi(n, P);
      const Condition closed = C::less(xi, s * own);
      const Real A = select_or_zero<C>(closed, Real(1));
      differentiate<1>(n, per_s, Matrix<Real, 1, 1>(A), closed);
      work_.F.coeffRef(n) = -select<C>(closed, per_s * xi, own);
      if constexpr (tangents > 0)
        friction<tangents>(n + 1, P, per_s, problem_.mu.coeff(i) * select_or_zero<C>(closed, prox_nonnegative<C>(own)),
                           n, select_or_zero<C>(closed, problem_.mu.coeff(i)));
    }
    if constexpr (Problem::frictions > 0)
      for (int j = 0; j < problem_.elements; ++j) {
        const int first = problem_.friction_row(j);
        const Real per_s = divide_or_zero<C>(Real(1), largest_diagonal<C, dim>(problem_, first));
        friction<dim>(first, P, per_s, problem_.bound.coeff(j), first, Real(0));
      }
    return solve(P);
  }

 private:
  // Sets the rows of one law in F'. `holds` is true if A = I.
  template <int dim>
  void differentiate(int first, Real per_s, const Matrix<Real, dim, dim>& A, Condition holds) {
    for (int t = 0; t < dim; ++t) {
      Real* const row = row_of(first + t);
      for (int j = 0; j < problem_.rows(); ++j) {
        Real sum = Real(0);
        for (int u = 0; u < dim; ++u) sum += A.coeff(t, u) * problem_.G.coeff(first + u, j);
        row[j] = per_s * sum;
      }
      for (int u = 0; u < dim; ++u) row[first + u] += Real(t == u) - A.coeff(t, u);
      row[first + t] += select_or_zero<C>(holds, regularisation_);
    }
  }

  // Sets the rows of one friction law in F' and F. `limit` is the radius of the disc, mu times the percussion of row
  // `normal`.
  template <int dim>
  void friction(int first, const Percussions& P, Real per_s, Real limit, int normal, Real mu) {
    Vector<Real, dim> offset, x, d;
    for (int t = 0; t < dim; ++t) {
      offset.coeffRef(t) = per_s * problem_.xi(first + t, P);
      x.coeffRef(t) = P.coeff(first + t) - offset.coeff(t);
    }
    const Real size = length<C>(x);
    const Condition sticks = C::less(size, limit);
    const Real size_or_1 = select<C>(C::positive(size), size, Real(1)), ratio = limit / size_or_1;
    for (int t = 0; t < dim; ++t) d.coeffRef(t) = x.coeff(t) / size_or_1;
    Matrix<Real, dim, dim> A;
    for (int t = 0; t < dim; ++t)
      for (int u = 0; u < dim; ++u) {
        const Real same = Real(t == u);
        A.coeffRef(t, u) = select<C>(sticks, same, ratio * (same - d.coeff(t) * d.coeff(u)));
      }
    differentiate<dim>(first, per_s, A, sticks);
    for (int t = 0; t < dim; ++t) {
      row_of(first + t)[normal] -= select_or_zero<C>(!sticks, mu * d.coeff(t));
      work_.F.coeffRef(first + t) = -select<C>(sticks, offset.coeff(t), P.coeff(first + t) - limit * d.coeff(t));
    }
  }

  // Solves F' dP = -F by Gaussian elimination with row pivoting, and adds dP to P.
  Condition solve(Percussions& P) {
    const int n = problem_.rows();
    Vector<Real, Problem::capacity>& F = work_.F;
    Condition regular = C::condition(true);
    for (int j = 0; j < n; ++j) {
      bring_largest(j);
      Real* const pivots = row_of(j);
      regular = regular && C::less(std::numeric_limits<Real>::min(), absolute(pivots[j]));
      if (C::may_exit(!regular)) return regular;
      const Real inverse = Real(1) / select<C>(regular, pivots[j], Real(1));
      for (int i = j + 1; i < n; ++i) {
        Real* const row = row_of(i);
        const Real f = row[j] * inverse;
        if (C::may_exit(C::condition(f == Real(0)))) continue;
        for (int l = j + 1; l < n; ++l) row[l] -= f * pivots[l];
        F.coeffRef(i) -= f * F.coeff(j);
      }
      pivots[j] = inverse;
    }
    for (int j = n - 1; j >= 0; --j) {
      const Real* const row = row_of(j);
      Real sum = F.coeff(j);
      for (int l = j + 1; l < n; ++l) sum -= row[l] * F.coeff(l);
      F.coeffRef(j) = sum * row[j];
    }
    for (int j = 0; j < n; ++j) P.coeffRef(j) += select_or_zero<C>(regular, F.coeff(j));
    return regular;
  }

  // Exchanges row j with the row, at or below it, that has the largest entry in column j.
  void bring_largest(int j) {
    const int n = problem_.rows();
    std::uint32_t largest = std::uint32_t(j);
    Real most = absolute(row_of(j)[j]);
    for (int i = j + 1; i < n; ++i) {
      const Real size = absolute(row_of(i)[j]);
      const Condition larger = C::less(most, size);
      C::assign_if(larger, largest, std::uint32_t(i));
      C::assign_if(larger, most, size);
    }
    if constexpr (C::branchless) {
      for (int i = j + 1; i < n; ++i) exchange(Mask{std::int32_t(largest ^ std::uint32_t(i)) - 1}, i, j);
    } else if (int(largest) != j) {
      exchange(true, int(largest), j);
    }
  }
  void exchange(Condition c, int i, int j) {
    Real *const a = row_of(i), *const b = row_of(j);
    for (int l = j; l < problem_.rows(); ++l) C::assign_if(c, a[l], Real(b[l]), b[l], Real(a[l]));
    Real &x = work_.F.coeffRef(i), &y = work_.F.coeffRef(j);
    C::assign_if(c, x, Real(y), y, Real(x));
  }

  Real* row_of(int r) { return &work_.J.coeffRef(0, r); }

  const Problem& problem_;
  Work& work_;
  Real regularisation_ = newton_regularisation<Real>;
};

constexpr Newton in_constant_time(const Newton& options) { return options; }

// Runs the rounds from P and stores the best result in P. law(i) is true if contact i of the problem is active.
template <class C, class Problem, class Work, class Law>
int sweep_and_step(const Problem& problem, const Newton& options, const Law& law,
                   const Judge<typename Problem::Real>& judge, Work& work, typename Problem::Percussions& P) {
  using Real = typename Problem::Real;
  NewtonStep<C, Problem, Work> newton(problem, work);
  Real best = std::numeric_limits<Real>::max();  // violation of P
  int iterations = 0, sweeps = options.sweeps;
  for (int round = 0; round < options.rounds; ++round, sweeps *= 2) {
    work.candidate = P;
    for (int n = 0; n < sweeps; ++n) {
      ++iterations;
      const Real change = sweep<C, !C::branchless>(problem, Real(options.omega), work.candidate, work.candidate);
      if (C::may_exit(!C::less(Real(2) * epsilon<Real>, change))) break;
    }
    for (int n = 0;; ++n) {
      const auto verdict = evaluate<C>(problem, work.candidate, law, judge, work.modes);
      // Take at least one Newton step. Sweeps end at the acceptance tolerance, Newton's method at rounding error.
      const auto ends = verdict.exact && C::condition(n > 0);
      const Real violation = select<C>(ends, Real(0), verdict.relative);
      const auto better = C::finite(verdict.relative) && C::less(violation, best);
      C::assign_if(better, P, work.candidate);
      C::assign_if(better, best, violation);
      if (C::may_exit(ends)) return iterations;
      if (n == newton_steps) break;
      ++iterations;
      const Real regularisation = round == 0
                                      ? newton_regularisation<Real>
                                      : C::larger(newton_regularisation<Real>, C::smaller(Real(1), verdict.relative));
      if (C::may_exit(!newton.move(work.candidate, regularisation))) break;
    }
  }
  return iterations;
}

}  // namespace detail

template <class Problem>
int solve(const Problem& problem, const Newton& options, Workspace<Newton, Problem>& work,
          typename Problem::Percussions& P, const Judge<typename Problem::Real>& judge = {}) {
  detail::clear_idle_rows(problem, P);
  return detail::sweep_and_step<detail::Branching>(
      problem, options, [](int) { return true; }, judge, work, P);
}

}  // namespace moreau
