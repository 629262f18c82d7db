// A drawer with play that is pulled beside its middle (models/loose_drawer.hpp): it slides or jams, depending on its
// depth. Sixteen contacts, eight corners at two faces each.
#include <cmath>
#include <cstdio>

#include "compare.hpp"
#include "models/loose_drawer.hpp"
#include "page.hpp"

namespace {

using Model = models::LooseDrawer<double>;
constexpr double dt = 5e-5;  // s

struct Result {
  double speed = 0;  // m/s after 0.1 s
  int most = 0;      // closed contacts
  bool advanced = true;
};
Result run(const Model& model, examples::Motion<Model>& motion) {
  moreau::Stepper<Model, moreau::Newton> machine{model, moreau::State<Model>{}};
  Result result;
  for (int n = 0; n < 2000 && result.advanced; ++n) {
    const auto report = motion.step(machine, dt);
    result.advanced = report.advanced();
    result.most = std::max(result.most, report.active);
  }
  result.speed = machine.model.body_state(machine.state, Model::drawer).v.x;
  return result;
}

}  // namespace

int main(int count, char** words) {
  bool all = true;
  std::printf("depth, m   force left by friction, N (theory)   speed after 0.1 s, m/s   closed contacts, at most\n");
  for (const double depth : {0.06, 0.08, 0.1, 0.12, 0.16}) {
    const Model model{models::LooseDrawerParts<double>{depth}};
    examples::Motion<Model> motion{moreau::State<Model>{}};
    const Result found = run(model, motion);
    std::printf("%8.2f %37.2f %24.4f %26d\n", depth, model.remaining_force(), found.speed, found.most);
    all = all && found.advanced && (found.speed > 0.05) == (model.remaining_force() > 0);
    if (depth != 0.12) continue;
    const auto describe = [](auto& page) {
      page.subtitle = "example 52: play of 0.5 mm, pulled with 20 N at the handle, mu 0.3";
      page.bodies = {"drawer"};
    };
    all = examples::page("52_loose_drawer", "Drawer with play in its channel", model, motion, describe,
                         examples::output(count, words, "")) &&
          all;
  }
  return all ? 0 : 1;
}
