// Coordinates of parameters in a filter: the logit of the position in the range, computed without libm.
//
//   s = (x - low) / (high - low),   v = log(s / (1 - s)),   x = low + (high - low) / (1 + exp(-v))
//
// v is unbounded, so a linear update of v never leaves the range. |v| is limited to 7, which keeps a distance of 0.1 %
// of the range from its ends.
#pragma once
#include "moreau/math/bits.hpp"
#include "moreau/study/normal.hpp"

namespace moreau::identify {

inline constexpr double most_logit = 7;

// Returns e^x, bit-identical on every machine: x = k log 2 + r with |r| <= log(2) / 2, and 13 terms of the series of
// e^r. The result is limited to 2^-1000 .. 2^1000.
inline double exponential(double x) {
  constexpr double log_2_high = 0x1.62e42feep-1, log_2_low = 0x1.a39ef35793c76p-33, per_log_2 = 0x1.71547652b82fep0;
  const double limited = x > 690 ? 690 : x < -690 ? -690 : x;
  const double nearest = limited * per_log_2;
  const int k = static_cast<int>(nearest + (nearest < 0 ? -0.5 : 0.5));
  const double r = (limited - k * log_2_high) - k * log_2_low;
  // 1 / n!, n = 13 .. 0
  constexpr double of[] = {
      1 / 6227020800., 1 / 479001600., 1 / 39916800., 1 / 3628800., 1 / 362880., 1 / 40320., 1 / 5040.,
      1 / 720.,        1 / 120.,       1 / 24.,       1 / 6.,       0.5,         1.,         1.};
  double sum = 0;
  for (const double each : of) sum = each + sum * r;
  return sum * moreau::detail::power_of_two<double>(k);
}

// Interval that contains a parameter, in the unit of the parameter.
struct Range {
  double low = 0, high = 0;

  double width() const { return high - low; }
  double at(double v) const { return low + width() / (1 + exponential(-v)); }
  double logit(double x) const {
    const double s = (x - low) / width();
    if (!(s > 0)) return -most_logit;
    if (!(s < 1)) return most_logit;
    const double v = study::logarithm(s) - study::logarithm(1 - s);
    return v < -most_logit ? -most_logit : v > most_logit ? most_logit : v;
  }
  // Derivative of at() with respect to v, for the conversion of small intervals.
  double slope(double v) const {
    const double s = 1 / (1 + exponential(-v));
    return width() * s * (1 - s);
  }
};

inline Range range(double low, double high) { return {low, high}; }

}  // namespace moreau::identify
