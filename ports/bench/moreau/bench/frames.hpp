// Frames on a serial line between host and board.
//
//   kind (1 byte) | sequence (2) | payload (0 .. 64) | CRC-32 of the preceding bytes (4)
//
// The numbers are little-endian. The bytes are encoded by COBS and followed by one 0.
//
// COBS leaves no 0 inside a frame, so a receiver that lost synchronisation finds the next frame at the next 0. Damaged
// frames are dropped; the requesting side repeats its request.
#pragma once

#include <etl/crc32.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace moreau::bench {

enum class FrameKind : std::uint8_t { begin = 1, step, counters, done, refused, sample };

constexpr std::size_t most_payload = 64, frame_overhead = 7;
constexpr std::size_t most_bytes = most_payload + frame_overhead + 2;  // with the COBS byte and the final 0

struct Frame {
  FrameKind kind = FrameKind::refused;
  std::uint16_t sequence = 0;
  std::uint8_t size = 0;  // bytes of the payload
  std::uint8_t payload[most_payload] = {};
};

namespace detail {

inline std::uint32_t checksum(const std::uint8_t* bytes, std::size_t n) { return etl::crc32(bytes, bytes + n).value(); }

// Replaces every 0 by the distance to the next one. Frames are shorter than 254 bytes, so one pass suffices.
inline std::size_t stuff(const std::uint8_t* in, std::size_t n, std::uint8_t* out) {
  std::size_t code = 0, at = 1;
  for (std::size_t i = 0; i < n; ++i) {
    if (in[i] != 0) {
      out[at++] = in[i];
    } else {
      out[code] = static_cast<std::uint8_t>(at - code);
      code = at++;
    }
  }
  out[code] = static_cast<std::uint8_t>(at - code);
  out[at++] = 0;
  return at;
}

// Returns the number of decoded bytes, or 0 if the input is not valid COBS.
inline std::size_t unstuff(const std::uint8_t* in, std::size_t n, std::uint8_t* out) {
  std::size_t at = 0;
  for (std::size_t i = 0; i < n;) {
    const std::size_t code = in[i++];
    if (code == 0 || i + code - 1 > n) return 0;
    for (std::size_t k = 1; k < code; ++k) {
      if (in[i] == 0) return 0;
      out[at++] = in[i++];
    }
    if (i < n) out[at++] = 0;
  }
  return at;
}

}  // namespace detail

// Encodes a frame; returns the number of bytes, at most most_bytes.
inline std::size_t encode(const Frame& frame, std::uint8_t* out) {
  std::uint8_t plain[most_payload + frame_overhead];
  std::size_t n = 0;
  plain[n++] = static_cast<std::uint8_t>(frame.kind);
  plain[n++] = static_cast<std::uint8_t>(frame.sequence & 0xff);
  plain[n++] = static_cast<std::uint8_t>(frame.sequence >> 8);
  for (std::size_t i = 0; i < frame.size; ++i) plain[n++] = frame.payload[i];
  const std::uint32_t crc = detail::checksum(plain, n);
  for (int i = 0; i < 4; ++i) plain[n++] = static_cast<std::uint8_t>(crc >> (8 * i));
  return detail::stuff(plain, n, out);
}

// Decoder of a byte stream into complete frames.
class Decoder {
 public:
  std::uint32_t damaged = 0;  // dropped frames

  bool take(std::uint8_t byte, Frame& frame) {
    if (byte != 0) {
      if (n_ < sizeof bytes_) bytes_[n_] = byte;
      if (n_ <= sizeof bytes_) ++n_;  // one beyond the capacity marks an overlong frame
      return false;
    }
    const std::size_t n = n_;
    n_ = 0;
    if (n == 0) return false;
    const bool good = n <= sizeof bytes_ && read(n, frame);
    damaged += good ? 0 : 1;
    return good;
  }

 private:
  bool read(std::size_t stuffed, Frame& frame) {
    std::uint8_t plain[sizeof bytes_];
    const std::size_t n = detail::unstuff(bytes_, stuffed, plain);
    if (n < frame_overhead || n > most_payload + frame_overhead) return false;
    std::uint32_t crc = 0;
    for (int i = 0; i < 4; ++i) crc |= std::uint32_t{plain[n - 4 + std::size_t(i)]} << (8 * i);
    if (crc != detail::checksum(plain, n - 4)) return false;
    frame.kind = static_cast<FrameKind>(plain[0]);
    frame.sequence = static_cast<std::uint16_t>(plain[1] | plain[2] << 8);
    frame.size = static_cast<std::uint8_t>(n - frame_overhead);
    for (std::size_t i = 0; i < frame.size; ++i) frame.payload[i] = plain[3 + i];
    return true;
  }

  std::uint8_t bytes_[most_bytes];
  std::size_t n_ = 0;
};

// Numbers in a payload.
inline void put_number(Frame& frame, float x) {
  std::uint32_t bits;
  static_assert(sizeof bits == sizeof x, "binary32");
  std::memcpy(&bits, &x, sizeof bits);
  for (int i = 0; i < 4; ++i) frame.payload[frame.size++] = static_cast<std::uint8_t>(bits >> (8 * i));
}
inline float number_at(const Frame& frame, int i) {
  std::uint32_t bits = 0;
  for (int k = 0; k < 4; ++k) bits |= std::uint32_t{frame.payload[4 * i + k]} << (8 * k);
  float x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}

}  // namespace moreau::bench
