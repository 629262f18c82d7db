// Poses and velocities of the bodies of a mechanism in joint coordinates, by the names of the bodies.
//
//   const auto rod = model.body_state(machine.state, Parts::rod);       rod.frame.r, rod.frame.phi, rod.v, rod.omega
//   start.q(Model::angle_of<Parts::crank>) = 0.3;                       one coordinate (mechanism/joint_vector.hpp)
//   model.set_bodies(bodies, start);                                    from poses and velocities of all bodies
//
// set_bodies takes x and y of free bodies, the angles, and the distances along the axes of Prismatic joints. It does
// not use the other positions: they follow from the joints of the spanning tree. Joints that close loops can remain
// open; close_joints closes them.
#pragma once

#include <array>

#include "moreau/mechanism/joint_vector.hpp"
#include "moreau/mechanism/part_laws.hpp"
#include "moreau/mechanism/tree_kinematics.hpp"

namespace moreau {
namespace detail {

MOREAU_SHADOWING_BEGIN

// Parts list with the poses of its bodies.
template <class Parts_>
class TreePoses : public PartLaws<Parts_> {
  using Kinematics = TreeKinematics<Parts_>;

  // Indices of the coordinates of a body. A body without this coordinate is rejected at compile time.
  template <int body>
  static constexpr int named_angle() {
    static_assert(body >= 0 && body < Kinematics::bodies, "angle_of: this list has no such body");
    static_assert(angle_index(body) >= 0, "angle_of: Prismatic and Weld joints connect this body to the ground");
    return angle_index(body);
  }
  template <int body>
  static constexpr int named_slide() {
    static_assert(body >= 0 && body < Kinematics::bodies, "slide_of: this list has no such body");
    static_assert(Kinematics::tree.inboard[body] == Inboard::prismatic,
                  "slide_of: no Prismatic of the spanning tree carries this body");
    return slide_index(body);
  }
  template <int body>
  static constexpr int named_position(int axis) {
    static_assert(body >= 0 && body < Kinematics::bodies, "x_of, y_of: this list has no such body");
    static_assert(Kinematics::tree.is_free(body),
                  "x_of, y_of: the position of this body follows from its joints; body_state() returns it");
    return slide_index(body) + axis;
  }

 public:
  using Real = typename Kinematics::Real;

  TreePoses() = default;
  TreePoses(const Parts_& parts) : PartLaws<Parts_>(parts) {}

  // Vectors q and u of a state. If all bodies are free, q = (x, y, phi) of every body.
  using StateVector = std::conditional_t<Kinematics::tree.dof == 3 * Kinematics::bodies,
                                         Vector<Real, Kinematics::tree.dof>, JointVector<Real, Kinematics::tree.dof>>;

  // Coordinates of a body, by its name. Bodies connected by Prismatic or Weld share one angle.
  template <int body>
  static constexpr Coordinate angle_of{named_angle<body>()};
  template <int body>
  static constexpr Coordinate slide_of{named_slide<body>()};
  template <int body>
  static constexpr Coordinate x_of{named_position<body>(0)};
  template <int body>
  static constexpr Coordinate y_of{named_position<body>(1)};

  // Returns the index of the coordinate phi of a body in q and u; -1 if its angle is fixed.
  static constexpr int angle_index(int body) { return Kinematics::tree.angle[body]; }
  // Returns the index of the translational coordinate of a body: s of its Prismatic joint, or x of a free body (y is
  // the next coordinate). Returns -1 for all other bodies.
  static constexpr int slide_index(int body) { return Kinematics::tree.slide[body]; }

  using Bodies = std::array<BodyState<Real>, std::size_t(Kinematics::bodies)>;

  // Returns frames and velocities of all bodies, in the order of their numbers.
  Bodies body_states(const StateVector& q, const StateVector& u, Real t) const {
    typename Kinematics::At a;
    Kinematics::place(*this, q, t, a);
    Bodies found;
    for_each_constant<Kinematics::bodies>([&](auto b) { found[std::size_t(b)] = Kinematics::template state<b>(a, u); });
    return found;
  }
  template <class State>
  Bodies body_states(const State& state) const {
    return body_states(state.q, state.u, state.time());
  }
  // Returns frame and velocities of a body. The ground and numbers out of range give BodyState{}.
  template <class State>
  BodyState<Real> body_state(const State& state, int body) const {
    return body >= 0 && body < Kinematics::bodies ? body_states(state)[std::size_t(body)] : BodyState<Real>{};
  }

  // Sets q and u of a state from poses and velocities of all bodies, in the order of their numbers.
  template <class State>
  void set_bodies(const Bodies& bodies, State& state) const {
    for_each_constant<Kinematics::bodies>([&](auto b) {
      constexpr int angle = angle_index(b), slide = slide_index(b);
      const BodyState<Real>& body = bodies[b];
      if constexpr (!Kinematics::tree.shares_angle(b)) {
        state.q[angle] = body.frame.phi;
        state.u[angle] = body.omega;
      }
      if constexpr (Kinematics::tree.is_free(b)) {
        state.q[slide] = body.frame.r.x, state.q[slide + 1] = body.frame.r.y;
        state.u[slide] = body.v.x, state.u[slide + 1] = body.v.y;
      } else if constexpr (slide >= 0) {
        set_slide<slide>(std::get<std::size_t(Kinematics::tree.part[b])>(this->parts()), bodies, state);
      }
    });
  }

  // Wraps all angles. Defined only if Parts::endless is true.
  using Coordinates = Vector<Real, Kinematics::tree.dof>;
  template <bool endless = PartsList<Parts_>::endless, std::enable_if_t<endless, int> = 0>
  Coordinates wrap(const Coordinates& q) const {
    Coordinates wrapped = q;
    for_each_constant<Kinematics::bodies>([&](auto b) {
      if constexpr (!Kinematics::tree.shares_angle(b)) {
        constexpr int j = Kinematics::tree.angle[b];
        wrapped.coeffRef(j) = wrap_angle(q.coeff(j));
      }
    });
    return wrapped;
  }

 private:
  template <int slide, class Joint, class Bodies, class State>
  static void set_slide(const Joint& joint, const Bodies& bodies, State& state) {
    BodyState<Real> A, B;  // the ground is at rest
    if constexpr (Joint::body_A != ground) A = bodies[Joint::body_A];
    if constexpr (Joint::body_B != ground) B = bodies[Joint::body_B];
    const Point<Real> along = A.frame.turn((Real(1) / sqrt(dot(joint.axis, joint.axis))) * joint.axis);
    const Point<Real> p_A = A.frame.world(joint.on_A), p_B = B.frame.world(joint.on_B);
    state.q[slide] = dot(along, p_B - p_A);
    state.u[slide] = dot(along, B.velocity_of(p_B) - A.velocity_of(p_A));
  }
};

MOREAU_SHADOWING_END

}  // namespace detail
}  // namespace moreau
