// Recorder that takes only the report.
// Expected message: Recorder needs: void operator()(const State<Model>& state, const StepReport<Real>& report);
#include <moreau/record/recorder.hpp>

#include "ball.hpp"

bool use_recorder();
bool use_recorder() {
  using Model = Ball<double>;
  moreau::Stepper stepper{Model{}, moreau::State<Model>{}};
  int steps = 0;
#ifdef MISTAKE
  const auto recorder = [&](const moreau::StepReport<double>&) { ++steps; };
#else
  const auto recorder = [&](const moreau::State<Model>&, const moreau::StepReport<double>&) { ++steps; };
#endif
  return moreau::run(stepper, 1e-3, 10, recorder).advanced() && steps == 10;
}
