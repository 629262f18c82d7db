// Figures 10 and 11 of FLG10 for the page of a slider-crank, derived by hand or from parts. Its coordinates are the
// angles of crank, rod and slider.
#pragma once
#include "slider_crank.hpp"

namespace models {

template <class Page>
void slider_crank_figures(Page& page, const SliderCrank<double>& crank) {
  using Vector = moreau::Vector<double, 3>;
  const auto angles = [](const auto& all) { return Vector(double(all[0]), double(all[1]), double(all[2])); };
  page.quantity("crank turns", "",
                [=](const auto& q, const auto&, double) { return angles(q)(0) / 6.283185307179586; });
  static const char* const corners[] = {"y_1", "y_2", "y_3", "y_4"};
  for (int i = 0; i < 4; ++i)  // (y_i - c) / c, (115)
    page.quantity(corners[i], "", [=](const auto& q, const auto&, double) {
      return crank.gap(i, crank.at(angles(q), 0)) / crank.play - 1;
    });
  page.quantity("crank speed", "rad/s", [=](const auto&, const auto& u, double) { return angles(u)(0); });
  page.quantity("rod angle", "rad", [=](const auto& q, const auto&, double) { return angles(q)(1); });
  page.quantity("rod speed", "rad/s", [=](const auto&, const auto& u, double) { return angles(u)(1); });
  page.output("slider height", "m", [=](const auto& q, const auto&, double) {
    const auto at = crank.at(angles(q), 0);
    return crank.l_1 * at.sin_1 + crank.l_2 * at.sin_2;
  });
  page.output("slider velocity", "m/s", [=](const auto& q, const auto& u, double) {
    const auto at = crank.at(angles(q), 0);
    return crank.l_1 * at.cos_1 * angles(u)(0) + crank.l_2 * at.cos_2 * angles(u)(1);
  });
  static const char* const captions[] = {"FLG10, figure 10: corner 1, (y - c) / c", "FLG10, figure 10: corner 2",
                                         "FLG10, figure 10: corner 3", "FLG10, figure 10: corner 4"};
  for (int i = 0; i < 4; ++i) page.figure(captions[i], {{"crank turns"}, 0, 2}, {{corners[i]}, -1.1, 1.1});
  page.figure("FLG10, figure 11(a): crank", {{"crank turns"}, 0, 2}, {{"crank speed"}, 50, 170});
  page.figure("FLG10, figure 11(b): rod", {{"crank turns"}, 0, 2}, {{"rod speed"}, -90, 90});
  page.figure("FLG10, figure 11(c): rod", {{"rod angle"}, -0.6, 0.6}, {{"rod speed"}, -90, 90});
  page.figure("FLG10, figure 11(d): slider", {{"slider height"}, -1.2e-3, 1.2e-3}, {{"slider velocity"}, -1.5, 1.5});
  page.phase("slider height", "slider velocity");
}

}  // namespace models
