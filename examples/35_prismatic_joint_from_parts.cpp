// The prismatic joint of CSS from parts, its three cases: when which end touches, and what it carries in the end.
#include <moreau/port/console.hpp>

#include "models/prismatic_joint_parts.hpp"

using Real = double;
using moreau::port::print;

int main() {
  using Model = models::PrismaticJointFromParts<Real>;
  const char* end_names[] = {"left above", "right above", "left below", "right below"};
  for (int number = 1; number <= 3; ++number) {
    const Model model{models::PrismaticJointParts<Real>{models::PrismaticJoint<Real>::paper_case(number)}};
    moreau::Stepper machine{model, moreau::State<Model>{}};
    Real touched[4] = {}, force[4] = {};
    const int steps = 60000, last = 10000;
    for (int n = 0; n < steps; ++n) {
      if (!machine.step(Real(1e-7)).advanced()) return 1;
      for (int i = 0; i < 4; ++i) {
        if (touched[i] == 0 && machine.state.P_N(i) > 0) touched[i] = machine.state.time();
        if (n >= steps - last) force[i] += machine.contact(i).force_N / last;
      }
    }
    print("case ", number, ": x ", machine.state.q(0), " m, tilt ", machine.state.q(2), " rad");
    for (int i = 0; i < 4; ++i)
      if (touched[i] > 0)
        print("  ", end_names[i], ": touches at ", 1e3 * touched[i], " ms, carries ", force[i], " N in the end");
  }
}
