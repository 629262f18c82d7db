// Record from the telemetry of a board (moreau/bench/telemetry.hpp): the sensors of a description applied to its samples.
//
//   const int line = moreau::workstation::open_line("/dev/ttyUSB0", 921600);
//   const auto record = moreau::identify::read_telemetry(description, line, {10, 1});   // 10 s, or until 1 s of silence
//   const auto fit = moreau::identify::fit<100>(description, record.rows, options);
//
// A sample contains q and u as floats. The reading of a channel is its function of this state, rounded to the resolution
// of its sensor. Rates, such as accelerations, and inputs are not part of a sample. Needs CMake's target moreau::bench, and
// ETL.
#pragma once
#include <moreau/workstation/record_line.hpp>

#include "moreau/identify/record.hpp"

namespace moreau::identify {

template <class Description>
Record<Description> read_telemetry(const Description& d, int line, const workstation::LineLimits& limits = {}) {
  using Model = typename Description::Model;
  if (d.inputs > 0) throw Refusal(Exit::refused, "telemetry contains no inputs");
  for (int c = 0; c < d.channels; ++c)
    if (d.channel_of[std::size_t(c)].sensor.kind != Sensor::Kind::value)
      throw Refusal(Exit::refused,
                    std::string("telemetry does not contain the rate ") + d.channel_of[std::size_t(c)].name);
  Record<Description> record;
  const auto take = [&](const moreau::Sample<Model>& sample, std::uint32_t) {
    State<Model> state;
    for (int j = 0; j < Traits<Model>::dof; ++j) state.q[j] = sample.q[j], state.u[j] = sample.u[j];
    typename Description::Sample row;
    row.t = double(sample.t);
    for (int c = 0; c < d.channels; ++c) {
      const auto& channel = d.channel_of[std::size_t(c)];
      double y = double(channel.read(d.model, state));
      if (channel.sensor.step > 0) y = (std::floor(y / channel.sensor.step) + 0.5) * channel.sensor.step;
      row.measured[std::size_t(c)] = y;
    }
    record.rows.push_back(row);
  };
  const auto seen = workstation::read_line<Model>(line, take, limits);
  if (seen.lost + seen.damaged + seen.foreign + seen.stale > 0) record.notes.push_back("line: " + seen.words());
  return record;
}

}  // namespace moreau::identify
