// A point mass slides on a table against a push that turns it round (SLG08, section 10.2): friction of a given bound in
// the plane, once as a dry-friction element and once from the weight of the mass.
#include <moreau/workstation/csv.hpp>

#include <cmath>

#include "compare.hpp"
#include "models/sliding_mass.hpp"
#include "page.hpp"

int main(int count, char** words) {
  using Dry = models::SlidingMass<double>;
  using Table = models::SlidingMassOnTable<double>;
  const Dry dry;
  const Table on_table;
  moreau::Stepper toy{dry, models::state_at<Dry>(dry.start())};
  moreau::Stepper twin{on_table, models::state_at<Table>(on_table.start())};
  moreau::workstation::Csv file{
      examples::output(count, words, "sliding_mass.csv"),
      {"t [s]", "x [m]", "y [m]", "speed [m/s]", "lambda_x [N]", "lambda_y [N]", "lambda [N]"}};

  const double h = 1e-6, t_end = 5;
  examples::Motion<Table> motion;
  double turn = 0, stick = 0, least_force = 2, apart = 0;
  for (long n = 0; n < std::lround(t_end / h); ++n) {
    const double u_x = toy.state.u(0);
    if (!toy.step(h).advanced() || !motion.step(twin, h).advanced()) return 1;
    const double t = toy.state.time(), l_x = toy.state.P_F(0, 0) / h, l_y = toy.state.P_F(1, 0) / h,
                 force = std::hypot(l_x, l_y);
    if (u_x > 0 && toy.state.u(0) <= 0) turn = t;
    if (stick == 0 && t > 1 && toy.state.sigma_F[0] == 0) stick = t;
    if (stick == 0) least_force = std::fmin(least_force, force);
    apart = std::fmax(apart, std::hypot(toy.state.q(0) - twin.state.q(0), toy.state.q(1) - twin.state.q(1)));
    if (n % 1000 == 0)
      file.row(t, toy.state.q(0), toy.state.q(1), std::hypot(toy.state.u(0), toy.state.u(1)), l_x, l_y, force);
  }

  const examples::Comparison table("Sliding mass, h = 1e-6 s");
  table.row("turns round (u_x = 0), s", 0.459676977245798, turn);
  table.row("sticks, s", 3.665650043750861, stick);
  table.row("end point x, m", -1.711878974036901, toy.state.q(0));
  table.row("end point y, m", -0.298770868760569, toy.state.q(1));
  table.row("friction while it slips, N (least)", 2, 2, least_force);
  table.row("friction at the end, N", 0, std::hypot(toy.state.P_F(0, 0), toy.state.P_F(1, 0)) / h);
  table.row("element and mass on a table apart by at most, m", 0, apart);
  const auto says = [&](auto& page) {
    page.subtitle = "example 11: the mass on a table, from above; steps of 1 us";
    page.coordinates = {{"x", "m"}, {"y", "m"}, {"z", "m"}};
    page.output("speed", "m/s", [](const auto&, const auto& u, double) { return std::hypot(u(0), u(1)); });
    page.figure("SLG08, figure 11(b): the path", {{"x"}, -1.8, 0.9}, {{"y"}, -0.35, 0.05});
    page.figure("SLG08, figure 11(f): the speed", {{"t"}, 0, 5}, {{"speed"}, 0, 2.1});
    page.phase("x", "y");
  };
  const bool written = examples::page("11_sliding_mass", "Mass sliding on a table", on_table, motion, says,
                                      examples::output(count, words, ""));
  return file.good() && written ? 0 : 1;
}
