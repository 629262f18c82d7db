// One run, step by step: as a table, as a page with animation and plots, or on a live page (CMake's moreau::live).
#pragma once
#include <optional>
#include <string>

#include "moreau/study/block_record.hpp"
#include "moreau/study/study.hpp"
#include "moreau/workstation/report.hpp"
#include "moreau/workstation/state_log.hpp"
#ifdef MOREAU_LIVE
#include <moreau/live/rerun.hpp>
#endif

namespace moreau::study {

template <class Runs, class Study>
void write_page(const Runs& runs, const Study& study, const double* values, double* results, const std::string& path) {
  using Model = typename Study::Model;
  workstation::MotionRecorder<Model> motion;
  std::optional<Model> model;          // with the parameters of this run
  std::optional<State<Model>> before;  // of the second step and later ones
  runs(values, results, [&](const auto& stepper, const auto& report) {
    if (!model) model = stepper.model;
    motion(stepper.state, report);
    if (before && report.advanced()) motion.add_reach(step_reach(stepper.model, *before, stepper.state));
    before = stepper.state;
  });
  if (!model) throw Refusal(Exit::refused, "this run cannot start, so there is no trace: " + runs.refusal(values));
  workstation::Report<Model> page(*model, motion, study.name);
  for (std::size_t i = 0; i < study.parameters.size(); ++i) {
    const Column& column = study.parameters[i].column;
    page.parameters.push_back({column.name, text_of(values[i]) + ' ' + column.unit});
  }
  if (const auto written = page.write(path); !written.ok) throw Refusal(Exit::disk, written.why);
}

// Shows the run on a live page: path is "live" or "live:" and a port.
template <class Runs, class Study>
void watch_run([[maybe_unused]] const Runs& runs, [[maybe_unused]] const Study& study,
               [[maybe_unused]] const double* values, [[maybe_unused]] double* results, const std::string& path) {
#ifdef MOREAU_LIVE
  const int port = path.size() > 5 ? int(Options::parse(path.substr(5), "a port", 1, 65535)) : live::Options{}.port;
  live::PacedView<typename Study::Model> view(study.name, port, study.dt, study.steps);
  runs(values, results, [&](const auto& stepper, const auto& report) { view(stepper, report); });
  if (!view.why.empty()) throw Refusal(Exit::refused, view.why);
  view.wait_for_end();
#else
  throw Refusal(Exit::usage, "--trace " + path + " needs a program that links moreau::live");
#endif
}

// Selects the format by the file name: .html for a page, .csv, .mat or .mcap for a table, live or live:PORT for a live
// page.
template <class Runs, class Study>
void write_trace(const Runs& runs, const Study& study, const double* values, double* results, const std::string& path) {
  if (path.size() > 5 && path.compare(path.size() - 5, 5, ".html") == 0)
    return write_page(runs, study, values, results, path);
  if (path == "live" || path.rfind("live:", 0) == 0) return watch_run(runs, study, values, results, path);
  workstation::StateLog<typename Study::Model> table(path);
  runs(values, results, [&](const auto& stepper, const auto& report) {
    if (report.advanced()) table(stepper.state, report);
  });
  if (!table.close()) throw Refusal(Exit::disk, table.what());
}

}  // namespace moreau::study
