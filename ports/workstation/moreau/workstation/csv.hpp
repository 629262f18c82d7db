// CSV table with one header row of symbols and units. Numbers are the shortest decimals that read back to the same
// bits.
//
//   moreau::workstation::Csv file{"ball.csv", {"t [s]", "z [m]", "v [m/s]"}};
//   file.row(t, z, v);
//   if (!file.close()) ... file.what()
//
// After an error (unwritable file, duplicate column name, wrong number of values in a row) what() returns a sentence,
// further rows are dropped, and close() returns false.
#pragma once
#include <charconv>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "moreau/workstation/columns.hpp"
#include "moreau/workstation/output_file.hpp"

namespace moreau::workstation {

class Csv {
 public:
  template <class Names = std::initializer_list<std::string_view>>
  Csv(const std::string& path, const Names& names) : file_(path) {
    std::vector<std::string> columns;
    for (const auto& name : names) {
      for (const auto& other : columns)
        if (other == name) file_.refuse("duplicate column " + other);
      columns.emplace_back(name);
      cell(quoted(name));
    }
    columns_ = cells_;
    end_row();
  }

  template <class... Values>
  void row(const Values&... values) {
    const auto put = [this](auto number) {
      char text[40];
      const auto end = std::to_chars(text, text + sizeof text, number).ptr;
      cell({text, std::size_t(end - text)});
    };
    (each_number(put, values), ...);
    end_row();
  }

  // Flushes to the file system: written rows survive any end of the program.
  void flush() { file_.flush(); }

  bool good() const { return file_.good(); }
  const std::string& what() const { return file_.what(); }
  [[nodiscard]] bool close() { return file_.close(); }

 private:
  // Quotes a name that contains a comma, a quote or a line end, as in RFC 4180.
  static std::string quoted(std::string_view name) {
    if (name.find_first_of(",\"\r\n") == name.npos) return std::string(name);
    std::string text = "\"";
    for (const char c : name) text += c == '"' ? "\"\"" : std::string(1, c);
    return text + '"';
  }
  void cell(std::string_view text) {
    if (cells_++ > 0) line_ += ',';
    line_ += text;
  }
  void end_row() {
    if (cells_ != columns_)
      file_.refuse("a row of " + std::to_string(cells_) + " numbers for " + std::to_string(columns_) + " columns");
    line_ += '\n';
    file_.write(line_.data(), line_.size());
    line_.clear();
    cells_ = 0;
  }

  OutputFile file_;
  std::string line_;
  int cells_ = 0, columns_ = 0;
};

}  // namespace moreau::workstation
