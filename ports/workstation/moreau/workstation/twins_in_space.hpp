// Joints in space in double, and their ideal twins, for poses without clearance (ideal_pose.hpp).
//
//   ball in a socket    spherical            ring between two faces    in the middle plane
//   pin in a bush       cylindrical          box in a channel          prismatic
//
// A ball on a plane or on a ball, and a user-defined joint, have no twin. Unit directions are normalised again in double.
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
spatial::CylindricalClearance<double, A, B> in_double(const spatial::CylindricalClearance<R, A, B>& j) {
  return {in_double(j.on_A),
          direction_in_double(j.axis_A),
          in_double(j.on_B),
          direction_in_double(j.axis_B),
          double(j.half_A),
          double(j.half_B),
          double(j.play),
          double(j.radius),
          {}};
}
template <class R, int A, int B, int points>
spatial::ThrustClearance<double, A, B, points> in_double(const spatial::ThrustClearance<R, A, B, points>& j) {
  spatial::ThrustClearance<double, A, B, points> made;
  made.on_A = in_double(j.on_A), made.axis_A = direction_in_double(j.axis_A);
  made.on_B = in_double(j.on_B), made.axis_B = direction_in_double(j.axis_B);
  made.play = double(j.play), made.ring = double(j.ring);
  return made;
}
template <class R, int A, int B>
spatial::GuideClearance<double, A, B> in_double(const spatial::GuideClearance<R, A, B>& j) {
  return {in_double(j.on_A),
          direction_in_double(j.axis_A),
          in_double(j.on_B),
          direction_in_double(j.axis_B),
          direction_in_double(j.normal_A),
          direction_in_double(j.normal_B),
          in_double(j.half),
          double(j.play),
          {}};
}
template <class R, int A, int B>
spatial::BallOnPlane<double, A, B> in_double(const spatial::BallOnPlane<R, A, B>& j) {
  return {in_double(j.on_A), direction_in_double(j.normal), in_double(j.on_B), double(j.radius), {}};
}
template <class R, int A, int B>
spatial::BallOnBall<double, A, B> in_double(const spatial::BallOnBall<R, A, B>& j) {
  return {in_double(j.on_A), in_double(j.on_B), double(j.radius_A), double(j.radius_B), {}};
}

// Ideal joint with the points and axes of a joint with play.
template <int points, int A, int B, class Joint>
auto twin_about_axis(const Joint& joint) {
  const auto j = in_double(joint);
  return spatial::detail::AxisJoint<double, A, B, points, false>{j.on_A, j.axis_A, j.on_B, j.axis_B, {}, {}};
}
template <class R, int A, int B>
auto ideal_twin(const spatial::CylindricalClearance<R, A, B>& j) {
  return twin_about_axis<2, A, B>(j);
}
template <class R, int A, int B, int points>
auto ideal_twin(const spatial::ThrustClearance<R, A, B, points>& j) {
  return twin_about_axis<1, A, B>(j);
}
template <class R, int A, int B>
auto ideal_twin(const spatial::GuideClearance<R, A, B>& joint) {
  const auto j = in_double(joint);
  return spatial::Prismatic<double, A, B>{j.on_A, j.axis_A, j.on_B, j.axis_B, j.normal_A, j.normal_B};
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
