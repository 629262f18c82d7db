// The sliding mass with steps of adjusted size (SLG08, section 10.2, Figure 11): small steps of high order where the
// friction force rotates, order 2 on the parabolic arcs.
#include <cmath>
#include <cstdio>
#include <moreau/workstation/adaptive_log.hpp>

#include "compare.hpp"
#include "models/point_mass_figures.hpp"
#include "models/sliding_mass.hpp"
#include "page.hpp"

namespace {

using Mass = models::SlidingMass<double>;

moreau::AdaptiveOptions<double> paper_options() {
  auto options = moreau::AdaptiveOptions<double>::paper();
  options.dt_min = 1e-9;  // s
  options.dt_max = 0.05;  // s
  options.order_max = 8;
  options.atol = options.rtol = 1e-10;
  return options;
}

// Advances to t_A, the instant u_x = 0, by the secant method. Every iteration starts from the state at 0.45 s.
template <class Stepper, class Adaptive>
void advance_to_reversal(Stepper& machine, Adaptive& run) {
  run.advance_to(0.45);
  const auto before = machine.state;
  const auto u_x = [&](double t) {
    machine.state = before;
    run.advance_to(t);
    return machine.state.u(0);
  };
  double t_0 = 0.455, t_1 = 0.465, u_0 = u_x(t_0), u_1 = u_x(t_1);
  for (int i = 0; i < 8 && u_1 != u_0; ++i) {
    const double t = t_1 - u_1 * (t_1 - t_0) / (u_1 - u_0);
    t_0 = t_1;
    u_0 = u_1;
    t_1 = t;
    u_1 = u_x(t);
  }
}

// Recorder of an adaptive run: table of the steps, table of the marked points, page, instant of sticking.
struct Record {
  moreau::workstation::Csv steps, points;
  examples::Motion<Mass> motion;
  double stick = 0;

  Record(const moreau::State<Mass>& start, const std::string& steps_path, const std::string& points_path)
      : steps{steps_path,
              {"t [s]", "dt [s]", "order", "x [m]", "y [m]", "speed [m/s]", "lambda_x [N]", "lambda_y [N]",
               "lambda [N]"}},
        points{points_path, {"t [s]", "x [m]", "y [m]", "speed [m/s]"}},
        motion{start} {}

  void mark(const moreau::State<Mass>& s) { points.row(s.time(), s.q(0), s.q(1), std::hypot(s.u(0), s.u(1))); }
  template <class Step>
  void operator()(const moreau::State<Mass>& s, const Step& step) {
    const double l_x = s.P_F(0, 0) / step.dt, l_y = s.P_F(1, 0) / step.dt;
    motion(s, step);
    steps.row(s.time(), step.dt, step.order, s.q(0), s.q(1), std::hypot(s.u(0), s.u(1)), l_x, l_y,
              std::hypot(l_x, l_y));
    for (const auto& w : step.switchings) {
      stick = w.t;
      mark(s);  // t_C
    }
  }
};

void compare(double reversal, double stick, const moreau::State<Mass>& end) {
  const examples::Comparison table("Sliding mass, adjusted steps");
  table.row("reversal (u_x = 0), s", 0.459676977245798, reversal);
  table.row("sticking, s", 3.665650043750861, stick);
  table.row("end point x, m", -1.711878974036901, end.q(0));
  table.row("end point y, m", -0.298770868760569, end.q(1));
}

}  // namespace

int main(int count, char** words) {
  const Mass mass;
  const auto start = models::state_at<Mass>(mass.start());
  moreau::Stepper machine{mass, start};
  moreau::Adaptive run{machine, paper_options()};
  Record record{start, examples::output(count, words, "adaptive_slide.csv"),
                examples::output(count, words, "adaptive_slide_points.csv")};

  advance_to_reversal(machine, run);
  const double reversal = machine.state.time();
  record.mark(machine.state);
  machine.state = start;
  const auto pushed =
      run.advance_to(mass.t_off, record);  // t_B, where the force ends: a given instant, not searched for
  record.mark(machine.state);
  const auto free = run.advance_to(5, record);

  compare(reversal, record.stick, machine.state);
  std::printf("%lld base steps\n", (long long)(pushed.base_steps + free.base_steps));
  const auto describe = [](auto& page) {
    page.subtitle = "example 22: steps of adjusted size; the table from above";
    models::adaptive_sliding_mass_figures(page);
  };
  const bool written = examples::page("22_adaptive_sliding_mass", "Sliding mass with adjusted steps", mass,
                                      record.motion, describe, examples::output(count, words, ""));
  const bool finished = pushed.finished() && free.finished();
  return finished && record.steps.good() && record.points.good() && written ? 0 : 1;
}
