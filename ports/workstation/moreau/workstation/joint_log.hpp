// Log of joints of a mechanism from parts, by name: one row per step, seven columns per joint.
//
//   moreau::workstation::JointLog log{"crank.csv", machine.model, std::tuple{"guide", &Parts::guide},
//                                     std::tuple{"foot_2", &Parts::feet, 2}};
//   const auto before = machine.state;
//   machine.step(dt);
//   log(machine.model, before, machine.state);
//
//   t [s], guide_g_N [m], guide_play_used, guide_closed, guide_x [N], guide_y [N], guide_moment [N m], guide_lost [J], ...
//
// Numbers as in joint_output: smallest gap, used clearance, bits of closed contacts, load on body B, dissipation. The
// gap of a backlash with unit radii is an angle, and its column has the unit rad.
#pragma once
#include <array>
#include <moreau/joints/backlash.hpp>
#include <moreau/mechanism/joint_output.hpp>
#include <string>
#include <tuple>
#include <vector>

#include "moreau/workstation/log.hpp"

namespace moreau::workstation {
namespace detail {

template <class Model, class Owner, class Part, class... Number>
const auto& part_of(const Model& model, Part Owner::*joint, const Number&... k) {
  if constexpr (sizeof...(k) == 0)
    return model.*joint;
  else
    return (model.*joint)[(k, ...)];
}
template <class Model, class Part>
const Part& part_of(const Model&, const Part& joint) {
  return joint;
}

template <class Joint>
const char* unit_of_gap(const Joint&) {
  return "m";
}
template <class R, int A, int B>
const char* unit_of_gap(const Backlash<R, A, B>& teeth) {
  const auto is_1 = [](R r) { return r == R(1) || r == R(-1); };
  return is_1(teeth.r_A) && is_1(teeth.r_B) ? "rad" : "m";
}

}  // namespace detail

template <class... Joints>  // std::tuple{name, arguments of joint_output between model and states}
class JointLog {
 public:
  template <class Model>
  JointLog(const std::string& path, const Model& model, const Joints&... joints)
      : file_(path, header(model, joints...)), joints_(joints...) {
    static_assert(sizeof...(Joints) > 0, "JointLog needs the model and at least one joint");
  }

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
  template <class Model>
  static std::vector<std::string> header(const Model& model, const Joints&... joints) {
    std::vector<std::string> names{"t [s]"};
    const auto add = [&](const auto& name, const auto&... which) {
      const std::string gap = std::string("g_N [") + detail::unit_of_gap(detail::part_of(model, which...)) + ']';
      for (const std::string& what : {gap, std::string("play_used"), std::string("closed"), std::string("x [N]"),
                                      std::string("y [N]"), std::string("moment [N m]"), std::string("lost [J]")})
        names.push_back(std::string(name) + '_' + what);
    };
    (std::apply(add, joints), ...);
    return names;
  }

  Log file_;
  std::tuple<Joints...> joints_;
};

}  // namespace moreau::workstation
