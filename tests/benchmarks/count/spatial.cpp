// Cost of steps in space: a pendulum on a loose ball, an RSSP mechanism with one loose ball, and a shaft with ten
// contacts in its bush and between its thrust faces. Variable time with Psor and Newton; constant time with sweeps.
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
  return unsolved.exit_code();
}
