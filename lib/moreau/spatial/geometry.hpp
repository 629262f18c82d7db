// Geometry of parts lists whose bodies are spatial::Body (mechanism/geometry.hpp).
#pragma once

#include "moreau/mechanism/geometry.hpp"
#include "moreau/spatial/forces.hpp"
#include "moreau/spatial/friction.hpp"
#include "moreau/spatial/ideal_joints.hpp"
#include "moreau/spatial/joint_contact.hpp"

namespace moreau {
namespace spatial {
namespace detail {

template <class Parts>
class SpatialPoses;
template <int bodies>
struct JointTree;
template <class Parts>
class SpatialRows;
template <class Parts>
class SpatialTreePoses;

template <class V>
constexpr auto point_of(const V& v, int first) {
  return spatial::Point<typename V::Scalar>{v.coeff(first), v.coeff(first + 1), v.coeff(first + 2)};
}
template <class V, class Real>
constexpr void set_point(V& v, int first, Point<Real> p) {
  v.coeffRef(first) = p.x;
  v.coeffRef(first + 1) = p.y;
  v.coeffRef(first + 2) = p.z;
}

// Coordinates of a body: position r and modified Rodrigues parameters sigma (spatial/free_body.hpp). Velocities: v in
// the world, and Omega along the axes of the body.
template <class Real_>
struct SpaceGeometry {
  using Real = Real_;
  using Body = spatial::Body<Real>;
  using Point = spatial::Point<Real>;
  using Frame = spatial::Frame<Real>;
  using Wrench = spatial::Wrench<Real>;
  using BodyState = spatial::BodyState<Real>;
  using JointContact = spatial::JointContact<Real>;
  using ContactBias = moreau::ContactBias<Real, 2>;
  using JointRow = spatial::JointRow<Real>;
  using FrictionRow = spatial::FrictionRow<Real>;
  using Action = spatial::Action<Real>;
  template <class Parts>
  using Poses = SpatialPoses<Parts>;
  template <int bodies>
  using Tree = JointTree<bodies>;
  template <class Parts>
  using EquationsOfTree = SpatialRows<Parts>;
  template <class Parts>
  using PosesOfTree = SpatialTreePoses<Parts>;
  static constexpr int coordinates = 6, tangents = 2;
  static constexpr bool planar = false;

  template <class Q>
  static Frame frame(const Q& q, int first) {
    return Frame::at(point_of(q, first), quaternion_of(point_of(q, first + 3)));
  }
  template <class U>
  static BodyState state(const Body& body, const Frame& frame, const U& u, int first) {
    return state_of(body, frame, point_of(u, first), point_of(u, first + 3));
  }
  static constexpr Real inertia(const Body& body, int k) { return k < 3 ? body.m : component(body.J, k - 3); }
  static constexpr bool is_angle(int k) { return k >= 3; }
  // Sets coordinates and velocities of a body.
  template <class V>
  static void set_state(const BodyState& body, V& q, V& u, int first) {
    set_point(q, first, body.frame.r);
    set_point(q, first + 3, rodrigues_of(quaternion_of_axes(body.frame)));
    set_point(u, first, body.v);
    set_point(u, first + 3, body.frame.turn_back(body.omega));
  }
  static constexpr bool touched(Touches t, int k) { return k >= 3 ? t.moment : (k == 0 ? t.x : (k == 1 ? t.y : t.z)); }

  MOREAU_ALWAYS_INLINE static constexpr ContactWrenches<Real> wrenches(const JointContact& c, const Frame& A,
                                                                       const Frame& B) {
    return contact_wrenches(c, A, B);
  }
  static constexpr const Wrench& tangent_A(const ContactWrenches<Real>& rows, int t) { return rows.T_A[t]; }
  static constexpr const Wrench& tangent_B(const ContactWrenches<Real>& rows, int t) { return rows.T_B[t]; }
};

}  // namespace detail
}  // namespace spatial

namespace detail {

template <class Real>
struct WrenchEntries<spatial::Wrench<Real>> {
  static constexpr int count = 6;
  template <class V>
  MOREAU_ALWAYS_INLINE static void add(V& v, int first, const spatial::Wrench<Real>& wrench) {
    v.coeffRef(first) += wrench.force.x;
    v.coeffRef(first + 1) += wrench.force.y;
    v.coeffRef(first + 2) += wrench.force.z;
    v.coeffRef(first + 3) += wrench.moment.x;
    v.coeffRef(first + 4) += wrench.moment.y;
    v.coeffRef(first + 5) += wrench.moment.z;
  }
};
template <class Real>
struct GeometryOfBody<spatial::Body<Real>> {
  using type = spatial::detail::SpaceGeometry<Real>;
};

}  // namespace detail
}  // namespace moreau
