// Contact laws compared with stiff springs: largest step for a given error. The slider-crank with play is built from
// the same parts, once with percussions and once with the spring-dampers of Lankarani and Nikravesh in its guide. The
// error of each model refers to its own limit for small steps.
#include <cmath>
#include <vector>

#include <moreau/port/console.hpp>

#include "models/slider_crank_parts.hpp"
#include "models/stiff_contact.hpp"

using Real = double;
using moreau::port::print;

struct StiffCrank : models::SliderCrankParts<Real> {
  models::StiffContact<Real, decltype(models::SliderCrankParts<Real>::guide)> springs{guide};
  auto parts() const { return std::tie(bearing, crank_pin, wrist_pin, springs, gravity); }
};
using Stiff = moreau::Mechanism<StiffCrank>;
using Rigid = models::SliderCrankFromParts<Real>;

constexpr Real span = 0.04;  // s: half a turn with about ten impacts and two phases of contact
constexpr int samples = 40;

struct Case {
  const char* name;
  Real J_3, tilt;  // kg m^2; rad, at the start
};

// Angles of crank and rod at equidistant instants; fewer if a step failed.
template <class Model>
std::vector<Real> run(const Case& c, int steps) {
  models::SliderCrank<Real> hand;
  hand.J_3 = c.J_3;
  Model model;
  model.body[Model::slider].J = c.J_3;
  moreau::Stepper machine{model, models::centred_at_angles(model, hand, {0, 0, c.tilt}, hand.start().u)};
  std::vector<Real> angles;
  for (int n = 1; n <= steps; ++n) {
    if constexpr (std::is_same_v<Model, Stiff>)
      machine.model.springs.watch({}, model.body_state(machine.state, Model::slider));
    if (!machine.step(span / steps).advanced()) break;
    if (n % (steps / samples) == 0)
      for (const int body : {Model::crank, Model::rod}) angles.push_back(machine.state.q[Model::angle_index(body)]);
  }
  return angles;
}

// Mean deviation, rad; 1 rad for instants after a failed step.
Real error(const std::vector<Real>& angles, const std::vector<Real>& limit) {
  Real sum = 0;
  for (std::size_t i = 0; i < limit.size(); ++i) {
    const Real deviation = i < angles.size() ? std::abs(angles[i] - limit[i]) : 1;
    sum += deviation < 1 ? deviation : 1;
  }
  return sum / Real(limit.size());
}

// Largest step of a series of halved steps for which it and all smaller ones have an error below `allowed`.
template <class Model>
Real largest_step(const char* law, const Case& c, int finest, Real allowed) {
  const auto limit = run<Model>(c, 5 * finest);
  Real largest = 0;
  for (int steps = finest; steps >= 80; steps = steps / 2 / samples * samples) {
    const Real e = error(run<Model>(c, steps), limit);
    print("  ", law, "  step ", static_cast<float>(span / steps), " s  error ", static_cast<float>(e));
    if (e > allowed) break;
    largest = span / steps;
  }
  return largest;
}

int main() {
  int failed = 0;
  for (const Case& c : {Case{"as printed", 2.7e-6, 0}, Case{"a slab's inertia, tilted start", 7.9167e-5, 0.01}}) {
    print(c.name, ": step and mean error of the angles in rad");
    for (const Real allowed : {1e-3, 3e-4}) {
      const Real rigid = largest_step<Rigid>("percussions", c, 20480, allowed);
      const Real stiff = largest_step<Stiff>("spring-dampers", c, 163840, allowed);
      print("  error below ", allowed, " rad: ", static_cast<float>(rigid / stiff), " times larger steps");
      failed += !(rigid >= 10 * stiff);
    }
  }
  return failed;
}
