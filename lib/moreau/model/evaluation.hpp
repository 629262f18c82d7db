// Evaluation of a model at one point (q, t), with the same interface for models with and without `at`.
//
// If the model has `at`, the constructor computes the shared terms `a` once. Otherwise every call passes (q, t).
#pragma once

#include "moreau/math/compiler.hpp"
#include "moreau/model/contract.hpp"

namespace moreau {
namespace detail {

// A model and one point (q, t).
template <class Model>
class Evaluation {
 public:
  static constexpr bool shares = Contract<Model>::shares;
  static constexpr int dof = Traits<Model>::dof, friction_dim = Traits<Model>::friction_dim;
  using Real = typename Traits<Model>::Real;
  using Q = Vector<Real, dof>;
  using Mass = Matrix<Real, dof, dof>;

  MOREAU_ALWAYS_INLINE Evaluation(const Model& model, const Q& q, Real t) : model_(model), point_(make(model, q, t)) {}

  // Constructs an evaluation. Not inlined, for rarely executed steps.
  MOREAU_COLD MOREAU_NOINLINE static Evaluation seldom(const Model& model, const Q& q, Real t) { return {model, q, t}; }

  Mass mass() const {
    return call([](const auto& m, const auto&... x) { return m.mass(x...); });
  }
  MOREAU_COLD MOREAU_NOINLINE Mass seldom_mass() const { return mass(); }
  Q force(const Q& u) const {
    if constexpr (shares)
      return model_.force(point_, u);
    else
      return model_.force(point_.q, u, point_.t);
  }
  Real gap(int i) const {
    return call([](const auto& m, const auto&... x) { return m.gap(x...); }, i);
  }
  auto directions(int i) const {
    return call([](const auto& m, const auto&... x) { return m.directions(x...); }, i);
  }
  Real friction_bound(int j) const {
    return call([](const auto& m, const auto&... x) { return m.friction_bound(x...); }, j);
  }
  FrictionDirections<Real, dof, friction_dim> friction_directions(int j) const {
    const auto d = call([](const auto& m, const auto&... x) { return m.friction_directions(x...); }, j);
    if constexpr (std::is_same_v<std::decay_t<decltype(d)>, Directions<Real, dof, friction_dim>>)
      return {d.w_T, d.zeta_T};  // the tangential part of contact directions
    else
      return {d.w, d.zeta};
  }
  Bilateral<Real, dof> bilateral(int j) const {
    const auto row = call([](const auto& m, const auto&... x) { return m.bilateral(x...); }, j);
    return {row.w, row.zeta, row.g};
  }
  // Returns (dw/dt)^T u of a bilateral row; 0 for a model without bias_acceleration().
  Real bias_acceleration([[maybe_unused]] int j, [[maybe_unused]] const Q& u) const {
    if constexpr (!Contract<Model>::has_bias_acceleration)
      return Real(0);
    else
      return call_moving([](const auto& m, const auto&... x) { return m.bias_acceleration(x...); }, j, u);
  }
  // Returns the bias acceleration of a contact or friction element; only for a model with this function.
  auto contact_bias_acceleration(int i, const Q& u) const {
    return call_moving([](const auto& m, const auto&... x) { return m.contact_bias_acceleration(x...); }, i, u);
  }
  auto friction_bias_acceleration(int j, const Q& u) const {
    return call_moving([](const auto& m, const auto&... x) { return m.friction_bias_acceleration(x...); }, j, u);
  }
  // Returns zeta_E of a bilateral row for a step of dt; only for a model with zeta_E().
  Real zeta_E(int j, const Q& u, Real dt) const {
    return call_moving([dt](const auto& m, const auto&... x) { return m.zeta_E(x..., dt); }, j, u);
  }

 private:
  struct Point {
    const Q& q;  // outlives the evaluation; a copy takes 12 instructions per step
    Real t;
  };
  using Held = std::conditional_t<shares, typename Contract<Model>::Shared, Point>;

  static Held make(const Model& model, const Q& q, Real t) {
    if constexpr (shares)
      return model.at(q, t);
    else
      return Point{q, t};
  }

  // Calls function(model, front..., a) if the model has `at`, otherwise function(model, front..., q, t).
  template <class Call, class... Front>
  MOREAU_ALWAYS_INLINE auto call(const Call& function, Front... front) const {
    if constexpr (shares)
      return function(model_, front..., point_);
    else
      return function(model_, front..., point_.q, point_.t);
  }

  // Calls function(model, i, a, u) if the model has `at`, otherwise function(model, i, q, u, t).
  template <class Call>
  MOREAU_ALWAYS_INLINE auto call_moving(const Call& function, int i, const Q& u) const {
    if constexpr (shares)
      return function(model_, i, point_, u);
    else
      return function(model_, i, point_.q, u, point_.t);
  }

  const Model& model_;
  Held point_;
};

}  // namespace detail
}  // namespace moreau
