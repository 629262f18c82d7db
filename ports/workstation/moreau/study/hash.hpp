// 64-bit hash of numbers and texts: mark of a study, checksum of a block, comparison of results.
//
// Each word passes through a bijection of the state, so a single changed word always changes the hash. Other damage
// goes undetected with probability 2^-64. The hash does not protect against deliberate changes.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace moreau::study {

class Hash {
 public:
  void add(std::uint64_t word) {
    state_ = (state_ ^ word) * 0x9e3779b97f4a7c15u;
    state_ ^= state_ >> 29;
  }
  void add(const void* bytes, std::size_t size) {
    const auto* place = static_cast<const unsigned char*>(bytes);
    for (; size >= sizeof(std::uint64_t); size -= sizeof(std::uint64_t), place += sizeof(std::uint64_t)) {
      std::uint64_t word;
      std::memcpy(&word, place, sizeof word);
      add(word);
    }
    std::uint64_t rest = 0;
    if (size > 0) std::memcpy(&rest, place, size);
    add(rest ^ (std::uint64_t{size} << 56));
  }
  void add(std::string_view text) {
    add(std::uint64_t{text.size()});
    add(text.data(), text.size());
  }

  std::uint64_t value() const {
    std::uint64_t x = state_ * 0xd6e8feb86659fd93u;
    return x ^ (x >> 32);
  }

 private:
  std::uint64_t state_ = 0x243f6a8885a308d3u;
};

inline std::string hexadecimal(std::uint64_t x) {
  std::string text(16, '0');
  for (std::size_t i = 16; i-- > 0; x >>= 4) text[i] = "0123456789abcdef"[x & 15];
  return text;
}

}  // namespace moreau::study
