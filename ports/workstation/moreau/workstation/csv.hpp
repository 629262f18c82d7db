// Tables for people and plotting tools: one header row of symbols with their units, then numbers, each with the fewest
// digits that read back to the same bits.
//
//   moreau::workstation::Csv file{"ball.csv", {"t [s]", "z [m]", "v [m/s]"}};
//   file.row(t, z, v);
//
// A file that cannot be written says so by good() == false; rows are then dropped.
#pragma once
#include <charconv>
#include <cstdio>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>

namespace moreau::workstation {

class Csv {
 public:
  template <class Symbols = std::initializer_list<std::string_view>>
  Csv(const std::string& path, const Symbols& symbols) : file_(std::fopen(path.c_str(), "w")) {
    for (const auto& symbol : symbols) cell(quoted(symbol));
    end_row();
  }

  // Numbers, and anything indexable with size(): a vector fills as many columns as it has entries.
  template <class... Values>
  void row(const Values&... values) {
    (put(values), ...);
    end_row();
  }

  // To the file system: what has been written survives the end of the program, however it ends.
  void flush() {
    if (file_) std::fflush(file_.get());
  }

  bool good() const { return file_ && !std::ferror(file_.get()); }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  template <class Value>
  void put(const Value& value) {
    if constexpr (std::is_arithmetic_v<Value>) {
      char text[40];
      const auto end = std::to_chars(text, text + sizeof text, value).ptr;
      cell({text, std::size_t(end - text)});
    } else {
      for (decltype(value.size()) i = 0; i < value.size(); ++i) put(value[i]);
    }
  }
  // A name with a comma, a quote or a line's end stands in quotes, as RFC 4180 has it.
  static std::string quoted(std::string_view name) {
    if (name.find_first_of(",\"\r\n") == name.npos) return std::string(name);
    std::string text = "\"";
    for (const char c : name) text += c == '"' ? "\"\"" : std::string(1, c);
    return text + '"';
  }
  void cell(std::string_view text) {
    if (!line_.empty()) line_ += ',';
    line_ += text;
  }
  void end_row() {
    line_ += '\n';
    if (file_) std::fwrite(line_.data(), 1, line_.size(), file_.get());
    line_.clear();
  }

  std::unique_ptr<std::FILE, Close> file_;
  std::string line_;
};

}  // namespace moreau::workstation
