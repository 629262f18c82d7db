// Rigid body in space, and its motion without forces.
//
//   q = (r, sigma)     centre of mass in the world; modified Rodrigues parameters of the orientation (point.hpp)
//   u = (v, Omega)     velocity of the centre of mass in the world; angular velocity along the axes of the body, which
//                      are principal axes, so M = diag(m, m, m, Jx, Jy, Jz) is constant
//
//   r' = v,   R' = R Omega^,   J Omega' = J Omega x Omega
//
// The drift over h splits the rotation into that of a body symmetric about z, and a correction; L = J Omega:
//
//   2 T = |L|^2 / Jx + (1/Jz - 1/Jx) Lz^2 + (1/Jy - 1/Jx) Ly^2
//
//   turn about y by  h/2 (1/Jy - 1/Jx) Ly      R <- R exp(a),  L <- exp(-a) L
//   turn about z by  h (1/Jz - 1/Jx) Lz
//   turn about L by  h L / Jx                  R only
//   turn about y by  h/2 (1/Jy - 1/Jx) Ly
//
// Each turn is the exact flow of one term of the energy. The drift is therefore symplectic and time-reversible. The
// angular momentum is constant to rounding, and the error of the energy remains bounded up to rotations of 2 rad per
// drift. At any speed, the drift is exact for bodies with Jx = Jy, so choose z as the axis of symmetry. It is also
// exact for rotation about one principal axis. It has no iteration. If two moments of inertia are equal, the turn by 0
// that results is omitted. The instruction count therefore depends on J only.
//
// With gyroscopic moments as forces h, the energy of a fast body would instead grow without bound.
#pragma once

#include "moreau/spatial/point.hpp"

namespace moreau {
namespace spatial {

// Mass properties of a body. The axes of its frame are principal axes.
template <class Real>
struct Body {
  Real m = Real(0);  // mass, kg
  Point<Real> J;     // moments of inertia about the axes of the frame, kg m^2
};

namespace detail {

// Rotation of a body without moments, in the middle of a drift.
template <class Real>
struct FreeRotation {
  Real w;
  Point<Real> v;          // quaternion (w, v)
  Point<Real> L, change;  // angular momentum along the axes of the body, and its change since the beginning

  // Turns by `angle` about axis k of the body; i and j follow cyclically. The quaternion changes as in turned(),
  // without the products with zeros.
  MOREAU_ALWAYS_INLINE void turn(Real angle, Real Point<Real>::*k, Real Point<Real>::*i, Real Point<Real>::*j) {
    const SinCos<Real> quarter = sincos(Real(0.25) * angle);
    const Real s = Real(2) * quarter.sin * quarter.cos, w1 = Real(-2) * quarter.sin * quarter.sin;
    const Real sine = Real(2) * s * (Real(1) + w1), cosine1 = Real(-2) * s * s;  // sin a, cos a - 1
    const Real along_i = cosine1 * L.*i + sine * L.*j, along_j = cosine1 * L.*j - sine * L.*i;
    L.*i += along_i, change.*i += along_i;
    L.*j += along_j, change.*j += along_j;
    const Real v_k = v.*k, v_i = v.*i;
    v.*k += w1 * v.*k + w * s;
    w += w * w1 - v_k * s;
    v.*i += w1 * v.*i + v.*j * s;
    v.*j += w1 * v.*j - v_i * s;
  }
};

// Moves orientation and angular velocity of a body over h.
template <class Real>
MOREAU_ALWAYS_INLINE void rotate_freely(Point<Real> J, Real h, Point<Real>& sigma, Point<Real>& Omega) {
  const Point<Real> per{Real(1) / J.x, Real(1) / J.y, Real(1) / J.z};
  const Quaternion<Real> from = quaternion_of(sigma);
  FreeRotation<Real> body{from.w, {from.x, from.y, from.z}, times(J, Omega), {}};
  using P = Point<Real>;
  const auto turn_about_y = [&] {
    if (J.x == J.y) return;  // turns by 0
    body.turn(Real(0.5) * h * (per.y - per.x) * body.L.y, &P::y, &P::z, &P::x);
  };
  turn_about_y();
  if (J.x != J.z) body.turn(h * (per.z - per.x) * body.L.z, &P::z, &P::x, &P::y);
  const Quaternion<Real> q =
      turned(Quaternion<Real>{body.w, body.v.x, body.v.y, body.v.z}, increment_of((h * per.x) * body.L));
  body.w = q.w, body.v = {q.x, q.y, q.z};
  turn_about_y();
  sigma = rodrigues_of(Quaternion<Real>{body.w, body.v.x, body.v.y, body.v.z});
  Omega = Omega + times(per, body.change);
}

// Returns sigma after a small rotation vector along the axes of the body. With a = |by|, the approximation tan(a/2) ~
// a/2 (1 + a^2/12) replaces the sine. The error of the angle is of fifth order in a.
template <class Real>
Point<Real> rotated(Point<Real> sigma, Point<Real> by) {
  const Real square = dot(by, by), factor = Real(0.5) + square / Real(24);
  const Quaternion<Real> q = turned(quaternion_of(sigma), {Real(0), factor * by});  // of the length below
  const Real length = moreau::sqrt(Real(1) + (factor * factor) * square);
  return (Real(1) / (length + q.w)) * Point<Real>{q.x, q.y, q.z};
}

// Returns the sigma of the same orientation with |sigma| <= 1.
template <class Real>
Point<Real> within_half_turn(Point<Real> sigma) {
  using C = moreau::detail::Branchless;
  const Real square = dot(sigma, sigma);
  const auto beyond = C::less(Real(1), square);
  const Real factor = Real(-1) / moreau::detail::select<C>(beyond, square, Real(1));
  return moreau::detail::select<C>(beyond, factor, Real(1)) * sigma;
}

}  // namespace detail
}  // namespace spatial
}  // namespace moreau
