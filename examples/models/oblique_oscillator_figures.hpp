// Figures 6 to 8 of WP96 for the page of an oscillator on an oblique plane.
#pragma once
#include <string>
#include <utility>

namespace models {

template <class Page>
void oblique_oscillator_figures(Page& page) {
  page.coordinates = {{"x", "m"}, {"y", "m"}, {"z", "m"}, {"alpha", "rad"}, {"beta", "rad"}, {"gamma", "rad"}};
  page.output("x", "m", [](const auto& q, const auto&, double) { return q(0); });
  page.output("x'", "m/s", [](const auto&, const auto& u, double) { return u(0); });
  page.output("gamma", "rad", [](const auto& q, const auto&, double) { return q(5); });
  const std::pair<std::string, int> in_plane[] = {{"x", 0}, {"y", 1}, {"gamma", 5}};
  for (const auto& [name, i] : in_plane) {
    const std::string second = "d²/dt² " + name;
    page.rate(second, i == 5 ? "rad/s²" : "m/s²", [i = i](const auto&, const auto& u, double) { return u(i); });
    page.figure("WP96, figure 6: " + name, {{"t"}, 0, 1}, {{name}});
    page.figure("WP96, figure 8: " + name, {{"d/dt " + name}}, {{second}}).dots = true;
  }
  page.figure("WP96, figure 7: the path", {{"x"}}, {{"y"}});
  page.phase("x", "x'");
}

}  // namespace models
