// Named numbers and texts for MATLAB, Octave and SciPy: MAT-file level 4 in native byte order.
//
//   moreau::workstation::Mat4 file{"run.mat"};
//   file.column("t", times);                  // anything with data() and size(): one column
//   file.matrix("q", 3, 1000, q.data());      // rows, columns, numbers column by column
//   file.text("model", "slider-crank");
//   if (!file.close()) ... file.what()
//
// A variable consists of a header of five 32-bit integers (type, rows, columns, imaginary part: 0, length of the name
// with its zero), the name, and the numbers. type = 1000 (big endian) + 10 precision + 1 (text).
//
// Names follow MATLAB: a letter, then letters, digits and underscores, at most 63, each used once. After an error in a
// name, a size or the disk, what() returns a sentence, close() returns false, and the file is invalid.
#pragma once
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "moreau/workstation/output_file.hpp"

namespace moreau::workstation {

class Mat4 {
 public:
  static constexpr std::int64_t most_numbers = 100'000'000;  // per variable: MATLAB's limit at this level

  explicit Mat4(const std::string& path) : file_(path) {}

  template <class Number>
  void matrix(const std::string& name, std::int64_t rows, std::int64_t columns, const Number* numbers) {
    if (begin(name, precision<Number>(), rows, columns, sizeof(Number)))
      file_.write(numbers, sizeof(Number) * std::size_t(rows * columns));
  }
  template <class Numbers>
  void column(const std::string& name, const Numbers& numbers) {
    matrix(name, std::int64_t(numbers.size()), 1, numbers.data());
  }
  template <class Number, class = std::enable_if_t<std::is_arithmetic_v<Number>>>
  void number(const std::string& name, Number value) {
    matrix(name, 1, 1, &value);
  }

  void text(const std::string& name, std::string_view line) { text(name, std::vector<std::string>{std::string(line)}); }
  // Writes one row per line, padded with blanks: cellstr(name) returns the lines.
  void text(const std::string& name, const std::vector<std::string>& lines) {
    std::size_t width = 0;
    for (const auto& line : lines) width = std::max(width, line.size());
    std::vector<double> letters(lines.size() * width, ' ');  // level 4 stores letters as numbers
    for (std::size_t row = 0; row < lines.size(); ++row)
      for (std::size_t i = 0; i < lines[row].size(); ++i)
        letters[i * lines.size() + row] = static_cast<unsigned char>(lines[row][i]);
    if (begin(name, precision<double>() + 1, std::int64_t(lines.size()), std::int64_t(width), sizeof(double)))
      file_.write(letters.data(), sizeof(double) * letters.size());
  }

  // Reserves a column for the given number of rows, to fill columns side by side; close() fails if numbers are missing.
  int reserve(const std::string& name, std::int64_t rows) {
    const bool begun = begin(name, precision<double>(), rows, 1, sizeof(double));
    reserved_.push_back({name, begun ? end_ - rows * std::int64_t(sizeof(double)) : 0, begun ? rows : 0});
    return int(reserved_.size()) - 1;
  }
  void append(int reserved, const double* numbers, std::int64_t count) {
    Reserved& column = reserved_[std::size_t(reserved)];
    if (count < 0 || count > column.missing)
      return file_.refuse("more numbers for " + column.name + " than it has rows");
    file_.seek(column.next);
    file_.write(numbers, sizeof(double) * std::size_t(count));
    column.next += count * std::int64_t(sizeof(double));
    column.missing -= count;
  }

  bool good() const { return file_.good(); }
  const std::string& what() const { return file_.what(); }
  [[nodiscard]] bool close() {
    for (const auto& column : reserved_)
      if (column.missing != 0) file_.refuse("numbers of " + column.name + " are missing");
    return file_.close();
  }

 private:
  struct Reserved {
    std::string name;
    std::int64_t next, missing;  // position of its next number, numbers still missing
  };

  // Returns the digits of the type that encode the number format.
  template <class Number>
  static constexpr int precision() {
    constexpr bool is_signed = std::is_signed_v<Number>;
    if constexpr (std::is_same_v<Number, double>) return 0;
    if constexpr (std::is_same_v<Number, float>) return 10;
    if constexpr (std::is_integral_v<Number> && is_signed && sizeof(Number) == 4) return 20;
    if constexpr (std::is_integral_v<Number> && is_signed && sizeof(Number) == 2) return 30;
    if constexpr (std::is_integral_v<Number> && !is_signed && sizeof(Number) == 2) return 40;
    if constexpr (std::is_integral_v<Number> && !is_signed && sizeof(Number) == 1) return 50;
    static_assert(std::is_floating_point_v<Number> ||
                      (is_signed ? sizeof(Number) == 4 || sizeof(Number) == 2 : sizeof(Number) <= 2),
                  "MAT level 4 holds double, float, int32, int16, uint16 and uint8");
  }

  // Writes the header; returns false if no data may follow.
  bool begin(const std::string& name, int type, std::int64_t rows, std::int64_t columns, std::size_t size) {
    if (!legal(name)) file_.refuse("'" + name + "' is not a valid MATLAB name");
    if (std::find(names_.begin(), names_.end(), name) != names_.end()) file_.refuse("duplicate variable " + name);
    if (rows < 0 || columns < 0) file_.refuse(name + " has a negative size");
    if (columns > 0 && rows > most_numbers / columns) file_.refuse(name + " has more numbers than MAT level 4 holds");
    if (!good()) return false;
    names_.push_back(name);
    const std::uint16_t one = 1;
    const bool big_endian = reinterpret_cast<const unsigned char&>(one) == 0;
    const std::int32_t header[] = {(big_endian ? 1000 : 0) + type, std::int32_t(rows), std::int32_t(columns), 0,
                                   std::int32_t(name.size() + 1)};
    file_.seek(end_);
    file_.write(header, sizeof header);
    file_.write(name.c_str(), name.size() + 1);
    end_ += std::int64_t(sizeof header + name.size() + 1) + rows * columns * std::int64_t(size);
    return good();
  }

  static bool legal(const std::string& name) {
    const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    const auto other = [&](char c) { return letter(c) || (c >= '0' && c <= '9') || c == '_'; };
    return !name.empty() && name.size() <= 63 && letter(name[0]) && std::all_of(name.begin(), name.end(), other);
  }

  OutputFile file_;
  std::vector<std::string> names_;
  std::vector<Reserved> reserved_;
  std::int64_t end_ = 0;  // position of the next variable
};

}  // namespace moreau::workstation
