// The sentences a model that breaks the contract is answered with: each one is the missing signature.
#pragma once

#include "moreau/model/fault.hpp"

namespace moreau {
namespace detail {

template <class Model>
struct RequireModel {
  using Real = typename Traits<Model>::Real;  // checks the model on the way
  static constexpr Fault fault = find_fault<Model>();
  static constexpr bool met = fault == Fault::none;

  // clang-format off
  static_assert(fault != Fault::parts_list, "Model needs: Mechanism<Parts> for Parts;   // a parts list is no model");
  static_assert(fault != Fault::real, "Model needs: using Real = float;   // or double: the scalar of the model");
  static_assert(fault != Fault::dof, "Model needs: static constexpr int dof = ...;   // degrees of freedom, at least 1");
  static_assert(fault != Fault::contacts, "Model needs: static constexpr int contacts = ...;   // possible contacts, 0 or more");
  static_assert(fault != Fault::tangent_typo, "Model declares `tangent`: the member is called tangents");
  static_assert(fault != Fault::friction_typo, "Model declares `friction`: the member is called frictions");
  static_assert(fault != Fault::friction_dims_typo, "Model declares `friction_dims`: the member is called friction_dim");
  static_assert(fault != Fault::bilateral_rows_typo, "Model declares `bilateral_rows`: the member is called bilaterals");
  static_assert(fault != Fault::projection_typo, "Model declares `projection`: the member is called projections");
  static_assert(fault != Fault::mass_constant_typo, "Model declares `mass_constant`: the member is called constant_mass");
  static_assert(fault != Fault::mass_diagonal_typo, "Model declares `mass_diagonal`: the member is called diagonal_mass");
  static_assert(fault != Fault::symmetric_step_typo, "Model declares `symmetric_step`: the member is called symmetric_steps");
  static_assert(fault != Fault::tangents, "Model needs: static constexpr int tangents = 0, 1 or 2;   // frictionless, planar, spatial");
  static_assert(fault != Fault::frictions, "Model needs: static constexpr int frictions = ...;   // 0 or more, with friction_dim 1 or 2");
  static_assert(fault != Fault::bilaterals, "Model needs: static constexpr int bilaterals = ...;   // ideal joint rows, 0 to dof");
  static_assert(fault != Fault::projections, "Model needs: static constexpr int projections = ...;   // rounds of the position projection; or no projections at all");
  static_assert(fault != Fault::closed_at_once, "Model needs: static constexpr int closed_at_once = 1 or 2;   // contacts that close at the same time; leave it out for more");
  static_assert(fault != Fault::constant_mass, "Model needs: static constexpr bool constant_mass = true;   // M never changes; or no constant_mass at all");
  static_assert(fault != Fault::diagonal_mass, "Model needs: static constexpr bool diagonal_mass = true;   // with touches(row, coordinate); or no diagonal_mass at all");
  static_assert(fault != Fault::symmetric_steps, "Model needs: static constexpr bool symmetric_steps = true;   // a step back undoes a step; or no symmetric_steps at all");
  static_assert(fault != Fault::mass_pattern, "Model needs: static constexpr bool mass_pattern(int i, int j);   // false: M(i, j) = 0 for ever; or no mass_pattern at all");
  static_assert(fault != Fault::direction_pattern, "Model needs: static constexpr bool direction_pattern(int contact, int row, int j);   // false: entry j is 0 for ever; or no direction_pattern at all");
  static_assert(fault != Fault::touches, "Model needs: static constexpr bool touches(int row, int j);   // false: entry j of a bilateral row is 0 for ever; diagonal_mass needs it");

