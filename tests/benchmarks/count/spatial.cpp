// Cost of steps in space: a pendulum on a loose ball, an RSSP mechanism with one loose ball, and a shaft with ten
// contacts in its bush and between its thrust faces. Variable time with Psor and Newton; constant time with sweeps, for
// the shaft also with rows for six contacts.
#include <moreau/port/exit.hpp>

#include "support/spatial_machines.hpp"
#include "trajectory.hpp"

namespace {

using counting::Real;
using moreau::Timing;
counting::Unsolved unsolved;
constexpr int steps = MOREAU_COUNT_STEPS / 10;

template <class Model>
void count_model(const char* name, const moreau::State<Model>& start, int sweeps) {
  const Real dt = Real(1e-4);
  moreau::Sweeps fixed;
  fixed.count = sweeps;
  counting::count_trajectory<Timing::constant>(name, "psor", Model{}, start, fixed, dt, steps, unsolved);
  counting::count_trajectory<Timing::variable>(name, "psor", Model{}, start, moreau::Psor{}, dt, steps, unsolved);
  counting::count_trajectory<Timing::variable>(name, "newton", Model{}, start, moreau::Newton{}, dt, steps, unsolved);
}

}  // namespace

int main() {
  count_model("spatial_pendulum", spatial_machines::pendulum_start<Real>(), 20);
  count_model("spatial_rssp", spatial_machines::rssp_start<Real>(), 20);
  count_model("spatial_shaft", spatial_machines::shaft_start<Real>(), 50);

  // 10 sweeps with omega = 1.3 are as accurate as 50 with 1: residuals up to 1.0e-6 m/s and 1.1e-6 m/s in 9,000 steps.
  moreau::Sweeps fixed;
  fixed.count = 10, fixed.omega = 1.3f;
  using LimitedShaft = moreau::Mechanism<spatial_machines::LimitedShaft<Real>>;
  counting::count_trajectory<Timing::constant>("spatial_shaft_max_closed_6", "sweeps", LimitedShaft{},
                                               spatial_machines::limited_shaft_start<Real>(), fixed, Real(1e-4), steps,
                                               unsolved);
  return unsolved.exit_code();
}
