// Columns of a MAT file of level 4, as written by moreau::workstation::MatTable, Octave (`save -v4`) and MATLAB
// (`save run.mat t y -v4`). Real vectors of equal length are columns. The text `columns`, if present, contains their
// symbols and units in the order of the variables. Format: moreau/workstation/mat4.hpp.
#pragma once
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "moreau/study/block_record.hpp"

namespace moreau::identify {

using study::Exit;
using study::Refusal;

namespace detail {

// One file: names with units, and columns of numbers.
struct File {
  std::vector<std::string> names;
  std::vector<std::vector<double>> columns;
};

// Returns number i of a variable; `precision`: the digit of the type that encodes the number format.
inline double mat_number(const char* data, std::size_t i, int precision) {
  const auto as = [&](auto number) {
    std::memcpy(&number, data + i * sizeof number, sizeof number);
    return double(number);
  };
  switch (precision) {
    case 0:
      return as(double());
    case 1:
      return as(float());
    case 2:
      return as(std::int32_t());
    case 3:
      return as(std::int16_t());
    case 4:
      return as(std::uint16_t());
    default:
      return as(std::uint8_t());
  }
}

// Returns the rows of a text variable, without trailing blanks.
inline std::vector<std::string> mat_text(const char* data, std::size_t rows, std::size_t width, int precision) {
  std::vector<std::string> lines(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t i = 0; i < width; ++i) lines[row] += char(mat_number(data, i * rows + row, precision));
    lines[row].erase(lines[row].find_last_not_of(' ') + 1);
  }
  return lines;
}

inline File read_mat(const std::string& path) {
  const auto refuse = [&](const std::string& why) { throw Refusal(Exit::refused, path + ": " + why); };
  std::ifstream in(path, std::ios::binary);
  if (!in) throw Refusal(Exit::disk, path + " cannot be opened");
  const std::string all{std::istreambuf_iterator<char>(in), {}};
  if (all.compare(0, 6, "MATLAB") == 0) refuse("not a MAT file of level 4: save it with -v4");
  constexpr std::size_t bytes_of[] = {8, 4, 4, 2, 2, 1};
  File file;
  std::vector<std::string> header;
  for (std::size_t at = 0; at < all.size();) {
    std::int32_t type[5];
    if (all.size() - at < sizeof type) refuse("incomplete");
    std::memcpy(type, all.data() + at, sizeof type);
    at += sizeof type;
    const int precision = type[0] / 10;
    if (type[0] < 0 || precision > 5 || type[0] % 10 > 1) refuse("not a MAT file of level 4 with full matrices");
    if (type[1] < 0 || type[2] < 0 || type[3] != 0 || type[4] < 1) refuse("a variable is not real");
    const std::size_t rows = std::size_t(type[1]), width = std::size_t(type[2]), name = std::size_t(type[4]),
                      left = all.size() - at, count = rows * width;
    if (name > left || (width > 0 && rows > left / width) || count * bytes_of[precision] > left - name)
      refuse("incomplete");
    const std::string symbol(all.data() + at, name - 1);
    const char* data = all.data() + at + name;
    at += name + count * bytes_of[precision];
    if (type[0] % 10 == 1) {
      if (symbol == "columns") header = mat_text(data, rows, width, precision);
      continue;
    }
    if (rows != 1 && width != 1) continue;
    file.names.push_back(symbol), file.columns.emplace_back();
    for (std::size_t i = 0; i < count; ++i) file.columns.back().push_back(mat_number(data, i, precision));
    if (file.columns.back().size() != file.columns[0].size()) refuse("the vectors have different lengths");
  }
  if (file.names.empty()) refuse("no vectors");
  if (header.size() == file.names.size()) file.names = header;
  return file;
}

}  // namespace detail
}  // namespace moreau::identify
