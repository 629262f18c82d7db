// Positions, velocities and accelerations of the bodies of a spanning tree (spanning_tree.hpp).
//
// The base of a body is the point of its inboard joint that is fixed in this body. p denotes the parent of body b:
//
//   E_b   from the base of p to the base of b        turns with p; for a Prismatic, it includes s d_b
//   C_b   from the base of b to its centre of mass   turns with b; 0, and omitted, for a free body, whose base is its
//         centre, and for a Revolute::AtCentre
//   d_b   direction of the slide of a Prismatic, a unit vector that turns with p
//
//   base_b = base_p + E_b,                     r_b = base_b + C_b
//   v_base_b = v_base_p + omega_p x E_b + s' d_b,            v_b = v_base_b + omega_b x C_b
//   a_base_b = a_base_p - omega_p^2 E_b + 2 omega_p x s' d_b,   a_b = a_base_b - omega_b^2 C_b
//
// a is the bias acceleration: the acceleration at u' = 0. The recursions are unrolled at compile time. The members of
// TreeAt have no initial values, because a compiler clears an object with initial values by a call of memset.
#pragma once

#include "moreau/joints/ground.hpp"
#include "moreau/math/angle.hpp"
#include "moreau/math/sqrt.hpp"
#include "moreau/mechanism/spanning_tree.hpp"

namespace moreau {
namespace detail {

// Point without initial values.
template <class Real>
struct RawPoint {
  Real x, y;
  MOREAU_ALWAYS_INLINE operator Point<Real>() const { return {x, y}; }
  MOREAU_ALWAYS_INLINE RawPoint& operator=(Point<Real> p) {
    x = p.x, y = p.y;
    return *this;
  }
};

// Frames and arms of all bodies at one (q, t).
template <class Parts>
struct TreeAt {
  using Real = typename PartsList<Parts>::Real;
  static constexpr int bodies = PartsList<Parts>::bodies;
  Real t;
  Real phi[bodies], sin[bodies], cos[bodies];
  RawPoint<Real> r[bodies], C[bodies], E[bodies], d[bodies];
};

// Returns the angle of a vector, in (-pi, pi]. A polynomial gives the angle with an error below 4e-3 rad. Two
// corrections by the sine of the error follow; each cubes the error.
template <class Real>
Real angle_of(Point<Real> v) {
  const Real x = absolute(v.x), y = absolute(v.y);
  const Real longer = Branchless::larger(x, y), shorter = x + y - longer;
  const Real z = shorter / longer, octant = z * (Real(1.0584) - Real(0.273) * z);
  Real phi = Branchless::select_if_less(x, y, pi<Real> / Real(2) - octant, octant);
  phi = Branchless::select_if_less(v.x, Real(0), pi<Real> - phi, phi);
  phi = Branchless::select_if_less(v.y, Real(0), -phi, phi);
  const Real length = sqrt(dot(v, v));
  for (int round = 0; round < 2; ++round) {
    const SinCos<Real> at = sincos(phi);
    phi += cross(Point<Real>{at.cos, at.sin}, v) / length;
  }
  return phi;
}

// Kinematics of the spanning tree of a parts list.
template <class Parts>
class TreeKinematics : public TreeLoops<Parts> {
 public:
  using List = TreeList<Parts>;
  using TreeLoops<Parts>::outward;
  using Real = typename List::Real;
  using P = Point<Real>;
  static constexpr int bodies = List::bodies;
  static constexpr SpanningTree<bodies> tree = List::tree;
  static constexpr int dof = tree.dof;
  using Q = Vector<Real, dof>;
  using At = TreeAt<Parts>;

  // Properties known at compile time. has_arm: C_b can differ from 0. base_moves: the base of the body moves. rotates:
  // the angle of the body varies.
  static constexpr bool has_arm(int b) { return !tree.is_free(b) && !tree.centred[b]; }
  static constexpr bool base_moves(int b) {
    return tree.is_free(b) || tree.parent[b] != ground || tree.inboard[b] == Inboard::prismatic;
  }
  static constexpr bool rotates(int b) { return b != ground && tree.angle[b] >= 0; }

