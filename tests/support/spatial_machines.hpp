// Mechanisms in space for tests and counts: two bodies joined by one part, a pendulum on a loose ball, a slider-crank in
// space (RSSP) with a loose ball at the crank, and a shaft in a loose bush between thrust faces.
#pragma once

#include <moreau/spatial.hpp>

namespace spatial_machines {

namespace sp = moreau::spatial;
using moreau::ground;

template <class R, class Part>
struct Pair {
  using Real = R;
  enum Names { a, b, bodies };
  sp::Body<R> body[bodies] = {{R(0.5), {R(0.01), R(0.02), R(0.025)}}, {R(0.3), {R(0.02), R(0.008), R(0.015)}}};
  Part part;
  auto parts() const { return std::tie(part); }
};

template <class R>
struct Pendulum {
  using Real = R;
  enum Names { bob, bodies };
  sp::Body<R> body[bodies] = {{R(0.5), {R(1e-3), R(1.2e-3), R(3e-4)}}};
  sp::SphericalClearance<R, ground, bob> ball{{}, {0, 0, R(0.1)}, R(2e-4), R(5e-3), {R(0.4), 0, R(0.1)}};
  sp::Gravity<R> gravity;
  auto parts() const { return std::tie(ball, gravity); }
};
template <class R>
moreau::State<moreau::Mechanism<Pendulum<R>>> pendulum_start() {
  const moreau::Mechanism<Pendulum<R>> model;
  moreau::State<moreau::Mechanism<Pendulum<R>>> s;
  const auto q = sp::rotation(sp::Point<R>{0, 1, 0}, R(0.7));
  model.place(s, 0, -sp::Frame<R>::at({}, q).turn({0, 0, R(0.1)}), q);
  model.move(s, 0, {0, R(0.3), 0}, {R(-3), 0, 2});
  return s;
}

// Crank about z; the slider moves along x, beside and above the plane of the crank.
template <class R>
struct Rssp {
  using Real = R;
  enum Names { crank, rod, slider, bodies };
  sp::Body<R> body[bodies] = {{R(0.1), {R(1e-4), R(1e-4), R(2e-4)}},
                              {R(0.05), {R(2e-4), R(2e-4), R(1e-5)}},
                              {R(0.2), {R(2e-4), R(2e-4), R(2e-4)}}};
  sp::Revolute<R, ground, crank> bearing;
  sp::SphericalClearance<R, crank, rod> pin{
      {R(0.05), 0, R(0.01)}, {0, 0, R(-0.1)}, R(2e-4), R(5e-3), {R(0.4), 0, R(0.1)}};
  sp::Spherical<R, rod, slider> wrist{{0, 0, R(0.1)}, {}};
  sp::Prismatic<R, ground, slider> guide{{0, R(0.02), R(0.06)}, {1, 0, 0}, {}, {1, 0, 0}, {0, 0, 1}, {0, 0, 1}};
  sp::Motor<R, ground, crank> motor{{0, 0, 1}, R(0.05), R(1e-3)};
  sp::Gravity<R> gravity{{0, R(-9.81), 0}};
  auto parts() const { return std::tie(bearing, pin, wrist, guide, motor, gravity); }
};
// The crank at 0, turning with 30 rad/s.
template <class R>
moreau::State<moreau::Mechanism<Rssp<R>>> rssp_start() {
  const moreau::Mechanism<Rssp<R>> model;
  moreau::State<moreau::Mechanism<Rssp<R>>> s;
  using P = sp::Point<R>;
  const R y = R(0.02), z = R(0.05), x = moreau::sqrt(R(0.04) - y * y - z * z);
  const P along{x * 5, y * 5, z * 5}, pin{R(0.05), 0, R(0.01)};
  const P axis{-along.y, along.x, 0};  // from z to the rod
  const R sine = moreau::sqrt(dot(axis, axis)), half = moreau::sqrt((1 + along.z) / 2);
  const R scale = sine / (2 * half) / sine;
  model.place(s, Rssp<R>::rod, pin + R(0.1) * along, {half, scale * axis.x, scale * axis.y, 0});
  model.place(s, Rssp<R>::slider, pin + R(0.2) * along);
  model.move(s, Rssp<R>::crank, {}, {0, 0, 30});
  return s;
}

template <class R>
struct Shaft {
  using Real = R;
  enum Names { shaft, bodies };
  sp::Body<R> body[bodies] = {{R(0.5), {R(4e-4), R(4.2e-4), R(1e-4)}}};
  sp::CylindricalClearance<R, ground, shaft> bush{{},      {0, 0, 1}, {0, 0, R(-0.02)}, {0, 0, 1},          R(0.03),
                                                  R(0.06), R(1e-4),   R(0.01),          {R(0.2), 0, R(0.1)}};
  sp::ThrustClearance<R, ground, shaft> thrust{{},      {0, 0, 1}, {0, 0, R(-0.02)},   {0, 0, 1},
                                               R(2e-4), R(0.02),   {R(0.2), 0, R(0.1)}};
  sp::Motor<R, ground, shaft> motor{{0, 0, 1}, R(0.02), R(1e-4)};
  sp::Pull<R, ground, shaft> load{{0, 0, R(-0.5)}, {R(0.002), 0, 0}};  // beside the axis
  sp::Gravity<R> gravity{{R(-9.81), 0, 0}};
  auto parts() const { return std::tie(bush, thrust, motor, load, gravity); }
};
template <class R>
moreau::State<moreau::Mechanism<Shaft<R>>> shaft_start() {
  const moreau::Mechanism<Shaft<R>> model;
  moreau::State<moreau::Mechanism<Shaft<R>>> s;
  model.place(s, 0, {0, 0, R(0.02)});
  model.move(s, 0, {}, {R(0.5), 0, 50});
  return s;
}

// The shaft with rows for six contacts: both ends of the bush and the four points of one thrust face.
template <class R>
struct LimitedShaft : Shaft<R> {
  static constexpr int max_closed = 6;
};
template <class R>
moreau::State<moreau::Mechanism<LimitedShaft<R>>> limited_shaft_start() {
  const auto start = shaft_start<R>();
  moreau::State<moreau::Mechanism<LimitedShaft<R>>> s;
  s.q = start.q;
  s.u = start.u;
  return s;
}

}  // namespace spatial_machines
