// CSV tables of the workstation: symbols in the header, bitwise round trip of numbers.
#include <cstring>
#include <moreau/moreau.hpp>
#include <moreau/workstation/csv.hpp>
#include <moreau/workstation/state_log.hpp>

#include <charconv>
#include <fstream>
#include <limits>
#include <sstream>
#include <vector>

#include "models/woodpecker.hpp"
#include "support/bits_hash.hpp"
#include "support/test.hpp"

namespace {

std::vector<std::string> lines_of(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

std::vector<std::string> cells_of(const std::string& line) {
  std::istringstream stream(line);
  std::vector<std::string> cells;
  for (std::string cell; std::getline(stream, cell, ',');) cells.push_back(cell);
  return cells;
}

Real parse(const std::string& cell) {
  Real x = std::numeric_limits<Real>::quiet_NaN();
  std::from_chars(cell.data(), cell.data() + cell.size(), x);
  return x;
}

using Model = models::Woodpecker<Real>;

moreau::Stepper<Model> toy() {
  const Model model;
  moreau::State<Model> start;
  start.q = model.start().q;
  start.u = model.start().u;
  return moreau::Stepper<Model>(model, start);
}

// both tests can run at once
const char* const path = sizeof(Real) == 4 ? "unit_csv_float.csv" : "unit_csv_double.csv";

}  // namespace

void test_header_and_rows(void) {
  {
    moreau::workstation::Csv file(path, {"t", "z", "v"});
    file.row(Real(0.5), 3, Real(-0.25));
  }
  const auto lines = lines_of(path);
  CHECK_EQUAL(2u, lines.size());
  CHECK_EQUAL("t,z,v", lines[0]);
  CHECK_EQUAL("0.5,3,-0.25", lines[1]);
}

void test_numbers_are_read_back_bit_identically(void) {
  constexpr int count = 5000;
  {
    moreau::workstation::Csv file(path, {"x"});
    test::Random random(41);
    for (int i = 0; i < count; ++i) file.row(random.any_finite<Real>());
    CHECK(file.good());
  }
  const auto lines = lines_of(path);
  CHECK_EQUAL(std::size_t(count + 1), lines.size());
  test::Random random(41);
  for (int i = 0; i < count; ++i) {
    const Real expected = random.any_finite<Real>();
    const Real actual = parse(lines[std::size_t(i + 1)]);
    CHECK(std::memcmp(&expected, &actual, sizeof(Real)) == 0);
  }
}

void test_unwritable_path_is_reported(void) {
  moreau::workstation::Csv file("no/such/folder/x.csv", {"t"});
  file.row(1);
  CHECK(!file.good());
}

void test_state_log_names_every_column_and_is_bit_identical(void) {
  std::vector<Real> times, angles;
  {
    auto stepper = toy();
    moreau::workstation::StateLog<Model> table(path);
    CHECK(moreau::run(stepper, Real(1e-4), 300, [&](const auto& state, const auto& report) {
            table(state, report);
            times.push_back(state.time());
            angles.push_back(state.q(2));
          }).advanced());
    CHECK(table.good());
  }
  const auto lines = lines_of(path);
  CHECK_EQUAL(
      "t [s],q_0,q_1,q_2,u_0,u_1,u_2,P_N_0 [N s],P_N_1 [N s],P_N_2 [N s],P_T_0 [N s],P_T_1 [N s],P_T_2 [N s],"
      "residual [m/s]",
      lines[0]);
  CHECK_EQUAL(301u, lines.size());
  for (std::size_t i = 0; i < times.size(); ++i) {
    const auto cells = cells_of(lines[i + 1]);
    CHECK_EQUAL(14u, cells.size());
    CHECK_EQUAL(times[i], parse(cells[0]));
    CHECK_EQUAL(angles[i], parse(cells[3]));
  }
}

void test_coordinates_can_be_named(void) {
  { moreau::workstation::StateLog<Model> table(path, {"y [m]", "phi_M [rad]", "phi_S [rad]"}); }
  const std::string named = "t [s],y [m],phi_M [rad],phi_S [rad],u_y [m/s],u_phi_M [rad/s],u_phi_S [rad/s],P_N_0 [N s]";
  CHECK_EQUAL(named, lines_of(path)[0].substr(0, named.size()));
}

void test_wrong_number_of_names_is_rejected(void) {
  bool rejected = false;
  try {
    moreau::workstation::StateLog<Model> table(path, {"y [m]", "phi_M [rad]"});
  } catch (const std::invalid_argument&) { rejected = true; }
  CHECK(rejected);
}

void test_names_with_separators_are_quoted(void) {
  {
    moreau::workstation::Csv file(path, {"a,b", "say \"x\" [m]"});
    file.row(1, 2);
  }
  CHECK_EQUAL("\"a,b\",\"say \"\"x\"\" [m]\"", lines_of(path)[0]);
}

TEST_MAIN({
  TEST(test_header_and_rows);
  TEST(test_numbers_are_read_back_bit_identically);
  TEST(test_unwritable_path_is_reported);
  TEST(test_state_log_names_every_column_and_is_bit_identical);
  TEST(test_coordinates_can_be_named);
  TEST(test_wrong_number_of_names_is_rejected);
  TEST(test_names_with_separators_are_quoted);
})
