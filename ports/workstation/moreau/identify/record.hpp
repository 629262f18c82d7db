// Record of a machine: rows of time, inputs and measured values, read from a CSV file with symbols and units.
//
//   t [s],torque [N m],phi [rad],a [m/s^2]
//   0,0.1,0.0015,
//   0.00025,0.1,0.0031,2.5
//
// An empty cell or NaN is a value that was not measured, for example of a slower sensor. Several files of one machine
// are read as one record: "fast.csv+slow.csv". Columns are found by their symbol; other columns are ignored. A unit
// must be that of the description, or one of `scales`. Times must increase and may be uneven. The separator is a comma,
// a semicolon or a tab. The project's own logs have this format. A file *.mat is a MAT file of level 4 (mat_file.hpp).
#pragma once
#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include "moreau/identify/description.hpp"
#include "moreau/identify/mat_file.hpp"
#include "moreau/workstation/columns.hpp"

namespace moreau::identify {

namespace detail {

struct Scale {
  const char *unit, *si;
  double factor;
};
inline constexpr Scale scales[] = {{"mm", "m", 1e-3},      {"um", "m", 1e-6},     {"ms", "s", 1e-3},
                                   {"us", "s", 1e-6},      {"mN", "N", 1e-3},     {"deg", "rad", pi<double> / 180},
                                   {"mrad", "rad", 1e-3},  {"mN m", "N m", 1e-3}, {"kN", "N", 1e3},
                                   {"g", "m/s^2", 9.80665}};

inline std::vector<std::string> cells(const std::string& line, char separator) {
  std::vector<std::string> all(1);
  for (const char c : line) {
    if (c == separator)
      all.emplace_back();
    else if (c != '"')
      all.back() += c;
  }
  for (auto& cell : all) {
    const auto first = cell.find_first_not_of(" \t"), last = cell.find_last_not_of(" \t");
    cell = first == cell.npos ? "" : cell.substr(first, last - first + 1);
  }
  return all;
}

inline File read_csv(const std::string& path) {
  const auto refuse = [&](long number, const std::string& why) {
    throw Refusal(Exit::refused, path + ": line " + std::to_string(number) + ": " + why);
  };
  std::ifstream in(path, std::ios::binary);
  if (!in) throw Refusal(Exit::disk, path + " cannot be opened");
  File file;
  char separator = ',';
  std::string line;
  for (long number = 1; std::getline(in, line); ++number) {
    if (number == 1 && line.compare(0, 3, "\xEF\xBB\xBF") == 0) line.erase(0, 3);
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (number == 1) {
      for (const char other : {'\t', ';'})
        if (line.find(other) != line.npos) separator = other;
      file.names = cells(line, separator);
      file.columns.resize(file.names.size());
      continue;
    }
    if (line.empty()) continue;
    const auto row = cells(line, separator);
    if (row.size() != file.names.size())
      refuse(number, std::to_string(row.size()) + " cells for " + std::to_string(file.names.size()) + " columns");
    for (std::size_t c = 0; c < row.size(); ++c) {
      double x = std::numeric_limits<double>::quiet_NaN();
      const char *begin = row[c].data(), *end = begin + row[c].size();
      if (!row[c].empty()) {
        const auto [stop, error] = std::from_chars(begin + (*begin == '+'), end, x);
        if (error != std::errc{} || stop != end) refuse(number, "'" + row[c] + "' is not a number");
      }
      file.columns[c].push_back(x);
    }
  }
  if (file.names.empty()) throw Refusal(Exit::refused, path + " is empty");
  return file;
}

}  // namespace detail

template <class Description>
struct Record {
  using Sample = typename Description::Sample;
  std::vector<Sample> rows;
  std::vector<std::string> notes;  // properties of the record that deserve attention

