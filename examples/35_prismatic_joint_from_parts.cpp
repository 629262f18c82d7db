// The prismatic joint of CSS from parts, its three cases: when which end touches, and what it carries in the end. What the
// joint did is logged by its name for MATLAB and Octave: load prismatic_parts_1.mat; plot(t, rod_y)
#include <moreau/port/console.hpp>
#include <moreau/workstation/joint_log.hpp>

#include "compare.hpp"

#include "models/prismatic_joint_figures.hpp"
#include "models/prismatic_joint_parts.hpp"
#include "page.hpp"

using Real = double;
using moreau::port::print;

int main(int count, char** words) {
  using Model = models::PrismaticJointFromParts<Real>;
  const char* end_names[] = {"left end above", "right end above", "left end below", "right end below"};
  for (int number = 1; number <= 3; ++number) {
    const Model model{models::PrismaticJointParts<Real>{models::PrismaticJoint<Real>::paper_case(number)}};
    moreau::Stepper machine{model, moreau::State<Model>{}};
    const std::string path = "prismatic_parts_" + std::to_string(number) + ".mat";
    moreau::workstation::JointLog log{examples::output(count, words, path.c_str()), model,
                                      std::tuple{"rod", &Model::rod}};
    Real touched[4] = {}, force[4] = {};
    examples::Motion<Model> motion;
    const int steps = 60000, last = 10000;
    for (int n = 0; n < steps; ++n) {
      const auto before = machine.state;
      if (!motion.step(machine, Real(1e-7)).advanced()) return 1;
      if (n % 100 == 0) log(machine.model, before, machine.state);
      for (int i = 0; i < 4; ++i) {
        if (touched[i] == 0 && machine.state.P_N(i) > 0) touched[i] = machine.state.time();
        if (n >= steps - last) force[i] += machine.contact(i).force_N / last;
      }
    }
    const auto says = [&](auto& page) {
      page.subtitle = "example 35, case 2: pulled beside its centre, steps of 0.1 us";
      page.bodies = {"slider"};
      page.contacts = {end_names[0], end_names[1], end_names[2], end_names[3]};
      models::prismatic_joint_figures(page, number, double(model.rod.a));
    };
    if (number == 2 && !examples::page("35_prismatic_joint_from_parts", "Prismatic joint from parts", model, motion,
                                       says, examples::output(count, words, "")))
      return 1;
    print("case ", number, ": x ", machine.state.q(0), " m, tilt ", machine.state.q(2), " rad");
    for (int i = 0; i < 4; ++i)
      if (touched[i] > 0)
        print("  ", end_names[i], ": touches at ", 1e3 * touched[i], " ms, carries ", force[i], " N in the end");
    if (!log.close()) {
      print(log.what().c_str());
      return 1;
    }
  }
}
