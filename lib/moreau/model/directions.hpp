// Return types of the model functions for contacts, friction elements and ideal joints.
//
//   gamma_N = w_N^T u + zeta_N,   gamma_T = w_T^T u + zeta_T        (GS05 eq. 10)
//
// zeta is the relative velocity at u = 0, for example of a moving wall. It is 0 in most models.
#pragma once

#include <type_traits>

#include "moreau/math/types.hpp"

namespace moreau {
namespace detail {

// Tangential quantity of one contact: a scalar in the plane, a vector of two components in space.
template <class Real, int tangents>
using Tangential = std::conditional_t<tangents == 2, Vector<Real, 2>, Real>;

template <class Real, int tangents>
constexpr auto zero_tangential() {
  if constexpr (tangents == 2)
    return Vector<Real, 2>::Zero();
  else
    return Real(0);
}

}  // namespace detail

// Generalised force directions of one contact, and its relative velocity at u = 0.
template <class Real, int dof, int tangents = 1>
struct Directions {
  Vector<Real, dof> w_N = Vector<Real, dof>::Zero();
  Matrix<Real, dof, tangents> w_T = Matrix<Real, dof, tangents>::Zero();
  Real zeta_N = Real(0);                                                                  // m/s
  detail::Tangential<Real, tangents> zeta_T = detail::zero_tangential<Real, tangents>();  // m/s
};

// Bias acceleration of one contact: rates of gamma_N and gamma_T along the motion q' = u at constant u, that is,
// (dw/dt)^T u + dzeta/dt.
template <class Real, int tangents = 1>
struct ContactBias {
  Real N = Real(0);                                                                  // m/s^2
  detail::Tangential<Real, tangents> T = detail::zero_tangential<Real, tangents>();  // m/s^2
};

// Parameters of the contact laws of one contact: Newton restitution in normal and tangential direction, Coulomb
// friction.
template <class Real>
struct ContactLaw {
  Real eps_N = Real(0);  // normal restitution, 0 to 1
  Real eps_T = Real(0);  // tangential restitution, 0 to 1
  Real mu = Real(0);     // friction coefficient, >= 0
};

// Directions of a friction element: dry friction with |P| <= bound dt, where the bound does not depend on normal
// forces.
template <class Real, int dof, int dim = 1>
struct FrictionDirections {
  Matrix<Real, dof, dim> w = Matrix<Real, dof, dim>::Zero();
  detail::Tangential<Real, dim> zeta = detail::zero_tangential<Real, dim>();  // m/s
};

// One row of an ideal joint: g(q, t) = 0 with g' = w^T u + zeta.
template <class Real, int dof>
struct Bilateral {
  Vector<Real, dof> w = Vector<Real, dof>::Zero();
  Real zeta = Real(0);  // m/s or rad/s
  Real g = Real(0);     // m or rad
};

namespace detail {

// Returns component t of a tangential quantity of either dimension.
template <class Real>
constexpr Real component(const Real& x, int) {
  return x;
}
template <class Real>
Real component(const Vector<Real, 2>& x, int t) {
  return x.coeff(t);
}
template <class Real>
constexpr void set_component(Real& x, int, Real value) {
  x = value;
}
template <class Real>
void set_component(Vector<Real, 2>& x, int t, Real value) {
  x.coeffRef(t) = value;
}

}  // namespace detail
}  // namespace moreau
