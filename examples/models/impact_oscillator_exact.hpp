// Exact motion of the impact oscillator: a harmonic arc from impact n to impact n + 1.
//
//   x = x_free + a cos omega (t - t_n) + b sin omega (t - t_n)
#pragma once
#include <cmath>

#include "impact_oscillator.hpp"

namespace models {

// Successive arguments t may decrease only within the current arc.
class ImpactOscillatorExact {
 public:
  double x(double t) {
    go_to(t);
    return arc(t);
  }
  double v(double t) {
    go_to(t);
    return speed(t);
  }

 private:
  static constexpr double pi = 3.14159265358979323846, x_free = -0.15, eps_N = 0.6;
  const double omega_ = std::sqrt(200.0);
  double t_ = 0, a_ = -0.35, b_ = 0.2 / omega_;
  double next_ = 0.139507679820308;  // instant of the next impact, s

  double arc(double t) const { return x_free + a_ * std::cos(omega_ * (t - t_)) + b_ * std::sin(omega_ * (t - t_)); }
  double speed(double t) const {
    return omega_ * (b_ * std::cos(omega_ * (t - t_)) - a_ * std::sin(omega_ * (t - t_)));
  }
  void go_to(double t) {
    while (t > next_) strike();
  }
  void strike() {
    for (int i = 0; i < 5; ++i) next_ -= arc(next_) / speed(next_);
    const double after = -eps_N * speed(next_);
    t_ = next_;
    a_ = -x_free;
    b_ = after / omega_;
    next_ = t_ + 2 * (pi + std::atan(b_ / a_)) / omega_;  // return to the stop: tan(omega t / 2) = b / a
  }
};

}  // namespace models
