// Figures 4 to 12 of CSS for the page of a prismatic joint with the coordinates x, y, theta, derived by hand or from
// parts.
#pragma once
#include <cmath>
#include <string>

namespace models {

// l: half length of the slider. The contacts have the names of PrismaticJoint::shapes.
template <class Page>
void prismatic_joint_figures(Page& page, int number, double l) {
  page.coordinates = {{"x", "m"}, {"y", "m"}, {"theta", "rad"}};
  page.output("y of the left end", "m", [l](const auto& q, const auto&, double) { return q(1) - l * std::sin(q(2)); });
  page.output("y of the right end", "m", [l](const auto& q, const auto&, double) { return q(1) + l * std::sin(q(2)); });
  page.quantity("y of the centre", "m", [](const auto& q, const auto&, double) { return q(1); });
  page.quantity("y velocity", "m/s", [](const auto&, const auto& u, double) { return u(1); });
  page.quantity("x of the centre", "m", [](const auto& q, const auto&, double) { return q(0); });
  page.quantity("x velocity", "m/s", [](const auto&, const auto& u, double) { return u(0); });
  const double end = 5e-3;           // s
  const int first = 1 + 3 * number;  // of the three figures of the case
  const auto caption = [&](int k) {
    return "CSS, figure " + std::to_string(first + k) + ", case " + std::to_string(number);
  };
  page.figure(caption(0), {{"t"}, 0, end},
              {{"y of the left end", "y of the centre", "y of the right end"}, -15e-6, 15e-6});
  if (number == 1) page.figure("CSS, figure 4: along the rod", {{"t"}, 0, end}, {{"x of the centre"}, 0, 150e-6});
  page.figure(caption(1), {{"t"}, 0, end}, {{"y velocity"}, -15e-3, 15e-3});
  if (number == 1) page.figure("CSS, figure 5: along the rod", {{"t"}, 0, end}, {{"x velocity"}, 0, 60e-3});
  page.figure(
      caption(2), {{"t"}, 0, end},
      {{"force on left end below", "force on right end below", "force on left end above", "force on right end above"},
       0,
       60});
  page.phase("y of the left end", "y of the right end");
}

}  // namespace models
