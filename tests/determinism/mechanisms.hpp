// The example mechanisms of the endurance runs (endurance.cpp), with their drives.
#pragma once
#include <memory>
#include <moreau/mechanism.hpp>

#include "endurance.hpp"
#include "models/beam.hpp"
#include "models/belt_oscillator.hpp"
#include "models/cam.hpp"
#include "models/driven_slider_crank.hpp"
#include "models/falling_mass.hpp"
#include "models/four_bar.hpp"
#include "models/gear_drive.hpp"
#include "models/impact_oscillator.hpp"
#include "models/loose_slider_crank.hpp"
#include "models/oblique_oscillator.hpp"
#include "models/pendulum_stop.hpp"
#include "models/prismatic_joint_parts.hpp"
#include "models/rolling_pin.hpp"
#include "models/shaken_table.hpp"
#include "models/slider_crank_parts.hpp"
#include "models/sliding_mass.hpp"
#include "models/woodpecker.hpp"
#include "support/second_order.hpp"

namespace endurance {

// With position correction: persistent contacts follow velocities, and in float a table shaken for eight hours would
// penetrate the block by 2.3 um.
template <class Model>
struct Persistent : Model {
  static constexpr bool second_order = true;
  typename Model::Real allowed_penetration(int) const { return typename Model::Real(1e-6); }  // m
};

// The slider-crank from parts with a motor.
template <class R>
struct DrivenParts : models::SliderCrankParts<R> {
  using Base = models::SliderCrankParts<R>;
  static constexpr bool endless = true;
  moreau::Motor<R, moreau::ground, Base::crank> motor;
  auto parts() const { return std::tuple_cat(Base::parts(), std::tie(motor)); }
  DrivenParts() {
    motor.damping = R(0.02);  // N m s
    motor.torque = motor.damping * R(60);
  }
};

// A controller in the loop with a period of one second.
inline bool first_half(std::int64_t n) { return n % steps_of_a_second < steps_of_a_second / 2; }

class Runs {
 public:
  std::vector<std::unique_ptr<Run>> all;

  template <class R>
  void add() {
    resting<R>(), swinging<R>(), machines<R>(), from_parts<R>(), in_space<R>();
  }

 private:
  template <class Stepper, class InCycle, class Tend>
  Run& add_with(const char* name, Kind kind, const char* kept, const typename Stepper::Model& model,
                const moreau::State<typename Stepper::Model>& start, const InCycle& in_cycle, const Tend& tend) {
    all.push_back(std::make_unique<RunOf<Stepper, InCycle, Tend>>(model, start, in_cycle, tend));
    all.back()->name = name, all.back()->kind = kind, all.back()->kept = kept;
    return *all.back();
  }
  template <class Model, class InCycle, class Tend>
  Run& add(const char* name, Kind kind, const char* kept, const Model& model, const moreau::State<Model>& start,
           const InCycle& in_cycle, const Tend& tend) {
    return add_with<moreau::Stepper<Model>>(name, kind, kept, model, start, in_cycle, tend);
  }
  template <class Model, class InCycle, class Tend>
  Run& add(const char* name, Kind kind, const char* kept, const Model& model, const InCycle& in_cycle,
           const Tend& tend) {
    return add(name, kind, kept, model, models::state_at<Model>(model.start()), in_cycle, tend);
  }

  template <class R>
  void resting() {
    const auto rises = [](const auto& s) { return s.u(0) > 0; };
    const auto alone = [](auto&) {};
    add("falling mass", Kind::free, "nothing: it comes to rest", models::FallingMass<R>{}, rises, alone);
    add("sliding mass", Kind::free, "a push of 3 s, then nothing", models::SlidingMass<R>{}, rises, alone);
    add("beam", Kind::free, "a push that its friction holds", models::Beam<R>{}, rises, alone);
    add("pendulum on a stop", Kind::free, "nothing: it comes to rest", models::PendulumStop<R>{}, rises, alone);
    add("slider-crank", Kind::free, "nothing: it comes to rest", models::EndlessSliderCrank<R>{}, rises, alone);
  }

  template <class R>
  void swinging() {
    const auto right = [](const auto& s) { return s.q(0) > 0; };
    const auto rises = [](const auto& s) { return s.u(0) > 0; };
    const auto alone = [](auto&) {};
    add("impact oscillator", Kind::free, "a spring without damping", models::ImpactOscillator<R>{}, rises, alone);
    add("rolling pin", Kind::free, "gravity; it rolls without loss", Persistent<models::RollingPin<R>>{}, right, alone);
    add("belt oscillator", Kind::driven, "a running belt", models::BeltOscillator<R>{}, rises, alone);
    add("cam", Kind::driven, "a prescribed motion, period 0.1 s", Persistent<models::Cam<R>>{}, rises, alone);
    add("shaken table", Kind::driven, "a prescribed motion, period 0.02 s", Persistent<models::ShakenTable<R>>{}, rises,
        alone);
    const models::Woodpecker<R> toy;
    const auto hang_up = [](auto& stepper) {  // before the height loses digits; no other quantity depends on it
      if (stepper.state.q(0) < R(-0.1)) stepper.state.q(0) = 0;
    };
    add(
        "woodpecker", Kind::driven, "its weight; hung up again every 0.1 m", toy,
        models::state_at<models::Woodpecker<R>>(toy.start_on_cycle()), [](const auto& s) { return s.q(2) > 0; },
        hang_up)
        .most = 1000000000;
    using SecondToy = test::Second<models::Woodpecker<R>>;
    add(
        "woodpecker with second_order", Kind::driven, "its weight; hung up again every 0.1 m", SecondToy{},
        models::state_at<SecondToy>(toy.start_on_cycle()), [](const auto& s) { return s.q(2) > 0; }, hang_up);
  }

