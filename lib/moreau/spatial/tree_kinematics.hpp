// Positions, velocities and accelerations of the bodies of a spanning tree in space (spatial/spanning_tree.hpp).
//
// The base of a body is the point of its inboard joint that is fixed in this body. p denotes the parent of body b. X is
// the vector from the centre of mass of p to the base of b, and C the vector from the base of b to its centre of mass.
// d is a direction of translation and turns with p; e is an axis of rotation. The orientation of a body is absolute if
// the body is free or on a Spherical joint (spatial/spanning_tree.hpp).
//
//   base_b = r_p + R_p on_p + sum of s d,               r_b = base_b + C
//   v_base = v_p + omega_p x X + s' d,                  v_b = v_base + omega_b x C
//   a_base = a_p + alpha_p x X + omega_p x (omega_p x X + 2 s' d)
//   a_b    = a_base + alpha_b x C + omega_b x (omega_b x C)
//
//   hinge       omega_b = omega_p + angle' e,   alpha_b = alpha_p + omega_p x angle' e
//   absolute    omega_b = R_b Omega,            alpha_b = R_b J^-1 (J Omega x Omega)
//
// alpha and a are the accelerations of the motion without forces, in which u changes as in drift()
// (spatial/free_body.hpp). In each of the two bodies of a joint, the axis and a normal define a frame. An angle of the
// joint is 0 if both frames coincide.
#pragma once

#include "moreau/mechanism/tree_kinematics.hpp"
#include "moreau/spatial/geometry.hpp"
#include "moreau/spatial/spanning_tree.hpp"

namespace moreau {
namespace spatial {
namespace detail {

// Point and frame without initial values (mechanism/tree_kinematics.hpp).
template <class Real>
struct RawPoint {
  Real x, y, z;
  MOREAU_ALWAYS_INLINE operator Point<Real>() const { return {x, y, z}; }
  MOREAU_ALWAYS_INLINE RawPoint& operator=(Point<Real> p) {
    x = p.x, y = p.y, z = p.z;
    return *this;
  }
};
template <class Real>
struct RawFrame {
  RawPoint<Real> r, x, y, z;
  MOREAU_ALWAYS_INLINE operator Frame<Real>() const { return {r, x, y, z}; }
};

// Frames, bases and directions at one (q, t).
template <class Parts>
struct SpatialAt {
  using List = moreau::detail::TreeList<Parts>;
  using Real = typename List::Real;
  Real t;
  RawFrame<Real> frame[List::bodies];
  RawPoint<Real> base[List::bodies];
  RawPoint<Real> direction[List::tree.dof];  // of translations, and of axes with an angle
  RawPoint<Real> tumbling[List::bodies];     // of absolute bodies: alpha along x is tumbling.x Omega.y Omega.z
};

// Velocities and accelerations of a body.
template <class Real>
struct Motion {
  Point<Real> omega, v, alpha, a;
};

// Axis, normal and third direction of a joint in one body, or in the world.
template <class Real>
struct JointAxes {
  Point<Real> axis, normal, third;

  // Rotates the frame about its axis.
  MOREAU_ALWAYS_INLINE void turn(Real angle) {
    const SinCos<Real> s = sincos(angle);
    const Point<Real> from = normal;
    normal = s.cos * from + s.sin * third;
    third = s.cos * third - s.sin * from;
  }
};

// Kinematics of the spanning tree of a parts list in space.
template <class Parts>
class SpatialKinematics : public moreau::detail::TreeLoops<Parts> {
  using Loops = moreau::detail::TreeLoops<Parts>;

 public:
  using List = moreau::detail::TreeList<Parts>;
  using Real = typename List::Real;
  using P = Point<Real>;
  static constexpr int bodies = List::bodies;
  static constexpr JointTree<bodies> tree = List::tree;
  using Loops::outward;
  static constexpr int dof = tree.dof;
  using Q = Vector<Real, dof>;
  using At = SpatialAt<Parts>;

  template <int count, class F>
  MOREAU_ALWAYS_INLINE static void each(F&& f) {
    moreau::detail::for_each_constant<count>(f);
  }

