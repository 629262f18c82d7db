// Check of contacts for jumps of the gap, and for the scale of the sliding direction.
//
//   jump    g_N changes its sign discontinuously along a line: the contact changes its surface. A body can then pass a
//           surface without an impact, and a contact at rest keeps the data of another surface.
//   scale   sqrt(G_TT / G_NN) <= 100. G_NN and G_TT are the inverse effective masses of both directions of a contact.
//           In mechanisms, their ratio is below 1e4; a w_T in mm instead of m multiplies the ratio by 1e6. Models
//           derived by hand: also sqrt(G_NN / G_TT) <= 500, for a gap and w_N in mm. G is computed from M without the
//           ideal joints. Very close to a dead centre, the ratio of a correct hand-derived model can also exceed 500.
//
// Small ratios are valid in mechanisms from parts, for example for a light body on a long lever arm.
#pragma once

#include "moreau/check/findings.hpp"
#include "moreau/math/cholesky.hpp"
#include "moreau/math/sqrt.hpp"
#include "moreau/model/evaluation.hpp"
#include "moreau/step/joint_error.hpp"

namespace moreau {
namespace detail {

// Returns the largest jump at which gap(s) changes its sign for s in 0..1; 0 without a jump. The interval is divided
// into `samples` parts of equal length, and each change of sign between their ends is located by bisection. Jumps to or
// from a non-finite gap are ignored.
template <class Real, class Gap>
Real largest_jump(int samples, const Gap& gap) {
  constexpr int halvings = sizeof(Real) == 8 ? 45 : 20;
  Real largest = Real(0), previous = gap(Real(0));
  for (int n = 1; n <= samples; ++n) {
    Real low = Real(n - 1) / Real(samples), high = Real(n) / Real(samples);
    Real at_low = previous, at_high = gap(high);
    previous = at_high;
    const bool closed = at_low <= Real(0);
    if (closed == (at_high <= Real(0))) continue;
    for (int halving = 0; halving < halvings; ++halving) {
      const Real middle = (low + high) / 2, there = gap(middle);
      if ((there <= Real(0)) == closed) {
        low = middle;
        at_low = there;
      } else {
        high = middle;
        at_high = there;
      }
    }
    const Real jump = absolute(at_high - at_low);
    if (finite_probe(jump) == Real(0)) largest = larger(largest, jump);
  }
  return largest;
}

// Upper bound of the rounding error of a difference of two gaps, for a mechanism of size `length`.
template <class Real>
constexpr Real rounding_of_gaps(Real length) {
  return Real(1000) * epsilon<Real> * length;
}

// Rounding error of gaps at q: that of a mechanism of this size, and those of coordinates far from 0.
template <class Real, class Q>
Real rounding_of_gaps(Real length, const Q& q) {
  Real largest = Real(0);
  for (int j = 0; j < int(q.size()); ++j) largest = larger(largest, absolute(q.coeff(j)));
  return rounding_of_gaps(length) + Real(8) * epsilon<Real> * largest * larger(Real(1), length);
}

// Reports jumps of the gaps at a change of sign, along each coordinate from q - scan to q + scan.
template <class Model, class Q, class Real>
void check_jumps(const Model& model, const Q& q, Real t, const CheckOptions<Real>& options, CheckReport<Real>& report) {
  constexpr int samples = 128;
  if (!(options.scan > Real(0))) return;
  for (int i = 0; i < Traits<Model>::contacts; ++i)
    for (int j = 0; j < Traits<Model>::dof; ++j) {
      const Real jump = largest_jump<Real>(samples, [&](Real s) {
        const Q there = displaced_along(model, q, j, (2 * s - 1) * options.scan);
        return Evaluation<Model>(model, there, t).gap(i);
      });
      report.add({Member::gap_jump, i, j, jump, rounding_of_gaps(options.length, q)});
    }
}

// Returns the smallest maximum norm of the columns of w; 0 without columns.
template <class Real, class Columns>
Real smallest_column(const Columns& w) {
  Real smallest = w.cols() > 0 ? std::numeric_limits<Real>::infinity() : Real(0);
  for (int k = 0; k < int(w.cols()); ++k) {
    Real largest = Real(0);
    for (int j = 0; j < int(w.rows()); ++j) largest = larger(largest, absolute(w.coeff(j, k)));
    smallest = largest < smallest ? largest : smallest;
  }
  return smallest;
}

// Compares the inverse effective masses of both directions of contact i.
template <class Model, class Real, int dof, int tangents>
void check_scale(const Evaluation<Model>& at, int i, const Directions<Real, dof, tangents>& d,
                 CheckReport<Real>& report) {
  constexpr Real most = Real(100);
  Cholesky<Real, dof> factors;
  if (!factors.factor(at.mass())) return;
  const auto inverse_mass = [&factors](const Vector<Real, dof>& w) { return dot(w, factors.solve(w)); };
  const Real G_NN = inverse_mass(d.w_N);
  Real G_TT = Real(0);
  for (int k = 0; k < tangents; ++k) G_TT = larger(G_TT, inverse_mass(d.w_T.col(k)));
  if (!(G_NN > Real(0)) || !(G_TT > Real(0))) return;
  const Real ratio = sqrt(G_TT / G_NN);
  report.add({Member::w_T_scale, i, -1, ratio, most});
  if constexpr (!detected<bodies_of_list, Model>) report.add({Member::w_T_scale, i, -1, Real(1) / ratio, 5 * most});
}

}  // namespace detail
}  // namespace moreau
