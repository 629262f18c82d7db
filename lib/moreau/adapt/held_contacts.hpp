// The base step of adaptive runs: how the options change it.
//
//   force_at = predicted   h = h(q_M, u_A + dt/2 M^-1 h(q_M, u_A, t_M), t_M)
//   closed = held          a contact that was closed stays closed until its force ends, whatever its gap, and has no
//                          restitution meanwhile
//
//   -xi_N in N(P_N),  xi_N = gamma_E + eps gamma_A,   gamma_E = w(E)^T u_E + zeta(E),  gamma_A = w(A)^T u_A + zeta(A)
//
// E is (q_A + dt u_A, t_E), A is (q_A, t_A). With both at the middle, as in the paper, the velocity left at the end of
// a step is a dt / 2, a the acceleration by which the contact turns away; a step that begins where that is extrapolated
// away sees only half of a, and lifts contacts off that the other half would keep closed.
//
// A step in which another contact is hit is an impact. A held contact that flies off faster than a tenth of what hits
// (and than what the turning of directions leaves to contacts at rest) is not held there: stopping it without
// restitution takes a percussion that works, and rattling corners would gain energy. All contacts that overlap take
// part in the impact with their restitution. Otherwise the corners of a light slider hit in turns, one per step of
// dt_min: with G_01 = -G_00 each hit gives the other corner the velocity it takes from this one, and the rattle never
// ends.
//
// Contacts on one face may share their friction in many ways, and the solver's choice may put one of them at its bound
// though nothing slips. seen() counts a contact as sticking if another one sticks and the judge would accept its slip
// velocity as zero.
//
// Friction elements have their directions at E, too.
//
// This is the rule of every model in an adaptive run, of one with persistent contacts
// (contact/persistent_contacts.hpp), too: with directions at both ends of a step no rotation is left to correct. Such a
// run clears the memory of contacts, so a plain step after it begins with the paper's rule; a contact that carried a
// percussion is closed there.
//
// The hooks of a step: begin() before it, then force_at, closed(), holds(), directions(), friction_directions(),
// gamma_A(); seen() after it.
#pragma once

#include "moreau/adapt/discrete_state.hpp"
#include "moreau/model/evaluation.hpp"
#include "moreau/model/time.hpp"
#include "moreau/step/active_contacts.hpp"

namespace moreau {
namespace detail {

template <class Model>
class HeldContacts {
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
    const Real t = A.time();
    const Q q_M = A.q + dt / 2 * A.u, q_E = A.q + dt * A.u;
    const Evaluation<Model> at_E(model, q_E, reduced(model, t + dt));
    if constexpr (T::frictions > 0)
      for (int j = 0; j < T::frictions; ++j) friction_end_[std::size_t(j)] = at_E.friction_directions(j);
    if constexpr (T::contacts > 0) {
      const Evaluation<Model> at_A(model, A.q, reduced(model, t)), at_M(model, q_M, reduced(model, t + dt / 2));
      Real hit = Real(0), turning = Real(0);  // m/s, the fastest that comes; what the step adds to gamma by turning
      for (int i = 0; i < T::contacts; ++i) {
        const auto n = std::size_t(i);
        const auto d = at_A.directions(i);
        end_[n] = at_E.directions(i);
        gamma_A_.coeffRef(i) = dot(Q(d.w_N), A.u) + d.zeta_N;
        held_[n] = before.of(2 * i) == LawMode::closed;
        if (!held_[n] && at_M.gap(i) <= Real(0)) hit = larger(hit, -gamma_A_.coeff(i));
        turning = larger(turning, absolute(dot(Q(end_[n].w_N), A.u) + end_[n].zeta_N - gamma_A_.coeff(i)));
      }
      for (int i = 0; i < T::contacts; ++i)
        if (hit > Real(0) && gamma_A_.coeff(i) > hit / 10 + turning) held_[std::size_t(i)] = false;
      impact_ = hit > Real(0);
    }
  }

  bool holds(int i) const { return holding && held_[std::size_t(i)]; }
  // An open contact that overlaps - every contact that has been closed does, a little - closes when it approaches, and
  // takes part in impacts.
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

  DiscreteState<Model> seen(const Model& model, const Judge<Real>& judge, const State<Model>& E) const {
    DiscreteState<Model> state(E);
    if constexpr (T::contacts > 0 && T::tangents > 0) {
      int stick = 0, doubtful = 0;
      for (int i = 0; holding && i < T::contacts; ++i) {
        if (E.sigma_T[std::size_t(i)] == 0) ++stick;
        if (carries_friction(E, i) && E.sigma_T[std::size_t(i)] == 1) ++doubtful;
      }
      if (stick == 0 || doubtful == 0) return state;
      const Q size = summands(model, E);
      for (int i = 0; i < T::contacts; ++i)
        if (carries_friction(E, i) && !slips(E, size, judge.rtol, i))
          state.mode[std::size_t(2 * i + 1)] = DiscreteState<Model>::Mode::constraint;
    }
    return state;
  }

 private:
  bool impact_ = false;  // a contact that is not held is hit
  static bool carries_friction(const State<Model>& E, int i) {
    Real sum = Real(0);
    for (int t = 0; t < T::tangents; ++t) sum += absolute(E.P_T.coeff(t, i));
    return E.sigma_N[std::size_t(i)] == 0 && sum > Real(0);
  }
  // What u_E is added up from, coordinate by coordinate, with 1 / M_kk as the least that a percussion moves.
  Q summands(const Model& model, const State<Model>& E) const {
    const auto M = Evaluation<Model>(model, E.q, reduced(model, E.time())).mass();
    Q size;
    for (int k = 0; k < T::dof; ++k) {
      Real kick = Real(0);
      for (int i = 0; i < T::contacts; ++i) {
        const auto& d = end_[std::size_t(i)];
        kick += absolute(d.w_N.coeff(k) * E.P_N.coeff(i));
        for (int t = 0; t < T::tangents; ++t) kick += absolute(d.w_T.coeff(k, t) * E.P_T.coeff(t, i));
      }
      size.coeffRef(k) = absolute(E.u.coeff(k)) + kick / M.coeff(k, k);
    }
    return size;
  }
  bool slips(const State<Model>& E, const Q& size, Real rtol, int i) const {
    const auto& d = end_[std::size_t(i)];
    for (int t = 0; t < T::tangents; ++t) {
      Real gamma = component(d.zeta_T, t), least = absolute(gamma);
      for (int k = 0; k < T::dof; ++k) {
        gamma += d.w_T.coeff(k, t) * E.u.coeff(k);
        least += absolute(d.w_T.coeff(k, t)) * size.coeff(k);
      }
      if (absolute(gamma) > rtol * least) return true;
    }
    return false;
  }

  std::array<bool, std::size_t(T::contacts)> held_{};
  std::array<Directions<Real, T::dof, T::tangents>, std::size_t(T::contacts)> end_{};
  std::array<FrictionDirections<Real, T::dof, T::friction_dim>, std::size_t(T::frictions)> friction_end_{};
  Vector<Real, T::contacts> gamma_A_ = Vector<Real, T::contacts>::Zero();  // m/s
};

}  // namespace detail
}  // namespace moreau
