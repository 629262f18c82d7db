// What a step costs that leaves constant time, over starts drawn at random and the dearest that were bred (starts.hpp).
// By which way, and how much it can be at most: worst.cpp.
#include <moreau/port/exit.hpp>

#include "starts.hpp"
#include "trajectory.hpp"

namespace {

using bench::Real;

template <class Start, class Solver>
void count_fallbacks(const char* solver_name) {
  using Model = typename Start::Model;
  moreau::Stepper<Model, Solver, moreau::Timing::constant> stepper{Model{}, moreau::State<Model>{}};
  bench::Count count{Start::name, bench::scalar, solver_name, "fallback"};
  count.only_fallbacks = true;
  test::BitsHash hash;
  bench::each_start<Start>(MOREAU_COUNT_STEPS, [&](const typename Start::Numbers& numbers, bool) {
    bench::put<Start>(numbers, stepper);
    (void)count.step(stepper, Real(Start::dt));
    for (int j = 0; j < Model::dof; ++j) hash.add(stepper.state.u(j));
  });
  count.print(sizeof stepper, hash.value());
}

}  // namespace

int main() {
  count_fallbacks<bench::WoodpeckerStart<Real>, moreau::Exact>("exact");
  count_fallbacks<bench::WoodpeckerStart<Real>, moreau::ClosedForms>("closed");
  count_fallbacks<bench::CrankStart<Real>, moreau::Exact>("exact");
  count_fallbacks<bench::CrankStart<Real>, moreau::ClosedForms>("closed");
  count_fallbacks<bench::BeamStart<Real>, moreau::Exact>("exact");
  count_fallbacks<bench::BeamStart<Real>, moreau::ClosedForms>("closed");
}