  // Sets all frames, bases and directions.
  MOREAU_ALWAYS_INLINE static void place(const Parts& list, const Q& q, Real t, At& a) {
    a.t = t;
    outward([&](auto b) {
      if constexpr (tree.is_absolute(b)) {
        set_axes<b>(a, Frame<Real>::at({}, quaternion_of(point_of(q, tree.turn(b)))));
        const P J = list.body[b].J;
        a.tumbling[b] = P{(J.y - J.z) / J.x, (J.z - J.x) / J.y, (J.x - J.y) / J.z};
      }
      if constexpr (tree.is_free(b)) {
        a.base[b] = point_of(q, tree.first[b]);
        a.frame[b].r = P(a.base[b]);
      } else {
        if constexpr (!tree.is_absolute(b)) place_on_joint<b>(list, q, a);
        P base = outer_frame<tree.parent[b]>(a).world(inboard<b>(list).on);
        each<tree.slides(b)>([&](auto k) {
          constexpr int j = tree.first[b] + k;
          base = base + q.coeff(j) * P(a.direction[j]);
        });
        a.base[b] = base;
        a.frame[b].r = base - frame<b>(a).turn(outboard<b>(list).on);
      }
    });
  }

  template <int body>
  MOREAU_ALWAYS_INLINE static Frame<Real> frame([[maybe_unused]] const At& a) {
    if constexpr (body == ground)
      return {};
    else
      return a.frame[body];
  }
  template <int body>
  MOREAU_ALWAYS_INLINE static BodyState<Real> state([[maybe_unused]] const At& a, [[maybe_unused]] const Q& u) {
    if constexpr (body == ground) {
      return {};
    } else {
      const Motion<Real> m = motion<body>(a, u);
      return {a.frame[body], m.v, m.omega, m.alpha};
    }
  }
  // Returns the acceleration of the centre of mass in the motion without forces.
  template <int body>
  MOREAU_ALWAYS_INLINE static P acceleration(const At& a, const Q& u) {
    return motion<body>(a, u).a;
  }
  template <int body>
  MOREAU_ALWAYS_INLINE static Motion<Real> motion([[maybe_unused]] const At& a, [[maybe_unused]] const Q& u) {
    if constexpr (body == ground)
      return {};
    else
      return moved<body>(a, u, motion<tree.parent[body]>(a, u));
  }
  // Returns the motion of a body from that of its parent.
  template <int b>
  MOREAU_ALWAYS_INLINE static Motion<Real> moved(const At& a, const Q& u, const Motion<Real>& parent) {
    constexpr int p = tree.parent[b];
    Motion<Real> m = parent;  // all 0 on the ground
    if constexpr (tree.is_free(b)) {
      m.v = point_of(u, tree.first[b]);
    } else {
      P sliding{};
      each<tree.slides(b)>([&](auto k) {
        constexpr int j = tree.first[b] + k;
        sliding = k == 0 ? u.coeff(j) * P(a.direction[j]) : sliding + u.coeff(j) * P(a.direction[j]);
      });
      if constexpr (p != ground && tree.rotates(p)) {
        const P X = P(a.base[b]) - P(a.frame[p].r), turning = cross(parent.omega, X);
        m.v = m.v + turning;
        m.a = m.a + cross(parent.omega, turning + Real(2) * sliding);
        if constexpr (tree.tumbles(p)) m.a = m.a + cross(parent.alpha, X);
      }
      if constexpr (tree.slides(b) > 0) m.v = p == ground ? sliding : m.v + sliding;
    }
    if constexpr (tree.is_absolute(b)) {
      const P W = point_of(u, tree.turn(b)), g = a.tumbling[b];
      m.omega = frame<b>(a).turn(W);
      m.alpha = frame<b>(a).turn({g.x * (W.y * W.z), g.y * (W.z * W.x), g.z * (W.x * W.y)});
    }
    each<tree.angles(b)>([&](auto k) {
      constexpr int j = tree.turn(b) + k;
      const P rate = u.coeff(j) * P(a.direction[j]);
      if constexpr (tree.rotates(p) || k > 0) m.alpha = m.alpha + cross(m.omega, rate);
      m.omega = tree.rotates(p) || k > 0 ? m.omega + rate : rate;
    });
    if constexpr (!tree.is_free(b) && tree.rotates(b)) {
      const P C = P(a.frame[b].r) - P(a.base[b]), turning = cross(m.omega, C);
      m.v = m.v + turning;
      m.a = m.a + cross(m.omega, turning);
      if constexpr (tree.tumbles(b)) m.a = m.a + cross(m.alpha, C);
    }
    return m;
  }

