// Cost of steps at rest and under load: a slider-crank whose corners hit one by one, at rest on two corners of one
// face, jammed with all four; a beam on a table, loaded, unloaded, without friction; a pendulum that bounces to rest
// on its stop; a follower on a rotating cam. benchmarks/at_rest.cpp counts the fallbacks of long runs on the host.
#include <moreau/port/exit.hpp>

#include "models/beam.hpp"
#include "models/cam.hpp"
#include "models/pendulum_stop.hpp"
#include "models/slider_crank.hpp"
#include "trajectory.hpp"

namespace {

using counting::Real;
using moreau::Timing;
counting::Unsolved unsolved;

template <Timing timing, class Model, class Solver>
void count_steps(const char* name, const char* solver_name, const Model& model,
                 const models::Start<Real, Model::dof>& start, Real dt, int steps) {
  counting::count_trajectory<timing>(name, solver_name, model, models::state_at<Model>(start), Solver{}, dt, steps,
                                     unsolved);
}

template <class Model>
void count_all(const char* name, const Model& model, const models::Start<Real, Model::dof>& start, Real dt,
               int steps = MOREAU_COUNT_STEPS) {
  count_steps<Timing::constant, Model, moreau::Exact>(name, "exact", model, start, dt, steps);
  count_steps<Timing::variable, Model, moreau::Exact>(name, "exact", model, start, dt, steps);
  count_steps<Timing::constant, Model, moreau::ClosedForms>(name, "closed", model, start, dt, steps);
  count_steps<Timing::variable, Model, moreau::ClosedForms>(name, "closed", model, start, dt, steps);
}

}  // namespace

int main() {
  using Crank = models::SliderCrank<Real>;
  const Crank crank, jammed = Crank::jammed();
  count_all("crank_tilted", crank, crank.start_tilted(), Real(1e-5));
  count_all("crank_at_rest", crank, crank.start_at_rest(), Real(1e-5));
  count_all("crank_jammed", jammed, jammed.start_at_rest(), Real(1e-5), 100);  // repeats the same step

  models::Beam<Real> beam;
  count_all("beam", beam, beam.start(), Real(1e-4));
  beam.push = 0;
  beam.mu = 0;
  count_all("beam_mu0", beam, beam.start(), Real(1e-4));
  beam.mu = Real(0.3);
  beam.load = 0;
  count_all("beam_unloaded", beam, beam.start(), Real(1e-4));

  const models::PendulumStop<Real> pendulum;
  count_all("pendulum", pendulum, pendulum.start(), Real(1e-4));
  const models::Cam<Real> cam;
  count_all("cam", cam, cam.start(), Real(5e-5));
  return unsolved.exit_code();
}
