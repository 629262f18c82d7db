// What joints of a mechanism from parts did, by name: one row per step, with seven columns for each joint.
//
//   moreau::workstation::JointLog log{"crank.csv", std::tuple{"guide", &Parts::guide}, std::tuple{"foot_2", &Parts::feet, 2}};
//   const auto before = machine.state;
//   machine.step(dt);
//   log(machine.model, before, machine.state);
//
//   t [s], guide_g_N [m], guide_play_used, guide_closed, guide_x [N], guide_y [N], guide_moment [N m], guide_lost [J], ...
//
// The numbers are those of joint_output: smallest gap, used play, bits of closed contacts, load on body B, dissipation.
#pragma once
#include <array>
#include <moreau/mechanism/joint_output.hpp>
#include <string>
#include <tuple>
#include <vector>

#include "moreau/workstation/log.hpp"

namespace moreau::workstation {

template <class... Joints>  // std::tuple{name, arguments of joint_output between model and states}
class JointLog {
 public:
  explicit JointLog(const std::string& path, const Joints&... joints)
      : file_(path, header(joints...)), joints_(joints...) {}

  template <class Model>
  void operator()(const Model& model, const State<Model>& before, const State<Model>& after) {
    using Number = typename Model::Real;
    const auto numbers = [&](const auto& joint) {
      return std::apply(
          [&](const auto&, const auto&... which) {
            const JointOutput<Number> out = joint_output(model, which..., before, after);
            const Point<Number>& force = out.load.force;
            return std::array<Number, columns>{out.g_N, out.play_used,   Number(out.closed), force.x,
                                               force.y, out.load.moment, out.dissipated};
          },
          joint);
    };
    std::apply([&](const auto&... joint) { file_.row(after.time(), numbers(joint)...); }, joints_);
  }

  bool good() const { return file_.good(); }
  std::string what() const { return file_.what(); }
  [[nodiscard]] bool close() { return file_.close(); }

 private:
  static constexpr std::size_t columns = 7;
  static std::vector<std::string> header(const Joints&... joints) {
    std::vector<std::string> names{"t [s]"};
    const auto add = [&names](const std::string& joint) {
      for (const char* what : {"g_N [m]", "play_used", "closed", "x [N]", "y [N]", "moment [N m]", "lost [J]"})
        names.push_back(joint + '_' + what);
    };
    (add(std::get<0>(joints)), ...);
    return names;
  }

  Log file_;
  std::tuple<Joints...> joints_;
};

}  // namespace moreau::workstation
