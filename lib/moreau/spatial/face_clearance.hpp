// Joints between points of B and plane faces of A.
//
//   ThrustClearance   a flat ring of B between two faces of A:   `points` points of its edge at either face
//   GuideClearance    a box of B in a channel of A:              8 corners at 2 faces each
//
//   g = play +- d . (p - p_A),   n = -+ d,   d fixed in A, p fixed in B
//
// Fixed points replace the deepest point of the ring, because a moving point would jump while the ring lies flat.
// Between two points, the edge of a tilted ring can penetrate a face by up to ring (1 - cos(pi / points)) sin(tilt)
// before a contact closes. The contacts also hold a box that has left the channel, between the extended faces.
#pragma once

#include "moreau/spatial/contact_rates.hpp"
#include "moreau/spatial/ideal_joints.hpp"

namespace moreau {
namespace spatial {
namespace detail {

// Returns the bias accelerations of contact c between a point of B and a face of A.
template <int A, int B, class Real>
ContactBias<Real, 2> bias_at_face(const JointContact<Real>& c, const BodyState<Real>& state_A,
                                  const BodyState<Real>& state_B) {
  const Point<Real> omega = state_A.omega;
  return contact_bias(c, {cross(omega, c.n), cross(omega, c.t), state_B.velocity_of(c.p)}, state_of_part<A>(state_A),
                      state_of_part<B>(state_B));
}

}  // namespace detail

// Axial clearance of a shaft. Contacts 0 to points - 1 are at the face towards -axis, the others at the opposite face.
template <class Real, int A, int B, int points = 4>
struct ThrustClearance {
  static constexpr int body_A = A, body_B = B, contacts = 2 * points;
  static_assert(points == 3 || points == 4, "ThrustClearance has 3 or 4 points on either face");

  Point<Real> on_A, axis_A{Real(0), Real(0), Real(1)};  // middle between the faces in A, m; their normal, a unit vector
  Point<Real> on_B, axis_B{Real(0), Real(0), Real(1)};  // centre of the ring in B, m; its axis, a unit vector
  Real play = Real(0), ring = Real(0);                  // to either side of the middle; radius of the ring, m, > 0
  ContactLaw<Real> law{};

  bool valid() const {
    return detail::is_unit(axis_A) && detail::is_unit(axis_B) && moreau::detail::is_clearance(play) && ring > Real(0);
  }
  JointContact<Real> contact(int k, const Frame<Real>& frame_A, const Frame<Real>& frame_B) const {
    const Real side = k < points ? Real(-1) : Real(1);
    const auto& at_A = detail::frame_of_part<A>(frame_A);
    const Point<Real> d = at_A.turn(axis_A), x_B = across(axis_B), y_B = cross(axis_B, x_B);
    const int j = k < points ? k : k - points;
    const Point<Real> p =
        detail::frame_of_part<B>(frame_B).world(on_B + (ring * cosine[j]) * x_B + (ring * sine[j]) * y_B);
    return {play - side * dot(d, p - at_A.world(on_A)), -side * d, at_A.turn(across(axis_A)), p};
  }
  ContactBias<Real, 2> contact_bias_acceleration(int, const JointContact<Real>& c, const BodyState<Real>& state_A,
                                                 const BodyState<Real>& state_B) const {
    return detail::bias_at_face<A, B>(c, state_A, state_B);
  }

 private:
  static constexpr Real root = Real(0.86602540378443864676);  // sin(pi / 3)
  static constexpr Real cosine[] = {Real(1), points == 4 ? Real(0) : Real(-0.5), points == 4 ? Real(-1) : Real(-0.5),
                                    Real(0)};
  static constexpr Real sine[] = {Real(0), points == 4 ? Real(1) : root, points == 4 ? Real(0) : -root, Real(-1)};
};

// Prismatic joint with clearance: a box in a channel with four faces. Bits 0, 1 and 2 of a contact index k are 1 for
// corners on the positive side along axis_B, normal_B and their vector product. Bit 3 selects the face on the side of
// the corner: perpendicular to normal_A (0) or to the third direction (1).
template <class Real, int A, int B>
struct GuideClearance {
  static constexpr int body_A = A, body_B = B, contacts = 16;

  Point<Real> on_A,
      axis_A{Real(0), Real(0), Real(1)};  // a point of the centre line of the channel in A, m; its direction
  Point<Real> on_B, axis_B{Real(0), Real(0), Real(1)};  // centre of the box in B, m; its long axis
  Point<Real> normal_A{Real(1), Real(0), Real(0)};  // normal of two faces in A, a unit vector perpendicular to axis_A
  Point<Real> normal_B{Real(1), Real(0), Real(0)};  // the same direction in B
  Point<Real> half;     // half lengths of the box along axis_B, normal_B and the third direction, m, > 0
  Real play = Real(0);  // to either side, between the box and each face, m, > 0
  ContactLaw<Real> law{};

  bool valid() const {
    return detail::is_unit(axis_A) && detail::is_unit(axis_B) && detail::is_normal(axis_A, normal_A) &&
           detail::is_normal(axis_B, normal_B) && moreau::detail::is_clearance(play) && half.x > Real(0) &&
           half.y > Real(0) && half.z > Real(0);
  }
  JointContact<Real> contact(int k, const Frame<Real>& frame_A, const Frame<Real>& frame_B) const {
    const auto sign = [k](int bit) { return (k & bit) != 0 ? Real(1) : Real(-1); };
    const bool third = (k & 8) != 0;
    const Real side = third ? sign(4) : sign(2);
    const auto& at_A = detail::frame_of_part<A>(frame_A);
    const Point<Real> d = at_A.turn(third ? cross(axis_A, normal_A) : normal_A);
    const Point<Real> p =
        detail::frame_of_part<B>(frame_B).world(on_B + (sign(1) * half.x) * axis_B + (sign(2) * half.y) * normal_B +
                                                (sign(4) * half.z) * cross(axis_B, normal_B));
    const Real half_width = third ? half.z : half.y;
    return {play + half_width - side * dot(d, p - at_A.world(on_A)), -side * d, at_A.turn(axis_A), p};
  }
  ContactBias<Real, 2> contact_bias_acceleration(int, const JointContact<Real>& c, const BodyState<Real>& state_A,
                                                 const BodyState<Real>& state_B) const {
    return detail::bias_at_face<A, B>(c, state_A, state_B);
  }
};

}  // namespace spatial
}  // namespace moreau
