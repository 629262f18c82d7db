// One axis of a panel: a range of numbers, mapped to a range of pixels, with round ticks.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string>
#include <vector>

namespace plot {

struct Axis {
  std::string label;
  bool logarithmic = false, fixed = false;  // fixed: the range is given, not taken from the data
  double low = std::numeric_limits<double>::infinity(), high = -low;  // of the data, then of the axis
  double pixel_low = 0, pixel_high = 1;

  bool shows(double value) const { return std::isfinite(value) && (!logarithmic || value > 0); }
  void cover(double value) {
    if (!shows(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  // After the data are known: leave a margin, so that no curve runs along the frame.
  void settle(double margin) {
    if (fixed) return;
    if (!(low <= high)) low = 0, high = 1;
    if (low == high) logarithmic ? (low /= 2, high *= 2) : (low -= 0.5, high += 0.5);
    const double a = scale(low), b = scale(high), extra = margin * (b - a);
    low = unscale(a - extra);
    high = unscale(b + extra);
  }
  double pixel(double value) const {
    return pixel_low + (scale(value) - scale(low)) / (scale(high) - scale(low)) * (pixel_high - pixel_low);
  }

  std::vector<double> ticks() const {
    std::vector<double> result;
    if (logarithmic) {
      const int first = int(std::floor(std::log10(low))), last = int(std::floor(std::log10(high)));
      const int stride = std::max(1, (last - first + 7) / 8);
      for (int e = first; e <= last; e += stride)
        for (const double digit : {1.0, 2.0, 5.0}) {
          const double tick = digit * std::pow(10.0, e);
          if (tick >= low && tick <= high && (digit == 1 || last - first < 2)) result.push_back(tick);
        }
      return result;
    }
    const double step = round_step((high - low) / 6);
    for (double n = std::ceil(low / step); n * step <= high; ++n) result.push_back(n * step);
    return result;
  }
  std::string text(double tick) const {
    char buffer[32];
    if (logarithmic) {
      std::snprintf(buffer, sizeof buffer, "%g", tick);
    } else {
      const double step = round_step((high - low) / 6), zero_safe = std::abs(tick) < step / 2 ? 0.0 : tick;
      std::snprintf(buffer, sizeof buffer, "%.*g", 6, zero_safe);
    }
    return buffer;
  }

 private:
  double scale(double value) const { return logarithmic ? std::log10(value) : value; }
  double unscale(double value) const { return logarithmic ? std::pow(10.0, value) : value; }
  static double round_step(double rough) {
    const double decade = std::pow(10.0, std::floor(std::log10(rough))), part = rough / decade;
    return decade * (part < 1.5 ? 1 : part < 3.5 ? 2 : part < 7.5 ? 5 : 10);
  }
};

}  // namespace plot
