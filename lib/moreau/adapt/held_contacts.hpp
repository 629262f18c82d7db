// Base step of adaptive runs: the step of SLG08 with two modifications.
//
//   force_at = predicted   h = h(q_M, u_A + dt/2 M^-1 h(q_M, u_A, t_M), t_M)
//   closed = held          a closed contact stays closed until its normal percussion vanishes, at any gap
//
//   -xi_N in N(P_N),  xi_N = gamma_E + eps gamma_A,   gamma_E = w(E)^T u_E + zeta(E),  gamma_A = w(A)^T u_A + zeta(A),
//   with eps = 0 for held contacts
//
// A held contact is one that was closed in the discrete state before this main step and has not been released.
//
// Departures from SLG08: the paper evaluates gamma_E and gamma_A with the directions of the midpoint. Here gamma_E uses
// the directions at E = (q_A + dt u_A, t_E), and gamma_A those at A = (q_A, t_A). If directions rotate, a step of the
// paper leaves a closed contact with a normal velocity a dt / 2, where a is the normal acceleration due to the
// rotation. The next step relies on this velocity. Extrapolation removes this velocity, so the next step includes only
// half of the velocity change a dt and can open a contact that should stay closed. The directions of friction elements
// are also those at E.
//
// Impacts: a step contains an impact if a contact that is not held has g_N(q_M) <= 0 and an approach velocity. A held
// contact is then released if its separation velocity exceeds a tenth of the largest approach velocity, plus the change
// due to rotating directions. Without this release, the percussion that prevents the separation does work, and rattling
// corners gain energy. All contacts that are not held and have g_N <= 0 take part in the impact with restitution.
// Otherwise the corners of a light slider collide alternately, one per step of dt_min. For G_01 = -G_00, each collision
// transfers the velocity to the other corner, and the sequence of collisions does not end.
//
// Shared friction: the friction forces of several contacts on one face are not unique. The solver can return a solution
// in which one of them is at its bound although no contact slips. discrete_state() therefore classifies contact i as
// sticking if any contact sticks and the slip velocity of i is zero within Judge::rtol.
//
// Free motion: with drift(), E is the end of the free motion from A, and zeta(E) includes w(E)^T of the change of u by
// its second half.
//
// Adaptive runs hold contacts by the rule closed = held above, instead of the rule of second_order
// (contact/impact_instants.hpp). With directions at both ends of a step, no correction for rotation is needed. An
// adaptive run clears the data of second_order. The next step outside the run therefore follows the paper, with one
// exception: a contact with a percussion in the last step of the run is closed.
//
// Hooks in calling order: begin() before a base step; force_at, closed(), holds(), directions(), friction_directions()
// and gamma_A() during the step; discrete_state() after it.
#pragma once

#include "moreau/adapt/discrete_state.hpp"
#include "moreau/model/evaluation.hpp"
#include "moreau/model/time.hpp"
#include "moreau/step/active_contacts.hpp"

namespace moreau {
namespace detail {

// Hooks of a base step.
template <class Model>
class HeldContacts {
  using T = Traits<Model>;
  using Real = typename T::Real;
  using Q = Vector<Real, T::dof>;

 public:
  static constexpr bool selects_force = true;  // independent of the declaration of the model
  ForceAt force_at = ForceAt::begin;
  bool holding = false;           // true for Closed::held and a known `before`
  DiscreteState<Model> before{};  // discrete state of the previous main step

  // Prepares a base step from A over dt.
  void begin(const Model& model, const State<Model>& A, Real dt) {
    if (!holding) return;
    const Real t = A.time();
    Q q_M = A.q, q_E = A.q;
    const Q u_M = drifted(model, q_M, A.u, dt / 2), u_E = drifted(model, q_E, A.u, dt);
    const Evaluation<Model> at_E(model, q_E, reduced(model, t + dt));
    if constexpr (T::frictions > 0)
      for (int j = 0; j < T::frictions; ++j) {
        auto& d = (friction_end_[std::size_t(j)] = at_E.friction_directions(j));
        add_drift(d.w, Q(u_E - u_M), d.zeta);
      }
    if constexpr (T::contacts > 0) {
      const Evaluation<Model> at_A(model, A.q, reduced(model, t)), at_M(model, q_M, reduced(model, t + dt / 2));
      Real approach = Real(0), rotation = Real(0);  // largest approach velocity and velocity change by rotation, m/s
      for (int i = 0; i < T::contacts; ++i) {
        const auto n = std::size_t(i);
        const auto d = at_A.directions(i);
        end_[n] = at_E.directions(i);
        const Real gamma_D = dot(Q(end_[n].w_N), u_E) + end_[n].zeta_N;
        if constexpr (has_drift<Model>) {
          end_[n].zeta_N += dot(Q(end_[n].w_N), Q(u_E - u_M));
          add_drift(end_[n].w_T, Q(u_E - u_M), end_[n].zeta_T);
        }
        gamma_A_.coeffRef(i) = dot(Q(d.w_N), A.u) + d.zeta_N;
        held_[n] = before.of(2 * i) == LawMode::closed;
        if (!held_[n] && at_M.gap(i) <= Real(0)) approach = larger(approach, -gamma_A_.coeff(i));
        rotation = larger(rotation, absolute(gamma_D - gamma_A_.coeff(i)));
      }
      for (int i = 0; i < T::contacts; ++i)
        if (approach > Real(0) && gamma_A_.coeff(i) > approach / 10 + rotation) held_[std::size_t(i)] = false;
      impact_ = approach > Real(0);
    }
  }

