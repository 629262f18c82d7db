// Where is the switching point? Every change of a law has a function of time that goes to zero there, positive before:
//
//   open -> closed    g_N                    at the end of a step
//   closed -> open    P_N / dt               mean force, at its middle
//   slip -> stick, slip -> slip  |gamma_T|   at the end
//   stick -> slip     mu P_N - |P_T|, or bound - |P|, over dt: friction in reserve, at its middle
//
// Two accepted steps give two values, and the secant through them the next guess (adaptive.hpp safeguards it).
#pragma once

#include "moreau/adapt/main_step.hpp"
#include "moreau/contact/laws.hpp"
#include "moreau/model/evaluation.hpp"
#include "moreau/model/model_time.hpp"

namespace moreau {
namespace detail {

template <class Real>
struct EventValue {
  Real t, f;
};

template <class Real, int dof, int dim, class Zeta>
Vector<Real, dim> slip_velocity(const Matrix<Real, dof, dim>& w, const Zeta& zeta, const Vector<Real, dof>& u) {
  Vector<Real, dim> gamma;
  for (int t = 0; t < dim; ++t) gamma.coeffRef(t) = dot(Vector<Real, dof>(w.col(t)), u) + component(zeta, t);
  return gamma;
}

template <class Model, class Real>
Real friction_coefficient(const Model& model, int i) {
  if constexpr (Contract<Model>::has_mu)
    return model.mu(i, Real(0));  // sticking
  else
    return model.law(i).mu;
}

// The function of law l for a change to `to`, from the state at the end of a step.
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
    if (Laws::law(l) == LawKind::element) {
      if (to == LawMode::slip && E.sigma_F[std::size_t(i)] == 0) {
        const Vector<Real, T::friction_dim> P_F = E.P_F.col(i);
        return {t_middle, at.friction_bound(i) - length(P_F) / dt};
      }
      const auto d = at.friction_directions(i);
      return {t, length(slip_velocity<Real, T::dof, T::friction_dim>(d.w, d.zeta, E.u))};
    }
  }
  return {t, Real(0)};
}

}  // namespace detail
}  // namespace moreau
