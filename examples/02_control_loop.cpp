// Control loop at 10 kHz: a timer calls one step of a slider-crank with play per period. The loop reads a command,
// publishes telemetry and measures every step; a budget defines the reaction to a step that takes too long.
// Runs on: host, target
// Instruction time: 32 ns
//
// On the board the loop runs in the timer's interrupt, on the host in a thread, from the same source. The loop and the
// main program share only two latest-value exchanges; neither waits for the other.
#include <moreau/moreau.hpp>
#include <moreau/port/console.hpp>
#include <moreau/port/latest.hpp>
#include <moreau/port/periodic.hpp>
#include <moreau/port/step_budget.hpp>

#include "models/slider_crank.hpp"

namespace port = moreau::port;

struct DrivenCrank : models::EndlessSliderCrank<float> {
  float torque = 0;  // N m, an input: set between steps
  Vector force(const At& s, const Vector& u) const {
    Vector h = models::EndlessSliderCrank<float>::force(s, u);
    h(0) += torque;
    return h;
  }
};

struct Command {
  float speed = 0;  // rad/s
};

struct Telemetry {
  port::StepAccount account;  // of the step times
  unsigned fallbacks = 0;
  float speed = 0, mean_speed = 0;  // rad/s
};

class Loop {
 public:
  static constexpr unsigned rate = 10000;   // 1/s
  static constexpr float dt = 1.0f / rate;  // s
  port::Latest<Command> command;
  port::Latest<Telemetry> telemetry;
  port::StepBudget budget;

  explicit Loop(const moreau::State<DrivenCrank>& start) : stepper_(DrivenCrank{}, start) {
    budget.ticks = port::ticks_per_second / rate / 2;  // half a period
    budget.grace = 3;
    budget.policy = port::Overrun::hold;
  }
  static void tick(void* self) { static_cast<Loop*>(self)->run(); }

 private:
  void run() {
    if (budget.due()) {
      control(command.read());
      budget.begin();
      const auto report = stepper_.step(dt);
      budget.end(report.advanced());
      now_.fallbacks += unsigned(report.fallbacks);
    } else if (budget.account().safe) {
      stepper_.model.torque = 0;
    }
    now_.account = budget.account();
    now_.speed = stepper_.state.u(0);
    now_.mean_speed += (now_.speed - now_.mean_speed) * 0.001f;
    telemetry.publish(now_);
  }

  void control(const Command& demand) {
    const float error = demand.speed - stepper_.state.u(0);
    integral_ += 0.002f * error * dt * 100;
    stepper_.model.torque = 0.02f * error + integral_;
  }

  moreau::Stepper<DrivenCrank> stepper_;
  Telemetry now_;
  float integral_ = 0;
};

namespace {

moreau::State<DrivenCrank> at_speed(float omega) {
  moreau::State<DrivenCrank> state;
  state.u = {omega, -omega / 2, 0};
  return state;
}

// Cost of a step: instructions on the simulated board (1.25 per tick), time elsewhere.
const bool counts = port::instructions_of(1000, 32) > 0;
const char* const unit = counts ? "instructions" : port::tick_name;
port::Ticks cost(port::Ticks ticks) { return counts ? port::instructions_of(ticks, 32) : ticks; }

}  // namespace

int main() {
  constexpr unsigned steps = Loop::rate;  // 1 s
  static Loop loop(at_speed(60));         // static: too large for a small stack
  loop.command.publish({60});
  static port::Periodic timer;
  if (!timer.start(Loop::rate, &Loop::tick, &loop)) return 1;
  for (bool faster = false;;) {
    port::Periodic::wait();
    const port::StepAccount so_far = loop.telemetry.read().account;
    if (!faster && so_far.steps > steps / 2) {
      loop.command.publish({80});
      faster = true;
    }
    if (so_far.steps >= steps || so_far.safe) break;
  }
  timer.stop();
  const Telemetry end = loop.telemetry.read();
  const port::StepAccount& account = end.account;
  port::print(account.steps, " steps, ", timer.overruns(), " late, ", account.overruns, " over budget, ", account.held,
              " held, ", account.failures, " failed, ", end.fallbacks, " fallbacks",
              account.safe ? ", in safe state" : "");
  port::print("mean speed ", end.mean_speed, " rad/s; longest step ", cost(account.worst), ' ', unit);
  for (unsigned i = 0; i < 24; ++i)
    if (account.histogram[i] > 0)
      port::print("  below ", cost(port::Ticks{2} << i), ' ', unit, ": ", account.histogram[i], " steps");
  const bool fast_enough = end.mean_speed > 70 && end.mean_speed < 90;
  return account.steps >= steps && account.failures == 0 && fast_enough ? 0 : 1;
}
