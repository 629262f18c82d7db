// Initial states that satisfy the ideal joints, from approximate q and u.
//
//   q <- q - Y S^-1 g(q)   until |g| <= tolerance,      u <- u - Y S^-1 (B^T u + zeta)
//
// This is Newton's method in the metric of M. From an initial guess close to a solution, it converges to a nearby
// solution, which in general is not exactly the nearest one.
//
// `Keep` fixes coordinates and speeds. With the index set F of the free ones, Y = M_FF^-1 B_F and S = B_F^T Y. Example:
// the speed of the crank determines all speeds of a mechanism with one degree of freedom.
//
//   start.u(Model::angle_of<Parts::crank>) = 30;   close_joints(model, start, Keep<Model>{}.omega(Parts::crank))
#pragma once

#include "moreau/contact/mass.hpp"
#include "moreau/model/state.hpp"
#include "moreau/model/time.hpp"
#include "moreau/step/cause.hpp"

namespace moreau {

// Outcome of close_joints.
template <class Real>
struct CloseReport {
  Status status = Status::ok;  // the state changes only if the status is ok

  // Largest remaining position error |g|, in m or rad. For a row that constrains an orientation, g is the sine of the
  // angle error. Beyond pi/2, 2 - |g| is reported, so an error of pi gives 2.
  Real miss = Real(0);

  // Largest remaining velocity error |B^T u + zeta|, in m/s or rad/s.
  Real speed_miss = Real(0);

  // First row that depends on the rows before it, if the status is constraints_dependent; otherwise -1.
  int row = -1;

  // Deepest penetration of the contacts in the resulting state, in m; 0 without penetration.
  Real penetration = Real(0);

  // Index of the contact with the deepest penetration; -1 without penetration.
  int contact = -1;
};

namespace detail {
template <class Model>
using angle_index_in = decltype(Model::angle_index(0));
// Well-formed for mechanisms in space.
template <class Model>
using turn_index_in = decltype(Model::turn_index(0, 0));
}  // namespace detail

// Coordinates q(d) and speeds u(d) that close_joints leaves unchanged. In a mechanism, angle() and omega() select the
// angle of a body and its angular velocity by the name of the body. In space, they select the component along axis 0, 1
// or 2 of the body, or all three of them; if the coordinates of its inboard joint are angles, they select these angles
// instead. Do not keep components that a joint with the ground determines.
template <class Model>
class Keep {
  static constexpr int dof = Traits<Model>::dof;

 public:
  constexpr Keep& q(int d) { return add(q_, d); }
  constexpr Keep& u(int d) { return add(u_, d); }
  constexpr Keep& angle(int body, int axis = -1) { return add_angles(q_, body, axis); }
  constexpr Keep& omega(int body, int axis = -1) { return add_angles(u_, body, axis); }

  constexpr bool keeps_q(int d) const { return q_[d]; }
  constexpr bool keeps_u(int d) const { return u_[d]; }
  constexpr bool valid() const { return valid_; }  // all indices were in range

 private:
  // Returns the index of the coordinate phi of a body; in joint coordinates, -1 for a body without phi.
  static constexpr int index_of(int body) {
    if constexpr (detail::detected<detail::angle_index_in, Model>)
      return body >= 0 && body < Model::List::bodies ? Model::angle_index(body) : -1;
    else
      return 3 * body + 2;
  }
  constexpr Keep& add_angles(bool (&kept)[dof], int body, [[maybe_unused]] int axis) {
    if constexpr (!detail::detected<detail::turn_index_in, Model>) {
      return add(kept, index_of(body));
    } else {
      for (int k = 0; k < 3; ++k)
        if (axis < 0 || k == axis) add(kept, Model::turn_index(body, k));
      return axis < 3 ? *this : add(kept, -1);
    }
  }
  constexpr Keep& add(bool (&kept)[dof], int d) {
    if (d >= 0 && d < dof)
      kept[d] = true;
    else
      valid_ = false;
    return *this;
  }
  bool q_[dof] = {}, u_[dof] = {};
  bool valid_ = true;
};

namespace detail {

constexpr int closing_rounds = 30;  // quadratic convergence: a good initial guess needs few iterations

// Model with fixed coordinates. The entries of its bilateral rows are 0 at fixed coordinates, whose speeds contribute
// to zeta instead.
template <class Model>
struct FixedCoordinates : Model {
  using Real = typename Traits<Model>::Real;
  static constexpr int dof = Traits<Model>::dof;

  bool fixed[dof] = {};
  Vector<Real, dof> speed = Vector<Real, dof>::Zero();

  FixedCoordinates(const Model& model) : Model(model) {}

