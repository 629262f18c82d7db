// Plant as bytes, identical on every machine:
//
//   tag "MORB" | version (1 byte) | identity of the list | every settable number, as a double | state before, state (as
//   State::save) | report: status, cause (1 byte each), index (2), active, iterations, fallbacks (4 each), residual,
//   relative (as doubles) | CRC-32 of the preceding bytes
#pragma once

#include "moreau/bench/plant.hpp"

namespace moreau::bench {
namespace detail {

constexpr std::uint8_t saved_version = 1;
constexpr std::size_t saved_head = 9, saved_report = 4 + 3 * 4 + 2 * 8, saved_tail = 4;

template <class Bench>
inline constexpr std::size_t numbers_size = 8 * std::size_t(Table<Bench>::settable());

template <class Bench>
void write_head(moreau::detail::ByteWriter& write) {
  for (const char c : {'M', 'O', 'R', 'B'}) write.raw(static_cast<std::uint8_t>(c));
  write.raw(saved_version);
  write.raw(Table<Bench>::identity());
}

}  // namespace detail

template <class Bench>
inline constexpr std::size_t saved_size =
    detail::saved_head + detail::numbers_size<Bench> + 2 * State<typename Bench::Model>::bytes + detail::saved_report +
    detail::saved_tail;

// Writes exactly saved_size<Bench> bytes.
template <class Bench>
void save(const typename Plant<Bench>::Snapshot& from, std::uint8_t* out) {
  using T = Table<Bench>;
  constexpr std::size_t state_size = State<typename Bench::Model>::bytes;
  const Record<typename Bench::Model> record{from.model, from.before, from.state, from.report};
  moreau::detail::ByteWriter write{out};
  detail::write_head<Bench>(write);
  for (int i = 0; i < T::count; ++i)
    if (T::of(i).set != nullptr) write(T::of(i).get(record));
  from.before.save(write.at);
  from.state.save(write.at + state_size);
  write.at += 2 * state_size;
  write.raw(static_cast<std::uint8_t>(from.report.status));
  write.raw(static_cast<std::uint8_t>(from.report.cause));
  write.raw(static_cast<std::uint16_t>(from.report.index));
  for (const int n : {from.report.active, from.report.iterations, from.report.fallbacks})
    write.raw(static_cast<std::uint32_t>(n));
  write(static_cast<double>(from.report.residual));
  write(static_cast<double>(from.report.relative));
  write.raw(moreau::detail::crc32(out, saved_size<Bench> - detail::saved_tail));
}

// Reads a snapshot. The given snapshot supplies unsaved numbers of the model, which are in no list. Returns wrong_bytes
// and changes nothing if the bytes are damaged, belong to another bench, or contain a value out of range.
template <class Bench>
Answer restore(typename Plant<Bench>::Snapshot& into, const std::uint8_t* in, std::size_t size) {
  using T = Table<Bench>;
  using Real = typename Plant<Bench>::Real;
  constexpr std::size_t state_size = State<typename Bench::Model>::bytes;
  if (size != saved_size<Bench>) return Answer::wrong_size;
  std::uint8_t head[detail::saved_head];
  moreau::detail::ByteWriter write{head};
  detail::write_head<Bench>(write);
  moreau::detail::ByteReader tail{in + size - detail::saved_tail};
  if (std::memcmp(in, head, sizeof head) != 0 ||
      tail.raw<std::uint32_t>() != moreau::detail::crc32(in, size - detail::saved_tail))
    return Answer::wrong_bytes;

  auto next = into;
  moreau::detail::ByteReader read{in + detail::saved_head};
  for (int i = 0; i < T::count; ++i)
    if (T::of(i).set != nullptr) {
      double value = 0;
      read(value);
      if (Plant<Bench>::check(i, value) != Answer::ok) return Answer::wrong_bytes;
      T::of(i).set(next.model, value);
    }
  if (next.before.restore(read.at, state_size) != Status::ok) return Answer::wrong_bytes;
  if (next.state.restore(read.at + state_size, state_size) != Status::ok) return Answer::wrong_bytes;
  read.at += 2 * state_size;
  const auto status = read.raw<std::uint8_t>(), cause = read.raw<std::uint8_t>();
  if (status > int(Status::not_finished) || cause > int(Cause::result)) return Answer::wrong_bytes;
  next.report.status = static_cast<Status>(status);
  next.report.cause = static_cast<Cause>(cause);
  next.report.index = static_cast<std::int16_t>(read.raw<std::uint16_t>());
  for (int* n : {&next.report.active, &next.report.iterations, &next.report.fallbacks})
    *n = static_cast<std::int32_t>(read.raw<std::uint32_t>());
  double residual = 0, relative = 0;
  read(residual);
  read(relative);
  next.report.residual = static_cast<Real>(residual);
  next.report.relative = static_cast<Real>(relative);
  into = next;
  return Answer::ok;
}

}  // namespace moreau::bench
