// Thin disk that rolls on the edge of its rim (Euler's disk). The joint is user-defined: its contact point is the lowest
// point of the rim, which moves along the rim.
//
//   e: axis of the disk,   a = ((e . z) e - z) / |...|, steepest direction of the disk downwards
//   p = r_S + radius a,    g = p . z,    n = z
//
// Steady motion with the centre at rest: the contact runs around the vertical with
//
//   Omega^2 = 4 g / (radius sin alpha),   omega = Omega (z - cos alpha e),   alpha: angle between the disk and the plane
#pragma once
#include <moreau/spatial.hpp>

namespace models {

template <class R, int A, int B>
struct RimOnPlane {
  static constexpr int body_A = A, body_B = B, contacts = 1;
  R radius{0.04};  // m
  moreau::ContactLaw<R> law{0, 0, R(0.5)};

  moreau::spatial::JointContact<R> contact(int, const moreau::spatial::Frame<R>&,
                                           const moreau::spatial::Frame<R>& disk) const {
    using Point = moreau::spatial::Point<R>;
    const Point z{0, 0, 1}, e = disk.z, down = e.z * e - z;
    const R steep = moreau::sqrt(dot(down, down));
    const Point a = steep > 0 ? R(1) / steep * down : disk.x;
    const Point p = disk.r + radius * a;
    return {p.z, z, {1, 0, 0}, p};
  }
  template <class Scene>
  void solids(Scene& draw) const {
    const R half = radius / 40;
    draw.cylinder(B, {0, 0, -half}, {0, 0, half}, radius);
    draw.rod(B, {0, 0, 2 * half}, {R(0.9) * radius, 0, 2 * half}, half);  // shows the rotation
    draw.face(A, {}, {0, 0, 1}, {1, 0, 0}, 2 * radius, 2 * radius, -1);
    draw.contact("rim", B, {}, -1);
  }
};

template <class R>
struct RollingDiskParts {
  using Real = R;
  enum Names { disk, bodies };
  static constexpr bool second_order = false;
  static constexpr R m{0.4};  // kg

  RimOnPlane<R, moreau::ground, disk> rim;
  moreau::spatial::Body<R> body[bodies] = {
      {m, {m * rim.radius * rim.radius / 4, m* rim.radius* rim.radius / 4, m* rim.radius* rim.radius / 2}}};
  moreau::spatial::Gravity<R> gravity;

  auto parts() const { return std::tie(rim, gravity); }
};

template <class R>
using RollingDisk = moreau::Mechanism<RollingDiskParts<R>>;

}  // namespace models
