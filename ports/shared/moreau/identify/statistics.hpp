// Numbers that a filter needs and supplies: presence of a value, reading of the first rows, belief, innovations.
#pragma once
#include <limits>

#include "moreau/identify/description.hpp"

namespace moreau::identify {

inline bool is_number(double x) { return x - x == 0; }
template <class Sample>
bool is_measured(const Sample& row, int channel) {
  return is_number(row.measured[std::size_t(channel)]);
}

// Mean and standard deviation of the logits of the parameters.
template <int parameters>
struct Belief {
  std::array<double, std::size_t(parameters)> mean{}, deviation{};
};

// Innovations of one channel: number, sums of normalised squares and of products of neighbours, the 68 % quantile of the
// magnitude for one value, and the score, twice the negative logarithm of the predicted density.
struct Innovations {
  long count = 0;
  double squares = 0, products = 0, last = 0, quantile = 0, score = 0;

  // e: innovation of a mean of k values, with this variance.
  void add(double e, double variance, int k) {
    const double z = e / moreau::sqrt(variance), clipped = z > 3 ? 3 : z < -3 ? -3 : z;
    squares += clipped * clipped, score += clipped * clipped + study::logarithm(variance);
    if (count > 0) products += clipped * last;
    last = clipped;
    // The quantile is adapted by a constant relative gain, without a list.
    constexpr double share = 0.68, gain = 0.05;
    const double size = (e < 0 ? -e : e) * moreau::sqrt(double(k));
    if (count++ == 0) quantile = size;
    quantile *= size > quantile ? 1 + share * gain : 1 - (1 - share) * gain;
  }
  double mean_square() const { return count > 0 ? squares / double(count) : 0; }
  double correlation() const { return squares > 0 ? products / squares : 0; }
};

// Returns the reading of the first rows of a record.
template <class Description>
Reading reading_of(const Description& description, const typename Description::Sample* rows, int count) {
  Reading first;
  for (int c = 0; c < description.channels; ++c) {
    double n = 0, st = 0, sy = 0, stt = 0, sty = 0;
    for (int k = 0; k < count; ++k) {
      if (!is_measured(rows[k], c)) continue;
      const double t = rows[k].t - rows[0].t, y = rows[k].measured[std::size_t(c)];
      n += 1, st += t, sy += y, stt += t * t, sty += t * y;
    }
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    const double det = n * stt - st * st;
    const double rate = det > 0 ? (n * sty - st * sy) / det : 0;
    first.value[std::size_t(c)] = n > 0 ? (sy - rate * st) / n : none;
    first.rate[std::size_t(c)] = n > 0 ? rate : none;
  }
  return first;
}

// Sums of fixed order, in four parts.
template <std::size_t n>
double product(const std::array<double, n>& a, const std::array<double, n>& b) {
  double part[4] = {};
  std::size_t i = 0;
  for (; i + 4 <= n; i += 4)
    for (std::size_t k = 0; k < 4; ++k) part[k] += a[i + k] * b[i + k];
  for (; i < n; ++i) part[0] += a[i] * b[i];
  return (part[0] + part[1]) + (part[2] + part[3]);
}
template <std::size_t n>
double sum(const std::array<double, n>& a) {
  double part[4] = {};
  std::size_t i = 0;
  for (; i + 4 <= n; i += 4)
    for (std::size_t k = 0; k < 4; ++k) part[k] += a[i + k];
  for (; i < n; ++i) part[0] += a[i];
  return (part[0] + part[1]) + (part[2] + part[3]);
}

}  // namespace moreau::identify
