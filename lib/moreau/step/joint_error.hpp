// Position error of the ideal joints in a step: the distance by which the projection displaces the bodies without a
// corresponding velocity. The error detects a linkage driven beyond its reach, a drive law that jumps, and an open
// initial state, although every step returns `ok`.
//
//   error      max(|g(q*)|, |g(q_E)|),   q* = q_A + dt/2 (u_A + u_E)               before and after the projection
//   motion     dt max(|u_A|_w, |u_E|_w, |zeta(t_A)|, |zeta(t_E)|) + 1000 epsilon sum_d |w_d| Q_d
//              |u|_w = sqrt(sum_d w_d^2 / M_dd) sqrt(sum_d M_dd u_d^2) >= |w^T u|
//   turn       dt omega of the faster body, if |bias_acceleration| > 0.01 |u|_w omega; in hand-derived models,
//              dt |bias_acceleration| / |u|_w; the larger one of both ends of the step
//
// |u|_w is the largest velocity along the joint direction w that the speeds of the bodies of the joint can cause. M_dd
// makes metres and radians comparable. The last term is the rounding error of g, as in check_start; Q_d is the largest
// coordinate, in a mechanism from parts the largest position or the largest angle. In a mechanism from parts, w, u, M
// and Q are those of the bodies, also in joint coordinates (mechanism/tree_measures.hpp).
//
// A joint is open if error > 2 motion: the projection then displaces the bodies further than any velocity of the step
// does. If a joint direction turns by alpha rad in a step, the error is at most alpha / 2 times the motion. A jump of
// the speed of a drive law causes an error of at most the motion.
//
// `turn` is the angle in rad by which a joint direction turns within the step. A body whose joints are all in its
// centre of mass, such as a balanced flywheel, has no turn, because its bias acceleration is 0. dt is too long for the
// joints if `turn` exceeds 0.3, the limit of the reach: at dt omega = 3, a pendulum loses most of its speed, and every
// step returns `ok`. Rows without bias_acceleration have no turn.
//
// The measures change no result. They are functions of the model and two states, and a step does not compute them.
#pragma once

#include <limits>

#include "moreau/math/kernels.hpp"
#include "moreau/math/sqrt.hpp"
#include "moreau/model/evaluation.hpp"
#include "moreau/model/state.hpp"
#include "moreau/model/step_motion.hpp"
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
  Real turn = Real(0);    // rad, largest turn of a joint direction within a step, of all rows and steps
  int turned_row = -1;    // row with this turn; -1 if no row has a turn

  // Largest relative error of a closed joint.
  static constexpr Real limit = Real(2);
  // Largest turn of a suitable dt, in rad.
  static constexpr Real turn_limit = Real(0.3);

  // Returns true if the joint does not close.
  constexpr bool open() const { return !(error <= limit * motion); }
  // Returns true if dt is too long for the rotation of the joints.
  constexpr bool dt_too_long() const { return !(turn <= turn_limit); }
  // Returns error / motion.
  constexpr Real relative() const { return error == Real(0) ? error : error / motion; }
  // Returns true if the relative error of the other one is larger or NaN.
  constexpr bool is_below(const JointError& other) const {
    return other.row >= 0 && (row < 0 || !(other.relative() <= relative()));
  }
  // Adds another step. An open joint is kept, because the steps after it are meaningless.
  constexpr void add(const JointError& other) {
    if (!open()) add_row(other);
    add_turn(other.turn, other.turned_row);
  }
  // Adds the error of another row.
  constexpr void add_row(const JointError& other) {
    if (is_below(other)) error = other.error, motion = other.motion, row = other.row, t = other.t;
  }
  // Adds the turn of another row, if it is larger or NaN.
  constexpr void add_turn(Real angle, int of_row) {
    if (of_row >= 0 && (turned_row < 0 || !(angle <= turn)) && turn == turn) turn = angle, turned_row = of_row;
  }
};

template <class Model>
using bodies_of_list = Bool<(Model::List::bodies > 0)>;

// True for mechanisms from parts with the coordinates of each body.
template <class Model>
inline constexpr bool has_body_coordinates = Traits<Model>::diagonal_mass ? detected<bodies_of_list, Model> : false;

// Coordinates of a body: those of the bodies of a mechanism, or none.
template <class Model, bool = has_body_coordinates<Model>>
struct MeasuredBody {
  static constexpr int coordinates = 1;
  static constexpr bool is_angle(int) { return false; }
};
template <class Model>
struct MeasuredBody<Model, true> {
  using Geometry = typename Model::List::Geometry;
  static constexpr int coordinates = Geometry::coordinates;
  static constexpr bool is_angle(int d) { return Geometry::is_angle(d % coordinates); }
};

// Rows, states and masses in the coordinates of the measures: those of a hand-derived model, or those of the bodies of
// a mechanism.
template <class Model_>
struct ModelMeasures : MeasuredBody<Model_> {
  using Model = Model_;
  using Real = typename Traits<Model>::Real;
  static constexpr bool of_bodies = has_body_coordinates<Model>;
  using V = Vector<Real, Traits<Model>::dof>;
  struct Motion {
    V q, u;
  };

