// Slider-crank with play in its wrist pin: position of the slider on its pin at a crank angle of 100 degrees, over the
// play. A Poincare section: one point for period-1 motion, two points for period-2 motion, a cloud for irregular
// motion.
//
//   examples/studies/run_studies.sh loose_pin
#include "models/slider_crank_parts.hpp"

#include <moreau/study/commands.hpp>

struct LoosePin {
  using Real = double;
  enum Names { crank, rod, slider, bodies };
  static constexpr bool endless = true;

  moreau::Body<Real> body[bodies];
  moreau::Revolute<Real, moreau::ground, crank> bearing;
  moreau::Revolute<Real, crank, rod> crank_pin;
  moreau::RevoluteClearance<Real, rod, slider> wrist_pin;
  moreau::Prismatic<Real, moreau::ground, slider> guide;
  moreau::Motor<Real, moreau::ground, crank> motor;
  auto parts() const { return std::tie(bearing, crank_pin, wrist_pin, guide, motor); }

  LoosePin() {
    const models::SliderCrankParts<Real> tight;
    for (int b = 0; b < bodies; ++b) body[b] = tight.body[b];
    bearing = tight.bearing;
    crank_pin = tight.crank_pin;
    wrist_pin.on_A = tight.wrist_pin.on_A;
    wrist_pin.radius = 8e-3;
    wrist_pin.law = {0.9, 0, 0.01};
    motor.damping = 0.5;                // N m s
    motor.torque = motor.damping * 60;  // speed about 60 rad/s
  }
};
using Model = moreau::Mechanism<LoosePin>;

moreau::State<Model> stretched(const Model& model) {
  return models::centred_at_angles(model, models::SliderCrank<double>{}, {0, 0, 0}, {60, -30, 0});
}

int main(int count, char** words) {
  using namespace moreau::study;
  Study<Model> study{"loose_pin"};
  study.dt = 1e-5, study.steps = 840'000;  // 80 turns; the reach of all runs is below 0.2
  study.start = stretched;
  study.parameter("play", "m", grid(1e-5, 1e-3, 199),
                  [](Model& machine, double play) { machine.wrist_pin.play = play; });
  const auto past_100_degrees = [](const auto& machine) {
    return moreau::sin(machine.state.q(Model::angle_of<Model::crank>) - moreau::pi<double> * 100 / 180);
  };
  const auto place =
      [](const auto& machine) {  // position of the slider relative to its pin, along the guide, divided by the play
        const Model& model = machine.model;
        const auto bodies = model.body_states(machine.state);
        const auto pin = bodies[Model::rod].frame.world(model.wrist_pin.on_A);
        return (bodies[Model::slider].frame.r.x - pin.x) / model.wrist_pin.play;
      };
  return commands(study, count, words, section("place", "1", past_100_degrees, place, 24));
}
