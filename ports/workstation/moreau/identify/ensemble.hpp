// One ensemble on one record: several passes of the filter, and the numbers that a fit uses.
//
//   first pass   prior of the whole range; the filter assumes `coarse` times the noise of the sensors
//   later pass   prior of the pass before, widened; noise from the innovations of the pass before, between 1.2 times
//                that of the sensors and that of the first pass
//
// The later passes start with parameters near those of the machine, so they follow the state from the first row on.
#pragma once
#include <memory>

#include "moreau/identify/filter.hpp"
#include "moreau/identify/record.hpp"

namespace moreau::identify {

// Options of a fit.
struct FitOptions {
  int passes = 2;
  double coarse = 10;        // noise of the first pass, relative to that of the sensors
  double least_noise = 1.2;  // noise of the last pass, relative to that of the sensors
  int chains = 3;            // ensembles on the record
  int trials = 19;           // synthetic records of known parameters, for the intervals and the test of the model
  int refinement = 10;       // steps of a synthetic machine per step of the model
  std::uint64_t seed = 1;
  unsigned threads = 1;
};

// Innovations of one channel in the last pass.
struct ChannelFit {
  double noise = 0;        // 68 % quantile of the innovations of one value, in the unit of the channel
  double mean_square = 0;  // of the normalised innovations; 1 if the assumed noise is that of the record
  double correlation = 0;  // of neighbouring innovations; 0 if they are white
};

// Result of one ensemble, in logits.
template <class Description>
struct Estimate {
  static constexpr int P = Description::most_parameters, C = Description::most_channels;
  std::array<double, std::size_t(P)> mean{}, deviation{};
  std::array<double, std::size_t(P* P)> correlation{};
  std::array<ChannelFit, std::size_t(C)> channel{};
  double lost = 0, steps = 0;

  // All numbers, in a fixed order, for a file.
  static constexpr int width = 2 * P + P * P + 3 * C + 2;
  template <class Number>
  void each(Number&& number) {
    for (auto& x : mean) number(x);
    for (auto& x : deviation) number(x);
    for (auto& x : correlation) number(x);
    for (auto& x : channel) number(x.noise), number(x.mean_square), number(x.correlation);
    number(lost), number(steps);
  }
};

// Path of the parameters over a pass: one row per window.
struct PathRow {
  double t;
  std::vector<double> mean, deviation, predicted;
};

template <class Description>
Belief<Description::most_parameters> whole_range(const Description& d) {
  Belief<Description::most_parameters> prior;
  constexpr double even = 1.7;  // the logistic of a normal number of this deviation is nearly uniform
  for (int p = 0; p < d.parameters; ++p) prior.deviation[std::size_t(p)] = even;
  return prior;
}

// Runs the passes of one ensemble. `prior`: that of the first pass. `passes`, `coarse`: those of the options or of
// `follow`. Calls path(filter, t) after every window of the last pass.
template <int members, class Description, class Path>
Estimate<Description> run_ensemble(const Description& d, const std::vector<typename Description::Sample>& rows,
                                   Belief<Description::most_parameters> prior, const FitOptions& o, std::uint64_t seed,
                                   Path&& path) {
  using Filter = identify::Filter<Description, members>;
  const auto filter = std::make_unique<Filter>(d);
  Estimate<Description> out;
  const int first = first_window(rows, d.window);
  for (int c = 0; c < d.channels; ++c) filter->sigma[std::size_t(c)] *= o.passes > 1 ? o.coarse : o.least_noise;
  for (int pass = 0; pass < o.passes; ++pass) {
    filter->begin(prior, rows.data(), first, seed + std::uint64_t(pass) * 0x9e3779b97f4a7c15u);
    each_window(rows, d.window, [&](const auto* window, int count) {
      filter->assimilate(window, count);
      if (pass + 1 == o.passes) path(*filter, window[count - 1].t);
    });
    prior = filter->belief();
    out.lost += double(filter->lost());
    if (pass + 1 == o.passes) break;
    for (int p = 0; p < d.parameters; ++p)
      prior.deviation[std::size_t(p)] = std::min(1.0, 2 * prior.deviation[std::size_t(p)] + 0.15);
    for (int c = 0; c < d.channels; ++c) {
      const double noise = d.channel_of[std::size_t(c)].sensor.deviation();
      auto& sigma = filter->sigma[std::size_t(c)];
      sigma = std::max(o.least_noise * noise, std::min(sigma, filter->innovations[std::size_t(c)].quantile));
    }
  }
  out.mean = prior.mean, out.deviation = prior.deviation, out.steps = double(filter->steps());
  for (int p = 0; p < d.parameters; ++p)
    for (int q = 0; q < d.parameters; ++q)
      out.correlation[std::size_t(p * Description::most_parameters + q)] = filter->correlation(p, q);
  for (int c = 0; c < d.channels; ++c) {
    const Innovations& i = filter->innovations[std::size_t(c)];
    out.channel[std::size_t(c)] = {i.quantile, i.mean_square(), i.correlation()};
  }
  return out;
}
template <int members, class Description>
Estimate<Description> run_ensemble(const Description& d, const std::vector<typename Description::Sample>& rows,
                                   const Belief<Description::most_parameters>& prior, const FitOptions& o,
                                   std::uint64_t seed) {
  return run_ensemble<members>(d, rows, prior, o, seed, [](const auto&, double) {});
}

}  // namespace moreau::identify
