// Recording of a run that a board streams over a serial line: lost, damaged, duplicated, foreign and late frames are
// dropped and counted, percussions are sums, and memory is bounded. Then a board under QEMU, compared in every
// number.
#include <moreau/moreau.hpp>
#include <moreau/workstation/record_line.hpp>
#include <moreau/workstation/report.hpp>

#include <cstdio>
#include <limits>
#include <vector>

#include "models/slider_crank_parts.hpp"
#include "support/joint_coordinates.hpp"
#include "support/test.hpp"

namespace {

using namespace moreau::bench;
using moreau::workstation::LineSummary;
using moreau::workstation::MotionRecorder;
using Crank = models::SliderCrank<Real>;
using Parts = models::SliderCrankFromParts<Real>;
using LargeParts = moreau::Mechanism<test::InBodies<models::SliderCrankParts<Real>>>;  // a sample takes two frames
using Bytes = std::vector<std::uint8_t>;

template <class Model>
moreau::Stepper<Model> machine_of();
template <>
moreau::Stepper<Crank> machine_of() {
  return moreau::Stepper<Crank>{Crank{}, models::state_at<Crank>(Crank{}.start_tilted())};
}
template <>
moreau::Stepper<Parts> machine_of() {
  const auto start = Crank{}.start_tilted();
  return moreau::Stepper<Parts>{Parts{models::SliderCrankParts<Real>{Crank{}}},
                                models::from_angles(Crank{}, start.q, start.u)};
}

template <>
moreau::Stepper<LargeParts> machine_of() {
  const auto start = Crank{}.start_tilted();
  return moreau::Stepper<LargeParts>{LargeParts{}, models::centred_at_angles(LargeParts{}, Crank{}, start.q, start.u)};
}

Bytes bytes_of(const Frame& frame) {
  std::uint8_t bytes[most_bytes];
  return Bytes(bytes, bytes + encode(frame, bytes));
}

// Frames of a run, and the samples that a receiver must decode from them.
template <class Model>
struct StreamedRun {
  std::vector<Bytes> frames;
  std::vector<moreau::Sample<Model>> samples;

  StreamedRun(int steps, int every) {
    auto machine = machine_of<Model>();
    TelemetrySender<Model> sender(every);
    moreau::Sample<Model> sum;
    for (int n = 1; n <= steps; ++n) {
      const auto report = machine.step(Real(1e-5));
      CHECK(report.advanced());
      sender(machine.state, report);
      const moreau::Sample<Model> now(machine.state, report);
      const auto P_N = n % every == 1 || every == 1 ? now.P_N : decltype(now.P_N)(sum.P_N + now.P_N);
      sum = now, sum.P_N = P_N;
      if (n % every == 0) samples.push_back(sum);
      Frame frame;
      while (sender.next(frame)) frames.push_back(bytes_of(frame));
    }
    CHECK_EQUAL(0u, sender.dropped);
  }
};

template <class Model>
bool same(const moreau::Sample<Model>& a, const moreau::Sample<Model>& b) {
  const auto rounded = [](const auto& x) { return x.template cast<float>().eval(); };  // a line transmits floats
  return float(a.t) == float(b.t) && rounded(a.q) == rounded(b.q) && rounded(a.u) == rounded(b.u) &&
         rounded(a.P_N) == rounded(b.P_N) && a.status == b.status;
}

template <class Model>
std::vector<moreau::Sample<Model>> taken(TelemetryReceiver<Model>& receiver, const Bytes& bytes) {
  std::vector<moreau::Sample<Model>> all;
  moreau::Sample<Model> sample;
  for (const auto byte : bytes)
    if (receiver.take(byte, sample)) all.push_back(sample);
  return all;
}
template <class Model>
void add(Bytes& bytes, const StreamedRun<Model>& streamed, std::size_t frame) {
  bytes.insert(bytes.end(), streamed.frames[frame].begin(), streamed.frames[frame].end());
}

template <class Model>
void check_whole(int every) {
  const StreamedRun<Model> streamed(4000, every);
  Bytes line;
  for (std::size_t i = 0; i < streamed.frames.size(); ++i) add(line, streamed, i);
  TelemetryReceiver<Model> receiver;
  const auto got = taken(receiver, line);
  CHECK_EQUAL(streamed.samples.size(), got.size());
  double hit = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    CHECK(same(streamed.samples[i], got[i]));
    hit += double(got[i].P_N.cwiseAbs().sum());
  }
  CHECK(hit > 0);
  CHECK_EQUAL(0u, receiver.lost + receiver.foreign + receiver.stale + receiver.damaged());
}

}  // namespace

