// x - k pi/2 for arguments too large for sincos's own subtraction: exact, in integers, bounded.
//
//   |x| = m 2^e with an integer m, so |x| 2/pi mod 4 = m (2^e 2/pi mod 4): only a window of the binary digits of 2/pi
//   matters. The window times m gives the quadrant and the fraction f; r = f pi/2.
//
// (The idea is Payne and Hanek's.) The window is wide enough for the worst argument: no finite float comes closer
// than 2^-30 to a multiple of pi/2, no finite double closer than 2^-61; the fraction keeps 70 (float) and 138
// (double) correct digits. Cost: about 25 and 60 32-bit multiplications.
#pragma once

#include <cstdint>

#include "moreau/math/bits.hpp"

namespace moreau {

// |x| = k pi/2 + (r + r_low), |r| <= pi/4 (a hair more on the fast path); r_low is what does not fit into r.
template <class Real>
struct ReducedAngle {
  Real r, r_low;
  std::uint32_t k;  // only its two last bits count
};

namespace detail {

// Binary digits of 2/pi behind the point, 32 per word, after two words of zeros.
inline constexpr std::uint32_t two_over_pi[] = {
    0,           0,           0xa2f9836eu, 0x4e441529u, 0xfc2757d1u, 0xf534ddc0u, 0xdb629599u, 0x3c439041u,
    0xfe5163abu, 0xdebbc561u, 0xb7246e3au, 0x424dd2e0u, 0x06492eeau, 0x09d1921cu, 0xfe1deb1cu, 0xb129a73eu,
    0xe88235f5u, 0x2ebb4484u, 0xe99c7026u, 0xb45f7e41u, 0x3991d639u, 0x835339f4u, 0x9c845f8bu, 0xbdf9283bu,
    0x1ff897ffu, 0xde05980fu, 0xef2f118bu, 0x5a0a6d1fu, 0x6d367ecfu, 0x27cb09b7u, 0x4f463f66u, 0x9e5fea2du,
    0x7527bac7u, 0xebe5f17bu, 0x3d0739f7u, 0x8a5292eau, 0x6bfb5fb1u, 0x1f8d5d08u, 0x56033046u, 0xfc7b6babu};

// Binary digits of pi/4 behind the point.
inline constexpr std::uint32_t quarter_pi[] = {0xc90fdaa2u, 0x2168c234u, 0xc4c6628bu,
                                               0x80dc1cd1u, 0x29024e08u, 0x8a67cc74u};

// p = a b mod 2^(32 n): the last words of a product. Words run from the most to the least significant.
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

// p = a b 2^(-32 n), rounded down by a few units of its last word: the product of two binary fractions.
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

}  // namespace detail

// For finite |x| >= 1. Never inlined: it would only lengthen the code around the fast path.
template <class Real>
[[gnu::noinline]] ReducedAngle<Real> reduce_far(Real x) {
  constexpr int digits = Binary<Real>::significand, words = digits == 24 ? 3 : 6;
  const Bits<Real> magnitude = to_bits(x) & ~sign_bit<Real>;
  const Bits<Real> integer = (magnitude & ((Bits<Real>{1} << (digits - 1)) - 1)) | (Bits<Real>{1} << (digits - 1));
  const std::uint32_t m[2] = {static_cast<std::uint32_t>(std::uint64_t{integer} >> 32),
                              static_cast<std::uint32_t>(integer)};
  const int e = static_cast<int>(magnitude >> (digits - 1)) - Binary<Real>::bias - (digits - 1);

  // The first digit of 2/pi that counts is the one of weight 2^(1-e): those before it give whole turns.
  const int first = e - 2 + 64;  // counted with the 64 zeros in front; never negative for |x| >= 1
  std::uint32_t window[words];
  for (int i = 0; i < words; ++i) {
    const std::uint32_t* const word = detail::two_over_pi + first / 32 + i;
    const int bit = first % 32;
    window[i] = bit == 0 ? word[0] : (word[0] << bit) | (word[1] >> (32 - bit));
  }
  std::uint32_t turn[words];  // |x| / (2 pi) mod 1
  detail::multiply_low(m, window, turn);

  std::uint32_t k = turn[0] >> 30;
  detail::shift_left(turn, 2);
  const bool past_half = (turn[0] >> 31) != 0;  // nearer to the next quadrant: r is negative
  if (past_half) detail::negate(turn), ++k;
  detail::shift_left(turn, 1);
  std::uint32_t r[words];
  detail::multiply_high(turn, detail::quarter_pi, r);

  int shift = 0;  // leading zeros; the bound is never reached
  for (; shift < 32 * words - 1 && (r[0] >> 31) == 0; ++shift) detail::shift_left(r, 1);
  const std::uint64_t top = (std::uint64_t{r[0]} << 32) | r[1];
  const Real sign = past_half ? Real(-1) : Real(1);
  const Real high = static_cast<Real>(static_cast<Bits<Real>>(top >> (64 - digits)));
  const Real low = static_cast<Real>(static_cast<std::uint32_t>((top << digits) >> 32));
  return {sign * high * power_of_two<Real>(-digits - shift), sign * low * power_of_two<Real>(-digits - 32 - shift), k};
}

}  // namespace moreau
