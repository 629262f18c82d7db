// Figures 9 to 12 of SLG08 for the pages of the falling mass, the sliding mass and the impact oscillator.
#pragma once
#include <cmath>

namespace models {

// Figures 10(c), (d): height and velocity of the falling mass.
template <class Page>
void falling_mass_figures(Page& page) {
  page.coordinates = {{"z", "m"}};
  page.output("z", "m", [](const auto& q, const auto&, double) { return q(0); });
  page.figure("SLG08, figure 10(c)", {{"t"}, 0, 1}, {{"z"}, 0, 0.07});
  page.figure("SLG08, figure 10(d)", {{"t"}, 0, 1}, {{"d/dt z"}, -1.3, 1});
}

// Figures 9(a) and 10 for steps of adjusted size: step size, order, height, velocity.
template <class Page>
void adaptive_falling_mass_figures(Page& page) {
  page.coordinates = {{"z", "m"}};
  page.output("z", "m", [](const auto& q, const auto&, double) { return q(0); });
  page.figure("SLG08, figures 9(a), 10(a)", {{"t"}, 0, 1.2}, {{"step size"}, 5e-6, 0.1, true});
  page.figure("SLG08, figure 10(b)", {{"t"}, 0, 1.2}, {{"order"}, 0, 7});
  page.figure("SLG08, figure 10(c)", {{"t"}, 0, 1.2}, {{"z"}, 0, 0.075});
  page.figure("SLG08, figure 10(d)", {{"t"}, 0, 1.2}, {{"d/dt z"}, -1.3, 1});
}

// Figure 9(b): velocity at rest, for a run whose step size does not recover. Recovered steps are longer than its time
// axis.
template <class Page>
void resting_mass_figure(Page& page) {
  page.quantity("velocity at rest", "m/s",
                [](const auto&, const auto& u, double t) { return t > 0.69 ? u(0) : 0; });  // 0 before
  page.figure("SLG08, figure 9(b): at rest", {{"t"}, 0.7, 0.703}, {{"velocity at rest"}, -8e-9, 8e-9});
}

// Figures 11(b), (f): path and speed of the sliding mass on a table, which has a third coordinate z.
template <class Page>
void sliding_mass_figures(Page& page) {
  page.coordinates = {{"x", "m"}, {"y", "m"}, {"z", "m"}};
  page.output("speed", "m/s", [](const auto&, const auto& u, double) { return std::hypot(u(0), u(1)); });
  page.figure("SLG08, figure 11(b): the path", {{"x"}, -1.8, 0.9}, {{"y"}, -0.35, 0.05});
  page.figure("SLG08, figure 11(f): the speed", {{"t"}, 0, 5}, {{"speed"}, 0, 2.1});
  page.phase("x", "y");
}

// Figures 11(b) to (f) for steps of adjusted size.
template <class Page>
void adaptive_sliding_mass_figures(Page& page) {
  page.coordinates = {{"x", "m"}, {"y", "m"}};
  page.output("speed", "m/s", [](const auto&, const auto& u, double) { return std::hypot(u(0), u(1)); });
  page.figure("SLG08, figure 11(b)", {{"x"}, -1.8, 0.9}, {{"y"}, -0.35, 0.05});
  page.figure("SLG08, figure 11(c)", {{"t"}, 0, 5}, {{"order"}, 0, 9});
  page.figure("SLG08, figure 11(d)", {{"t"}, 0, 5}, {{"step size"}, 5e-10, 0.1, true});
  page.figure("SLG08, figure 11(e)", {{"t"}, 0, 5}, {{"friction, x", "friction, y", "friction, size"}, -2.2, 2.2});
  page.figure("SLG08, figure 11(f)", {{"t"}, 0, 5}, {{"speed"}, 0, 2.1});
  page.phase("x", "y");
}

// Figures 12(b) to (d): percussions, position and velocity of the impact oscillator.
template <class Page>
void impact_oscillator_figures(Page& page) {
  page.coordinates = {{"x", "m"}};
  page.output("x", "m", [](const auto& q, const auto&, double) { return q(0); });
  page.figure("SLG08, figure 12(b): percussions", {{"t"}, 0, 5}, {{"percussion of stop"}, 0, 0.8});
  page.figure("SLG08, figure 12(c): position", {{"t"}, 0, 5}, {{"x"}, -0.6, 0.1});
  page.figure("SLG08, figure 12(d): velocity", {{"t"}, 0, 5}, {{"d/dt x"}, -6, 6});
}

}  // namespace models
