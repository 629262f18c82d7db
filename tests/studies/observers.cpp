// Observers on motions with closed forms: a mass on a spring and a bouncing ball. Runs that cannot start or fail later.
#include <moreau/mechanism.hpp>
#include <moreau/study/commands.hpp>

#include <cmath>
#include <vector>

#include "models/woodpecker.hpp"
#include "studies/swing.hpp"
#include "support/test.hpp"

using namespace moreau::study;

namespace {

const double pi = std::acos(-1.0);

Study<Swing> swing(double amplitude, double time, std::uint64_t steps) {
  Study<Swing> study{"swing"};
  study.dt = time / double(steps), study.steps = steps;
  study.start = [amplitude](const Swing&) {
    moreau::State<Swing> s{};
    s.q(0) = amplitude;
    return s;
  };
  return study;
}

template <class... Observers>
std::vector<double> measure(Study<Swing> study, const std::vector<double>& values, const Observers&... observers) {
  for (const auto& columns : {observers.columns()...})
    study.results.insert(study.results.end(), columns.begin(), columns.end());
  const Runner<Study<Swing>, Observers...> run(study, std::tuple<Observers...>(observers...));
  std::vector<double> first(study.width()), second(study.width());
  run(values.data(), first.data(), [](const auto&, const auto&) {});
  run(values.data(), second.data(), [](const auto&, const auto&) {});  // runs are independent
  CHECK(std::memcmp(first.data(), second.data(), first.size() * sizeof(double)) == 0);
  return first;
}

const auto position = [](const auto& s) { return s.state.q(0); };
const auto speed = [](const auto& s) { return s.state.u(0); };

}  // namespace

void test_values_over_a_swing(void) {  // q = 0.5 cos 2 t over 3.3 s
  const auto x = measure(swing(0.5, 3.3, 33000), {}, last("end", "m", position), largest("high", "m/s", speed),
                         smallest("low", "m", position), total("sum", "m", position));
  CHECK_WITHIN(1e-7, 0.5 * std::cos(6.6), x[0]);
  CHECK_WITHIN(1e-7, 1.0, x[1]);
  CHECK_WITHIN(1e-7, -0.5, x[2]);
  CHECK_WITHIN(1e-4, 0.25 * std::sin(6.6), x[3] * 1e-4);
  CHECK_EQUAL(0.0, x[4]);  // status ok
}

// An observer with a counter that begin() does not reset.
void test_observers_are_reset_between_runs(void) {
  const auto x = measure(swing(0.5, 1, 100), {}, largest("n", "1", [n = 0](const auto&) mutable { return ++n; }));
  CHECK_EQUAL(100.0, x[0]);
}

void test_periods_and_sections_of_a_swing(void) {
  const auto x = measure(swing(0.5, 20, 20000), {}, period("T", position, 3), section("v", "m/s", position, speed, 2),
                         events("up", [](const auto& s) { return s.state.q(0) > 0.25; }));
  CHECK_WITHIN(1e-6, pi, x[0]);
  CHECK_WITHIN(1e-6, 0.0, x[1]);
  CHECK_WITHIN(1e-6, 1.0, x[2]);
  CHECK_WITHIN(1e-6, 1.0, x[3]);
  CHECK_EQUAL(6.0, x[4]);  // 20 s are 6.4 periods; the start is above 0.25 m already
}

void test_a_period_that_doubles_scatters(void) {  // cycles of 1 s and 0.5 s alternate
  const auto pulses = [](const auto& s) {
    const double t = s.state.time(), phase = t - 1.5 * std::floor(t / 1.5);
    return phase < 0.25 || (phase >= 1 && phase < 1.25) ? 1.0 : -1.0;
  };
  const auto x = measure(swing(0, 12, 192), {}, period("T", pulses, 4),
                         cycles("T", pulses, 3));  // steps of 1/16 s: all times are exact
  CHECK_EQUAL(0.75, x[0]);
  CHECK_EQUAL(0.5, x[1]);
  CHECK_EQUAL(1.5, x[2] + x[3]);  // one long and one short cycle
  CHECK_EQUAL(0.5, std::abs(x[2] - x[3]));
  CHECK_EQUAL(x[2], x[4]);
}

