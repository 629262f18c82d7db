// Round pin of B in a round bush of A, both of finite length, with one contact near each end.
//
//   inside     the end of the pin lies within the bush: distance of the centre of this end from the axis of the bush
//   outside    the pin protrudes from the bush: distance of the centre of the rim of the bush from the axis of the pin
//
//   s = p_B - p_A,   off = s - (s . k) k,   g = play - |off|,   n = -off / |off|
//
//   inside     p_A = centre of the bush,            p_B = end of the pin,          k = axis of the bush
//   outside    p_A = centre of the rim of the bush,      p_B = centre of the pin,       k = axis of the pin
//
// Contact 0 is at the end of the pin towards -axis_B, contact 1 at the other end. The cross-section of a tilted
// cylinder is an ellipse. The gap omits the resulting term radius tilt^2 / 2, where tilt is the angle between both
// axes. For a play of 50 um, a radius of 10 mm and a half length of 30 mm, this term is 14 nm. Directions are exact
// derivatives of this gap. At the transition between the two cases, the gap jumps by a term of second order in the
// tilt.
#pragma once

#include "moreau/spatial/ball_contacts.hpp"

namespace moreau {
namespace spatial {

// Cylindrical joint with clearance.
template <class Real, int A, int B>
struct CylindricalClearance {
  static constexpr int body_A = A, body_B = B, contacts = 2;

  Point<Real> on_A;                               // centre of the bush in A, m
  Point<Real> axis_A{Real(0), Real(0), Real(1)};  // its axis in A, a unit vector
  Point<Real> on_B;                               // centre of the pin in B, m
  Point<Real> axis_B{Real(0), Real(0), Real(1)};  // its axis in B, a unit vector
  Real half_A = Real(0), half_B = Real(0);        // half lengths of bush and pin, m, > 0
  Real play = Real(0);                            // radius of the bush minus radius of the pin, m, > 0
  Real radius = Real(0);                          // radius of the pin, m; > 0 with friction
  ContactLaw<Real> law{};

  bool valid() const {
    return detail::is_unit(axis_A) && detail::is_unit(axis_B) && half_A > Real(0) && half_B > Real(0) &&
           moreau::detail::is_pin(play, radius, law);
  }
  JointContact<Real> contact(int k, const Frame<Real>& frame_A, const Frame<Real>& frame_B) const {
    const End end = end_of(k, frame_A, frame_B);
    const Point<Real> s = end.p_B - end.p_A, along = dot(s, end.axis) * end.axis;
    const auto off = detail::displacement_of(s - along);
    const Point<Real> centre = end.p_A + (s - along) + end.inside * along;  // p_B, or a point of the axis of the pin
    return {play - off.distance, -off.unit, end.axis, centre + radius * off.unit};
  }
  ContactBias<Real, 2> contact_bias_acceleration(int k, const JointContact<Real>& c, const BodyState<Real>& state_A,
                                                 const BodyState<Real>& state_B) const {
    const End end = end_of(k, state_A.frame, state_B.frame);
    const Point<Real> omega = end.inside * state_A.omega + (Real(1) - end.inside) * state_B.omega;
    const Point<Real> axis_rate = cross(omega, end.axis), s = end.p_B - end.p_A;
    const Point<Real> v_A = state_A.velocity_of(end.p_A), s_rate = state_B.velocity_of(end.p_B) - v_A;
    const Real along = dot(s, end.axis), along_rate = dot(s_rate, end.axis) + dot(s, axis_rate);
    const Point<Real> axial_rate = along_rate * end.axis + along * axis_rate;
    const Point<Real> turned = detail::unit_rate(-c.n, s - along * end.axis, s_rate - axial_rate);
    const Point<Real> centre_rate = v_A + (s_rate - axial_rate) + end.inside * axial_rate;
    return detail::contact_bias(c, {-turned, axis_rate, centre_rate + radius * turned},
                                detail::state_of_part<A>(state_A), detail::state_of_part<B>(state_B));
  }

 private:
  struct End {
    Point<Real> p_A, p_B, axis;
    Real inside;  // 1 inside, 0 outside
  };
  End end_of(int k, const Frame<Real>& frame_A, const Frame<Real>& frame_B) const {
    using C = moreau::detail::Branchless;
    const Real side = k == 0 ? Real(-1) : Real(1);
    const auto& at_A = detail::frame_of_part<A>(frame_A);
    const auto& at_B = detail::frame_of_part<B>(frame_B);
    const Point<Real> bush = at_A.world(on_A), pin = at_B.world(on_B);
    const Point<Real> d = at_A.turn(axis_A), e = at_B.turn(axis_B), end = pin + (side * half_B) * e;
    const Real inside = C::select_if_less(half_A, side * dot(end - bush, d), Real(0), Real(1));
    const Real outside = Real(1) - inside;
    return {bush + (outside * side * half_A) * d, pin + (inside * side * half_B) * e, inside * d + outside * e, inside};
  }
};

}  // namespace spatial
}  // namespace moreau