void test_telemetry_is_recorded(void) {
  check_whole<Crank>(1);
  check_whole<Crank>(10);
  check_whole<Parts>(7);
  check_whole<LargeParts>(7);
}

// In any frame of three samples, any bit is flipped, or the frame is lost, duplicated or exchanged with the next: the
// other samples arrive.
void test_faults_affect_their_sample_only(void) {
  const StreamedRun<LargeParts> streamed(100, 10);
  const std::size_t frames = streamed.frames.size();
  CHECK_EQUAL(20u, frames);
  for (std::size_t bad = 2; bad < 6; ++bad)
    for (std::size_t bit = 0; bit < 8 * streamed.frames[bad].size() + 3; ++bit) {
      const std::size_t bits = 8 * streamed.frames[bad].size();
      const bool lost = bit == bits, doubled = bit == bits + 1, late = bit == bits + 2;
      Bytes line;
      for (std::size_t i = 0; i < frames; ++i) {
        const std::size_t from = line.size();
        if (!(lost && i == bad)) add(line, streamed, late && (i == bad || i == bad + 1) ? 2 * bad + 1 - i : i);
        if (doubled && i == bad) add(line, streamed, i);
        if (bit < bits && i == bad) line[from + bit / 8] = std::uint8_t(line[from + bit / 8] ^ (1u << bit % 8));
      }
      TelemetryReceiver<LargeParts> receiver;
      const auto got = taken(receiver, line);
      CHECK(got.size() + 2 >= streamed.samples.size() && got.size() == receiver.samples);
      std::size_t at = 0;
      for (const auto& sample : got) {  // in order and unchanged
        while (at < streamed.samples.size() && !same(streamed.samples[at], sample)) ++at;
        CHECK(at++ < streamed.samples.size());
      }
      CHECK_EQUAL(streamed.samples.size(), got.size() + receiver.lost);
    }
}

void test_invalid_frames_are_dropped_and_counted(void) {
  const StreamedRun<Crank> streamed(20, 10);
  Bytes both;
  add(both, streamed, 0), add(both, streamed, 1);
  const auto with = [&](auto corrupt) {  // a complete frame with invalid contents
    TelemetrySender<Crank> sender;
    auto machine = machine_of<Crank>();
    const auto report = machine.step(Real(1e-5));
    sender(machine.state, report);
    Frame frame;
    CHECK(sender.next(frame));
    corrupt(frame);
    TelemetryReceiver<Crank> receiver;
    CHECK(taken(receiver, bytes_of(frame)).empty());
    CHECK_EQUAL(1u, receiver.foreign + receiver.stale);
    CHECK_EQUAL(2u, taken(receiver, both).size());  // the receiver is unaffected
  };
  with([](Frame& f) { f.kind = FrameKind::done; });
  with([](Frame& f) { f.kind = static_cast<FrameKind>(99); });
  with([](Frame& f) { f.payload[0] = 1; });    // a nonexistent part
  with([](Frame& f) { f.payload[1] = 9; });    // another model
  with([](Frame& f) { f.payload[2] = 200; });  // its contacts
  with([](Frame& f) { f.payload[3] = 77; });   // an invalid status
  with([](Frame& f) { f.size = 3; });
  with([](Frame& f) { f.size = std::uint8_t(f.size - 4); });
  for (const float t : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()})
    with([t](Frame& f) {
      Frame time;
      put_number(time, t);
      for (std::size_t i = 0; i < 4; ++i) f.payload[4 + i] = time.payload[i];
    });
  TelemetryReceiver<Crank> receiver;
  CHECK_EQUAL(2u, taken(receiver, both).size());
  CHECK(taken(receiver, both).empty());  // a repeated run
  CHECK_EQUAL(2u, receiver.stale);
  std::uint32_t random = 88675123u;
  Bytes noise;
  for (int i = 0; i < 200000; ++i) {
    random ^= random << 13, random ^= random >> 17, random ^= random << 5;
    noise.push_back(std::uint8_t(random >> 24));
  }
  CHECK(taken(receiver, noise).empty());
}

