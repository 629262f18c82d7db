// Record of a simulated machine, computed by an adaptive run: another integrator than that of the model to be fitted.
//
//   const auto rows = adaptive_record(description, truth, start, {.6, 2e-4, .2}, seed);
//   write_record(description, rows, "record.csv");
#pragma once
#include <moreau/adapt/adaptive.hpp>
#include <moreau/identify/record.hpp>
#include <moreau/workstation/log.hpp>

#include "plan.hpp"

namespace identification {

// `truth`: values of the parameters. `control(model, state)` sets the inputs of the model and returns the first of them.
template <class Description, class Control>
std::vector<typename Description::Sample> adaptive_record(const Description& d, const std::vector<double>& truth,
                                                          const moreau::State<typename Description::Model>& start,
                                                          const Plan& plan, std::uint64_t seed, Control&& control) {
  using namespace moreau::identify;
  using Model = typename Description::Model;
  Model model = d.model;
  auto sensors = d.sensors();
  for (int p = 0; p < d.parameters; ++p) d.set_value(model, sensors, p, truth[std::size_t(p)]);
  moreau::Stepper<Model> machine(model, start);
  moreau::AdaptiveOptions<double> options;
  options.dt_max = plan.sample, options.dt_min = 1e-9;
  options.atol = options.rtol = 1e-8;
  moreau::Adaptive<moreau::Stepper<Model>> run(machine, options);
  std::array<SensorMemory, std::size_t(Description::most_channels)> memory{};
  for (int c = 0; c < d.channels; ++c)
    memory[std::size_t(c)].begin(sensors[std::size_t(c)], double(d.channel_of[std::size_t(c)].read(model, start)));
  std::vector<typename Description::Sample> rows;
  Draw noise(seed, 0);
  const long before = std::lround(plan.before / plan.sample), count = std::lround(plan.duration / plan.sample);
  for (long n = -before; n <= count; ++n) {
    typename Description::Sample row;
    row.t = double(n) * plan.sample;
    for (int c = 0; c < d.channels; ++c) {
      const Sensor& sensor = sensors[std::size_t(c)];
      const double f = plan.noise, coarser = f > 1 ? moreau::sqrt((f * f - 1) / 12) * sensor.step : 0;
      double y = memory[std::size_t(c)].read(sensor, plan.sample) + noise.normal(f * sensor.noise + coarser);
      if (sensor.step > 0) y = (std::floor(y / sensor.step) + 0.5) * sensor.step;
      row.measured[std::size_t(c)] = y;
    }
    if (d.inputs > 0) row.input[0] = control(machine.state);
    d.set_inputs(machine.model, row, sensors);
    if (n >= 0) rows.push_back(row);
    const auto summary = run.advance_to(start.time() + double(n + before + 1) * plan.sample, [&](const auto& state,
                                                                                                 const auto& step) {
      for (int c = 0; c < d.channels; ++c)
        memory[std::size_t(c)].step(sensors[std::size_t(c)],
                                    double(d.channel_of[std::size_t(c)].read(machine.model, state)), double(step.dt));
    });
    if (!summary.finished()) throw Refusal(Exit::software, "the adaptive run of the machine fails");
  }
  return rows;
}

// Writes rows with the columns that read_record() expects.
template <class Description>
void write_record(const Description& d, const std::vector<typename Description::Sample>& rows,
                  const std::string& path) {
  std::vector<std::string> names{"t [s]"};
  const auto add = [&](const auto& one) { names.push_back(std::string(one.name) + " [" + one.unit + "]"); };
  for (int i = 0; i < d.inputs; ++i) add(d.input_of[std::size_t(i)]);
  for (int c = 0; c < d.channels; ++c) add(d.channel_of[std::size_t(c)]);
  moreau::workstation::Log file(path, names);
  for (const auto& row : rows) {
    std::vector<double> numbers;
    for (int i = 0; i < d.inputs; ++i) numbers.push_back(row.input[std::size_t(i)]);
    for (int c = 0; c < d.channels; ++c) numbers.push_back(row.measured[std::size_t(c)]);
    file.row(row.t, numbers);
  }
  if (!file.close()) throw moreau::identify::Refusal(moreau::identify::Exit::disk, file.what());
}

// Record of the simulated machine with these values of its parameters.
template <class Machine>
auto machine_record(const typename Machine::Description& d, const std::vector<double>& truth, std::uint64_t seed,
                    const Plan& plan = Machine::plan) {
  auto model = d.model;
  auto sensors = d.sensors();
  for (int p = 0; p < d.parameters; ++p) d.set_value(model, sensors, p, truth[std::size_t(p)]);
  return adaptive_record(d, truth, Machine::begin(model), plan, seed, Machine::control);
}

// Program of an example: `record FILE` writes a record of the simulated machine; all other commands are those of
// moreau::identify::commands.
template <class Machine>
bool writes_record(int count, char** words) {
  if (count != 3 || std::string(words[1]) != "record") return false;
  const auto d = Machine::description();
  write_record(d, machine_record<Machine>(d, Machine::usual(), 1), words[2]);
  return true;
}

}  // namespace identification
