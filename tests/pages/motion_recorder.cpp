// Contents of a motion recorder: at most the given number of frames, which contain the sum of all percussions, every
// contact, the largest residual and the slowest step.
#include <moreau/workstation/motion_recorder.hpp>

#include <limits>

#include "models/woodpecker.hpp"
#include "support/test.hpp"

namespace {

using Model = models::Woodpecker<Real>;
using Recorder = moreau::workstation::MotionRecorder<Model>;
using Report = moreau::StepReport<Real>;

moreau::State<Model> state_after(int n) {
  moreau::State<Model> state;
  state.clock.t0 = Real(0.5), state.clock.dt = Real(0.25), state.clock.n = n;
  state.q(0) = Real(n);
  state.P_N(1) = Real(1) / Real(8);
  state.P_T(0, 2) = Real(-1) / Real(4);
  return state;
}

// With any capacity, all of `steps` steps are recorded, one of which has a special contact.
void check_sums(int capacity, int steps) {
  Recorder motion(capacity);
  const int special = steps / 3;
  for (int n = 1; n <= steps; ++n) {
    auto state = state_after(n);
    Report report;
    if (n == special) {
      state.sigma_N[0] = 0, state.sigma_T[0] = 0;
      report.residual = Real(7);
      report.status = moreau::Status::inexact;
    }
    motion(state, report, n == special ? 3.0f : 1.0f);
  }
  const auto frames = motion.frames();
  CHECK(int(frames.size()) <= capacity);
  CHECK(int(frames.size()) >= (steps < capacity ? steps : capacity / 2));
  CHECK_EQUAL(steps, int(motion.steps()));
  double N = 0, T = 0, before = 0.5;
  int closed = 0, stuck = 0, slow = 0, inexact = 0, worst = 0;
  for (const auto& f : frames) {
    N += double(f.P_N[1]), T += double(f.P_T[2]);
    closed += (f.contact[0] & Recorder::closed) != 0, stuck += (f.contact[0] & Recorder::stuck) != 0;
    slow += f.seconds == 3.0f, worst += f.residual == 7.0f, inexact += f.status == moreau::Status::inexact;
    CHECK_EQUAL(0, int(f.contact[1]));
    CHECK(f.t > before);
    before = f.t;
    CHECK_WITHIN(0, double(f.q(0)), (f.t - 0.5) / 0.25);  // q belongs to t
  }
  CHECK_WITHIN(0, 0.125 * steps, N);
  CHECK_WITHIN(0, -0.25 * steps, T);
  CHECK_EQUAL(1, closed);
  CHECK_EQUAL(1, stuck);
  CHECK_EQUAL(1, slow);
  CHECK_EQUAL(1, worst);
  CHECK_EQUAL(1, inexact);
  CHECK_WITHIN(0, 0.5 + 0.25 * steps, before);  // the last step is recorded, in a shorter frame if necessary
  CHECK_EQUAL(steps - 1, int(motion.count(moreau::Status::ok)));
  CHECK_EQUAL(steps, int(motion.times().steps()));
  CHECK(motion.times().slowest() == 3.0f);
}

}  // namespace

void test_joined_frames_keep_all_steps(void) {
  check_sums(8192, 100);
  check_sums(16, 16);
  check_sums(16, 17);
  check_sums(16, 1000);
  check_sums(16, 4096);
  check_sums(2, 999);
}

void test_histogram_of_step_times_in_half_octaves(void) {
  moreau::workstation::StepTimes times;
  times.add(2.5e-7f);
  times.add(0.0f);                                     // not measured
  times.add(std::numeric_limits<float>::quiet_NaN());  // the same
  times.add(1e-12f);
  times.add(1e9f);
  CHECK_EQUAL(3, int(times.steps()));
  for (int b = 0; b < times.bins; ++b) {
    const bool holds =
        b == 0 || b == times.bins - 1 || (times.lower_end(b) <= 2.5e-7 && 2.5e-7 < times.lower_end(b + 1));
    CHECK_EQUAL(holds ? 1 : 0, int(times.count(b)));
  }
}

void test_failed_step_is_reported_without_frame(void) {
  moreau::Stepper toy{Model{}, models::state_at<Model>(Model{}.start())};
  Recorder motion;
  CHECK(motion.step(toy, Real(1e-4)).advanced());
  CHECK(!motion.step(toy, Real(-1)).advanced());
  CHECK(!motion.step(toy, Real(0)).advanced());
  CHECK_EQUAL(1, int(motion.steps()));
  CHECK_EQUAL(2, int(motion.frames().size()));  // the start and one step
  CHECK_EQUAL(1, int(motion.failure().step));   // the first failed step
  CHECK(motion.failure().status == moreau::Status::invalid_argument);
  CHECK(motion.failure().cause == moreau::Cause::dt);
  CHECK_EQUAL(2, int(motion.count(moreau::Status::invalid_argument)));
}

void test_samples_of_a_board_become_frames(void) {
  const auto state = state_after(3);
  Recorder motion;
  motion(moreau::Sample<Model>(state, Report{}));
  const auto frames = motion.frames();
  CHECK_EQUAL(1, int(frames.size()));
  CHECK_WITHIN(0, 1.25, frames[0].t);
  CHECK_EQUAL(int(Recorder::closed), frames[0].contact[1] & Recorder::closed);
  CHECK_EQUAL(0, int(frames[0].contact[0]));
}

TEST_MAIN({
  TEST(test_joined_frames_keep_all_steps);
  TEST(test_histogram_of_step_times_in_half_octaves);
  TEST(test_failed_step_is_reported_without_frame);
  TEST(test_samples_of_a_board_become_frames);
})
