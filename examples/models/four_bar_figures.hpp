// Figures for the page of a four-bar with play: path of the rocker pin in its bearing, loads of the pins.
#pragma once
#include <moreau/mechanism.hpp>

namespace models {

template <class Page, class Model>
void four_bar_figures(Page& page, const Model& model) {
  page.bodies = {"crank", "coupler", "rocker"};
  page.contacts = {"crank pin", "rocker pin", "pivot"};
  page.output("angle of the rocker", "rad",
              [](const auto& q, const auto&, double) { return q(Model::template angle_of<Model::rocker>); });
  // Position of the rocker's pin relative to its bearing, in the frame of the coupler.
  const auto on_coupler = model.rocker_pin.on_A, on_rocker = model.rocker_pin.on_B;
  const auto offset = [=](const auto& q) {
    const auto bodies = model.body_states(q, q, 0);
    const auto &coupler = bodies[Model::coupler].frame, &rocker = bodies[Model::rocker].frame;
    return coupler.turn_back(rocker.world(on_rocker) - coupler.world(on_coupler));
  };
  page.quantity("pin, along the coupler", "m", [=](const auto& q, const auto&, double) { return double(offset(q).x); });
  page.quantity("pin, across the coupler", "m",
                [=](const auto& q, const auto&, double) { return double(offset(q).y); });
  page.figure("Rocker pin in its bearing", {{"pin, along the coupler"}, -6e-4, 6e-4},
              {{"pin, across the coupler"}, -6e-4, 6e-4});
  page.figure("Loads of the pins", {{"t"}, 1.8, 2}, {{"force on crank pin", "force on rocker pin", "force on pivot"}});
}

}  // namespace models
