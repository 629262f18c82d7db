// Impact of a step of second order: its jump of u and its instant, from the states before and after the step.
//
//   J     u_E - u_free - du_held                         jump; du_held: that of the step (contact/previous_changes.hpp)
//   s     J^T (q_E - q_A - dt/2 (u_A + u_E)) / J^T J     the step moves q by s J (contact/impact_instants.hpp)
//   age   dt/2 + s, limited to dt/2 .. 3/2 dt            time from the impact to the end of the step
//
// An impact can precede its step by dt/2. All impacts of one step share the instant of the earliest. Models without
// `second_order` have no instants.
#pragma once
#include <moreau/moreau.hpp>

namespace moreau::identify {

template <class Model>
class ImpactOfStep {
  using Real = typename Traits<Model>::Real;
  using Q = Vector<Real, Traits<Model>::dof>;

 public:
  Q jump = Q::Zero();  // of u
  double age = 0;      // s

  // Stores the state before a step of dt.
  void begin([[maybe_unused]] const State<Model>& state, [[maybe_unused]] double dt) {
    if constexpr (Traits<Model>::second_order) {
      q_ = state.q, u_ = state.u;
      held_ = moreau::detail::held_change<moreau::detail::Branching, Model>(state, Real(dt));
    }
  }

  // Takes the state after the step. Returns true if the step contains an impact.
  bool end([[maybe_unused]] const State<Model>& state, [[maybe_unused]] double dt) {
    if constexpr (Traits<Model>::second_order) {
      if (state.impact == 0) return false;
      jump = state.du_held - held_;
      const Q moved = state.q - q_ - Real(dt / 2) * (u_ + state.u);
      const double size = double(moreau::dot(jump, jump));
      if (!(size > 0)) return false;
      const double s = double(moreau::dot(jump, moved)) / size;
      age = dt / 2 + (s < 0 ? 0 : s > dt ? dt : s);
      return true;
    } else {
      return false;
    }
  }

 private:
  Q q_ = Q::Zero(), u_ = Q::Zero(), held_ = Q::Zero();
};

}  // namespace moreau::identify
