// Four-bar with three loose pins, from parts: three plays, friction and restitution, from encoders of crank and rocker
// and the acceleration of the coupler.
#pragma once
#include "models/four_bar.hpp"
#include "plan.hpp"

namespace identification {

struct LinkageParts : models::FourBarWithPlayParts<double> {
  static constexpr bool endless = false;
};

struct FourBar {
  using Model = moreau::Mechanism<LinkageParts>;
  using State = moreau::State<Model>;
  using Point = moreau::Point<double>;
  using Description = moreau::identify::Description<Model, 5, 4, 1>;
  static constexpr Plan plan{0.3, 1e-4, 0.1};
  static constexpr auto crank = Model::angle_of<LinkageParts::crank>, coupler = Model::angle_of<LinkageParts::coupler>,
                        rocker = Model::angle_of<LinkageParts::rocker>, x_coupler = Model::x_of<LinkageParts::coupler>,
                        y_coupler = Model::y_of<LinkageParts::coupler>, x_rocker = Model::x_of<LinkageParts::rocker>,
                        y_rocker = Model::y_of<LinkageParts::rocker>;
  static constexpr double l_1 = LinkageParts::l_1, l_2 = LinkageParts::l_2, l_3 = LinkageParts::l_3,
                          l_0 = LinkageParts::l_0;

  static Description description() {
    using namespace moreau::identify;
    Description d{"four_bar"};
    d.dt = 1e-4;
    d.parameter("play_1", "m", range(1e-4, 1e-3), [](Model& m, double x) { m.crank_pin.play = x; });
    d.parameter("play_2", "m", range(1e-4, 1e-3), [](Model& m, double x) { m.rocker_pin.play = x; });
    d.parameter("play_3", "m", range(1e-4, 1e-3), [](Model& m, double x) { m.pivot.play = x; });
    d.parameter("mu", "1", range(0, 0.3),
                [](Model& m, double x) { m.crank_pin.law.mu = m.rocker_pin.law.mu = m.pivot.law.mu = x; });
    d.parameter("eps", "1", range(0.1, 0.8),
                [](Model& m, double x) { m.crank_pin.law.eps_N = m.rocker_pin.law.eps_N = m.pivot.law.eps_N = x; });
    d.measured(
        "phi_1", "rad", [](const Model&, const State& s) { return s.q(crank); }, encoder(16384));
    d.measured(
        "phi_3", "rad", [](const Model&, const State& s) { return s.q(rocker); }, encoder(16384));
    d.measured(
        "a_x", "m/s^2", [](const Model&, const State& s) { return s.u(x_coupler); }, accelerometer(2000, 1));
    d.measured(
        "a_y", "m/s^2", [](const Model&, const State& s) { return s.u(y_coupler); }, accelerometer(2000, 1));
    d.start = start;
    return d;
  }

  // Each pin is anywhere within its bearing; the angles of coupler and rocker follow by Newton's method.
  static State start(const Model& m, const moreau::identify::Reading& first, moreau::identify::Draw& draw) {
    State s;
    const auto within = [&](double play) {
      const auto [sin, cos] = moreau::sincos(draw.uniform(-moreau::pi<double>, moreau::pi<double>));
      return 0.95 * play * moreau::sqrt(draw.uniform(0, 1)) * Point{cos, sin};
    };
    s.q(crank) = first.value[0] + draw.normal(5e-5), s.u(crank) = first.rate[0] + draw.normal(0.1);
    s.q(rocker) = first.value[1], s.u(rocker) = first.rate[1] + draw.normal(0.1);
    const Point begin = l_1 * direction(s.q(crank)) + within(m.crank_pin.play),
                pivot = Point{l_0, 0} + within(m.pivot.play);
    const double length = l_2 + 0.9 * m.rocker_pin.play * draw.uniform(-1, 1);
    for (int k = 0; k < 6; ++k) {
      const Point arm = l_3 * direction(s.q(rocker)), reach = pivot + arm - begin;
      s.q(rocker) -= (dot(reach, reach) - length * length) / (2 * dot(reach, moreau::quarter_turn(arm)));
    }
    const Point arm = l_3 * direction(s.q(rocker)), reach = pivot + arm - begin;
    s.q(coupler) = 0.8;
    for (int k = 0; k < 8; ++k) {
      const Point along = direction(s.q(coupler));
      s.q(coupler) += dot(moreau::quarter_turn(along), reach) / dot(along, reach);
    }
    const Point v_begin =
        s.u(crank) * moreau::quarter_turn(l_1 * direction(s.q(crank))) + 0.02 * Point{draw.normal(1), draw.normal(1)};
    const Point v_end = s.u(rocker) * moreau::quarter_turn(arm);
    s.u(coupler) = dot(moreau::quarter_turn(reach), v_end - v_begin) / dot(reach, reach) + draw.normal(0.1);
    const Point half = l_2 / 2 * direction(s.q(coupler));
    set(s, x_coupler, begin + half, v_begin + s.u(coupler) * moreau::quarter_turn(half));
    set(s, x_rocker, pivot + 0.5 * arm, 0.5 * v_end + 0.02 * Point{draw.normal(1), draw.normal(1)});
    return s;
  }
  static Point direction(double angle) {
    const auto [sin, cos] = moreau::sincos(angle);
    return {cos, sin};
  }
  static void set(State& s, int x, Point at, Point v) {
    s.q[x] = at.x, s.q[x + 1] = at.y, s.u[x] = v.x, s.u[x + 1] = v.y;
  }

  // Fault of the model: an inertia with an error of 5 %.
  static void disturb(Model& m) { m.body[LinkageParts::rocker].J *= 1.05, m.body[LinkageParts::coupler].J *= 1.05; }

  // The simulated machine.
  static std::vector<double> usual() { return {5e-4, 3e-4, 4e-4, 0.1, 0.4}; }
  static State begin(const Model&) {
    State s;
    s.q(coupler) = 0.8, s.q(rocker) = 1.6, s.u(crank) = 30;
    for (int k = 0; k < 20; ++k) {
      const Point end = l_1 * direction(0) + l_2 * direction(s.q(coupler)),
                  tip = Point{l_0, 0} + l_3 * direction(s.q(rocker));
      const Point a = l_2 * moreau::quarter_turn(direction(s.q(coupler))),
                  b = l_3 * moreau::quarter_turn(direction(s.q(rocker)));
      const Point miss = tip - end;
      const double det = -a.x * b.y + b.x * a.y;
      s.q(coupler) += (-miss.x * b.y + b.x * miss.y) / det, s.q(rocker) += (a.x * miss.y - miss.x * a.y) / det;
    }
    const Point along = direction(s.q(coupler)), arm = l_3 * direction(s.q(rocker)), half = l_2 / 2 * along;
    const Point v = s.u(crank) * moreau::quarter_turn(l_1 * direction(0));
    s.u(rocker) = dot(along, v) / dot(along, moreau::quarter_turn(arm));
    s.u(coupler) = dot(moreau::quarter_turn(along), s.u(rocker) * moreau::quarter_turn(arm) - v) / l_2;
    set(s, x_coupler, l_1 * direction(0) + half, v + s.u(coupler) * moreau::quarter_turn(half));
    set(s, x_rocker, Point{l_0, 0} + 0.5 * arm, 0.5 * s.u(rocker) * moreau::quarter_turn(arm));
    return s;
  }
  static double control(const State&) { return 0; }
};

}  // namespace identification
