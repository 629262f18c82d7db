// Plant and slave of an FMU: damaged bytes, reset, the stop time as a part of the state, outputs after a communication
// step that fails in its middle, and parameters that change the mass or become invalid.
#include <moreau/bench/slave.hpp>

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "support/test.hpp"
#include "test_benches/woodpecker.hpp"

namespace {

using moreau::bench::Advance;
using moreau::bench::Answer;
using moreau::bench::Plant;
using moreau::bench::saved_size;
using moreau::bench::Slave;
using moreau::bench::Table;

// A ball that falls onto the floor. Its mass is negative after the time `end`, so a later step fails.
struct Ball {
  using Real = double;
  static constexpr int dof = 1, contacts = 1, tangents = 0;
  using Vector = moreau::Vector<Real, 1>;
  Real m{2}, end{1e300};  // kg, s

  moreau::Matrix<Real, 1, 1> mass(const Vector&, Real t) const {
    return moreau::Matrix<Real, 1, 1>::Constant(t < end ? m : -m);
  }
  Vector force(const Vector&, const Vector&, Real) const { return Vector(-9.81 * m); }
  Real gap(int, const Vector& q, Real) const { return q(0); }
  moreau::Directions<Real, 1, 0> directions(int, const Vector&, Real) const {
    moreau::Directions<Real, 1, 0> d{};
    d.w_N(0) = 1;
    return d;
  }
  moreau::ContactLaw<Real> law(int) const { return {0.5, 0, 0}; }
};
struct BallBench {
  using Model = Ball;
  static constexpr double dt = 0x1p-10;  // s
  static constexpr auto variables =
      bench::variables(bench::parameter<&Ball::m>("kg", 0.1, 10), bench::parameter<&Ball::end>("s", 0, 1e300),
                       bench::coordinate<0>("y", "m"), bench::contact<0>("floor"));
  static moreau::State<Ball> start(const Ball&) {
    moreau::State<Ball> state;
    state.q(0) = 0.01;
    return state;
  }
};

using Woodpecker = WoodpeckerBench::Model;

// The woodpecker in constant time: a step that finds a changed mass is a fallback.
struct ConstantBench : WoodpeckerBench {
  using Stepper = moreau::Stepper<Model, moreau::Exact, moreau::Timing::constant>;
};
// Its list permits a friction coefficient that the step rejects.
struct WideBench : WoodpeckerBench {
  static constexpr auto variables =
      bench::variables(bench::parameter<&Woodpecker::mu>("1", -1, 1), bench::coordinate<0>("y", "m"));
};

template <class Bench>
double get(const Plant<Bench>& plant, const char* name) {
  double value = std::numeric_limits<double>::quiet_NaN();
  CHECK(plant.get(Table<Bench>::find(name), value) == Answer::ok);
  return value;
}
template <class Bench>
Answer set(Plant<Bench>& plant, const char* name, double value) {
  return plant.set(Table<Bench>::find(name), value);
}
// All values of a plant except the report of the last step.
template <class Bench>
std::vector<double> values(const Plant<Bench>& plant) {
  std::vector<double> all;
  for (int i = 0; i < Table<Bench>::count; ++i)
    if (std::strncmp(Table<Bench>::of(i).name.text, "step.", 5) != 0) {
      all.push_back(0);
      CHECK(plant.get(i, all.back()) == Answer::ok);
    }
  return all;
}
bool equal(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof a[0]) == 0;
}

// A slave of a ball in the mode `ready`, with a stop time.
void start(Slave<BallBench>& slave, double begin, double stop) {
  CHECK(slave.set_times(begin, stop));
  CHECK(slave.plant.restart(begin) == Answer::ok);
  slave.mode = moreau::bench::ready;
}

