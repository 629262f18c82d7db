// Signal of one sensor along the steps of a run: the low pass of a rate, and the delay.
//
//   tau e' = tau a - e,   tau r' = e / tau - r      a: rate of the function w, tau = 1 / (2 pi bandwidth)
//
//   E = exp(-dt / tau),   c = e / tau - a
//   r <- a + (r - a + c dt / tau) E,   e <- tau (a + c E)            exact for a constant within the step
//
// e is the difference between w and its low pass, r the reading: the rate behind two poles. The jump of a velocity at an
// impact is spread over its step, which changes neither its area nor the mean of a window.
#pragma once
#include "moreau/identify/description.hpp"

namespace moreau::identify {

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

  // Takes the value of the function after a step of dt.
  void step(const Sensor& sensor, double w, double dt) {
    if (sensor.kind == Sensor::Kind::impulse) w += w_;  // sum of the percussions
    if (sensor.kind != Sensor::Kind::value) {
      const double per_tau = 2 * pi<double> * sensor.bandwidth, x = dt * per_tau, decay = exponential(-x);
      const double a = (w - w_) / dt, c = per_tau * e_ - a;
      rate_ = a + (rate_ - a + c * x) * decay;
      e_ = (a + c * decay) / per_tau;
    }
    w_ = w;
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

}  // namespace moreau::identify
