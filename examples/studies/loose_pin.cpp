// A slider-crank whose wrist pin has play: where the slider is on its pin when the crank passes 100 degrees, over the
// play. A Poincare section: one point is a motion that repeats each turn, two one that repeats every second turn, a cloud one
// that never does.
//
//   examples/studies/run loose_pin
#include <moreau/mechanism.hpp>
#include <moreau/study/commands.hpp>

struct LoosePin {
  using Real = double;
  enum Names { crank, rod, slider, bodies };
  static constexpr bool endless = true;

  moreau::Body<Real> body[bodies] = {{0.038, 7.4e-5}, {0.038, 5.9e-4}, {0.076, 2.7e-6}};  // kg, kg m^2
  moreau::Revolute<Real, moreau::ground, crank> bearing;
  moreau::Revolute<Real, crank, rod> crank_pin;
  moreau::RevoluteClearance<Real, rod, slider> wrist_pin;
  moreau::Prismatic<Real, moreau::ground, slider> guide;
  moreau::Motor<Real, moreau::ground, crank> motor;
  auto parts() const { return std::tie(bearing, crank_pin, wrist_pin, guide, motor); }

  LoosePin() {
    bearing.on_B.x = -0.0765;
    crank_pin.on_A.x = 0.0765, crank_pin.on_B.x = -0.153;
    wrist_pin.radius = 8e-3;
    wrist_pin.law = {0.9, 0, 0.01};
    wrist_pin.on_A.x = 0.153;
    motor.damping = 0.5;                // N m s
    motor.torque = motor.damping * 60;  // runs at about 60 rad/s
  }
};
using Model = moreau::Mechanism<LoosePin>;

moreau::State<Model> stretched(const Model& machine) {
  moreau::State<Model> state{};
  const double l_1 = 2 * machine.crank_pin.on_A.x, l_2 = 2 * machine.wrist_pin.on_A.x, omega = 60;
  state.q << l_1 / 2, 0, 0, l_1 + l_2 / 2, 0, 0, l_1 + l_2, 0, 0;
  state.u << 0, l_1 / 2 * omega, omega, 0, l_1 / 2 * omega, -omega * l_1 / l_2, 0, 0, 0;
  return state;
}

int main(int count, char** words) {
  using namespace moreau::study;
  Study<Model> study{"loose_pin"};
  study.dt = 5e-5, study.steps = 168'000;  // eighty turns
  study.start = stretched;
  study.parameter("play", "m", grid(1e-5, 1e-3, 199),
                  [](Model& machine, double play) { machine.wrist_pin.play = play; });
  const auto past_100_degrees = [](const auto& machine) {
    return moreau::sin(machine.state.q(2) - moreau::pi<double> * 100 / 180);
  };
  const auto place = [](const auto& machine) {  // of the slider against its pin, along the guide, over the play
    const auto& q = machine.state.q;
    return (q(6) - q(3) - machine.model.wrist_pin.on_A.x * moreau::cos(q(5))) / machine.model.wrist_pin.play;
  };
  return commands(study, count, words, section("place", "1", past_100_degrees, place, 24));
}