void test_a_single_cycle_has_no_scatter(void) {
  const auto x = measure(swing(0.5, 20, 20000), {}, period("T", position, 1));
  CHECK_WITHIN(1e-6, pi, x[0]);
  CHECK_EQUAL(0.0, x[1]);
}

void test_results_without_events_are_nan(void) {
  const auto x = measure(swing(0.5, 4, 4000), {}, period("T", position, 1), period("T2", position, 2),
                         section("v", "m/s", position, speed, 3));
  CHECK(x[0] != x[0] && x[1] != x[1] && x[2] != x[2]);  // one crossing in 4 s gives no period
  CHECK(x[4] == x[4] && x[5] != x[5] && x[6] != x[6]);
}

// A ball: after a fall of h the percussion is m sqrt(2 g h) (1 + eps).
void test_percussions_of_a_ball(void) {
  auto study = swing(0.5, 0.5, 50000);
  study.model.stiffness = 0, study.model.gravity = 9.81, study.model.floor = 0, study.model.eps = 0.5;
  const auto x = measure(study, {}, largest("P", "N s", percussion(0)),
                         events("hits", [](const auto& s) { return s.contact(0).P_N > 0; }),
                         largest("H", "N s", hardest_percussion()));
  CHECK_WITHIN(1e-3, std::sqrt(2 * 9.81 * 0.5) * 1.5, x[0]);
  CHECK_EQUAL(1.0, x[1]);
  CHECK_EQUAL(x[0], x[2]);
}

void test_percussions_of_missing_contacts_are_rejected(void) {
  for (const int nowhere : {-1, 1, 7}) {
    std::string why;
    try {
      measure(swing(0.5, 1, 10), {}, largest("P", "N s", percussion(nowhere)));
    } catch (const Refusal& refusal) { why = refusal.what(); }
    CHECK(why == "percussion(" + std::to_string(nowhere) + ") refers to no contact: the model has 1, counted from 0");
  }
}

void test_parameters_of_model_and_start_are_set(void) {
  auto study = swing(0.5, 2.0, 20000);
  study.start = [](const Swing& model) {
    moreau::State<Swing> s{};
    s.q(0) = model.stiffness;  // a start that depends on the model
    return s;
  };
  study.parameter("c", "N/m", uniform(1, 2), &Swing::stiffness);
  study.parameter("m", "kg", uniform(1, 2), [](Swing& model, double m) { model.mass_ *= m; });
  study.parameter("dq", "m", uniform(0, 1), [](moreau::State<Swing>& s, double dq) { s.q(0) += dq; });
  const auto x = measure(study, {9.0, 2.0, 0.25}, last("q", "m", position));
  CHECK_WITHIN(1e-6, 9.25 * std::cos(2 * std::sqrt(4.5)), x[0]);
}

void test_runs_that_fail_leave_a_status_and_no_numbers(void) {
  const auto invalid = double(int(moreau::Status::invalid_argument));
  auto study = swing(0.5, 1, 100);
  study.model.floor = 0.6;  // penetration of 0.1 m at the start
  auto x = measure(study, {}, last("q", "m", position));
  CHECK(x[0] != x[0]);
  CHECK_EQUAL(invalid, x[1]);
  study.most_overlap = 0.2;
  CHECK_EQUAL(0.0, measure(study, {}, last("q", "m", position))[1]);

  study = swing(0.5, 1, 100);
  study.model.mass_ = -1;
  x = measure(study, {}, last("q", "m", position), events("e", [](const auto&) { return true; }));
  CHECK(x[0] != x[0] && x[1] != x[1]);
  CHECK_EQUAL(double(int(moreau::Status::mass_not_positive_definite)), x[2]);
  study = swing(0.5, 1, 100);
  study.model.eps = 2;
  CHECK_EQUAL(invalid, measure(study, {}, last("q", "m", position))[1]);
  study = swing(std::numeric_limits<double>::quiet_NaN(), 1, 100);
  CHECK_EQUAL(double(int(moreau::Status::not_finite)), measure(study, {}, last("q", "m", position))[1]);
}

