// Counter-based random numbers: Philox4x32 with ten rounds (Salmon, Moraes, Dror, Shaw 2011), a bijection of 128-bit
// counters under a 64-bit key. There is no state: sample 7 of dimension 3 has the same value in any order of
// evaluation.
#pragma once
#include <array>
#include <cstdint>

namespace moreau::study {

using Words = std::array<std::uint32_t, 4>;

inline Words philox(Words counter, std::uint64_t seed) {
  constexpr std::uint64_t multiplier[] = {0xd2511f53u, 0xcd9e8d57u};
  constexpr std::uint32_t weyl[] = {0x9e3779b9u, 0xbb67ae85u};
  auto key_0 = std::uint32_t(seed), key_1 = std::uint32_t(seed >> 32);
  for (int round = 0; round < 10; ++round, key_0 += weyl[0], key_1 += weyl[1]) {
    const std::uint64_t a = multiplier[0] * counter[0], b = multiplier[1] * counter[2];
    counter = {std::uint32_t(b >> 32) ^ counter[1] ^ key_0, std::uint32_t(b),  //
               std::uint32_t(a >> 32) ^ counter[3] ^ key_1, std::uint32_t(a)};
  }
  return counter;
}

// Purpose of a random number: numbers for different purposes never share a counter.
enum class Use : std::uint32_t { sample, scramble, permutation, jitter, search };

// Returns two 64-bit words for (index, dimension, use).
inline std::array<std::uint64_t, 2> random_words(std::uint64_t seed, Use use, std::uint32_t dimension,
                                                 std::uint64_t index) {
  const Words w = philox({std::uint32_t(index), std::uint32_t(index >> 32), dimension, std::uint32_t(use)}, seed);
  return {w[0] | (std::uint64_t{w[1]} << 32), w[2] | (std::uint64_t{w[3]} << 32)};
}

// Maps the upper 52 bits to a number strictly between 0 and 1: the midpoint of one of 2^52 equal intervals, exact in
// double.
inline double unit(std::uint64_t word) { return (double(word >> 12) + 0.5) * 0x1p-52; }

}  // namespace moreau::study
