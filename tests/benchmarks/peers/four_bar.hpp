// The four-bar with clearance in three pins (examples/models/four_bar.hpp) for programs without ideal joints beside
// contacts: the angle of the crank as coordinate replaces its bearing.
//
//   q = (phi of the crank; x, y, phi of the coupler; x, y, phi of the rocker)
//
// The rows of the crank's centre are projected onto the row of its angle, since the centre moves on a circle.
#pragma once
#include "models/four_bar.hpp"
#include "race.hpp"
#include "systems.hpp"

namespace peers {

struct FourBar {
  using Real = double;
  using Parts = models::FourBarWithPlay<double>;
  static constexpr int dof = 7, contacts = 3;
  static constexpr bool constant_mass = true;
  using Vector = moreau::Vector<double, 7>;
  static constexpr double speed = 30, half = Parts::l_1 / 2;  // rad/s; m, from the bearing to the crank's centre

  Parts parts{};

  struct At {
    Parts::At of_parts;
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
    state.q = x.q.tail<7>();
    state.u = x.u.tail<7>();
    return state;
  }
};

// The reference: an adaptive simulation of the mechanism from parts. With tenfold tolerances its end changes by less
// than 1e-8 rad. Siconos, independent of it except for the geometry, differs by 8.3e-3 rad with steps of 50 us and by
// 9.5e-4 rad with 5 us (2026-11-19).
class FourBarReference {
 public:
  static constexpr int rows = 21, columns = 15;  // every 10 ms: t, q, u
  using Table = double[rows][columns];
  static const Table& table() {
    static const FourBarReference reference;
    return reference.table_;
  }

 private:
  FourBarReference() {
    moreau::AdaptiveOptions<double> options;
    options.dt_min = options.atol = options.rtol = 1e-9;
    moreau::Stepper machine{FourBar::Parts{}, models::four_bar_start<FourBar::Parts>(FourBar::speed)};
    moreau::Adaptive run{machine, options};
    for (int r = 0; r < rows; ++r) {
      const double t = 0.01 * r;
      if (r > 0 && !run.advance_to(t).finished()) std::puts("the reference of the four-bar is incomplete");
      table_[r][0] = t;
      for (int i = 0; i < 7; ++i)
        table_[r][1 + i] = whole(i, machine.state.q(2 + i)), table_[r][8 + i] = machine.state.u(2 + i);
    }
  }
  Table table_;

 public:
  // The crank rotates once, from 0 to 5.96 rad; a model may have wrapped its angle.
  static double whole(int i, double q) { return i == 0 && q < -0.1 ? q + 2 * moreau::pi<double> : q; }
};

// make(h) returns a machine; its coordinates are those of FourBar, from the `first` one on.
template <class Make>
void race_four_bar(const Entrant& who, Make make, int first = 0) {
  double penetration = 0;
  const FourBar model;
  const Run run = along(
      FourBarReference::table(), make, dt,
      [&](const auto& s, int i) {  // angles; lengths are not compared
        const bool angle = i == 0 || i == 3 || i == 6;
        return angle ? FourBarReference::whole(i, s.q(first + i)) : std::nan("");
      },
      [&](const auto& machine) {
        FourBar::Vector q;
        for (int i = 0; i < 7; ++i) q(i) = machine.state.q(first + i);
        const auto a = model.at(q, 0);
        for (int i = 0; i < FourBar::contacts; ++i) penetration = papers::larger(penetration, -model.gap(i, a));
      });
  Line line("four_bar", who);
  if (!run.advanced) {
    line << "stopped";
    return;
  }
  const Cost c = cost(make, dt, steps_of_a_run);
  line << c.nanoseconds << c.heap_calls << c.runs << run.error << penetration << run.unsolved;
}

}  // namespace peers
