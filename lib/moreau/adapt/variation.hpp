// How the base steps of an adaptive run differ from the paper's (step/step.hpp), where its options ask for that.
//
// Closed::held, for contacts whose directions turn or move:
//
//   - A contact that was closed is held: it stays so until its force ends, whatever its gap, without restitution.
//   - In -xi_N in N(P_N), xi_N = gamma_E + eps gamma_A, gamma_E has the directions at the (predicted) end of the step
//     and gamma_A those at its begin. (In the paper both have those of the middle.)
//
// With the directions of the middle the velocity left at the end of a step is a dt / 2, a the acceleration by which the
// contact turns away; a step that begins where that is extrapolated away then sees only half of a, and lifts contacts
// off that the other half would keep closed.
//
// In a step in which another contact is hit, one that flies off from an impact of its own is not held: stopping it
// would take a percussion that works, and rattling corners would gain energy. It flies off if it is faster than a tenth
// of what hits, and than what the turning of directions leaves to contacts at rest.
#pragma once

#include "moreau/adapt/discrete_state.hpp"
#include "moreau/model/evaluation.hpp"
#include "moreau/model/model_time.hpp"
#include "moreau/step/listed_contacts.hpp"

namespace moreau {

template <class Model>
class Variation {
  using T = Traits<Model>;
  using Real = typename T::Real;
  using Q = Vector<Real, T::dof>;

 public:
  ForceAt force_at = ForceAt::begin;
  bool holding = false;           // Closed::held, and `before` is known
  DiscreteState<Model> before{};  // of the main step before

  // Before every base step.
  void begin(const Model& model, const State<Model>& A, Real dt) {
    if (!holding) return;
    if constexpr (T::contacts > 0) {
      const Q q_M = A.q + dt / 2 * A.u, q_E = A.q + dt * A.u;
      const Real t = A.time();
      const Evaluation<Model> at_A(model, A.q, reduced(model, t)), at_M(model, q_M, reduced(model, t + dt / 2)),
          at_E(model, q_E, reduced(model, t + dt));
      Real hit = Real(0), turning = Real(0);  // m/s, the fastest that comes; what the step adds to gamma by turning
      for (int i = 0; i < T::contacts; ++i) {
        const auto n = std::size_t(i);
        const auto d = at_A.directions(i);
        end_[n] = at_E.directions(i);
        gamma_A_.coeffRef(i) = dot(Q(d.w_N), A.u) + d.zeta_N;
        held_[n] = before.mode[2 * n] == 0;
        if (!held_[n] && at_M.gap(i) <= Real(0)) hit = larger(hit, -gamma_A_.coeff(i));
        turning = larger(turning, absolute(dot(Q(end_[n].w_N), A.u) + end_[n].zeta_N - gamma_A_.coeff(i)));
      }
      for (int i = 0; i < T::contacts; ++i)
        if (hit > Real(0) && gamma_A_.coeff(i) > hit / 10 + turning) held_[std::size_t(i)] = false;
    }
  }

  bool holds(int i) const { return holding && held_[std::size_t(i)]; }
  // An open contact that overlaps - every contact that has been closed does, a little - closes when it approaches.
  bool closed(int i, Real gap) const {
    if (!holding || gap > Real(0)) return holds(i) || gap <= Real(0);
    return held_[std::size_t(i)] || gamma_A_.coeff(i) <= Real(0);
  }
  auto directions(const Evaluation<Model>& middle, int i) const {
    return holding ? end_[std::size_t(i)] : middle.directions(i);
  }
  Real gamma_A(const Directions<Real, T::dof, T::tangents>& d, const Q& u_A, int i) const {
    return holding ? gamma_A_.coeff(i) : dot(Q(d.w_N), u_A) + d.zeta_N;
  }

 private:
  std::array<bool, std::size_t(T::contacts)> held_{};
  std::array<Directions<Real, T::dof, T::tangents>, std::size_t(T::contacts)> end_{};
  Vector<Real, T::contacts> gamma_A_ = Vector<Real, T::contacts>::Zero();  // m/s
};

}  // namespace moreau
