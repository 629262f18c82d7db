// Poses and velocities of the bodies of a mechanism in the coordinates of its bodies, by the names of the bodies: the
// functions of mechanism/tree_poses.hpp.
#pragma once

#include <array>

#include "moreau/math/angle.hpp"
#include "moreau/mechanism/joint_vector.hpp"
#include "moreau/mechanism/part_laws.hpp"

namespace moreau {
namespace detail {

MOREAU_SHADOWING_BEGIN

template <class Parts_>
class BodyPoses : public PartLaws<Parts_> {
  static constexpr int body_count = PartsList<Parts_>::bodies;

 public:
  using Real = typename PartLaws<Parts_>::Real;

  BodyPoses() = default;
  BodyPoses(const Parts_& parts) : PartLaws<Parts_>(parts) {}

  template <int body>
  static constexpr Coordinate x_of{3 * body};
  template <int body>
  static constexpr Coordinate y_of{3 * body + 1};
  template <int body>
  static constexpr Coordinate angle_of{3 * body + 2};
  static constexpr int angle_index(int body) { return 3 * body + 2; }
  static constexpr int slide_index(int body) { return 3 * body; }

  using Bodies = std::array<BodyState<Real>, std::size_t(body_count)>;
  using StateVector = Vector<Real, 3 * body_count>;

  // Wraps all angles. Defined only if Parts::endless is true.
  template <bool endless = PartsList<Parts_>::endless, std::enable_if_t<endless, int> = 0>
  Vector<Real, 3 * body_count> wrap(const Vector<Real, 3 * body_count>& q) const {
    Vector<Real, 3 * body_count> wrapped = q;
    for_each_index<body_count>([&](auto b) { wrapped.coeffRef(3 * b + 2) = wrap_angle(q.coeff(3 * b + 2)); });
    return wrapped;
  }

  // Returns frames and velocities of all bodies, in the order of their numbers.
  Bodies body_states(const StateVector& q, const StateVector& u, Real) const {
    Bodies found;
    for (int body = 0; body < body_count; ++body) {
      const int j = 3 * body;
      found[std::size_t(body)] = {Frame<Real>::at({q[j], q[j + 1]}, q[j + 2]), {u[j], u[j + 1]}, u[j + 2]};
    }
    return found;
  }
  template <class State>
  Bodies body_states(const State& state) const {
    return body_states(state.q, state.u, state.time());
  }
  // Returns frame and velocities of a body. The ground and numbers out of range give BodyState{}.
  template <class State>
  BodyState<Real> body_state(const State& state, int body) const {
    return body >= 0 && body < body_count ? body_states(state)[std::size_t(body)] : BodyState<Real>{};
  }

  // Sets q and u of a state from poses and velocities of all bodies, in the order of their numbers.
  template <class State>
  void set_bodies(const Bodies& bodies, State& state) const {
    for (int body = 0; body < body_count; ++body) {
      const BodyState<Real>& from = bodies[std::size_t(body)];
      const int j = 3 * body;
      state.q[j] = from.frame.r.x, state.q[j + 1] = from.frame.r.y, state.q[j + 2] = from.frame.phi;
      state.u[j] = from.v.x, state.u[j + 1] = from.v.y, state.u[j + 2] = from.omega;
    }
  }
};

MOREAU_SHADOWING_END

}  // namespace detail
}  // namespace moreau