void test_every_flipped_bit_of_a_serialised_state_is_found(void) {
  Slave<BallBench> slave;
  start(slave, 0.5, 3);
  CHECK(slave.advance(0.5, 100 * BallBench::dt) == Advance::done);
  constexpr std::size_t size = Slave<BallBench>::serialised_size;
  std::uint8_t bytes[size];
  Slave<BallBench>::serialise(slave.saved(), bytes);
  auto read = slave.saved();
  CHECK(Slave<BallBench>::deserialise(read, bytes, size) == Answer::ok);
  for (std::size_t bit = 0; bit < 8 * size; ++bit) {
    bytes[bit / 8] ^= std::uint8_t(1u << bit % 8);
    if (Slave<BallBench>::deserialise(read, bytes, size) != Answer::wrong_bytes)
      TEST_FAIL_MESSAGE(("accepted with bit " + std::to_string(bit) + " flipped").c_str());
    bytes[bit / 8] ^= std::uint8_t(1u << bit % 8);
  }
  CHECK(Slave<BallBench>::deserialise(read, bytes, size) == Answer::ok);
}

void test_every_flipped_bit_of_a_saved_plant_is_found(void) {
  Plant<BallBench> plant;
  for (int n = 0; n < 100; ++n) CHECK(plant.step() == Answer::ok);
  constexpr std::size_t size = saved_size<BallBench>;
  std::uint8_t bytes[size];
  moreau::bench::save<BallBench>(plant.snapshot(), bytes);
  auto read = plant.snapshot();
  for (std::size_t bit = 0; bit < 8 * size; ++bit) {
    bytes[bit / 8] ^= std::uint8_t(1u << bit % 8);
    CHECK(moreau::bench::restore<BallBench>(read, bytes, size) == Answer::wrong_bytes);
    bytes[bit / 8] ^= std::uint8_t(1u << bit % 8);
  }
}

// The grid point next to the communication point is part of a state: a restored slave continues bit-identically.
void test_communication_points_off_the_grid(void) {
  constexpr double dt = BallBench::dt, h = 2.4 * dt;
  Slave<BallBench> slave, other;
  start(slave, 0.5, 1);
  double t = 0.5;
  for (const int expected : {2, 5, 7, 10, 12}) {
    CHECK(slave.advance(t, h) == Advance::done);
    t += h;
    CHECK_EQUAL(expected, slave.plant.steps_since_start());
    CHECK(slave.reached == t);
  }
  CHECK(slave.advance(t + 0.6 * dt, h) == Advance::wrong_point);
  for (const double bad : {0.0, -dt, double(NAN), double(INFINITY), 2e15 * dt})
    CHECK(slave.advance(t, bad) == Advance::wrong_size);
  CHECK(slave.advance(t - 0.4 * dt, 0.1 * dt) == Advance::done);  // ends before the communication point
  CHECK(slave.reached == t);
  std::uint8_t bytes[Slave<BallBench>::serialised_size];
  Slave<BallBench>::serialise(slave.saved(), bytes);
  auto read = other.saved();
  CHECK(Slave<BallBench>::deserialise(read, bytes, sizeof bytes) == Answer::ok);
  other.put(read);
  for (Slave<BallBench>* s : {&slave, &other}) CHECK(s->advance(t, h) == Advance::done);
  CHECK(equal(values(slave.plant), values(other.plant)));
  CHECK_EQUAL(14, other.plant.steps_since_start());
}

void test_reset_clears_the_times(void) {
  Slave<BallBench> slave;
  start(slave, 0.5, 0.5 + 20 * BallBench::dt);
  slave.reset();
  CHECK_EQUAL(moreau::bench::instantiated, slave.mode);
  CHECK_EQUAL(0, slave.start);
  CHECK_EQUAL(0, slave.time());
  CHECK_EQUAL(std::numeric_limits<double>::infinity(), slave.stop);
  slave.mode = moreau::bench::ready;  // an importer of FMI 2.0 may omit the set-up of an experiment
  CHECK(slave.advance(0, 30 * BallBench::dt) == Advance::done);
}

