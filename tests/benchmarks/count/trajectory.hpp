// Counts every step of a trajectory and prints its row (count.hpp).
#pragma once
#include <moreau/moreau.hpp>

#include "count.hpp"
#include "support/bits_hash.hpp"

namespace counting {

#ifdef MOREAU_TEST_REAL
using Real = MOREAU_TEST_REAL;
#else
using Real = double;
#endif
constexpr const char* scalar = sizeof(Real) == 4 ? "float" : "double";

// Unsolved steps over all trajectories of a program.
struct Unsolved {
  int inexact = 0, not_advanced = 0;

  // Return value of main(): a step that did not advance is a failure.
  int exit_code() const {
    if (inexact > 0) moreau::port::print(inexact, " steps are inexact");
    if (not_advanced > 0) moreau::port::print(not_advanced, " steps did not advance");
    return not_advanced > 0 ? 1 : 0;
  }
};

// `before_step(model, n)` sets the inputs of step n. Not inlined: the stack of a small board holds one
// stepper at a time.
template <moreau::Timing timing, class Model, class Solver, class Inputs>
[[gnu::noinline]] void count_trajectory(const char* name, const char* solver_name, const Model& model,
                                        const moreau::State<Model>& start, const Solver& solver, Real dt, int steps,
                                        Unsolved& unsolved, const Inputs& before_step) {
  moreau::Stepper<Model, Solver, timing> stepper{model, start, solver};
  Count count{name, scalar, solver_name, timing == moreau::Timing::variable ? "variable" : "const"};
  test::BitsHash hash;
  for (int n = 0; n < steps; ++n) {
    before_step(stepper.model, n);
    const auto report = count.step(stepper, dt);
    unsolved.inexact += report.status == moreau::Status::inexact;
    unsolved.not_advanced += !report.advanced();
    const auto& state = stepper.state;
    for (int i = 0; i < Model::dof; ++i) {
      hash.add(state.q[i]);
      hash.add(state.u[i]);
    }
    for (int i = 0; i < moreau::Traits<Model>::contacts; ++i) hash.add(state.P_N(i));
    for (int i = 0; i < int(state.P_T.size()); ++i) hash.add(state.P_T.data()[i]);
    for (int i = 0; i < int(state.P_B.size()); ++i) hash.add(state.P_B(i));
  }
  count.print(sizeof stepper, hash.value());
}

template <moreau::Timing timing, class Model, class Solver>
void count_trajectory(const char* name, const char* solver_name, const Model& model, const moreau::State<Model>& start,
                      const Solver& solver, Real dt, int steps, Unsolved& unsolved) {
  count_trajectory<timing>(name, solver_name, model, start, solver, dt, steps, unsolved, [](Model&, int) {});
}

}  // namespace counting
