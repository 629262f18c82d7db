// The last `capacity` samples, for targets: fixed memory, constant time, the oldest goes first and is counted.
//
//   moreau::RingBuffer<moreau::Sample<Model>, 256> trace;
//   trace(stepper.state, report);                      a recorder (record/recorder.hpp)
//   for (const auto& sample : trace) ...               from the oldest to the newest
//
// Needs ETL (etl::circular_buffer, which overwrites its oldest entry when full), so it is included by name and not by
// moreau.hpp. One context writes and reads; others go through the latest-value exchange of the port.
#pragma once

#include <etl/circular_buffer.h>

#include <cstddef>
#include <cstdint>

namespace moreau {

template <class Entry, std::size_t capacity_>
class RingBuffer {
  static_assert(capacity_ > 0, "a ring buffer holds at least one entry");
  using Buffer = etl::circular_buffer<Entry, capacity_>;

 public:
  using value_type = Entry;
  static constexpr std::size_t capacity = capacity_;

  void push(const Entry& entry) {
    if (buffer_.full()) ++dropped_;
    buffer_.push(entry);
  }

  // As a recorder: the entry is made of the state and the report.
  template <class State, class Report>
  void operator()(const State& state, const Report& report) {
    push(Entry(state, report));
  }

  void clear() {
    buffer_.clear();
    dropped_ = 0;
  }

  std::size_t size() const { return buffer_.size(); }
  bool empty() const { return buffer_.empty(); }
  bool full() const { return buffer_.full(); }
  std::uint32_t dropped() const { return dropped_; }  // entries that had to go since the last clear

  // i = 0 is the oldest; i < size().
  const Entry& operator[](std::size_t i) const { return buffer_[i]; }
  auto begin() const { return buffer_.begin(); }
  auto end() const { return buffer_.end(); }

 private:
  Buffer buffer_;
  std::uint32_t dropped_ = 0;
};

}  // namespace moreau
