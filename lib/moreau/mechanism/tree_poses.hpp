// Poses and velocities of the bodies of a mechanism in joint coordinates, by the names of the bodies.
//
//   const auto rod = model.body_state(machine.state, Parts::rod);       rod.frame.r, rod.frame.phi, rod.v, rod.omega
//   start.q(Model::angle_index(Parts::crank)) = 0.3;                    one coordinate
//   model.set_bodies(bodies, start);                                    from poses and velocities of all bodies
//
// set_bodies takes x and y of free bodies, the angles, and the distances along the axes of Prismatic joints. It does
// not use the other positions: they follow from the joints of the spanning tree. Joints that close loops can remain
// open; close_joints closes them.
#pragma once

#include <array>

#include "moreau/mechanism/part_laws.hpp"
#include "moreau/mechanism/tree_kinematics.hpp"

namespace moreau {
namespace detail {

MOREAU_SHADOWING_BEGIN

// Parts list with the poses of its bodies.
template <class Parts_>
struct TreePoses : PartLaws<Parts_> {
  using Kinematics = TreeKinematics<Parts_>;
  using Real = typename Kinematics::Real;

  TreePoses() = default;
  TreePoses(const Parts_& parts) : PartLaws<Parts_>(parts) {}

  // Returns the index of the coordinate phi of a body in q and u; -1 if its angle is fixed.
  static constexpr int angle_index(int body) { return Kinematics::tree.angle[body]; }
  // Returns the index of the translational coordinate of a body: s of its Prismatic, x of a free body, which y follows.
  // Returns -1 for all other bodies.
  static constexpr int slide_index(int body) { return Kinematics::tree.slide[body]; }

  // Returns frame and velocities of a body. The ground and numbers out of range give BodyState{}.
  template <class State>
  BodyState<Real> body_state(const State& state, int body) const {
    typename Kinematics::At a;
    Kinematics::place(*this, state.q, state.time(), a);
    BodyState<Real> found;
    for_each_constant<Kinematics::bodies>([&](auto b) {
      if (body == b) found = Kinematics::template state<b>(a, state.u);
    });
    return found;
  }

  // Sets q and u of a state from poses and velocities of all bodies, in the order of their numbers.
  template <class State>
  void set_bodies(const std::array<BodyState<Real>, std::size_t(Kinematics::bodies)>& bodies, State& state) const {
    for_each_constant<Kinematics::bodies>([&](auto b) {
      constexpr int angle = angle_index(b), slide = slide_index(b);
      const BodyState<Real>& body = bodies[b];
      if constexpr (!Kinematics::tree.shares_angle(b)) {
        state.q(angle) = body.frame.phi;
        state.u(angle) = body.omega;
      }
      if constexpr (Kinematics::tree.is_free(b)) {
        state.q(slide) = body.frame.r.x, state.q(slide + 1) = body.frame.r.y;
        state.u(slide) = body.v.x, state.u(slide + 1) = body.v.y;
      } else if constexpr (slide >= 0) {
        set_slide<slide>(std::get<std::size_t(Kinematics::tree.part[b])>(this->parts()), bodies, state);
      }
    });
  }

 private:
  template <int slide, class Joint, class Bodies, class State>
  static void set_slide(const Joint& joint, const Bodies& bodies, State& state) {
    BodyState<Real> A, B;  // the ground is at rest
    if constexpr (Joint::body_A != ground) A = bodies[Joint::body_A];
    if constexpr (Joint::body_B != ground) B = bodies[Joint::body_B];
    const Point<Real> along = A.frame.turn((Real(1) / sqrt(dot(joint.axis, joint.axis))) * joint.axis);
    const Point<Real> p_A = A.frame.world(joint.on_A), p_B = B.frame.world(joint.on_B);
    state.q(slide) = dot(along, p_B - p_A);
    state.u(slide) = dot(along, B.velocity_of(p_B) - A.velocity_of(p_A));
  }
};

MOREAU_SHADOWING_END

}  // namespace detail
}  // namespace moreau
