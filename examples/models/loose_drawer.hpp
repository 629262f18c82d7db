// Drawer between four faces with play. The handle is beside the middle, so a pull turns the drawer until opposite corners
// touch.
//
//   normal force of each of these corners   N = F b / depth         b: distance of the handle from the middle
//   the drawer slides for                   F (1 - 2 mu b / depth) > mu m g
#pragma once
#include <moreau/spatial.hpp>

namespace models {

template <class R>
struct LooseDrawerParts {
  using Real = R;
  enum Names { drawer, bodies };
  static constexpr R beside{0.14}, pulling{20};  // m, N

  moreau::spatial::Body<R> body[bodies];
  moreau::spatial::GuideClearance<R, moreau::ground, drawer> channel;
  moreau::spatial::Pull<R, moreau::ground, drawer> pull;
  moreau::spatial::Gravity<R> gravity;

  auto parts() const { return std::tie(channel, pull, gravity); }

  explicit LooseDrawerParts(R depth = R(0.12)) {
    const R m = R(0.5), x = depth / 2, y = R(0.15), z = R(0.04);  // kg, m
    body[drawer] = {m, {m / 3 * (y * y + z * z), m / 3 * (x * x + z * z), m / 3 * (x * x + y * y)}};
    channel.axis_A = channel.axis_B = {1, 0, 0};
    channel.normal_A = channel.normal_B = {0, 1, 0};
    channel.half = {x, y, z};
    channel.play = R(5e-4);
    channel.law = {R(0.1), 0, R(0.3)};
    pull.force = {pulling, 0, 0};
    pull.on_B = {x, beside, 0};
  }
  // Returns the force that the contacts leave for the motion, N.
  R remaining_force() const {
    const auto& law = channel.law;
    return pulling * (1 - law.mu * beside / channel.half.x) - law.mu * body[drawer].m * -gravity.g.z;
  }
  template <class Scene>
  void solids(Scene& draw) const {
    draw.rod(drawer, {channel.half.x, beside, 0}, {channel.half.x + R(0.03), beside, 0}, R(0.006));
    draw.ball(drawer, {channel.half.x + R(0.035), beside, 0}, R(0.012));
  }
};

template <class R>
using LooseDrawer = moreau::Mechanism<LooseDrawerParts<R>>;

}  // namespace models
