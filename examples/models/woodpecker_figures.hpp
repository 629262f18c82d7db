// Figures of GS05 and SLG08 for the page of a woodpecker.
#pragma once

namespace models {

// GS05, figures 4 to 6: angles and speeds of woodpecker and sleeve, limit cycle.
template <class Page>
void woodpecker_figures_of_gs05(Page& page) {
  page.coordinates = {{"y", "m"}, {"phi_M", "rad"}, {"phi_S", "rad"}};
  page.output("angle of the woodpecker phi_S", "rad", [](const auto& q, const auto&, double) { return q(2); });
  page.output("angle of the sleeve phi_M", "rad", [](const auto& q, const auto&, double) { return q(1); });
  page.output("height y", "m", [](const auto& q, const auto&, double) { return q(0); });
  page.figure("GS05, figure 4: angle of the woodpecker", {{"t"}, 0, 1.5}, {{"phi_S"}});
  page.figure("GS05, figure 4: angular velocity", {{"t"}, 0, 1.5}, {{"d/dt phi_S"}});
  page.figure("GS05, figure 5: angle of the sleeve", {{"t"}, 0, 1.5}, {{"phi_M"}});
  page.figure("GS05, figure 5: angular velocity", {{"t"}, 0, 1.5}, {{"d/dt phi_M"}});
  page.figure("GS05, figure 6: limit cycle of the woodpecker", {{"phi_S"}}, {{"d/dt phi_S"}});
  page.figure("GS05, figure 6: limit cycle of the sleeve", {{"phi_M"}}, {{"d/dt phi_M"}});
  page.phase("phi_S", "d/dt phi_S");
  page.phase("phi_M", "d/dt phi_M");
}

// SLG08, figures 13(b) to (d): phase portrait, angular velocities of sleeve and woodpecker.
template <class Page>
void woodpecker_figures_of_slg08(Page& page) {
  page.coordinates = {{"y", "m"}, {"phi_M", "rad"}, {"phi_S", "rad"}};
  page.output("angle of the woodpecker phi_S", "rad", [](const auto& q, const auto&, double) { return q(2); });
  page.figure("SLG08, figure 13(b)", {{"phi_S"}}, {{"d/dt phi_S"}});
  page.figure("SLG08, figure 13(c)", {{"t"}, 0, 0.4}, {{"d/dt phi_M"}});
  page.figure("SLG08, figure 13(d)", {{"t"}, 0, 0.4}, {{"d/dt phi_S"}});
  page.phase("phi_S", "d/dt phi_S");
}

// SLG08, figures 13(e), (f): step size and order of an adaptive run.
template <class Page>
void adaptive_woodpecker_figures_of_slg08(Page& page) {
  woodpecker_figures_of_slg08(page);
  page.figure("SLG08, figure 13(e)", {{"t"}, 0, 0.4}, {{"step size"}, 5e-8, 1e-2, true});
  page.figure("SLG08, figure 13(f)", {{"t"}, 0, 0.4}, {{"order"}, 0, 7});
}

}  // namespace models
