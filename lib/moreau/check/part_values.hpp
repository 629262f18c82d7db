// Check of parts whose values are in their ranges, although the part then has no effect or a wrong one.
//
//   part_values   a one-sided spring or stop without a limit, or without stiffness and damping; a Backlash with one
//                 factor at its default 1 and the other below 0.5, as if one base radius were missing
//   part_equal    two parts of one type with identical values, for example two Gravity parts: the part acts twice.
//                 Parts whose values are all defaults are exempt, because programs set inputs during a run. A field
//                 such as Gravity is not exempt
//   part_curve    PointOnCurve: R > 0, R(-pi) = R(pi), and dR/dtheta equals the difference quotient of R at 64 angles
//
// Two equal springs at the same points are one spring with twice the stiffness.
#pragma once

#include <cstring>
#include <limits>
#include <type_traits>

#include "moreau/check/findings.hpp"
#include "moreau/joints/backlash.hpp"
#include "moreau/joints/point_on_curve.hpp"
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
constexpr bool lacks_values(const Backlash<Real, A, B>& b) {
  constexpr Real most = Real(0.5);  // m; ratios of angles below 0.5 are written with the larger factor
  const bool default_A = b.r_A == Real(-1), default_B = b.r_B == Real(1);
  return (default_A && !default_B && absolute(b.r_B) < most) || (default_B && !default_A && absolute(b.r_A) < most);
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

// Returns the error of the directions of an open contact, relative to 1. PointOnCurve approximates the nearest point.
template <class Part, class Real>
Real error_of_open_contact(const Part&, Real) {
  return Real(0);
}
template <class Real, int A, int B, class Curve>
Real error_of_open_contact(const PointOnCurve<Real, A, B, Curve>& part, Real gap) {
  const Real ratio = gap / part.curve(Real(0)).radius;
  return absolute(ratio * ratio * ratio);
}

// Checks the values of the parts of a mechanism.
template <class Model, class Real>
void check_part_values(const Model& model, const CheckOptions<Real>& options, CheckReport<Real>& report) {
  using List = typename Model::List;
  List::for_each(model, [&](auto i, const auto& part) {
    using Part = std::decay_t<decltype(part)>;
    report.add({Member::part_values, i, 0, detail::lacks_values(part) ? Real(1) : Real(0), Real(0)});
    detail::check_curve(part, i, options, report);
    List::for_each(model, [&]([[maybe_unused]] auto j, [[maybe_unused]] const auto& other) {
      if constexpr (std::is_same_v<std::decay_t<decltype(other)>, Part>)
        if (int(j) < int(i) && &part != &other)
          report.add({Member::part_equal, i, int(j), detail::are_equal(part, other) ? Real(1) : Real(0), Real(0)});
    });
  });
}

}  // namespace detail
}  // namespace moreau
