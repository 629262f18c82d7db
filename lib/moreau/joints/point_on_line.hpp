// A point of one body on one side of a straight line of another: a stop, a cam flank, a wheel on a plane.
//
//   g_N = n . (p - line) - radius
//
// The line is on body A, through a point, with the unit normal n into the free side; the point, or the centre of a
// wheel of that radius, is on body B.
#pragma once

#include "moreau/joints/joint_contact.hpp"

namespace moreau {
namespace detail {

// Whether the point is on its line.
enum class LineConfiguration { free, touching };

constexpr const char* name(LineConfiguration configuration) {
  return configuration == LineConfiguration::free ? "free" : "touching";
}

}  // namespace detail
using detail::name;

template <class Real, int A = ground, int B = 0>
struct PointOnLine {
  static constexpr int body_A = A, body_B = B, contacts = 1;
  using Configuration = detail::LineConfiguration;  // free, touching

  Point<Real> on_A;                      // m, a point of the line in A
  Point<Real> normal{Real(0), Real(1)};  // into the free side, in A, a unit vector
  Point<Real> on_B;                      // m, in B
  Real radius = Real(0);                 // m
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
};

template <class Real, int A, int B>
constexpr detail::LineConfiguration configuration(const PointOnLine<Real, A, B>&, const JointContact<Real>& contact) {
  using C = detail::LineConfiguration;
  return contact.g_N <= Real(0) ? C::touching : C::free;
}

}  // namespace moreau
