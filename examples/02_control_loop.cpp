// A controller's loop: a timer calls one step of a slider-crank with play, 10000 times a second. A command comes in,
// telemetry goes out, every step is timed, and what happens when one takes too long is decided beforehand.
// Runs on: host, target
// Instruction time: 8 ns
//
// On the board the loop is the timer's interrupt, on the host a thread: the same source. The two sides share nothing
// but two latest-value exchanges, so neither ever waits for the other.
#include <moreau/moreau.hpp>
#include <moreau/port/console.hpp>
#include <moreau/port/cycles.hpp>
#include <moreau/port/latest.hpp>
#include <moreau/port/periodic.hpp>

#include "models/slider_crank.hpp"

using namespace moreau;

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
  unsigned steps = 0, overruns = 0, failures = 0, fallbacks = 0;
  bool safe = false;                // the loop has given up: no torque, the model stands still
  float speed = 0, mean_speed = 0;  // rad/s
  port::Ticks last = 0, worst = 0;  // of one step
  unsigned histogram[16] = {};      // steps by the binary logarithm of their ticks
};

// What to do once more steps than `grace` have been over budget: go on counting; hold the last state for one period
// so that the loop catches up; or end in the safe state.
enum class Policy { count, hold, safe };
struct Budget {
  port::Ticks ticks = port::ticks_per_second / 10000 / 2;  // half a period
  unsigned grace = 3;
  Policy policy = Policy::hold;
};

class Loop {
 public:
  static constexpr float dt = 1e-4f;  // s
  port::Latest<Command> command;
  port::Latest<Telemetry> telemetry;
  Budget budget;

  explicit Loop(const State<DrivenCrank>& start) : stepper_(DrivenCrank{}, start) {}
  static void tick(void* self) { static_cast<Loop*>(self)->run(); }

 private:
  void run() {
    if (holding_ || now_.safe) {
      holding_ = false;
    } else {
      control(command.read());
      watch_.begin();
      const auto report = stepper_.step(dt);
      account(watch_.end());
      now_.fallbacks += unsigned(report.fallbacks);
      if (!report.advanced() && ++now_.failures > budget.grace) now_.safe = true;
      ++now_.steps;
    }
    now_.speed = stepper_.state.u(0);
    now_.mean_speed += (now_.speed - now_.mean_speed) * 0.001f;
    telemetry.publish(now_);
  }

  void control(const Command& wanted) {
    const float error = wanted.speed - stepper_.state.u(0);
    integral_ += 0.002f * error * dt * 100;
    stepper_.model.torque = 0.02f * error + integral_;
  }

  void account(port::Ticks ticks) {
    now_.last = ticks;
    if (ticks > now_.worst) now_.worst = ticks;
    unsigned bin = 0;
    while (bin < 15 && (ticks >> bin) > 1) ++bin;
    ++now_.histogram[bin];
    if (ticks <= budget.ticks || ++now_.overruns <= budget.grace) return;
    holding_ = budget.policy == Policy::hold;
    now_.safe = budget.policy == Policy::safe;
  }

  Stepper<DrivenCrank> stepper_;
  port::Stopwatch watch_;
  Telemetry now_;
  float integral_ = 0;
  bool holding_ = false;
};

namespace {

State<DrivenCrank> at_speed(float omega) {
  State<DrivenCrank> state;
  state.u = {omega, -omega / 2, 0};
  return state;
}

}  // namespace

int main() {
  constexpr unsigned steps = 10000;  // 1 s
  static Loop loop(at_speed(60));    // not on a small stack
  loop.command.publish({60});
  static port::Periodic timer;
  if (!timer.start(10000, &Loop::tick, &loop)) return 1;
  for (bool faster = false;;) {
    port::Periodic::wait();
    const Telemetry seen = loop.telemetry.read();
    if (!faster && seen.steps > steps / 2) {
      loop.command.publish({80});
      faster = true;
    }
    if (seen.steps >= steps || seen.safe) break;
  }
  timer.stop();
  const Telemetry end = loop.telemetry.read();
  port::print(end.steps, " steps, ", timer.overruns(), " late, ", end.overruns, " over budget, ", end.failures,
              " failed, ", end.fallbacks, " fallbacks", end.safe ? ", stopped safely" : "");
  port::print("mean speed ", end.mean_speed, " rad/s; a step takes at most ", end.worst, ' ', port::tick_name,
              " ticks");
  for (unsigned i = 0; i < 16; ++i)
    if (end.histogram[i] > 0) port::print("  below ", 2u << i, " ticks: ", end.histogram[i]);
  const bool fast_enough = end.mean_speed > 70 && end.mean_speed < 90;
  return end.steps >= steps && end.failures == 0 && fast_enough ? 0 : 1;
}
