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
  d.set_inputs(model, rows[0]);
  Stepper<Model> machine(model, start);
  machine.state.set_time(Real(rows[0].t));
  std::array<SensorMemory, std::size_t(Description::most_channels)> memory{};
  for (int c = 0; c < d.channels; ++c)
    memory[std::size_t(c)].begin(sensors[std::size_t(c)],
                                 double(d.channel_of[std::size_t(c)].read(model, machine.state)));
  for (std::size_t n = 0; n < rows.size(); ++n) {
    const double span = n > 0 ? rows[n].t - rows[n - 1].t : 0;
    const int steps = span > 0 ? std::max(1, int(std::ceil(span / d.dt * refinement - 1e-6))) : 0;
    if (n > 0) d.set_inputs(machine.model, rows[n - 1]);
    for (int k = 0; k < steps; ++k) {
      if (!machine.step(Real(span / steps)).advanced()) return false;
      for (int c = 0; c < d.channels; ++c)
        memory[std::size_t(c)].step(sensors[std::size_t(c)],
                                    double(d.channel_of[std::size_t(c)].read(machine.model, machine.state)),
                                    span / steps);
    }
    for (int c = 0; c < d.channels; ++c) {
      const Sensor& sensor = sensors[std::size_t(c)];
      const double f = factor[std::size_t(c)];
      double y = memory[std::size_t(c)].read(sensor, span > 0 ? span : 1);
      y += noise.normal(f * sensor.noise + (f > 1 ? moreau::sqrt(f * f - 1) * sensor.step / moreau::sqrt(12.0) : 0));
      if (sensor.step > 0) y = (std::floor(y / sensor.step) + 0.5) * sensor.step;
      double& measured = rows[n].measured[std::size_t(c)];
      if (std::isfinite(measured)) measured = y;
    }
  }
  return true;
}

}  // namespace moreau::identify
