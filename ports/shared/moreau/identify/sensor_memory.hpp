// Signal of one sensor along the steps of a run: the low pass of a rate, and the delay.
//
//   tau e' = tau a - e,   tau r' = e / tau - r      a: rate of the function w, tau = 1 / (2 pi bandwidth)
//
//   E = exp(-dt / tau),   c = e / tau - a
//   r <- a + (r - a + c dt / tau) E,   e <- tau (a + c E)            exact for a constant within the step
//
// e is the difference between w and its low pass, r the reading: the rate behind two poles. A jump d of w at an impact,
// which precedes the end of the step by `age`, adds
//
//   x = age / tau,   e += d exp(-x),   r += d x / tau exp(-x)
//
// An impact can precede the beginning of its step. The reading at the beginning of the step then lacks its share of the
// jump, which step() returns. A jump without an instant is spread over its step, which does not change its area.
#pragma once
#include "moreau/identify/description.hpp"
#include "moreau/identify/impact_of_step.hpp"

namespace moreau::identify {

// Change of the function of a sensor at an impact.
struct Jump {
  double size = 0;  // in the unit of the function
  double age = 0;   // s, from the impact to the end of the step
};

class SensorMemory {
 public:
  static constexpr int past = 8;  // rows of a delay

  // Begins with the value w of the function and the reading y of a channel without delay.
  void begin(const Sensor& sensor, double w) {
    *this = SensorMemory{};
    w_ = w;
    const double y = sensor.kind == Sensor::Kind::value ? w : 0;
    for (double& each : past_) each = y;
  }

  // Takes the value of the function after a step of dt. Returns the missing part of the reading at its beginning.
  double step(const Sensor& sensor, double w, double dt, const Jump& jump = {}) {
    if (sensor.kind == Sensor::Kind::impulse) w += w_;  // sum of the percussions
    double missing = 0;
    if (sensor.kind != Sensor::Kind::value) {
      const double per_tau = 2 * pi<double> * sensor.bandwidth, x = dt * per_tau, decay = exponential(-x);
      const double a = (w - w_ - jump.size) / dt, c = per_tau * e_ - a;
      rate_ = a + (rate_ - a + c * x) * decay;
      e_ = (a + c * decay) / per_tau;
      if (jump.size != 0) {
        const double share = jump.size * exponential(-jump.age * per_tau);
        e_ += share, rate_ += share * jump.age * per_tau * per_tau;
        if (jump.age > dt) {
          const double before = (jump.age - dt) * per_tau;
          missing = jump.size * exponential(-before) * before * per_tau;
          past_[std::size_t(newest_)] += missing;
        }
      }
    }
    w_ = w;
    return sensor.delay > 0 ? 0 : sensor.scale * missing;
  }

  // Returns the reading at the end of a row, dt after that of the previous row.
  double read(const Sensor& sensor, double dt) {
    const double now = sensor.kind == Sensor::Kind::value ? w_ : rate_;
    double x = now;
    if (sensor.delay > 0) {  // linear between the rows before
      const double rows = sensor.delay / dt;
      const int whole = rows < past - 1 ? static_cast<int>(rows) : past - 2;
      const double part = rows < past - 1 ? rows - whole : 1;
      const double later = whole == 0 ? now : at(whole - 1), earlier = at(whole);
      x = later + part * (earlier - later);
    }
    newest_ = (newest_ + 1) % past;
    past_[std::size_t(newest_)] = now;
    return sensor.bias + sensor.scale * x;
  }

 private:
  double at(int rows_before) const { return past_[std::size_t((newest_ - rows_before + past) % past)]; }

  double w_ = 0, e_ = 0, rate_ = 0;
  std::array<double, std::size_t(past)> past_{};
  int newest_ = 0;
};

// Returns the jump of channel c at an impact: the part of the function that depends on the jump of u, or the percussion.
template <class Description, class Model>
Jump jump_of(const Description& d, int c, const Model& model, const State<Model>& state,
             const ImpactOfStep<Model>& impact) {
  const auto& channel = d.channel_of[std::size_t(c)];
  const double w = double(channel.read(model, state));
  if (channel.sensor.kind == Sensor::Kind::value) return {};
  if (channel.sensor.kind == Sensor::Kind::impulse) return {w, impact.age};
  State<Model> without = state;
  without.u -= impact.jump;
  return {w - double(channel.read(model, without)), impact.age};
}

}  // namespace moreau::identify