  static_assert(fault != Fault::at_expression, "Model's at returns an Eigen expression: write the return type, a plain type");
  static_assert(fault != Fault::at, "Model needs: A at(const Vector<Real, dof>& q, Real t) const;   // what its functions share; or no at at all");
  static_assert(fault != Fault::mass_expression, "Model's mass returns an Eigen expression: write the return type, Matrix<Real, dof, dof>");
  static_assert(fault != Fault::mass, "Model needs: Matrix<Real, dof, dof> mass(const Vector<Real, dof>& q, Real t) const;   // M(q,t)");
  static_assert(fault != Fault::mass_shared, "Model needs: Matrix<Real, dof, dof> mass(const A& a) const;   // M(q,t), with a = at(q, t)");
  static_assert(fault != Fault::force_expression, "Model's force returns an Eigen expression: write the return type, Vector<Real, dof>");
  static_assert(fault != Fault::force, "Model needs: Vector<Real, dof> force(const Vector<Real, dof>& q, const Vector<Real, dof>& u, Real t) const;   // h(q,u,t)");
  static_assert(fault != Fault::force_shared, "Model needs: Vector<Real, dof> force(const A& a, const Vector<Real, dof>& u) const;   // h(q,u,t), with a = at(q, t)");
  static_assert(fault != Fault::gap, "Model needs: Real gap(int contact, const Vector<Real, dof>& q, Real t) const;   // g_N(q,t)");
  static_assert(fault != Fault::gap_shared, "Model needs: Real gap(int contact, const A& a) const;   // g_N(q,t), with a = at(q, t)");
  static_assert(fault != Fault::directions, "Model needs: Directions<Real, dof, tangents> directions(int contact, const Vector<Real, dof>& q, Real t) const;   // w_N, w_T, zeta");
  static_assert(fault != Fault::directions_shared, "Model needs: Directions<Real, dof, tangents> directions(int contact, const A& a) const;   // w_N, w_T, zeta, with a = at(q, t)");
  static_assert(fault != Fault::law, "Model needs: ContactLaw<Real> law(int contact) const;   // eps_N, eps_T, mu");
  static_assert(fault != Fault::mu, "Model needs: Real mu(int contact, Real v) const;   // friction at slip speed v = |gamma_T|; or no mu at all");
  static_assert(fault != Fault::depth, "Model needs: Real depth(int contact) const;   // m, overlap a closed contact keeps; or no depth at all");
  static_assert(fault != Fault::friction_bound, "Model needs: Real friction_bound(int element, const Vector<Real, dof>& q, Real t) const;   // N or N m");
  static_assert(fault != Fault::friction_bound_shared, "Model needs: Real friction_bound(int element, const A& a) const;   // N or N m, with a = at(q, t)");
  static_assert(fault != Fault::friction_expression, "Model's friction_directions returns an Eigen expression: write the return type, FrictionDirections<Real, dof, friction_dim>");
  static_assert(fault != Fault::friction_directions, "Model needs: FrictionDirections<Real, dof, friction_dim> friction_directions(int element, const Vector<Real, dof>& q, Real t) const;   // w, zeta");
  static_assert(fault != Fault::friction_directions_shared, "Model needs: FrictionDirections<Real, dof, friction_dim> friction_directions(int element, const A& a) const;   // w, zeta, with a = at(q, t)");
  static_assert(fault != Fault::bilateral_expression, "Model's bilateral returns an Eigen expression: write the return type, Bilateral<Real, dof>");
  static_assert(fault != Fault::bilateral, "Model needs: Bilateral<Real, dof> bilateral(int row, const Vector<Real, dof>& q, Real t) const;   // w, zeta, g");
  static_assert(fault != Fault::bilateral_shared, "Model needs: Bilateral<Real, dof> bilateral(int row, const A& a) const;   // w, zeta, g, with a = at(q, t)");
  static_assert(fault != Fault::bend, "Model needs: Real bend(int row, const Vector<Real, dof>& q, const Vector<Real, dof>& u, Real t) const;   // (dw/dt)^T u; or no bend at all");
  static_assert(fault != Fault::bend_shared, "Model needs: Real bend(int row, const A& a, const Vector<Real, dof>& u) const;   // (dw/dt)^T u, with a = at(q, t); or no bend at all");
  static_assert(fault != Fault::wrap_expression, "Model's wrap returns an Eigen expression: write the return type, Vector<Real, dof>");
  static_assert(fault != Fault::wrap, "Model needs: Vector<Real, dof> wrap(const Vector<Real, dof>& q) const;   // the same configuration, angles small; or no wrap at all");
  static_assert(fault != Fault::period, "Model needs: Real period() const;   // s, of a prescribed periodic motion; or no period at all");
  // clang-format on
};

}  // namespace detail
}  // namespace moreau
