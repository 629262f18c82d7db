// Safeguarded search for a switching point between lo (accepted, before it) and hi (beyond it).
//
// The secant through an event function at the last two accepted times predicts the root. The next step ends before this
// root, by the change of the predicted root since the last prediction, or, at first, by a quarter of the distance from
// lo to the root. This margin is at most half of the distance and at least dt_min. If there is no root in (lo, hi), or
// if three attempts have not halved this interval, the step ends at the midpoint of the interval. The search needs at
// most 4 log2((hi - lo) / dt_min) attempts, typically five.
//
// Each mode change has an event function of time, which is positive before the switching point and 0 at it:
//
//   open -> closed               g_N                   at the end of a step
//   closed -> open               P_N / dt              mean force, at the midpoint of a step
//   slip -> stick, slip -> slip  |gamma_T|             at the end of a step
//   stick -> slip                (mu P_N - |P_T|) / dt or bound - |P| / dt: distance from the boundary of the friction
//                                cone, at the midpoint
#pragma once

#include "moreau/adapt/main_step.hpp"
#include "moreau/contact/laws.hpp"
#include "moreau/model/evaluation.hpp"
#include "moreau/model/time.hpp"

namespace moreau {
namespace detail {

// Value f of an event function at time t.
template <class Real>
struct EventValue {
  Real t, f;
};

// Returns w^T u + zeta.
template <class Real, int dof, int dim, class Zeta>
Vector<Real, dim> slip_velocity(const Matrix<Real, dof, dim>& w, const Zeta& zeta, const Vector<Real, dof>& u) {
  Vector<Real, dim> gamma;
  for (int t = 0; t < dim; ++t) gamma.coeffRef(t) = dot(Vector<Real, dof>(w.col(t)), u) + component(zeta, t);
  return gamma;
}

// Returns the coefficient of static friction of contact i.
template <class Model, class Real>
Real friction_coefficient(const Model& model, int i) {
  if constexpr (Contract<Model>::has_mu)
    return model.mu(i, Real(0));
  else
    return model.law(i).mu;
}

// Returns the event function of contact law l for a change to mode `to`, from the state at the end of a step.
template <class Model>
EventValue<typename Traits<Model>::Real> event_value(const Model& model, const State<Model>& E, int l, LawMode to) {
  using T = Traits<Model>;
  using Real = typename T::Real;
  using Laws = DiscreteState<Model>;
  const int i = Laws::index(l);
  const Real t = E.time(), dt = E.clock.dt, t_middle = t - dt / 2;
  const Evaluation<Model> at(model, E.q, reduced(model, t));
  if constexpr (T::contacts > 0) {
    if (Laws::law(l) == LawKind::contact)
      return to == LawMode::closed ? EventValue<Real>{t, at.gap(i)} : EventValue<Real>{t_middle, E.P_N.coeff(i) / dt};
    if constexpr (T::tangents > 0) {
      if (Laws::law(l) == LawKind::friction) {
        if (to == LawMode::slip && E.sigma_T[std::size_t(i)] == 0) {
          const Vector<Real, T::tangents> P_T = E.P_T.col(i);
          return {t_middle, (friction_coefficient<Model, Real>(model, i) * E.P_N.coeff(i) - length(P_T)) / dt};
        }
        const Directions<Real, T::dof, T::tangents> d = at.directions(i);
        return {t, length(slip_velocity<Real, T::dof, T::tangents>(d.w_T, d.zeta_T, E.u))};
      }
    }
  }
  if constexpr (T::frictions > 0) {
    if (to == LawMode::slip && E.sigma_F[std::size_t(i)] == 0) {
      const Vector<Real, T::friction_dim> P_F = E.P_F.col(i);
      return {t_middle, at.friction_bound(i) - length(P_F) / dt};
    }
    const auto d = at.friction_directions(i);
    return {t, length(slip_velocity<Real, T::dof, T::friction_dim>(d.w, d.zeta, E.u))};
  }
  return {t, Real(0)};
}

// Search for one switching point.
template <class Model>
class Search {
 public:
  using Real = typename Traits<Model>::Real;
  using Laws = DiscreteState<Model>;

  bool active() const { return active_; }
  void stop() { active_ = false; }

  // Sets the interval: a step from lo changed the discrete state before hi.
  void bracket(Real lo, Real hi, const Laws& from, const Laws& to) {
    if (!active_) {
      best_width_ = hi - lo;
      attempts_ = 0;
      predicted_ = false;
    }
    active_ = true;
    hi_ = hi;
    from_ = from;
    to_ = to;
  }

  // Returns the size of the next step from lo. If `usable` is true, `older` and `newer` are accepted states of one
  // smooth phase, and `newer` is at lo.
  Real next_dt(const Model& model, const State<Model>& older, const State<Model>& newer, bool usable, Real dt_min) {
    // Restart the count after halving.
    const Real lo = newer.time(), width = hi_ - lo;
    if (width <= Real(0.5) * best_width_) {
      best_width_ = width;
      attempts_ = 0;
    }
    ++attempts_;
    // Bisect, or stop before the predicted root.
    Real dt = width / 2;
    if (usable && attempts_ <= 3) {
      const Real root = earliest_root(model, older, newer);
      if (root > lo && root < hi_) {
        const Real distance = root - lo, change = predicted_ ? absolute(root - root_) : distance / 4;
        dt = distance - larger(change < distance / 2 ? change : distance / 2, dt_min);
        root_ = root;
        predicted_ = true;
      }
    }
    return dt < 3 * dt_min ? dt_min : dt;
  }

  // Returns true if the whole interval has been accepted.
  bool passed(Real t) const { return t >= hi_; }

 private:
  // Returns the earliest secant root of the event functions of all mode changes, or hi if none has a root.
  Real earliest_root(const Model& model, const State<Model>& older, const State<Model>& newer) const {
    Real earliest = hi_;
    for (int l = 0; l < Laws::laws; ++l) {
      if (from_.mode[std::size_t(l)] == to_.mode[std::size_t(l)]) continue;
      const EventValue<Real> a = event_value(model, older, l, to_.of(l)), b = event_value(model, newer, l, to_.of(l));
      if (!(b.f > Real(0) && a.f > b.f)) continue;
      const Real root = b.t + b.f * (b.t - a.t) / (a.f - b.f);
      if (root < earliest) earliest = root;
    }
    return earliest;
  }

  bool active_ = false, predicted_ = false;
  int attempts_ = 0;
  Real hi_ = Real(0), best_width_ = Real(0), root_ = Real(0);
  Laws from_, to_;
};

}  // namespace detail
}  // namespace moreau
