// Log files and their readers: any line end, the file name selects the format, joints have columns with names, and
// failed writes are reported.
#include <moreau/workstation/joint_log.hpp>
#include <moreau/workstation/log.hpp>
#include <moreau/workstation/state_log.hpp>
#include <moreau/workstation/table.hpp>

#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>
#include <vector>

#include "models/slider_crank_parts.hpp"
#include "support/test.hpp"

namespace {

using moreau::workstation::Log;
using moreau::workstation::Table;

const std::string csv = "unit_logs.csv", mat = "unit_logs.mat", mcap = "unit_logs.mcap";

void write(const std::string& path, const std::string& bytes) { std::ofstream(path, std::ios::binary) << bytes; }
bool contains(const std::string& what, const std::string& part) { return what.find(part) != std::string::npos; }

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The double variables of a MAT-file of level 4.
std::map<std::string, std::vector<double>> variables(const std::string& path) {
  const std::string bytes = bytes_of(path);
  std::map<std::string, std::vector<double>> all;
  for (std::size_t at = 0; at + 20 <= bytes.size();) {
    std::int32_t header[5];
    std::memcpy(header, bytes.data() + at, sizeof header);
    const std::string name(bytes.data() + at + 20, std::size_t(header[4] - 1));
    std::vector<double>& numbers = all[name];
    numbers.resize(std::size_t(header[1]) * std::size_t(header[2]));
    at += 20 + std::size_t(header[4]);
    if (!numbers.empty()) std::memcpy(numbers.data(), bytes.data() + at, sizeof(double) * numbers.size());
    at += sizeof(double) * numbers.size();
  }
  return all;
}

using Parts = models::SliderCrankParts<Real>;

moreau::Stepper<moreau::Mechanism<Parts>> crank() {
  const models::SliderCrank<Real> derived;
  const auto start = derived.start_tilted();
  return moreau::Stepper{moreau::Mechanism<Parts>{}, models::from_angles(derived, start.q, start.u)};
}

}  // namespace

void test_any_line_end_is_read(void) {
  const std::string text = "t [s],\"say \"\"x, y\"\" [m]\",turns\n0,1.5,-1e-300\n0.1,nan,3\n";
  std::string crlf;
  for (const char c : text) crlf += c == '\n' ? std::string("\r\n") : std::string(1, c);
  for (const std::string& form : {text, crlf, "\xEF\xBB\xBF" + crlf, crlf.substr(0, crlf.size() - 2), crlf + "\r\n"}) {
    write(csv, form);
    const Table table(csv);
    CHECK(table.good());
    CHECK_EQUAL(3u, table.names().size());
    CHECK_EQUAL("turns", table.names()[2]);
    CHECK_EQUAL(2u, table.rows());
    CHECK(table["t"] == (std::vector<double>{0, 0.1}) && &table["t"] == &table["t [s]"]);
    CHECK(table["say \"x, y\""][0] == 1.5 && table["say \"x, y\" [m]"][1] != table["say \"x, y\" [m]"][1]);
    CHECK(table["turns"] == (std::vector<double>{-1e-300, 3}));
    CHECK_EQUAL("s", table.unit("t"));
    CHECK_EQUAL("", table.unit("turns"));
  }
}

void test_invalid_table_is_rejected_with_its_line_number(void) {
  const std::pair<std::string, const char*> bad[] = {
      {"t,x\n0,1\n1,2,3\n", "line 3: 3 numbers for 2 columns"}, {"t,x\n0,one\n", "line 2: 'one' is not a number"},
      {"t,x\n0,1 \n", "line 2: '1 ' is not a number"},          {"t,x\n0,\n", "line 2: '' is not a number"},
      {"t,x\n0;1\n", "line 2: 1 numbers for 2 columns"},        {"", "is empty"}};
  for (const auto& [bytes, why] : bad) {
    write(csv, bytes);
    const Table table(csv);
    CHECK(!table.good() && contains(table.what(), why) && contains(table.what(), csv));
  }
  CHECK(contains(Table("no/such/file.csv").what(), "no/such/file.csv cannot be opened"));
  write(csv, "t,x\n0,1\n");
  bool rejected = false;
  try {
    (void)Table(csv)["y"];
  } catch (const std::out_of_range& error) { rejected = contains(error.what(), "no column y"); }
  CHECK(rejected);
}

