// Bit patterns of IEEE 754 binary32 and binary64 numbers.
//
// The library reads and writes sign and exponent as integers where this is faster or more reliable than arithmetic.
// Integer operations do not round, and no compiler option for floating-point arithmetic changes their results.
#pragma once

#include <cstdint>
#include <cstring>
#include <limits>

#include "moreau/math/compiler.hpp"

namespace moreau {
namespace detail {

template <class Real>
struct Binary;

template <>
struct Binary<float> {
  using Bits = std::uint32_t;
  static constexpr int significand = 24, bias = 127;  // significand: binary digits including the leading 1
};

template <>
struct Binary<double> {
  using Bits = std::uint64_t;
  static constexpr int significand = 53, bias = 1023;
};

}  // namespace detail

static_assert(std::numeric_limits<float>::is_iec559 && std::numeric_limits<float>::digits == 24, "float is binary32");
static_assert(std::numeric_limits<double>::is_iec559 && std::numeric_limits<double>::digits == 53,
              "double is binary64");

namespace detail {

template <class Real>
using Bits = typename Binary<Real>::Bits;

template <class Real>
inline constexpr Bits<Real> sign_bit = Bits<Real>{1} << (8 * sizeof(Real) - 1);

template <class Real>
inline constexpr Bits<Real> infinity_bits = Bits<Real>(2 * Binary<Real>::bias + 1) << (Binary<Real>::significand - 1);

template <class Real>
inline Bits<Real> to_bits(Real x) {
  Bits<Real> b;
  std::memcpy(&b, &x, sizeof b);
  return b;
}

template <class Real>
inline Real from_bits(Bits<Real> b) {
  Real x;
  std::memcpy(&x, &b, sizeof x);
  return x;
}

// Returns |x| without a libm call, in one instruction where the FPU has one.
using cpu::absolute;

// Returns true if dt is positive, normal and below 128 s. Larger numbers, for example in a wrong unit or from an
// uninitialised variable, are not step sizes of a mechanism. Subnormal numbers, infinity and NaN return false.
template <class Real>
MOREAU_ALWAYS_INLINE bool is_step_size(Real dt) {
  constexpr Bits<Real> smallest = Bits<Real>{1} << (Binary<Real>::significand - 1);
  constexpr Bits<Real> limit = Bits<Real>(Binary<Real>::bias + 7) << (Binary<Real>::significand - 1);  // 2^7 s
  return to_bits(dt) - smallest < limit - smallest;
}

// Returns 2^e, which must be a normal number.
template <class Real>
inline Real power_of_two(int e) {
  return from_bits<Real>(Bits<Real>(e + Binary<Real>::bias) << (Binary<Real>::significand - 1));
}

}  // namespace detail
}  // namespace moreau
