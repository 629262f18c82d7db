// Velocities of the free motion in one step, for impacts at their instants (contact/impact_instants.hpp).
//
//   u_A     velocity at the beginning of the step; with drift(), after the free motion to the midpoint
//   u_D     with drift(), velocity after the free motion to the end; otherwise u_A
#pragma once

#include "moreau/model/evaluation.hpp"
#include "moreau/model/state.hpp"

namespace moreau {
namespace detail {

// Velocities of a model without drift(): those of the last state.
template <class Model, bool drifts = has_drift<Model>>
class FreeVelocities {
  using Real = typename Traits<Model>::Real;
  using Q = Vector<Real, Traits<Model>::dof>;

 public:
  explicit FreeVelocities(const State<Model>& last) : last_(last) {}

  static constexpr void set_velocity(const Q&) {}
  const Q& u_A() const { return last_.u; }
  // Returns the configuration after the free motion to the end of a step of dt.
  Q free_end(const Model&, Real dt) { return last_.q + dt * last_.u; }
  // Returns the change of w^T u along the free motion from the midpoint to the end.
  template <class W_E, class W_M>
  Real free_change(const W_E& w_E, const W_M& w_M) const {
    return dot(Q(w_E - w_M), u_A());
  }

 private:
  const State<Model>& last_;
};

template <class Model>
class FreeVelocities<Model, true> {
  using Real = typename Traits<Model>::Real;
  using Q = Vector<Real, Traits<Model>::dof>;

 public:
  explicit FreeVelocities(const State<Model>& last) : last_(last) {}

  void set_velocity(const Q& u_A) { u_A_ = u_A; }
  const Q& u_A() const { return u_A_; }
  Q free_end(const Model& model, Real dt) {
    Q q = last_.q;
    u_D_ = drifted(model, q, last_.u, dt);
    return q;
  }
  template <class W_E, class W_M>
  Real free_change(const W_E& w_E, const W_M& w_M) const {
    return dot(Q(w_E), u_D_) - dot(Q(w_M), u_A_);
  }

 private:
  const State<Model>& last_;
  Q u_A_, u_D_;
};

// Returns true if |gamma_A| > 2 |delta| in two dimensions. Friction then opposes gamma_E + gamma_A, so that the change
// of its direction within the step is of second order. In one dimension the direction is constant.
template <class C, class Real, int n>
typename C::Condition slides_steadily(const Vector<Real, n>& gamma_A, const Vector<Real, n>& delta) {
  if constexpr (n == 2)
    return C::less(Real(4) * dot(delta, delta), dot(gamma_A, gamma_A));
  else
    return C::condition(false);
}

}  // namespace detail
}  // namespace moreau
