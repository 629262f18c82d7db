// A pin with play in a slot with round ends: the pin's centre stays within `play` of a straight line of half length L.
//
//   e = pin - nearest point of the line,   g_N = play - |e|,   n = -e / |e|
//
// L = 0 is the pin in its bearing, an infinite L an endless slot. On the centre line itself there is no direction: n is
// set as in revolute_clearance.hpp. The slot is on body A, the pin on body B.
#pragma once

#include "moreau/joints/revolute_clearance.hpp"
#include "moreau/math/branching.hpp"

namespace moreau {

template <class Real, int A = ground, int B = 0>
struct SlotClearance {
  static constexpr int body_A = A, body_B = B, contacts = 1;
  using Configuration = detail::RevoluteConfiguration;  // centred, free, touching

  Point<Real> on_A;                    // m, its middle in A
  Point<Real> axis{Real(1), Real(0)};  // its direction in A, a unit vector
  Real half_length = Real(0);          // m, of the centre line; may be infinite
  Point<Real> on_B;                    // m, its centre in B
  Real play = Real(0);                 // m, half width of the slot less radius of the pin
  Real radius = Real(0);               // m, of the pin
  ContactLaw<Real> law{};

  constexpr bool valid() const {
    return detail::is_unit(axis) && half_length >= Real(0) && play >= Real(0) && radius >= Real(0);
  }
  JointContact<Real> contact(int, const Frame<Real>& frame_A, const Frame<Real>& frame_B) const {
    const Point<Real> along = frame_A.turn(axis), centre = frame_B.world(on_B), s = centre - frame_A.world(on_A);
    const Real x = dot(s, along);
    using detail::Branchless;
    const Real nearest =
        detail::select<Branchless>(Branchless::less(half_length, x), half_length,
                                   detail::select<Branchless>(Branchless::less(x, -half_length), -half_length, x));
    return detail::within_circle(s - nearest * along, centre, play, radius);
  }
};

// Centred: on the slot's centre line. The contact's direction tells a side from an end.
template <class Real, int A, int B>
constexpr detail::RevoluteConfiguration configuration(const SlotClearance<Real, A, B>& joint,
                                                      const JointContact<Real>& contact) {
  return detail::pin_configuration(joint.play, contact.g_N);
}

}  // namespace moreau
