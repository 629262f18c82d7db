// Recorder of adaptive runs that writes a table with one row per accepted step:
//
//   t, dt, order, sigma_N_0.., sigma_T_0.., sigma_F_0.., q_0.., u_0.., P_N_0.., P_T_0.., P_F_0.., P_B_0..,
//   switched_N_0.., switched_T_0.., switched_F_0..
//
//   moreau::workstation::AdaptiveLog<Model> table{"toy.csv", {"y [m]", "phi_M [rad]", "phi_S [rad]"}};
//   run.advance_to(1.5, table);
//
// sigma: 1 impressed, 0 constraint. switched: 1 if the step resolved a switching of the law. Percussions are those of
// the whole step. Coordinates may have names and units, as in StateLog. Each complete row goes to the file system, so
// an interrupted run leaves whole rows.
#pragma once
#include <array>
#include <moreau/adapt/discrete_state.hpp>
#include <string>
#include <vector>

#include "moreau/workstation/columns.hpp"
#include "moreau/workstation/log.hpp"

namespace moreau::workstation {

template <class Model>
class AdaptiveLog {
  using T = Traits<Model>;
  using LawKind = typename DiscreteState<Model>::LawKind;

 public:
  explicit AdaptiveLog(const std::string& path, const std::vector<std::string>& coordinates = {})
      : file_(path, header(coordinates)) {}

  template <class Step>
  void operator()(const State<Model>& state, const Step& step) {
    std::array<int, std::size_t(T::contacts)> switched_N{}, switched_T{};
    std::array<int, std::size_t(T::frictions)> switched_F{};
    for (const auto& w : step.switchings) {
      const auto i = std::size_t(w.index);
      if constexpr (T::contacts > 0)
        (w.law == LawKind::friction ? switched_T : switched_N)[i] |= w.law != LawKind::element;
      if constexpr (T::frictions > 0)
        if (w.law == LawKind::element) switched_F[i] = 1;
    }
    const auto with_friction = [](const auto& per_contact) {
      return T::tangents > 0 ? std::vector<int>(per_contact.begin(), per_contact.end()) : std::vector<int>{};
    };
    file_.row(state.time(), step.dt, step.order, state.sigma_N, with_friction(state.sigma_T), state.sigma_F, state.q,
              state.u, state.P_N, state.P_T.reshaped(), state.P_F.reshaped(), state.P_B, switched_N,
              with_friction(switched_T), switched_F);
    file_.flush();
  }

  bool good() const { return file_.good(); }
  std::string what() const { return file_.what(); }
  [[nodiscard]] bool close() { return file_.close(); }

 private:
  static std::vector<std::string> header(const std::vector<std::string>& coordinates) {
    constexpr int with_friction = T::tangents > 0 ? T::contacts : 0;
    Columns<Model> all{coordinates};
    all.add("t [s]").add("dt [s]").add("order");
    all.add("sigma_N_", T::contacts).add("sigma_T_", with_friction).add("sigma_F_", T::frictions);
    all.add_q().add_u().add_P().add("P_F_", T::frictions, "", T::friction_dim).add("P_B_", T::bilaterals);
    all.add("switched_N_", T::contacts).add("switched_T_", with_friction).add("switched_F_", T::frictions);
    return all.names;
  }

  Log file_;
};

}  // namespace moreau::workstation
