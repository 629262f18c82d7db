// Recorder and page of an example. The page is pages/NN_name.html in the output folder; on a board, which has no file
// system, both do nothing.
//
//   examples::Motion motion{machine.state};         // starts with the initial state
//   const auto report = motion.step(machine, dt);   // performs and records a step, with its reach
//   examples::page("31_slider_crank_from_parts", "Slider-crank", machine.model, motion, [](auto& page) { ... });
#pragma once
#include <moreau/moreau.hpp>

#if __has_include(<moreau/workstation/report.hpp>)
#include <cstdio>
#include <moreau/workstation/report.hpp>

namespace examples {

template <class Model>
struct Motion : moreau::workstation::MotionRecorder<Model> {
  explicit Motion(const moreau::State<Model>& initial) { this->start(initial); }
};

// Writes the page. `describe(page)` adds names, outputs and figures.
template <class Model, class Describe>
bool page(const char* name, const char* title, const Model& model, const Motion<Model>& motion, Describe describe,
          const std::string& folder = ".") {
  moreau::workstation::Report<Model> report{model, motion, title};
  describe(report);
  const auto written = report.write(folder + "/pages/" + name + ".html");
  if (!written.ok) std::printf("page not written: %s\n", written.why.c_str());
  return written.ok;
}

}  // namespace examples

#else

namespace examples {

template <class Model>
struct Motion {
  explicit Motion(const moreau::State<Model>&) {}
  template <class... Step>
  void operator()(const Step&...) {}
  template <class Stepper>
  [[nodiscard]] typename Stepper::Report step(Stepper& stepper, typename Stepper::Real dt) {
    return stepper.step(dt);
  }
};

template <class Model, class Describe>
bool page(const char*, const char*, const Model&, const Motion<Model>&, Describe) {
  return true;
}

}  // namespace examples

#endif