  bool holds(int i) const { return holding && held_[std::size_t(i)]; }
  // Returns true if contact i is closed in this step. A held contact is closed at any gap. Any other contact is closed
  // if g_N <= 0 and either it approaches or the step contains an impact. The gap alone is not sufficient, because a
  // contact keeps a small penetration after its percussion vanishes.
  bool closed(int i, Real gap) const {
    if (!holding || gap > Real(0)) return holds(i) || gap <= Real(0);
    return held_[std::size_t(i)] || impact_ || gamma_A_.coeff(i) <= Real(0);
  }
  auto directions(const Evaluation<Model>& middle, int i) const {
    return holding ? end_[std::size_t(i)] : middle.directions(i);
  }
  auto friction_directions(const Evaluation<Model>& middle, int j) const {
    return holding ? friction_end_[std::size_t(j)] : middle.friction_directions(j);
  }
  Real gamma_A(const Directions<Real, T::dof, T::tangents>& d, const Q& u_A, int i) const {
    return holding ? gamma_A_.coeff(i) : dot(Q(d.w_N), u_A) + d.zeta_N;
  }

  // Returns the discrete state at the end E of a base step.
  DiscreteState<Model> discrete_state(const Model& model, const Judge<Real>& judge, const State<Model>& E) const {
    DiscreteState<Model> state(E);
    if constexpr (T::contacts > 0 && T::tangents > 0) {
      int stick = 0, doubtful = 0;
      for (int i = 0; holding && i < T::contacts; ++i) {
        if (E.sigma_T[std::size_t(i)] == 0) ++stick;
        if (carries_friction(E, i) && E.sigma_T[std::size_t(i)] == 1) ++doubtful;
      }
      if (stick == 0 || doubtful == 0) return state;
      const Q size = term_magnitudes(model, E);
      for (int i = 0; i < T::contacts; ++i)
        if (carries_friction(E, i) && !slips(E, size, judge.rtol, i))
          state.mode[std::size_t(2 * i + 1)] = DiscreteState<Model>::Mode::constraint;
    }
    return state;
  }

 private:
  // Adds w^T du to zeta, where du is the change of u by the free motion after the midpoint; 0 without drift().
  template <class W, class Zeta>
  static void add_drift([[maybe_unused]] const W& w, [[maybe_unused]] const Q& du, [[maybe_unused]] Zeta& zeta) {
    if constexpr (has_drift<Model>)
      for (int t = 0; t < int(w.cols()); ++t) set_component(zeta, t, component(zeta, t) + dot(Q(w.col(t)), du));
  }

  bool impact_ = false;  // true if this step contains an impact
  // Returns true if contact i is closed with a friction percussion.
  static bool carries_friction(const State<Model>& E, int i) {
    Real sum = Real(0);
    for (int t = 0; t < T::tangents; ++t) sum += absolute(E.P_T.coeff(t, i));
    return E.sigma_N[std::size_t(i)] == 0 && sum > Real(0);
  }
  // Returns the sum of the magnitudes of all terms of u_E, per coordinate. 1 / M_kk is a lower bound of (M^-1)_kk.
  Q term_magnitudes(const Model& model, const State<Model>& E) const {
    const auto M = Evaluation<Model>(model, E.q, reduced(model, E.time())).mass();
    Q size;
    for (int k = 0; k < T::dof; ++k) {
      Real percussion = Real(0);
      for (int i = 0; i < T::contacts; ++i) {
        const auto& d = end_[std::size_t(i)];
        percussion += absolute(d.w_N.coeff(k) * E.P_N.coeff(i));
        for (int t = 0; t < T::tangents; ++t) percussion += absolute(d.w_T.coeff(k, t) * E.P_T.coeff(t, i));
      }
      size.coeffRef(k) = absolute(E.u.coeff(k)) + percussion / M.coeff(k, k);
    }
    return size;
  }
  // Returns true if the slip velocity of contact i exceeds the tolerance Judge::rtol.
  bool slips(const State<Model>& E, const Q& size, Real rtol, int i) const {
    const auto& d = end_[std::size_t(i)];
    for (int t = 0; t < T::tangents; ++t) {
      Real gamma = component(d.zeta_T, t), terms = absolute(gamma);
      for (int k = 0; k < T::dof; ++k) {
        gamma += d.w_T.coeff(k, t) * E.u.coeff(k);
        terms += absolute(d.w_T.coeff(k, t)) * size.coeff(k);
      }
      if (absolute(gamma) > rtol * terms) return true;
    }
    return false;
  }

  std::array<bool, std::size_t(T::contacts)> held_{};
  std::array<Directions<Real, T::dof, T::tangents>, std::size_t(T::contacts)> end_{};
  std::array<FrictionDirections<Real, T::dof, T::friction_dim>, std::size_t(T::frictions)> friction_end_{};
  Vector<Real, T::contacts> gamma_A_ = Vector<Real, T::contacts>::Zero();  // normal velocities at A, m/s
};

}  // namespace detail
}  // namespace moreau
