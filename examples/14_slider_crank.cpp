// The slider-crank with play in its guide (FLG10): four coefficients of restitution, and the instability of the
// symmetric start.
#include <moreau/workstation/csv.hpp>

#include <cmath>

#include "compare.hpp"
#include "models/slider_crank_figures.hpp"
#include "page.hpp"

namespace {

using Crank = models::SliderCrank<double>;
constexpr double h = 4e-7, t_end = 0.16, paper_eps = 0.4;

// (y_i - c) / c of FLG10 (115), where y_i is the gap of corner i: -1 on its face of the guide, 1 on the opposite one.
double dimensionless(const Crank& crank, int corner, const Crank::At& a) {
  return (crank.gap(corner, a) - crank.play) / crank.play;
}

// Table of a run: state, height of the slider's centre, and the motion of the corners.
class Table {
 public:
  explicit Table(const std::string& path)
      : file_{path,
              {"t [s]", "turns", "omega_1 [rad/s]", "omega_2 [rad/s]", "theta_2 [rad]", "y [m]", "v [m/s]",
               "theta_3 [rad]", "omega_3 [rad/s]", "corner_1", "corner_2", "corner_3", "corner_4"}} {}

  void row(const Crank& crank, const moreau::State<Crank>& s) {
    const auto a = crank.at(s.q, 0);
    const double y = crank.l_1 * a.sin_1 + crank.l_2 * a.sin_2;
    const double v = crank.l_1 * a.cos_1 * s.u(0) + crank.l_2 * a.cos_2 * s.u(1);
    file_.row(s.time(), s.q(0) / 6.283185307179586, s.u(0), s.u(1), s.q(1), y, v, s.q(2), s.u(2),
              dimensionless(crank, 0, a), dimensionless(crank, 1, a), dimensionless(crank, 2, a),
              dimensionless(crank, 3, a));
  }

 private:
  moreau::workstation::Csv file_;
};

struct Run {
  explicit Run(const moreau::State<Crank>& start) : motion(start) {}

  examples::Motion<Crank> motion;
  double theta_1 = 0, first_impact = 0, closed = 0, tilt = 0;  // closed: share of the time with a face on the guide
  bool advanced = true;
};

Run run(double eps_N, double tilt, const std::string& path) {
  Crank crank;
  crank.eps_N = eps_N;
  auto start = crank.start();
  start.q(2) = tilt;
  moreau::Stepper machine{crank, models::state_at<Crank>(start)};
  Table table{path};
  Run result{machine.state};
  const long steps = std::lround(t_end / h);
  long closed = 0;
  for (long n = 0; n < steps; ++n) {
    const auto before = machine.state;
    const auto report = machine.step(h);
    result.motion(machine.state, report);
    result.advanced = report.advanced();
    if (!result.advanced) break;
    const auto& s = machine.state;
    const auto a = crank.at(s.q, 0);
    if (result.first_impact == 0 && s.sigma_N[0] == 0) result.first_impact = s.time();
    int corners = 0;
    for (int i = 0; i < 4; ++i) corners += crank.gap(i, a) < 1e-8 ? 1 : 0;
    closed += corners >= 2 ? 1 : 0;
    result.tilt = std::fmax(result.tilt, std::abs(s.q(2)));
    const bool impact = std::abs(s.u(1) - before.u(1)) > 0.2;
    if (impact) table.row(crank, before);
    if (impact || n % 200 == 0) table.row(crank, s);
  }
  result.theta_1 = machine.state.q(0);
  result.closed = double(closed) / double(steps);
  return result;
}

void compare(const examples::Comparison& table, double eps, const Run& run, double theta_1, double closed) {
  const auto row = [&](const char* quantity, double reference, double value) {
    char name[60];
    std::snprintf(name, sizeof name, "eps %.1f: %s", eps, quantity);
    table.row(name, reference, value);
  };
  row("first impact, s", 2.69250275202121e-3, run.first_impact);
  row("crank angle at 0.16 s, rad", theta_1, run.theta_1);
  row("face on the guide, % of the time", closed, 100 * run.closed);
  row("largest tilt, rad", 0, run.tilt);
}

void explain(const Run& tilted) {
  std::printf(
      "\nThe start is exactly symmetric, and the exact solution keeps theta_3 = 0: both corners of a face hit "
      "together and rebound\n"
      "with eps. With any tilt they hit in turn, and the rattling dissipates the rebound (in the limit all of it, for "
      "eps up to 0.6).\n"
      "The steps follow the symmetric solution as long as both gaps are equal to rounding error. With theta_3(0) = "
      "0.01 rad a face\n"
      "is on the guide %.1f %% of the time instead of 12.1 %%, and the largest tilt is %.3g rad.\n",
      100 * tilted.closed, tilted.tilt);
}

bool write(const char* name, const char* subtitle, const examples::Motion<Crank>& motion, const std::string& folder) {
  const Crank crank;
  const auto describe = [&](auto& page) {
    page.subtitle = subtitle;
    page.coordinates = {{"theta_1", "rad"}, {"theta_2", "rad"}, {"theta_3", "rad"}};
    models::slider_crank_figures(page, crank);
  };
  return examples::page(name, "Slider-crank with play in its guide", crank, motion, describe, folder);
}

}  // namespace

int main(int count, char** words) {
  const std::string folder = examples::output(count, words, "");
  const double eps[] = {0.1, 0.4, 0.6, 0.9};
  const double theta_1[] = {14.3101594062956051, 14.3177601459863645, 14.3463929524108799, 14.3699464215488363};
  const double closed[] = {49.0, 12.1, 2.8, 0.0};
  const examples::Comparison table("Slider-crank, symmetric start, play 1 mm, h = 4e-7 s");
  bool good = true;
  for (int i = 0; i < 4; ++i) {
    const std::string file = "slider_crank_0" + std::to_string(std::lround(10 * eps[i])) + ".csv";
    const Run symmetric = run(eps[i], 0, folder + file);
    compare(table, eps[i], symmetric, theta_1[i], closed[i]);
    good = good && symmetric.advanced;
    if (eps[i] == paper_eps)
      good = good && write("14_slider_crank", "example 14: eps_N 0.4, the paper's start, steps of 0.4 us",
                           symmetric.motion, folder);
  }
  const Run tilted = run(paper_eps, 0.01, folder + "slider_crank_tilted.csv");
  explain(tilted);
  good = good && write("14_slider_crank_tilted", "example 14: eps_N 0.4, tilted by 0.01 rad at the start",
                       tilted.motion, folder);
  return good && tilted.advanced ? 0 : 1;
}
