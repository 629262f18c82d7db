// Slider-crank with play in its guide (FLG10, section 6): four corners of the slider may touch the guide.
//
//   q = (theta_1, theta_2, theta_3)     angles of crank, connecting rod and slider to the axis of the guide, rad
//   h = l_1 sin theta_1 + l_2 sin theta_2                             height of the slider's centre above that axis
//
//   g_N = play + b - (h -+ a sin theta_3) - b cos theta_3    contacts 0, 1: left, right corner, upper face   (98) (100)
//   g_N = play + b + (h -+ a sin theta_3) - b cos theta_3    contacts 2, 3: left, right corner, lower face  (102) (104)
//
// Differences from the paper:
// - Contacts count from 0.
// - `play` = d/2 - b is the clearance on each side. Its default, c = 1 mm, corresponds to d = 2 (b + c): only then the
//   dimensionless corner motion (115) covers [-1, 1]. d = 2 b + c of the text corresponds to play = c / 2.
//
// The crank is not driven; its speed varies with the motion of the masses.
#pragma once
#include "start.hpp"

namespace models {

template <class R>
struct SliderCrank {
  using Real = R;
  static constexpr int dof = 3, contacts = 4;
  static constexpr bool uniform_contacts = true;  // one formula for four corners
  static constexpr bool mass_pattern(int i, int j) {
    return i == j || (i == 1 && j == 0);
  }                                                                           // the slider's rotation is decoupled
  static constexpr bool direction_pattern(int, int, int j) { return j < 3; }  // fixed guide: zeta = 0
  using Vector = moreau::Vector<Real, 3>;
  using Matrix = moreau::Matrix<Real, 3, 3>;

  Real l_1{0.153}, l_2{0.306};                 // lengths of crank and connecting rod, m
  Real a{0.05}, b{0.025};                      // half length and half width of the slider, m
  Real play{0.001};                            // gap on each side of the centred slider, m
  Real m_1{0.038}, m_2{0.038}, m_3{0.076};     // masses of crank, rod, slider, kg
  Real J_1{7.4e-5}, J_2{5.9e-4}, J_3{2.7e-6};  // central moments of inertia, kg m^2
  Real gravity{9.81};                          // m/s^2
  Real eps_N{0.4}, eps_T{0}, mu{0.01};         // restitutions and friction coefficient of all four contacts

  struct At {
    Real sin_1, cos_1, sin_2, cos_2, sin_3, cos_3;  // of theta_1 .. theta_3
  };
  At at(const Vector& q, Real) const {
    const auto [one, two, three] = moreau::sincos(q(0), q(1), q(2));
    return {one.sin, one.cos, two.sin, two.cos, three.sin, three.cos};
  }

  Matrix mass(const At& s) const {
    const Real cos_21 = s.cos_2 * s.cos_1 + s.sin_2 * s.sin_1;
    Matrix M = Matrix::Zero();
    M(0, 0) = J_1 + (m_1 / Real(4) + m_2 + m_3) * l_1 * l_1;
    M(0, 1) = M(1, 0) = (m_2 / Real(2) + m_3) * l_1 * l_2 * cos_21;
    M(1, 1) = J_2 + (m_2 / Real(4) + m_3) * l_2 * l_2;
    M(2, 2) = J_3;
    return M;
  }

  Vector force(const At& s, const Vector& u) const {
    const Real k = (m_2 / Real(2) + m_3) * l_1 * l_2 * (s.sin_2 * s.cos_1 - s.cos_2 * s.sin_1);
    return Vector(k * u(1) * u(1) - (m_1 / Real(2) + m_2 + m_3) * gravity * l_1 * s.cos_1,
                  -k * u(0) * u(0) - (m_2 / Real(2) + m_3) * gravity * l_2 * s.cos_2, Real(0));
  }

  Real gap(int i, const At& s) const {
    const Real height = l_1 * s.sin_1 + l_2 * s.sin_2;  // height of the slider's centre above the axis of the guide
    const Real tilt = right(i) * a * s.sin_3;
    return (play + b) - upper(i) * (height + tilt) - b * s.cos_3;
  }

  moreau::Directions<Real, 3> directions(int i, const At& s) const {
    const Real x = right(i) * a, y = upper(i) * b;  // the corner in the slider's frame
    moreau::Directions<Real, 3> d{};
    d.w_N = Vector(-upper(i) * l_1 * s.cos_1, -upper(i) * l_2 * s.cos_2, b * s.sin_3 - upper(i) * x * s.cos_3);
    d.w_T = Vector(-l_1 * s.sin_1, -l_2 * s.sin_2, -x * s.sin_3 - y * s.cos_3);
    return d;
  }

  // Rates of gamma_N and gamma_T at constant u, for the rule of second order.
  moreau::ContactBias<Real> contact_bias_acceleration(int i, const At& s, const Vector& u) const {
    const Real x = right(i) * a, y = upper(i) * b;
    const Real one = l_1 * u(0) * u(0), two = l_2 * u(1) * u(1), three = u(2) * u(2);
    return {upper(i) * (one * s.sin_1 + two * s.sin_2) + (b * s.cos_3 + upper(i) * x * s.sin_3) * three,
            (y * s.sin_3 - x * s.cos_3) * three - (one * s.cos_1 + two * s.cos_2)};
  }

