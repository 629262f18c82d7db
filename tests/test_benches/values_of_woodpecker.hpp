#pragma once
#include "test_benches/woodpecker.hpp"

inline auto& input_of(WoodpeckerBench::Model& model) { return model.gravity; }

template <class Stepper, class State, class Check>
void values_of(const Stepper& stepper, const State&, const Check& check) {
  check("phi_S", stepper.state.q(2));
  check("v_y", stepper.state.u(0));
  check("energy", stepper.model.energy(stepper.state.q, stepper.state.u));
  const char* const contact[] = {"beak", "lower_edge", "upper_edge"};
  for (int i = 0; i < 3; ++i) {
    const moreau::bench::Name name = contact[i];
    check(name.with(".gap").text, stepper.contact(i).gap_M);
    check(name.with(".force_N").text, stepper.contact(i).force_N);
    check(name.with(".P_T").text, stepper.contact(i).P_T);
  }
}
