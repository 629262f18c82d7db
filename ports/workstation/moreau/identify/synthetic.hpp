// Synthetic record: the model with given parameters, with the times, inputs and missing values of a real record.
//
// The machine executes `refinement` steps per step of the model, so the discretisation error of the model is part of
// the difference between the two. Noise and rounding are those of the sensors, times a factor per channel.
#pragma once
#include "moreau/identify/ensemble.hpp"

namespace moreau::identify {

// Replaces the measured values of `rows` by those of a machine with the given start. Returns false if a step fails.
template <class Description, class Logits>
bool synthesise(const Description& d, const Logits& truth, const State<typename Description::Model>& start,
                const std::array<double, std::size_t(Description::most_channels)>& factor, int refinement,
                std::uint64_t seed, std::vector<typename Description::Sample>& rows) {
  using Model = typename Description::Model;
  using Real = typename Description::Real;
  Draw noise(seed, 1);
  Model model = d.model;
  auto sensors = d.sensors();
  d.set(model, sensors, truth);
  d.set_inputs(model, rows[0], sensors);
  Stepper<Model> machine(model, start);
  machine.state.set_time(Real(rows[0].t));
  std::array<SensorMemory, std::size_t(Description::most_channels)> memory{};
  for (int c = 0; c < d.channels; ++c)
    memory[std::size_t(c)].begin(sensors[std::size_t(c)],
                                 double(d.channel_of[std::size_t(c)].read(model, machine.state)));
  ImpactOfStep<Model> impact;
  std::vector<std::array<double, std::size_t(Description::most_channels)>> reading(rows.size());
  for (std::size_t n = 0; n < rows.size(); ++n) {
    const double span = n > 0 ? rows[n].t - rows[n - 1].t : 0;
    const int steps = span > 0 ? std::max(1, int(std::ceil(span / d.dt * refinement - 1e-6))) : 0;
    if (n > 0) d.set_inputs(machine.model, rows[n - 1], sensors);
    const double h = span / std::max(1, steps);
    for (int k = 0; k < steps; ++k) {
      impact.begin(machine.state, h);
      if (!machine.step(Real(h)).advanced()) return false;
      const bool hit = impact.end(machine.state, h);
      for (int c = 0; c < d.channels; ++c) {
        const double w = double(d.channel_of[std::size_t(c)].read(machine.model, machine.state));
        const Jump jump = hit ? jump_of(d, c, machine.model, machine.state, impact) : Jump{};
        const double missing = memory[std::size_t(c)].step(sensors[std::size_t(c)], w, h, jump);
        if (k == 0) reading[n - 1][std::size_t(c)] += missing;
      }
    }
    for (int c = 0; c < d.channels; ++c)
      reading[n][std::size_t(c)] = memory[std::size_t(c)].read(sensors[std::size_t(c)], span > 0 ? span : 1);
  }
  for (std::size_t n = 0; n < rows.size(); ++n) {
    for (int c = 0; c < d.channels; ++c) {
      const Sensor& sensor = sensors[std::size_t(c)];
      const double f = factor[std::size_t(c)];
      double y = reading[n][std::size_t(c)];
      y += noise.normal(f * sensor.noise + (f > 1 ? moreau::sqrt(f * f - 1) * sensor.step / moreau::sqrt(12.0) : 0));
      if (sensor.step > 0) y = (std::floor(y / sensor.step) + 0.5) * sensor.step;
      double& measured = rows[n].measured[std::size_t(c)];
      if (std::isfinite(measured)) measured = y;
    }
  }
  return true;
}

}  // namespace moreau::identify
