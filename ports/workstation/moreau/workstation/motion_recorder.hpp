// Recorder for reports: a bounded number of frames for a run of any length.
//
//   moreau::workstation::MotionRecorder<Model> motion;
//   if (!motion.step(machine, 1e-5).advanced()) ...       // timed and recorded; motion(state, report) records any step
//
// A frame covers `stride` steps. When all frames are used, adjacent frames are merged in pairs and the stride doubles:
//
//   t, q, u          of the last step of the frame
//   P_N, P_T, P_F    sums
//   contacts         closed, stuck: in any step of the frame
//   residual, time   largest of all steps; status: not ok if any step was not
//   dt, order        smallest of all steps, for an adaptive run
//
// step() also evaluates the reach and the joint error of each step (moreau/step/reach.hpp), and the flights of the
// contacts (moreau/record/flights.hpp). The recorder keeps the
// largest ones of the run.
//
// Accepts states of a stepper, of an adaptive run (one main step is one step), and samples from a board. A failed step
// has no frame: the recorder stores its report and counts it.
#pragma once
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstring>
#include <moreau/record/recorder.hpp>
#include <vector>

namespace moreau::workstation {

// Histogram of step times: bins of half an octave, from 1 ns.
class StepTimes {
 public:
  static constexpr int bins = 80;

  void add(float seconds) {
    if (!(seconds > 0)) return;
    slowest_ = std::max(slowest_, seconds);
    const float ns = std::max(1.0f, seconds * 1e9f);
    std::uint32_t bits;  // exponent and first digit of a float >= 1 count half octaves
    std::memcpy(&bits, &ns, sizeof bits);
    ++count_[std::min<std::uint32_t>((bits >> 22) - (127u << 1), bins - 1)];
    ++steps_;
  }
  std::int64_t steps() const { return steps_; }
  float slowest() const { return slowest_; }
  std::int64_t count(int bin) const { return count_[std::size_t(bin)]; }
  static double lower_end(int bin) { return std::ldexp(bin % 2 == 0 ? 1.0 : 1.5, bin / 2) * 1e-9; }  // s

 private:
  std::array<std::int64_t, bins> count_{};
  std::int64_t steps_ = 0;
  float slowest_ = 0;  // s
};

// Returns the state of a sample. A sample has no friction data; contact state follows from the normal force.
template <class Model>
State<Model> state_of(const Sample<Model>& sample) {
  State<Model> state;
  state.set_time(sample.t);
  state.q = sample.q, state.u = sample.u, state.P_N = sample.P_N;
  for (std::size_t i = 0; i < std::size_t(Traits<Model>::contacts); ++i)
    state.sigma_N[i] = sample.P_N(int(i)) > 0 ? 0 : 1;
  return state;
}

template <class Model>
class MotionRecorder {
  using T = Traits<Model>;

 public:
  using Real = typename T::Real;
  static constexpr std::size_t contacts = std::size_t(T::contacts), tangents = std::size_t(T::tangents);
  static constexpr std::size_t frictions = std::size_t(T::frictions), friction_dim = std::size_t(T::friction_dim);
  static constexpr std::uint8_t closed = 1, stuck = 2;

  struct Frame {
    double t = 0;  // s
    Vector<Real, T::dof> q = Vector<Real, T::dof>::Zero(), u = Vector<Real, T::dof>::Zero();
    std::array<float, contacts> P_N{};                  // N s
    std::array<float, contacts * tangents> P_T{};       // N s, tangents of a contact adjacent
    std::array<float, frictions * friction_dim> P_F{};  // N s, directions of an element adjacent
    std::array<std::uint8_t, contacts> contact{};       // closed, stuck
    float seconds = 0;                                  // s
    float residual = 0;                                 // m/s
    float dt = 0;                                       // s
    std::uint8_t order = 0;                             // 0: not an adaptive run
    Status status = Status::ok;

    void append(const Frame& later) {
      t = later.t, q = later.q, u = later.u;
      for (std::size_t i = 0; i < P_N.size(); ++i) P_N[i] += later.P_N[i];
      for (std::size_t i = 0; i < P_T.size(); ++i) P_T[i] += later.P_T[i];
      for (std::size_t i = 0; i < P_F.size(); ++i) P_F[i] += later.P_F[i];
      dt = std::min(dt, later.dt), order = std::min(order, later.order);
      for (std::size_t i = 0; i < contact.size(); ++i) contact[i] = std::uint8_t(contact[i] | later.contact[i]);
      seconds = std::max(seconds, later.seconds);
      residual = std::max(residual, later.residual);
      status = std::max(status, later.status);
    }
  };

  // First step that did not advance.
  struct Failure {
    std::int64_t step = -1;  // index of the failed step, counted from 0; -1: none
    double t = 0;            // s
    Status status = Status::ok;
    Cause cause = Cause::none;
    int index = 0;
  };

  explicit MotionRecorder(int capacity = 8192) : capacity_(std::size_t(std::max(2, capacity + capacity % 2))) {
    frames_.reserve(capacity_);
  }

  // Records the state before the first step.
  void start(const State<Model>& state) { (void)take(state, start_), has_start_ = true; }