  // Sets all frames and arms.
  MOREAU_ALWAYS_INLINE static void place(const Parts& list, const Q& q, Real t, At& a) {
    a.t = t;
    set_angles(a, q, std::make_integer_sequence<int, turning.count>{});
    RawPoint<Real> base[bodies];
    outward([&](auto b) {
      if constexpr (tree.is_free(b)) {
        base[b] = P{q.coeff(tree.slide[b]), q.coeff(tree.slide[b] + 1)};
        a.r[b] = base[b];
      } else {
        if constexpr (tree.shares_angle(b)) turn_with_parent<b>(list, a);
        constexpr int p = tree.parent[b];
        P arm = point_on_parent<b>(list);
        if constexpr (p != ground)
          if constexpr (has_arm(p)) arm = arm - inboard_point<p>(list);
        a.E[b] = turn<p>(a, arm);
        if constexpr (tree.inboard[b] == Inboard::prismatic) {
          a.d[b] = slide_direction<b>(list, a);
          a.E[b] = P(a.E[b]) + q.coeff(tree.slide[b]) * P(a.d[b]);
        }
        base[b] = a.E[b];
        if constexpr (p != ground) base[b] = P(base[p]) + P(a.E[b]);
        a.r[b] = base[b];
        if constexpr (has_arm(b)) {
          a.C[b] = turn<b>(a, -inboard_point<b>(list));
          a.r[b] = P(base[b]) + P(a.C[b]);
        }
      }
    });
  }

  template <int body>
  MOREAU_ALWAYS_INLINE static auto frame([[maybe_unused]] const At& a) {
    if constexpr (body == ground)
      return GroundFrame<Real>{};
    else
      return Frame<Real>{a.r[body], a.phi[body], a.sin[body], a.cos[body]};
  }
  template <int body>
  MOREAU_ALWAYS_INLINE static auto state([[maybe_unused]] const At& a, [[maybe_unused]] const Q& u) {
    if constexpr (body == ground)
      return GroundState<Real>{};
    else
      return BodyState<Real>{frame<body>(a), velocity<body>(a, u), omega<body>(u)};
  }
  template <int body>
  MOREAU_ALWAYS_INLINE static Real omega([[maybe_unused]] const Q& u) {
    if constexpr (rotates(body))
      return u.coeff(tree.angle[body]);
    else
      return Real(0);
  }

  // Velocity of the centre of mass.
  template <int body>
  MOREAU_ALWAYS_INLINE static P velocity(const At& a, const Q& u) {
    P v = base_velocity<body>(a, u);
    if constexpr (has_arm(body) && rotates(body)) v = v + omega<body>(u) * quarter_turn(P(a.C[body]));
    return v;
  }
  // Acceleration of the centre of mass at u' = 0.
  template <int body>
  MOREAU_ALWAYS_INLINE static P acceleration(const At& a, const Q& u) {
    P bias = base_acceleration<body>(a, u);
    if constexpr (has_arm(body) && rotates(body)) bias = bias - (omega<body>(u) * omega<body>(u)) * P(a.C[body]);
    return bias;
  }

 private:
  // Bodies whose angle is a coordinate of their own.
  struct Turning {
    int count = 0, body[bodies] = {};
  };
  static constexpr Turning list_turning() {
    Turning list;
    for (int b = 0; b < bodies; ++b)
      if (!tree.shares_angle(b)) list.body[list.count++] = b;
    return list;
  }
  static constexpr Turning turning = list_turning();

  // Sets angle, sine and cosine of these bodies. Several angles share one range test.
  template <int... k>
  MOREAU_ALWAYS_INLINE static void set_angles(At& a, const Q& q, std::integer_sequence<int, k...>) {
    if constexpr (sizeof...(k) == 1) {
      (set_angle<turning.body[k]>(a, q, sincos(q.coeff(tree.angle[turning.body[k]]))), ...);
    } else if constexpr (sizeof...(k) > 1) {
      const auto all = sincos(q.coeff(tree.angle[turning.body[k]])...);
      (set_angle<turning.body[k]>(a, q, all[std::size_t(k)]), ...);
    }
  }
  template <int body>
  MOREAU_ALWAYS_INLINE static void set_angle(At& a, const Q& q, const SinCos<Real>& s) {
    a.phi[body] = q.coeff(tree.angle[body]), a.sin[body] = s.sin, a.cos[body] = s.cos;
  }

  // Turns a vector of a body into the world.
  template <int body>
  MOREAU_ALWAYS_INLINE static P turn([[maybe_unused]] const At& a, P v) {
    if constexpr (body == ground)
      return v;
    else
      return {a.cos[body] * v.x - a.sin[body] * v.y, a.sin[body] * v.x + a.cos[body] * v.y};
  }

