// Spatial slider-crank (RSSP): a crank turns about z; a rod with a ball at either end drives a slider along x, beside and
// above the plane of the crank. The rod leaves every plane.
//
//   slider without play at the crank angle phi:   x = r cos phi + sqrt(l^2 - (y - r sin phi)^2 - z^2)
//
// y and z: offset of the slider from the centre of the ball at the crank. The ball at the crank has play. A torque that
// decreases with speed drives the crank.
#pragma once
#include <moreau/spatial.hpp>

namespace models {

template <class R>
struct SpatialSliderCrankParts {
  using Real = R;
  enum Names { crank, rod, slider, bodies };
  static constexpr R r{0.05}, l{0.2}, y{0.02}, z{0.05}, above{0.01};  // m; above: ball over the plane of the bearing

  moreau::spatial::Body<R> body[bodies] = {{R(0.1), {R(1e-4), R(1e-4), R(2e-4)}},
                                           {R(0.05), {R(1e-5), R(2e-4), R(2e-4)}},
                                           {R(0.2), {R(2e-4), R(2e-4), R(2e-4)}}};
  moreau::spatial::Revolute<R, moreau::ground, crank> bearing;
  moreau::spatial::SphericalClearance<R, crank, rod> ball{
      {r, 0, above}, {-l / 2, 0, 0}, R(2e-4), R(5e-3), {R(0.4), 0, R(0.1)}};
  moreau::spatial::Spherical<R, rod, slider> wrist{{l / 2, 0, 0}, {}};
  moreau::spatial::Prismatic<R, moreau::ground, slider> guide{{0, y, above + z}, {1, 0, 0}, {},
                                                              {1, 0, 0},         {0, 0, 1}, {0, 0, 1}};
  moreau::spatial::Motor<R, moreau::ground, crank> motor{{0, 0, 1}, R(0.05), R(1e-3)};
  moreau::spatial::Gravity<R> gravity;

  auto parts() const { return std::tie(bearing, ball, wrist, guide, motor, gravity); }

  // Returns the position of the slider without play, m.
  R slider_at(R phi) const {
    const auto turn = moreau::sincos(phi);
    return r * turn.cos + moreau::sqrt(l * l - (y - r * turn.sin) * (y - r * turn.sin) - z * z);
  }
};

template <class R>
using SpatialSliderCrank = moreau::Mechanism<SpatialSliderCrankParts<R>>;

// Ball in the middle of its socket, crank at angle 0 and at `speed` (rad/s).
template <class R>
moreau::State<SpatialSliderCrank<R>> centred_spatial_slider_crank(const SpatialSliderCrank<R>& model, R speed) {
  using Model = SpatialSliderCrank<R>;
  using Parts = SpatialSliderCrankParts<R>;
  moreau::State<Model> start;
  const R x = model.slider_at(0) - Parts::r;
  model.place(start, Model::crank, {});
  model.place(start, Model::rod, {Parts::r + x / 2, Parts::y / 2, Parts::above + Parts::z / 2},
              {Parts::l + x, 0, -Parts::z, Parts::y});  // turns x into the direction of the rod
  model.place(start, Model::slider, {Parts::r + x, Parts::y, Parts::above + Parts::z});
  model.move(start, Model::crank, {}, {0, 0, speed});
  return start;
}

}  // namespace models
