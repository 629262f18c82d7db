// Cost of steps that leave constant time, over random starts and worst cases found by search (starts.hpp). Cost by
// fallback path, and upper bounds: worst.cpp.
#include <moreau/port/exit.hpp>

#include "starts.hpp"
#include "trajectory.hpp"

namespace {

using counting::Real;

template <class Start, class Solver>
void count_fallbacks(const char* solver_name) {
  using Model = typename Start::Model;
  moreau::Stepper<Model, Solver, moreau::Timing::constant> stepper{Model{}, moreau::State<Model>{}};
  counting::Count count{Start::name, counting::scalar, solver_name, "fallback"};
  count.only_fallbacks = true;
  test::BitsHash hash;
  counting::each_start<Start>(MOREAU_COUNT_STEPS, [&](const typename Start::Numbers& numbers, bool) {
    counting::put<Start>(numbers, stepper);
    (void)count.step(stepper, Real(Start::dt));
    for (int j = 0; j < Model::dof; ++j) hash.add(stepper.state.u(j));
  });
  count.print(sizeof stepper, hash.value());
}

}  // namespace

int main() {
  count_fallbacks<counting::WoodpeckerStart<Real>, moreau::Exact>("exact");
  count_fallbacks<counting::WoodpeckerStart<Real>, moreau::ClosedForms>("closed");
  count_fallbacks<counting::CrankStart<Real>, moreau::Exact>("exact");
  count_fallbacks<counting::CrankStart<Real>, moreau::ClosedForms>("closed");
  count_fallbacks<counting::BeamStart<Real>, moreau::Exact>("exact");
  count_fallbacks<counting::BeamStart<Real>, moreau::ClosedForms>("closed");
}
