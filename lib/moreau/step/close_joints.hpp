// Start values: from a rough q and u to a state that fits the ideal joints; the step itself keeps what it is given.
//
//   q <- q - Y S^-1 g(q)   until |g| <= tolerance,      u <- u - Y S^-1 (B^T u + zeta)
//
// Newton's method in the metric of M: the nearest fitting configuration, as long as the guess is near one.
//
// Coordinates and speeds named in a Keep stay exactly what they are and the others give way: with F the ones that are
// free, Y = M_FF^-1 B_F and S = B_F^T Y. A mechanism of one degree of freedom is started by the speed of its crank:
//
//   start.u(2) = 30;   close_joints(model, start, Keep<Model>{}.omega(Parts::crank))
#pragma once

#include "moreau/contact/mass.hpp"
#include "moreau/model/state.hpp"
#include "moreau/model/time.hpp"
#include "moreau/step/cause.hpp"

namespace moreau {

// What closing the joints did.
template <class Real>
struct CloseReport {
  Status status = Status::ok;
  Real miss = Real(0);         // m or rad, the largest |g| left; of a tilt that is half a turn off 2
  Real speed_miss = Real(0);   // m/s or rad/s, the largest |B^T u + zeta| left
  Real penetration = Real(0);  // m, the deepest contact in the state as it is now; 0 where every gap is open
  int contact = -1;            // where
};

// What close_joints must not change: coordinates q(d) and speeds u(d); in a mechanism also the angle of a body and its
// angular velocity, by the body's name.
template <class Model>
class Keep {
  static constexpr int dof = Traits<Model>::dof;

 public:
  constexpr Keep& q(int d) { return add(q_, d); }
  constexpr Keep& u(int d) { return add(u_, d); }
  constexpr Keep& angle(int body) { return q(3 * body + 2); }
  constexpr Keep& omega(int body) { return u(3 * body + 2); }

  constexpr bool keeps_q(int d) const { return q_[d]; }
  constexpr bool keeps_u(int d) const { return u_[d]; }
  constexpr bool valid() const { return valid_; }  // every number was that of a coordinate

 private:
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

constexpr int closing_rounds = 30;  // quadratic convergence: a few from any sensible guess

// The model with some of its coordinates held: bilateral rows without entries there. What the speeds of the held
// coordinates do to a row is part of its zeta.
template <class Model>
struct HeldModel : Model {
  using Real = typename Traits<Model>::Real;
  static constexpr int dof = Traits<Model>::dof;

  bool held[dof] = {};
  Vector<Real, dof> speed = Vector<Real, dof>::Zero();

  HeldModel(const Model& model) : Model(model) {}

  template <class... At>
  Matrix<Real, dof, dof> mass(const At&... at) const {
    Matrix<Real, dof, dof> M = Model::mass(at...);
    for (int i = 0; i < dof; ++i)
      for (int j = 0; j < dof; ++j)
        if (held[i] || held[j]) M(i, j) = i == j ? Real(1) : Real(0);
    return M;
  }
  template <class... At>
  Bilateral<Real, dof> bilateral(int row, const At&... at) const {
    const auto whole = Model::bilateral(row, at...);
    Bilateral<Real, dof> free{whole.w, whole.zeta, whole.g};
    for (int d = 0; d < dof; ++d)
      if (held[d]) {
        free.zeta += free.w(d) * speed(d);
        free.w(d) = Real(0);
      }
    return free;
  }
};

template <class Model>
using HeldMass = EffectiveMass<HeldModel<Model>, FactorsOf<HeldModel<Model>>>;

template <class Model>
Status factor(const Evaluation<HeldModel<Model>>& at, HeldMass<Model>& mass) {
  if (!mass.factor(at.mass())) return Status::mass_not_positive_definite;
  return mass.factor_joints(at) ? Status::ok : Status::constraints_dependent;
}

// Newton's rounds on a copy of q; q changes only on ok.
template <class Model, class Real>
Status close_positions(HeldModel<Model>& model, Real t, Vector<Real, Traits<Model>::dof>& q, Real& miss) {
  const Real small = Real(32) * epsilon<Real>;  // of 1 m and 1 rad
  auto next = q;
  for (int round = 0; round <= closing_rounds; ++round) {
    const Evaluation<HeldModel<Model>> at(model, next, t);
    miss = Real(0);
    Real probe = finite_probe(next);
    for (int j = 0; j < Traits<Model>::bilaterals; ++j) {
      const Real off = joint_miss(model, next, t, j);
      miss = larger(miss, off);
      probe += finite_probe(off);
    }
    HeldMass<Model> mass;
    const Status status = factor<Model>(at, mass);
    if (!(probe == Real(0))) return Status::not_finite;
    if (status != Status::ok) return status;
    if (miss <= small) {
      q = next;
      return Status::ok;
    }
    mass.project(next, at);
  }
  return Status::no_solution;
}

template <class Model, class Real>
Status close_speeds(HeldModel<Model>& model, Real t, const Vector<Real, Traits<Model>::dof>& q,
                    Vector<Real, Traits<Model>::dof>& u, Real& miss) {
  model.speed = u;
  const Evaluation<HeldModel<Model>> at(model, q, t);
  HeldMass<Model> mass;
  const Status status = factor<Model>(at, mass);
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
  if (miss > Real(1e4) * epsilon<Real> * terms) return Status::no_solution;  // too near a dead centre
  u = next;
  return Status::ok;
}

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

// invalid_argument where Keep names what is no coordinate, no_solution where the joints cannot be closed from here (from
// a tilt beyond a quarter turn Newton's method ends at half a turn, which is not closed), constraints_dependent where
// some joint is redundant or what is kept leaves the joints too little to move; the state changes only on ok. The contacts are reported, not opened: move what overlaps.
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
    detail::HeldModel<Model> held(model);
    for (int d = 0; d < Traits<Model>::dof; ++d) held.held[d] = keep.keeps_q(d);
    if (report.status == Status::ok) report.status = detail::close_positions<Model>(held, t, q, report.miss);
    for (int d = 0; d < Traits<Model>::dof; ++d) held.held[d] = keep.keeps_u(d);
    if (report.status == Status::ok) report.status = detail::close_speeds<Model>(held, t, q, u, report.speed_miss);
    if (report.status == Status::ok) {
      state.q = q;
      state.u = u;
    }
  }
  if constexpr (Traits<Model>::contacts > 0) detail::find_penetration(model, t, state, report);
  return report;
}

}  // namespace moreau
