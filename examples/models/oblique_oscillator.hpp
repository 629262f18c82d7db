// Mass with a rotating unbalance on three feet that creeps down an oblique plane (WP96, section 7 and Appendix C).
//
//   q = (x, y, z, alpha, beta, gamma)     centre of mass along, across and normal to the plane; small tilts; rotation
//                                         about the normal of the plane
//   g_N = z + beta (a cos gamma + b sin gamma) + alpha (b cos gamma - a sin gamma)
//                                         for a foot at (a, b); a oscillates with the unbalance
//
// Three feet with one normal and two tangential directions each give nine directions in six coordinates. With all feet
// in contact W has rank 6 at most: the friction forces of single feet are not determined, but their resultant is. The
// normal forces follow from the equations of z, alpha and beta.
//
// Differences from the paper:
// - Contacts count from 0. The last rows of w_N1 and w_N2 are the derivatives of the printed gaps; the printed rows are
//   not.
// - With the printed data the body never sticks: tan(delta) = 0.1155 > mu = 0.098. `mu` and `delta` are members;
//   mu = 0.13, or exchanged values of mu and delta, give the stick-slip motion of the paper.
// - start() has a penetration of 1 um. z does not enter the forces, and rounding errors would open a contact with an
//   initial gap of exactly 0.
#pragma once
#include "start.hpp"

namespace models {

template <class R>
struct ObliqueOscillator {
  using Real = R;
  static constexpr int dof = 6, contacts = 3, tangents = 2;
  using Vector = moreau::Vector<Real, 6>;
  using Matrix = moreau::Matrix<Real, 6, 6>;

  Real m{0.663};                           // mass, kg
  Real A{0.85e-3}, B{1.6e-3}, C{1.75e-3};  // moments of inertia about x, y, z, kg m^2
  Real gravity{9.81};                      // m/s^2
  Real delta{0.115};                       // inclination, rad
  Real mu{0.098};                          // friction coefficient
  Real a_1{0.0424}, a_2{0.0496},
      da{0.0035};  // distance of front and rear feet from the centre of mass; amplitude along x, m
  Real b_1{0.001}, b_2{0.025}, b_3{0.031};    // lateral distances of the feet from the centre of mass, m
  Real h_S{0.0374}, dh{0.0045};               // height of the centre of mass, amplitude, m
  Real l_1{0.0104}, l_2{0.043}, l_3{0.0165};  // lever arms of the unbalance, m
  Real m_E{0.055}, r_E{0.011}, Omega{19.6};   // unbalance: mass, kg, radius, m, speed, rad/s

  struct At {
    Real sin_wt, cos_wt, sin_6, cos_6;  // of Omega t and gamma
    Real q_3, q_4, q_5;                 // z, alpha, beta
  };
  At at(const Vector& q, Real t) const {
    const auto unbalance = moreau::sincos(Omega * t), turn = moreau::sincos(q(5));
    return {unbalance.sin, unbalance.cos, turn.sin, turn.cos, q(2), q(3), q(4)};
  }
  Real period() const { return Real(6.28318530717958647692) / Omega; }

  Matrix mass(const At& s) const {
    Matrix M = Matrix::Zero();
    M(0, 0) = M(1, 1) = M(2, 2) = m;
    M(3, 3) = A * s.cos_6 * s.cos_6 + B * s.sin_6 * s.sin_6;
    M(3, 4) = M(4, 3) = (A - B) * s.cos_6 * s.sin_6;
    M(4, 4) = A * s.sin_6 * s.sin_6 + B * s.cos_6 * s.cos_6;
    M(3, 5) = M(5, 3) = C * s.q_5;
    M(5, 5) = C;
    return M;
  }

