// Check for parts that have no effect or a wrong one, although their values are in their ranges.
//
//   part_values   a one-sided spring or stop without a limit; a spring or stop without stiffness and damping; a
//                 SlotClearance with half_length 0, which is a round bearing; a Backlash with one factor at its default
//                 1 and the other below 0.5, as if one base radius were missing
//                 With options.dt: a drive whose acceleration dt is below the resolution of its speed, which it never
//                 reaches, for example 0.5 rad/s^2 and 100 rad/s in float at dt = 1e-6 s
//   part_size     the radius, a, b or a corner of a part, or the radius of gyration sqrt(J / m) of a body, is above 3
//                 options.length, as if its unit were mm, or kg mm^2 for J
//   part_equal    two parts of one type with identical values, for example two Gravity parts: the part acts twice.
//                 Parts whose values are all defaults are exempt, because programs set inputs during a run. A field
//                 such as Gravity is not exempt
//   part_curve    PointOnPolygon: no two edges cross
//                 PointOnCurve: R > 0, R(-pi) = R(pi), and dR/dtheta equals the difference quotient of R at 64 angles
//
// Two equal springs at the same points are one spring with twice the stiffness.
#pragma once

#include <cstring>
#include <limits>
#include <type_traits>

#include "moreau/check/findings.hpp"
#include "moreau/check/parts_checker.hpp"
#include "moreau/joints/backlash.hpp"
#include "moreau/joints/point_on_curve.hpp"
#include "moreau/joints/point_on_polygon.hpp"
#include "moreau/joints/slot_clearance.hpp"
#include "moreau/mechanism/forces.hpp"
#include "moreau/mechanism/one_sided_forces.hpp"
#include "moreau/mechanism/parts_list.hpp"

