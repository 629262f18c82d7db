// Unilateral contact of a point with a straight line: a stop, a cam flank or a wheel on a plane.
//
//   g_N = n . (p - line) - radius
//
// The line belongs to body A. Its unit normal n points to the free side. The point belongs to body B. If radius > 0,
// the point is the centre of a wheel.
#pragma once

#include "moreau/joints/contact_bias.hpp"

namespace moreau {
namespace detail {

// Contact state of the point.
enum class LineConfiguration { free, touching };

constexpr const char* name(LineConfiguration configuration) {
  return configuration == LineConfiguration::free ? "free" : "touching";
}

}  // namespace detail
using detail::name;

// Contact of a point or wheel of body B with a line of body A.
template <class Real, int A = ground, int B = 0>
struct PointOnLine {
  static constexpr int body_A = A, body_B = B, contacts = 1;
  using Configuration = detail::LineConfiguration;

  Point<Real> on_A;                      // a point of the line in A, m
  Point<Real> normal{Real(0), Real(1)};  // normal to the free side in A, a unit vector
  Point<Real> on_B;                      // the point, or centre of the wheel, in B, m
  Real radius = Real(0);                 // radius of the wheel, 0 for a point, m
  ContactLaw<Real> law{};

  constexpr bool valid() const { return detail::is_unit(normal) && radius >= Real(0); }
  JointContact<Real> contact(int, const Frame<Real>& frame_A, const Frame<Real>& frame_B) const {
    const Point<Real> n = frame_A.turn(normal), centre = frame_B.world(on_B);
    JointContact<Real> c;
    c.g_N = dot(n, centre - frame_A.world(on_A)) - radius;
    c.n = n;
    c.p = centre - radius * n;
    return c;
  }
  ContactBias<Real> contact_bias_acceleration(int, const JointContact<Real>& c, const BodyState<Real>& state_A,
                                              const BodyState<Real>& state_B) const {
    return detail::rolling_contact_bias(c, state_A, state_B, Real(0), radius);
  }
};

template <class Real, int A, int B>
constexpr detail::LineConfiguration configuration(const PointOnLine<Real, A, B>&, const JointContact<Real>& contact) {
  using C = detail::LineConfiguration;
  return contact.g_N <= Real(0) ? C::touching : C::free;
}

}  // namespace moreau
