// Recorder of the disks for a page: positions of all disks every `every` steps.
#pragma once
#include <moreau/workstation/motion_recorder.hpp>
#include <moreau/workstation/run.hpp>

#include "disks.hpp"

namespace disks {

class Film {
 public:
  // left(i): disk i belongs to the left half, which is drawn lighter.
  template <class Box, class Left>
  Film(const Box& box, double height, Left left, int every) : every_(every) {
    run.title = "A thousand disks", run.subtitle = "example 18, as SLG08, figure 2: collision of two halves";
    run.picture.face(moreau::ground, {0, 0}, {box.width, 0}, 0);
    run.picture.face(moreau::ground, {box.width, 0}, {box.width, height}, 0);
    run.picture.face(moreau::ground, {0, height}, {0, 0}, 0);
    run.nominal.resize(3 * std::size_t(box.count));
    for (int i = 0; i < box.count; ++i) {
      run.picture.add_body("");
      run.picture.disk(i, {0, 0}, box.disk[at(i)].radius);
      run.picture.tone(left(i) ? 1 : 0);
    }
    run.curve.push_back({{"energy", "J"}, "energy", {}});
    run.curve.push_back({{"contacts", ""}, "outputs", {}});
    run.curve.push_back({{"sweeps", ""}, "outputs", {}});
    run.phase.push_back({"contacts", "sweeps"});
    take(box, 0, 0, 0);
  }

  template <class Box>
  void operator()(const Box& box, const typename Box::Report& report, double dt, double seconds) {
    ++run.statuses[std::size_t(report.status)];
    times_.add(float(seconds));
    residual_ = std::max(residual_, report.residual), seconds_ = std::max(seconds_, seconds);
    if (++run.steps % every_ == 0) take(box, double(run.steps) * dt, report.contacts, report.iterations);
  }

  moreau::workstation::Run finish() {
    run.stride = every_;
    run.timed_steps = times_.steps(), run.slowest = double(times_.slowest());
    for (int b = 0; b < times_.bins; ++b)
      if (times_.count(b) > 0) run.times.push_back({times_.lower_end(b), double(times_.count(b))});
    return run;
  }

  moreau::workstation::Run run;

 private:
  template <class Box>
  void take(const Box& box, double t, int contacts, int sweeps) {
    run.t.push_back(t);
    for (int i = 0; i < box.count; ++i)
      for (std::size_t k = 0; k < 3; ++k) run.nominal[3 * at(i) + k].push_back(box.disk[at(i)].q[k]);
    run.curve[0].data.push_back(box.energy());
    run.curve[1].data.push_back(contacts);
    run.curve[2].data.push_back(sweeps);
    run.residual.push_back(residual_), run.seconds.push_back(seconds_), run.status.push_back(0);
    residual_ = seconds_ = 0;
  }

  int every_;
  double residual_ = 0, seconds_ = 0;
  moreau::workstation::StepTimes times_;
};

}  // namespace disks
