// The four-bar with clearance in three pins (examples/models/four_bar.hpp) derived by hand from the equations of its
// bodies: the angle of the crank replaces its bearing.
//
//   q = (phi of the crank; x, y, phi of the coupler; x, y, phi of the rocker)       as in the mechanism from parts
//
// The rows of the crank's centre are projected onto the row of its angle, since the centre moves on a circle.
#pragma once
#include "models/four_bar.hpp"
#include "support/joint_coordinates.hpp"

namespace peers {

struct FourBar {
  using Real = double;
  using Parts = models::FourBarWithPlay<double>;
  static constexpr int dof = 7, contacts = 3;
  static constexpr bool constant_mass = true;
  using Vector = moreau::Vector<double, 7>;
  static constexpr double speed = 30, half = Parts::l_1 / 2;  // rad/s; m, from the bearing to the crank's centre

  using InBodies = moreau::Mechanism<test::InBodies<models::FourBarWithPlayParts<double>>>;
  InBodies parts{};

  struct At {
    InBodies::At of_parts;
    double x, y;  // of the crank's centre
  };
  At at(const Vector& q, double t) const {
    const auto crank = moreau::sincos(q(0));
    const double x = half * crank.cos, y = half * crank.sin;
    moreau::Vector<double, 9> of_parts;
    of_parts << x, y, q;
    return {parts.at(of_parts, t), x, y};
  }
  static Vector reduced(const At& a, const moreau::Vector<double, 9>& of_parts) {
    Vector row = of_parts.tail<7>();
    row(0) += a.x * of_parts(1) - a.y * of_parts(0);
    return row;
  }
  moreau::Matrix<double, 7, 7> mass(const At&) const {
    moreau::Matrix<double, 7, 7> M = moreau::Matrix<double, 7, 7>::Zero();
    M(0, 0) = parts.body[0].J + parts.body[0].m * half * half;
    for (int i = 1; i < 7; ++i) M(i, i) = i % 3 == 0 ? parts.body[i / 3].J : parts.body[(i + 2) / 3].m;
    return M;
  }
  Vector force(const At& a, const Vector& u) const {
    moreau::Vector<double, 9> of_parts;
    of_parts << -a.y * u(0), a.x * u(0), u;
    return reduced(a, parts.force(a.of_parts, of_parts));
  }
  double gap(int i, const At& a) const { return parts.gap(i, a.of_parts); }
  moreau::Directions<double, 7> directions(int i, const At& a) const {
    const auto of_parts = parts.directions(i, a.of_parts);
    moreau::Directions<double, 7> d;
    d.w_N = reduced(a, of_parts.w_N);
    d.w_T = reduced(a, of_parts.w_T);
    return d;
  }
  moreau::ContactLaw<double> law(int i) const { return parts.law(i); }

  static moreau::State<FourBar> start() {
    const auto x = models::four_bar_start<Parts>(speed);
    moreau::State<FourBar> state;
    state.q = x.q;
    state.u = x.u;
    return state;
  }
};

}  // namespace peers
