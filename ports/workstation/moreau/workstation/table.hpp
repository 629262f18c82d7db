// Table read from a CSV file: named columns of numbers.
//
//   const moreau::workstation::Table run{"crank.csv"};
//   if (!run.good()) ... run.what()            // crank.csv: line 17: 'x' is not a number
//   run["phi"], run["phi [rad]"]               // the column, by symbol or full name
//   run.unit("phi")                            // "rad"
//
// Lines may end in LF or CRLF, the last one in neither. A byte order mark and quotes around cells are removed. A
// missing column throws an exception with its name.
#pragma once
#include <charconv>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "moreau/workstation/columns.hpp"

namespace moreau::workstation {

class Table {
 public:
  explicit Table(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) what_ = path + " cannot be opened";
    std::string line;
    for (int number = 1; what_.empty() && std::getline(file, line); ++number) {
      if (number == 1 && line.compare(0, 3, "\xEF\xBB\xBF") == 0) line.erase(0, 3);
      if (!line.empty() && line.back() == '\r') line.pop_back();
      const std::string why = number == 1 ? header(line) : row(line);
      if (!why.empty()) what_ = path + ": line " + std::to_string(number) + ": " + why;
    }
    if (what_.empty() && names_.empty()) what_ = path + " is empty";
  }

  bool good() const { return what_.empty(); }
  const std::string& what() const { return what_; }

  const std::vector<std::string>& names() const { return names_; }  // with their units
  std::size_t rows() const { return columns_.empty() ? 0 : columns_[0].size(); }
  const std::vector<double>& operator[](const std::string& name) const { return columns_[at(name)]; }
  std::string unit(const std::string& name) const {
    const std::string& all = names_[at(name)];
    const std::size_t begin = unit_at(all);
    return begin == all.size() ? "" : all.substr(begin + 2, all.size() - begin - 3);
  }

 private:
  std::size_t at(const std::string& name) const {
    for (std::size_t i = 0; i < names_.size(); ++i)
      if (names_[i] == name || names_[i].substr(0, unit_at(names_[i])) == name) return i;
    throw std::out_of_range("no column " + name);
  }

  std::string header(const std::string& line) {
    names_ = cells(line);
    columns_.resize(names_.size());
    return "";
  }
  std::string row(const std::string& line) {
    if (line.empty()) return "";
    const auto texts = cells(line);
    if (texts.size() != names_.size())
      return std::to_string(texts.size()) + " numbers for " + std::to_string(names_.size()) + " columns";
    for (std::size_t i = 0; i < texts.size(); ++i) {
      double value = 0;
      const char* const end = texts[i].data() + texts[i].size();
      if (const auto [stop, error] = std::from_chars(texts[i].data(), end, value); stop != end || error != std::errc())
        return "'" + texts[i] + "' is not a number";
      columns_[i].push_back(value);
    }
    return "";
  }
  // Splits a line at commas; inside quotes a comma is text, and two quotes are one.
  static std::vector<std::string> cells(std::string_view line) {
    std::vector<std::string> all(1);
    bool quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
      if (line[i] == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"') {
        all.back() += line[i++];
      } else if (line[i] == '"') {
        quoted = !quoted;
      } else if (line[i] == ',' && !quoted) {
        all.emplace_back();
      } else {
        all.back() += line[i];
      }
    }
    return all;
  }

  std::string what_;
  std::vector<std::string> names_;
  std::vector<std::vector<double>> columns_;
};

}  // namespace moreau::workstation
