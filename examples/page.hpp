// The page of an example: pages/NN_name.html in the folder that the example writes to. One short call on a host; nothing
// on a board, which has no files.
//
//   examples::Motion<Model> motion;                       // records
//   motion.step(machine, dt)                              // in the place of machine.step(dt)
//   examples::page("31_slider_crank_from_parts", "Slider-crank", machine.model, motion, [](auto& page) { ... });
#pragma once

#if __has_include(<moreau/workstation/report.hpp>)
#include <cstdio>
#include <moreau/workstation/report.hpp>

namespace examples {

template <class Model>
using Motion = moreau::workstation::MotionRecorder<Model>;

// says: what the page tells besides: names, outputs, phases.
template <class Model, class Says>
bool page(const char* name, const char* title, const Model& model, const Motion<Model>& motion, Says says,
          const std::string& folder = ".") {
  moreau::workstation::Report<Model> report{model, motion, title};
  says(report);
  const auto written = report.write(folder + "/pages/" + name + ".html");
  if (!written.ok) std::printf("no page: %s\n", written.why.c_str());
  return written.ok;
}

}  // namespace examples

#else

namespace examples {

template <class Model>
struct Motion {
  template <class Stepper>
  [[nodiscard]] typename Stepper::Report step(Stepper& stepper, typename Stepper::Real dt) {
    return stepper.step(dt);
  }
  template <class... Any>
  void operator()(const Any&...) {}
};

template <class Model, class Says>
bool page(const char*, const char*, const Model&, const Motion<Model>&, Says) {
  return true;
}

}  // namespace examples

#endif
