// Small models that are difficult for adaptive runs: corners at rest on rotating planes, rods, rocking blocks, moving
// surfaces, stops. Together with examples/models they are the cases of papers/adaptive_cases.cpp.
#pragma once
#include <array>
#include <moreau/mechanism.hpp>
#include <moreau/moreau.hpp>

namespace cases {

template <class R>
struct Point {
  R x{0}, y{0};
};

// Rigid body, each of whose corners can touch one plane:
//
//   q = (x, y, phi),   p_i = (x, y) + rotation(phi) corner_i,   n = (-sin a, cos a),   t = (cos a, sin a)
//   g_N = n^T p_i - offset_i - shake sin(omega t),   a = angle_i + tilt(t),   tilt = turn t + swing sin(omega t)
//
// All planes rotate about the origin, as parts of one moving body.
template <class R, int corners>
struct CornersOnPlanes {
  using Real = R;
  static constexpr int dof = 3, contacts = corners;
  using Q = moreau::Vector<R, 3>;

  R m{1}, J{R(0.02)}, gravity{R(9.81)};
  std::array<Point<R>, corners> corner{};
  std::array<R, corners> angle{}, offset{};
  R turn{0}, swing{0}, shake{0}, omega{0};
  R push_x{0};  // N, at the centre of mass
  moreau::ContactLaw<R> contact_law{R(0.3), R(0), R(0.3)};

  moreau::Matrix<R, 3, 3> mass(const Q&, R) const { return Q(m, m, J).asDiagonal(); }
  Q force(const Q&, const Q&, R) const { return Q(push_x, -m * gravity, R(0)); }
  Point<R> arm(int i, const Q& q) const {
    const auto a = moreau::sincos(q(2));
    const Point<R> c = corner[std::size_t(i)];
    return {a.cos * c.x - a.sin * c.y, a.sin * c.x + a.cos * c.y};
  }
  R tilt(R t) const { return turn * t + swing * moreau::sin(omega * t); }
  R gap(int i, const Q& q, R t) const {
    const auto a = moreau::sincos(angle[std::size_t(i)] + tilt(t));
    const Point<R> r = arm(i, q);
    return a.cos * (q(1) + r.y) - a.sin * (q(0) + r.x) - offset[std::size_t(i)] - shake * moreau::sin(omega * t);
  }
  moreau::Directions<R, 3> directions(int i, const Q& q, R t) const {
    const auto a = moreau::sincos(angle[std::size_t(i)] + tilt(t));
    const R turning = turn + swing * omega * moreau::cos(omega * t);
    const Point<R> r = arm(i, q);
    const R x = q(0) + r.x, y = q(1) + r.y;
    moreau::Directions<R, 3> d;
    d.w_N = Q(-a.sin, a.cos, a.sin * r.y + a.cos * r.x);
    d.w_T = Q(a.cos, a.sin, a.sin * r.x - a.cos * r.y);
    d.zeta_N = -turning * (a.cos * x + a.sin * y) - shake * omega * moreau::cos(omega * t);
    d.zeta_T = turning * (a.cos * y - a.sin * x);
    return d;
  }
  moreau::ContactLaw<R> law(int) const { return contact_law; }
};

// Rod of length 1 with both ends between floor (y = 0) and wall (x = 0). Contacts 0 and 1: foot and head on the floor;
// contacts 2 and 3: foot and head on the wall.
template <class R>
CornersOnPlanes<R, 4> rod(R mu, R eps) {
  CornersOnPlanes<R, 4> model;
  model.J = R(1) / 12;
  constexpr R quarter = moreau::pi<R> / 2;
  model.corner = {{{R(-0.5), R(0)}, {R(0.5), R(0)}, {R(-0.5), R(0)}, {R(0.5), R(0)}}};
  model.angle = {R(0), R(0), -quarter, -quarter};
  model.contact_law = {eps, R(0), mu};
  return model;
}
// State of the rod with its foot on the floor and its head at the wall; `lean` is the angle to the floor.
template <class R>
moreau::State<CornersOnPlanes<R, 4>> leaning(R lean) {
  moreau::State<CornersOnPlanes<R, 4>> s;
  s.q << moreau::cos(lean) / 2, moreau::sin(lean) / 2, moreau::pi<R> - lean;
  return s;
}

// Block of the given width and height on its two lower corners.
template <class R>
CornersOnPlanes<R, 2> block(R width, R height, R mu, R eps) {
  CornersOnPlanes<R, 2> model;
  model.J = (width * width + height * height) / 12;
  model.corner = {{{-width / 2, -height / 2}, {width / 2, -height / 2}}};
  model.contact_law = {eps, R(0), mu};
  return model;
}
// State of the block standing on its left corner, rotated by phi about it; phi = 0: flat.
template <class R>
moreau::State<CornersOnPlanes<R, 2>> on_left_corner(const CornersOnPlanes<R, 2>& model, R phi) {
  moreau::State<CornersOnPlanes<R, 2>> s;
  s.q(2) = phi;
  const Point<R> r = model.arm(0, s.q);
  s.q(0) = -r.x;
  s.q(1) = -r.y;
  return s;
}

// Beam on two fixed supports at (-+ half, 0): q = (x, y, phi); the lower face is h below the axis.
template <class R>
struct BeamOnSupports {
  using Real = R;
  static constexpr int dof = 3, contacts = 2;
  using Q = moreau::Vector<R, 3>;
  R m{2}, J{R(0.2)}, h{R(0.02)}, gravity{R(9.81)};
  Point<R> support[2] = {{R(-0.3), R(0)}, {R(0.3), R(0)}};
  moreau::ContactLaw<R> contact_law{R(0.4), R(0), R(0.2)};

