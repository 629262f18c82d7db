// Sobol sequence with the direction numbers of Joe and Kuo (2008, their set for 21,201 dimensions; here the first 32),
// evaluated by index and with Owen scrambling: evenly distributed and unbiased.
//
//   x_n = XOR of v_k over the bits k of n ^ (n >> 1)         Gray code: the order of the usual generators
//   v_k = m_k 2^(64 - k),  m_k = 2 a_1 m_(k-1) ^ ... ^ 2^(s-1) a_(s-1) m_(k-s+1) ^ 2^s m_(k-s) ^ m_(k-s)
//
// with the polynomial x^s + a_1 x^(s-1) + ... + a_(s-1) x + 1 of the dimension and its first s values m_k from the
// table.
//
// Owen scrambling flips each binary digit by a random bit that depends on the preceding digits. Here arithmetic on the
// digits in reverse order produces that bit: its carries propagate only from earlier digits to later ones.
#pragma once
#include <array>
#include <cstdint>

#include "moreau/study/philox.hpp"

namespace moreau::study {

class Sobol {
 public:
  static constexpr int most_dimensions = 32;
  static constexpr int digits = 52;  // at most 2^52 samples

  Sobol() {
    for (int k = 0; k < digits; ++k) direction_[0][std::size_t(k)] = std::uint64_t{1} << (63 - k);
    for (int d = 1; d < most_dimensions; ++d) {
      const Polynomial& p = polynomials[d - 1];
      auto& v = direction_[std::size_t(d)];
      for (int k = 0; k < digits; ++k) {
        const auto at = std::size_t(k);
        if (k < p.degree) {
          v[at] = std::uint64_t{p.m[k]} << (63 - k);
          continue;
        }
        v[at] = v[at - std::size_t(p.degree)] ^ (v[at - std::size_t(p.degree)] >> p.degree);
        for (int j = 1; j < p.degree; ++j)
          if ((p.coefficients >> (p.degree - 1 - j)) & 1u) v[at] ^= v[at - std::size_t(j)];
      }
    }
  }

  // Returns the binary digits after the point, from the highest bit on.
  std::uint64_t operator()(std::uint64_t index, int dimension) const {
    std::uint64_t x = 0;
    auto v = direction_[std::size_t(dimension)].begin();
    for (std::uint64_t gray = index ^ (index >> 1); gray != 0; gray >>= 1, ++v) x ^= *v & (0 - (gray & 1u));
    return x;
  }

 private:
  struct Polynomial {
    int degree;
    unsigned coefficients;
    std::uint8_t m[7];
  };
  static constexpr Polynomial polynomials[most_dimensions - 1] = {
      {1, 0, {1}},
      {2, 1, {1, 3}},
      {3, 1, {1, 3, 1}},
      {3, 2, {1, 1, 1}},
      {4, 1, {1, 1, 3, 3}},
      {4, 4, {1, 3, 5, 13}},
      {5, 2, {1, 1, 5, 5, 17}},
      {5, 4, {1, 1, 5, 5, 5}},
      {5, 7, {1, 1, 7, 11, 19}},
      {5, 11, {1, 1, 5, 1, 1}},
      {5, 13, {1, 1, 1, 3, 11}},
      {5, 14, {1, 3, 5, 5, 31}},
      {6, 1, {1, 3, 3, 9, 7, 49}},
      {6, 13, {1, 1, 1, 15, 21, 21}},
      {6, 16, {1, 3, 1, 13, 27, 49}},
      {6, 19, {1, 1, 1, 15, 7, 5}},
      {6, 22, {1, 3, 1, 15, 13, 25}},
      {6, 25, {1, 1, 5, 5, 19, 61}},
      {7, 1, {1, 3, 7, 11, 23, 15, 103}},
      {7, 4, {1, 3, 7, 13, 13, 15, 69}},
      {7, 7, {1, 1, 3, 13, 7, 35, 63}},
      {7, 8, {1, 3, 5, 9, 1, 25, 53}},
      {7, 14, {1, 3, 1, 13, 9, 35, 107}},
      {7, 19, {1, 3, 1, 5, 27, 61, 31}},
      {7, 21, {1, 1, 5, 11, 19, 41, 61}},
      {7, 28, {1, 3, 5, 3, 3, 13, 69}},
      {7, 31, {1, 1, 7, 13, 1, 19, 1}},
      {7, 32, {1, 3, 7, 5, 13, 19, 59}},
      {7, 37, {1, 1, 3, 9, 25, 29, 41}},
      {7, 41, {1, 3, 5, 13, 23, 1, 55}},
      {7, 42, {1, 3, 7, 3, 13, 59, 17}},
  };

  std::array<std::array<std::uint64_t, digits>, most_dimensions> direction_;
};

// Owen scrambling of one dimension under one seed.
class OwenScramble {
 public:
  OwenScramble(std::uint64_t seed, std::uint32_t dimension) {
    for (std::uint32_t r = 0; r < rounds; ++r) {
      const auto [a, b] = random_words(seed, Use::scramble, dimension, 2 * r);
      const auto [c, unused] = random_words(seed, Use::scramble, dimension, 2 * r + 1);
      (void)unused;
      keys_[r] = {a, b & ~std::uint64_t{1}, c | 1u};
    }
  }
  std::uint64_t operator()(std::uint64_t x) const {
    std::uint64_t v = reversed(x);
    for (const Key& key : keys_) {
      v += key.summand;
      v ^= v * key.even;
      v *= key.odd;
    }
    return reversed(v);
  }

 private:
  static constexpr std::uint32_t rounds = 4;
  struct Key {
    std::uint64_t summand, even, odd;
  };

  static std::uint64_t reversed(std::uint64_t x) {
    x = ((x >> 1) & 0x5555555555555555u) | ((x & 0x5555555555555555u) << 1);
    x = ((x >> 2) & 0x3333333333333333u) | ((x & 0x3333333333333333u) << 2);
    x = ((x >> 4) & 0x0f0f0f0f0f0f0f0fu) | ((x & 0x0f0f0f0f0f0f0f0fu) << 4);
    x = ((x >> 8) & 0x00ff00ff00ff00ffu) | ((x & 0x00ff00ff00ff00ffu) << 8);
    x = ((x >> 16) & 0x0000ffff0000ffffu) | ((x & 0x0000ffff0000ffffu) << 16);
    return (x >> 32) | (x << 32);
  }

  std::array<Key, rounds> keys_;
};

}  // namespace moreau::study
