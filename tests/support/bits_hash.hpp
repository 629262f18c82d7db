// Hash over the bit patterns of results: equal hashes on two machines mean bit-identical results.
#pragma once
#include <cstdint>
#include <moreau/math/bits.hpp>

namespace test {

// FNV-1a, 64 bit, over the bytes of each pattern from the lowest to the highest.
class BitsHash {
 public:
  template <class T>
  void add(T x) {
    auto bits = moreau::detail::to_bits(x);
    for (unsigned byte = 0; byte < sizeof x; ++byte, bits >>= 8) {
      value_ = (value_ ^ (bits & 0xffu)) * 0x100000001b3u;
    }
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325u;
};

// Reproducible arguments: xorshift64*, the same sequence on every machine.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t bits() {
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    return state_ * 0x2545f4914f6cdd1du;
  }
  // Any finite number, subnormals included; all exponents have the same probability.
  template <class T>
  T any_finite() {
    for (;;) {
      const auto b = static_cast<moreau::detail::Bits<T>>(bits() >> (64 - 8 * sizeof(T)));
      if ((b & ~moreau::detail::sign_bit<T>) < moreau::detail::infinity_bits<T>) return moreau::detail::from_bits<T>(b);
    }
  }
  // Uniformly distributed over [low, high).
  template <class T>
  T between(T low, T high) {
    const auto digits = static_cast<std::uint32_t>(bits() >> 40);  // 24 bits: exact in every scalar
    return low + (high - low) * (static_cast<T>(digits) * T(0x1p-24));
  }

 private:
  std::uint64_t state_;
};

}  // namespace test
