// Numbers and words from arbitrary bytes, as input of the libFuzzer targets.
#pragma once
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

namespace fuzz {

inline void demand(bool holds) {
  if (!holds) std::abort();
}

// Numbers in sequence; zeros after the end of the bytes.
class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}
  template <class T>
  T take() {
    T x{};
    const std::size_t n = size_ < sizeof x ? size_ : sizeof x;
    std::memcpy(&x, data_, n);
    data_ += n, size_ -= n;
    return x;
  }
  // The bytes up to and including a zero.
  std::string word() {
    std::size_t n = 0;
    while (n < size_ && data_[n] != 0) ++n;
    const std::string text(reinterpret_cast<const char*>(data_), n);
    const std::size_t taken = n < size_ ? n + 1 : n;
    data_ += taken, size_ -= taken;
    return text;
  }
  const std::uint8_t* data() const { return data_; }
  std::size_t size() const { return size_; }

 private:
  const std::uint8_t* data_;
  std::size_t size_;
};

}  // namespace fuzz
