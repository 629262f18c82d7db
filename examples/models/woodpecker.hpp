// Woodpecker toy (GS05, eqs 13-16 and Table I; SLG08, section 10.4): a woodpecker on a spring, attached to a sleeve
// that slides down a pole, jams and releases.
//
//   q = (y, phi_M, phi_S)                        height and angle of the sleeve, angle of the woodpecker; linearised
//   g_N,0 = (l_M + l_G - l_S - r_O) - h_S phi_S  beak on the pole
//   g_N,1 = (r_M - r_O) + h_M phi_M              lower edge of the sleeve
//   g_N,2 = (r_M - r_O) - h_M phi_M              upper edge of the sleeve
//
// Differences from the paper: contacts count from 0. start() has phi_M = -3/29 = -0.103448..., where the gap of contact
// 1 is 0; the printed -0.1036 of start_as_printed() is a penetration of 0.88 um.
#pragma once
#include "start.hpp"

namespace models {

template <class R>
struct Woodpecker {
  using Real = R;
  static constexpr int dof = 3, contacts = 3;
  static constexpr bool constant_mass = true, constant_directions = true, symmetric_steps = true;
  static constexpr bool uniform_contacts = true;
  static constexpr int closed_at_once = 1;  // never two contacts at the same time
  // Constant zeros of the directions: the normal force of the beak acts on phi_S only, that of an edge on phi_M only.
  static constexpr bool direction_pattern(int contact, int row, int j) {
    return row == 0 ? j == (contact == 0 ? 2 : 1) : j < (contact == 0 ? 3 : 2);
  }
  using Vector = moreau::Vector<Real, 3>;
  using Matrix = moreau::Matrix<Real, 3, 3>;

  Real r_O{0.0025}, r_M{0.0031};      // radius of the pole, inner radius of the sleeve, m
  Real h_M{0.0058}, l_M{0.010};       // half height of the sleeve, distance M-G, m
  Real l_G{0.015}, h_S{0.02};         // distances G-S, S-P, m
  Real l_S{0.0201};                   // length of the beak P-I, m
  Real m_M{0.0003}, m_S{0.0045};      // masses of sleeve and woodpecker, kg
  Real J_M{5.0e-9}, J_S{7.0e-7};      // moments of inertia, kg m^2
  Real c_phi{0.0056};                 // spring, N m / rad
  Real gravity{9.81};                 // m/s^2
  Real eps_beak{0.5}, eps_sleeve{0};  // normal restitutions
  Real eps_T{0}, mu{0.3};             // tangential restitution, friction coefficient

  Matrix mass(const Vector&, Real) const {
    const Real a = m_S * l_M, b = m_S * l_G, c = m_S * l_M * l_G;
    Matrix M;
    M << m_S + m_M, a, b,             //
        a, J_M + m_S * l_M * l_M, c,  //
        b, c, J_S + m_S * l_G * l_G;
    return M;
  }

  Vector force(const Vector& q, const Vector&, Real) const {
    const Real torque = c_phi * (q(1) - q(2));
    return Vector(-(m_S + m_M) * gravity, -torque - m_S * l_M * gravity, torque - m_S * l_G * gravity);
  }

  Real gap(int i, const Vector& q, Real) const {
    if (i == 0) return (l_M + l_G - l_S - r_O) - h_S * q(2);
    return i == 1 ? (r_M - r_O) + h_M * q(1) : (r_M - r_O) - h_M * q(1);
  }

  moreau::Directions<Real, 3> directions(int i, const Vector&, Real) const {
    const auto [sleeve_N, beak_N, arm_M, arm_S] =
        moreau::select(i == 0, {Real(0), -h_S, l_M, l_G - l_S}, {h_M, Real(0), r_M, Real(0)});
    moreau::Directions<Real, 3> d{};
    d.w_N = Vector(Real(0), moreau::select(i == 2, -sleeve_N, sleeve_N), beak_N);
    d.w_T = Vector(Real(1), arm_M, arm_S);
    return d;
  }

