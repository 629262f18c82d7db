// Normal variates without libm: the quantile function of the normal distribution from + - * / and the library's square
// root, bit-identical on every machine.
//
//   Phi(x) = u,  q = u - 1/2
//   |q| <= 0.425:  x = q A(0.425^2 - q^2)
//   else:          x = +-B(sqrt(-log p) - 1.6),  p = min(u, 1 - u)
//
// A and B are rational functions with positive coefficients, fitted for this file (relative errors 7.5e-17 and 8e-18
// for p down to 2^-54; unit() in philox.hpp returns at least 2^-53). Measured error: tests/studies/samples.cpp.
#pragma once
#include <cstdint>

#include "moreau/math/bits.hpp"
#include "moreau/math/sqrt.hpp"

namespace moreau::study {

// Returns the natural logarithm of a positive normal number: x = m 2^e with m in [sqrt(1/2), sqrt(2)), and
// log m = 2 artanh(s) = 2 (s + s^3/3 + s^5/5 + ...), s = (m - 1) / (m + 1), |s| < 0.172: eleven terms suffice.
inline double logarithm(double x) {
  constexpr std::uint64_t root_half = 0x3fe6a09e667f3bcdu;
  const std::uint64_t bits = moreau::detail::to_bits(x), above = bits - root_half;
  const auto e = double(static_cast<std::int64_t>(above) >> 52);
  const double m = moreau::detail::from_bits<double>((above & 0x000fffffffffffffu) + root_half);
  const double s = (m - 1) / (m + 1), s2 = s * s;
  double sum = 0;
  for (int n = 21; n >= 3; n -= 2) sum = (sum + 1 / double(n)) * s2;
  constexpr double log_2_high = 0x1.62e42feep-1, log_2_low = 0x1.a39ef35793c76p-33;  // e log_2_high is exact
  return e * log_2_high + (2 * s + (2 * s * sum + e * log_2_low));
}

namespace detail {

template <std::size_t count>
double polynomial(const double (&coefficients)[count], double x) {
  double sum = 0;
  for (std::size_t i = count; i-- > 0;) sum = sum * x + coefficients[i];
  return sum;
}

}  // namespace detail

// Returns Phi^-1(u), 0 < u < 1.
inline double normal_quantile(double u) {
  constexpr double middle_above[] = {3.3871328727963665969, 133.14367417941221462, 1971.65666618907656,
                                     13732.456812617335136, 45925.747185089750452, 67273.513119434135902,
                                     33435.698944617804258, 2509.5741525295108652};
  constexpr double middle_below[] = {1.0,
                                     42.313923027825825824,
                                     687.20818920992348867,
                                     5394.4718905841583094,
                                     21215.399411915941761,
                                     39312.022866831580795,
                                     28733.089741824157515,
                                     5227.4274635761812567};
  constexpr double tail_above[] = {1.4234371107496836039,   4.6190449079426077699,    5.7584855890020727384,
                                   3.6815357685404959674,   1.3306281728354831495,    0.27784570701978641571,
                                   0.032183590399029872328, 0.0018095512767286946825, 0.000034694016827838803673};
  constexpr double tail_below[] = {1.0,
                                   2.0452580564584690435,
                                   1.6781670737389428553,
                                   0.71060946633252855765,
                                   0.16583511893145699649,
                                   0.020845983994294168127,
                                   0.0012404376599487946006,
                                   0.000024531674108329256714};
  constexpr double edge = 0.425, begin = 1.6;
  const double q = u - 0.5;
  if (q >= -edge && q <= edge) {
    const double r = edge * edge - q * q;
    return q * (detail::polynomial(middle_above, r) / detail::polynomial(middle_below, r));
  }
  const double r = moreau::sqrt(-logarithm(q < 0 ? u : 1 - u)) - begin;
  const double x = detail::polynomial(tail_above, r) / detail::polynomial(tail_below, r);
  return q < 0 ? -x : x;
}

// Returns Phi(x) by bisection of the quantile function, accurate to the last digits; for the bounds of truncated
// distributions.
inline double normal_probability(double x) {
  double low = 0x1p-53, high = 1 - 0x1p-53;
  if (!(x > normal_quantile(low))) return low;
  if (!(x < normal_quantile(high))) return high;
  for (int halving = 0; halving < 1100 && low < high; ++halving) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) break;
    (normal_quantile(middle) < x ? low : high) = middle;
  }
  return low;
}

}  // namespace moreau::study
