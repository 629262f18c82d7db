// Correctly rounded square root (IEEE 754, to nearest), bit-identical on every target, without libm.
//
// If the FPU has a square root instruction, the function compiles to it. std::sqrt and __builtin_sqrt add a call for
// errno unless compiler options disable it. Without the instruction, the root is computed digit by digit in integer
// arithmetic. With m = x 2^-e, e even,
//
//   q^2 <= m < (q + 1)^2,   q: one digit longer than the result
//
// The last digit of q determines the rounding, because no root lies halfway between two floating-point numbers. Normal
// numbers take a constant number of passes: 25 in float, 54 in double. sqrt(-0) = -0. A negative argument or NaN gives
// NaN.
#pragma once

#include "moreau/math/bits.hpp"
#include "moreau/math/compiler.hpp"

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
    for (e = 1; (m >> (digits - 1)) == 0; --e) m <<= 1;  // subnormal: at most digits - 1 passes
  }
  m |= Bits<Real>{1} << (digits - 1);
  // x = m 2^(1 - digits) 2^power, the first factor in [1, 2). If the power is odd, m is doubled.
  const int power = e - bias;
  const int odd = power & 1;
  m <<= (8 * static_cast<int>(sizeof(Real)) - digits - 1) + odd;  // places the binary point after the two leading bits

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

template <class Real>
MOREAU_ALWAYS_INLINE Real sqrt_of(Real x) {
  if constexpr (cpu::has_sqrt<Real>) {
    Real root;
    cpu::set_sqrt(root, x);
    return root;
  } else {
    return sqrt_by_digits(x);
  }
}

}  // namespace detail

// Returns the correctly rounded square root of x.
inline float sqrt(float x) { return detail::sqrt_of(x); }

inline double sqrt(double x) { return detail::sqrt_of(x); }

}  // namespace moreau