  moreau::ContactLaw<Real> law(int i) const { return {moreau::select(i == 0, eps_beak, eps_sleeve), eps_T, mu}; }

  Start<Real, 3> start() const {
    Start<Real, 3> s = start_as_printed();
    s.q(1) = -(r_M - r_O) / h_M;
    return s;
  }
  Start<Real, 3> start_as_printed() const {
    return {Vector(Real(0), Real(-0.1036), Real(-0.2788)), Vector(Real(-0.3411), Real(0), Real(-7.4583))};
  }
  // Limit cycle at the turning point phi_S' = 0 in the sticking phase: all velocities are 0, the woodpecker is
  // deflected.
  Start<Real, 3> start_on_cycle() const {
    return {Vector(Real(0), -(r_M - r_O) / h_M, Real(-0.529471967110850788)), Vector(Real(0), Real(0), Real(0))};
  }

  // Poses and shapes of the picture: sleeve and woodpecker at small angles. The play changes the sleeve, not the pole.
  std::array<moreau::Frame<Real>, 2> poses(const Vector& q) const {
    moreau::Frame<Real> sleeve, woodpecker;
    sleeve.r = {Real(0), q(0)}, sleeve.phi = q(1);
    woodpecker.r = {l_M + l_G, q(0) + l_M * q(1) + l_G * q(2)}, woodpecker.phi = q(2);
    return {sleeve, woodpecker};
  }
  Vector nominal(const Vector& q) const { return Vector(q(0), Real(0), q(2)); }
  template <class Picture>
  void shapes(Picture& draw) const {
    const Real play = r_M - r_O, wall{0.0012}, far{0.3}, beak{0.001};  // m
    draw.bodies({"sleeve", "woodpecker"});
    draw.linearised(0), draw.linearised(1), draw.follow(0);
    draw.polygon(moreau::ground, {{-r_O, -far}, {r_O, -far}, {r_O, far}, {-r_O, far}});
    const int pole = draw.face(moreau::ground, {r_O, far}, {r_O, -far}, 0);
    for (const Real side : {Real(-1), Real(1)}) {
      const Real inner = side * r_M, outer = side * (r_M + wall), grows = side * play;
      draw.polygon(0, {{inner, -h_M, grows}, {outer, -h_M, grows}, {outer, h_M, grows}, {inner, h_M, grows}});
    }
    draw.line(0, {{r_M + wall, 0, play}, {l_M, 0}});
    draw.polygon(1, {{-0.004, -0.016},
                     {0.003, -0.024},
                     {0.006, -0.022},
                     {0.005, -0.008},
                     {0.006, 0.006},
                     {0.004, 0.016},
                     {0.003, 0.022},
                     {-0.002, 0.0245},
                     {-0.006, 0.0225},
                     {-0.0075, h_S + beak},
                     {-l_S, h_S},
                     {-0.0075, h_S - beak},
                     {-0.005, 0.015},
                     {-0.007, 0.005},
                     {-0.007, -0.006}});
    draw.spring(0, {l_M, 0}, 1, {-0.004, 0});
    draw.pin(0, {l_M, 0}, 0.0006);
    draw.contact("beak", 1, {-l_S, h_S}, pole);
    draw.contact("lower edge", 0, {r_M, -h_M, play}, pole);
    draw.contact("upper edge", 0, {r_M, h_M, play}, pole);
  }

  // Kinetic and potential energy, J.
  Real energy(const Vector& q, const Vector& u) const {
    const Vector p = mass(q, Real(0)).lazyProduct(u);
    const Real kinetic = (u(0) * p(0) + u(1) * p(1) + u(2) * p(2)) / Real(2), twist = q(1) - q(2);
    return kinetic + c_phi * twist * twist / Real(2) +
           gravity * ((m_S + m_M) * q(0) + m_S * l_M * q(1) + m_S * l_G * q(2));
  }
};

}  // namespace models
