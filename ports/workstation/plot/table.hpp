// Reads a CSV file with a header row into named columns of numbers.
#pragma once
#include <charconv>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace plot {

class Table {
 public:
  explicit Table(const std::string& path) : path_(path) {
    std::ifstream file(path);
    if (!file) throw std::runtime_error("cannot open " + path);
    std::string line;
    std::getline(file, line);
    names_ = split(line);
    columns_.resize(names_.size());
    while (std::getline(file, line)) {
      const auto cells = split(line);
      for (std::size_t i = 0; i < names_.size(); ++i) columns_[i].push_back(i < cells.size() ? number(cells[i]) : 0.0);
    }
  }

  const std::vector<double>& column(const std::string& name) const {
    for (std::size_t i = 0; i < names_.size(); ++i)
      if (names_[i] == name) return columns_[i];
    throw std::runtime_error(path_ + " has no column " + name);
  }

 private:
  static std::vector<std::string> split(const std::string& line) {
    std::vector<std::string> cells;
    std::stringstream stream(line);
    for (std::string cell; std::getline(stream, cell, ',');) cells.push_back(cell);
    return cells;
  }
  static double number(const std::string& text) {
    double value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
  }

  std::string path_;
  std::vector<std::string> names_;
  std::vector<std::vector<double>> columns_;
};

}  // namespace plot
