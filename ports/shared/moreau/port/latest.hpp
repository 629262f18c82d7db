// Wait-free exchange of the latest value between one writer and one reader that may interrupt each other at any
// instant: an interrupt and the main loop, in either direction, or two threads. Neither side waits, retries or masks
// interrupts, and the reader never reads a partly written value. This is the four-slot mechanism: two pairs of slots;
// the writer avoids the pair that the reader announced and the slot that it wrote last. It needs only loads and stores
// of single bytes, so it also works on a Cortex-M0, which has no atomic exchange.
#pragma once
#include <atomic>
#include <cstdint>

namespace moreau::port {

template <class T>
class Latest {
 public:
  Latest() = default;
  explicit Latest(const T& first) : slots_{{first, first}, {first, first}} {}
  Latest(const Latest&) = delete;
  Latest& operator=(const Latest&) = delete;

  // For the single writer.
  void publish(const T& value) {
    const std::uint8_t pair = reading_ ^ 1u;
    const std::uint8_t slot = newest_[pair] ^ 1u;
    slots_[pair][slot] = value;
    newest_[pair] = slot;
    latest_ = pair;
  }

  // For the single reader. Returns the latest published value, or the initial value before the first publication.
  T read() {
    const std::uint8_t pair = latest_;
    reading_ = pair;
    const std::uint8_t slot = newest_[pair];
    return slots_[pair][slot];
  }

 private:
  using Bit = std::atomic<std::uint8_t>;  // sequentially consistent: the order of these accesses is the proof
  T slots_[2][2] = {};
  Bit newest_[2] = {};
  Bit latest_{0};
  Bit reading_{0};
};

}  // namespace moreau::port