  moreau::Matrix<R, 3, 3> mass(const Q&, R) const { return Q(m, m, J).asDiagonal(); }
  Q force(const Q&, const Q&, R) const { return Q(R(0), -m * gravity, R(0)); }
  R gap(int i, const Q& q, R) const {
    const auto a = moreau::sincos(q(2));
    return a.cos * (q(1) - support[i].y) - a.sin * (q(0) - support[i].x) - h;
  }
  moreau::Directions<R, 3> directions(int i, const Q& q, R) const {
    const auto a = moreau::sincos(q(2));
    const R x = support[i].x - q(0), y = support[i].y - q(1);  // from the centre of mass to the support
    moreau::Directions<R, 3> d;
    d.w_N = Q(-a.sin, a.cos, a.cos * x + a.sin * y);
    d.w_T = Q(a.cos, a.sin, a.sin * x - a.cos * y);
    return d;
  }
  moreau::ContactLaw<R> law(int) const { return contact_law; }
};

// Bead in a rotating drum of radius 1: g_N = 1 - |q|.
template <class R>
struct BeadInDrum {
  using Real = R;
  static constexpr int dof = 2, contacts = 1;
  using Q = moreau::Vector<R, 2>;
  R gravity{R(9.81)}, turning{0};
  moreau::ContactLaw<R> contact_law{R(0.2), R(0), R(0.3)};

  static R radius(const Q& q) { return moreau::sqrt(q(0) * q(0) + q(1) * q(1)); }
  moreau::Matrix<R, 2, 2> mass(const Q&, R) const { return moreau::Matrix<R, 2, 2>::Identity(); }
  Q force(const Q&, const Q&, R) const { return Q(R(0), -gravity); }
  R gap(int, const Q& q, R) const { return R(1) - radius(q); }
  moreau::Directions<R, 2> directions(int, const Q& q, R) const {
    const R r = radius(q);
    moreau::Directions<R, 2> d;
    d.w_N = Q(-q(0) / r, -q(1) / r);
    d.w_T = Q(-q(1) / r, q(0) / r);
    d.zeta_T = -turning;
    return d;
  }
  moreau::ContactLaw<R> law(int) const { return contact_law; }
};

// Bead on a hilly road y = A cos(k x). It lifts off where the road falls faster than the bead. Both contact directions
// have the length sqrt(1 + (A k sin k x)^2).
template <class R>
struct BeadOnRoad {
  using Real = R;
  static constexpr int dof = 2, contacts = 1;
  using Q = moreau::Vector<R, 2>;
  R gravity{R(9.81)}, A{R(0.05)}, k{R(6)};
  moreau::ContactLaw<R> contact_law{R(0), R(0), R(0.1)};