void test_file_name_selects_the_format(void) {
  for (const std::string& path : {csv, mat}) {
    Log log(path, {"t [s]", "x' [mm/s]"});
    log.row(Real(0.25), 3);
    log.row(Real(0.5), std::vector<Real>{Real(-1)});
    CHECK(log.close());
  }
  const Table table(csv);
  const auto variable = variables(mat);
  CHECK(table["t"] == (std::vector<double>{0.25, 0.5}) && table["t"] == variable.at("t"));
  CHECK(table["x'"] == (std::vector<double>{3, -1}) && table["x'"] == variable.at("x_"));
  CHECK_EQUAL(2u * 9u, variable.at("columns").size());  // "t [s]    ", "x' [mm/s]"
  for (const char* path : {"unit_logs.txt", "csv", ""}) {
    Log log(path, {"t"});
    log.row(1);
    CHECK(!log.good() && contains(log.what(), ".csv, .mat or .mcap") && !log.close());
  }
}

// The rows are messages of chunks; the summary refers to every chunk, and the index of a chunk to every message.
void test_mcap_file_has_an_index(void) {
  constexpr int rows = 30000;  // two chunks
  {
    Log log(mcap, {"t [s]", "crank.phi [rad]", "nan"});
    for (int n = 0; n < rows; ++n) log.row(n * 1e-3, n / 7.0, n == 5 ? std::numeric_limits<double>::quiet_NaN() : 1.0);
    CHECK(log.close());
  }
  const std::string text = bytes_of(mcap), magic("\x89MCAP0\r\n", 8);
  CHECK(text.substr(0, 8) == magic && text.substr(text.size() - 8) == magic);
  const auto number = [](const std::string& from, std::size_t at, int bytes) {
    std::uint64_t value = 0;
    for (int i = bytes; i-- > 0;) value = value << 8 | static_cast<unsigned char>(from.at(at + std::size_t(i)));
    return value;
  };
  std::map<int, int> count;
  std::string chunk;
  int message = 0;
  for (std::size_t at = 8; at < text.size() - 8;) {
    const int code = text[at];
    const std::size_t size = number(text, at + 1, 8);
    const std::string content = text.substr(at + 9, size);
    ++count[code];
    if (code == 0x06) chunk = content.substr(8 * 4 + 4 + 4);
    for (std::size_t k = 6; code == 0x07 && k < size; k += 16) {  // time and place of each message
      const std::size_t place = number(content, k + 8, 8);
      CHECK_EQUAL(0x05, int(chunk.at(place)));
      CHECK_EQUAL(std::uint64_t(message) * 1000000, number(content, k, 8));
      CHECK_EQUAL(std::uint64_t(message), number(chunk, place + 9 + 2, 4));
      const std::string object = chunk.substr(place + 9 + 22, number(chunk, place + 1, 8) - 22);
      const std::size_t phi = object.find("\"crank_phi\":");
      CHECK(std::strtod(object.c_str() + phi + 12, nullptr) == message / 7.0);
      CHECK((object.find("\"nan\":") == std::string::npos) == (message == 5));
      ++message;
    }
    if (code == 0x08) CHECK_EQUAL(0x06, int(text.at(number(content, 16, 8))));
    if (code == 0x0b) CHECK_EQUAL(std::uint64_t(rows), number(content, 0, 8));
    if (code == 0x02) CHECK_EQUAL(0x03, int(text.at(number(content, 0, 8))));  // the summary begins with the schema
    at += 9 + size;
  }
  CHECK_EQUAL(rows, message);
  CHECK(count[0x06] > 1 && count[0x07] == count[0x06] && count[0x08] == count[0x06] && count[0x02] == 1);
}

void test_failed_writes_are_reported(void) {
  for (const std::string& path : {csv, mat, mcap}) {
    Log too_few(path, {"t", "x"});
    too_few.row(1);
    CHECK(!too_few.good() && contains(too_few.what(), "a row of 1 numbers for 2 columns") && !too_few.close());
    Log too_many(path, {"t", "x"});
    too_many.row(1, 2, 3);
    CHECK(!too_many.close() && contains(too_many.what(), "a row of 3 numbers for 2 columns"));
    Log twice(path, {"x [m]", "x [m]"});
    CHECK(!twice.close() && contains(twice.what(), path == mat ? "duplicate variable x" : "duplicate column x"));
  }
  for (const char* path : {"no/such/folder/x.csv", "no/such/folder/x.mat", "no/such/folder/x.mcap"}) {
    Log nowhere(path, {"t"});
    nowhere.row(1);
    CHECK(!nowhere.close() && contains(nowhere.what(), path));
  }
  moreau::workstation::Csv full("/dev/full", {"t"});  // accepts all data; the write to the device fails
  full.row(1);
  CHECK(!full.close() && contains(full.what(), "No space left"));
}

