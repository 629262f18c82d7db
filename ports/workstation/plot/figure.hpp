// What a figure shows: panels with curves, read from a short description. One instruction per line:
//
//   title   text
//   columns 2                      panels per row (1 unless told)
//   panel   x-label | y-label      starts a panel; `log x`, `log y`, `log xy`, `equal` may follow as a third part
//   line    file x y [| legend]    points   file x y [| legend]
//   stems   file x y [| legend]    a stem from 0 wherever y is not 0
//   bars    file x flag [| name]   a bar wherever flag is not 0, one row per instruction
//   circles file x y r [| legend]  circles of radius r, for `equal` panels
//   range   x|y low high           overrides what the data need
//   # comment
//
// A column may be written as name*factor, e.g. y*1000 for millimetres, or !name: 1 where it is 0, else 0.
#pragma once
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "axis.hpp"
#include "table.hpp"

namespace plot {

struct Curve {
  enum Kind { line, points, stems, bars, circles } kind;
  std::vector<double> x, y, r;
  std::string legend;
};

struct Panel {
  Axis x, y;
  bool equal = false;
  std::vector<Curve> curves;
};

struct Figure {
  std::string title;
  int columns = 1;
  std::vector<Panel> panels;
};

inline std::vector<std::string> parts_of(const std::string& text) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == '|') {
      parts.emplace_back();
    } else {
      parts.back().push_back(c);
    }
  }
  for (auto& part : parts) {
    const auto first = part.find_first_not_of(" \t"), last = part.find_last_not_of(" \t");
    part = first == std::string::npos ? "" : part.substr(first, last - first + 1);
  }
  return parts;
}

inline std::vector<double> scaled_column(const Table& table, const std::string& name) {
  if (!name.empty() && name[0] == '!') {
    auto values = table.column(name.substr(1));
    for (auto& value : values) value = value == 0 ? 1 : 0;
    return values;
  }
  const auto star = name.find('*');
  auto values = table.column(name.substr(0, star));
  if (star != std::string::npos)
    for (auto& value : values) value *= std::stod(name.substr(star + 1));
  return values;
}

inline Panel read_panel(const std::string& rest) {
  const auto parts = parts_of(rest);
  Panel panel;
  panel.x.label = parts.at(0);
  panel.y.label = parts.at(1);
  const std::string option = parts.size() > 2 ? parts[2] : "";
  panel.equal = option == "equal";
  panel.x.logarithmic = option == "log x" || option == "log xy";
  panel.y.logarithmic = option == "log y" || option == "log xy";
  return panel;
}

inline bool is_curve(const std::string& word) {
  return word == "line" || word == "points" || word == "stems" || word == "bars" || word == "circles";
}
inline Curve::Kind kind_of(const std::string& word) {
  return word == "line"     ? Curve::line
         : word == "points" ? Curve::points
         : word == "stems"  ? Curve::stems
         : word == "bars"   ? Curve::bars
                            : Curve::circles;
}

inline Curve read_curve(const std::string& kind, const std::string& rest, const std::string& folder) {
  const auto parts = parts_of(rest);
  std::stringstream words(parts.at(0));
  std::string file, x, y, r;
  words >> file >> x >> y >> r;
  const Table table(folder + "/" + file);
  return {kind_of(kind), scaled_column(table, x), scaled_column(table, y),
          r.empty() ? std::vector<double>{} : scaled_column(table, r), parts.size() > 1 ? parts[1] : ""};
}

// Curves are files beside each other in `folder`.
inline Figure read_figure(const std::string& path, const std::string& folder) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot open " + path);
  Figure figure;
  for (std::string line; std::getline(file, line);) {
    std::stringstream words(line);
    std::string instruction, rest;
    if (!(words >> instruction) || instruction[0] == '#') continue;
    std::getline(words, rest);
    if (instruction == "title") {
      figure.title = parts_of(rest)[0];
    } else if (instruction == "columns") {
      figure.columns = std::stoi(rest);
    } else if (instruction == "panel") {
      figure.panels.push_back(read_panel(rest));
    } else if (instruction == "range") {
      std::stringstream range(rest);
      std::string which;
      double low = 0, high = 0;
      range >> which >> low >> high;
      Axis& axis = which == "x" ? figure.panels.back().x : figure.panels.back().y;
      axis.low = low, axis.high = high, axis.fixed = true;
    } else if (is_curve(instruction)) {
      figure.panels.back().curves.push_back(read_curve(instruction, rest, folder));
    } else {
      throw std::runtime_error(path + ": unknown instruction " + instruction);
    }
  }
  return figure;
}

}  // namespace plot
