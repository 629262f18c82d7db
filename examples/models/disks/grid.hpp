// Neighbour search among disks of similar size. Square cells have the width of the largest diameter, so two disks in
// contact are in the same or in adjacent cells. A counting sort in two passes fills the cells; its cost is proportional
// to the number of disks.
#pragma once
#include <array>
#include <cstddef>

namespace disks {

template <int cell_capacity, int disk_capacity>
class Grid {
 public:
  // Assigns the points (x(i), y(i)), i < count, to cells of the given width. Returns false if the covered area needs
  // more cells than the capacity.
  template <class X, class Y, class Real>
  bool fill(int count, X x, Y y, Real width) {
    Real left = x(0), right = left, low = y(0), high = low;
    for (int i = 1; i < count; ++i) {
      if (x(i) < left) left = x(i);
      if (x(i) > right) right = x(i);
      if (y(i) < low) low = y(i);
      if (y(i) > high) high = y(i);
    }
    // Compare as Real first: a very large coordinate would overflow an int.
    const Real wide = (right - left) / width, tall = (high - low) / width;
    if (!(wide < Real(cell_capacity)) || !(tall < Real(cell_capacity))) return false;
    columns_ = int(wide) + 1;
    rows_ = int(tall) + 1;
    if (std::size_t(columns_) * std::size_t(rows_) > std::size_t(cell_capacity)) return false;

    const int cells = columns_ * rows_;
    for (int c = 0; c <= cells; ++c) start_[at(c)] = 0;
    for (int i = 0; i < count; ++i) {
      cell_[at(i)] = int((y(i) - low) / width) * columns_ + int((x(i) - left) / width);
      ++start_[at(cell_[at(i)])];
    }
    for (int c = 1; c <= cells; ++c) start_[at(c)] += start_[at(c - 1)];  // end of the range of each cell
    for (int i = count - 1; i >= 0; --i) sorted_[at(--start_[at(cell_[at(i)])])] = i;
    return true;
  }

  // Calls visit(j) for every disk j > i in the cell of i and the eight around it.
  template <class Visit>
  void later_neighbours(int i, Visit visit) const {
    const int column = cell_[at(i)] % columns_, row = cell_[at(i)] / columns_;
    for (int r = row - 1; r <= row + 1; ++r)
      for (int c = column - 1; c <= column + 1; ++c) {
        if (r < 0 || r >= rows_ || c < 0 || c >= columns_) continue;
        const int cell = r * columns_ + c;
        for (int k = start_[at(cell)]; k < start_[at(cell + 1)]; ++k)
          if (sorted_[at(k)] > i) visit(sorted_[at(k)]);
      }
  }

 private:
  static std::size_t at(int i) { return std::size_t(i); }

  int columns_ = 0, rows_ = 0;
  std::array<int, std::size_t(cell_capacity) + 1> start_{};  // start of the range of each cell in sorted_
  std::array<int, std::size_t(disk_capacity)> cell_{}, sorted_{};
};

}  // namespace disks
