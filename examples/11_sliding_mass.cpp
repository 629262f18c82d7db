// A point mass slides on a table against a force that reverses its motion (SLG08, section 10.2): planar friction of a
// given bound, modelled once as a dry-friction element and once as a contact under the weight of the mass.
#include <moreau/workstation/csv.hpp>

#include <cmath>

#include "compare.hpp"
#include "models/point_mass_figures.hpp"
#include "models/sliding_mass.hpp"
#include "page.hpp"

using Element = models::SlidingMass<double>;
using OnTable = models::SlidingMassOnTable<double>;
constexpr double h = 1e-6, t_end = 5;  // s

// Motion and friction force of the element: table, instants of reversal and sticking.
class Observer {
 public:
  double reversal = 0, stick = 0, least_force = 2;
  moreau::workstation::Csv file;

  explicit Observer(const std::string& path)
      : file{path, {"t [s]", "x [m]", "y [m]", "speed [m/s]", "lambda_x [N]", "lambda_y [N]", "lambda [N]"}} {}

  void operator()(const moreau::State<Element>& s) {
    const double t = s.time(), l_x = s.P_F(0, 0) / h, l_y = s.P_F(1, 0) / h, force = std::hypot(l_x, l_y);
    if (u_x_ > 0 && s.u(0) <= 0) reversal = t;
    if (stick == 0 && t > 1 && s.sigma_F[0] == 0) stick = t;
    if (stick == 0) least_force = std::fmin(least_force, force);
    if (n_++ % 1000 == 0) file.row(t, s.q(0), s.q(1), std::hypot(s.u(0), s.u(1)), l_x, l_y, force);
    u_x_ = s.u(0);
  }

 private:
  long n_ = 0;
  double u_x_ = 0;
};

void compare(const Observer& observer, const moreau::State<Element>& end, double distance) {
  const examples::Comparison table("Sliding mass, h = 1e-6 s");
  table.row("reversal (u_x = 0), s", 0.459676977245798, observer.reversal);
  table.row("sticking, s", 3.665650043750861, observer.stick);
  table.row("end point x, m", -1.711878974036901, end.q(0));
  table.row("end point y, m", -0.298770868760569, end.q(1));
  table.row("least friction force while slipping, N", 2, 2, observer.least_force);
  table.row("friction at the end, N", 0, std::hypot(end.P_F(0, 0), end.P_F(1, 0)) / h);
  table.row("largest distance of element and contact model, m", 0, distance);
}

int main(int count, char** words) {
  moreau::Stepper element{Element{}, models::state_at<Element>(Element{}.start())};
  moreau::Stepper on_table{OnTable{}, models::state_at<OnTable>(OnTable{}.start())};
  Observer observer{examples::output(count, words, "sliding_mass.csv")};
  examples::Motion motion{on_table.state};
  double distance = 0;
  for (long n = 0; n < std::lround(t_end / h); ++n) {
    const auto report = element.step(h), report_on_table = on_table.step(h);
    motion(on_table.state, report_on_table);
    if (!report.advanced() || !report_on_table.advanced()) return 1;
    observer(element.state);
    const auto& q = element.state.q;
    distance = std::fmax(distance, std::hypot(q(0) - on_table.state.q(0), q(1) - on_table.state.q(1)));
  }
  compare(observer, element.state, distance);
  const auto describe = [](auto& page) {
    page.subtitle = "example 11: the mass on a table, from above; steps of 1 us";
    models::sliding_mass_figures(page);
  };
  const bool written = examples::page("11_sliding_mass", "Mass sliding on a table", on_table.model, motion, describe,
                                      examples::output(count, words, ""));
  return observer.file.good() && written ? 0 : 1;
}
