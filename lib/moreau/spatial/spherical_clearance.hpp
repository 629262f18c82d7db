// Ball of B in a socket of A, with one contact.
//
//   s = p_B - p_A,   g = play - |s|,   n = -s / |s|,   contact point p_B + radius s / |s|
//
// While the ball is centred, n = -x of the world; the contact is then open.
#pragma once

#include "moreau/math/sqrt.hpp"
#include "moreau/spatial/joint_contact.hpp"

namespace moreau {
namespace spatial {
namespace detail {

// Contact of a centre that is displaced by `off` within a circle or ball of radius `play`, at the distance `radius`
// from the centre.
template <class Real>
MOREAU_ALWAYS_INLINE JointContact<Real> contact_within(Point<Real> off, Point<Real> centre, Real play, Real radius) {
  using C = moreau::detail::Branchless;
  const Real distance = moreau::sqrt(dot(off, off));
  const Real inverse = Real(1) / C::select_if_less(Real(0), distance, distance, Real(1));
  const Point<Real> out{C::select_if_less(Real(0), distance, off.x * inverse, Real(1)), off.y * inverse,
                        off.z * inverse};
  return {play - distance, -out, {}, centre + radius * out};
}

}  // namespace detail

// Ball joint with clearance.
template <class Real, int A, int B>
struct SphericalClearance {
  static constexpr int body_A = A, body_B = B, contacts = 1;

  Point<Real> on_A, on_B;  // centre of the socket in A and of the ball in B, m
  Real play = Real(0);     // radius of the socket minus radius of the ball, m, > 0
  Real radius = Real(0);   // radius of the ball, the lever arm of friction, m
  ContactLaw<Real> law{};

  JointContact<Real> contact(int, const Frame<Real>& frame_A, const Frame<Real>& frame_B) const {
    const Point<Real> centre = frame_B.world(on_B);
    JointContact<Real> c = detail::contact_within(centre - frame_A.world(on_A), centre, play, radius);
    c.t = across(c.n);
    return c;
  }
};

}  // namespace spatial
}  // namespace moreau
