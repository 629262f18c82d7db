// Transfer of percussions between the state and the contact problem, and the velocity at the end of the step.
//
//   warm_start   P <- percussions of the previous step
//   push         u_E = u_free + M^-1 W P
//   store        percussions and sigma of this step -> state
//
// `set` is an ActiveSet or MaskedSet (contact/active_set.hpp). In the state, contacts outside the set have percussion 0
// and sigma = 1 (impressed force, SLG08 section 4).
#pragma once

#include "moreau/contact/judge.hpp"
#include "moreau/math/branching.hpp"
#include "moreau/math/cholesky.hpp"
#include "moreau/model/state.hpp"

namespace moreau {
namespace detail {

// Sets P to the percussions of the previous step. P_r starts from 0 if the previous percussion is non-finite or
// G_rr = 0, or if the contact is absent.
template <class Flow, class Model, class Problem, class Set>
void warm_start(const State<Model>& state, const Problem& problem, const Set& set, typename Problem::Percussions& P) {
  using Real = typename Problem::Real;
  const auto start = [&](typename Flow::Condition present, int r, Real x) {
    P.coeffRef(r) = select_or_zero<Flow>(present && Flow::finite(x) && Flow::positive(problem.diagonal(r)), x);
  };
  for (int i = 0; i < problem.k; ++i) {
    const int n = problem.row(i), id = set.id(i);
    start(set.present(i), n, state.P_N.coeff(id));
    for (int t = 0; t < Problem::tangents; ++t) start(set.present(i), n + 1 + t, state.P_T.coeff(t, id));
  }
  for (int j = 0; j < problem.elements; ++j)
    for (int t = 0; t < Problem::friction_dim; ++t)
      start(Flow::condition(true), problem.friction_row(j) + t, state.P_F.coeff(t, j));
}

// The same for contacts in slots (contact/contact_slots.hpp).
template <class Model, class Problem, class Slots>
void warm_start_slots(const State<Model>& state, const Problem& problem, const Slots& slots,
                      typename Problem::Percussions& P) {
  using Real = typename Problem::Real;
  const auto start = [&](int r, Real x) {
    P.coeffRef(r) = select_or_zero<Branchless>(Branchless::finite(x) && Branchless::positive(problem.diagonal(r)), x);
  };
  for (int s = 0; s < slots.k; ++s) {
    start(problem.row(s), slots.of(s, [&](int i) { return state.P_N.coeff(i); }));
    for (int t = 0; t < Problem::tangents; ++t)
      start(problem.row(s) + 1 + t, slots.of(s, [&](int i) { return state.P_T.coeff(t, i); }));
  }
  for (int j = 0; j < problem.elements; ++j)
    for (int t = 0; t < Problem::friction_dim; ++t) start(problem.friction_row(j) + t, state.P_F.coeff(t, j));
}

// Sets all contact percussions to 0 and all sigma of contacts to 1.
template <class Model>
MOREAU_ALWAYS_INLINE void clear_contacts(State<Model>& state) {
  using Real = typename Traits<Model>::Real;
  for_each_index<Traits<Model>::contacts>([&](auto id) {
    state.P_N.coeffRef(id) = Real(0);
    for (int t = 0; t < Traits<Model>::tangents; ++t) state.P_T.coeffRef(t, id) = Real(0);
  });
  for_each_index<Traits<Model>::contacts>(
      [&](auto id) { state.sigma_N[std::size_t(id)] = state.sigma_T[std::size_t(id)] = 1; });
}

// Stores percussions and sigma in the state if `advance` is true.
template <class Flow, class Model, class Problem, class Set>
void store(typename Flow::Condition advance, const Problem& problem, const Set& set,
           const typename Problem::Percussions& P, const Sigmas<Problem>& sigmas, State<Model>& state) {
  if (!Flow::branchless) clear_contacts(state);
  for (int i = 0; i < problem.k; ++i) {
    const int n = problem.row(i), id = set.id(i);
    Flow::assign_if(advance, state.P_N.coeffRef(id), P.coeff(n));
    for (int t = 0; t < Problem::tangents; ++t) Flow::assign_if(advance, state.P_T.coeffRef(t, id), P.coeff(n + 1 + t));
    Flow::assign_if(advance, state.sigma_N[std::size_t(id)], sigmas.N[std::size_t(i)]);
    Flow::assign_if(advance, state.sigma_T[std::size_t(id)], sigmas.T[std::size_t(i)]);
  }
  for (int j = 0; j < problem.elements; ++j) {
    for (int t = 0; t < Problem::friction_dim; ++t)
      Flow::assign_if(advance, state.P_F.coeffRef(t, j), P.coeff(problem.friction_row(j) + t));
    Flow::assign_if(advance, state.sigma_F[std::size_t(j)], sigmas.F[std::size_t(j)]);
  }
}

// Stores q, u, time and joint percussions of the direct solution.
template <class Model, class Real, class Q, class P_joints>
MOREAU_ALWAYS_INLINE void store_motion(const Time<Real>& time_E, const Q& q_E, const Q& u_E, const P_joints& P_B,
                                       State<Model>& state) {
  state.q = q_E;
  state.u = u_E;
  state.clock.t0 = time_E.t0;  // assigning the whole clock would copy it through the stack
  state.clock.dt = time_E.dt;
  state.clock.n = time_E.n;
  for_each_index<Traits<Model>::bilaterals>([&](auto j) { state.P_B.coeffRef(j) = P_B.coeff(j) + Real(0); });  // no -0
}

// Adds M^-1 W P to u_E, and sets components that consist of rounding errors to 0. For every row, each(add) calls
// add(percussion, column of M^-1 W, entries of the column that can differ from 0).
template <class Flow, class Real, int dof, class Each>
MOREAU_ALWAYS_INLINE void push(Vector<Real, dof>& u_E, const Each& each) {
  Vector<Real, dof> magnitudes;
  for_each_index<dof>([&](auto j) { magnitudes.coeffRef(j) = absolute(u_E.coeff(j)); });
  each([&](Real percussion, const Vector<Real, dof>& z, auto entries) {
    for_each_index<dof>([&](auto j) {
      if (!decltype(entries)::entry(j)) return;
      const Real change = percussion * z.coeff(j);
      u_E.coeffRef(j) += change;
      magnitudes.coeffRef(j) += absolute(change);
    });
  });
  clear_cancelled<Flow>(u_E, magnitudes);
}
// Adds M^-1 W P of an assembled problem to u_E, and the resulting joint percussions to P_B.
template <class Flow, class Assembly, class P, class Real, int dof, class Joints>
MOREAU_ALWAYS_INLINE void push(int rows, const Assembly& assembly, const P& percussions, Vector<Real, dof>& u_E,
                               Joints& P_B) {
  push<Flow>(u_E, [&](const auto& add) {
    for (int r = 0; r < rows; ++r) {
      add(percussions.coeff(r), assembly.Z[std::size_t(r)], AllEntries{});
      if constexpr (Joints::RowsAtCompileTime > 0) add_scaled(P_B, percussions.coeff(r), assembly.P_B[std::size_t(r)]);
    }
  });
}

}  // namespace detail
}  // namespace moreau
