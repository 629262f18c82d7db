// Table for NumPy with names and units of the columns: a structured array of doubles, .npy version 1.0.
//
//   moreau::workstation::Npy file{"runs.npy", {{"mu", "1"}, {"y", "m"}}, rows};
//   file.rows(numbers, count);                // row by row, may be repeated
//   if (!file.close()) ... file.what()
//
//   a = numpy.load("runs.npy"); a["mu"]       a.dtype.fields["mu"][2] is 'mu [1]'
//
// The number of rows is fixed at the start: close() fails if rows are missing or too many.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "moreau/workstation/output_file.hpp"

namespace moreau::workstation {

// Symbol and unit of a column.
struct Column {
  std::string name, unit;
};

class Npy {
 public:
  Npy(const std::string& path, const std::vector<Column>& columns, std::int64_t rows)
      : file_(path), width_(columns.size()), missing_(rows) {
    const std::string header = header_of(columns, rows);
    const std::uint16_t size = std::uint16_t(header.size());
    if (header.size() > 0xffff) file_.refuse("the names of the columns are too long");
    const unsigned char begin[] = {
        0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, (unsigned char)(size & 0xff), (unsigned char)(size >> 8)};
    file_.write(begin, sizeof begin);
    file_.write(header.data(), header.size());
  }

  void rows(const double* numbers, std::int64_t count) {
    file_.write(numbers, sizeof(double) * width_ * std::size_t(count));
    missing_ -= count;
  }

  bool good() const { return file_.good(); }
  const std::string& what() const { return file_.what(); }
  [[nodiscard]] bool close() {
    if (missing_ != 0) file_.refuse(missing_ > 0 ? "rows are missing" : "more rows than declared");
    return file_.close();
  }

 private:
  static std::string quoted(const std::string& text) {
    std::string all = "'";
    for (const char c : text) {
      if (c == '\'' || c == '\\') all += '\\';
      all += c;
    }
    return all + "'";
  }
  // Returns a Python dictionary, padded so that the numbers begin at a multiple of 64 bytes.
  static std::string header_of(const std::vector<Column>& columns, std::int64_t rows) {
    const std::uint16_t one = 1;
    const bool big_endian = reinterpret_cast<const unsigned char&>(one) == 0;
    std::string text = "{'descr': [";
    for (const auto& c : columns)
      text += "((" + quoted(c.name + " [" + c.unit + "]") + ", " + quoted(c.name) + "), '" +
              (big_endian ? ">f8" : "<f8") + "'), ";
    text += "], 'fortran_order': False, 'shape': (" + std::to_string(rows) + ",), }";
    text.append(63 - (10 + text.size()) % 64, ' ');
    return text + '\n';
  }

  OutputFile file_;
  std::size_t width_;
  std::int64_t missing_;
};

}  // namespace moreau::workstation