  template <class... At>
  Matrix<Real, dof, dof> mass(const At&... at) const {
    Matrix<Real, dof, dof> M = Model::mass(at...);
    for (int i = 0; i < dof; ++i)
      for (int j = 0; j < dof; ++j)
        if (fixed[i] || fixed[j]) M(i, j) = i == j ? Real(1) : Real(0);
    return M;
  }
  template <class... At>
  Bilateral<Real, dof> bilateral(int row, const At&... at) const {
    const auto whole = Model::bilateral(row, at...);
    Bilateral<Real, dof> free{whole.w, whole.zeta, whole.g};
    for (int d = 0; d < dof; ++d)
      if (fixed[d]) {
        free.zeta += free.w(d) * speed(d);
        free.w(d) = Real(0);
      }
    return free;
  }
};

template <class Model>
using FreeMass = EffectiveMass<FixedCoordinates<Model>, FactorsOf<FixedCoordinates<Model>>>;

// Factors the mass matrix of the free coordinates and S. If the joint rows are linearly dependent, sets `row` to the
// first dependent one.
template <class Model>
Status factor(const Evaluation<FixedCoordinates<Model>>& at, FreeMass<Model>& mass, int& row) {
  if (!mass.factor(at.mass())) return Status::mass_not_positive_definite;
  if (mass.factor_joints(at)) return Status::ok;
  row = mass.first_dependent_row();
  return Status::constraints_dependent;
}

// Executes Newton's method on a copy of q. q changes only if the status is ok.
template <class Model, class Real>
Status close_positions(FixedCoordinates<Model>& model, Real t, Vector<Real, Traits<Model>::dof>& q,
                       CloseReport<Real>& report) {
  Real& miss = report.miss;
  const Real tolerance = Real(32) * epsilon<Real>;  // relative to 1 m or 1 rad
  auto next = q;
  for (int round = 0; round <= closing_rounds; ++round) {
    const Evaluation<FixedCoordinates<Model>> at(model, next, t);
    miss = Real(0);
    Real probe = finite_probe(next);
    for (int j = 0; j < Traits<Model>::bilaterals; ++j) {
      const Real error = joint_miss(model, next, t, j);
      miss = larger(miss, error);
      probe += finite_probe(error);
    }
    FreeMass<Model> mass;
    const Status status = factor<Model>(at, mass, report.row);
    if (!(probe == Real(0))) return Status::not_finite;
    if (status != Status::ok) return status;
    if (miss <= tolerance) {
      q = next;
      return Status::ok;
    }
    displace(model, next, [&](auto& moved) { mass.project(moved, at); });
  }
  return Status::no_solution;
}

// Projects u onto the joint constraints. u changes only if the status is ok.
template <class Model, class Real>
Status close_speeds(FixedCoordinates<Model>& model, Real t, const Vector<Real, Traits<Model>::dof>& q,
                    Vector<Real, Traits<Model>::dof>& u, CloseReport<Real>& report) {
  Real& miss = report.speed_miss;
  model.speed = u;
  const Evaluation<FixedCoordinates<Model>> at(model, q, t);
  FreeMass<Model> mass;
  const Status status = factor<Model>(at, mass, report.row);
  if (status != Status::ok) return status;
  auto next = u;
  mass.constrain(next);
  miss = Real(0);
  Real terms = Real(0);
  for (int j = 0; j < Traits<Model>::bilaterals; ++j) {
    const auto row = at.bilateral(j);
    miss = larger(miss, absolute(Real(dot(row.w, next) + row.zeta)));
    terms = larger(terms, absolute(row.zeta));
    for (int d = 0; d < Traits<Model>::dof; ++d) terms = larger(terms, absolute(Real(row.w(d) * next(d))));
  }
  if (!(finite_probe(next) == Real(0))) return Status::not_finite;
  if (miss > Real(1e4) * epsilon<Real> * terms) return Status::no_solution;  // too close to a dead centre
  u = next;
  return Status::ok;
}

// Reports the deepest penetration of the contacts.
template <class Model, class Real>
void find_penetration(const Model& model, Real t, const State<Model>& state, CloseReport<Real>& report) {
  const Evaluation<Model> at(model, state.q, t);
  for (int i = 0; i < Traits<Model>::contacts; ++i)
    if (-at.gap(i) > report.penetration) {
      report.penetration = -at.gap(i);
      report.contact = i;
    }
}

}  // namespace detail

// Moves q and u to a nearby state that satisfies the ideal joints. The state changes only if the status is ok.
//
//   invalid_argument        an index of Keep is out of range
//   no_solution             Newton's method does not converge, for example from an angle error above pi/2, or a dead
//                           centre leaves the speeds indeterminate
//   constraints_dependent   a joint is redundant, or Keep leaves too few free coordinates
//
// Other failures have the status of a step (model/status.hpp). Penetrating contacts are reported and not corrected.
template <class Model>
[[nodiscard]] CloseReport<typename Traits<Model>::Real> close_joints(const Model& model, State<Model>& state,
                                                                     const Keep<Model>& keep = {}) {
  using Real = typename Traits<Model>::Real;
  CloseReport<Real> report;
  const Real t = detail::reduced(model, state.clock);
  if (!keep.valid())
    report.status = Status::invalid_argument;
  else if (!(detail::finite_probe(state.q) + detail::finite_probe(state.u) == Real(0)))
    report.status = Status::not_finite;
  if constexpr (Traits<Model>::bilaterals > 0) {
    auto q = state.q, u = state.u;
    detail::FixedCoordinates<Model> constrained(model);
    for (int d = 0; d < Traits<Model>::dof; ++d) constrained.fixed[d] = keep.keeps_q(d);
    if (report.status == Status::ok) report.status = detail::close_positions<Model>(constrained, t, q, report);
    for (int d = 0; d < Traits<Model>::dof; ++d) constrained.fixed[d] = keep.keeps_u(d);
    if (report.status == Status::ok) report.status = detail::close_speeds<Model>(constrained, t, q, u, report);
    if (report.status == Status::ok) {
      state.q = q;
      state.u = u;
    }
  }
  if constexpr (Traits<Model>::contacts > 0) detail::find_penetration(model, t, state, report);
  return report;
}

}  // namespace moreau
