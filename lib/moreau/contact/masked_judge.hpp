// The judge (judge.hpp) over all laws of a problem, the absent ones masked: its verdict and its sigma, to the bit, at a
// cost that does not depend on the data. A number that is not finite is not weighed but reported in `sum`.
#pragma once

#include "moreau/contact/judge.hpp"
#include "moreau/contact/masked_laws.hpp"

namespace moreau {

template <class Real>
struct MaskedJudgement {
  Real residual = Real(0), relative = Real(0), v_max = Real(0), sum = Real(0);
  Mask inexact = 0, rejected = 0;

  [[gnu::always_inline]] void weigh(Mask law, Real e, Real v, const Judge<Real>& judge) {
    e = only_if(law, e);
    v = only_if(law, v);
    sum += e + v;
    const Real limit = judge.atol + judge.rtol * choose(less(v, v_max), v, v_max) - rounding<Real> * v;
    inexact |= law & ~less(e, limit) & positive(e + v);
    rejected |= law & less(judge.reject * v, e) & less(judge.atol, e);
    residual = masked_larger(residual, e);
    relative = masked_larger(relative, e / choose(positive(e), v, Real(1)));
  }
  Status status() const {
    static_assert(int(Status::ok) == 0 && int(Status::inexact) == 1 && int(Status::no_solution) == 2, "see below");
    return static_cast<Status>(((rejected >> 31) & 2) | ((inexact >> 31) & ~(rejected >> 31) & 1));
  }
};

// The rows of a problem whose counts are its capacities: xi and what it was added up from.
template <class Problem>
[[gnu::always_inline]] inline typename Problem::Real xi_of_all(const Problem& problem, int r,
                                                               const typename Problem::Percussions& P) {
  typename Problem::Real sum = problem.c.coeff(r);
  for_each_index<Problem::capacity>([&](auto s) { sum += problem.G.coeff(r, s) * P.coeff(s); });
  return sum;
}
template <class Problem>
[[gnu::always_inline]] inline typename Problem::Real magnitude_of_all(const Problem& problem, int r,
                                                                      const typename Problem::Percussions& P) {
  typename Problem::Real sum = magnitude(problem.c.coeff(r));
  for_each_index<Problem::capacity>([&](auto s) { sum += magnitude(problem.G.coeff(r, s) * P.coeff(s)); });
  return sum;
}

namespace detail {

// 0 where the condition holds, 1 elsewhere.
[[gnu::always_inline]] inline std::uint8_t sigma_unless(Mask constraint) {
  return static_cast<std::uint8_t>(1 + (constraint >> 31));
}

// One friction law; `law`: it is there, `acts`: it has a radius and a direction to act in. s_idle: the scale of rows
// that cannot act.
template <int dim, class Problem>
std::uint8_t masked_weigh_friction(const Problem& problem, const typename Problem::Percussions& P, int first,
                                   typename Problem::Real limit, typename Problem::Real s,
                                   typename Problem::Real s_idle, Mask law, Mask acts,
                                   const Judge<typename Problem::Real>& judge,
                                   MaskedJudgement<typename Problem::Real>& judgement) {
  using Real = typename Problem::Real;
  using Pair = Vector<Real, dim>;
  Pair carried, xi;
  Real v = Real(0);
  for (int t = 0; t < dim; ++t) {
    carried.coeffRef(t) = s * P.coeff(first + t);
    xi.coeffRef(t) = xi_of_all(problem, first + t, P);
    const Real v_t = magnitude_of_all(problem, first + t, P);
    v += v_t;
    judgement.weigh(law & ~acts, s_idle * magnitude(P.coeff(first + t)), v_t, judge);
  }
  const Pair x = carried - xi;
  const Real distance = length<Select>(x);
  Real e;
  if constexpr (dim == 1) {
    const Real low = carried.coeff(0) - limit, high = carried.coeff(0) + limit, value = xi.coeff(0);
    e = magnitude(moreau::choose(less(value, low), low, moreau::choose(less(high, value), high, value)));
  } else {
    const Mask inside = ~less(limit, distance);
    e = length<Select>(moreau::choose(inside, xi, Pair(carried - prox_friction<Select>(x, limit))));
  }
  judgement.weigh(law & acts, e, v, judge);
  return sigma_unless(law & acts & less(distance, limit - judge.sigma_margin * v));
}

}  // namespace detail

// closed: which contacts are there. All friction elements are.
template <class Problem>
MaskedJudgement<typename Problem::Real> masked_weigh_all(const Problem& problem, const typename Problem::Percussions& P,
                                                         const Mask* closed, const Judge<typename Problem::Real>& judge,
                                                         Modes<Problem>& modes) {
  using Real = typename Problem::Real;
  MaskedJudgement<Real> judgement;
  for (int r = 0; r < Problem::capacity; ++r)
    judgement.v_max = masked_larger(judgement.v_max, magnitude(problem.c.coeff(r)));
  judgement.v_max *= judge.cancellation;
  for (int i = 0; i < Problem::contacts; ++i) {
    const int n = problem.row(i);
    Real s = problem.diagonal(n), act = Real(0);
    for (int t = 1; t <= Problem::tangents; ++t) {
      s = masked_larger(s, problem.diagonal(n + t));
      act = masked_larger(act, problem.diagonal(n + t));
    }
    const Real carried = s * P.coeff(n), xi = xi_of_all(problem, n, P), v = magnitude_of_all(problem, n, P);
    judgement.weigh(closed[i], magnitude(moreau::choose(less(carried, xi), carried, xi)), v, judge);
    modes.N[std::size_t(i)] = detail::sigma_unless(closed[i] & less(judge.sigma_margin * v, carried - xi));
    modes.T[std::size_t(i)] = 1;
    if constexpr (Problem::tangents > 0) {
      const Real mu = problem.mu.coeff(i), limit = mu * prox_nonnegative<detail::Select>(carried);
      modes.T[std::size_t(i)] = detail::masked_weigh_friction<Problem::tangents>(
          problem, P, n + 1, limit, s, s, closed[i], positive(mu) & positive(act), judge, judgement);
    }
  }
  for (int j = 0; j < Problem::frictions; ++j) {
    constexpr int dim = Problem::friction_dim;
    const int r = Problem::contacts * Problem::per_contact + j * dim;
    Real s = problem.diagonal(r);
    for (int t = 1; t < dim; ++t) s = masked_larger(s, problem.diagonal(r + t));
    const Real bound = problem.bound.coeff(j);
    modes.F[std::size_t(j)] = detail::masked_weigh_friction<dim>(problem, P, r, s * bound, s, Real(1), Mask(-1),
                                                                 positive(bound) & positive(s), judge, judgement);
  }
  return judgement;
}

}  // namespace moreau
