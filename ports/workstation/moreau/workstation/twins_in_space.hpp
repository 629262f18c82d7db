// Joints in space in double, and their ideal twins, for poses without clearance (ideal_pose.hpp).
//
//   ball in a socket    spherical
//
// A user-defined joint has no twin. Unit directions are normalised again in double.
#pragma once
#include <cmath>
#include <moreau/spatial.hpp>

namespace moreau::workstation::detail {

template <class R>
spatial::Point<double> in_double(const spatial::Point<R>& p) {
  return {double(p.x), double(p.y), double(p.z)};
}
template <class R>
spatial::Point<double> direction_in_double(const spatial::Point<R>& p) {
  const spatial::Point<double> a = in_double(p);
  return (1 / std::sqrt(dot(a, a))) * a;
}
template <class R, int A, int B>
spatial::SphericalClearance<double, A, B> in_double(const spatial::SphericalClearance<R, A, B>& j) {
  return {in_double(j.on_A), in_double(j.on_B), double(j.play), double(j.radius), {}};
}

template <class R, int A, int B>
auto ideal_twin(const spatial::SphericalClearance<R, A, B>& j) {
  return spatial::Spherical<double, A, B>{in_double(j.on_A), in_double(j.on_B)};
}
template <class R, int A, int B>
auto ideal_twin(const spatial::Spherical<R, A, B>& j) {
  return spatial::Spherical<double, A, B>{in_double(j.on_A), in_double(j.on_B)};
}
template <class R, int A, int B>
auto ideal_twin(const spatial::Universal<R, A, B>& j) {
  return spatial::Universal<double, A, B>{in_double(j.on_A), direction_in_double(j.axis_A), in_double(j.on_B),
                                          direction_in_double(j.axis_B)};
}
template <class R, int A, int B, int points, bool holds_normal>
auto ideal_twin(const spatial::detail::AxisJoint<R, A, B, points, holds_normal>& j) {
  spatial::detail::AxisJoint<double, A, B, points, holds_normal> twin;
  twin.on_A = in_double(j.on_A), twin.axis_A = direction_in_double(j.axis_A);
  twin.on_B = in_double(j.on_B), twin.axis_B = direction_in_double(j.axis_B);
  if constexpr (holds_normal)
    twin.normal_A = direction_in_double(j.normal_A), twin.normal_B = direction_in_double(j.normal_B);
  return twin;
}

template <class R>
spatial::Frame<R> as(const spatial::Frame<double>& frame) {
  const auto cast = [](const spatial::Point<double>& p) { return spatial::Point<R>{R(p.x), R(p.y), R(p.z)}; };
  return {cast(frame.r), cast(frame.x), cast(frame.y), cast(frame.z)};
}

// Geometry of a parts list, in double.
template <class Geometry>
struct GeometryInDouble {
  using type = moreau::detail::PlaneGeometry<double>;
  template <class Q>
  static Q displaced(const Q& q, const Q& d) {
    return q + d;
  }
};
template <class R>
struct GeometryInDouble<spatial::detail::SpaceGeometry<R>> {
  using type = spatial::detail::SpaceGeometry<double>;
  template <class Q>
  static Q displaced(const Q& q, const Q& d) {
    Q moved = q + d;
    for (int first = 3; first < int(q.size()); first += type::coordinates) {
      using spatial::detail::point_of;
      spatial::detail::set_point(moved, first, spatial::detail::rotated(point_of(q, first), point_of(d, first)));
    }
    return moved;
  }
};

}  // namespace moreau::workstation::detail
