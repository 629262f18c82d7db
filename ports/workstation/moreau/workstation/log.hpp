// Table in the format of its file name: .csv (csv.hpp), .mat (mat_table.hpp) or .mcap (mcap_table.hpp). Any other ending
// is an error.
//
//   moreau::workstation::Log file{path, {"t [s]", "z [m]", "v [m/s]"}};
//   file.row(t, z, v);
//   if (!file.close()) ... file.what()
#pragma once
#include <initializer_list>
#include <string>
#include <string_view>
#include <variant>

#include "moreau/workstation/csv.hpp"
#include "moreau/workstation/mat_table.hpp"
#include "moreau/workstation/mcap_table.hpp"

namespace moreau::workstation {

class Log {
 public:
  template <class Names = std::initializer_list<std::string_view>>
  Log(const std::string& path, const Names& names) {
    const auto ends_in = [&path](std::string_view end) {
      return path.size() >= end.size() && path.compare(path.size() - end.size(), end.size(), end) == 0;
    };
    if (ends_in(".csv")) {
      file_.template emplace<Csv>(path, names);
    } else if (ends_in(".mat")) {
      file_.template emplace<MatTable>(path, names);
    } else if (ends_in(".mcap")) {
      file_.template emplace<McapTable>(path, names);
    } else {
      file_.template emplace<Refused>(Refused{path + ": the name of a log must end in .csv, .mat or .mcap"});
    }
  }

  template <class... Values>
  void row(const Values&... values) {
    std::visit([&](auto& file) { file.row(values...); }, file_);
  }
  void flush() {
    std::visit([](auto& file) { file.flush(); }, file_);
  }
  bool good() const {
    return std::visit([](const auto& file) { return file.good(); }, file_);
  }
  std::string what() const {
    return std::visit([](const auto& file) { return std::string(file.what()); }, file_);
  }
  [[nodiscard]] bool close() {
    return std::visit([](auto& file) { return file.close(); }, file_);
  }

 private:
  struct Refused {
    std::string why;
    template <class... Values>
    void row(const Values&...) {}
    void flush() {}
    bool good() const { return false; }
    const std::string& what() const { return why; }
    bool close() { return false; }
  };
  std::variant<Refused, Csv, MatTable, McapTable> file_;
};

}  // namespace moreau::workstation
