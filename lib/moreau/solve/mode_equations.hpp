// The linear equations of one set of modes (mode_prediction.hpp), solved as well as the scalar can: velocities in twice
// the digits (twofold.hpp), so that each correction takes off what the last one has left.
//
// Contacts can be a little soft: each diagonal is larger by mode_softness. Percussions that nothing tells apart then have
// an answer, of moderate size; the corrections take the softness out of all others, but of equations that are nearly
// singular too slowly.
#pragma once

#include <utility>

#include "moreau/math/twofold.hpp"
#include "moreau/solve/mode_prediction.hpp"

namespace moreau {
namespace detail {

// In roundings of a diagonal: above what elimination leaves of a pivot that is zero, and at most a tenth of what the judge allows.
template <class Real>
constexpr Real mode_softness = Real(8) * epsilon<Real>;

template <class Problem>
class ModeEquations {
 public:
  using Real = typename Problem::Real;
  using Percussions = typename Problem::Percussions;
  explicit ModeEquations(const Problem& problem) : problem_(problem) {}

  // Set number `code` of all 4^k. P: what its modes say before anything is solved.
  void set(int code, bool soft, Percussions& P) {
    P = Percussions::Zero();
    unknowns_.count = 0;
    for (int i = 0; i < problem_.k + problem_.elements; ++i, code /= mode_count) {
      const Mode mode = static_cast<Mode>(code % mode_count);
      i < problem_.k ? set_contact(i, mode) : set_element(i - problem_.k, mode, P);
    }
    factor(soft ? mode_softness<Real> : Real(0));
  }

  // Takes the percussions off P that make its velocities zero. The first time it solves, then it corrects.
  void correct(Percussions& P) const {
    const int n = unknowns_.count;
    Real x[most_unknowns];
    for (int i = 0; i < n; ++i) {
      const int e = equation_[i];
      x[i] = velocity(unknowns_.row[e], P) * unit_[e];
      for (int j = 0; j < i; ++j) x[i] -= A_[i][j] * x[j];
    }
    for (int i = n - 1; i >= 0; --i) {
      for (int j = i + 1; j < n; ++j) x[i] -= A_[i][j] * x[j];
      x[i] /= A_[i][i];
      P.coeffRef(unknowns_.row[i]) -= x[i] * unit_[i];
      unknowns_.drag_along(i, P);
    }
  }

 private:
  void set_contact(int i, Mode mode) {
    const int n = problem_.row(i);
    if (mode == Mode::open) return;
    const bool drags = mode != Mode::stick && Problem::tangents == 1 && problem_.diagonal(n + 1) > Real(0);
    add(n, !drags ? Real(0) : (mode == Mode::slip_plus ? -problem_.mu.coeff(i) : problem_.mu.coeff(i)));
    if (mode == Mode::stick) add(n + 1, Real(0));
  }
  void set_element(int j, Mode mode, Percussions& P) {
    if constexpr (Problem::frictions > 0) {
      const int r = problem_.friction_row(j);
      const Real bound = problem_.bound.coeff(j);
      if (mode == Mode::stick) return add(r, Real(0));
      if (problem_.diagonal(r) > Real(0)) P.coeffRef(r) = mode == Mode::slip_plus ? -bound : bound;
    }
  }
  void add(int row, Real drag) {
    unit_[unknowns_.count] = Real(1) / sqrt(problem_.diagonal(row));
    unknowns_.add(row, drag);
  }

  // A = L U, rows in the order of their pivots, which are the largest of a column.
  void factor(Real softness) {
    const int n = unknowns_.count;
    for (int i = 0; i < n; ++i) {
      const int row = unknowns_.row[i];
      equation_[i] = i;
      for (int j = 0; j < n; ++j) {
        const Real soft = i == j ? softness * problem_.diagonal(row) : Real(0);
        A_[i][j] = (unknowns_.entry(problem_, row, j) + soft) * unit_[i] * unit_[j];
      }
    }
    for (int j = 0; j < n; ++j) {
      int p = j;
      for (int i = j + 1; i < n; ++i)
        if (absolute(A_[i][j]) > absolute(A_[p][j])) p = i;
      std::swap(equation_[j], equation_[p]);
      for (int l = 0; l < n; ++l) std::swap(A_[j][l], A_[p][l]);
      for (int i = j + 1; i < n; ++i) {
        const Real f = A_[i][j] /= A_[j][j];
        for (int l = j + 1; l < n; ++l) A_[i][l] -= f * A_[j][l];
      }
    }
  }

  Real velocity(int r, const Percussions& P) const {
    TwofoldSum<Real> xi(problem_.c.coeff(r));
    for (int s = 0; s < problem_.rows(); ++s) xi.add_product(problem_.G.coeff(r, s), P.coeff(s));
    return xi.value();
  }

  const Problem& problem_;
  ModeUnknowns<Problem> unknowns_;
  int equation_[most_unknowns] = {};
  Real unit_[most_unknowns] = {}, A_[most_unknowns][most_unknowns] = {};
};

}  // namespace detail
}  // namespace moreau