  template <int body>
  MOREAU_ALWAYS_INLINE static const auto& joint(const Parts& list) {
    return std::get<std::size_t(tree.part[body])>(list.parts());
  }
  // Point of the inboard joint in the body, and in its parent.
  template <int body>
  MOREAU_ALWAYS_INLINE static P inboard_point(const Parts& list) {
    const auto& part = joint<body>(list);
    if constexpr (tree.reversed[body])
      return part.on_A;
    else
      return part.on_B;
  }
  template <int body>
  MOREAU_ALWAYS_INLINE static P point_on_parent(const Parts& list) {
    const auto& part = joint<body>(list);
    if constexpr (!tree.reversed[body])
      return part.on_A;
    else if constexpr (is_at_centre<std::decay_t<decltype(part)>>)
      return {};
    else
      return part.on_B;
  }
  // The x axis of body_B in body_A, normalised.
  template <int body>
  MOREAU_ALWAYS_INLINE static P joint_axis(const Parts& list) {
    const P axis = joint<body>(list).axis;
    return (Real(1) / sqrt(dot(axis, axis))) * axis;
  }
  // Sets the angle of a body that shares the angle of its parent.
  template <int body>
  MOREAU_ALWAYS_INLINE static void turn_with_parent(const Parts& list, At& a) {
    P axis = joint_axis<body>(list);
    if constexpr (tree.reversed[body]) axis.y = -axis.y;
    constexpr int p = tree.parent[body];
    a.phi[body] = angle_of(axis);
    if constexpr (p != ground) {
      a.phi[body] += a.phi[p];
      axis = turn<p>(a, axis);
    }
    a.cos[body] = axis.x, a.sin[body] = axis.y;
  }
  template <int body>
  MOREAU_ALWAYS_INLINE static P slide_direction(const Parts& list, const At& a) {
    if constexpr (tree.reversed[body]) {
      const P x_of_slider = turn<tree.parent[body]>(a, P{Real(1), Real(0)});
      return -x_of_slider;
    } else {
      return turn<tree.parent[body]>(a, joint_axis<body>(list));
    }
  }

  template <int body>
  MOREAU_ALWAYS_INLINE static P base_velocity([[maybe_unused]] const At& a, [[maybe_unused]] const Q& u) {
    constexpr int p = tree.parent[body];
    if constexpr (tree.is_free(body)) {
      return {u.coeff(tree.slide[body]), u.coeff(tree.slide[body] + 1)};
    } else {
      P v{};
      if constexpr (p != ground) v = arm_velocity<p>(a, u, a.E[body]);
      if constexpr (tree.inboard[body] == Inboard::prismatic) v = v + u.coeff(tree.slide[body]) * P(a.d[body]);
      return v;
    }
  }
  // Velocity of the point at `arm` from the base of a body.
  template <int body>
  MOREAU_ALWAYS_INLINE static P arm_velocity(const At& a, const Q& u, P arm) {
    if constexpr (!rotates(body))
      return base_velocity<body>(a, u);
    else if constexpr (!base_moves(body))
      return omega<body>(u) * quarter_turn(arm);
    else
      return base_velocity<body>(a, u) + omega<body>(u) * quarter_turn(arm);
  }
  template <int body>
  MOREAU_ALWAYS_INLINE static P base_acceleration([[maybe_unused]] const At& a, [[maybe_unused]] const Q& u) {
    constexpr int p = tree.parent[body];
    P bias{};
    if constexpr (!tree.is_free(body) && p != ground) {
      bias = base_acceleration<p>(a, u);
      if constexpr (rotates(p)) {
        const Real w = omega<p>(u);
        bias = bias - (w * w) * P(a.E[body]);
        if constexpr (tree.inboard[body] == Inboard::prismatic)
          bias = bias + (Real(2) * w * u.coeff(tree.slide[body])) * quarter_turn(P(a.d[body]));
      }
    }
    return bias;
  }
};

// Frame or state of one body, as for Mechanism (parts_list.hpp).
template <int body, class Parts>
Frame<typename TreeAt<Parts>::Real> frame_of(const TreeAt<Parts>& a) {
  return TreeKinematics<Parts>::template frame<body>(a);
}
template <int body, class Parts>
BodyState<typename TreeAt<Parts>::Real> state_of(const TreeAt<Parts>& a, const typename TreeKinematics<Parts>::Q& u) {
  return TreeKinematics<Parts>::template state<body>(a, u);
}

}  // namespace detail
}  // namespace moreau
