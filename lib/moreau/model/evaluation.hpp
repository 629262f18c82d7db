// A model at one point (q, t): one way to ask, whichever form the model has chosen.
//
// With `at` the shared terms are computed once, here; without it every call gets (q, t).
#pragma once

#include "moreau/model/contract.hpp"

namespace moreau {

template <class Model>
class Evaluation {
 public:
  using T = Traits<Model>;
  using Real = typename T::Real;
  using Q = Vector<Real, T::dof>;
  using Mass = Matrix<Real, T::dof, T::dof>;
  static constexpr bool shares = Contract<Model>::shares;

  Evaluation(const Model& model, const Q& q, Real t) : model_(model), point_(make(model, q, t)) {}

  Mass mass() const { return call(detail::call_mass); }
  Q force(const Q& u) const {
    if constexpr (shares)
      return model_.force(point_, u);
    else
      return model_.force(point_.q, u, point_.t);
  }
  Real gap(int i) const { return call(detail::call_gap, i); }
  auto directions(int i) const { return call(detail::call_directions, i); }
  Real friction_bound(int j) const { return call(detail::call_friction_bound, j); }
  FrictionDirections<Real, T::dof, T::friction_dim> friction_directions(int j) const {
    const auto d = call(detail::call_friction_directions, j);
    if constexpr (std::is_same_v<std::decay_t<decltype(d)>, Directions<Real, T::dof, T::friction_dim>>)
      return {d.w_T, d.zeta_T};  // the tangential part of a contact's directions serves as well
    else
      return {d.w, d.zeta};
  }
  Bilateral<Real, T::dof> bilateral(int j) const {
    const auto row = call(detail::call_bilateral, j);
    return {row.w, row.zeta, row.g};
  }
  // (dw/dt)^T u of a bilateral row, 0 for a model that does not say.
  Real bend([[maybe_unused]] int j, [[maybe_unused]] const Q& u) const {
    if constexpr (!Contract<Model>::has_bend)
      return Real(0);
    else if constexpr (shares)
      return model_.bend(j, point_, u);
    else
      return model_.bend(j, point_.q, u, point_.t);
  }

 private:
  struct Point {
    const Q& q;  // outlives the evaluation: a copy would cost 12 instructions a step
    Real t;
  };
  using Held = std::conditional_t<shares, typename Contract<Model>::Shared, Point>;

  static Held make(const Model& model, const Q& q, Real t) {
    if constexpr (shares)
      return model.at(q, t);
    else
      return Point{q, t};
  }

  template <class Call, class... Front>
  [[gnu::always_inline]] auto call(const Call& function, Front... front) const {
    if constexpr (shares)
      return function(model_, front..., point_);
    else
      return function(model_, front..., point_.q, point_.t);
  }

  const Model& model_;
  Held point_;
};

}  // namespace moreau
