// The latest value, handed from one writer to one reader that may interrupt each other at any instant: an interrupt and
// the main loop, in either direction, or two threads. Neither ever waits, repeats or masks an interrupt, and the
// reader never sees half a value. It is the four-slot mechanism: two pairs of slots; the writer stays out of the
// pair that the reader announced and out of the slot it wrote last. Only loads and stores of single bytes are
// needed, so a Cortex-M0, which has no atomic exchange, can do it too.
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

  // Called by the one writer.
  void publish(const T& value) {
    const std::uint8_t pair = reading_ ^ 1u;
    const std::uint8_t slot = newest_[pair] ^ 1u;
    slots_[pair][slot] = value;
    newest_[pair] = slot;
    latest_ = pair;
  }

  // Called by the one reader: what was published last (the first value before that).
  T read() {
    const std::uint8_t pair = latest_;
    reading_ = pair;
    const std::uint8_t slot = newest_[pair];
    return slots_[pair][slot];
  }

 private:
  using Bit = std::atomic<std::uint8_t>;  // sequentially consistent: the order of these few accesses is the proof
  T slots_[2][2] = {};
  Bit newest_[2] = {};
  Bit latest_{0};
  Bit reading_{0};
};

}  // namespace moreau::port
