// Recorder that writes a table: t, q_0.., u_0.., P_N_0.., P_T_0.. and the residual, one row per step.
//
//   moreau::workstation::StateLog<Model> table{"toy.csv"};
//   moreau::run(stepper, dt, 1000, table);
//
// Coordinates may have names with units: {"y [m]", "phi_M [rad]", "phi_S [rad]"} writes these columns, and
// u_y [m/s], u_phi_M [rad/s], u_phi_S [rad/s].
#pragma once
#include <moreau/record/recorder.hpp>
#include <string>
#include <vector>

#include "moreau/workstation/columns.hpp"
#include "moreau/workstation/log.hpp"

namespace moreau::workstation {

template <class Model>
class StateLog {
  using T = Traits<Model>;
  using Real = typename T::Real;

 public:
  explicit StateLog(const std::string& path, const std::vector<std::string>& coordinates = {})
      : file_(path, header(coordinates)) {}

  void operator()(const State<Model>& state, const StepReport<Real>& report) {
    file_.row(state.time(), state.q, state.u, state.P_N, state.P_T.reshaped(), report.residual);
  }

  bool good() const { return file_.good(); }
  std::string what() const { return file_.what(); }
  [[nodiscard]] bool close() { return file_.close(); }

 private:
  static std::vector<std::string> header(const std::vector<std::string>& coordinates) {
    return Columns<Model>{coordinates}.add("t [s]").add_q().add_u().add_P().add("residual [m/s]").names;
  }

  Log file_;
};

}  // namespace moreau::workstation
