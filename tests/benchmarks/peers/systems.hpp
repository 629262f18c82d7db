// The systems of all programs, and the rows of a run. One description each; a program that requires bodies in place
// of equations of motion builds the same mechanism from the same numbers.
#pragma once
#include "models/slider_crank.hpp"
#include "models/woodpecker.hpp"
#include "papers/data/slider_crank.hpp"
#include "papers/data/woodpecker.hpp"
#include "race.hpp"

namespace peers {

constexpr double dt = 5e-5;           // s, for every program
constexpr int steps_of_a_run = 4000;  // where times are measured: 0.2 s

using Crank = models::SliderCrank<double>;
using CrankStart = models::Start<double, 3>;

// The slider is a homogeneous slab (J_3 is 29 times the paper's) and starts tilted: its corners hit one after the
// other.
inline Crank slab_crank() {
  Crank crank;
  crank.J_3 = 7.9167e-5;
  return crank;
}
inline CrankStart slab_start() {
  CrankStart start = Crank{}.start();
  start.q(2) = 0.01;
  return start;
}

// Runs of the slider-crank along both references. make(crank, start, h) returns a machine whose q are the three angles.
template <class Make, class After>
Run symmetric_run(Make& make, double h, After after) {
  return along(
      data::crank_symmetric_04, [&](double step) -> decltype(auto) { return make(Crank{}, Crank{}.start(), step); }, h,
      [](const auto& s, int i) { return double(i < 2 ? s.q(i) : s.u(i - 2)); }, after);
}
template <class Make>
Run slab_run(Make& make, double h) {
  return along(
      data::crank_tilted_slab_04, [&](double step) -> decltype(auto) { return make(slab_crank(), slab_start(), step); },
      h, [](const auto& s, int i) { return double(i < 3 ? s.q(i) : s.u(i - 3)); }, [](const auto&) {});
}

// The row of the errors at equal computing time per simulated time. The middle one of the step sizes of along() is 4/5
// of h.
constexpr double budgets[] = {2e-3, 2e-2, 2e-1};  // s per s
constexpr double longest_step = 4e-4;             // s, the distance of the points of the reference
template <class Make>
void equal_cost(const Entrant& who, Make& make, double nanoseconds) {
  Line line("crank_cost", who);
  for (const bool slab : {false, true})
    for (const double per_second : budgets) {
      const double h = 1e-9 * nanoseconds / per_second * 5 / 4;
      if (h > longest_step) {
        line << "-";
        continue;
      }
      const Run run = slab ? slab_run(make, h) : symmetric_run(make, h, [](const auto&) {});
      if (run.advanced)
        line << run.error;
      else
        line << "stopped";
    }
}

template <class Make>
void race_crank(const Entrant& who, Make make) {
  double tilt = 0, penetration = 0;
  const Run run = symmetric_run(make, dt, [&](const auto& machine) {
    const Crank::Vector q(machine.state.q(0), machine.state.q(1), machine.state.q(2));
    tilt = papers::larger(tilt, std::abs(q(2)));
    for (int i = 0; i < Crank::contacts; ++i)
      penetration = papers::larger(penetration, -Crank{}.gap(i, Crank{}.at(q, 0)));
  });
  const Run slab = slab_run(make, dt);
  Cost c;
  {
    Line line("crank", who);
    if (!run.advanced || !slab.advanced) {
      line << "stopped";
      return;
    }
    c = cost([&](double h) -> decltype(auto) { return make(Crank{}, Crank{}.start(), h); }, dt, steps_of_a_run);
    line << c.nanoseconds << c.heap_calls << c.runs << run.error << slab.error << penetration << tilt << run.unsolved;
  }
  if (budget > 0) equal_cost(who, make, c.nanoseconds);
}

// The woodpecker's kinematics is linearised: equations of motion without equivalent rigid bodies. make(toy, start,
// h).
using Woodpecker = models::Woodpecker<double>;
using WoodpeckerStart = models::Start<double, 3>;
template <class Make>
void race_woodpecker(const Entrant& who, Make make) {
  const auto started = [&](double h) -> decltype(auto) { return make(Woodpecker{}, Woodpecker{}.start(), h); };
  const Run run = along(
      data::woodpecker, started, dt,
      [](const auto& s, int i) { return i == 0 ? std::nan("") : double(i < 3 ? s.q(i) : s.u(i - 3)); },  // angles
      [](const auto&) {});
  Line line("woodpecker", who);
  if (!run.advanced) {
    line << "stopped";
    return;
  }
  const Cost c = cost(started, dt, steps_of_a_run);
  line << c.nanoseconds << c.heap_calls << c.runs << run.error << run.unsolved;
}

}  // namespace peers
