// Ring buffer of the last `capacity` samples, for targets: fixed memory, constant time.
//
//   moreau::RingBuffer<moreau::Sample<Model>, 256> trace;
//   trace(stepper.state, report);                      a recorder (record/recorder.hpp)
//   for (const auto& sample : trace) ...               from the oldest to the newest
//
// A full buffer overwrites its oldest entry and counts it in dropped(). This header requires ETL (etl::circular_buffer)
// and is not part of moreau.hpp. Write and read in the same context, thread or interrupt. To pass samples to another
// context, use the wait-free mailbox moreau::port::Latest.
#pragma once

#include <etl/circular_buffer.h>

#include <cstddef>
#include <cstdint>

namespace moreau {

// Ring buffer of the last `capacity` entries.
template <class Entry, std::size_t capacity_>
class RingBuffer {
  static_assert(capacity_ > 0, "a ring buffer holds at least one entry");
  using Buffer = etl::circular_buffer<Entry, capacity_>;

 public:
  using value_type = Entry;
  static constexpr std::size_t capacity = capacity_;

  // Adds an entry.
  void push(const Entry& entry) {
    if (buffer_.full()) ++dropped_;
    buffer_.push(entry);
  }

  // Records a step: adds an entry constructed from state and report.
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
  std::uint32_t dropped() const { return dropped_; }  // number of overwritten entries since the last clear()

  // Returns entry i < size(). Entry 0 is the oldest.
  const Entry& operator[](std::size_t i) const { return buffer_[i]; }
  auto begin() const { return buffer_.begin(); }
  auto end() const { return buffer_.end(); }

 private:
  Buffer buffer_;
  std::uint32_t dropped_ = 0;
};

}  // namespace moreau
