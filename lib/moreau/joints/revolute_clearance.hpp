// A pin with play in a bearing: the pin's centre stays within a circle of radius `play` about the bearing's.
//
//   e = pin - bearing,   g_N = play - |e|,   n = -e / |e|,   contact point = pin + radius e / |e|
//
// Centred, |e| = 0, there is no direction: n is set to -x of the world. A centred pin is open, so no percussion acts
// along it. play = 0 is no clearance joint: take an ideal one (mechanism/ideal_joints.hpp).
//
// The bearing is on body A, the pin on body B; either may be the ring. One contact, one square root, no branch.
#pragma once

#include "moreau/joints/joint_contact.hpp"
#include "moreau/math/branching.hpp"
#include "moreau/math/sqrt.hpp"

namespace moreau {
namespace detail {

// Where the pin is in its bearing.
enum class RevoluteConfiguration { centred, free, touching };

constexpr const char* name(RevoluteConfiguration configuration) {
  constexpr const char* all[] = {"centred", "free", "touching"};
  return all[static_cast<int>(configuration)];
}

// The contact of a pin whose centre may be `play` away from where e starts.
template <class Real>
JointContact<Real> within_circle(Point<Real> e, Point<Real> centre, Real play, Real radius) {
  const Real distance = sqrt(dot(e, e));
  const Mask apart = Branchless::positive(distance);
  const Real inverse = Real(1) / select<Branchless>(apart, distance, Real(1));
  const Point<Real> outward{select<Branchless>(apart, e.x * inverse, Real(1)), e.y * inverse};
  JointContact<Real> c;
  c.g_N = play - distance;
  c.n = -outward;
  c.p = centre + radius * outward;
  return c;
}

}  // namespace detail
using detail::name;

template <class Real, int A = ground, int B = 0>
struct RevoluteClearance {
  static constexpr int body_A = A, body_B = B, contacts = 1;
  using Configuration = detail::RevoluteConfiguration;  // centred, free, touching

  Point<Real> on_A;       // m, its centre in A
  Point<Real> on_B;       // m, its centre in B
  Real play = Real(0);    // m, radius of the bearing less radius of the pin
  Real radius = Real(0);  // m, of the pin: the lever arm of the friction
  ContactLaw<Real> law{};

  constexpr bool valid() const { return play >= Real(0) && radius >= Real(0); }
  JointContact<Real> contact(int, const Frame<Real>& frame_A, const Frame<Real>& frame_B) const {
    const Point<Real> centre = frame_B.world(on_B);
    return detail::within_circle(centre - frame_A.world(on_A), centre, play, radius);
  }
};

namespace detail {

// Of a pin whose centre may be `play` off, from its gap. Centred: nearer to the middle than a thousandth of the play.
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
