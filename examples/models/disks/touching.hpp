// Closed contacts of disks: the pairs of disks, and of disks and walls, with g_N <= 0.
//
//   g_N = |x_a - x_b| - r_a - r_b               disks a and b
//   g_N = distance of x_a from the wall - r_a   walls: left -1, right -2, floor -3; the box is open at the top
#pragma once
#include <moreau/moreau.hpp>

#include <algorithm>
#include <array>

#include "grid.hpp"

namespace disks {

// Converts an int of the library to the index of a std::array.
constexpr std::size_t at(int i) { return std::size_t(i); }

template <class Real>
struct Disk {
  std::array<Real, 3> q{}, u{};  // x, y in m, phi in rad
  Real radius{0}, m{0};          // m, kg
  Real inverse_mass(int row) const { return row < 2 ? Real(1) / m : Real(2) / (m * radius * radius); }
};

// Bodies a and b (b < 0: a wall) and the unit normal from b to a. Contacts are sorted by a.
template <class Real>
struct Contact {
  int a, b;
  Real n_x, n_y;
};

// Force directions of one contact on one body: w_N = n, w_T = (t, -r) with t = (-n_y, n_x); rows x, y, phi.
template <class Real>
struct Lever {
  std::array<Real, 3> w_N, w_T;

  Lever(const Contact<Real>& contact, int body, Real radius) {
    const Real side = body == contact.a ? Real(1) : Real(-1);
    w_N = {side * contact.n_x, side * contact.n_y, Real(0)};
    w_T = {-side * contact.n_y, side * contact.n_x, -radius};
  }
};

template <class Real, int disk_capacity, int contact_capacity>
class Touching {
 public:
  Real width{1};    // of the box, m
  Real deepest{0};  // penetration found, m
  int count = 0;    // contacts
  std::array<Contact<Real>, at(contact_capacity)> contact{};

  // Finds the contacts of n disks at the positions q = (x, y, phi). Returns false if a capacity is exceeded.
  template <class Positions, class Disks>
  bool find(int n, const Positions& q, const Disks& disk) {
    count = 0;
    deepest = Real(0);
    Real widest{0};
    for (int i = 0; i < n; ++i) widest = std::max(widest, disk[at(i)].radius);
    const auto x = [&](int i) { return q[at(i)][0]; };
    const auto y = [&](int i) { return q[at(i)][1]; };
    if (!grid_.fill(n, x, y, Real(2) * widest)) return false;
    bool room = true;
    for (int i = 0; i < n; ++i) {
      const Real r = disk[at(i)].radius;
      room = room && add(x(i) - r, {i, -1, Real(1), Real(0)}) && add(width - x(i) - r, {i, -2, Real(-1), Real(0)}) &&
             add(y(i) - r, {i, -3, Real(0), Real(1)});
      grid_.later_neighbours(i, [&](int j) {
        const Real d_x = x(i) - x(j), d_y = y(i) - y(j), reach = r + disk[at(j)].radius, square = d_x * d_x + d_y * d_y;
        if (square > reach * reach || !(square > Real(0))) return;
        const Real distance = moreau::sqrt(square);
        room = room && add(distance - reach, {i, j, d_x / distance, d_y / distance});
      });
    }
    return room;
  }

 private:
  bool add(Real g_N, const Contact<Real>& candidate) {
    if (g_N > Real(0)) return true;
    if (count >= contact_capacity) return false;
    deepest = std::max(deepest, -g_N);
    contact[at(count++)] = candidate;
    return true;
  }

  Grid<16 * disk_capacity + 1024, disk_capacity> grid_;
};

}  // namespace disks
