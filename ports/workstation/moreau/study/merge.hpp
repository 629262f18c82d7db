// All runs of a study as one table: for NumPy, for MATLAB and Octave, and as text.
#pragma once
#include <algorithm>
#include <string>
#include <vector>

#include "moreau/study/folder.hpp"
#include "moreau/study/program.hpp"
#include "moreau/workstation/csv.hpp"
#include "moreau/workstation/mat4.hpp"
#include "moreau/workstation/npy.hpp"

namespace moreau::study {

// Returns the missing blocks as ranges: "3, 7..9".
inline std::string missing_blocks(const Layout& layout, const Found& found) {
  std::string all;
  for (std::uint64_t b = 0; b < layout.blocks(); ++b) {
    if (found.blocks.count(b) != 0) continue;
    std::uint64_t end = b;
    while (end + 1 < layout.blocks() && found.blocks.count(end + 1) == 0) ++end;
    all += (all.empty() ? "" : ", ") + std::to_string(b) + (end > b ? ".." + std::to_string(end) : "");
    b = end;
  }
  return all;
}

// Calls take(first run, runs, rows) for every stored block in ascending order.
template <class Take>
void for_each_block(const Folder& folder, const Found& found, Take take) {
  std::vector<double> rows;
  for (const auto& [block, place] : found.blocks) {
    folder.load(found, place, rows);
    take(folder.layout().first(block), folder.layout().count(block), rows);
  }
}

// Returns the hash of all results in the order of the runs; identical on every machine.
inline std::uint64_t hash_of_results(const Folder& folder, const Found& found) {
  Hash all;
  for_each_block(folder, found, [&](std::uint64_t first, std::uint64_t count, const std::vector<double>& rows) {
    all.add(first);
    for (std::uint64_t i = 0; i < count * folder.layout().width; ++i) all.add(moreau::detail::to_bits(rows[i]));
  });
  return all.value();
}

// Returns the non-NaN values of one result in ascending order.
inline std::vector<double> sorted_result(const Folder& folder, const Found& found, std::size_t result) {
  std::vector<double> all;
  for_each_block(folder, found, [&](std::uint64_t, std::uint64_t count, const std::vector<double>& rows) {
    for (std::uint64_t k = 0; k < count; ++k)
      if (const double x = rows[k * folder.layout().width + result]; x == x) all.push_back(x);
  });
  std::sort(all.begin(), all.end());
  return all;
}

// Rows with their parameters: run, parameters, results, status.
class Table {
 public:
  explicit Table(const Description& d) : draws_(d.design()), parameters_(d.parameters.size()), results_(d.width()) {}

  std::size_t width() const { return 1 + parameters_ + results_; }

  void fill(std::uint64_t first, std::uint64_t count, const std::vector<double>& results, std::vector<double>& rows) {
    rows.resize(count * width());
    for (std::uint64_t k = 0; k < count; ++k) {
      double* row = rows.data() + k * width();
      row[0] = double(first + k);
      std::copy_n(draws_(first + k), parameters_, row + 1);
      std::copy_n(results.data() + k * results_, results_, row + 1 + parameters_);
    }
  }

 private:
  Draws draws_;
  std::size_t parameters_, results_;
};

// Writes <prefix>.npy, <prefix>.mat and, on request, <prefix>.csv. A file gets its name when it is complete.
class Merger {
 public:
  Merger(const Description& description, const Folder& folder, const Found& found)
      : description_(description), columns_(columns_of(description)), folder_(folder), found_(found) {
    for (const auto& [block, place] : found.blocks) runs_ += folder.layout().count(block);
  }

  std::int64_t runs() const { return std::int64_t(runs_); }

  void npy(const std::string& path) const {
    const Draft draft(path);
    workstation::Npy file(draft.name(), columns_, runs());
    for_each_rows([&](const std::vector<double>& rows, std::int64_t count) { file.rows(rows.data(), count); });
    draft.settle(file.close(), file.what());
  }

  // Writes one column vector per column, and the units as text.
  void mat(const std::string& path) const {
    const Draft draft(path);
    workstation::Mat4 file(draft.name());
    std::vector<int> places;
    std::vector<std::string> units;
    for (const auto& c : columns_) {
      places.push_back(file.reserve(c.name, runs()));
      units.push_back(c.name + " [" + c.unit + "]");
    }
    std::vector<double> column;
    for_each_rows([&](const std::vector<double>& rows, std::int64_t count) {
      column.resize(std::size_t(count));
      for (std::size_t c = 0; c < columns_.size(); ++c) {
        for (std::size_t k = 0; k < column.size(); ++k) column[k] = rows[k * columns_.size() + c];
        file.append(places[c], column.data(), count);
      }
    });
    file.text("units", units);
    draft.settle(file.close(), file.what());
  }

  void csv(const std::string& path) const {
    std::vector<std::string> symbols;
    for (const auto& c : columns_) symbols.push_back(c.name + " [" + c.unit + "]");
    const Draft draft(path);
    workstation::Csv file(draft.name(), symbols);
    for_each_rows([&](const std::vector<double>& rows, std::int64_t count) {
      for (std::int64_t k = 0; k < count; ++k) {
        const double* row = rows.data() + std::size_t(k) * columns_.size();
        file.row(std::basic_string_view<double>(row, columns_.size()));
      }
    });
    draft.settle(file.close(), file.what());
  }

 private:
  template <class Take>
  void for_each_rows(Take take) const {
    Table table(description_);
    std::vector<double> rows;
    for_each_block(folder_, found_, [&](std::uint64_t first, std::uint64_t count, const std::vector<double>& results) {
      table.fill(first, count, results, rows);
      take(rows, std::int64_t(count));
    });
  }

  const Description& description_;
  std::vector<Column> columns_;
  const Folder& folder_;
  const Found& found_;
  std::uint64_t runs_ = 0;
};

}  // namespace moreau::study
