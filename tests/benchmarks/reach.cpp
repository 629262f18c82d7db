// Error of a run against the reach of its steps (moreau/step/reach.hpp): six mechanisms over a range of dt. The page
// REACH.md derives the limit of the reach from this table.
//
//   benchmarks.reach [starts] [--data FILE]
//
//   starts   of each mechanism, with slightly different initial states (default 2)
//   --data   writes FILE, a CSV table
//
//   travel, turn   largest value of a run; mean over the starts
//   dissipated     energy dissipated in the contacts; error relative to the row with the shortest dt
//   value          a result of the mechanism, named in the column `result`; error as above
//   gain           energy gained in the contacts over the energy converted (moreau/check/energy_summary.hpp)
//
// The program fails if a row within the limit has a larger error of `dissipated` than `tolerance`.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <moreau/check/energy_summary.hpp>
#include <moreau/mechanism.hpp>
#include <vector>

#include "models/four_bar.hpp"
#include "models/gear_drive.hpp"
#include "models/loose_slider_crank.hpp"
#include "models/rolling_pin.hpp"
#include "models/slider_crank_parts.hpp"
#include "models/toggle_clamp.hpp"

namespace {

constexpr double tolerance = 0.15;  // the largest error within the limit is 8 %, that of the gear drive

// Sums over the starts of one dt.
struct Row {
  double dt = 0, travel = 0, turn = 0, reach = 0, dissipated = 0, value = 0, gain = 0;
};

int starts = 2, broken = 0;
std::FILE* data = nullptr;
char date[16];

const auto nothing = [](const auto&, double) {};

// Runs from one start. `input(stepper, t)` sets the inputs; `value(before, stepper)` observes each step and returns the
// result so far.
template <class Model, class Input, class Value>
void follow(const Model& model, const moreau::State<Model>& start, double seconds, const Input& input, Value value,
            Row& row) {
  moreau::Stepper stepper{model, start};
  moreau::EnergySummary<double> energy;
  moreau::StepReach<double> reach;
  double result = 0;
  const long steps = long(seconds / row.dt + 0.5);
  for (long n = 0; n < steps; ++n) {
    const auto before = stepper.state;
    input(stepper, double(n) * row.dt);
    if (!stepper.step(row.dt).advanced()) {
      ++broken;
      return;
    }
    reach.add(step_reach(stepper.model, before, stepper.state));
    energy.add(moreau::audit_energy(stepper.model, before, stepper.state));
    result = value(before, stepper);
  }
  row.travel += reach.travel.value / starts;
  row.turn += reach.turn.value / starts;
  row.reach += reach.worst().value / starts;
  row.dissipated += (energy.dissipated - energy.gained) / starts;
  row.gain += energy.gained / (energy.dissipated + energy.exchanged) / starts;
  row.value += result / starts;
}

// Prints the rows of one mechanism. run(k, row) adds start k to a row.
template <class Run>
void sweep(const char* name, const char* result, double longest, int rows, const Run& run) {
  std::vector<Row> all;
  double dt = longest;
  for (int r = 0; r < rows; ++r, dt /= 2) {
    Row row;
    row.dt = dt;
    for (int k = 0; k < starts; ++k) run(k, row);
    all.push_back(row);
  }
  const Row reference = all.back();
  for (const Row& row : all) {
    const double error = row.dissipated / reference.dissipated - 1, off = row.value / reference.value - 1;
    std::printf(
        "%-18s dt %8.2e travel %8.2e turn %8.2e reach %8.2e dissipated %9.2e error %+9.1e %s %9.3g error %+9.1e "
        "gain %8.1e\n",
        name, row.dt, row.travel, row.turn, row.reach, row.dissipated, error, result, row.value, off, row.gain);
    std::fflush(stdout);
    if (row.reach <= moreau::StepReach<double>::limit && !(error < tolerance && error > -tolerance)) ++broken;
    if (data != nullptr)
      std::fprintf(data, "%s,%d,%.3e,%.2e,%.2e,%.2e,%.3e,%.1e,%s,%.4g,%.1e,%.1e,g++ %s -O2,%s\n", name, starts, row.dt,
                   row.travel, row.turn, row.reach, row.dissipated, error, result, row.value, off, row.gain,
                   __VERSION__, date);
  }
}

template <class Model>
constexpr int crank_of = Model::template angle_of<Model::crank>;

// Mean of a speed over the run.
auto mean_of(int coordinate) {
  return [coordinate, sum = 0.0, n = 0L](const auto& before, const auto& stepper) mutable {
    sum += (before.u[coordinate] + stepper.state.u[coordinate]) / 2;
    return sum / double(++n);
  };
}

void toggle_clamp() {
  using Model = models::ToggleClamp<double>;
  sweep("toggle clamp", "locking time [s]", 2e-4, 11, [](int k, Row& row) {
    const auto locked = [last = 0.0](const auto&, const auto& stepper) mutable {
      if (!(stepper.state.P_N(3) > 0)) last = stepper.state.time();
      return last;
    };
    follow(Model{}, models::open_toggle_clamp<double>(0.35 - 5e-4 * k), 0.05, nothing, locked, row);
  });
}

void slider_crank() {
  using Model = models::SliderCrankFromParts<double>;
  sweep("slider-crank", "mean speed [rad/s]", 8e-4, 9, [](int k, Row& row) {
    const models::SliderCrank<double> crank;
    auto start = crank.start_tilted();
    start.q(2) -= 5e-4 * k;
    follow(Model{}, models::from_angles(crank, start.q, start.u), 0.1, nothing, mean_of(crank_of<Model>), row);
  });
}

void loose_slider_crank() {
  using Model = moreau::Mechanism<models::LooseSliderCrankParts<double>>;
  sweep("loose slider-crank", "mean speed [rad/s]", 4e-4, 9, [](int k, Row& row) {
    auto start = models::centred_at_angles(Model{}, models::SliderCrank<double>{}, {0, 0, 0}, {60, -30, 0});
    start.q(Model::x_of<Model::rod>) += 2e-5 * k;
    follow(Model{}, start, 0.3, nothing, mean_of(crank_of<Model>), row);
  });
}

void four_bar() {
  using Model = models::FourBarWithPlay<double>;
  sweep("four-bar", "mean speed [rad/s]", 1.6e-3, 9, [](int k, Row& row) {
    auto start = models::four_bar_start<Model>(30.0);
    start.q(Model::x_of<Model::coupler>) += 3e-5 * k;
    follow(Model{}, start, 0.5, nothing, mean_of(crank_of<Model>), row);
  });
}

void gear_drive() {
  using Model = models::GearDrive<double>;
  constexpr auto motor = Model::angle_of<Model::pinion>, load = Model::angle_of<Model::wheel>;
  sweep("gear drive", "largest lag / play", 6.4e-3, 9, [](int k, Row& row) {
    const auto controller = [k](auto& stepper, double t) {  // as in example 34
      const double target = long((t + 0.01 * k) / 0.5) % 2 == 0 ? 6 : 0;
      const double demand = 0.05 * (target - stepper.state.q(motor)) - 0.004 * stepper.state.u(motor);
      stepper.model.motor.torque = demand > 0.1 ? 0.1 : (demand < -0.1 ? -0.1 : demand);
    };
    const auto lag = [most = 0.0](const auto&, const auto& stepper) mutable {
      const auto& mesh = stepper.model.mesh;
      const double now = std::abs(mesh.r_A * stepper.state.q(motor) + mesh.r_B * stepper.state.q(load)) / mesh.play;
      return most = now > most ? now : most;
    };
    follow(Model{}, models::gear_drive_start(Model{}), 2, controller, lag, row);
  });
}

// A pin that slides around its bearing without leaving it: its normal turns in every step.
struct WhirlingPin : models::RollingPin<double> {
  static constexpr bool second_order = true;
  double allowed_penetration(int) const { return 2e-3 * play; }
  double play_of(int) const { return play; }
};

void whirling_pin() {
  sweep("whirling pin", "energy at the end [J]", 8e-3, 9, [](int k, Row& row) {
    WhirlingPin model;
    model.mu = 0.02;
    moreau::State<WhirlingPin> start;
    start.q << 0, -model.play, 0;
    start.u << 0.6 + 0.01 * k, 0, 0;
    const auto energy = [](const auto&, const auto& stepper) {
      return stepper.model.energy(stepper.state.q, stepper.state.u);
    };
    follow(model, start, 0.2, nothing, energy, row);
  });
}

}  // namespace

int main(int count, char** words) {
  for (int i = 1; i < count; ++i) {
    if (std::strcmp(words[i], "--data") == 0 && i + 1 < count)
      data = std::fopen(words[++i], "w");
    else
      starts = std::atoi(words[i]);
  }
  if (starts < 1) return 64;
  const std::time_t now = std::time(nullptr);
  std::strftime(date, sizeof date, "%Y-%m-%d", std::localtime(&now));
  if (data != nullptr)
    std::fputs("mechanism,starts,dt,travel,turn,reach,dissipated,error,result,value,value_error,gain,compiler,date\n",
               data);
  toggle_clamp();
  slider_crank();
  loose_slider_crank();
  four_bar();
  gear_drive();
  whirling_pin();
  if (data != nullptr && std::fclose(data) != 0) return 74;
  std::printf("%d rows within the limit with an error above %g, or failed runs\n", broken, tolerance);
  return broken == 0 ? 0 : 1;
}
