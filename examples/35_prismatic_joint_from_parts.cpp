// The prismatic joint of CSS from parts, its three cases: instant of first contact and final force of each end. The
// output of the joint is logged by its name for MATLAB and Octave: load prismatic_parts_1.mat; plot(t, rod_y)
#include <moreau/port/console.hpp>
#include <moreau/workstation/joint_log.hpp>

#include "compare.hpp"

#include "models/prismatic_joint_figures.hpp"
#include "models/prismatic_joint_parts.hpp"
#include "page.hpp"

using Real = double;
using moreau::port::print;
using Model = models::PrismaticJointFromParts<Real>;

constexpr const char* end_names[] = {"left end above", "right end above", "left end below", "right end below"};

bool run(int number, const std::string& folder) {
  const Model model{models::PrismaticJointParts<Real>{models::PrismaticJoint<Real>::paper_case(number)}};
  moreau::Stepper machine{model, moreau::State<Model>{}};
  moreau::workstation::JointLog log{folder + "prismatic_parts_" + std::to_string(number) + ".mat", model,
                                    std::tuple{"rod", &Model::rod}};
  Real touched[4] = {}, force[4] = {};
  examples::Motion motion{machine.state};
  const int steps = 60000, last = 10000;
  for (int n = 0; n < steps; ++n) {
    const auto before = machine.state;
    const auto report = motion.step(machine, Real(1e-7));
    if (!report.advanced()) return false;
    if (n % 100 == 0) log(machine.model, before, machine.state);
    for (int i = 0; i < 4; ++i) {
      if (touched[i] == 0 && machine.state.P_N(i) > 0) touched[i] = machine.state.time();
      if (n >= steps - last) force[i] += machine.contact(i).force_N / last;
    }
  }
  print("case ", number, ": x ", machine.state.q(0), " m, tilt ", machine.state.q(2), " rad");
  for (int i = 0; i < 4; ++i)
    if (touched[i] > 0)
      print("  ", end_names[i], ": first contact at ", 1e3 * touched[i], " ms, final force ", force[i], " N");
  const bool logged = log.close();
  if (!logged) print(log.what().c_str());
  if (number != 2) return logged;
  const auto describe = [&](auto& page) {
    page.subtitle = "example 35, case 2: pulled beside its centre, steps of 0.1 us";
    page.bodies = {"slider"};
    page.contacts = {end_names[0], end_names[1], end_names[2], end_names[3]};
    models::prismatic_joint_figures(page, number, double(model.rod.a));
  };
  return examples::page("35_prismatic_joint_from_parts", "Prismatic joint from parts", model, motion, describe,
                        folder) &&
         logged;
}

int main(int count, char** words) {
  for (int number = 1; number <= 3; ++number)
    if (!run(number, examples::output(count, words, ""))) return 1;
}
