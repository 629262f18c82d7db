// Linear equations xi_r = 0 of one mode combination: unknowns and Gaussian elimination. A mode combination assigns a
// mode to each closed planar contact and each friction element.
//
//   open    P_N = 0,                     xi_N >= 0
//   stick   xi_N = 0, xi_T = 0,          P_N >= 0, |P_T| <= mu P_N
//   slip s  xi_N = 0, P_T = -s mu P_N,   P_N >= 0, s xi_T >= 0         (s = +1, -1)
//
// A friction element has no normal row and cannot open; its bound replaces mu P_N.
#pragma once

#include <utility>

#include "moreau/solve/solver.hpp"

namespace moreau {
namespace detail {

// Mode of a contact or friction element.
enum class Mode : std::int8_t { open, stick, slip_plus, slip_minus };
constexpr int mode_count = 4;

// Largest numbers of contacts and friction elements, in total, of the enumeration and of the prediction.
constexpr int most_enumerated = 4, most_predicted = 6;

// Largest number of unknowns of a combination.
template <class Problem>
constexpr int most_unknowns = 2 * (Problem::contacts + Problem::frictions < most_predicted
                                       ? Problem::contacts + Problem::frictions
                                       : most_predicted);

// Returns the slip direction s, 0 for open and stick.
constexpr int sign(Mode m) { return m == Mode::slip_plus ? 1 : (m == Mode::slip_minus ? -1 : 0); }

// Unknowns of a combination. Unknown j is the percussion of row[j]. The percussion of the next row is drag[j] times
// unknown j.
template <class Problem>
struct ModeUnknowns {
  using Real = typename Problem::Real;
  int count = 0, row[most_unknowns<Problem>] = {};
  Real drag[most_unknowns<Problem>] = {};

  void add(int of_row, Real dragged) {
    row[count] = of_row, drag[count] = dragged;
    ++count;
  }
  // Returns P_T / P_N of contact i; 0 if the contact does not slip or has no active friction.
  static Real drag_of(const Problem& problem, int i, Mode mode) {
    const bool acts = Problem::tangents == 1 && problem.diagonal(problem.row(i) + 1) > Real(0);
    return sign(mode) == 0 || !acts ? Real(0) : -Real(sign(mode)) * problem.mu.coeff(i);
  }
  // Returns the derivative of the velocity of row r with respect to unknown j.
  Real entry(const Problem& problem, int r, int j) const {
    const Real normal = problem.G.coeff(r, row[j]);
    return drag[j] == Real(0) ? normal : normal + drag[j] * problem.G.coeff(r, row[j] + 1);
  }
  // Sets the friction percussion of unknown j to drag[j] times its normal percussion.
  template <class Percussions>
  void drag_along(int j, Percussions& P) const {
    if (drag[j] != Real(0)) P.coeffRef(row[j] + 1) = drag[j] * P.coeff(row[j]);
  }
};

// Returns the pivot row: the largest entry of column j, at or below row j.
template <class Real, int height, int width>
MOREAU_ALWAYS_INLINE int pivot_row(const Real (&A)[height][width], int n, int j) {
  int p = j;
  for (int i = j + 1; i < n; ++i)
    if (absolute(A[i][j]) > absolute(A[p][j])) p = i;
  return p;
}

// Exchanges rows j and p from column `first` on, and eliminates column j from the rows below. Column j then contains
// the multipliers.
template <class Real, int height, int width>
MOREAU_ALWAYS_INLINE void eliminate_column(Real (&A)[height][width], int n, int columns, int j, int p, int first) {
  for (int l = first; l < columns; ++l) std::swap(A[j][l], A[p][l]);
  for (int i = j + 1; i < n; ++i) {
    const Real f = A[i][j] /= A[j][j];
    for (int l = j + 1; l < columns; ++l) A[i][l] -= f * A[j][l];
  }
}

}  // namespace detail
}  // namespace moreau