void test_both_formats_contain_the_same_run(void) {
  const auto record = [](const std::string& path) {
    auto machine = crank();
    moreau::workstation::StateLog<moreau::Mechanism<Parts>> log(path);
    CHECK(moreau::run(machine, Real(1e-5), 400, log).advanced());
    CHECK(log.close());
  };
  record(csv);
  record(mat);
  const Table table(csv);
  const auto variable = variables(mat);
  CHECK_EQUAL(400u, table.rows());
  CHECK_EQUAL(table.names().size() + 1, variable.size());
  for (const std::string& name : table.names()) {
    const std::string symbol = name.substr(0, moreau::workstation::unit_at(name));
    const auto& numbers = variable.at(symbol);
    CHECK_EQUAL(table.rows(), numbers.size());
    for (std::size_t n = 0; n < numbers.size(); ++n) CHECK(Real(table[name][n]) == Real(numbers[n]));
  }
  CHECK_EQUAL("", table.unit("P_N_0"));  // a mechanism from parts: the gap of an angle has the percussion unit N m s
}

void test_joints_have_named_columns(void) {
  auto machine = crank();
  std::vector<moreau::JointOutput<Real>> guide, pin;
  {
    moreau::workstation::JointLog log{csv, machine.model, std::tuple{"guide", &Parts::guide},
                                      std::tuple{"pin", &Parts::crank_pin}};
    for (int n = 0; n < 400; ++n) {
      const auto before = machine.state;
      CHECK(machine.step(Real(1e-5)).advanced());
      log(machine.model, before, machine.state);
      guide.push_back(joint_output(machine.model, &Parts::guide, before, machine.state));
      pin.push_back(joint_output(machine.model, &Parts::crank_pin, before, machine.state));
    }
    CHECK(log.close());
  }
  const Table table(csv);
  CHECK_EQUAL(15u, table.names().size());
  CHECK_EQUAL(400u, table.rows());
  double closed = 0, load = 0;
  for (std::size_t n = 0; n < table.rows(); ++n) {
    CHECK(Real(table["guide_g_N [m]"][n]) == guide[n].g_N && Real(table["guide_play_used"][n]) == guide[n].play_used);
    CHECK(table["guide_closed"][n] == guide[n].closed);
    CHECK(Real(table["guide_y [N]"][n]) == guide[n].load.force.y &&
          Real(table["guide_lost [J]"][n]) == guide[n].dissipated);
    CHECK(Real(table["pin_x [N]"][n]) == pin[n].load.force.x &&
          Real(table["pin_moment [N m]"][n]) == pin[n].load.moment);
    closed += table["guide_closed"][n];
    load += std::abs(table["pin_x"][n]);
  }
  CHECK(closed > 0 && load > 0);
}

// Array of backlashes: one with lengths, one with angles.
struct Gears {
  using Real = ::Real;
  enum Names { pinion, wheel, bodies };
  moreau::Body<Real> body[bodies] = {{Real(0.2), Real(5e-5)}, {Real(2), Real(4e-3)}};
  moreau::Backlash<Real, pinion, wheel> teeth[2] = {{Real(0.02), Real(0.08), Real(1e-4), Real(0), {}},
                                                    {Real(-1), Real(1), Real(1e-3), Real(0), {}}};
  auto parts() const { return std::tie(teeth[0], teeth[1]); }
};

void test_unit_of_an_angle(void) {
  moreau::Stepper machine{moreau::Mechanism<Gears>{}, moreau::State<moreau::Mechanism<Gears>>{}};
  moreau::workstation::JointLog log{csv, machine.model, std::tuple{"gears", &Gears::teeth, 0},
                                    std::tuple{"clutch", &Gears::teeth, 1}};
  const auto before = machine.state;
  CHECK(machine.step(Real(1e-5)).advanced());
  log(machine.model, before, machine.state);
  CHECK(log.close());
  const Table table(csv);
  CHECK_EQUAL("m", table.unit("gears_g_N"));
  CHECK_EQUAL("rad", table.unit("clutch_g_N"));
  CHECK_WITHIN(1e-9, 1e-4, table["gears_g_N"][0]);
  CHECK_WITHIN(1e-9, 1e-3, table["clutch_g_N"][0]);
}

TEST_MAIN({
  TEST(test_any_line_end_is_read);
  TEST(test_invalid_table_is_rejected_with_its_line_number);
  TEST(test_file_name_selects_the_format);
  TEST(test_mcap_file_has_an_index);
  TEST(test_failed_writes_are_reported);
  TEST(test_both_formats_contain_the_same_run);
  TEST(test_joints_have_named_columns);
  TEST(test_unit_of_an_angle);
})
