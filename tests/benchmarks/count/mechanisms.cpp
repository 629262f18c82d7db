// Cost of a step for mechanisms from parts: a slider-crank with clearance in its guide, the same with a drive at its
// crank, a gear pair with backlash under a reversing motor, a four-bar with clearance in three joints. In the four-bar all three joints are nearly
// always in contact at once, which constant time by Exact does not cover.
#include <moreau/mechanism.hpp>
#include <moreau/port/exit.hpp>

#include "models/four_bar.hpp"
#include "models/gear_drive.hpp"
#include "models/slider_crank_parts.hpp"
#include "trajectory.hpp"

namespace {

using counting::Real;
counting::Unsolved unsolved;

// Slider-crank with a commanded drive: at a closed corner, the drive prescribes the sliding velocity.
struct DrivenCrankParts : models::SliderCrankParts<Real> {
  moreau::Drive<Real, moreau::ground, crank> drive{{Real(150)}};  // rad/s
  auto parts() const { return std::tuple_cat(models::SliderCrankParts<Real>::parts(), std::tie(drive)); }
};

// `before_step(model, n)` sets the inputs of step n.
template <moreau::Timing timing, class Model, class Inputs>
void count_steps(const char* name, const Model& model, const moreau::State<Model>& start, Real dt,
                 const Inputs& before_step) {
  counting::count_trajectory<timing>(name, "exact", model, start, moreau::Exact{}, dt, MOREAU_COUNT_STEPS, unsolved,
                                     before_step);
}

template <class Model, class Inputs>
void count_both(const char* name, const Model& model, const moreau::State<Model>& start, Real dt,
                const Inputs& before_step) {
  count_steps<moreau::Timing::constant>(name, model, start, dt, before_step);
  count_steps<moreau::Timing::variable>(name, model, start, dt, before_step);
}

}  // namespace

int main() {
  const auto no_inputs = [](auto&, int) {};

  const models::SliderCrank<Real> hand;
  const models::SliderCrankFromParts<Real> crank;
  count_both("slidercrank_parts", crank, models::from_angles(hand, hand.start().q, hand.start().u), Real(1e-5),
             no_inputs);

  using DrivenCrank = moreau::Mechanism<DrivenCrankParts>;
  const auto driven = models::centred_at_angles(DrivenCrank{}, hand, hand.start().q, hand.start().u);
  count_both("slidercrank_driven", DrivenCrank{}, driven, Real(1e-5), no_inputs);

  using Gear = models::GearDrive<Real>;
  count_both("gear", Gear{}, models::gear_drive_start(Gear{}), Real(1e-4),
             [](Gear& gear, int n) { gear.motor.torque = n / 500 % 2 == 0 ? Real(0.05) : Real(-0.05); });

  using FourBar = models::FourBarWithPlay<Real>;
  count_steps<moreau::Timing::variable>("fourbar", FourBar{}, models::four_bar_start<FourBar>(Real(30)), Real(1e-4),
                                        no_inputs);
  return unsolved.exit_code();
}
