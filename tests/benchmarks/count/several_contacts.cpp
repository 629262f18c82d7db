// Cost of a step with several closed contacts or friction elements in the direct solution (step/nested_contacts.hpp),
// for mechanisms in joint coordinates with steps of second order.
#include <moreau/mechanism.hpp>
#include <moreau/port/exit.hpp>

#include "models/four_bar.hpp"
#include "models/loose_slider_crank.hpp"
#include "trajectory.hpp"

namespace {

using counting::Real;
counting::Unsolved unsolved;

// Clearance in the guide, friction in all pins.
struct FrictionCrankParts : models::SliderCrankParts<Real> {
  using Base = models::SliderCrankParts<Real>;
  moreau::TurningFriction<Real, moreau::ground, Base::crank> seal;
  moreau::TurningFriction<Real, Base::crank, Base::rod> pin;
  moreau::TurningFriction<Real, Base::rod, Base::slider> wrist;
  auto parts() const { return std::tie(bearing, crank_pin, wrist_pin, guide, gravity, seal, pin, wrist); }
  FrictionCrankParts() { seal.bound = pin.bound = wrist.bound = Real(0.002); }  // N m
};

// Clearance in three bearings, and two meshes with backlash.
struct GearTrainParts {
  using Real = counting::Real;
  enum Names { pinion, idler, wheel, bodies };

  moreau::Body<Real> body[bodies] = {{Real(0.2), Real(5e-5)}, {Real(0.6), Real(4e-4)}, {Real(2), Real(4e-3)}};
  moreau::RevoluteClearance<Real, moreau::ground, pinion> first_bearing;
  moreau::RevoluteClearance<Real, moreau::ground, idler> second_bearing;
  moreau::RevoluteClearance<Real, moreau::ground, wheel> third_bearing;
  moreau::Backlash<Real, pinion, idler> fast_mesh;
  moreau::Backlash<Real, idler, wheel> slow_mesh;
  moreau::Motor<Real, moreau::ground, pinion> motor;
  moreau::Motor<Real, moreau::ground, wheel> load;
  moreau::Gravity<Real> gravity;
  auto parts() const {
    return std::tie(first_bearing, second_bearing, third_bearing, fast_mesh, slow_mesh, motor, load, gravity);
  }

  GearTrainParts() {
    const moreau::ContactLaw<Real> law{Real(0.3), Real(0), Real(0.1)};
    second_bearing.on_A.x = Real(0.06);
    third_bearing.on_A.x = Real(0.18);
    const auto loosen = [&](auto& bearing) {
      bearing.play = Real(5e-5);
      bearing.radius = Real(6e-3);
      bearing.law = law;
    };
    loosen(first_bearing);
    loosen(second_bearing);
    loosen(third_bearing);
    fast_mesh.r_A = Real(0.02);
    fast_mesh.r_B = slow_mesh.r_A = Real(0.04);
    slow_mesh.r_B = Real(0.08);
    fast_mesh.play = slow_mesh.play = Real(1e-4);
    fast_mesh.law = slow_mesh.law = law;
    motor.damping = Real(1e-4);
    load.damping = Real(1e-3);
  }
};

// `before_step(model, n)` sets the inputs of step n.
template <class Parts, class Inputs>
void count_both(const char* name, const moreau::State<moreau::Mechanism<Parts>>& start, Real dt,
                const Inputs& before_step) {
  const moreau::Mechanism<Parts> model;
  counting::count_trajectory<moreau::Timing::constant>(name, "exact", model, start, moreau::Exact{}, dt,
                                                       MOREAU_COUNT_STEPS, unsolved, before_step);
  counting::count_trajectory<moreau::Timing::variable>(name, "exact", model, start, moreau::Exact{}, dt,
                                                       MOREAU_COUNT_STEPS, unsolved, before_step);
}

// State of the slider-crank with centred pins, for any of its parts lists.
template <class Parts>
moreau::State<moreau::Mechanism<Parts>> crank_start() {
  const models::SliderCrank<Real> hand;
  return models::centred_at_angles(moreau::Mechanism<Parts>{}, hand, hand.start().q, hand.start().u);
}

}  // namespace

int main() {
  const auto no_inputs = [](auto&, int) {};
  using FourBar = models::FourBarWithPlayParts<Real>;  // clearance in three of four pins
  count_both<FourBar>("fourbar_nested", models::four_bar_start<moreau::Mechanism<FourBar>>(Real(30)), Real(1e-4),
                      no_inputs);
  using LooseCrank = models::LooseSliderCrankParts<Real>;  // clearance in all three pins and in the guide
  count_both<LooseCrank>("slidercrank_loose", crank_start<LooseCrank>(), Real(1e-5), no_inputs);
  count_both<FrictionCrankParts>("slidercrank_friction", crank_start<FrictionCrankParts>(), Real(1e-5), no_inputs);

  moreau::State<moreau::Mechanism<GearTrainParts>> gears;
  using Gears = moreau::Mechanism<GearTrainParts>;
  gears.q(Gears::x_of<Gears::idler>) = Real(0.06);  // m
  gears.q(Gears::x_of<Gears::wheel>) = Real(0.18);
  count_both<GearTrainParts>("gear_train", gears, Real(1e-4), [](auto& model, int n) {
    model.motor.torque = n / 1000 % 2 == 0 ? Real(0.05) : Real(-0.05);  // N m
  });
  return unsolved.exit_code();
}
