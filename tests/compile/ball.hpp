// Model with every required member; each case of this folder hides one of them.
#pragma once
#include <moreau/moreau.hpp>

template <class R>
struct Ball {
  using Real = R;
  static constexpr int dof = 2, contacts = 1;
  using Q = moreau::Vector<Real, 2>;

  moreau::Matrix<Real, 2, 2> mass(const Q&, Real) const { return moreau::Matrix<Real, 2, 2>::Identity(); }
  Q force(const Q&, const Q&, Real) const { return Q(Real(0), Real(-9.81)); }
  Real gap(int, const Q& q, Real) const { return q(1); }
  moreau::Directions<Real, 2> directions(int, const Q&, Real) const {
    moreau::Directions<Real, 2> d;
    d.w_N = Q(Real(0), Real(1));
    d.w_T = Q(Real(1), Real(0));
    return d;
  }
  moreau::ContactLaw<Real> law(int) const { return {Real(0.5), Real(0), Real(0.3)}; }
};

// Typical use of a model.
template <class Model>
bool used() {
  moreau::State<Model> start;
  moreau::Stepper stepper{Model{}, start};
  return stepper.step(typename Model::Real(1e-3)).advanced();
}
