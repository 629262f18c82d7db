// Table of csv.hpp as a MAT-file of level 4: one variable per column, and `columns`, the header with units.
//
//   moreau::workstation::MatTable file{"ball.mat", {"t [s]", "z [m]", "v [m/s]"}};
//   file.row(t, z, v);
//   if (!file.close()) ... file.what()      // >> load ball.mat; plot(t, z); cellstr(columns)
// A variable has the symbol of its column as name, with underscores for characters that MATLAB does not allow. Rows are
// held in memory until close() or the destructor: an interrupted run leaves no rows.
#pragma once
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "moreau/workstation/columns.hpp"
#include "moreau/workstation/mat4.hpp"

namespace moreau::workstation {

class MatTable {
 public:
  template <class Names = std::initializer_list<std::string_view>>
  MatTable(const std::string& path, const Names& names) : file_(path) {
    for (const auto& name : names) header_.emplace_back(name);
    columns_.resize(header_.size());
  }
  ~MatTable() { (void)close(); }
  MatTable(const MatTable&) = delete;
  MatTable& operator=(const MatTable&) = delete;

  template <class... Values>
  void row(const Values&... values) {
    std::size_t filled = 0;
    const auto put = [&](auto number) {
      if (filled < columns_.size()) columns_[filled].push_back(double(number));
      ++filled;
    };
    (each_number(put, values), ...);
    if (filled != columns_.size() && what_.empty())
      what_ = "a row of " + std::to_string(filled) + " numbers for " + std::to_string(columns_.size()) + " columns";
  }
  void flush() {}

  bool good() const { return what().empty(); }
  const std::string& what() const { return what_.empty() ? file_.what() : what_; }
  [[nodiscard]] bool close() {
    if (!closed_) {
      closed_ = true;
      for (std::size_t i = 0; i < columns_.size(); ++i) file_.column(variable(header_[i]), columns_[i]);
      file_.text("columns", header_);
    }
    return file_.close() && good();
  }

 private:
  static std::string variable(const std::string& name) {
    std::string symbol = name.substr(0, unit_at(name));
    for (char& c : symbol)
      if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'))) c = '_';
    return symbol;
  }

  Mat4 file_;
  std::vector<std::string> header_;
  std::vector<std::vector<double>> columns_;
  std::string what_;
  bool closed_ = false;
};

}  // namespace moreau::workstation
