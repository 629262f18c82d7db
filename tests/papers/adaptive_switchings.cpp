// Error of every switching time of an adaptive simulation: at most 2 dt_min, from the exact state right after a
// switching point to the next one, so that earlier errors do not count. (Along a whole run the error of each point
// propagates; see the limit cycle of the woodpecker.) The woodpecker's nine points are in adaptive_woodpecker.cpp.
#include <cmath>

#include "data/crank_switchings.hpp"
#include "models/falling_mass.hpp"
#include "models/impact_oscillator_exact.hpp"
#include "models/slider_crank.hpp"
#include "models/sliding_mass.hpp"
#include "support/test.hpp"

namespace {

using Laws = moreau::DiscreteState<models::FallingMass<Real>>;
using LawKind = Laws::LawKind;
using LawMode = Laws::LawMode;
using Options = moreau::AdaptiveOptions<Real>;

struct Expected {
  LawKind law;
  int index;
  LawMode to;
  double t;  // s from the start of the run
};

struct Worst {
  double in_dt_min = 0;
  int points = 0;
};

// Options of the paper, or with the improvements.
Options options(double dt_min, double dt_max, bool improved) {
  Options o = Options::paper();
  o.dt_min = dt_min;
  o.dt_max = dt_max;
  o.atol = o.rtol = 1e-12;
  o.order_max = 10;
  if (improved) {
    o.locate = moreau::Locate::secant;
    o.pace = moreau::Pace::predicted;
    o.powers = moreau::Powers::declared;
  }
  return o;
}

template <class Model>
void look(const Model& model, const moreau::State<Model>& start, const Expected& expected, const Options& o,
          Worst& worst) {
  moreau::Stepper stepper{model, start};
  moreau::Adaptive run{stepper, o};
  const double settled = std::fmin(1e-6, expected.t / 2);  // the contact of the last switching point opens
  double seen = 0;
  const auto s = run.advance_to(expected.t + 10 * o.dt_min, [&](const auto&, const auto& step) {
    for (const auto& w : step.switchings)
      if (seen == 0 && w.t > settled && w.law == expected.law && w.index == expected.index && w.to == expected.to)
        seen = w.t;
  });
  CHECK(s.finished());
  worst.in_dt_min = std::fmax(worst.in_dt_min, std::abs(seen - expected.t) / o.dt_min);
  ++worst.points;
}

template <class Look>
void check(const char* name, Look look_at_all) {
  for (const bool improved : {false, true})
    for (const double dt_min : {1e-7, 1e-8, 1e-9}) {
      Worst worst;
      look_at_all(dt_min, improved, worst);
      moreau::port::print(name, improved ? ", improved" : ", paper", ", dt_min ", dt_min, ": ", worst.points,
                          " switching points, largest error ", worst.in_dt_min, " dt_min\n");
      CHECK(worst.in_dt_min <= 2);
    }
}

void test_falling_mass(void) {
  using Ball = models::FallingMass<Real>;
  check("falling mass", [](double dt_min, bool improved, Worst& worst) {
    const Ball ball;
    moreau::State<Ball> start = models::state_at<Ball>(ball.start());
    double flight = std::sqrt(2 * ball.z_0 / ball.gravity), speed = ball.gravity * flight;
    for (int n = 0; n < 12; ++n) {
      look(ball, start, {LawKind::contact, 0, LawMode::closed, flight}, options(dt_min, 0.05, improved), worst);
      speed *= ball.eps_N;
      start.q(0) = 0;
      start.u(0) = speed;
      flight = 2 * speed / ball.gravity;
    }
  });
}

void test_impact_oscillator(void) {
  using Model = models::ImpactOscillator<Real>;
  constexpr double impacts[] = {0, 0.139507679820308, 0.456188907937245, 0.808598071496330, 1.192402449049892};
  check("impact oscillator", [&](double dt_min, bool improved, Worst& worst) {
    const Model model;
    moreau::State<Model> start = models::state_at<Model>(model.start());
    double speed = 4.476605857119878;
    for (int n = 1; n < 5; ++n) {
      look(model, start, {LawKind::contact, 0, LawMode::closed, impacts[n] - impacts[n - 1]},
           options(dt_min, 0.02, improved), worst);
      speed *= model.eps_N;
      start.q(0) = 0;
      start.u(0) = -speed;
    }
  });
}

void test_sliding_mass(void) {
  using Mass = models::SlidingMass<Real>;
  check("sliding mass", [](double dt_min, bool improved, Worst& worst) {
    const double x = -1.711878974036901 + 1.270987965576474, y = -0.298770868760569 + 0.254681757907487;
    Mass mass;
    mass.t_off = 0;
    moreau::State<Mass> start;  // at t_B, the end of the push
    start.u << 1.331300087501721 * x / std::hypot(x, y), 1.331300087501721 * y / std::hypot(x, y);
    look(mass, start, {LawKind::element, 0, LawMode::stick, 1.331300087501721 / 2}, options(dt_min, 0.05, improved),
         worst);
  });
}

void test_slider_crank(void) {
  using Crank = models::SliderCrank<Real>;
  const auto along = [](const auto& table, double dt_min, bool improved, Worst& worst) {
    for (std::size_t n = 0; n + 1 < sizeof table / sizeof table[0]; ++n) {
      const auto& from = table[n];
      const auto& to = table[n + 1];
      moreau::State<Crank> start;
      start.q << from.theta_1, from.theta_2, 0;
      start.u << from.omega_1, from.omega_2, 0;
      auto o = options(dt_min, 5e-4, improved);
      o.closed = moreau::Closed::held;  // its directions rotate
      o.pace = moreau::Pace::predicted;
      look(Crank{}, start, {LawKind::contact, 2 * to.face, to.opens ? LawMode::open : LawMode::closed, to.t - from.t},
           o, worst);
    }
  };
  check("slider-crank", [&](double dt_min, bool improved, Worst& worst) {
    along(data::crank_bounces, dt_min, improved, worst);
    along(data::crank_slide, dt_min, improved, worst);
  });
}

}  // namespace

TEST_MAIN({
  TEST(test_falling_mass);
  TEST(test_impact_oscillator);
  TEST(test_sliding_mass);
  TEST(test_slider_crank);
})
