// The sentences a model that breaks the contract is answered with: each one is the missing signature.
#pragma once

#include "moreau/model/contract.hpp"

namespace moreau {

template <class Model>
struct RequireModel {
  using Real = typename Traits<Model>::Real;  // who asks for it has the model checked on the way
  static constexpr Fault fault = Contract<Model>::fault;
  static constexpr bool shares = Contract<Model>::shares;
  template <Fault f, bool with_at>
  static constexpr bool fine = !(fault == f && shares == with_at);

  static_assert(fault != Fault::parts_list, "Model needs: Mechanism<Parts> for Parts;   // a parts list is no model");
  static_assert(fault != Fault::real, "Model needs: using Real = float;   // or double: the scalar of the model");
  static_assert(fault != Fault::dof,
                "Model needs: static constexpr int dof = ...;   // degrees of freedom, at least 1");
  static_assert(fault != Fault::contacts,
                "Model needs: static constexpr int contacts = ...;   // possible contacts, 0 or more");
  static_assert(fault != Fault::tangents,
                "Model needs: static constexpr int tangents = 0, 1 or 2;   // frictionless, planar, spatial");
  static_assert(fault != Fault::frictions,
                "Model needs: static constexpr int frictions = ...;   // 0 or more, with friction_dim 1 or 2");
  static_assert(fault != Fault::bilaterals,
                "Model needs: static constexpr int bilaterals = ...;   // ideal joint rows, 0 to dof");

  static_assert(fault != Fault::at,
                "Model needs: A at(const Vector<Real, dof>& q, Real t) const;   // what its functions share; or no at "
                "at all");
  static_assert(fine<Fault::mass, false>,
                "Model needs: Matrix<Real, dof, dof> mass(const Vector<Real, dof>& q, Real t) const;   // M(q,t)");
  static_assert(fine<Fault::mass, true>,
                "Model needs: Matrix<Real, dof, dof> mass(const A& a) const;   // M(q,t), with a = at(q, t)");
  static_assert(fine<Fault::force, false>,
                "Model needs: Vector<Real, dof> force(const Vector<Real, dof>& q, const Vector<Real, dof>& u, Real t) "
                "const;   // h(q,u,t)");
  static_assert(fine<Fault::force, true>,
                "Model needs: Vector<Real, dof> force(const A& a, const Vector<Real, dof>& u) const;   // h(q,u,t), "
                "with a = at(q, t)");
  static_assert(fine<Fault::gap, false>,
                "Model needs: Real gap(int contact, const Vector<Real, dof>& q, Real t) const;   // g_N(q,t)");
  static_assert(fine<Fault::gap, true>,
                "Model needs: Real gap(int contact, const A& a) const;   // g_N(q,t), with a = at(q, t)");
  static_assert(fine<Fault::directions, false>,
                "Model needs: Directions<Real, dof, tangents> directions(int contact, const Vector<Real, dof>& q, Real "
                "t) const;   // w_N, w_T, zeta");
  static_assert(fine<Fault::directions, true>,
                "Model needs: Directions<Real, dof, tangents> directions(int contact, const A& a) const;   // w_N, "
                "w_T, zeta, with a = at(q, t)");
  static_assert(fault != Fault::law, "Model needs: ContactLaw<Real> law(int contact) const;   // eps_N, eps_T, mu");
  static_assert(
      fault != Fault::mu,
      "Model needs: Real mu(int contact, Real v) const;   // friction at slip speed v = |gamma_T|; or no mu at all");
  static_assert(
      fault != Fault::depth,
      "Model needs: Real depth(int contact) const;   // m, overlap a closed contact keeps; or no depth at all");
  static_assert(
      fine<Fault::friction_bound, false>,
      "Model needs: Real friction_bound(int element, const Vector<Real, dof>& q, Real t) const;   // N or N m");
  static_assert(fine<Fault::friction_bound, true>,
                "Model needs: Real friction_bound(int element, const A& a) const;   // N or N m, with a = at(q, t)");
  static_assert(fine<Fault::friction_directions, false>,
                "Model needs: FrictionDirections<Real, dof, friction_dim> friction_directions(int element, const "
                "Vector<Real, dof>& q, Real t) const;   // w, zeta");
  static_assert(fine<Fault::friction_directions, true>,
                "Model needs: FrictionDirections<Real, dof, friction_dim> friction_directions(int element, const A& a) "
                "const;   // w, zeta, with a = at(q, t)");
  static_assert(fine<Fault::bilateral, false>,
                "Model needs: Bilateral<Real, dof> bilateral(int row, const Vector<Real, dof>& q, Real t) const;   // "
                "w, zeta, g");
  static_assert(
      fine<Fault::bilateral, true>,
      "Model needs: Bilateral<Real, dof> bilateral(int row, const A& a) const;   // w, zeta, g, with a = at(q, t)");
  static_assert(
      fine<Fault::bend, false>,
      "Model needs: Real bend(int row, const Vector<Real, dof>& q, const Vector<Real, dof>& u, Real t) const;   "
      "// (dw/dt)^T u; or no bend at all");
  static_assert(
      fine<Fault::bend, true>,
      "Model needs: Real bend(int row, const A& a, const Vector<Real, dof>& u) const;   // (dw/dt)^T u, with a = "
      "at(q, t); or no bend at all");
  static_assert(fault != Fault::wrap,
                "Model needs: Vector<Real, dof> wrap(const Vector<Real, dof>& q) const;   // the same configuration, "
                "angles small; or no wrap at all");
  static_assert(fault != Fault::period,
                "Model needs: Real period() const;   // s, of a prescribed periodic motion; or no period at all");

  static constexpr bool met = fault == Fault::none;
};

}  // namespace moreau
