// Serialisation of a state, field by field and little-endian, identical on every machine.
//
//   tag "MORO" | version, sizeof(Real), dof, contacts, tangents, frictions, friction_dim, bilaterals (one byte each,
//   sizes modulo 256) | fingerprint of the model (4 bytes, model/fingerprint.hpp) | q u t0 dt n P_N P_T P_F P_B sigma_N
//   sigma_T sigma_F | du_held impact resting (version 5 only) | CRC-32 (IEEE 802.3) of all previous bytes
//
// Models that declare second_order use version 5, all others version 3.
// Versions 1 and 2, without fingerprint, and version 4 are rejected.
//
// The bytes do not depend on padding or alignment. The reference hashes of the tests use the same writer.
#pragma once

#include <cstddef>
#include <cstring>

#include "moreau/model/fingerprint.hpp"
#include "moreau/model/state.hpp"
#include "moreau/model/status.hpp"

namespace moreau {
namespace detail {

// CRC-32 with the reflected polynomial 0xEDB88320, without a table: 8 shifts per byte.
inline std::uint32_t crc32(const std::uint8_t* data, std::size_t size, std::uint32_t crc = 0) {
  crc = ~crc;
  for (std::size_t i = 0; i < size; ++i) {
    crc ^= data[i];
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ (0xEDB88320u & (0u - (crc & 1u)));
  }
  return ~crc;
}

struct ByteWriter {
  std::uint8_t* at;
  template <class U>
  void raw(U bits) {
    for (std::size_t i = 0; i < sizeof(U); ++i) *at++ = static_cast<std::uint8_t>((bits >> (8 * i)) & 0xffu);
  }
  void operator()(const float& x) {
    std::uint32_t bits;
    std::memcpy(&bits, &x, sizeof bits);
    raw(bits);
  }
  void operator()(const double& x) {
    std::uint64_t bits;
    std::memcpy(&bits, &x, sizeof bits);
    raw(bits);
  }
  void operator()(const std::int64_t& x) { raw(static_cast<std::uint64_t>(x)); }
  void operator()(const std::uint8_t& x) { raw(x); }
  void operator()(const std::uint32_t& x) { raw(x); }
};

struct ByteReader {
  const std::uint8_t* at;
  template <class U>
  U raw() {
    U bits = 0;
    for (std::size_t i = 0; i < sizeof(U); ++i) bits |= static_cast<U>(static_cast<U>(*at++) << (8 * i));
    return bits;
  }
  void operator()(float& x) {
    const auto bits = raw<std::uint32_t>();
    std::memcpy(&x, &bits, sizeof x);
  }
  void operator()(double& x) {
    const auto bits = raw<std::uint64_t>();
    std::memcpy(&x, &bits, sizeof x);
  }
  void operator()(std::int64_t& x) { x = static_cast<std::int64_t>(raw<std::uint64_t>()); }
  void operator()(std::uint8_t& x) { x = *at++; }
  void operator()(std::uint32_t& x) { x = raw<std::uint32_t>(); }
};

// Calls f with each field of a state, in the order of the bytes. The writer and the reader share this list.
template <class Model, class F>
void each_field(State<Model>& s, F& f) {
  const auto matrix = [&f](auto& m) {
    for (int j = 0; j < int(m.cols()); ++j)
      for (int i = 0; i < int(m.rows()); ++i) f(m.coeffRef(i, j));
  };
  matrix(s.q), matrix(s.u);
  f(s.clock.t0), f(s.clock.dt), f(s.clock.n);
  matrix(s.P_N), matrix(s.P_T), matrix(s.P_F), matrix(s.P_B);
  for (auto& one : s.sigma_N) f(one);
  for (auto& one : s.sigma_T) f(one);
  for (auto& one : s.sigma_F) f(one);
  if constexpr (Traits<Model>::second_order) {
    matrix(s.du_held), f(s.impact);
    for (auto& word : s.resting) f(word);
  }
}

constexpr std::size_t header_size = 16, checksum_size = 4;

// Returns the version of the byte format.
template <class Model>
constexpr int byte_version() {
  return Traits<Model>::second_order ? 5 : 3;
}

template <class Model>
void write_header(ByteWriter& write) {
  using S = State<Model>;
  for (const char c : {'M', 'O', 'R', 'O'}) write.raw(static_cast<std::uint8_t>(c));
  for (const int field : {byte_version<Model>(), int(sizeof(typename S::Real)), S::dof, S::contacts, S::tangents,
                          S::frictions, S::friction_dim, S::bilaterals})
    write.raw(static_cast<std::uint8_t>(field & 0xff));
  write.raw(fingerprint<Model>);
}

}  // namespace detail

// Writes exactly State::bytes bytes to `out`.
template <class Model>
void State<Model>::save(std::uint8_t* out) const {
  State copy = *this;  // each_field passes mutable references
  detail::ByteWriter write{out};
  detail::write_header<Model>(write);
  detail::each_field(copy, write);
  write.raw(detail::crc32(out, bytes - detail::checksum_size));
}

// Reads a state from `size` bytes. If tag, version, scalar type, sizes, fingerprint or checksum do not match, returns
// invalid_argument and leaves the state unchanged.
template <class Model>
Status State<Model>::restore(const std::uint8_t* in, std::size_t size) {
  std::uint8_t expected[detail::header_size];
  detail::ByteWriter write{expected};
  detail::write_header<Model>(write);
  if (in == nullptr || size != bytes || std::memcmp(in, expected, sizeof expected) != 0)
    return Status::invalid_argument;
  detail::ByteReader tail{in + bytes - detail::checksum_size};
  if (tail.raw<std::uint32_t>() != detail::crc32(in, bytes - detail::checksum_size)) return Status::invalid_argument;
  detail::ByteReader read{in + detail::header_size};
  detail::each_field(*this, read);
  return Status::ok;
}

}  // namespace moreau