// Returns why a run has a status and no results.
template <class Study>
std::string refusal(const Study& study) {
  return Runner<Study>(study, {}).refusal(nullptr);
}

void test_a_rejected_run_has_a_message(void) {
  auto study = swing(0.5, 1, 100);
  CHECK(refusal(study).empty());
  study.model.floor = 0.625;
  CHECK(refusal(study) == "contact 0 penetrates by 0.125 m at the start, more than most_overlap");
  study.model.floor = -10, study.model.eps = 2;
  CHECK(refusal(study) == "the start is rejected: invalid_argument, law 0");
  study.model.eps = 1, study.model.mass_ = -1;
  CHECK(refusal(study) == "the step from 0 s is rejected: mass_not_positive_definite, mass 0");
}

// A body 0.5 m away from its pin: without this check the first step would move it there and return ok.
struct HeldParts {
  using Real = double;
  using Law = moreau::ConstantSpeed<Real>;
  enum Names { carriage, bodies };
  moreau::Body<Real> body[bodies] = {{1, 1}};
  moreau::Prismatic<Real, moreau::ground, carriage> rail;
  moreau::LinearDrive<Real, moreau::ground, carriage, Law> drive{{}, {1, 0}, {}, Law{0, 0.5}};
  auto parts() const { return std::tie(rail, drive); }
};

void test_a_start_with_an_open_joint_is_rejected(void) {
  using Held = moreau::Mechanism<HeldParts>;
  Study<Held> study{"held"};
  study.dt = 1e-3, study.steps = 10;
  const auto status = [&study] {
    double results[] = {0};
    Runner<Study<Held>>(study, {})(nullptr, results, [](const auto&, const auto&) {});
    return moreau::Status(int(results[0]));
  };
  CHECK_EQUAL(moreau::Status::invalid_argument, status());
  CHECK(refusal(study) == "row 0 of the ideal joints is open by 0.5 m or rad at the start, more than most_open");
  study.most_open = 1;
  CHECK_EQUAL(moreau::Status::ok, status());
  study.most_open = 1e-5;
  study.start = [](const Held&) {
    moreau::State<Held> s{};
    s.q(Held::slide_of<Held::carriage>) = 0.500001;  // the size of drift
    return s;
  };
  CHECK_EQUAL(moreau::Status::ok, status());
}

// A pin that falls through its bearing, from the centre to the wall: v = sqrt(2 g play) at the impact.
struct FallingPinParts {
  using Real = double;
  enum Names { arm, bodies };
  moreau::Body<Real> body[bodies] = {{1, 1}};
  moreau::RevoluteClearance<Real, moreau::ground, arm> pin;
  moreau::Gravity<Real> gravity;
  auto parts() const { return std::tie(pin, gravity); }
  FallingPinParts() { pin.play = 1e-3; }
};
using FallingPin = moreau::Mechanism<FallingPinParts>;

void test_a_study_of_a_model_with_play_has_the_reach(void) {
  Study<FallingPin> study{"falling_pin"};
  study.dt = 1e-3, study.steps = 30;
  const auto height = last("y", "m", [](const auto& s) { return s.state.q(1); });
  const detail::LargestReach<FallingPin> reach;
  study.results = {height.columns()[0], reach.columns()[0]};
  double x[3];
  const Runner<Study<FallingPin>, std::decay_t<decltype(height)>, detail::LargestReach<FallingPin>> run(
      study, std::make_tuple(height, reach));
  for (int round = 0; round < 2; ++round) {
    run(nullptr, x, [](const auto&, const auto&) {});
    CHECK_WITHIN(0.01, std::sqrt(2 * 9.81 * 1e-3) * 1e-3 / 1e-3, x[1]);  // one step of 1 ms: 10 mm/s
  }
  char name[] = "falling_pin", worst[] = "worst", known[] = "reach", unknown[] = "reaches";
  char* words[] = {name, worst, known};
  study.results.clear();
  CHECK(commands(study, 3, words, height) != Exit::usage);
  words[2] = unknown;
  CHECK_EQUAL(int(Exit::usage), commands(study, 3, words, height));
}

