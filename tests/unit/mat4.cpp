// Files for MATLAB, Octave and NumPy: exact bytes of the formats, and reports of failed writes.
// tests/studies/read_back_test.sh reads them with Octave and NumPy.
#include <moreau/workstation/mat4.hpp>
#include <moreau/workstation/npy.hpp>

#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>
#include <vector>

#include "support/test.hpp"

namespace {

using moreau::workstation::Mat4;
using moreau::workstation::Npy;

const std::string mat = "unit_mat4.mat", npy = "unit_mat4.npy";

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

template <class T>
T at(const std::string& bytes, std::size_t place) {
  T value{};
  if (place + sizeof value <= bytes.size()) std::memcpy(&value, bytes.data() + place, sizeof value);
  return value;
}

bool contains(const std::string& what, const char* part) { return what.find(part) != std::string::npos; }

}  // namespace

void test_matrix_consists_of_header_name_and_columns(void) {
  const float numbers[] = {1, 2, 3, 4, 5, 6};
  Mat4 file(mat);
  file.matrix("q", 3, 2, numbers);
  CHECK(file.close());
  const std::string bytes = bytes_of(mat);
  CHECK_EQUAL(20u + 2u + sizeof numbers, bytes.size());
  CHECK_EQUAL(10, at<std::int32_t>(bytes, 0) % 1000);  // single precision
  CHECK_EQUAL(3, at<std::int32_t>(bytes, 4));
  CHECK_EQUAL(2, at<std::int32_t>(bytes, 8));
  CHECK_EQUAL(0, at<std::int32_t>(bytes, 12));
  CHECK_EQUAL(2, at<std::int32_t>(bytes, 16));
  CHECK_EQUAL(std::string("q\0", 2), bytes.substr(20, 2));
  CHECK(std::memcmp(bytes.data() + 22, numbers, sizeof numbers) == 0);
}

void test_columns_written_row_by_row(void) {
  const double numbers[] = {1, 2, 3}, others[] = {4, 5, 6};
  {
    Mat4 file(mat);
    const int a = file.reserve("a", 3), b = file.reserve("b", 3);
    file.append(a, numbers, 1);
    file.append(b, others, 2);
    file.number("c", 7.0);
    file.append(a, numbers + 1, 2);
    file.append(b, others + 2, 1);
    CHECK(file.close());
  }
  const std::string grown = bytes_of(mat);
  Mat4 file(mat);
  file.matrix("a", 3, 1, numbers);
  file.matrix("b", 3, 1, others);
  file.number("c", 7.0);
  CHECK(file.close());
  CHECK(grown == bytes_of(mat));
}

void test_incomplete_file_fails_on_close(void) {
  const double number = 1;
  Mat4 missing(mat);
  (void)missing.reserve("a", 2);
  CHECK(!missing.close());
  CHECK(contains(missing.what(), "numbers of a are missing"));
  Mat4 too_many(mat);
  const int a = too_many.reserve("a", 1);
  too_many.append(a, &number, 1);
  too_many.append(a, &number, 1);
  CHECK(!too_many.close());
  CHECK(contains(too_many.what(), "more numbers for a"));
  Npy too_few(npy, {{"a", "m"}}, 2);
  too_few.rows(&number, 1);
  CHECK(!too_few.close());
  CHECK(contains(too_few.what(), "rows are missing"));
  Npy more(npy, {{"a", "m"}}, 0);
  more.rows(&number, 1);
  CHECK(!more.close());
}

void test_names_and_sizes_invalid_in_matlab_are_rejected(void) {
  for (const char* name : {"", "1a", "a b", "_a", "a-b", "a\xc3\xbc"}) {
    Mat4 file(mat);
    file.number(name, 1.0);
    CHECK(!file.close());
    CHECK(contains(file.what(), "not a valid MATLAB name"));
  }
  Mat4 length(mat);
  length.number(std::string(63, 'a'), 1.0);
  CHECK(length.good());
  length.number(std::string(64, 'b'), 1.0);
  CHECK(!length.close());
  Mat4 twice(mat);
  twice.number("a", 1.0);
  twice.text("a", "b");
  CHECK(!twice.close());
  CHECK(contains(twice.what(), "duplicate variable a"));
  Mat4 large(mat);
  (void)large.reserve("a", std::int64_t{1} << 31);
  CHECK(!large.close());
  CHECK(contains(large.what(), "more numbers than"));
}

void test_write_errors_of_the_system_are_reported(void) {
  const std::vector<double> numbers(100000, 1.0);
  Mat4 full("/dev/full");
  full.column("a", numbers);
  CHECK(!full.close());
  CHECK(contains(full.what(), "/dev/full: cannot be written"));
  Npy small("/dev/full", {{"a", "m"}}, 1);  // fits the buffer: only the close detects the error
  small.rows(numbers.data(), 1);
  CHECK(!small.close());
  Mat4 nowhere("no/such/folder/a.mat");
  nowhere.number("a", 1.0);
  CHECK(!nowhere.close());
  CHECK(contains(nowhere.what(), "cannot be opened"));
}

void test_table_starts_at_a_multiple_of_64_bytes(void) {
  for (std::size_t length = 1; length < 70; ++length) {
    const double numbers[] = {1, 2};
    Npy file(npy, {{std::string(length, 'a'), "m"}, {"it's", "\\"}}, 1);
    file.rows(numbers, 1);
    CHECK(file.close());
    const std::string bytes = bytes_of(npy);
    const std::size_t begin = 10u + at<unsigned char>(bytes, 8) + 256u * at<unsigned char>(bytes, 9);
    CHECK_EQUAL(0u, begin % 64);
    CHECK_EQUAL('\n', bytes[begin - 1]);
    CHECK_EQUAL(begin + sizeof numbers, bytes.size());
  }
}

TEST_MAIN({
  TEST(test_matrix_consists_of_header_name_and_columns);
  TEST(test_columns_written_row_by_row);
  TEST(test_incomplete_file_fails_on_close);
  TEST(test_names_and_sizes_invalid_in_matlab_are_rejected);
  TEST(test_write_errors_of_the_system_are_reported);
  TEST(test_table_starts_at_a_multiple_of_64_bytes);
})
