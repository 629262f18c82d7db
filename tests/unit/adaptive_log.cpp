// Log of an adaptive run: every column, complete rows however the run ends, progress, Ctrl-C.
#include <sys/wait.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <fstream>
#include <moreau/moreau.hpp>
#include <moreau/workstation/adaptive_log.hpp>
#include <moreau/workstation/watch.hpp>
#include <sstream>

#include "models/sliding_mass.hpp"
#include "models/woodpecker.hpp"
#include "support/test.hpp"

namespace {

using Toy = models::Woodpecker<Real>;
using Mass = models::SlidingMass<Real>;
const char* const path =
    sizeof(Real) == 4 ? "unit_adaptive_float.csv" : "unit_adaptive_double.csv";  // both tests can run at once
const char* const toy_header =
    "t [s],dt [s],order,sigma_N_0,sigma_N_1,sigma_N_2,sigma_T_0,sigma_T_1,sigma_T_2,y [m],phi_M [rad],phi_S [rad],"
    "u_y [m/s],u_phi_M [rad/s],u_phi_S [rad/s],P_N_0 [N s],P_N_1 [N s],P_N_2 [N s],P_T_0 [N s],P_T_1 [N s],P_T_2 [N s],"
    "switched_N_0,switched_N_1,switched_N_2,switched_T_0,switched_T_1,"
    "switched_T_2";
constexpr std::size_t toy_columns = 27;

moreau::AdaptiveOptions<Real> quick() {
  auto o = moreau::AdaptiveOptions<Real>::paper();
  o.dt_min = Real(1e-7);
  o.dt_max = Real(5e-3);
  o.atol = o.rtol = Real(1e-8);
  return o;
}
moreau::Stepper<Toy> toy() { return moreau::Stepper<Toy>{Toy{}, models::state_at<Toy>(Toy{}.start())}; }

std::vector<std::vector<std::string>> cells_of(const char* file) {
  std::ifstream stream(file);
  std::vector<std::vector<std::string>> rows;
  for (std::string line; std::getline(stream, line);) {
    rows.emplace_back();
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(cell);
  }
  return rows;
}
Real number(const std::string& cell) {
  Real x{-1e30};
  std::from_chars(cell.data(), cell.data() + cell.size(), x);
  return x;
}

void test_every_column_of_every_accepted_step(void) {
  auto stepper = toy();
  moreau::Adaptive run{stepper, quick()};
  std::vector<moreau::State<Toy>> states;
  std::vector<moreau::Adaptive<moreau::Stepper<Toy>>::Step> steps;
  std::int64_t switchings = 0;
  {
    moreau::workstation::AdaptiveLog<Toy> table{path, {"y [m]", "phi_M [rad]", "phi_S [rad]"}};
    const auto s = run.advance_to(Real(0.1), [&](const auto& state, const auto& step) {
      table(state, step);
      states.push_back(state);
      steps.push_back(step);
    });
    CHECK(s.finished() && table.good());
    switchings = s.switchings;
  }
  std::ifstream file(path);
  std::string header;
  std::getline(file, header);
  CHECK_EQUAL(toy_header, header);
  const auto rows = cells_of(path);
  CHECK_EQUAL(states.size() + 1, rows.size());
  std::int64_t flags = 0;
  for (std::size_t n = 0; n < states.size(); ++n) {
    const auto& row = rows[n + 1];
    CHECK_EQUAL(toy_columns, row.size());
    CHECK(number(row[0]) == states[n].time() && number(row[1]) == steps[n].dt);
    CHECK(int(number(row[2])) == steps[n].order);
    for (std::size_t i = 0; i < 3; ++i) {
      CHECK(int(number(row[3 + i])) == states[n].sigma_N[i] && int(number(row[6 + i])) == states[n].sigma_T[i]);
      CHECK(number(row[9 + i]) == states[n].q(int(i)) && number(row[12 + i]) == states[n].u(int(i)));
      CHECK(number(row[15 + i]) == states[n].P_N(int(i)) && number(row[18 + i]) == states[n].P_T(0, int(i)));
    }
    for (std::size_t i = 21; i < toy_columns; ++i) flags += std::int64_t(number(row[i]));
    for (const auto& w : steps[n].switchings)
      CHECK(number(row[(w.law == moreau::DiscreteState<Toy>::LawKind::friction ? 24u : 21u) + std::size_t(w.index)]) ==
            1);
  }
  CHECK_EQUAL(switchings, flags);
  CHECK(flags >= 5);
}

void test_friction_elements_have_columns(void) {
  moreau::Stepper mass{Mass{}, models::state_at<Mass>(Mass{}.start())};
  moreau::Adaptive run{mass, quick()};
  {
    moreau::workstation::AdaptiveLog<Mass> table{path};
    CHECK(run.advance_to(3).finished());
    CHECK(run.advance_to(4, table).finished());
  }
  const auto rows = cells_of(path);
  const std::vector<std::string> header{"t [s]", "dt [s]", "order",   "sigma_F_0", "q_0",         "q_1",
                                        "u_0",   "u_1",    "P_F_0_0", "P_F_0_1",   "switched_F_0"};
  CHECK(rows[0] == header);
  int flags = 0;
  for (const auto& row : rows) flags += row[10] == "1";
  CHECK_EQUAL(1, flags);  // it comes to rest
}

// A program killed in the middle of a run, with the file still open.
void test_killed_run_leaves_complete_rows(void) {
  int recorded = 0;
  const pid_t child = fork();
  if (child == 0) {
    auto stepper = toy();
    moreau::Adaptive run{stepper, quick()};
    moreau::workstation::AdaptiveLog<Toy> table{path, {"y [m]", "phi_M [rad]", "phi_S [rad]"}};
    (void)run.advance_to(1, [&](const auto& state, const auto& step) {
      table(state, step);
      if (++recorded == 123) _exit(0);
    });
    _exit(1);
  }
  int ending = 1;
  waitpid(child, &ending, 0);
  CHECK_EQUAL(0, ending);
  const auto rows = cells_of(path);
  CHECK_EQUAL(std::size_t(124), rows.size());
  for (const auto& row : rows) CHECK_EQUAL(toy_columns, row.size());
}

// On Ctrl-C, the run ends with the last recorded state and can be continued.
void test_interruption_by_a_signal(void) {
  auto stepper = toy();
  moreau::Adaptive run{stepper, quick()};
  Real recorded = 0;
  const auto record = [&](const auto& state, const auto&) {
    recorded = state.time();
    if (recorded > Real(0.03) && recorded < Real(0.05)) std::raise(SIGINT);
  };
  const auto s = run.advance_to(Real(0.1), record, moreau::workstation::Watch{});
  CHECK(s.status == moreau::Status::not_finished && !s.finished());
  CHECK(stepper.state.time() == recorded && recorded < Real(0.05));
  CHECK(run.advance_to(Real(0.1)).finished());
}

void test_progress_is_printed(void) {
  std::FILE* file = std::fopen(path, "w");
  {
    auto stepper = toy();
    moreau::Adaptive run{stepper, quick()};
    moreau::workstation::Watch watch{file, 0};  // after every step
    CHECK(run.advance_to(
                 Real(0.05), [](const auto&, const auto&) {}, watch)
              .finished());
  }
  std::fclose(file);
  std::ifstream stream(path);
  std::string first, last;
  std::getline(stream, first);
  for (std::string line; std::getline(stream, line);) last = line;
  CHECK(first.find(" base steps, ") != std::string::npos && first.find(" s left") != std::string::npos);
  CHECK(last.find("t 0.05 s, 100.0 %") == 0 && last.find(", 0 s left") != std::string::npos);
}

}  // namespace

TEST_MAIN({
  TEST(test_every_column_of_every_accepted_step);
  TEST(test_friction_elements_have_columns);
  TEST(test_killed_run_leaves_complete_rows);
  TEST(test_interruption_by_a_signal);
  TEST(test_progress_is_printed);
})