  double duration() const { return rows.empty() ? 0 : rows.back().t - rows.front().t; }
};

// Calls use(first, count) for the windows of a record after its first row; every window has at least one row.
template <class Sample, class Use>
void each_window(const std::vector<Sample>& rows, double window, Use&& use) {
  std::size_t begin = 1;
  while (begin < rows.size()) {
    const double t_end = rows[begin - 1].t + window * (1 + 1e-9);
    std::size_t end = begin + 1;
    while (end < rows.size() && rows[end].t <= t_end) ++end;
    use(&rows[begin], int(end - begin));
    begin = end;
  }
}
// Number of rows of the first window, for the reading of the start.
template <class Sample>
int first_window(const std::vector<Sample>& rows, double window) {
  int count = 1;
  while (std::size_t(count) < rows.size() && rows[std::size_t(count)].t <= rows[0].t + window * (1 + 1e-9)) ++count;
  return count;
}

namespace detail {

// Index of a column and its factor to the unit of the description; -1 if the file has no such column.
inline std::pair<int, double> column_of(const File& file, const std::string& path, const std::string& symbol,
                                        const std::string& unit, std::vector<std::string>& notes) {
  for (std::size_t i = 0; i < file.names.size(); ++i) {
    const std::string& all = file.names[i];
    const std::size_t at = workstation::unit_at(all);
    if (all.substr(0, at) != symbol) continue;
    const std::string given = at == all.size() ? "" : all.substr(at + 2, all.size() - at - 3);
    if (at == all.size() && unit != "1")
      notes.push_back(path + ": column " + symbol + " has no unit, " + unit + " is assumed");
    if (at == all.size() || given == unit) return {int(i), 1};
    for (const Scale& s : scales)
      if (given == s.unit && unit == s.si) {
        notes.push_back(path + ": column " + symbol + " is converted from " + given + " to " + unit);
        return {int(i), s.factor};
      }
    throw Refusal(Exit::refused, path + ": column " + symbol + " has the unit " + given + ", not " + unit);
  }
  return {-1, 1};
}

// Adds the rows of one file.
template <class Description>
void add_file(const Description& d, const std::string& path, Record<Description>& record, std::array<bool, 64>& found) {
  const bool mat = path.size() > 4 && path.compare(path.size() - 4, 4, ".mat") == 0;
  const File file = mat ? read_mat(path) : read_csv(path);
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  const auto [time, seconds] = column_of(file, path, "t", "s", record.notes);
  if (time < 0) throw Refusal(Exit::refused, path + " has no column t");
  std::vector<std::pair<int, double>> inputs, channels;
  for (int i = 0; i < d.inputs; ++i) {
    const auto& one = d.input_of[std::size_t(i)];
    inputs.push_back(column_of(file, path, one.name, one.unit, record.notes));
    found[std::size_t(i)] = found[std::size_t(i)] || inputs.back().first >= 0;
  }
  for (int c = 0; c < d.channels; ++c) {
    const auto& one = d.channel_of[std::size_t(c)];
    channels.push_back(column_of(file, path, one.name, one.unit, record.notes));
    auto& there = found[std::size_t(Description::most_inputs + c)];
    there = there || channels.back().first >= 0;
  }
  const auto cell = [&](const std::pair<int, double>& column, std::size_t n) {
    return column.first < 0 ? none : column.second * file.columns[std::size_t(column.first)][n];
  };
  double last = -std::numeric_limits<double>::infinity();
  for (std::size_t n = 0; n < file.columns[0].size(); ++n) {
    typename Description::Sample row;
    row.t = seconds * file.columns[std::size_t(time)][n];
    if (!(row.t > last) || !std::isfinite(row.t))
      throw Refusal(Exit::refused, path + ": the time of row " + std::to_string(n + 1) + " does not increase");
    last = row.t;
    row.input.fill(none), row.measured.fill(none);
    for (std::size_t i = 0; i < inputs.size(); ++i) row.input[i] = cell(inputs[i], n);
    for (std::size_t c = 0; c < channels.size(); ++c) row.measured[c] = cell(channels[c], n);
    record.rows.push_back(row);
  }
}

// Joins rows of equal times, and holds an input until its next value.
template <class Description>
void join(const Description& d, Record<Description>& record) {
  auto& rows = record.rows;
  std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.t < b.t; });
  std::vector<typename Description::Sample> all;
  for (const auto& row : rows) {
    if (all.empty() || row.t - all.back().t > 1e-3 * d.dt) {
      all.push_back(row);
      continue;
    }
    const auto fill = [](auto& into, const auto& from) {
      for (std::size_t i = 0; i < into.size(); ++i)
        if (!std::isfinite(into[i])) into[i] = from[i];
    };
    fill(all.back().input, row.input), fill(all.back().measured, row.measured);
  }
  for (std::size_t i = 0; i < std::size_t(d.inputs); ++i) {
    const auto first = std::find_if(all.begin(), all.end(), [&](const auto& r) { return std::isfinite(r.input[i]); });
    double held = first == all.end() ? 0 : first->input[i];
    for (auto& row : all) row.input[i] = held = std::isfinite(row.input[i]) ? row.input[i] : held;
  }
  for (auto& row : all)
    for (std::size_t i = std::size_t(d.inputs); i < row.input.size(); ++i) row.input[i] = 0;
  rows = std::move(all);
}

// Notes gaps and uneven times.
template <class Description>
void inspect_times(const Description& d, Record<Description>& record) {
  const auto& rows = record.rows;
  std::vector<double> spans;
  for (std::size_t n = 1; n < rows.size(); ++n) spans.push_back(rows[n].t - rows[n - 1].t);
  if (spans.empty()) return;
  auto sorted = spans;
  std::nth_element(sorted.begin(), sorted.begin() + long(sorted.size() / 2), sorted.end());
  const double usual = sorted[sorted.size() / 2];
  long gaps = 0, uneven = 0;
  for (const double s : spans) gaps += s > std::max(5 * usual, d.window), uneven += std::fabs(s - usual) > 0.1 * usual;
  if (gaps > 0) record.notes.push_back(std::to_string(gaps) + " gaps longer than five rows");
  if (uneven > long(spans.size()) / 100) record.notes.push_back("uneven times: " + std::to_string(uneven) + " rows");
}

}  // namespace detail

// Reads a record of one or several files, joined by '+'.
template <class Description>
Record<Description> read_record(const Description& d, const std::string& paths) {
  Record<Description> record;
  std::array<bool, 64> found{};
  for (std::size_t begin = 0; begin <= paths.size();) {
    const std::size_t end = std::min(paths.find('+', begin), paths.size());
    detail::add_file(d, paths.substr(begin, end - begin), record, found);
    begin = end + 1;
  }
  for (int i = 0; i < d.inputs; ++i)
    if (!found[std::size_t(i)])
      throw Refusal(Exit::refused, paths + " has no column " + d.input_of[std::size_t(i)].name);
  for (int c = 0; c < d.channels; ++c)
    if (!found[std::size_t(Description::most_inputs + c)])
      throw Refusal(Exit::refused, paths + " has no column " + d.channel_of[std::size_t(c)].name);
  detail::join(d, record);
  detail::inspect_times(d, record);
  auto& rows = record.rows;
  const double begin = rows.empty() ? 0 : rows[0].t + d.begins_after;
  rows.erase(rows.begin(), std::find_if(rows.begin(), rows.end(), [&](const auto& r) { return r.t >= begin; }));
  if (rows.size() < 10 || record.duration() < 5 * d.window)
    throw Refusal(Exit::refused, paths + " is too short: at least 10 rows and five windows are necessary");
  return record;
}

}  // namespace moreau::identify