  moreau::ContactLaw<Real> law(int) const { return {eps_N, eps_T, mu}; }

  // Start of the paper: all angles 0, velocities of the ideal mechanism.
  Start<Real, 3> start() const { return {Vector(Real(0), Real(0), Real(0)), Vector(Real(150), Real(-75), Real(0))}; }

  // The same with a tilted slider: the corners touch one after the other.
  Start<Real, 3> start_tilted() const { return {Vector(Real(0), Real(0), Real(0.01)), start().u}; }

  // At rest with both lower corners on the guide. The crank hangs 0.01 rad from its lowest point, held by friction. The
  // penetration of 0.1 um keeps the contacts closed despite rounding errors.
  Start<Real, 3> start_at_rest() const {
    const Real theta_1 = moreau::pi<Real> / Real(-2) + Real(0.01);
    const Real height = -(play > Real(0) ? play : Real(0)) - Real(1e-7);
    return {Vector(theta_1, rod_angle(theta_1, height, Real(0.5)), Real(0)), Vector(Real(0), Real(0), Real(0))};
  }
  // theta_2 for a given height of the slider: five Newton iterations from an initial value.
  Real rod_angle(Real theta_1, Real height, Real theta_2) const {
    const Real sin_2 = (height - l_1 * moreau::sin(theta_1)) / l_2;
    for (int round = 0; round < 5; ++round) {
      const auto two = moreau::sincos(theta_2);
      theta_2 += (sin_2 - two.sin) / two.cos;
    }
    return theta_2;
  }
  // A guide 1 um too narrow on each side: all four corners remain in contact.
  static SliderCrank jammed() {
    SliderCrank crank;
    crank.play = Real(-1e-6);
    return crank;
  }

  // Kinetic and potential energy, J.
  Real energy(const Vector& q, const Vector& u) const {
    const At s = at(q, Real(0));
    const Vector p = mass(s).lazyProduct(u);
    return (u(0) * p(0) + u(1) * p(1) + u(2) * p(2)) / Real(2) +
           gravity * ((m_1 / Real(2) + m_2 + m_3) * l_1 * s.sin_1 + (m_2 / Real(2) + m_3) * l_2 * s.sin_2);
  }

  // Poses and shapes of the picture.
  std::array<moreau::Frame<Real>, 3> poses(const Vector& q) const {
    const auto crank = moreau::Frame<Real>::at({}, q(0)),
               rod = moreau::Frame<Real>::at(crank.world({l_1, Real(0)}), q(1));
    return {crank, rod, moreau::Frame<Real>::at(rod.world({l_2, Real(0)}), q(2))};
  }
  Vector nominal(const Vector& q) const { return Vector(q(0), rod_angle(q(0), Real(0), q(1)), Real(0)); }
  template <class Picture>
  void shapes(Picture& draw) const {
    draw.bodies({"crank", "rod", "slider"});
    const int guide = draw.guide(moreau::ground, {0, 0}, {1, 0}, b, play, 0, 2, {0, 0}, a);
    draw.rectangle(2, {0, 0}, a, b);
    draw.support({0, 0}, 0.024);
    draw.capsule(0, {0, 0}, {l_1, 0}, 0.012);
    draw.capsule(1, {0, 0}, {l_2, 0}, 0.009);
    for (int body = 0; body < 3; ++body) draw.pin(body, {0, 0}, 0.005);
    const char* corners[] = {"corner 1", "corner 2", "corner 3", "corner 4"};
    for (int i = 0; i < 4; ++i)
      draw.contact(corners[i], 2, {right(i) * a, upper(i) * b}, guide, i < 2 ? 1 : -1, 0, -upper(i));
  }

  static Real upper(int i) { return sign[(i >> 1) & 1]; }  // face of the guide
  static Real right(int i) { return -sign[i & 1]; }        // end of the slider
  static constexpr Real sign[2] = {Real(1), Real(-1)};
};

// The same mechanism for long runs: `wrap` keeps the crank angle within one turn, within the resolution of float.
template <class R>
struct EndlessSliderCrank : SliderCrank<R> {
  using Vector = typename SliderCrank<R>::Vector;
  Vector wrap(const Vector& q) const {
    constexpr R pi{3.14159265358979323846};
    constexpr R turn{6.28125},
        rest{1.9353071795864769253e-3};  // 2 pi = turn + rest; `turn` has few bits, so q - turn is exact
    Vector wrapped = q;
    wrapped(0) = moreau::select(q(0) > pi, (q(0) - turn) - rest, q(0));
    wrapped(0) = moreau::select(q(0) < -pi, (q(0) + turn) + rest, wrapped(0));
    return wrapped;
  }
};

}  // namespace models
