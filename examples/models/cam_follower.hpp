// Cam with a roller follower: the cam turns at a commanded speed, a spring holds the roller on it.
//
//   R(theta) = radius + lift / 2 (1 - cos(lobes theta))    path of the roller's centre in the cam
//   y = R(pi/2 - phi)                                      height of the roller while it is in contact
#pragma once
#include <moreau/mechanism.hpp>

namespace models {

template <class R>
struct CamCurve {
  R radius = R(0.03), lift = R(0.008), lobes = R(2);  // m, m, 1
  moreau::PolarRadius<R> operator()(R theta) const {
    const auto s = moreau::sincos(lobes * theta);
    return {radius + lift / 2 * (R(1) - s.cos), lift / 2 * lobes * s.sin};
  }
};

template <class R>
struct CamFollowerParts {
  using Real = R;
  enum Names { cam, follower, bodies };
  moreau::Body<R> body[bodies] = {{R(0.5), R(3e-4)}, {R(0.2), R(1e-4)}};  // kg, kg m^2
  moreau::Revolute<R, moreau::ground, cam> shaft;
  moreau::Drive<R, moreau::ground, cam> drive{{R(20)}};  // rad/s
  moreau::Prismatic<R, moreau::ground, follower> guide;
  moreau::PointOnCurve<R, cam, follower, CamCurve<R>> roller;
  moreau::Spring<R, moreau::ground, follower> spring;
  auto parts() const { return std::tie(shaft, drive, guide, roller, spring); }

  CamFollowerParts() {
    guide.axis = {R(0), R(1)};
    roller.radius = R(0.008);  // m
    spring.on_A = {R(0), R(0.1)};
    spring.length = R(0.12);    // m; preload: force stiffness (0.02 m + y)
    spring.stiffness = R(800);  // N/m
  }
  R height(R angle) const { return roller.curve(moreau::pi<R> / 2 - angle).radius; }  // m, of the roller's centre
};

template <class R>
using CamFollower = moreau::Mechanism<CamFollowerParts<R>>;

// The roller on the cam at phi = 0, both with the commanded speed.
template <class Model>
moreau::State<Model> cam_follower_start(const Model& model) {
  using R = typename Model::Real;
  const auto there = model.roller.curve(moreau::pi<R> / 2);
  moreau::State<Model> start;
  start.q(Model::template slide_of<Model::follower>) = there.radius;
  start.u(Model::template slide_of<Model::follower>) = -there.slope * model.drive.law.speed;
  start.u(Model::template angle_of<Model::cam>) = model.drive.law.speed;
  return start;
}

}  // namespace models