void test_failed_step_is_reported(void) {
  auto machine = machine_of<Crank>();
  TelemetrySender<Crank> sender(10);
  TelemetryReceiver<Crank> receiver;
  MotionRecorder<Crank> motion(1024), whole;
  int steps = 0;
  for (bool failed = false; !failed; ++steps) {  // within a sample, after a step with a percussion that counts once
    failed = steps % 10 == 4 && machine.state.P_N(0) > 0;
    const auto report = machine.step(Real(failed ? -1 : 1e-5));
    CHECK(report.advanced() != failed && steps < 10000);
    if (!failed) whole(machine.state, report);
    sender(machine.state, report);
    Frame frame;
    while (sender.next(frame))
      for (const auto& sample : taken(receiver, bytes_of(frame))) motion(sample);
  }
  CHECK_EQUAL(1, int(motion.count(moreau::Status::invalid_argument)));
  CHECK(motion.failure().status == moreau::Status::invalid_argument);
  CHECK_EQUAL(steps / 10 + 1, int(motion.frames().size()));  // the last one has four valid steps
  double recorded = 0, expected = 0;
  for (const auto& f : motion.frames()) recorded += double(f.P_N[0]);
  for (const auto& f : whole.frames()) expected += double(f.P_N[0]);
  constexpr double rounding = 1e-6;  // N s, of some float sums
  CHECK(expected > 100 * rounding);
  CHECK_WITHIN(rounding, expected, recorded);
}

void test_recording_of_endless_line_ends(void) {
  int ends[2];
  CHECK_EQUAL(0, pipe(ends));
  MotionRecorder<Crank> motion;
  const char noise[] = "no frame at all";
  CHECK(write(ends[1], noise, sizeof noise) > 0);
  LineSummary seen = moreau::workstation::record_line(ends[0], motion, {600, 0.05});
  CHECK(std::string(seen.end) == "no more data" && seen.damaged == 1 && seen.samples == 0);
  seen = moreau::workstation::record_line(ends[0], motion, {0.05, 600});
  CHECK(std::string(seen.end) == "time limit");
  close(ends[1]);
  seen = moreau::workstation::record_line(ends[0], motion);
  CHECK(std::string(seen.end) == "end of line" && motion.steps() == 0);
  close(ends[0]);
  CHECK(moreau::workstation::open_line("/no/such/line", 115200) < 0);
  CHECK(moreau::workstation::open_line("/dev/null", 12345) < 0);
}

// The board's run is bit-identical to the run here, so every number of the record must be equal.
void test_board_is_recorded(void) {
#ifdef TELEMETRY_BOARD
  FILE* const qemu = popen(
      "exec qemu-system-arm -M netduinoplus2 -display none -monitor none -no-reboot -serial stdio "
      "-kernel " TELEMETRY_BOARD " </dev/null",
      "r");
  CHECK(qemu != nullptr);
  MotionRecorder<Crank> motion(256);
  const LineSummary seen = moreau::workstation::record_line(fileno(qemu), motion, {600, 600});
  CHECK_EQUAL(0, pclose(qemu));
  std::puts(seen.words().c_str());
  CHECK(std::string(seen.end) == "end of line");
  CHECK_EQUAL(1600u, seen.samples);
  CHECK_EQUAL(0u, seen.lost + seen.damaged + seen.foreign + seen.stale);
  MotionRecorder<Crank> wanted(256);
  for (const auto& sample : StreamedRun<Crank>(16000, 10).samples) wanted(sample);
  const auto frames = motion.frames(), same_frames = wanted.frames();
  CHECK(frames.size() <= 256 && frames.size() == same_frames.size());
  double hits = 0;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    CHECK(frames[i].t == same_frames[i].t && frames[i].q == same_frames[i].q && frames[i].u == same_frames[i].u);
    CHECK(frames[i].P_N == same_frames[i].P_N && frames[i].contact == same_frames[i].contact);
    for (const float P : frames[i].P_N) hits += double(P);
  }
  CHECK(hits > 0);
  const Crank crank;
  moreau::workstation::Report<Crank> report{crank, motion, "Slider-crank on a board"};
  report.subtitle = "recorded over a serial line";
  report.parameters.push_back({"samples", seen.words()});
  const auto written = report.write("telemetry_of_a_board.html");
  CHECK(written.ok);
#else
  TEST_IGNORE_MESSAGE("no board: arm-none-eabi-g++ or qemu-system-arm is not installed");
#endif
}

TEST_MAIN({
  TEST(test_telemetry_is_recorded);
  TEST(test_faults_affect_their_sample_only);
  TEST(test_invalid_frames_are_dropped_and_counted);
  TEST(test_failed_step_is_reported);
  TEST(test_recording_of_endless_line_ends);
  TEST(test_board_is_recorded);
})
