// Revolute joint with clearance: the centre of the pin stays within a circle of radius `play` about the bearing centre.
//
//   e = pin - bearing,   g_N = play - |e|,   n = -e / |e|,   contact point = pin + radius e / |e|
//
// For a centred pin (|e| = 0), the normal is undefined, and n is set to -x of the world. The contact is then open and
// transmits no percussion. play = 0 is rejected: use an ideal joint (mechanism/ideal_joints.hpp).
//
// The bearing belongs to body A and the pin to body B. The joint has one contact. Its evaluation takes one square root
// and no branch.
#pragma once

#include "moreau/joints/contact_bias.hpp"
#include "moreau/math/branching.hpp"
#include "moreau/math/kernels.hpp"
#include "moreau/math/sqrt.hpp"

namespace moreau {
namespace detail {

// Position of the pin in its bearing.
enum class RevoluteConfiguration { centred, free, touching };

constexpr const char* name(RevoluteConfiguration configuration) {
  constexpr const char* all[] = {"centred", "free", "touching"};
  return all[static_cast<int>(configuration)];
}

// Returns the contact of a pin with an offset e from the centre of a clearance circle.
template <class Real>
JointContact<Real> within_circle(Point<Real> e, Point<Real> centre, Real play, Real radius) {
  const Real distance = sqrt(dot(e, e));
  const Mask eccentric = Branchless::positive(distance);
  const Real inverse = Real(1) / select<Branchless>(eccentric, distance, Real(1));
  const Point<Real> outward{select<Branchless>(eccentric, e.x * inverse, Real(1)), e.y * inverse};
  JointContact<Real> c;
  c.g_N = play - distance;
  c.n = -outward;
  c.p = centre + radius * outward;
  return c;
}

// Returns the bias acceleration of a contact of within_circle() with a circle fixed in A. For a centred pin, the
// curvature is set to 0.
template <class Real>
ContactBias<Real> circle_bias(const JointContact<Real>& c, const BodyState<Real>& A, const BodyState<Real>& B,
                              Real play, Real radius) {
  return rolling_contact_bias(c, A, B, divide_or_zero<Branchless>(Real(1), play - c.g_N), radius);
}

}  // namespace detail
using detail::name;

// Revolute joint with clearance: bearing on body A, pin on body B.
template <class Real, int A = ground, int B = 0>
struct RevoluteClearance {
  static constexpr int body_A = A, body_B = B, contacts = 1;
  using Configuration = detail::RevoluteConfiguration;

  Point<Real> on_A;       // centre of the bearing in A, m
  Point<Real> on_B;       // centre of the pin in B, m
  Real play = Real(0);    // radius of the bearing minus radius of the pin, > 0, m
  Real radius = Real(0);  // radius of the pin, the lever arm of friction, m; > 0 with friction
  ContactLaw<Real> law{};

  constexpr bool valid() const { return detail::is_pin(play, radius, law); }
  JointContact<Real> contact(int, const Frame<Real>& frame_A, const Frame<Real>& frame_B) const {
    const Point<Real> centre = frame_B.world(on_B);
    return detail::within_circle(centre - frame_A.world(on_A), centre, play, radius);
  }
  ContactBias<Real> contact_bias_acceleration(int, const JointContact<Real>& c, const BodyState<Real>& state_A,
                                              const BodyState<Real>& state_B) const {
    return detail::circle_bias(c, state_A, state_B, play, radius);
  }
};

namespace detail {

// Returns the configuration of a pin from its gap. `centred`: the offset is below a thousandth of the play.
template <class Real>
constexpr RevoluteConfiguration pin_configuration(Real play, Real g_N) {
  if (g_N <= Real(0)) return RevoluteConfiguration::touching;
  return play - g_N < Real(1e-3) * play ? RevoluteConfiguration::centred : RevoluteConfiguration::free;
}

}  // namespace detail

template <class Real, int A, int B>
constexpr detail::RevoluteConfiguration configuration(const RevoluteClearance<Real, A, B>& joint,
                                                      const JointContact<Real>& contact) {
  return detail::pin_configuration(joint.play, contact.g_N);
}

}  // namespace moreau
