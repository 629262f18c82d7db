// A slider-crank in space with play in the ball at its crank (examples/models/spatial_slider_crank.hpp), in moreau and in
// MuJoCo, without friction and with eps_N = 0, over 0.1 s. Prints the table of SPACE.md.
//
//   g++ -std=c++17 -O2 -ffp-contract=off -Ilib -Iexamples -isystem /usr/include/eigen3 tests/benchmarks/peers/space.cpp -lmujoco
//
// MuJoCo has joint coordinates: crank on a hinge, slider on a slide joint, rod on a ball joint of the slider. The ball in
// its socket is a tendon between both centres with the length `play` as its soft limit.
#include <mujoco/mujoco.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <memory>
#include <string>

#include "models/spatial_slider_crank.hpp"

namespace {

using Parts = models::SpatialSliderCrankParts<double>;
using Model = models::SpatialSliderCrank<double>;
constexpr double duration = 0.1, speed = 30;  // s, rad/s

struct Result {
  double ns = 0, penetration = 0, slider = 0, energy = 0;  // per step; m; m; J at the end
  bool completed = true;
};

// The time of a step is the least mean of ten parts of the run, in time of the processor.
template <class Step, class Penetration>
Result measured(long steps, Step step, Penetration penetration) {
  Result found;
  found.ns = HUGE_VAL;
  for (long part = 0; part < 10; ++part) {
    const std::clock_t begin = std::clock();
    for (long n = steps * part / 10; n < steps * (part + 1) / 10 && found.completed; ++n) {
      found.completed = step();
      found.penetration = std::fmax(found.penetration, penetration());
    }
    found.ns = std::fmin(found.ns, double(std::clock() - begin) / CLOCKS_PER_SEC * 1e9 * 10 / double(steps));
  }
  return found;
}

double energy(const Model& model, const moreau::State<Model>& state) {
  double sum = 0;
  for (int b = 0; b < Model::bodies; ++b) {
    const auto body = model.body_state(state, b);
    const auto w = body.frame.turn_back(body.omega);
    const auto& J = model.body[b].J;
    sum += (model.body[b].m * dot(body.v, body.v) + J.x * w.x * w.x + J.y * w.y * w.y + J.z * w.z * w.z) / 2 +
           model.body[b].m * 9.81 * body.frame.r.z;
  }
  return sum;
}

template <class Solver>
Result moreau_run(double dt) {
  Model model;
  model.ball.law = {0, 0, 0};
  moreau::Stepper<Model, Solver> machine{model, models::centred_spatial_slider_crank(model, speed)};
  Result found = measured(
      std::lround(duration / dt), [&] { return machine.step(dt).advanced(); },
      [&] {
        const auto& s = machine.state;
        const auto off = machine.model.body_state(s, Model::rod).frame.world({-Parts::l / 2, 0, 0}) -
                         machine.model.body_state(s, Model::crank).frame.world({Parts::r, 0, Parts::above});
        return std::sqrt(dot(off, off)) - model.ball.play;
      });
  found.slider = machine.model.pose(machine.state, Model::slider).r.x;
  found.energy = energy(machine.model, machine.state);
  return found;
}

std::string scene(double dt, double time_constant) {
  const Model model;
  const double x = model.slider_at(0) - Parts::r, l = Parts::l;
  char text[4000];
  std::snprintf(text, sizeof text,
                R"(<mujoco><option timestep="%.17g" gravity="0 0 -9.81" iterations="200" tolerance="1e-12">
<flag energy="enable"/></option><compiler inertiafromgeom="false"/><worldbody>
<body name="crank"><joint type="hinge" axis="0 0 1" damping="1e-3"/><inertial pos="0 0 0" mass="0.1" diaginertia="1e-4 1e-4 2e-4"/>
<site name="socket" pos="%.17g 0 %.17g"/></body>
<body name="slider" pos="%.17g %.17g %.17g"><joint type="slide" axis="1 0 0"/><inertial pos="0 0 0" mass="0.2" diaginertia="2e-4 2e-4 2e-4"/>
<body name="rod" quat="%.17g 0 %.17g %.17g"><joint type="ball"/><inertial pos="%.17g 0 0" mass="0.05" diaginertia="1e-5 2e-4 2e-4"/>
<site name="ball" pos="%.17g 0 0"/></body></body></worldbody>
<tendon><spatial limited="true" range="-1 %.17g" solreflimit="%.17g 1" solimplimit="0.99 0.99 0.001">
<site site="socket"/><site site="ball"/></spatial></tendon></mujoco>)",
                dt, Parts::r, Parts::above, Parts::r + x, Parts::y, Parts::above + Parts::z, l + x, -Parts::z, Parts::y,
                -l / 2, -l, model.ball.play, time_constant);
  return text;
}

Result mujoco_run(double dt, double steps_of_time_constant) {
  const std::string xml = scene(dt, steps_of_time_constant * dt);
  auto files = std::make_unique<mjVFS>();
  mj_defaultVFS(files.get());
  mj_makeEmptyFileVFS(files.get(), "scene.xml", int(xml.size()));
  std::memcpy(files->filedata[0], xml.data(), xml.size());
  char error[500] = "";
  const std::unique_ptr<mjModel, void (*)(mjModel*)> model{mj_loadXML("scene.xml", files.get(), error, sizeof error),
                                                           mj_deleteModel};
  mj_deleteVFS(files.get());
  if (!model) return std::fprintf(stderr, "%s\n", error), Result{0, 0, 0, 0, false};
  const std::unique_ptr<mjData, void (*)(mjData*)> data{mj_makeData(model.get()), mj_deleteData};
  data->qvel[0] = speed;
  data->qfrc_applied[0] = 0.05;
  const double play = Model{}.ball.play;
  Result found = measured(
      std::lround(duration / dt), [&] { return mj_step(model.get(), data.get()), std::isfinite(data->qpos[0]); },
      [&] { return data->ten_length[0] - play; });
  mj_forward(model.get(), data.get());
  found.slider = data->xpos[3 * mj_name2id(model.get(), mjOBJ_BODY, "slider")];
  found.energy = data->energy[0] + data->energy[1];
  return found;
}

void row(const char* program, double dt, const Result& is, const Result& exact) {
  if (!is.completed) std::printf("| %s | %.0f | stopped | | | |\n", program, 1e6 * dt);
  if (!is.completed) return;
  std::printf("| %s | %.0f | %.0f | %.2g | %.2g | %.2g |\n", program, 1e6 * dt, is.ns, is.penetration,
              std::fabs(is.slider - exact.slider), is.energy - exact.energy);
}

}  // namespace

int main() {
  const Result exact = moreau_run<moreau::Newton>(0.25e-6);
  const Result coarse = moreau_run<moreau::Newton>(0.5e-6);
  std::printf("Reference: moreau at 0.25 us; its position differs by %.1g m from that at 0.5 us. Energy: %.4f J.\n\n",
              std::fabs(exact.slider - coarse.slider), exact.energy);
  std::printf("| program | dt, us | ns | penetration, m | error of the slider, m | error of the energy, J |\n");
  std::printf("|---|---|---|---|---|---|\n");
  for (const double dt : {2e-6, 10e-6, 100e-6}) {
    row("moreau, Newton", dt, moreau_run<moreau::Newton>(dt), exact);
    row("moreau, Psor", dt, moreau_run<moreau::Psor>(dt), exact);
    row("MuJoCo, time constant 2 dt", dt, mujoco_run(dt, 2), exact);
    row("MuJoCo, time constant 8 dt", dt, mujoco_run(dt, 8), exact);
  }
}