  moreau::Matrix<R, 2, 2> mass(const Q&, R) const { return moreau::Matrix<R, 2, 2>::Identity(); }
  Q force(const Q&, const Q&, R) const { return Q(R(0), -gravity); }
  R gap(int, const Q& q, R) const { return q(1) - A * moreau::cos(k * q(0)); }
  moreau::Directions<R, 2> directions(int, const Q& q, R) const {
    const R slope = -A * k * moreau::sin(k * q(0));
    moreau::Directions<R, 2> d;
    d.w_N = Q(-slope, R(1));
    d.w_T = Q(R(1), slope);
    return d;
  }
  moreau::ContactLaw<R> law(int) const { return contact_law; }
};

// Damped double pendulum: two links of length 1, suspended at the origin, masses 1 at their ends; stops for the first
// link and for the knee.
template <class R>
struct PendulumOnStop {
  using Real = R;
  static constexpr int dof = 2, contacts = 2, tangents = 0;
  using Q = moreau::Vector<R, 2>;
  R gravity{R(9.81)}, damping{R(0.05)}, stop{R(-0.1)}, knee{R(0)}, eps{R(0.5)};

  moreau::Matrix<R, 2, 2> mass(const Q& q, R) const {
    const R c = moreau::cos(q(1) - q(0));
    moreau::Matrix<R, 2, 2> M;
    M << R(2), c, c, R(1);
    return M;
  }
  Q force(const Q& q, const Q& u, R) const {
    const auto a = moreau::sincos(q(0)), b = moreau::sincos(q(1));
    const R s = b.sin * a.cos - b.cos * a.sin;
    return Q(s * u(1) * u(1) - 2 * gravity * a.sin - damping * u(0),
             -s * u(0) * u(0) - gravity * b.sin - damping * u(1));
  }
  R gap(int i, const Q& q, R) const { return i == 0 ? q(0) - stop : q(1) - q(0) - knee; }
  moreau::Directions<R, 2, 0> directions(int i, const Q&, R) const {
    moreau::Directions<R, 2, 0> d;
    d.w_N = i == 0 ? Q(R(1), R(0)) : Q(R(-1), R(1));
    return d;
  }
  moreau::ContactLaw<R> law(int) const { return {eps, R(0), R(0)}; }
};

// Slider pulled at a large distance from its guide. Its corners jam on first contact, because the lever arm of the pull
// is longer than half_length / mu.
template <class R>
struct JammedSliderParts {
  using Real = R;
  enum Names { slider, bodies };
  moreau::Body<R> body[bodies] = {{R(1), R(1e-3)}};
  moreau::PrismaticClearance<R, moreau::ground, slider> guide;
  moreau::Pull<R, moreau::ground, slider> pull;
  auto parts() const { return std::tie(guide, pull); }

  explicit JammedSliderParts(R arm) {
    guide.a = R(0.05);
    guide.b = R(0.02);
    guide.play = R(1e-3);
    guide.law = {R(0.3), R(0), R(0.5)};
    pull.force.x = R(10);
    pull.on_B.y = arm;
  }
};

// Point on a turntable: planar dry friction against a surface rotating about the origin, and a spring to the frame.
template <class R>
struct PointOnTurntable {
  using Real = R;
  static constexpr int dof = 2, contacts = 0, frictions = 1, friction_dim = 2;
  using Q = moreau::Vector<R, 2>;
  R turning{R(3)}, spring{R(20)}, bound{R(2)};

  moreau::Matrix<R, 2, 2> mass(const Q&, R) const { return moreau::Matrix<R, 2, 2>::Identity(); }
  Q force(const Q& q, const Q&, R) const { return Q(-spring * (q(0) - R(0.2)), -spring * q(1)); }
  R friction_bound(int, const Q&, R) const { return bound; }
  moreau::FrictionDirections<R, 2, 2> friction_directions(int, const Q& q, R) const {
    moreau::FrictionDirections<R, 2, 2> d;
    d.w = moreau::Matrix<R, 2, 2>::Identity();
    d.zeta = Q(turning * q(1), -turning * q(0));
    return d;
  }
};

}  // namespace cases