  // Point, axis and normal of a joint in one of its bodies.
  template <class Normal>
  struct Side {
    P on, axis;
    Normal normal;
  };
  template <int b, bool of_A>
  MOREAU_ALWAYS_INLINE static auto side(const Parts& list) {
    const auto& joint = std::get<std::size_t(tree.part[b])>(list.parts());
    if constexpr (tree.inboard[b] == Inboard::spherical)
      return Side<NoNormal>{of_A ? joint.on_A : joint.on_B, {}, {}};
    else if constexpr (tree.inboard[b] == Inboard::universal)
      return Side<NoNormal>{of_A ? joint.on_A : joint.on_B, of_A ? joint.axis_A : joint.axis_B, {}};
    else
      return Side<std::decay_t<decltype(joint.normal_A)>>{
          of_A ? joint.on_A : joint.on_B, of_A ? joint.axis_A : joint.axis_B, of_A ? joint.normal_A : joint.normal_B};
  }
  // Return the geometry of the inboard joint: inboard() in the parent, outboard() in the body itself.
  template <int b>
  MOREAU_ALWAYS_INLINE static auto inboard(const Parts& list) {
    return side<b, !tree.reversed[b]>(list);
  }
  template <int b>
  MOREAU_ALWAYS_INLINE static auto outboard(const Parts& list) {
    return side<b, tree.reversed[b]>(list);
  }

  // Returns an orthonormal frame: the axis of a joint, a normal, and their cross product. The normal is that of the
  // joint, or any normal if the joint defines none.
  template <int b, class Normal>
  MOREAU_ALWAYS_INLINE static JointAxes<Real> axes_of(const Side<Normal>& side) {
    const P axis = (Real(1) / sqrt(dot(side.axis, side.axis))) * side.axis;
    P normal;
    if constexpr (std::is_same_v<Normal, NoNormal>) {
      normal = across(axis);
    } else {
      normal = side.normal - dot(axis, side.normal) * axis;
      normal = (Real(1) / sqrt(dot(normal, normal))) * normal;
    }
    return {axis, normal, cross(axis, normal)};
  }
  template <int b>
  MOREAU_ALWAYS_INLINE static JointAxes<Real> axes_in_world(const Parts& list, const At& a) {
    const JointAxes<Real> in_parent = axes_of<b>(inboard<b>(list));
    if constexpr (tree.parent[b] == ground) {
      return in_parent;
    } else {
      const Frame<Real> parent = frame<tree.parent[b]>(a);
      const P axis = parent.turn(in_parent.axis), normal = parent.turn(in_parent.normal);
      return {axis, normal, cross(axis, normal)};
    }
  }
  template <int body>
  MOREAU_ALWAYS_INLINE static auto outer_frame([[maybe_unused]] const At& a) {
    if constexpr (body == ground)
      return GroundFrame<Real>{};
    else
      return frame<body>(a);
  }
  template <int b, int k>
  MOREAU_ALWAYS_INLINE static P slide_direction(const JointAxes<Real>& axes) {
    return tree.inboard[b] != Inboard::planar ? axes.axis : (k == 0 ? axes.normal : axes.third);
  }

 private:
  template <int b>
  MOREAU_ALWAYS_INLINE static void set_axes(At& a, const Frame<Real>& f) {
    a.frame[b].x = f.x, a.frame[b].y = f.y, a.frame[b].z = f.z;
  }

  // Sets axes and directions of a body on a joint with axes.
  template <int b>
  MOREAU_ALWAYS_INLINE static void place_on_joint(const Parts& list, const Q& q, At& a) {
    JointAxes<Real> axes = axes_in_world<b>(list, a);
    each<tree.slides(b)>([&](auto k) { a.direction[tree.first[b] + k] = slide_direction<b, k>(axes); });
    each<tree.angles(b)>([&](auto k) {
      constexpr int j = tree.turn(b) + k;
      if constexpr (k == 1) axes = {axes.normal, axes.third, axes.axis};
      a.direction[j] = axes.axis;
      axes.turn(q.coeff(j));
    });
    const JointAxes<Real> own = axes_of<b>(outboard<b>(list));
    const auto axis_of_body = [&](Real along_axis, Real along_normal, Real along_third) -> P {
      return (along_axis * axes.axis + along_normal * axes.normal) + along_third * axes.third;
    };
    a.frame[b].x = axis_of_body(own.axis.x, own.normal.x, own.third.x);
    a.frame[b].y = axis_of_body(own.axis.y, own.normal.y, own.third.y);
    a.frame[b].z = axis_of_body(own.axis.z, own.normal.z, own.third.z);
  }
};

// Returns the frame of one body, as in mechanism/tree_kinematics.hpp.
template <int body, class Parts>
Frame<typename SpatialAt<Parts>::Real> frame_of(const SpatialAt<Parts>& a) {
  return SpatialKinematics<Parts>::template frame<body>(a);
}

}  // namespace detail
}  // namespace spatial
}  // namespace moreau