// A slider in a guide.
struct SlidingParts {
  using Real = double;
  enum Names { slider, bodies };
  moreau::Body<Real> body[bodies] = {{1, 1}};
  moreau::PrismaticClearance<Real, moreau::ground, slider> guide;
  auto parts() const { return std::tie(guide); }
};

// A disk whose drive law jumps.
struct JumpingDisk {
  using Real = double;
  struct Law {
    double jump = 0;
    moreau::DriveAngle<double> operator()(double t) const { return {t + (t > 0.01 ? jump : 0), 1}; }
  };
  enum Names { disk, bodies };
  moreau::Body<Real> body[bodies] = {{1, 0.1}};
  moreau::Revolute<Real, moreau::ground, disk> pivot;
  moreau::Drive<Real, moreau::ground, disk, Law> drive;
  auto parts() const { return std::tie(pivot, drive); }
};
using Jumping = moreau::Mechanism<JumpingDisk>;

void test_a_study_of_a_model_with_joints_has_their_error(void) {
  Study<Jumping> study{"jumping_disk"};
  study.dt = 1e-3, study.steps = 30;
  study.start = [](const Jumping&) {
    moreau::State<Jumping> start{};
    start.u(Jumping::angle_of<Jumping::disk>) = 1;
    return start;
  };
  const auto angle = last("phi", "rad", [](const auto& s) { return s.state.q(Jumping::angle_of<Jumping::disk>); });
  const detail::LargestReach<Jumping> reach;
  CHECK_EQUAL(std::size_t(1), reach.columns().size());  // without play
  CHECK_EQUAL(std::size_t(1), detail::LargestReach<FallingPin>{}.columns().size());
  const auto of_slider = detail::LargestReach<moreau::Mechanism<SlidingParts>>{}.columns();
  CHECK(of_slider.size() == 2 && of_slider[0].name == "reach" && of_slider[1].name == "out_of_range");
  study.results = {angle.columns()[0], reach.columns()[0]};
  CHECK_EQUAL(std::size_t(1), detail::default_column(study.results, "joint_error"));
  CHECK_EQUAL(detail::no_column, detail::default_column(study.results, "reach"));
  double x[3];
  for (const double jump : {0.0, 0.1}) {
    study.model.drive.law.jump = jump;
    const Runner<Study<Jumping>, std::decay_t<decltype(angle)>, detail::LargestReach<Jumping>> run(
        study, std::make_tuple(angle, reach));
    run(nullptr, x, [](const auto&, const auto&) {});
    CHECK_WITHIN(1e-6, jump / 1e-3, x[1]);  // 1 rad/s: 1 mrad per step
  }
}

// The sign of a NaN depends on the processor; the stored NaN has one bit pattern.
void test_nan_has_one_bit_pattern(void) {
  for (const double sign : {1.0, -1.0}) {
    const auto x = measure(swing(0.5, 1, 10), {}, last("n", "1", [sign](const auto&) {
                             return std::copysign(std::numeric_limits<double>::quiet_NaN(), sign);
                           }));
    CHECK(moreau::detail::to_bits(x[0]) == 0x7ff8000000000000u);
  }
}

// Returns the error message of a study with one mistake.
template <class Spoil>
std::string fault_of(Spoil spoil) {
  auto study = swing(0.5, 1, 100);
  study.parameter("c", "N/m", uniform(1, 2), &Swing::stiffness);
  study.sampling = random(10);
  study.results = {{"q", "m"}};
  spoil(study);
  return Program{study, {}, {}, {}}.fault();
}

