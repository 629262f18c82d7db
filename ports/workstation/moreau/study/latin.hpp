// Keyed permutation of 0 .. size - 1, evaluated by index: one dimension of a Latin hypercube, without stored lists.
//
// Invertible operations mix the numbers below the next power of two; a number outside the range is mixed again until it
// is inside. The power of two is less than 2 size, so two rounds are expected on average.
#pragma once
#include <array>
#include <cstdint>

#include "moreau/study/philox.hpp"

namespace moreau::study {

class Permutation {
 public:
  Permutation(std::uint64_t size, std::uint64_t seed, std::uint32_t dimension) : size_(size) {
    while (bits_ < 63 && (std::uint64_t{1} << bits_) < size) ++bits_;
    mask_ = (std::uint64_t{1} << bits_) - 1;
    for (std::uint32_t r = 0; r < rounds; ++r) {
      const auto [a, b] = random_words(seed, Use::permutation, dimension, r);
      keys_[r] = {a, b | 1u};
    }
  }
  std::uint64_t operator()(std::uint64_t index) const {
    do index = mixed(index);
    while (index >= size_);
    return index;
  }

 private:
  static constexpr std::uint32_t rounds = 6;
  struct Key {
    std::uint64_t summand, factor;
  };

  std::uint64_t mixed(std::uint64_t x) const {
    const int shift = bits_ / 2 + 1;
    for (const Key& key : keys_) {
      x = (x + key.summand) & mask_;
      x ^= x >> shift;
      x = (x * key.factor) & mask_;
    }
    return x;
  }

  std::uint64_t size_, mask_;
  int bits_ = 1;
  std::array<Key, rounds> keys_;
};

}  // namespace moreau::study