  void operator()(const State<Model>& state, const StepReport<Real>& report, float seconds = 0) {
    ++statuses_[std::size_t(report.status)];
    if (!report.advanced()) return fail(state, report);
    times_.add(seconds);
    add(take(state, step_), seconds, float(report.residual), report.status);
  }
  // Performs a step of a stepper and records it with its time; the state before the first step is the start.
  template <class Stepper>
  [[nodiscard]] typename Stepper::Report step(Stepper& stepper, Real dt) {
    using Clock = std::chrono::steady_clock;
    if (steps_ == 0 && !has_start_) start(stepper.state);
    const State<Model> before = stepper.state;
    const auto begin = Clock::now();
    const auto report = stepper.step(dt);
    (*this)(stepper.state, report, std::chrono::duration<float>(Clock::now() - begin).count());
    if (report.advanced()) {
      add_reach(step_reach(stepper.model, before, stepper.state));
      counter_.add(stepper.model, before, stepper.state, flights_);
    }
    return report;
  }
  // Adds the reach of a step that the program performs itself.
  void add_reach(const StepReach<Real>& reach) { reach_.add(reach); }
  // Records a main step of an adaptive run; the summary of the run has its cost.
  template <class MainStep>
  void operator()(const State<Model>& state, const MainStep& main) {
    ++statuses_[std::size_t(Status::ok)];
    take(state, step_).dt = float(main.dt), step_.order = std::uint8_t(main.order);
    add(step_, 0, 0, Status::ok);
    step_.dt = 0, step_.order = 0;
  }
  // Records a sample. A sample that ends with a failed step has no cause; it becomes a frame if it contains advanced
  // steps.
  void operator()(const Sample<Model>& sample) {
    ++statuses_[std::size_t(sample.status)];
    const State<Model> state = state_of(sample);
    StepReport<Real> report;
    report.status = sample.status;
    if (!report.advanced()) fail(state, report);
    if (report.advanced() || double(sample.t) > frame_.t)
      add(take(state, step_), 0, 0, report.advanced() ? sample.status : Status::ok);
  }

  std::int64_t steps() const { return steps_; }
  std::int64_t stride() const { return stride_; }
  std::int64_t count(Status status) const { return statuses_[std::size_t(status)]; }
  const Failure& failure() const { return failure_; }
  const StepReach<Real>& reach() const { return reach_; }                          // largest of all steps
  const moreau::detail::ImpactFlights<Real>& flights() const { return flights_; }  // with `second_order`
  const StepTimes& times() const { return times_; }

  // Returns all frames in order: the start, if recorded, first; the last frame may cover fewer steps.
  std::vector<Frame> frames() const {
    std::vector<Frame> all;
    all.reserve(frames_.size() + 2);
    if (has_start_) all.push_back(start_);
    all.insert(all.end(), frames_.begin(), frames_.end());
    if (in_frame_ > 0) all.push_back(frame_);
    return all;
  }

 private:
  static Frame& take(const State<Model>& state, Frame& frame) {
    frame.t = double(state.clock.t0) + double(state.clock.n) * double(state.clock.dt);
    frame.q = state.q, frame.u = state.u;
    for (std::size_t i = 0; i < contacts; ++i) {
      frame.P_N[i] = float(state.P_N.coeff(int(i)));
      const bool is_closed = state.sigma_N[i] == 0;
      frame.contact[i] = std::uint8_t((is_closed ? closed : 0) | (is_closed && state.sigma_T[i] == 0 ? stuck : 0));
      for (std::size_t k = 0; k < tangents; ++k) frame.P_T[i * tangents + k] = float(state.P_T.coeff(int(k), int(i)));
    }
    for (std::size_t k = 0; k < frame.P_F.size(); ++k)
      frame.P_F[k] = float(state.P_F.coeff(int(k % friction_dim), int(k / friction_dim)));
    return frame;
  }
  void add(Frame& step, float seconds, float residual, Status status) {
    step.seconds = seconds, step.residual = residual, step.status = status;
    ++steps_;
    if (in_frame_ == 0)
      frame_ = step;
    else
      frame_.append(step);
    if (++in_frame_ < stride_) return;
    frames_.push_back(frame_);
    in_frame_ = 0;
    if (frames_.size() == capacity_) halve();
  }
  void halve() {
    for (std::size_t i = 0; i < capacity_ / 2; ++i) {
      const Frame later = frames_[2 * i + 1];
      frames_[i] = frames_[2 * i];
      frames_[i].append(later);
    }
    frames_.resize(capacity_ / 2);
    stride_ *= 2;
  }
  void fail(const State<Model>& state, const StepReport<Real>& report) {
    if (failure_.step >= 0) return;
    failure_ = {steps_, double(state.time()), report.status, report.cause, report.index};
  }

  std::size_t capacity_;
  std::vector<Frame> frames_;
  Frame start_, frame_, step_;  // frame_: under construction
  bool has_start_ = false;
  std::int64_t stride_ = 1, in_frame_ = 0, steps_ = 0;
  std::array<std::int64_t, std::size_t(Status::not_finished) + 1> statuses_{};
  StepTimes times_;
  Failure failure_;
  StepReach<Real> reach_;
  moreau::detail::FlightCounter<Model> counter_;
  moreau::detail::ImpactFlights<Real> flights_;
};

}  // namespace moreau::workstation
