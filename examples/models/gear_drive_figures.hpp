// Figures for the page of a gear drive: motion between the flanks, angles of motor and load.
#pragma once

namespace models {

template <class Model, class Page>
void gear_drive_figures(Page& page) {
  constexpr auto motor = Model::template angle_of<Model::pinion>, load = Model::template angle_of<Model::wheel>;
  page.bodies = {"pinion", "wheel"};
  page.output("angle of the motor", "rad", [](const auto& q, const auto&, double) { return q(motor); });
  page.output("angle of the load", "rad", [](const auto& q, const auto&, double) { return q(load); });
  page.output("lead of the load", "m", [](const auto& q, const auto&, double) {
    return 0.02 * static_cast<double>(q(motor)) + 0.08 * static_cast<double>(q(load));
  });
  page.quantity("speed of the lead", "m/s", [](const auto&, const auto& u, double) {
    return 0.02 * static_cast<double>(u(motor)) + 0.08 * static_cast<double>(u(load));
  });
  page.figure("Between the flanks", {{"lead of the load"}, -1.1e-4, 1.1e-4}, {{"speed of the lead"}});
  page.figure("Motor and load", {{"t"}, 0, 2}, {{"angle of the motor", "angle of the load"}, -3, 8});
  page.phase("lead of the load", "speed of the lead");
}

}  // namespace models
