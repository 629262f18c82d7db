// A recorder that writes a table: t, q_0.., u_0.., P_N_0.., P_T_0.. and the judge's residual, one row per step, SI
// units.
//
//   moreau::workstation::CsvRecorder<Model> table{"toy.csv"};
//   moreau::run(stepper, dt, 1000, table);
//
// Columns may be given names of their own: CsvRecorder<Model>{"toy.csv", {"y", "phi_M", "phi_S"}} writes y, phi_M,
// phi_S, then u_y, u_phi_M, u_phi_S.
#pragma once
#include <moreau/record/recorder.hpp>
#include <string>
#include <vector>

#include "moreau/workstation/csv.hpp"

namespace moreau::workstation {

template <class Model>
class CsvRecorder {
  using T = Traits<Model>;
  using Real = typename T::Real;

 public:
  explicit CsvRecorder(const std::string& path, const std::vector<std::string>& coordinates = {})
      : file_(path, symbols(coordinates)) {}

  void operator()(const State<Model>& state, const StepReport<Real>& report) {
    file_.row(state.time(), state.q, state.u, state.P_N, state.P_T.reshaped(), report.residual);
  }

  bool good() const { return file_.good(); }

 private:
  static std::vector<std::string> symbols(const std::vector<std::string>& coordinates) {
    std::vector<std::string> all{"t"};
    const bool named = coordinates.size() == std::size_t(T::dof);
    const auto number = [](const char* symbol, int i) { return symbol + std::to_string(i); };
    for (int i = 0; i < T::dof; ++i) all.push_back(named ? coordinates[std::size_t(i)] : number("q_", i));
    for (int i = 0; i < T::dof; ++i) all.push_back(named ? "u_" + coordinates[std::size_t(i)] : number("u_", i));
    for (int i = 0; i < T::contacts; ++i) all.push_back(number("P_N_", i));
    for (int i = 0; i < T::contacts; ++i) {
      for (int t = 0; t < T::tangents; ++t) {
        all.push_back(number("P_T_", i) + (T::tangents > 1 ? "_" + std::to_string(t) : ""));
      }
    }
    all.push_back("residual");
    return all;
  }

  Csv file_;
};

}  // namespace moreau::workstation