void test_invalid_studies_have_messages(void) {
  using S = Study<Swing>;
  const auto says = [](auto spoil, const char* part) { return fault_of(spoil).find(part) != std::string::npos; };
  CHECK_EQUAL("", fault_of([](S&) {}));
  CHECK(says([](S& s) { s.name = "a/b"; }, "the name of a study consists of letters"));
  CHECK(says([](S& s) { s.name = ""; }, "the name of a study consists of letters"));
  CHECK(says([](S& s) { s.dt = 0; }, "dt must be finite and above 0"));
  CHECK(says([](S& s) { s.dt = std::numeric_limits<double>::infinity(); }, "dt must be finite and above 0"));
  CHECK(says([](S& s) { s.steps = 0; }, "steps must be at least 1"));
  CHECK(says([](S& s) { s.results.clear(); }, "no results"));
  CHECK(says([](S& s) { s.results[0].name = "c"; }, "duplicate column c"));
  CHECK(says([](S& s) { s.results[0].name = "status"; }, "duplicate column status"));
  CHECK(says([](S& s) { s.results[0].name = "units"; }, "duplicate column units"));
  for (const char* name : {"", "1q", "q m", "_q", "q-1"})
    CHECK(says([name](S& s) { s.results[0].name = name; }, "is not a valid column name"));
  CHECK(says([](S& s) { s.results[0].unit = "m\nseed 2"; }, "contains a line break"));
  CHECK(
      says([](S& s) { s.parameters[0].distribution = uniform(2, 1); }, "parameter c: uniform 2 1 needs a lower bound"));
  CHECK(says([](S& s) { s.sampling.samples = 0; }, "the sampling needs at least one sample"));
  CHECK(says([](S& s) { s.block = 1u << 28, s.sampling = random(1u << 29); }, "runs is too large"));
}

// The woodpecker in float: the parameter is set, and the height equals that in double within float's resolution.
template <class R>
std::vector<double> woodpecker(double mu) {
  using Model = models::Woodpecker<R>;
  Study<Model> study{"woodpecker"};
  study.dt = 1e-4, study.steps = 400;
  study.start = [](const Model& model) { return models::state_at<Model>(model.start()); };
  study.parameter("mu", "1", uniform(0, 1), &Model::mu);
  const auto height = last("y", "m", [](const auto& toy) { return toy.state.q(0); });
  study.results = height.columns();
  std::vector<double> x(study.width());
  Runner<Study<Model>, std::decay_t<decltype(height)>>(study, std::make_tuple(height))(&mu, x.data(),
                                                                                       [](const auto&, const auto&) {});
  return x;
}

void test_a_study_in_float(void) {
  const double low = woodpecker<float>(0.2)[0], high = woodpecker<float>(0.3)[0];
  CHECK_WITHIN(1e-5, woodpecker<double>(0.2)[0], low);
  CHECK_WITHIN(1e-5, woodpecker<double>(0.3)[0], high);
  CHECK(high - low > 1e-4);
}

void test_this_program_has_no_fused_multiply_add(void) { CHECK(!may_fuse()); }

TEST_MAIN({
  TEST(test_values_over_a_swing);
  TEST(test_observers_are_reset_between_runs);
  TEST(test_periods_and_sections_of_a_swing);
  TEST(test_a_period_that_doubles_scatters);
  TEST(test_a_single_cycle_has_no_scatter);
  TEST(test_results_without_events_are_nan);
  TEST(test_percussions_of_a_ball);
  TEST(test_percussions_of_missing_contacts_are_rejected);
  TEST(test_a_rejected_run_has_a_message);
  TEST(test_a_start_with_an_open_joint_is_rejected);
  TEST(test_parameters_of_model_and_start_are_set);
  TEST(test_runs_that_fail_leave_a_status_and_no_numbers);
  TEST(test_a_study_of_a_model_with_play_has_the_reach);
  TEST(test_a_study_of_a_model_with_joints_has_their_error);
  TEST(test_nan_has_one_bit_pattern);
  TEST(test_invalid_studies_have_messages);
  TEST(test_a_study_in_float);
  TEST(test_this_program_has_no_fused_multiply_add);
})
