// A disk that rolls on its rim around a fixed centre (models/rolling_disk.hpp): speed of the contact point around the
// vertical, compared with theory for three inclinations.
#include <cmath>
#include <cstdio>

#include "compare.hpp"
#include "models/rolling_disk.hpp"
#include "page.hpp"

namespace {

using Model = models::RollingDisk<double>;
using Point = moreau::spatial::Point<double>;
constexpr double dt = 2e-5;  // s
constexpr int steps = 25000;

// Speed of the contact around the vertical, rad/s; without steady motion the mean.
double around(const Model& model, double alpha, double theory, examples::Motion<Model>& motion) {
  moreau::State<Model> start;
  const double r = model.rim.radius;
  model.place(start, Model::disk, {0, 0, r * std::sin(alpha)}, moreau::spatial::rotation(Point{1, 0, 0}, alpha));
  const Point z{0, 0, 1}, e = model.pose(start, Model::disk).frame().z;
  model.move(start, Model::disk, {}, theory * (z - std::cos(alpha) * e));
  moreau::Stepper<Model, moreau::Newton> machine{model, start};
  double turned = 0, before = std::atan2(e.y, e.x);
  for (int n = 0; n < steps; ++n) {
    if (!motion.step(machine, dt).advanced()) return 0;
    const Point axis = machine.model.pose(machine.state, Model::disk).frame().z;
    const double now = std::atan2(axis.y, axis.x);
    turned += std::remainder(now - before, 2 * moreau::pi<double>);
    before = now;
  }
  return turned / (steps * dt);
}

}  // namespace

int main(int count, char** words) {
  const Model model;
  bool all = true;
  std::printf("inclination, rad   speed of the contact, rad/s (theory)   this run\n");
  for (const double alpha : {0.6, 0.3, 0.15}) {
    const double theory = std::sqrt(4 * 9.81 / (model.rim.radius * std::sin(alpha)));
    examples::Motion<Model> motion{moreau::State<Model>{}};
    const double found = around(model, alpha, theory, motion);
    std::printf("%16.2f %38.3f %10.3f\n", alpha, theory, found);
    all = all && std::fabs(found - theory) < 0.01 * theory;
    if (alpha != 0.3) continue;
    const auto describe = [](auto& page) {
      page.subtitle = "example 53: a thin disk of 40 mm radius, inclined by 0.3 rad, its centre at rest";
      page.bodies = {"disk"};
    };
    all = examples::page("53_rolling_disk", "Rolling disk", model, motion, describe,
                         examples::output(count, words, "")) &&
          all;
  }
  return all ? 0 : 1;
}
