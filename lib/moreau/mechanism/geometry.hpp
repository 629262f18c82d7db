// Geometry of a parts list, selected by the type of its bodies: the types of its parts, and the coordinates of a body.
// The Body of this folder selects the plane; spatial/geometry.hpp adds space.
//
//   coordinates   number of coordinates of a body; its velocities have the same number
//   tangents      number of sliding directions of a contact
//   planar        true in the plane, false in space
#pragma once

#include "moreau/joints/joint_contact.hpp"
#include "moreau/math/detect.hpp"
#include "moreau/mechanism/forces.hpp"
#include "moreau/mechanism/ideal_joints.hpp"

namespace moreau {
namespace detail {

template <class Parts>
class BodyPoses;
template <int bodies>
struct SpanningTree;
template <class Parts>
class TreeRows;
template <class Parts>
class TreePoses;

// Coordinates of a wrench: those of the velocity of its body.
template <class Wrench>
struct WrenchEntries;
template <class Real>
struct WrenchEntries<Wrench<Real>> {
  static constexpr int count = 3;
  template <class V>
  MOREAU_ALWAYS_INLINE static void add(V& v, int first, const Wrench<Real>& wrench) {
    v.coeffRef(first) += wrench.force.x;
    v.coeffRef(first + 1) += wrench.force.y;
    v.coeffRef(first + 2) += wrench.moment;
  }
};

template <class Real_>
struct PlaneGeometry {
  using Real = Real_;
  using Body = moreau::Body<Real>;
  using Point = moreau::Point<Real>;
  using Frame = moreau::Frame<Real>;
  using Wrench = moreau::Wrench<Real>;
  using BodyState = moreau::BodyState<Real>;
  using JointContact = moreau::JointContact<Real>;
  using ContactBias = moreau::ContactBias<Real>;
  using JointRow = moreau::JointRow<Real>;
  using FrictionRow = moreau::FrictionRow<Real>;
  using Action = moreau::Action<Real>;
  template <class Parts>
  using Poses = BodyPoses<Parts>;

  // Joint coordinates.
  template <int bodies>
  using Tree = SpanningTree<bodies>;
  template <class Parts>
  using EquationsOfTree = TreeRows<Parts>;
  template <class Parts>
  using PosesOfTree = TreePoses<Parts>;
  static constexpr int coordinates = 3, tangents = 1;
  static constexpr bool planar = true;

  // Returns the frame of a body whose coordinates begin at `first`.
  template <class Q>
  static Frame frame(const Q& q, int first) {
    return Frame::at({q.coeff(first), q.coeff(first + 1)}, q.coeff(first + 2));
  }
  template <class U>
  static BodyState state(const Body&, const Frame& frame, const U& u, int first) {
    return {frame, {u.coeff(first), u.coeff(first + 1)}, u.coeff(first + 2)};
  }
  static constexpr Real inertia(const Body& body, int k) { return k == 2 ? body.J : body.m; }
  static constexpr bool is_angle(int k) { return k == 2; }
  // Sets coordinates and velocities of a body.
  template <class V>
  static void set_state(const BodyState& body, V& q, V& u, int first) {
    q.template segment<3>(first) = Vector<Real, 3>(body.frame.r.x, body.frame.r.y, body.frame.phi);
    u.template segment<3>(first) = Vector<Real, 3>(body.v.x, body.v.y, body.omega);
  }
  static constexpr bool touched(Touches t, int k) { return k == 0 ? t.x : (k == 1 ? t.y : t.phi); }

  template <class FrameA, class FrameB>
  static constexpr ContactWrenches<Real> wrenches(const JointContact& c, const FrameA& A, const FrameB& B) {
    return contact_wrenches(c, A, B);
  }
  static constexpr const Wrench& tangent_A(const ContactWrenches<Real>& rows, int) { return rows.T_A; }
  static constexpr const Wrench& tangent_B(const ContactWrenches<Real>& rows, int) { return rows.T_B; }
};

// Geometry of a type of bodies. The plane for a list without bodies, which mechanism/require_list.hpp rejects.
template <class Body>
struct GeometryOfBody {
  using type = PlaneGeometry<double>;
};
template <class Real>
struct GeometryOfBody<Body<Real>> {
  using type = PlaneGeometry<Real>;
};
template <class Parts>
using body_in = std::remove_cv_t<std::remove_extent_t<decltype(Parts::body)>>;
template <class Parts>
using GeometryOf = typename GeometryOfBody<Detected<body_in, Parts>>::type;

}  // namespace detail
}  // namespace moreau
