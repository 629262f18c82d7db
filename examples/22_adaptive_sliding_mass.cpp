// The sliding mass with adjusted steps (SLG08, section 10.2, Figure 11): small steps of high order where the friction
// turns round, order 2 on the parabolas.
#include <cmath>
#include <cstdio>
#include <moreau/workstation/adaptive_log.hpp>

#include "compare.hpp"
#include "models/sliding_mass.hpp"
#include "page.hpp"

int main(int count, char** words) {
  using Mass = models::SlidingMass<double>;
  const Mass mass;
  moreau::Stepper toy{mass, models::state_at<Mass>(mass.start())};

  auto options = moreau::AdaptiveOptions<double>::paper();
  options.dt_min = 1e-9;
  options.dt_max = 0.05;
  options.order_max = 8;
  options.atol = options.rtol = 1e-10;
  moreau::Adaptive run{toy, options};

  // t_A: the instant u_x = 0, by the secant, every time from the same state
  auto summary = run.advance_to(0.45);
  const auto before = toy.state;
  const auto u_x = [&](double t) {
    toy.state = before;
    summary = run.advance_to(t);
    return toy.state.u(0);
  };
  double t_0 = 0.455, turn = 0.465, f_0 = u_x(t_0), f = u_x(turn);
  for (int i = 0; i < 8 && f != f_0; ++i) {
    const double t = turn - f * (turn - t_0) / (f - f_0);
    t_0 = turn;
    f_0 = f;
    turn = t;
    f = u_x(t);
  }

  moreau::workstation::Csv steps{
      examples::output(count, words, "adaptive_slide.csv"),
      {"t [s]", "dt [s]", "order", "x [m]", "y [m]", "speed [m/s]", "lambda_x [N]", "lambda_y [N]", "lambda [N]"}};
  moreau::workstation::Csv points{examples::output(count, words, "adaptive_slide_points.csv"),
                                  {"t [s]", "x [m]", "y [m]", "speed [m/s]"}};
  const auto mark = [&] {
    const auto& s = toy.state;
    points.row(s.time(), s.q(0), s.q(1), std::hypot(s.u(0), s.u(1)));
  };
  mark();
  double stick = 0;
  examples::Motion<Mass> motion;
  const auto record = [&](const auto& state, const auto& step) {
    const double l_x = state.P_F(0, 0) / step.dt, l_y = state.P_F(1, 0) / step.dt;
    motion(state, step);
    steps.row(state.time(), step.dt, step.order, state.q(0), state.q(1), std::hypot(state.u(0), state.u(1)), l_x, l_y,
              std::hypot(l_x, l_y));
    for (const auto& w : step.switchings) {
      stick = w.t;
      mark();  // t_C
    }
  };
  toy.state = models::state_at<Mass>(mass.start());
  motion.start(toy.state);
  summary = run.advance_to(mass.t_off, record);  // t_B: the push ends, which is not for the run to find out
  mark();
  bool finished = summary.finished();
  std::int64_t base_steps = summary.base_steps;
  summary = run.advance_to(5, record);
  finished = finished && summary.finished();
  base_steps += summary.base_steps;

  const examples::Comparison table("Sliding mass, adjusted steps");
  table.row("turns round (u_x = 0), s", 0.459676977245798, turn);
  table.row("sticks, s", 3.665650043750861, stick);
  table.row("end point x, m", -1.711878974036901, toy.state.q(0));
  table.row("end point y, m", -0.298770868760569, toy.state.q(1));
  std::printf("%lld base steps\n", (long long)base_steps);
  const auto says = [](auto& page) {
    page.subtitle = "example 22: adjusted steps; the table from above";
    page.coordinates = {{"x", "m"}, {"y", "m"}};
    page.output("speed", "m/s", [](const auto&, const auto& u, double) { return std::hypot(u(0), u(1)); });
    page.figure("SLG08, figure 11(b)", {{"x"}, -1.8, 0.9}, {{"y"}, -0.35, 0.05});
    page.figure("SLG08, figure 11(c)", {{"t"}, 0, 5}, {{"order"}, 0, 9});
    page.figure("SLG08, figure 11(d)", {{"t"}, 0, 5}, {{"step size"}, 5e-10, 0.1, true});
    page.figure("SLG08, figure 11(e)", {{"t"}, 0, 5}, {{"friction, x", "friction, y", "friction, size"}, -2.2, 2.2});
    page.figure("SLG08, figure 11(f)", {{"t"}, 0, 5}, {{"speed"}, 0, 2.1});
    page.phase("x", "y");
  };
  const bool written = examples::page("22_adaptive_sliding_mass", "Sliding mass with adjusted steps", mass, motion,
                                      says, examples::output(count, words, ""));
  return finished && steps.good() && points.good() && written ? 0 : 1;
}
