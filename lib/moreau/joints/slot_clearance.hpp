// Pin with clearance in a slot with round ends: the pin centre stays within `play` of a line segment of half length L.
//
//   e = pin - nearest point of the segment,   g_N = play - |e|,   n = -e / |e|
//
// L = 0 describes a bearing, an infinite L a slot without ends. On the centre line the normal is undefined, and n is
// set as in revolute_clearance.hpp. The slot belongs to body A and the pin to body B.
#pragma once

#include "moreau/joints/revolute_clearance.hpp"
#include "moreau/math/branching.hpp"

namespace moreau {

// Slot joint with clearance: slot on body A, pin on body B.
template <class Real, int A = ground, int B = 0>
struct SlotClearance {
  static constexpr int body_A = A, body_B = B, contacts = 1;
  using Configuration = detail::RevoluteConfiguration;

  Point<Real> on_A;                    // middle of the slot in A, m
  Point<Real> axis{Real(1), Real(0)};  // direction of the slot in A, a unit vector
  Real half_length = Real(0);          // half length of the centre line, m; may be infinite
  Point<Real> on_B;                    // centre of the pin in B, m
  Real play = Real(0);                 // half width of the slot minus radius of the pin, > 0, m
  Real radius = Real(0);               // radius of the pin, m
  ContactLaw<Real> law{};

  constexpr bool valid() const {
    return detail::is_unit(axis) && half_length >= Real(0) && detail::is_clearance(play) && radius >= Real(0);
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
  // The slot is straight between the centres of its round ends.
  ContactBias<Real> contact_bias_acceleration(int, const JointContact<Real>& c, const BodyState<Real>& state_A,
                                              const BodyState<Real>& state_B) const {
    using detail::Branchless;
    const Real x = dot(state_B.frame.world(on_B) - state_A.frame.world(on_A), state_A.frame.turn(axis));
    const auto round = Branchless::less(half_length, detail::absolute(x));
    const Real curvature = detail::divide_or_zero<Branchless>(Real(1), play - c.g_N);
    return detail::rolling_contact_bias(c, state_A, state_B, detail::select_or_zero<Branchless>(round, curvature),
                                        radius);
  }
};

// Returns the configuration of the pin: centred (within 0.1 % of the play of the centre line), free or touching. The
// contact normal distinguishes a side from an end of the slot.
template <class Real, int A, int B>
constexpr detail::RevoluteConfiguration configuration(const SlotClearance<Real, A, B>& joint,
                                                      const JointContact<Real>& contact) {
  return detail::pin_configuration(joint.play, contact.g_N);
}

}  // namespace moreau
