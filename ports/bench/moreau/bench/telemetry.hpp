// Telemetry of a run over a serial line: the sender on a board, the receiver on a host.
//
//   TelemetrySender<Model> telemetry(10);     // a recorder: a sample covers 10 steps, its percussions are sums
//   telemetry(state, report);
//   while (telemetry.next(frame)) ...         // encode(frame, bytes), then write them
//
//   TelemetryReceiver<Model> receiver;
//   if (receiver.take(byte, sample)) ...      // a moreau::Sample<Model>, later than the previous one
//
// A sample consists of one or more frames (frames.hpp) with its number:
//
//   part | dof | contacts | status | up to 15 numbers of t, q, u, P_N, as floats
//
// Nothing is repeated: a damaged or lost frame invalidates its sample. Samples of another model, parts out of order,
// repeated or late samples, and non-finite times are dropped and counted.
#pragma once

#include <moreau/record/recorder.hpp>

#include "moreau/bench/frames.hpp"

namespace moreau::bench {
namespace detail {

template <class Model>
struct Telemetry {
  using T = Traits<Model>;
  using Real = typename T::Real;
  static_assert(T::dof < 256 && T::contacts < 256, "telemetry: a frame has one byte for dof and one for contacts");
  static constexpr std::size_t head = 4;
  static constexpr int numbers = 1 + 2 * T::dof + T::contacts, in_frame = int((most_payload - head) / 4);
  static constexpr int frames = (numbers + in_frame - 1) / in_frame;

  static constexpr int in_part(int part) { return part + 1 < frames ? in_frame : numbers - part * in_frame; }

  // Returns number i of a sample: t, q, u, P_N.
  static float get(const Sample<Model>& s, int i) {
    if (i == 0) return static_cast<float>(s.t);
    if (i <= T::dof) return static_cast<float>(s.q[i - 1]);
    if (i <= 2 * T::dof) return static_cast<float>(s.u[i - 1 - T::dof]);
    return static_cast<float>(s.P_N(i - 1 - 2 * T::dof));
  }
  static void put(Sample<Model>& s, int i, float x) {
    const Real number = static_cast<Real>(x);
    if (i == 0)
      s.t = number;
    else if (i <= T::dof)
      s.q[i - 1] = number;
    else if (i <= 2 * T::dof)
      s.u[i - 1 - T::dof] = number;
    else
      s.P_N(i - 1 - 2 * T::dof) = number;
  }
};

}  // namespace detail

template <class Model>
class TelemetrySender {
  using Layout = detail::Telemetry<Model>;
  using Real = typename Layout::Real;

 public:
  std::uint32_t dropped = 0;  // samples replaced by a newer one before they were sent

  explicit TelemetrySender(int every = 1) : every_(every > 1 ? every : 1) {}

  // A failed step has no percussions and ends its sample.
  void operator()(const State<Model>& state, const StepReport<Real>& report) {
    if (report.advanced()) sum_ += state.P_N;
    worst_ = report.status > worst_ ? report.status : worst_;
    if (++steps_ < every_ && report.advanced()) return;
    dropped += part_ < Layout::frames ? 1u : 0u;
    sample_ = Sample<Model>(state, report), sample_.P_N = sum_, sample_.status = worst_;
    sum_.setZero(), worst_ = Status::ok, steps_ = 0, part_ = 0;
    ++sequence_;
  }

  bool next(Frame& frame) {
    if (part_ >= Layout::frames) return false;
    frame = Frame{};
    frame.kind = FrameKind::sample;
    frame.sequence = sequence_;
    const int head[] = {part_, Layout::T::dof, Layout::T::contacts, static_cast<int>(sample_.status)};
    for (const int byte : head) frame.payload[frame.size++] = static_cast<std::uint8_t>(byte);
    for (int i = 0; i < Layout::in_part(part_); ++i)
      put_number(frame, Layout::get(sample_, part_ * Layout::in_frame + i));
    ++part_;
    return true;
  }

 private:
  int every_, steps_ = 0, part_ = Layout::frames;
  std::uint16_t sequence_ = 0;
  Sample<Model> sample_;
  Vector<Real, Layout::T::contacts> sum_ = Vector<Real, Layout::T::contacts>::Zero();
  Status worst_ = Status::ok;
};

template <class Model>
class TelemetryReceiver {
  using Layout = detail::Telemetry<Model>;

 public:
  std::uint32_t samples = 0, lost = 0;  // lost: gaps in the sequence of sample numbers
  std::uint32_t foreign = 0;            // frames of another kind or model
  std::uint32_t stale = 0;              // repeated or late samples, and samples with non-finite time

  std::uint32_t damaged() const { return decoder_.damaged; }

  // Returns true if the byte completes a sample.
  bool take(std::uint8_t byte, Sample<Model>& sample) {
    Frame frame;
    if (!decoder_.take(byte, frame)) return false;
    if (!fits(frame)) return ++foreign, false;
    const int part = frame.payload[0];
    if (part > 0 && (part != part_ || frame.sequence != sequence_)) return part_ = 0, false;
    sequence_ = frame.sequence;
    for (int i = 0; i < Layout::in_part(part); ++i)
      Layout::put(made_, part * Layout::in_frame + i, number_at(frame, 1 + i));
    part_ = part + 1;
    if (part_ < Layout::frames) return false;
    part_ = 0;
    made_.status = static_cast<Status>(frame.payload[3]);
    if (!goes_on()) return ++stale, false;
    lost += samples > 0 ? static_cast<std::uint16_t>(sequence_ - last_ - 1) : 0u;
    last_ = sequence_, t_ = made_.t;
    ++samples;
    sample = made_;
    return true;
  }

 private:
  static bool fits(const Frame& f) {
    return f.kind == FrameKind::sample && f.size >= Layout::head && f.payload[0] < Layout::frames &&
           f.payload[1] == Layout::T::dof && f.payload[2] == Layout::T::contacts &&
           f.payload[3] <= static_cast<int>(Status::not_finished) &&
           f.size == Layout::head + 4 * static_cast<std::size_t>(Layout::in_part(f.payload[0]));
  }
  // True for a later time with a later number. A number behind by less than half of the number range counts as late. A
  // failed step has the time of the previous step.
  bool goes_on() const {
    if (!(made_.t - made_.t == 0)) return false;
    if (samples == 0) return true;
    const auto ahead = static_cast<std::uint16_t>(sequence_ - last_);
    const bool failed = made_.status != Status::ok && made_.status != Status::inexact;
    return ahead > 0 && ahead < 0x8000 && (made_.t > t_ || (failed && made_.t == t_));
  }

  Decoder decoder_;
  int part_ = 0;  // next expected part
  std::uint16_t sequence_ = 0, last_ = 0;
  typename Layout::Real t_ = 0;
  Sample<Model> made_;
};

}  // namespace moreau::bench