  static Motion motion(const Model&, const V& q, const V& u, Real) { return {q, u}; }
  template <class Mass>
  static V mass(const Model&, const Mass& M) {
    return M.diagonal();
  }
  static V bilateral(const Model& model, int j, const V& q, Real t) {
    return Evaluation<Model>(model, q, t).bilateral(j).w;
  }
  static V normal(const Model& model, int i, const V& q, Real t) {
    return Evaluation<Model>(model, q, t).directions(i).w_N;
  }
};
template <class Model>
using measures_of_bodies_in = typename Model::MeasuresOfBodies;
template <class Model, class = void>
struct MeasuresOf : ModelMeasures<Model> {};
template <class Model>
struct MeasuresOf<Model, std::enable_if_t<detected<measures_of_bodies_in, Model>>> : Model::MeasuresOfBodies {};

// Returns the largest velocity along the joint direction w that the speeds u of the bodies of the joint can cause.
template <class Measures, class V>
auto largest_speed(const V& w, const V& mass, const V& u) {
  using Real = typename Measures::Real;
  Real response = Real(0), energy = Real(0);
  for (int d = 0; d < int(V::SizeAtCompileTime); ++d) {
    bool joined = true;
    if constexpr (Measures::of_bodies) {
      constexpr int n = Measures::coordinates;
      joined = false;
      for (int k = d - d % n; k < d - d % n + n; ++k) joined = joined || w.coeff(k) != Real(0);
    }
    if (!joined) continue;
    response += w.coeff(d) * (w.coeff(d) / mass.coeff(d));
    energy += mass.coeff(d) * (u.coeff(d) * u.coeff(d));
  }
  return sqrt(response) * sqrt(energy);
}

// Returns the angular velocity of the direction of row j. w: this row at q*; speeds: of the measures; speed: |u|_w.
template <class Model, class Q, class V, class Real>
Real turning_speed([[maybe_unused]] const Evaluation<Model>& at, [[maybe_unused]] int j, [[maybe_unused]] const Q& u,
                   [[maybe_unused]] const V& w, [[maybe_unused]] const V& speeds, [[maybe_unused]] Real speed) {
  if constexpr (Contract<Model>::has_bias_acceleration) {
    const Real bias = absolute(at.bias_acceleration(j, u));
    if (!(bias > Real(0))) return bias;
    if constexpr (MeasuresOf<Model>::of_bodies) {
      constexpr Real least = Real(0.01);  // lever arm over the radius of gyration, or the distance of both
      Real omega = Real(0);
      for (int d = 0; d < int(V::SizeAtCompileTime); ++d)
        if (MeasuresOf<Model>::is_angle(d) && w.coeff(d) != Real(0)) omega = larger(omega, absolute(speeds.coeff(d)));
      return bias > least * speed * omega ? omega : Real(0);
    } else {
      return bias / speed;
    }
  }
  return Real(0);
}

// Returns sum_d |w_d| Q_d.
template <class Measures, class V>
auto size_of_terms(const V& w, const V& q) {
  using Real = typename Measures::Real;
  const auto kind = [](int d) { return Measures::is_angle(d) ? 1 : 0; };  // 1: angle of a body
  Real largest[2] = {Real(0), Real(0)}, sum = Real(0);
  for (int d = 0; d < int(V::SizeAtCompileTime); ++d) largest[kind(d)] = larger(largest[kind(d)], absolute(q.coeff(d)));
  for (int d = 0; d < int(V::SizeAtCompileTime); ++d) sum += absolute(w.coeff(d)) * largest[kind(d)];
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
    const Vector<Real, Traits<Model>::dof>&u_A = before.u, &u_E = after.u;
    const Vector<Real, Traits<Model>::dof> moved = StepMotion<Model>(model, before, after).q_E;
    const Real t_E = reduced(model, after.clock);
    const Evaluation<Model> at_A(model, before.q, reduced(model, before.clock));
    const Evaluation<Model> unprojected(model, moved, t_E), at_E(model, after.q, t_E);
    using Measures = MeasuresOf<Model>;
    const auto A = Measures::motion(model, before.q, u_A, reduced(model, before.clock));
    const auto E = Measures::motion(model, after.q, u_E, t_E), star = Measures::motion(model, moved, u_E, t_E);
    const auto M = Measures::mass(model, at_A.mass());
    for (int j = 0; j < Traits<Model>::bilaterals; ++j) {
      const auto row = unprojected.bilateral(j);
      const auto w = Measures::bilateral(model, j, moved, t_E);
      const Real speed_A = largest_speed<Measures>(w, M, A.u), speed_E = largest_speed<Measures>(w, M, E.u);
      const Real prescribed = larger(absolute(at_A.bilateral(j).zeta), absolute(row.zeta));
      const Real motion =
          dt * larger(larger(speed_A, speed_E), prescribed) + roundings * size_of_terms<Measures>(w, star.q);
      const Real error = larger(absolute(row.g), absolute(at_E.bilateral(j).g));
      largest.add_row({error, motion, j, t});
      largest.add_turn(
          dt * larger(turning_speed(at_A, j, u_A, w, A.u, speed_A), turning_speed(at_E, j, u_E, w, E.u, speed_E)), j);
    }
  }
  return largest;
}

}  // namespace detail
}  // namespace moreau
