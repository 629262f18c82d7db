// Joint coordinates in space: the coordinates of a spanning tree of the ideal joints (mechanism/spanning_tree.hpp).
//
//   inboard joint   translations         rotations                    velocities of the rotations
//   free            r                    sigma                        Omega, along the axes of the body
//   Spherical       -                    sigma                        Omega
//   Revolute        -                    angle                        rate
//   Cylindrical     along the axis       angle                        rate
//   Planar          two in the plane     angle                        rate
//   Prismatic       along the axis       -                            -
//   Universal       -                    an angle about either axis   rates
//   Weld            -                    -                            -
//
// The orientation of a free body and of a body on a Spherical joint is absolute: it does not turn with the parent, and
// its free rotation is that of spatial/free_body.hpp. All other joints have relative coordinates. The descendants of an
// absolute body therefore follow a rotation of its ancestors by translation only.
//
// Coordinates are numbered from the tips of the tree to its roots, so that the factors of M have the zeros of M.
#pragma once

#include "moreau/mechanism/spanning_tree.hpp"
#include "moreau/spatial/ideal_joints.hpp"

namespace moreau {
namespace detail {

template <class Real, int A, int B, int points, bool holds_normal>
inline constexpr Inboard edge_of<spatial::detail::AxisJoint<Real, A, B, points, holds_normal>> =
    holds_normal ? (points == 3 ? Inboard::weld : Inboard::prismatic)
                 : (points == 3 ? Inboard::revolute : (points == 2 ? Inboard::cylindrical : Inboard::planar));
template <class Real, int A, int B>
inline constexpr Inboard edge_of<spatial::Spherical<Real, A, B>> = Inboard::spherical;
template <class Real, int A, int B>
inline constexpr Inboard edge_of<spatial::Universal<Real, A, B>> = Inboard::universal;

}  // namespace detail

namespace spatial {
namespace detail {

using moreau::detail::Inboard;

// Tree and coordinates of a list in space.
template <int bodies>
struct JointTree : moreau::detail::Branches<bodies> {
  using Base = moreau::detail::Branches<bodies>;
  using Base::inboard, Base::parent, Base::order, Base::is_free, Base::is_on_path;
  int first[bodies] = {};          // first coordinate of a body: translations, then rotations
  int owner[6 * bodies + 1] = {};  // body of a coordinate
  int dof = 0;

  // True if the orientation of the body is absolute.
  constexpr bool is_absolute(int body) const { return is_free(body) || inboard[body] == Inboard::spherical; }
  constexpr int slides(int body) const {
    switch (inboard[body]) {
      case Inboard::free:
        return 3;
      case Inboard::planar:
        return 2;
      case Inboard::prismatic:
      case Inboard::cylindrical:
        return 1;
      default:
        return 0;
    }
  }
  // Number of angles of the inboard joint.
  constexpr int angles(int body) const {
    switch (inboard[body]) {
      case Inboard::universal:
        return 2;
      case Inboard::revolute:
      case Inboard::cylindrical:
      case Inboard::planar:
        return 1;
      default:
        return 0;
    }
  }
  constexpr int turns(int body) const { return is_absolute(body) ? 3 : angles(body); }
  // First rotational coordinate of a body.
  constexpr int turn(int body) const { return first[body] + slides(body); }
  constexpr bool is_slide(int j) const { return j < turn(owner[j]); }
  constexpr bool has_absolute() const {
    for (int b = 0; b < bodies; ++b)
      if (is_absolute(b)) return true;
    return false;
  }

  // Number of rotating joints from the ground or from the last absolute body to the body; an absolute body counts
  // twice.
  constexpr int rotations(int body) const {
    int sum = 0;
    for (; body != ground; body = parent[body]) {
      if (is_absolute(body)) return sum + 2;
      sum += angles(body);
    }
    return sum;
  }
  constexpr bool rotates(int body) const { return rotations(body) > 0; }
  // True if the axis of rotation of the body varies in the world.
  constexpr bool tumbles(int body) const { return rotations(body) > 1; }

  // Returns true if coordinate j moves the body.
  constexpr bool moves(int j, int body) const { return is_on_path(owner[j], body); }
  // Returns the first absolute body after the body of rotation j on the path to `body`, which follows j as a point. If
  // all bodies of the path turn with j, returns ground.
  constexpr int carrier(int j, int body) const {
    int found = ground;
    for (; body != owner[j]; body = parent[body])
      if (is_absolute(body)) found = body;
    return found;
  }
  // Returns true if coordinate j moves both bodies as one rigid body.
  constexpr bool moves_alike(int j, int A, int B) const {
    return moves(j, A) && moves(j, B) && (is_slide(j) || carrier(j, A) == carrier(j, B));
  }
};

template <int bodies>
constexpr void number_coordinates(JointTree<bodies>& tree) {
  for (int k = bodies - 1; k >= 0; --k) {
    const int b = tree.order[k];
    tree.first[b] = tree.dof;
    for (int n = 0; n < tree.slides(b) + tree.turns(b); ++n) tree.owner[tree.dof++] = b;
  }
}

}  // namespace detail
}  // namespace spatial
}  // namespace moreau
