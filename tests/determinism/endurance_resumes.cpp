// Endurance runs (endurance.hpp): independence of interruptions, and detection of every departure.
#include "endurance.hpp"
#include "models/rolling_pin.hpp"
#include "models/woodpecker.hpp"
#include "support/test.hpp"

namespace {

constexpr std::int64_t length = 24 * 2500;

template <class Model>
auto run_of(const Model& model) {
  const auto right = [](const auto& s) { return s.q(0) > 0; };
  const auto alone = [](auto&) {};
  using Run = endurance::RunOf<moreau::Stepper<Model>, decltype(right), decltype(alone)>;
  auto run = std::make_unique<Run>(model, models::state_at<Model>(model.start()), right, alone);
  run->name = "a run", run->most = length;
  return run;
}
auto toy() { return run_of(models::Woodpecker<Real>{}); }

std::string file(const endurance::Run& l) {
  std::ifstream in(l.file_in("."));
  std::string head, body;
  std::getline(in, head);  // contains the computation time
  std::getline(in, body, '\0');
  return body;
}

}  // namespace

void test_interrupted_run_is_bit_identical(void) {
  const auto whole = toy();
  while (!whole->ended()) whole->block(length);
  CHECK(whole->save("."));
  const std::string expected = file(*whole);
  CHECK(expected.size() > 1000);
  std::remove(whole->file_in(".").c_str());
  for (bool ended = false; !ended;) {
    const auto next = toy();
    CHECK(next->load("."));
    next->block(1777);
    CHECK(next->save("."));
    ended = next->ended();
  }
  CHECK(file(*whole) == expected);
}

void test_files_of_other_runs_are_rejected(void) {
  const auto some = toy();
  some->block(1000);
  CHECK(some->save("."));
  auto longer = toy();
  longer->most *= 2;
  CHECK(!longer->load("."));
  std::fstream corrupted(some->file_in("."), std::ios::in | std::ios::out);
  corrupted.seekp(-4, std::ios::end);  // in the checksum of the state
  corrupted << "0 ";
  corrupted.close();
  CHECK(!toy()->load("."));
  std::ofstream(some->file_in(".")) << "LIFE 2 0 " << length;
  CHECK(!toy()->load("."));
  std::remove(some->file_in(".").c_str());
}

// First steps with other bits: another arithmetic, none of its saved state counts.
void test_other_arithmetic_restarts_the_run(void) {
  const auto some = toy();
  some->block(1000);
  CHECK(some->save("."));
  std::string all;
  {
    std::ifstream in(some->file_in("."));
    std::getline(in, all, '\0');
  }
  all[7] = all[7] == '1' ? '0' : '1';  // of the hash
  std::ofstream(some->file_in(".")) << all;
  const auto anew = toy();
  CHECK(anew->load("."));
  CHECK(anew->done == 0 && anew->part[0].steps == 0);
  std::remove(some->file_in(".").c_str());
}

// With the rule of the papers a rolling pin penetrates its bearing (lib/DESIGN.md, persistent contacts).
void test_growing_penetration_is_detected(void) {
  const auto pin = run_of(models::RollingPin<Real>{});
  while (!pin->ended()) pin->block(length);
  CHECK(endurance::departs(*pin) == "contacts leave their places");
}

void test_every_departure_is_detected(void) {
  endurance::Ledger even;
  even.most = even.done = 24 * 1000;
  for (endurance::Part& one : even.part) {
    one.steps = one.samples = 1000, one.cycles = 200, one.inexact = 1, one.fallbacks = 100;
    one.energy = 1000, one.highest = 2, one.deepest = 1e-6;
  }
  CHECK(endurance::departs(even).empty());
  const auto with = [&even](const auto& change) {
    endurance::Ledger other = even;
    for (std::size_t i = 16; i < endurance::parts; ++i) change(other.part[i]);
    return endurance::departs(other);
  };
  CHECK(with([](endurance::Part& one) { one.refused = 1; }) == "a step was refused");
  CHECK(with([](endurance::Part& one) { one.inexact = 10; }) == "more steps are inexact");
  CHECK(with([](endurance::Part& one) { one.fallbacks = 200; }) == "more fallbacks");
  CHECK(with([](endurance::Part& one) { one.deepest *= 1.5; }) == "contacts leave their places");
  even.depth = 2e-6;
  CHECK(with([](endurance::Part& one) { one.deepest *= 1.5; }).empty());
  CHECK(with([](endurance::Part& one) { one.energy *= 1.1; }) == "energy grows");
  CHECK(with([](endurance::Part& one) { one.highest *= 1.5; }) == "energy has peaks");
  CHECK(with([](endurance::Part& one) { one.energy *= 0.9; }) == "energy is lost");
  CHECK(with([](endurance::Part& one) { one.cycles = 190; }) == "cycles come at another rate");
  CHECK(with([](endurance::Part& one) { one.energy = std::nan(""); }) != "");
}

TEST_MAIN({
  TEST(test_interrupted_run_is_bit_identical);
  TEST(test_files_of_other_runs_are_rejected);
  TEST(test_other_arithmetic_restarts_the_run);
  TEST(test_growing_penetration_is_detected);
  TEST(test_every_departure_is_detected);
})