void test_state_contains_the_stop_time(void) {
  constexpr double dt = BallBench::dt;
  Slave<BallBench> slave, other;
  start(slave, 0.5, 0.5 + 20 * dt);
  CHECK(slave.advance(0.5, 15 * dt) == Advance::done);
  std::uint8_t bytes[Slave<BallBench>::serialised_size];
  Slave<BallBench>::serialise(slave.saved(), bytes);
  auto read = other.saved();
  CHECK(Slave<BallBench>::deserialise(read, bytes, sizeof bytes) == Answer::ok);
  slave.reset();
  slave.put(read);
  other.put(read);
  for (Slave<BallBench>* s : {&slave, &other}) {
    CHECK_EQUAL(moreau::bench::ready, s->mode);
    CHECK_EQUAL(0.5 + 15 * dt, s->time());
    CHECK(s->advance(s->time(), 6 * dt) == Advance::beyond_stop);
    CHECK(s->advance(s->time(), 5 * dt) == Advance::done);
  }
}

// The sixth of ten steps fails. All outputs, including the gap at the midpoint of the last step, are those of the
// communication point.
void test_outputs_after_a_failed_communication_step(void) {
  Slave<BallBench> slave;
  start(slave, 0, 10);
  constexpr int n = 40;
  CHECK(slave.advance(0, n * BallBench::dt) == Advance::done);
  const auto before = values(slave.plant);
  CHECK(set(slave.plant, "end", (n + 5) * BallBench::dt) == Answer::ok);
  const auto tuned = values(slave.plant);
  CHECK(slave.advance(slave.time(), 10 * BallBench::dt) == Advance::refused);
  CHECK_EQUAL(moreau::bench::failed, slave.mode);
  CHECK(equal(tuned, values(slave.plant)));
  CHECK_EQUAL(int(moreau::Status::mass_not_positive_definite), get(slave.plant, "step.status"));
  CHECK(slave.advance(slave.time(), 5 * BallBench::dt) == Advance::done);  // these steps do not reach the end
  CHECK(!equal(before, values(slave.plant)));
}

void test_step_follows_a_changed_mass_without_a_fallback(void) {
  Plant<ConstantBench> tuned, saved, fresh;
  const double m_S = 0.9 * get(fresh, "m_S");
  for (int n = 0; n < 10; ++n) CHECK(tuned.step() == Answer::ok);
  tuned.reset();
  CHECK(set(tuned, "m_S", m_S) == Answer::ok);
  saved.put(tuned.snapshot());
  for (int n = 0; n < 100; ++n)
    for (Plant<ConstantBench>* plant : {&tuned, &saved}) {
      CHECK(plant->step() == Answer::ok);
      CHECK_EQUAL(0, plant->report().fallbacks);
    }
  CHECK(equal(values(tuned), values(saved)));
  for (int n = 0; n < 100; ++n) CHECK(fresh.step() == Answer::ok);
  CHECK(!equal(values(tuned), values(fresh)));
}

void test_invalid_parameter_makes_the_next_step_fail(void) {
  Plant<WideBench> plant, restored;
  CHECK(plant.step() == Answer::ok && restored.step() == Answer::ok);
  CHECK(set(plant, "mu", -0.5) == Answer::ok);
  CHECK(plant.step() == Answer::invalid_argument);
  restored.put(plant.snapshot());
  CHECK(restored.step() == Answer::invalid_argument);
  CHECK(set(plant, "mu", 0.5) == Answer::ok);
  CHECK(plant.step() == Answer::ok);
}

}  // namespace

TEST_MAIN({
  TEST(test_every_flipped_bit_of_a_serialised_state_is_found);
  TEST(test_every_flipped_bit_of_a_saved_plant_is_found);
  TEST(test_communication_points_off_the_grid);
  TEST(test_reset_clears_the_times);
  TEST(test_state_contains_the_stop_time);
  TEST(test_outputs_after_a_failed_communication_step);
  TEST(test_step_follows_a_changed_mass_without_a_fallback);
  TEST(test_invalid_parameter_makes_the_next_step_fail);
})
