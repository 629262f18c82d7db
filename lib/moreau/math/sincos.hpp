// Sine and cosine as one pair, the same bits from every compiler on every target, at a fixed cost.
//
//   |x| = k pi/2 + r,  |r| <= pi/4;   sin x, cos x = +-sin r or +-cos r by the last two bits of k and the sign of x
//   sin r = r + r^3 S(r^2),  cos r = 1 - r^2/2 + r^4 C(r^2)      (minimax polynomials, fitted for this file)
//
// pi/2 is split into four parts (Cody and Waite): k times each of the first three is exact, so r + r_low is right
// to far below an ulp of r even next to a multiple of pi/2. Only +, -, * and conversions of small integers: no
// libm, no trick with the rounding mode, nothing an optimiser may fold. Beyond `near_limit` the reduction is done
// in integers (angle_reduction.hpp) and costs more.
//
// Error in units of the last place of the result, all floats tried: at most 1.02 up to near_limit, 1.06 beyond
// (absolute 6.3e-8); double, 2e7 arguments tried: 1.01 and 1.05. Cost of a pair, the same for every argument up to
// near_limit: 73 instructions in float on Cortex-M4F, 87 in double on M7 (GCC 12.2 -O2, counted by
// tests/unit/math_cost.cpp). sin(-x) = -sin(x) and cos(-x) = cos(x) to the bit; sin(-0) = -0; infinities and NaN
// give NaN.
#pragma once

#include <cstdint>

#include "moreau/math/angle_reduction.hpp"
#include "moreau/math/bits.hpp"

namespace moreau {

template <class Real>
struct SinCos {
  Real sin, cos;
};

template <class Real>
struct SinCosConstants;

template <>
struct SinCosConstants<float> {
  static constexpr Bits<float> near_limit = 0x45800000u;  // 2^12 rad; k < 2^12 keeps k times 12 digits exact
  static constexpr float two_over_pi = 0x1.45f306p-1f;
  static constexpr float half_pi[4] = {0x1.922p0f, -0x1.28p-18f, -0x1.778p-25f, 0x1.68c234p-39f};
  static constexpr float S[3] = {-0x1.555546p-3f, 0x1.110774p-7f, -0x1.9951fap-13f};
  static constexpr float C[3] = {0x1.55554ap-5f, -0x1.6c0c28p-10f, 0x1.99e7e2p-16f};
};

template <>
struct SinCosConstants<double> {
  static constexpr Bits<double> near_limit = 0x4130000000000000u;  // 2^20 rad; k < 2^20 leaves 33 digits
  static constexpr double two_over_pi = 0x1.45f306dc9c882p-1;
  static constexpr double half_pi[4] = {0x1.921fb58p0, -0x1.dde974p-27, 0x1.1a626332p-54, -0x1.747f23e32ed7p-87};
  static constexpr double S[6] = {-0x1.5555555555548p-3, 0x1.111111110f73p-7,    -0x1.a01a019be91a1p-13,
                                  0x1.71de355519f05p-19, -0x1.ae5e4b6a5d943p-26, 0x1.5d8b49c1034b9p-33};
  static constexpr double C[6] = {0x1.555555555554bp-5,   -0x1.6c16c16c15015p-10, 0x1.a01a019c8f1c7p-16,
                                  -0x1.27e4f7f18421dp-22, 0x1.1ee9dbaa0f879p-29,  -0x1.8fa652502215dp-37};
};

namespace detail {

// a[0] + a[1] z + a[2] z^2 + ... by Horner's rule, unrolled.
template <int i, int n, class Real>
inline Real polynomial(const Real (&a)[n], Real z) {
  if constexpr (i + 1 == n) {
    return a[i];
  } else {
    return a[i] + z * polynomial<i + 1>(a, z);
  }
}

template <class Real>
inline SinCos<Real> sincos_reduced(const ReducedAngle<Real>& angle, Bits<Real> sign_of_x) {
  using K = SinCosConstants<Real>;
  const Real r = angle.r, z = r * r;
  const Real sine = r + (angle.r_low + r * (z * polynomial<0>(K::S, z)));
  const Real cosine = Real(1) - (Real(0.5) * z - (z * (z * polynomial<0>(K::C, z)) - r * angle.r_low));

  // Exchange and signs by integer masks: nothing here that a compiler could turn into a branch (GCC does for M7).
  constexpr int top = 8 * sizeof(Real) - 2;  // brings the second bit of the quadrant to the sign bit
  const Bits<Real> k = angle.k, s = to_bits(sine), c = to_bits(cosine);
  const Bits<Real> exchange = (s ^ c) & (Bits<Real>{0} - (k & 1u));
  const Bits<Real> sin_sign = (sign_of_x ^ (k << top)) & sign_bit<Real>, cos_sign = ((k + 1u) << top) & sign_bit<Real>;
  return {from_bits<Real>(s ^ exchange ^ sin_sign), from_bits<Real>(c ^ exchange ^ cos_sign)};
}

template <class Real>
[[gnu::noinline]] SinCos<Real> sincos_far(Real x) {
  const Bits<Real> sign = to_bits(x) & sign_bit<Real>;
  if ((to_bits(x) ^ sign) >= infinity_bits<Real>) return {x - x, x - x};
  return sincos_reduced(reduce_far(x), sign);
}

}  // namespace detail

template <class Real>
inline SinCos<Real> sincos(Real x) {
  using K = SinCosConstants<Real>;
  if ((to_bits(x) & ~sign_bit<Real>) > K::near_limit) return detail::sincos_far(x);
  const Real a = absolute(x);
  const std::uint32_t k = static_cast<std::uint32_t>(a * K::two_over_pi + Real(0.5));
  const Real n = static_cast<Real>(k);
  const Real y = (a - n * K::half_pi[0]) - n * K::half_pi[1];  // exact: few digits, and it cancels
  const Real p = n * K::half_pi[2];                            // exact
  const Real r = y - p;
  const Real r_low = ((y - r) - p) - n * K::half_pi[3];
  return detail::sincos_reduced(ReducedAngle<Real>{r, r_low, k}, to_bits(x));
}

// No templates: after `using namespace moreau;` a template would lose against libm's sin(double) without a word, these
// are ambiguous with it.
inline float sin(float x) { return sincos(x).sin; }
inline double sin(double x) { return sincos(x).sin; }
inline float cos(float x) { return sincos(x).cos; }
inline double cos(double x) { return sincos(x).cos; }

}  // namespace moreau
