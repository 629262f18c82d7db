// A lever driven between two stops by a motor, stepped at 1 kHz by the timer of the core.
#include <moreau/mechanism.hpp>
#include <moreau/port/console.hpp>

struct Parts {
  using Real = float;
  enum Names { lever, bodies };
  moreau::Body<Real> body[bodies] = {{0.2f, 2e-4f}};  // kg, kg m^2
  moreau::Revolute<Real, moreau::ground, lever> bearing{{}, {-0.05f, 0}};
  moreau::PointOnLine<Real, moreau::ground, lever> low{{0, -0.01f}, {0, 1}, {0.05f, 0}, 0, {0.3f, 0, 0.1f}};
  moreau::PointOnLine<Real, moreau::ground, lever> high{{0, 0.01f}, {0, -1}, {0.05f, 0}, 0, {0.3f, 0, 0.1f}};
  moreau::Motor<Real, moreau::ground, lever> motor;
  auto parts() const { return std::tie(bearing, low, high, motor); }
};
using Lever = moreau::Mechanism<Parts>;

volatile unsigned ticks = 0;
void tick() { ticks = ticks + 1; }

#ifdef __arm__
void start_timer() {
  volatile auto* systick = reinterpret_cast<volatile std::uint32_t*>(0xe000e010);
  systick[1] = 25000000 / 1000 - 1;  // reload: 1 ms at 25 MHz
  systick[2] = 0;
  systick[0] = 7;  // processor clock, interrupt, on
}
#else
void start_timer() { ticks = 1000; }  // on the host: no waiting
#endif

int main() {
  moreau::Stepper machine{Lever{}, moreau::State<Lever>{}};  // at rest, all angles 0
  start_timer();
  for (unsigned n = 0; n < 1000; ++n) {
    while (ticks <= n && ticks < 1000) {  // wait for the timer
    }
    machine.model.motor.torque = (n / 250) % 2 == 0 ? 0.02f : -0.02f;  // N m, the output of a controller
    const auto report = machine.step(1e-3f);
    if (!report.advanced()) {
      moreau::port::print("step ", n, ": ", moreau::name(report.status));
      return 1;
    }
    if (n % 250 == 249)
      moreau::port::print("t ", machine.state.time(), " s  angle ", machine.state.q(Lever::angle_of<0>),
                          " rad  force on the stops ", machine.contact(0).force_N, " ", machine.contact(1).force_N,
                          " N");
  }
  moreau::port::print("done");
}