namespace moreau {
namespace detail {

// Returns true if a part of the library has no effect, or if one of its values is missing.
template <class Part>
constexpr bool lacks_values(const Part&) {
  return false;
}
template <class Real>
constexpr bool is_rigid_or_damped(Real stiffness, Real damping) {
  return stiffness > Real(0) || damping > Real(0);
}
template <class Real, int A, int B>
constexpr bool lacks_values(const OneSidedSpring<Real, A, B>& s) {
  const bool limited = s.shortest > Real(0) || s.longest < std::numeric_limits<Real>::max();
  return !limited || !is_rigid_or_damped(s.stiffness, s.damping);
}
template <class Real, int A, int B>
constexpr bool lacks_values(const OneSidedTorsionSpring<Real, A, B>& s) {
  constexpr Real most = std::numeric_limits<Real>::max();
  return !(s.lower > -most || s.upper < most) || !is_rigid_or_damped(s.stiffness, s.damping);
}
template <class Real, int A, int B>
constexpr bool lacks_values(const BumpStop<Real, A, B>& s) {
  return !is_rigid_or_damped(s.stiffness, s.damping);
}
template <class Real, int A, int B>
constexpr bool lacks_values(const Spring<Real, A, B>& s) {
  const bool placed = dot(s.on_A, s.on_A) + dot(s.on_B, s.on_B) > Real(0) || s.length > Real(0);
  return placed && s.stiffness == Real(0) && s.damping == Real(0);
}
template <class Real, int A, int B>
constexpr bool lacks_values(const TorsionSpring<Real, A, B>& s) {
  return s.angle != Real(0) && s.stiffness == Real(0) && s.damping == Real(0);
}
template <class Real, int A, int B>
constexpr bool lacks_values(const SlotClearance<Real, A, B>& s) {
  return s.half_length == Real(0);
}
template <class Real, int A, int B>
constexpr bool lacks_values(const Backlash<Real, A, B>& b) {
  constexpr Real most = Real(0.5);  // m; ratios of angles below 0.5 are written with the larger factor
  const bool default_A = b.r_A == Real(-1), default_B = b.r_B == Real(1);
  return (default_A && !default_B && absolute(b.r_B) < most) || (default_B && !default_A && absolute(b.r_A) < most);
}

template <class Part>
using radius_in = decltype(const_object<Part>().radius);
template <class Part>
using corners_in = decltype(const_object<Part>().corner[0].x);
template <class Part>
using half_sides_in = decltype(const_object<Part>().a + const_object<Part>().b);

// Returns the largest length that a part defines: a radius, the half sides of a slider, or a coordinate of a corner.
template <class Real, class Part>
Real length_of(const Part& part) {
  Real length = Real(0);
  if constexpr (detected<radius_in, Part>) length = absolute(Real(part.radius));
  if constexpr (detected<half_sides_in, Part>)
    length = larger(length, larger(absolute(Real(part.a)), absolute(Real(part.b))));
  if constexpr (detected<corners_in, Part>)
    for (const auto& c : part.corner) length = larger(length, larger(absolute(Real(c.x)), absolute(Real(c.y))));
  return length;
}

// Returns true if the speed of a drive is too large for its increment in a step, acceleration dt.
template <class Real>
constexpr bool is_below_resolution(Real increment, Real speed) {
  return increment > Real(0) && increment < Real(8) * epsilon<Real> * absolute(speed);
}
template <class Part>
using ramp_in = decltype(const_object<Part>().law.acceleration * const_object<Part>().law.speed);
template <class Part, class Real>
constexpr bool ramp_stalls([[maybe_unused]] const Part& part, [[maybe_unused]] Real dt) {
  if constexpr (detected<ramp_in, Part>)
    return is_below_resolution(Real(part.law.acceleration) * dt, Real(part.law.speed));
  else
    return false;
}

// Reports a polygon that crosses itself: two edges without a common corner intersect.
template <class Part, class Real>
void check_polygon(const Part&, int, CheckReport<Real>&) {}
template <class Real, int A, int B, int edges, int numbers>
void check_polygon(const PointOnPolygon<Real, A, B, edges, numbers>& part, int index, CheckReport<Real>& report) {
  const auto corner = [&part](int j) { return part.corner[j % edges]; };
  const auto side = [](Point<Real> a, Point<Real> b, Point<Real> p) { return cross(b - a, p - a); };
  for (int i = 0; i < edges; ++i)
    for (int j = i + 2; j < edges && j - i < edges - 1; ++j) {
      const Point<Real> a = corner(i), b = corner(i + 1), c = corner(j), d = corner(j + 1);
      const bool crossed = side(a, b, c) * side(a, b, d) < Real(0) && side(c, d, a) * side(c, d, b) < Real(0);
      report.add({Member::part_curve, index, i, crossed ? Real(1) : Real(0), Real(0)});
    }
}

// Returns true if two parts of one type have identical values that are not all defaults.
template <class Part>
bool are_equal([[maybe_unused]] const Part& one, [[maybe_unused]] const Part& other) {
  if constexpr (std::is_trivially_copyable_v<Part> && !std::is_empty_v<Part>) {
    if (std::memcmp(&one, &other, sizeof(Part)) != 0) return false;
    if constexpr (!detected<field_in, Part> && std::is_default_constructible_v<Part>) {
      const Part defaults{};
      return std::memcmp(&one, &defaults, sizeof(Part)) != 0;
    }
    return true;
  } else {
    return false;
  }
}

// Checks R(theta) and its slope over one turn. Other parts have no curve.
template <class Part, class Real>
void check_curve(const Part&, int, const CheckOptions<Real>&, CheckReport<Real>&) {}
template <class Real, int A, int B, class Curve>
void check_curve(const PointOnCurve<Real, A, B, Curve>& part, int index, const CheckOptions<Real>& options,
                 CheckReport<Real>& report) {
  constexpr int angles = 64;
  constexpr Real between = Real(0.382);  // position between two grid angles: few curves have a knot there
  constexpr Real least = Real(1e-3);     // relative; a curve from a table has a second derivative that jumps
  const auto R = [&part](Real theta) { return part.curve(theta); };
  const auto angle = [](int k) { return pi<Real> * (2 * (Real(k) + between) / Real(angles) - 1); };
  Real scale = Real(0), size = Real(0);
  for (int k = 0; k < angles; ++k) {
    const PolarRadius<Real> at = R(angle(k));
    scale = larger(scale, absolute(at.slope));
    size = larger(size, absolute(at.radius));
    report.add({Member::part_curve, index, k, at.radius > Real(0) ? Real(0) : Real(1), Real(0)});
  }
  const Real h = options.step_q;  // rad
  const Real allowed =
      larger(options.tolerance, least) * (scale + options.tolerance * size) + Real(8) * epsilon<Real> * size / h;
  for (int k = 0; k < angles; ++k) {
    const Real expected = difference<Real>(h, [&](Real d) { return R(angle(k) + d).radius; });
    report.add({Member::part_curve, index, k, absolute(R(angle(k)).slope - expected), allowed});
  }
  const Real open = absolute(R(pi<Real>).radius - R(-pi<Real>).radius);
  report.add({Member::part_curve, index, -1, open, options.tolerance * size});
}

// Errors of the directions of an open contact and of their rate, relative to 1.
template <class Real>
struct OpenContactError {
  Real directions = Real(0), bias = Real(0);
};
// PointOnCurve approximates the nearest point: the error of the directions is (gap / R)^3, that of their rate is
// 3 (gap / R)^2 for a circle. The factor 36 permits radii of curvature down to R / 3.
template <class Part, class Real>
OpenContactError<Real> error_of_open_contact(const Part&, Real) {
  return {};
}
template <class Real, int A, int B, class Curve>
OpenContactError<Real> error_of_open_contact(const PointOnCurve<Real, A, B, Curve>& part, Real gap) {
  const Real ratio = gap / part.curve(Real(0)).radius;
  return {absolute(ratio * ratio * ratio), Real(36) * ratio * ratio};
}
// Returns the errors of contact i of a model at a given gap.
template <class Model, class Real>
OpenContactError<Real> error_of_contact([[maybe_unused]] const Model& model, [[maybe_unused]] int i,
                                        [[maybe_unused]] Real gap) {
  OpenContactError<Real> error;
  if constexpr (is_mechanism<Model>)
    Model::List::template find<contacts_in>(model, i,
                                            [&](const auto& part, int) { error = error_of_open_contact(part, gap); });
  return error;
}

// Checks the values of the parts of a mechanism.
template <class Model, class Real>
void check_part_values(const Model& model, const CheckOptions<Real>& options, CheckReport<Real>& report) {
  using List = typename Model::List;
  for (int b = 0; b < List::bodies; ++b)
    if (const auto& body = model.body[b]; body.m > Real(0) && body.J > Real(0))
      report.add({Member::part_size, -1, b, sqrt(body.J / body.m), 3 * options.length});
  List::for_each(model, [&](auto i, const auto& part) {
    using Part = std::decay_t<decltype(part)>;
    report.add({Member::part_values, i, 0, detail::lacks_values(part) ? Real(1) : Real(0), Real(0)});
    report.add({Member::part_size, i, -1, detail::length_of<Real>(part), 3 * options.length});
    report.add({Member::part_values, i, 1, detail::ramp_stalls(part, options.dt) ? Real(1) : Real(0), Real(0)});
    detail::check_curve(part, i, options, report);
    detail::check_polygon(part, i, report);
    List::for_each(model, [&]([[maybe_unused]] auto j, [[maybe_unused]] const auto& other) {
      if constexpr (std::is_same_v<std::decay_t<decltype(other)>, Part>)
        if (int(j) < int(i) && &part != &other)
          report.add({Member::part_equal, i, int(j), detail::are_equal(part, other) ? Real(1) : Real(0), Real(0)});
    });
  });
}

}  // namespace detail
}  // namespace moreau
