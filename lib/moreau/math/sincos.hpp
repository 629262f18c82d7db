// Sine and cosine of one angle, bit-identical on every target. Up to near_limit, the number of instructions is
// constant.
//
//   |x| = k pi/2 + r,  |r| <= pi/4;   sin x, cos x = +-sin r or +-cos r by the last two bits of k and the sign of x
//   sin r = r + r^3 S(r^2),  cos r = 1 - r^2/2 + r^4 C(r^2)      (minimax polynomials, fitted for this file)
//
// pi/2 is split into four parts (Cody and Waite), and k times each of the first three is exact. The error of r + r_low
// is therefore far below an ulp of r, even near a multiple of pi/2. The reduction uses +, -, * and conversions of small
// integers only. These operations need neither libm nor a change of the rounding mode, and an optimiser cannot simplify
// them.
//
// Largest error in ulp of the result, over all floats: 1.02 up to near_limit, 1.06 beyond (absolute 6.3e-8). Over 2e7
// double arguments: 1.01 and 1.05. For every argument up to near_limit, a sine-cosine pair takes 73 instructions in
// float on Cortex-M4F and 87 in double on M7. These counts apply to GCC 12.2 -O2 (tests/unit/math_cost.cpp). The
// relations sin(-x) = -sin(x) and cos(-x) = cos(x) are exact. The sine of -0 is -0. Infinity and NaN give NaN.
//
// Beyond near_limit, integer arithmetic of bounded length computes x - k pi/2 (after Payne and Hanek):
//
//   |x| = m 2^e with an integer m, so |x| 2/pi mod 4 = m (2^e 2/pi mod 4)
//
// Only a window of the binary digits of 2/pi contributes. The product of window and m contains the quadrant and the
// fraction f; r = f pi/2. The window is wide enough for every argument. No finite float is closer than 2^-30 to a
// multiple of pi/2, no finite double closer than 2^-61. The fraction has 70 (float) and 138 (double) correct bits.
// The cost is about 25 (float) and 60 (double) 32-bit multiplications.
#pragma once

#include <array>
#include <cstdint>

#include "moreau/math/bits.hpp"
#include "moreau/math/compiler.hpp"