  template <class R>
  void machines() {
    const auto turned = [](const auto& s) { return s.q(0) > 0; };
    const auto alone = [](auto&) {};
    add("driven slider-crank", Kind::driven, "a motor towards 150 rad/s", models::DrivenSliderCrank<R>{}, turned,
        alone);
    add("driven slider-crank with second_order", Kind::driven, "a motor towards 150 rad/s",
        test::Second<models::DrivenSliderCrank<R>>{}, turned, alone);
    const auto pull = [](auto& stepper) {  // alternating, damped
      stepper.model.f_x = R(100 * (first_half(stepper.state.clock.n) ? 1 : -1)) - R(50) * stepper.state.u(0);
    };
    auto joint = models::PrismaticJoint<R>::paper_case(2);
    joint.eps_N = R(0.4);
    const auto forward = [](const auto& s) { return s.u(0) > 0; };
    add("prismatic joint", Kind::driven, "a pull to and fro, once a second", joint, forward, pull);
    models::CorrectedPrismaticJoint<R> correct_positions;
    correct_positions.s_f = joint.s_f, correct_positions.eps_N = joint.eps_N;
    add("prismatic joint corrected", Kind::driven, "a pull to and fro, once a second", correct_positions, forward,
        pull);
  }

  template <class R>
  void from_parts() {
    const auto alone = [](auto&) {};
    using Prismatic = models::PrismaticJointFromParts<R>;
    add(
        "prismatic joint from parts", Kind::driven, "a pull to and fro, once a second", Prismatic{},
        moreau::State<Prismatic>{}, [](const auto& s) { return s.u(0) > 0; },
        [](auto& stepper) {
          stepper.model.pull.force.x =
              R(100 * (first_half(stepper.state.clock.n) ? 1 : -1)) - R(50) * stepper.state.u(0);
        });
    using Gears = models::GearDrive<R>;
    static constexpr auto motor = Gears::template angle_of<Gears::pinion>,
                          load = Gears::template angle_of<Gears::wheel>;
    add(
        "gear drive", Kind::driven, "a controller: to and fro, once a second", Gears{},
        models::gear_drive_start(Gears{}), [](const auto& s) { return s.u(load) > 0; },
        [](auto& stepper) {
          const R wanted = first_half(stepper.state.clock.n) ? R(6) : R(0);  // rad of the pinion
          const R torque = R(0.05) * (wanted - stepper.state.q(motor)) - R(0.004) * stepper.state.u(motor);
          stepper.model.motor.torque = std::max(R(-0.1), std::min(R(0.1), torque));
        });
    const auto crank_turned = [](const auto& model) {
      return [crank = model.angle_index(model.crank)](const auto& s) { return s.q[crank] > 0; };
    };
    const auto in_line = [](const auto& model) {
      return models::centred_at_angles<std::decay_t<decltype(model)>, R>(model, {}, {0, 0, 0}, {60, -30, 0});
    };
    using Crank = moreau::Mechanism<DrivenParts<R>>;
    add("slider-crank from parts", Kind::driven, "a motor towards 60 rad/s", Crank{}, in_line(Crank{}),
        crank_turned(Crank{}), alone);
    using Loose = moreau::Mechanism<models::LooseSliderCrankParts<R>>;
    add("loose slider-crank", Kind::driven, "a motor towards 60 rad/s", Loose{}, in_line(Loose{}),
        crank_turned(Loose{}), alone);
    using Ideal = models::IdealFourBar<R>;
    add("ideal four-bar", Kind::driven, "a motor towards 30 rad/s", Ideal{}, models::four_bar_start<Ideal>(R(30)),
        crank_turned(Ideal{}), alone);
    using WithPlay = models::FourBarWithPlay<R>;
    add("four-bar with play", Kind::driven, "a motor towards 30 rad/s", WithPlay{},
        models::four_bar_start<WithPlay>(R(30)), crank_turned(WithPlay{}), alone);
  }

  template <class R>
  void in_space() {
    add(
        "sliding mass on a table", Kind::free, "a push of 3 s, then nothing", models::SlidingMassOnTable<R>{},
        [](const auto& s) { return s.u(0) > 0; }, [](auto&) {});
    using Oscillator = models::ObliqueOscillator<R>;
    Oscillator rough;
    rough.mu = R(0.13);  // sticks once per turn of the unbalance; with the paper's mu it accelerates downhill
    // Psor takes twice the time in double and leaves one step in 400 inexact.
    add_with<moreau::Stepper<Oscillator, moreau::Newton>>(
        "oblique oscillator", Kind::driven, "an unbalance, period 0.32 s; reset every 0.1 m; Newton", rough,
        models::state_at<Oscillator>(rough.start()), [](const auto& s) { return s.u(0) > 0; },
        [](auto& stepper) {
          auto& q = stepper.state.q;
          if (q(0) > R(0.1)) q(0) = 0;
          if (q(1) * q(1) > R(0.01)) q(1) = 0;
          q(5) = moreau::wrap_angle(q(5));
        });
  }
};

}  // namespace endurance
