// Position error of the ideal joints in a step: the distance by which the projection displaces the bodies without a
// velocity. The error detects a linkage driven beyond its reach, a drive law that jumps, and an open initial state,
// although every step returns `ok`.
//
//   error      max(|g(q*)|, |g(q_E)|),   q* = q_A + dt/2 (u_A + u_E)               before and after the projection
//   motion     dt max(|u_A|_w, |u_E|_w, |zeta(t_A)|, |zeta(t_E)|) + 1000 epsilon sum_d |w_d| Q_d
//              |u|_w = sqrt(sum_d w_d^2 / M_dd) sqrt(sum_d M_dd u_d^2) >= |w^T u|
//
// |u|_w is the largest velocity along the joint direction w that the speeds of the bodies of the joint can cause. M_dd
// makes metres and radians comparable. The last term is the rounding error of g, as in check_start; Q_d is the largest
// coordinate, in a mechanism from parts the largest position or the largest angle.
//
// A joint is open if error > 2 motion: the projection then displaces the bodies further than any velocity of the step
// does. A joint whose direction turns by an angle of a rad has an error of at most a / 2 times the motion. A drive law
// whose speed changes by a jump within a step has an error of at most 1 times the motion. The measure changes no
// result. It is a function of the model and two states, and a step does not compute it.
#pragma once

#include <limits>

#include "moreau/math/kernels.hpp"
#include "moreau/math/sqrt.hpp"
#include "moreau/model/evaluation.hpp"
#include "moreau/model/state.hpp"
#include "moreau/model/time.hpp"

namespace moreau {
namespace detail {

// Position error of an ideal joint: the largest one, relative to the motion, of one step. Of several steps: the one of
// the first step with an open joint, or else the largest one.
template <class Real>
struct JointError {
  Real error = Real(0);   // m or rad, as g of the row; NaN if two states do not enclose exactly one step
  Real motion = Real(0);  // m or rad, the largest motion of both bodies along the joint direction in this step
  int row = -1;           // row of the ideal joints; -1 without ideal joints
  Real t = Real(0);       // s, time at the end of the step

  // Largest relative error of a closed joint.
  static constexpr Real limit = Real(2);

  // Returns true if the joint does not close.
  constexpr bool open() const { return !(error <= limit * motion); }
  // Returns error / motion.
  constexpr Real relative() const { return error == Real(0) ? error : error / motion; }
  // Returns true if the relative error of the other one is larger or NaN.
  constexpr bool is_below(const JointError& other) const {
    return other.row >= 0 && (row < 0 || !(other.relative() <= relative()));
  }
  // Adds another step. An open joint is kept, because the steps after it are meaningless.
  constexpr void add(const JointError& other) {
    if (!open() && is_below(other)) *this = other;
  }
};

template <class Model>
using bodies_of_list = Bool<(Model::List::bodies > 0)>;

// Returns the largest velocity along the joint direction w that the speeds u of the bodies of the joint can cause.
template <class Model, class Q, class M>
auto largest_speed(const Q& w, const M& mass, const Q& u) {
  using Real = typename Traits<Model>::Real;
  Real response = Real(0), energy = Real(0);
  for (int d = 0; d < Traits<Model>::dof; ++d) {
    bool joined = true;
    if constexpr (detected<bodies_of_list, Model>) {
      const int x = d - d % 3;  // first coordinate of the body
      joined = w.coeff(x) != Real(0) || w.coeff(x + 1) != Real(0) || w.coeff(x + 2) != Real(0);
    }
    if (!joined) continue;
    response += w.coeff(d) * (w.coeff(d) / mass.coeff(d, d));
    energy += mass.coeff(d, d) * (u.coeff(d) * u.coeff(d));
  }
  return sqrt(response) * sqrt(energy);
}

// Returns sum_d |w_d| Q_d.
template <class Model, class Q>
auto size_of_terms(const Q& w, const Q& q) {
  using Real = typename Traits<Model>::Real;
  constexpr int kinds = detected<bodies_of_list, Model> ? 3 : 1;
  const auto kind = [](int d) { return d % kinds == 2 ? 1 : 0; };  // 1: angle of a body
  Real largest[2] = {Real(0), Real(0)}, sum = Real(0);
  for (int d = 0; d < Traits<Model>::dof; ++d) largest[kind(d)] = larger(largest[kind(d)], absolute(q.coeff(d)));
  for (int d = 0; d < Traits<Model>::dof; ++d) sum += absolute(w.coeff(d)) * largest[kind(d)];
  return sum;
}

// Returns the largest position error of the ideal joints in the committed step from `before` to `after`.
template <class Model>
JointError<typename Traits<Model>::Real> joint_error([[maybe_unused]] const Model& model,
                                                     [[maybe_unused]] const State<Model>& before,
                                                     [[maybe_unused]] const State<Model>& after) {
  using Real = typename Traits<Model>::Real;
  JointError<Real> largest;
  if constexpr (Traits<Model>::bilaterals > 0) {
    constexpr Real roundings = Real(1000) * epsilon<Real>;  // as check_start
    const Real dt = after.clock.dt, t = after.time();
    if (!one_step(before.clock, after.clock)) return {std::numeric_limits<Real>::quiet_NaN(), Real(0), 0, t};
    const Vector<Real, Traits<Model>::dof> moved = before.q + dt / 2 * (before.u + after.u);
    const Real t_E = reduced(model, after.clock);
    const Evaluation<Model> at_A(model, before.q, reduced(model, before.clock));
    const Evaluation<Model> unprojected(model, moved, t_E), at_E(model, after.q, t_E);
    const auto M = at_A.mass();
    for (int j = 0; j < Traits<Model>::bilaterals; ++j) {
      const auto row = unprojected.bilateral(j);
      const Real speeds = larger(largest_speed<Model>(row.w, M, before.u), largest_speed<Model>(row.w, M, after.u));
      const Real prescribed = larger(absolute(at_A.bilateral(j).zeta), absolute(row.zeta));
      const Real motion = dt * larger(speeds, prescribed) + roundings * size_of_terms<Model>(row.w, moved);
      const Real error = larger(absolute(row.g), absolute(at_E.bilateral(j).g));
      const JointError<Real> of_row{error, motion, j, t};
      if (largest.is_below(of_row)) largest = of_row;
    }
  }
  return largest;
}

}  // namespace detail
}  // namespace moreau