namespace moreau {
namespace detail {

// Reduced angle: |x| = k pi/2 + (r + r_low). |r| <= pi/4 with reduce_far(), slightly more with sincos_near(). r_low is
// the rounding error of r.
template <class Real>
struct ReducedAngle {
  Real r, r_low;
  std::uint32_t k;  // only the last two bits are used
};

// Binary digits of 2/pi after the binary point, 32 per word, after two words of zeros.
inline constexpr std::uint32_t two_over_pi[] = {
    0,           0,           0xa2f9836eu, 0x4e441529u, 0xfc2757d1u, 0xf534ddc0u, 0xdb629599u, 0x3c439041u,
    0xfe5163abu, 0xdebbc561u, 0xb7246e3au, 0x424dd2e0u, 0x06492eeau, 0x09d1921cu, 0xfe1deb1cu, 0xb129a73eu,
    0xe88235f5u, 0x2ebb4484u, 0xe99c7026u, 0xb45f7e41u, 0x3991d639u, 0x835339f4u, 0x9c845f8bu, 0xbdf9283bu,
    0x1ff897ffu, 0xde05980fu, 0xef2f118bu, 0x5a0a6d1fu, 0x6d367ecfu, 0x27cb09b7u, 0x4f463f66u, 0x9e5fea2du,
    0x7527bac7u, 0xebe5f17bu, 0x3d0739f7u, 0x8a5292eau, 0x6bfb5fb1u, 0x1f8d5d08u, 0x56033046u, 0xfc7b6babu};

// Binary digits of pi/4 after the binary point.
inline constexpr std::uint32_t quarter_pi[] = {0xc90fdaa2u, 0x2168c234u, 0xc4c6628bu,
                                               0x80dc1cd1u, 0x29024e08u, 0x8a67cc74u};

// Computes p = a b mod 2^(32 n), the last words of a product. Word 0 is the most significant one.
template <int na, int n>
inline void multiply_low(const std::uint32_t (&a)[na], const std::uint32_t (&b)[n], std::uint32_t (&p)[n]) {
  for (std::uint32_t& word : p) word = 0;
  for (int i = 0; i < na; ++i) {
    std::uint64_t carry = 0;
    for (int j = n - 1 - i; j >= 0; --j) {
      carry += std::uint64_t{a[na - 1 - i]} * b[j + i] + p[j];
      p[j] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
  }
}

// Computes p = a b 2^(-32 n), the product of two binary fractions. The result can be too small by a few units of its
// last word.
template <int n, int nb>
inline void multiply_high(const std::uint32_t (&a)[n], const std::uint32_t (&b)[nb], std::uint32_t (&p)[n]) {
  static_assert(nb >= n, "b is cut to n words");
  std::uint32_t full[2 * n] = {};
  for (int i = n - 1; i >= 0; --i) {
    std::uint64_t carry = 0;
    for (int j = n - 1; j >= 0; --j) {
      carry += std::uint64_t{a[i]} * b[j] + full[i + j + 1];
      full[i + j + 1] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    full[i] = static_cast<std::uint32_t>(carry);
  }
  for (int i = 0; i < n; ++i) p[i] = full[i];
}

template <int n>
inline void shift_left(std::uint32_t (&a)[n], int bits) {  // 0 < bits < 32
  for (int i = 0; i < n; ++i) a[i] = (a[i] << bits) | (i + 1 < n ? a[i + 1] >> (32 - bits) : 0u);
}

template <int n>
inline void negate(std::uint32_t (&a)[n]) {
  std::uint32_t carry = 1;
  for (int i = n - 1; i >= 0; --i) {
    a[i] = ~a[i] + carry;
    carry = carry != 0 && a[i] == 0 ? 1u : 0u;
  }
}

// Reduces a finite |x| >= 1. Not inlined, to keep the code of the fast path short.
template <class Real>
MOREAU_NOINLINE ReducedAngle<Real> reduce_far(Real x) {
  constexpr int digits = Binary<Real>::significand, words = digits == 24 ? 3 : 6;
  const Bits<Real> magnitude = to_bits(x) & ~sign_bit<Real>;
  const Bits<Real> integer = (magnitude & ((Bits<Real>{1} << (digits - 1)) - 1)) | (Bits<Real>{1} << (digits - 1));
  const std::uint32_t m[2] = {static_cast<std::uint32_t>(std::uint64_t{integer} >> 32),
                              static_cast<std::uint32_t>(integer)};
  const int e = static_cast<int>(magnitude >> (digits - 1)) - Binary<Real>::bias - (digits - 1);

  // Digits of 2/pi with a weight above 2^(1-e) contribute whole revolutions only.
  const int first = e - 2 + 64;  // counts the 64 leading zeros; not negative for |x| >= 1
  std::uint32_t window[words];
  for (int i = 0; i < words; ++i) {
    const std::uint32_t* const word = two_over_pi + first / 32 + i;
    const int bit = first % 32;
    window[i] = bit == 0 ? word[0] : (word[0] << bit) | (word[1] >> (32 - bit));
  }
  std::uint32_t turn[words];  // |x| / (2 pi) mod 1
  multiply_low(m, window, turn);

  std::uint32_t k = turn[0] >> 30;
  shift_left(turn, 2);
  const bool past_half = (turn[0] >> 31) != 0;  // nearer to the next quadrant: r is negative
  if (past_half) negate(turn), ++k;
  shift_left(turn, 1);
  std::uint32_t r[words];
  multiply_high(turn, quarter_pi, r);

  int shift = 0;  // leading zeros; the loop bound is never reached
  for (; shift < 32 * words - 1 && (r[0] >> 31) == 0; ++shift) shift_left(r, 1);
  const std::uint64_t top = (std::uint64_t{r[0]} << 32) | r[1];
  const Real sign = past_half ? Real(-1) : Real(1);
  const Real high = static_cast<Real>(static_cast<Bits<Real>>(top >> (64 - digits)));
  const Real low = static_cast<Real>(static_cast<std::uint32_t>((top << digits) >> 32));
  return {sign * high * power_of_two<Real>(-digits - shift), sign * low * power_of_two<Real>(-digits - 32 - shift), k};
}

}  // namespace detail

// Sine and cosine of one angle.
template <class Real>
struct SinCos {
  Real sin, cos;
};

namespace detail {

template <class Real>
struct SinCosConstants;

template <>
struct SinCosConstants<float> {
  static constexpr Bits<float> near_limit = 0x45800000u;  // 2^12 rad: k < 2^12, and k times a 12-bit part is exact
  static constexpr float two_over_pi = 0x1.45f306p-1f;
  static constexpr float half_pi[4] = {0x1.922p0f, -0x1.28p-18f, -0x1.778p-25f, 0x1.68c234p-39f};
  static constexpr float S[3] = {-0x1.555546p-3f, 0x1.110774p-7f, -0x1.9951fap-13f};
  static constexpr float C[3] = {0x1.55554ap-5f, -0x1.6c0c28p-10f, 0x1.99e7e2p-16f};
};

template <>
struct SinCosConstants<double> {
  static constexpr Bits<double> near_limit = 0x4130000000000000u;  // 2^20 rad: k < 2^20, which leaves 33 bits
  static constexpr double two_over_pi = 0x1.45f306dc9c882p-1;
  static constexpr double half_pi[4] = {0x1.921fb58p0, -0x1.dde974p-27, 0x1.1a626332p-54, -0x1.747f23e32ed7p-87};
  static constexpr double S[6] = {-0x1.5555555555548p-3, 0x1.111111110f73p-7,    -0x1.a01a019be91a1p-13,
                                  0x1.71de355519f05p-19, -0x1.ae5e4b6a5d943p-26, 0x1.5d8b49c1034b9p-33};
  static constexpr double C[6] = {0x1.555555555554bp-5,   -0x1.6c16c16c15015p-10, 0x1.a01a019c8f1c7p-16,
                                  -0x1.27e4f7f18421dp-22, 0x1.1ee9dbaa0f879p-29,  -0x1.8fa652502215dp-37};
};

// Returns a[0] + a[1] z + a[2] z^2 + ... by Horner's rule, unrolled.
template <int i, int n, class Real>
inline Real polynomial(const Real (&a)[n], Real z) {
  if constexpr (i + 1 == n) {
    return a[i];
  } else {
    return a[i] + z * polynomial<i + 1>(a, z);
  }
}

template <class Real>
MOREAU_ALWAYS_INLINE SinCos<Real> sincos_reduced(const ReducedAngle<Real>& angle, Bits<Real> sign_of_x) {
  using K = SinCosConstants<Real>;
  const Real r = angle.r, z = r * r;
  const Real sine = r + (angle.r_low + r * (z * polynomial<0>(K::S, z)));
  const Real cosine = Real(1) - (Real(0.5) * z - (z * (z * polynomial<0>(K::C, z)) - r * angle.r_low));

  // Select by conditional moves: for M7, GCC compiles the integer version below to a branch.
  if constexpr (cpu::has_conditional_move<Real>) {
    const std::int32_t odd = static_cast<std::int32_t>(angle.k << 31), half = static_cast<std::int32_t>(angle.k << 30);
    const std::int32_t sign = static_cast<std::int32_t>(sign_of_x >> (8 * sizeof(Real) - 32));
    Real sin = sine, cos = cosine;
    cpu::move_if(odd, sin, cosine, cos, sine);
    cpu::negate_if(half ^ sign, sin);
    cpu::negate_if(half ^ odd, cos);
    return {sin, cos};
  }
  constexpr int top = 8 * sizeof(Real) - 2;  // shifts the second bit of the quadrant to the sign bit
  const Bits<Real> k = angle.k, s = to_bits(sine), c = to_bits(cosine);
  const Bits<Real> exchange = (s ^ c) & (Bits<Real>{0} - (k & 1u));
  const Bits<Real> sin_sign = (sign_of_x ^ (k << top)) & sign_bit<Real>, cos_sign = ((k + 1u) << top) & sign_bit<Real>;
  return {from_bits<Real>(s ^ exchange ^ sin_sign), from_bits<Real>(c ^ exchange ^ cos_sign)};
}

template <class Real>
MOREAU_NOINLINE SinCos<Real> sincos_far(Real x) {
  const Bits<Real> sign = to_bits(x) & sign_bit<Real>;
  if ((to_bits(x) ^ sign) >= infinity_bits<Real>) return {x - x, x - x};
  return sincos_reduced(reduce_far(x), sign);
}

}  // namespace detail

namespace detail {

template <class Real>
MOREAU_ALWAYS_INLINE bool is_far(Real x) {
  return (to_bits(x) & ~sign_bit<Real>) > SinCosConstants<Real>::near_limit;
}
template <class Real>
MOREAU_ALWAYS_INLINE SinCos<Real> sincos_near(Real x) {
  using K = SinCosConstants<Real>;
  const Real a = absolute(x);
  const std::uint32_t k = static_cast<std::uint32_t>(a * K::two_over_pi + Real(0.5));
  const Real n = static_cast<Real>(k);
  const Real y = (a - n * K::half_pi[0]) - n * K::half_pi[1];  // exact: few bits, and the leading bits cancel
  const Real p = n * K::half_pi[2];                            // exact
  const Real r = y - p;
  const Real r_low = ((y - r) - p) - n * K::half_pi[3];
  return sincos_reduced(ReducedAngle<Real>{r, r_low, k}, to_bits(x));
}
// Returns sine and cosine of any angle. Used if at least one of several angles is beyond near_limit.
template <class Real>
MOREAU_COLD MOREAU_NOINLINE SinCos<Real> sincos_near_or_far(Real x) {
  return is_far(x) ? sincos_far(x) : sincos_near(x);
}
template <class... Reals>
MOREAU_COLD MOREAU_NOINLINE auto sincos_seldom(Reals... x) {
  return std::array{sincos_near_or_far(x)...};
}

}  // namespace detail

// Returns sine and cosine of x.
template <class Real>
inline SinCos<Real> sincos(Real x) {
  return detail::is_far(x) ? detail::sincos_far(x) : detail::sincos_near(x);
}

// Returns sine and cosine of several angles, bit-identical to separate calls: const auto [one, two] =
// moreau::sincos(q(0), q(1)). The angles share one range test, and the constants stay in registers. This saves 10
// instructions per angle.
template <class Real, class... More>
inline std::array<SinCos<Real>, 1 + sizeof...(More)> sincos(Real x, More... more) {
  if ((unsigned{detail::is_far(x)} | ... | unsigned{detail::is_far(more)}) != 0)
    return detail::sincos_seldom(x, more...);
  return {detail::sincos_near(x), detail::sincos_near(more)...};
}

// Returns the sine of x. These overloads are not templates: after `using namespace moreau;` a call is then ambiguous if
// libm's sin(double) is in scope. With a template, such a call would silently select libm.
inline float sin(float x) { return sincos(x).sin; }
inline double sin(double x) { return sincos(x).sin; }
// Returns the cosine of x.
inline float cos(float x) { return sincos(x).cos; }
inline double cos(double x) { return sincos(x).cos; }

}  // namespace moreau