  Vector force(const At& s, const Vector& u) const {
    const Real F_0 = m_E * r_E * Omega * Omega, F_c = F_0 * s.cos_wt, F_s = F_0 * s.sin_wt;
    const Real arm_1 = l_1 - da * s.cos_wt, arm_3 = l_3 + dh * s.sin_wt;
    const Real k = (A - B) * (Real(1) - Real(2) * s.cos_6 * s.cos_6), n = Real(2) * (A - B) * s.cos_6 * s.sin_6;
    const auto slope = moreau::sincos(delta);
    Vector h;
    h(0) = m * gravity * slope.sin + F_c * s.cos_6 + F_s * s.q_5;
    h(1) = F_c * s.sin_6 - F_s * s.q_4;
    h(2) = -m * gravity * slope.cos + F_c * (s.q_4 * s.sin_6 - s.q_5 * s.cos_6) + F_s;
    h(3) = (F_s * arm_1 + F_c * arm_3) * s.sin_6 + l_2 * (F_c * s.q_5 - F_s * s.cos_6) + u(4) * u(5) * (k - C) +
           u(3) * u(5) * n;
    h(4) = -(F_s * arm_1 + F_c * arm_3) * s.cos_6 - l_2 * F_s * s.sin_6 + u(3) * u(5) * (k + C) - u(4) * u(5) * n;
    h(5) = F_c * l_2;
    return h;
  }

  Real gap(int i, const At& s) const {
    const Real a = ahead(i, s), b = aside(i);
    return s.q_3 + s.q_5 * (a * s.cos_6 + b * s.sin_6) + s.q_4 * (b * s.cos_6 - a * s.sin_6);
  }

  moreau::Directions<Real, 6, 2> directions(int i, const At& s) const {
    const Real a = ahead(i, s), b = aside(i), h = h_S + dh * s.sin_wt;
    const Real along = a * s.cos_6 + b * s.sin_6, across = b * s.cos_6 - a * s.sin_6;
    moreau::Directions<Real, 6, 2> d{};
    d.w_N << Real(0), Real(0), Real(1), across, along, s.q_5 * across - s.q_4 * along;
    d.w_T.col(0) << Real(1), Real(0), Real(0), Real(0), -h, -across;
    d.w_T.col(1) << Real(0), Real(1), Real(0), h, Real(0), -along;
    d.zeta_N = da * Omega * s.sin_wt * (s.q_4 * s.sin_6 - s.q_5 * s.cos_6);
    return d;
  }

  moreau::ContactLaw<Real> law(int) const { return {Real(0), Real(0), mu}; }

  Start<Real, 6> start() const {
    Start<Real, 6> s{Vector::Zero(), Vector::Zero()};
    s.q(2) = Real(-1e-6);
    return s;
  }

  // Poses and shapes of the picture: top view and, below it, side view with magnified heights.
  std::array<moreau::Frame<Real>, 2> poses(const Vector& q) const {
    moreau::Frame<Real> side;
    side.r = {q(0), q(2) + side_view}, side.phi = q(4);
    return {moreau::Frame<Real>::at({q(0), q(1)}, q(5)), side};
  }
  Vector nominal(const Vector& q) const {
    Vector flat = Vector::Zero();
    flat(0) = q(0), flat(1) = q(1), flat(5) = q(5);
    return flat;
  }
  template <class Picture>
  void shapes(Picture& draw) const {
    draw.bodies({"from above", "from the side"});
    draw.linearised(1);
    draw.text(moreau::ground, {0, b_3 + Real(0.02)}, "from above: down the plane is to the right");
    draw.text(moreau::ground, {0, side_view + Real(2) * h_S + Real(0.012)}, "from the side");
    draw.rectangle(0, {0, 0}, a_2 + Real(0.01), b_3 + Real(0.008));
    draw.face(moreau::ground, {-a_2 - Real(0.03), side_view}, {a_1 + Real(0.03), side_view}, 0);
    draw.rectangle(1, {0, h_S + Real(0.006)}, a_2 + Real(0.01), h_S - Real(0.006));
    for (const Real a : {a_1, -a_2}) draw.polygon(1, {{a - Real(0.004), 0.012}, {a, 0}, {a + Real(0.004), 0.012}});
    draw.pin(1, {0, h_S}, 0.003);
    const char* feet[] = {"foot 1", "foot 2", "foot 3"};
    for (int i = 0; i < 3; ++i) draw.contact(feet[i], 0, {i == 0 ? a_1 : -a_2, aside(i)}, -1);
  }
  static constexpr Real side_view{-0.16};  // m

  // Position of foot i relative to the (moving) centre of mass, in the frame of the body.
  Real ahead(int i, const At& s) const { return (i == 0 ? a_1 : -a_2) + da * s.cos_wt; }
  Real aside(int i) const { return i == 0 ? b_1 : i == 1 ? -b_2 : b_3; }
};

}  // namespace models
