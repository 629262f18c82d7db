// The correctly rounded square root (IEEE 754, to nearest), the same bits on every target, without libm.
//
// Where the unit has the instruction it is that instruction and nothing else: std::sqrt and __builtin_sqrt add a
// call for errno unless the user's flags forbid it. Elsewhere digit by digit in integers: with m = x 2^-e, e even,
//
//   q^2 <= m < (q + 1)^2,   q one digit longer than the result, found from its first digit to its last
//
// and the last digit rounds: the root of a floating-point number is never half way between two others.
// Constant cost for normal numbers (25 digits in float, 54 in double). sqrt(-0) = -0; a negative argument or NaN gives
// NaN.
#pragma once

#include "moreau/math/bits.hpp"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace moreau {
namespace detail {

template <class Real>
inline Real sqrt_by_digits(Real x) {
  constexpr int digits = Binary<Real>::significand, bias = Binary<Real>::bias;
  const Bits<Real> b = to_bits(x);
  if ((b & ~sign_bit<Real>) == 0) return x;               // +-0
  if (b > infinity_bits<Real>) return (x - x) / (x - x);  // negative, NaN
  if (b == infinity_bits<Real>) return x;

  Bits<Real> m = b & ((Bits<Real>{1} << (digits - 1)) - 1);
  int e = static_cast<int>(b >> (digits - 1));
  if (e == 0) {
    for (e = 1; (m >> (digits - 1)) == 0; --e) m <<= 1;  // denormal: at most digits - 1 passes
  }
  m |= Bits<Real>{1} << (digits - 1);
  const int power = e - bias;  // x = m 2^(1 - digits) 2^power, the first factor in [1, 2); made even by a factor 2
  const int odd = power & 1;
  m <<= (8 * static_cast<int>(sizeof(Real)) - digits - 1) + odd;  // the point now stands behind the two first bits

  Bits<Real> root = 0, rest = 0;
  for (int i = 0; i <= digits; ++i) {
    rest = (rest << 2) | (m >> (8 * sizeof(Real) - 2));
    m <<= 2;
    const Bits<Real> trial = (root << 2) | 1u;
    const Bits<Real> digit = rest >= trial ? 1u : 0u;
    rest -= trial & (Bits<Real>{0} - digit);
    root = (root << 1) | digit;
  }
  root = (root >> 1) + (root & 1u);
  return from_bits<Real>(root + (static_cast<Bits<Real>>((power - odd) / 2 + bias - 1) << (digits - 1)));
}

}  // namespace detail

inline float sqrt(float x) {
#if defined(__SSE2__)
  return _mm_cvtss_f32(_mm_sqrt_ss(_mm_set_ss(x)));
#elif defined(__GNUC__) && defined(__aarch64__)
  float root;
  asm("fsqrt %s0, %s1" : "=w"(root) : "w"(x));
  return root;
#elif defined(__GNUC__) && defined(__arm__) && defined(__ARM_FP) && (__ARM_FP & 4) && !defined(__SOFTFP__)
  float root;
  asm("vsqrt.f32 %0, %1" : "=t"(root) : "t"(x));
  return root;
#else
  return detail::sqrt_by_digits(x);
#endif
}

inline double sqrt(double x) {
#if defined(__SSE2__)
  const __m128d a = _mm_set_sd(x);
  return _mm_cvtsd_f64(_mm_sqrt_sd(a, a));
#elif defined(__GNUC__) && defined(__aarch64__)
  double root;
  asm("fsqrt %d0, %d1" : "=w"(root) : "w"(x));
  return root;
#elif defined(__GNUC__) && defined(__arm__) && defined(__ARM_FP) && (__ARM_FP & 8) && !defined(__SOFTFP__)
  double root;
  asm("vsqrt.f64 %P0, %P1" : "=w"(root) : "w"(x));
  return root;
#else
  return detail::sqrt_by_digits(x);
#endif
}

}  // namespace moreau
