// The four-bar with clearance in three pins against its reference, for all programs.
#pragma once
#include "four_bar_model.hpp"
#include "race.hpp"
#include "systems.hpp"

namespace peers {

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
        table_[r][1 + i] = whole(i, machine.state.q[i]), table_[r][8 + i] = machine.state.u[i];
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
