// Transport of XCP packets as bytes, and a queue for lines that are slower than the loop.
//
//   XcpSerial     UART (SxI): LEN | CTR | packet | sum of all bytes, one byte each
//   XcpEthernet   TCP and UDP: LEN | CTR | packet, LEN and CTR two bytes each, little-endian
//
// Both: encode(packet, n, out) returns the size of the frame; take(byte) returns true if the byte completes a packet,
// which packet() and size() return until the next byte. A frame with a wrong length or sum is dropped and counted, and
// so are all bytes up to idle(), which the program calls after a pause of the line: the master repeats its command
// after a longer time. Frames of a broken TCP stream are not found again; close the connection if broken().
#pragma once

#include <cstdint>

namespace moreau::bench {

template <int most, bool serial>
class XcpTransport {
 public:
  static constexpr int head = serial ? 2 : 4, tail = serial ? 1 : 0, most_frame = head + most + tail;
  std::uint32_t dropped = 0;  // frames with a wrong length or sum

  int encode(const std::uint8_t* packet, int n, std::uint8_t* out) {
    int size = 0;
    const auto put = [&](unsigned value) {
      out[size++] = static_cast<std::uint8_t>(value);
      if (!serial) out[size++] = static_cast<std::uint8_t>(value >> 8);
    };
    put(static_cast<unsigned>(n));
    put(counter_++);
    for (int i = 0; i < n; ++i) out[size++] = packet[i];
    if (serial) {
      unsigned sum = 0;
      for (int i = 0; i < size; ++i) sum += out[i];
      out[size++] = static_cast<std::uint8_t>(sum);
    }
    return size;
  }

  bool take(std::uint8_t byte) {
    if (broken_) return false;
    frame_[at_++] = byte;
    if (at_ < head) return false;
    size_ = serial ? frame_[0] : frame_[0] | frame_[1] << 8;
    if (size_ == 0 || size_ > most) return drop();
    if (at_ < head + size_ + tail) return false;
    at_ = 0;
    if (serial) {
      unsigned sum = 0;
      for (int i = 0; i < head + size_; ++i) sum += frame_[i];
      if (static_cast<std::uint8_t>(sum) != byte) return drop();
    }
    return true;
  }
  const std::uint8_t* packet() const { return frame_ + head; }
  int size() const { return size_; }
  bool broken() const { return broken_; }
  // Begins a new frame. An unfinished frame is dropped.
  void idle() {
    if (at_ > 0 && !broken_) ++dropped;
    at_ = 0;
    broken_ = false;
  }

 private:
  bool drop() {
    ++dropped;
    broken_ = true;
    return false;
  }

  std::uint8_t frame_[most_frame] = {};
  int at_ = 0, size_ = 0;
  std::uint16_t counter_ = 0;
  bool broken_ = false;
};

template <int most = 128>
using XcpSerial = XcpTransport<most, true>;
template <int most = 128>
using XcpEthernet = XcpTransport<most, false>;

// Bytes on their way to a line. A frame that does not fit is dropped as a whole and counted, so that a slow line never
// delays the loop.
template <int room>
class XcpQueue {
 public:
  std::uint32_t dropped = 0;

  bool push(const std::uint8_t* bytes, int n) {
    if (n > room - count_) return ++dropped, false;
    for (int i = 0; i < n; ++i) bytes_[(first_ + count_++) % room] = bytes[i];
    return true;
  }
  bool pop(std::uint8_t& byte) {
    if (count_ == 0) return false;
    byte = bytes_[first_];
    first_ = (first_ + 1) % room;
    --count_;
    return true;
  }
  int size() const { return count_; }

 private:
  std::uint8_t bytes_[room] = {};
  int first_ = 0, count_ = 0;
};

}  // namespace moreau::bench
