// Fit of the woodpecker from records of an adaptive run: accuracy, intervals, damaged records, number of threads.
#include <moreau/identify/commands.hpp>
#include <moreau/workstation/mat_table.hpp>

#include <cstdio>

#include "identification/adaptive_record.hpp"
#include "identification/gear_drive.hpp"
#include "identification/woodpecker.hpp"
#include "support/bits_hash.hpp"
#include "support/test.hpp"

namespace {

using namespace moreau::identify;
using Toy = identification::Toy;
constexpr int members = 60;

using Machine = identification::Woodpecker;
const auto d = Machine::description();
using D = Machine::Description;

std::vector<D::Sample> record(double duration, std::uint64_t seed, double noise = 1) {
  return identification::machine_record<Machine>(d, Machine::usual(), seed, {duration, 2e-4, 0.2, noise});
}

std::uint64_t hash_of(const Fit<D>& fit) {
  test::BitsHash all;
  for (const auto& p : fit.parameters) all.add(p.value), all.add(p.low), all.add(p.high), all.add(p.deviation);
  for (const auto& c : fit.channels) all.add(c.noise_ratio), all.add(c.mean_square), all.add(c.correlation);
  return all.value();
}

FitOptions small(unsigned threads) {
  FitOptions o;
  o.chains = 2, o.trials = 9, o.threads = threads;
  return o;
}

void test_play_and_friction_of_a_record(void) {
  const auto rows = record(0.4, 1);
  const auto fit = moreau::identify::fit<members>(d, rows, small(2));
  const Toy toy;
  const auto truth = Machine::usual();
  const double error[] = {5e-4, 0.02, 3e-3, 2e-3};  // relative; ten times the median of 20 records and seeds
  for (std::size_t p = 0; p < 4; ++p) {
    CHECK_WITHIN(error[p] * truth[p], truth[p], fit.parameters[p].value);
    CHECK(fit.parameters[p].low < truth[p] && truth[p] < fit.parameters[p].high);
    CHECK(fit.parameters[p].found == Found::found);
  }
  CHECK(fit.explained());
}

void test_the_result_is_independent_of_threads_and_interruption(void) {
  const auto rows = record(0.1, 2);
  const auto expected = hash_of(moreau::identify::fit<members>(d, rows, small(1)));
  int ensembles = 0;
  Store<D> counted;
  counted.put = [&](char, int, auto&) { ++ensembles; };
  CHECK_EQUAL(expected, hash_of(moreau::identify::fit<members>(d, rows, small(1), counted)));
  CHECK_EQUAL(expected, hash_of(moreau::identify::fit<members>(d, rows, small(3))));
  // Stop after four ensembles; truncate the file within a line; continue.
  const std::string path = "identification_fit_folder";
  (void)std::remove((path + "/tasks.txt").c_str());
  int left = 4;
  const auto run = [&] {
    FitFolder<D> folder(path, 42);
    Store<D> store;
    store.get = [&](char kind, int index, auto& e) { return folder.get(kind, index, e); };
    store.put = [&](char kind, int index, auto& e) { folder.put(kind, index, e), --left; };
    store.stopped = [&] { return left <= 0; };
    return hash_of(moreau::identify::fit<members>(d, rows, small(1), store));
  };
  int code = 0;
  try {
    (void)run();
  } catch (const Refusal& refusal) { code = refusal.code; }
  CHECK_EQUAL(int(Exit::interrupted), code);
  std::ifstream in(path + "/tasks.txt");
  std::string all{std::istreambuf_iterator<char>(in), {}};
  std::ofstream(path + "/tasks.txt") << all.substr(0, all.size() - 20);
  left = 1000;
  CHECK_EQUAL(expected, run());
  CHECK_EQUAL(1000 - (ensembles - 3), left);  // the line that was cut is computed again
}

// A tenth of the rows missing, NaN, uneven times, a gap, and a second file of the slower channel in other units.
void test_damaged_records(void) {
  const auto rows = record(0.4, 3);
  const char *fast = "identification_fast.csv", *slow = "identification_slow.csv";
  {
    std::ofstream a(fast), b(slow);
    a.precision(17), b.precision(17);
    a << "t [s];y [m];comment\r\n";
    b << "t [ms],phi_S [deg]\n";
    Draw draw(3, 0);
    for (std::size_t n = 0; n < rows.size(); ++n) {
      if (draw.uniform(0, 1) < 0.1 || (n > 800 && n < 900)) continue;
      a << rows[n].t << ';' << (n % 50 == 0 ? "nan" : n % 50 == 1 ? "" : std::to_string(rows[n].measured[0]));
      a << ";1\r\n";
      if (n % 5 == 0) b << 1e3 * rows[n].t << ',' << rows[n].measured[1] * 180 / moreau::pi<double> << '\n';
    }
  }
  const auto read = read_record(d, std::string(fast) + '+' + slow);
  CHECK_EQUAL(4u, read.notes.size());  // two conversions, a gap, uneven times
  FitOptions o = small(2);
  o.trials = 0;
  const auto fit = moreau::identify::fit<members>(d, read.rows, o);
  const Toy toy;
  constexpr double of_play = 0.03 * (0.0031 - 0.0025);  // a fifth of the angles, heights rounded to 1 um
  CHECK_WITHIN(of_play, toy.r_M, fit.parameters[0].value);
  constexpr double of_friction = 0.04;  // twice the error of this record
  CHECK_WITHIN(of_friction * toy.mu, toy.mu, fit.parameters[2].value);
}

// Two rates in two files, one of them a MAT file: the rows of equal times are joined.
void test_mat_files(void) {
  const char *fast = "identification_fast.mat", *slow = "identification_slow2.csv";
  {
    moreau::workstation::MatTable a(fast, {"t [s]", "y [mm]"});
    std::ofstream b(slow);
    b << "t [s],phi_S [rad]\n";
    for (int n = 0; n < 200; ++n) {
      a.row(1e-3 * n, -0.5 * n);
      if (n % 4 == 0) b << 1e-3 * n << ',' << 0.25 * n << '\n';
    }
    CHECK(a.close());
  }
  const auto read = read_record(d, std::string(fast) + '+' + slow);
  CHECK_EQUAL(200u, read.rows.size());
  CHECK_EQUAL(1u, read.notes.size());  // a conversion
  constexpr double rounding = 1e-15;
  CHECK_WITHIN(rounding, -0.05, read.rows[100].measured[0]);
  CHECK_WITHIN(rounding, 25, read.rows[100].measured[1]);
  CHECK(!(read.rows[101].measured[1] == read.rows[101].measured[1]));  // not measured
  // Cut off within the last variable; another level.
  std::ifstream in(fast, std::ios::binary);
  const std::string all{std::istreambuf_iterator<char>(in), {}};
  for (const std::string& bad : {all.substr(0, all.size() - 5), all.substr(0, 30), "MATLAB 5.0" + all}) {
    std::ofstream("identification_bad.mat", std::ios::binary) << bad;
    int code = 0;
    try {
      (void)read_record(d, "identification_bad.mat");
    } catch (const Refusal& refusal) { code = refusal.code; }
    CHECK_EQUAL(int(Exit::refused), code);
  }
}

int refusal_of(const char* text) {
  std::ofstream("identification_bad.csv") << text;
  try {
    (void)read_record(d, "identification_bad.csv");
  } catch (const Refusal& refusal) { return refusal.code; }
  return 0;
}

void test_wrong_records_are_rejected(void) {
  CHECK_EQUAL(int(Exit::refused), refusal_of(""));
  CHECK_EQUAL(int(Exit::refused), refusal_of("t [s],y [m]\n0,1\n"));                       // a missing channel
  CHECK_EQUAL(int(Exit::refused), refusal_of("y [m],phi_S [rad]\n0,1\n"));                 // no time
  CHECK_EQUAL(int(Exit::refused), refusal_of("t [s],y [kg],phi_S [rad]\n0,1,1\n"));        // another unit
  CHECK_EQUAL(int(Exit::refused), refusal_of("t [s],y [m],phi_S [rad]\n0,1,1\n0,1,1\n"));  // a repeated time
  CHECK_EQUAL(int(Exit::refused), refusal_of("t [s],y [m],phi_S [rad]\n0,1\n"));           // a short row
  CHECK_EQUAL(int(Exit::refused), refusal_of("t [s],y [m],phi_S [rad]\n0,1,x\n"));         // not a number
  CHECK_EQUAL(int(Exit::refused), refusal_of("t [s],y [m],phi_S [rad]\n0,1,1\n"));         // too short
}

// An inertia of the machine with an error of 5 %, or a delay of two rows: the innovations are unusual.
void test_a_wrong_model_is_reported(void) {
  auto heavy = d, late = d;
  Machine::disturb(heavy.model);
  late.channel_of[0].sensor.delay = 2 * Machine::plan.sample;
  for (const D& machine : {heavy, late}) {
    const auto rows =
        identification::machine_record<Machine>(machine, Machine::usual(), 6, {0.4, Machine::plan.sample, 0.2});
    CHECK(!moreau::identify::fit<members>(d, rows, small(2)).explained());
  }
}

// An inertia of the motor with an error of 5 %: the record agrees with another scale of the torque.
void test_a_wrong_inertia_of_a_driven_machine_is_reported(void) {
  using Gear = identification::GearDrive;
  const auto gear = Gear::description();
  auto heavy = gear;
  Gear::disturb(heavy.model);
  const std::vector<double> truth{3.3e-4, 0.27, 0.08, 8e-3, 1.2e-4};  // a heavy load, so the motor reverses slowly
  for (const bool wrong : {false, true}) {
    const auto rows = identification::machine_record<Gear>(wrong ? heavy : gear, truth, 2);
    const auto fit = moreau::identify::fit<members>(gear, rows, small(2));
    CHECK_EQUAL(!wrong, fit.explained());
    CHECK_EQUAL(!wrong, fit.inputs[0].consistent);
    constexpr double accuracy = 0.02;  // three deviations of the scale
    CHECK_WITHIN(accuracy, wrong ? 1 / 1.05 : 1, fit.inputs[0].scale);
  }
}

// Trials in which the fitted value of a parameter is 0.45 + slope (truth - 0.5), with small errors, and the answer is 0.57.
Fit<D> of_trials(double slope) {
  Fit<D> fit;
  fit.factor.fill(1), fit.weak.assign(4, false), fit.weak[1] = true;
  fit.chains.resize(1);
  const Range& eps = d.parameter_of[1].range;
  fit.chains[0].mean[1] = eps.logit(0.57), fit.chains[0].deviation[1] = 1e-3;
  for (int k = 0; k < 19; ++k) {
    const double truth = eps.low + eps.width() * (k + 0.5) / 19, error = k % 2 == 0 ? 0.01 : -0.01;
    fit.truths.push_back({}), fit.trials.push_back({});
    fit.truths.back()[1] = eps.logit(truth);
    fit.trials.back().mean[1] = eps.logit(0.45 + slope * (truth - 0.5) + error), fit.trials.back().deviation[1] = 1e-3;
  }
  conclude(d, fit);
  return fit;
}

// The ensembles agree on a wrong value: the trials correct it. If the fitted value does not depend on the truth, the
// parameter is not found.
void test_a_weak_parameter_has_the_interval_of_its_trials(void) {
  const auto biased = of_trials(0.8).parameters[1];
  constexpr double of_errors = 0.01 / 0.8;
  CHECK_WITHIN(of_errors, 0.65, biased.value);
  CHECK(biased.high - biased.low > 2 * of_errors && biased.high - biased.low < 4 * of_errors);
  CHECK(biased.found == Found::found);
  CHECK(of_trials(0).parameters[1].found == Found::not_found);
}

// The errors of the first trials are as large as the range: machines from the whole range, also for a coupled parameter.
void test_large_errors_widen_the_distribution_of_the_trials(void) {
  Estimate<D> answer;
  answer.mean[1] = 1, answer.deviation.fill(0.05);
  answer.correlation[0 * 4 + 1] = answer.correlation[1 * 4 + 0] = -0.5;
  Machines<D> machines;
  std::vector<Estimate<D>> first(5);
  for (int k = 0; k < 5; ++k) {
    machines.truth.push_back({});
    first[std::size_t(k)].mean = {0.01, 1.5, 0.2, 0.01};
  }
  auto drawn = near_answer(d, answer);
  std::vector<bool> weak(4, false);
  CHECK(widen(d, answer, first, machines, drawn, weak));
  CHECK(weak == std::vector<bool>({true, true, false, false}));
  CHECK_EQUAL(0, drawn.mean[1]);
  constexpr double rounding = 1e-12;
  CHECK_WITHIN(rounding, 3 * 1.48 * 0.2, drawn.deviation[2]);
  CHECK_WITHIN(rounding, 3 * 0.05 + 0.02, drawn.deviation[3]);
}

// Returns the exit code of a command line.
int command(std::vector<std::string> words) {
  words.insert(words.begin(), "woodpecker");
  words.insert(words.end(),
               {"--folder", "identification_commands", "--trials", "9", "--chains", "1", "--threads", "2"});
  std::vector<char*> pointers;
  for (auto& word : words) pointers.push_back(word.data());
  return commands<members>(d, int(pointers.size()), pointers.data());
}

void test_commands(void) {
  const std::string path = "identification_record.csv";
  identification::write_record(d, record(0.2, 5), path);
  CHECK_EQUAL(int(Exit::done), command({"fit", path}));
  CHECK_EQUAL(int(Exit::done), command({"page", path, "--to", "identification_page.html", "--held-out", "30"}));
  CHECK_EQUAL(int(Exit::done), command({"validate", path}));
  auto worn = Machine::usual();
  worn[0] += 3e-5;  // 5 % of the play
  const std::string other = "identification_worn.csv";
  identification::write_record(d, identification::machine_record<Machine>(d, worn, 7, {0.2, 2e-4, 0.2}), other);
  CHECK_EQUAL(int(Exit::incomplete), command({"validate", other}));
  CHECK_EQUAL(int(Exit::done), command({"follow", path, path, "--to", "identification_wear.html"}));
  CHECK_EQUAL(int(Exit::done), command({"check", path}));
  CHECK_EQUAL(int(Exit::usage), command({"fit"}));
  CHECK_EQUAL(int(Exit::usage), command({"guess", path}));
  CHECK_EQUAL(int(Exit::disk), command({"fit", "identification_missing.csv"}));
  for (const char* name : {"identification_page.html", "identification_wear.html"}) {
    std::ifstream in(name);
    const std::string page{std::istreambuf_iterator<char>(in), {}};
    for (const char* text : {"eps_beak", "</svg>", "</html>"}) CHECK(page.find(text) != page.npos);
    const bool of_fit = name == std::string("identification_page.html");
    CHECK_EQUAL(of_fit, page.find("explains the held-out part") != page.npos);
    CHECK(page.find("nan") == page.npos && page.find("inf") == page.npos);
  }
  const auto fit = FitFolder<D>::read_file("identification_commands", d);
  CHECK_WITHIN(2e-5, Machine::usual()[0], fit[0].value);  // m, after `follow`: thirty times the usual error
}

// Five times the noise of the sensors: reported, and the intervals are those of this noise. Intervals of 90 % hold 11 of
// 12 parameters of three records; at least 10 with a probability of 0.89.
void test_larger_noise_widens_the_intervals(void) {
  const auto truth = Machine::usual();
  int inside = 0;
  for (const std::uint64_t seed : {4u, 5u, 6u}) {
    const auto fit = moreau::identify::fit<members>(d, record(0.4, seed, 5), small(2));
    CHECK(fit.channels[0].noise_ratio > 3 && fit.channels[0].noise_ratio < 7);
    CHECK(fit.factor[0] > 2.5 && fit.factor[0] < 7);
    CHECK(fit.explained());
    for (std::size_t p = 0; p < 4; ++p) inside += fit.parameters[p].low < truth[p] && truth[p] < fit.parameters[p].high;
  }
  CHECK(inside >= 10);
}

}  // namespace

TEST_MAIN(TEST(test_play_and_friction_of_a_record) TEST(test_the_result_is_independent_of_threads_and_interruption)
              TEST(test_damaged_records) TEST(test_mat_files) TEST(test_wrong_records_are_rejected)
                  TEST(test_a_weak_parameter_has_the_interval_of_its_trials)
                      TEST(test_large_errors_widen_the_distribution_of_the_trials)
                          TEST(test_larger_noise_widens_the_intervals) TEST(test_commands)
                              TEST(test_a_wrong_model_is_reported)
                                  TEST(test_a_wrong_inertia_of_a_driven_machine_is_reported))
