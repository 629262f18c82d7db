// What the model says about one contact, at an address that the run computes: stored and loaded, never branched on.
#pragma once

#include "moreau/contact/closed_contact.hpp"
#include "moreau/contact/masked.hpp"

namespace moreau {

template <class Model>
struct ContactRow {
  using T = Traits<Model>;
  using Real = typename T::Real;
  using Q = Vector<Real, T::dof>;
  Q w_N, w_T;
  Real zeta_N, zeta_T;
  Real eps_N, eps_T, mu;

  void set(const Directions<Real, T::dof, T::tangents>& d, const ContactLaw<Real>& law) {
    using Normal = DirectionPattern<Model, -1, 0>;
    using Tangent = DirectionPattern<Model, -1, 1>;
    for_each_index<T::dof>([&](auto j) {
      if (Normal::entry(j)) w_N.coeffRef(j) = d.w_N.coeff(j);
      if constexpr (T::tangents == 1) {
        if (Tangent::entry(j)) w_T.coeffRef(j) = d.w_T.coeff(j, 0);
      } else {
        w_T.coeffRef(j) = Real(0);  // multiplied all the same
      }
    });
    if (Normal::entry(T::dof)) zeta_N = d.zeta_N;
    if (T::tangents == 1 && Tangent::entry(T::dof)) zeta_T = d.zeta_T;
    eps_N = law.eps_N;
    eps_T = law.eps_T;
    mu = law.mu;
  }

  // Negative where the law is illegal or there is no normal direction. Where `absent`, the contact is one that opens.
  Mask close(const Model& model, int i, Mask absent, const StepMass<Model>& mass, const Q& u_A, const Q& u_free,
             ClosedContact<Model>& out) const {
    const Mask illegal =
        detail::close_contact<-1>(model, i, *this, ContactLaw<Real>{eps_N, eps_T, mu}, mass, u_A, u_free, out);
    PlanarContact<Real>& p = out.planar;
    const Mask refused = (illegal | detail::not_positive(p.NN)) & ~absent;
    overwrite(absent, p.NN, Real(1), p.c_N, Real(1));
    return refused;
  }
};

}  // namespace moreau
