// One ensemble on one record: several passes of the filter, and the numbers that a fit uses.
//
//   first pass   prior of the whole range; the filter assumes `coarse` times the noise of the sensors
//   later pass   prior of the best pass before, widened; noise from the innovations of that pass, between 1.2 times that
//                of the sensors and that of the first pass
//
// The state is unknown at first, so the noise of a later pass decreases from that of the first pass over 15 % of the
// record. The passes end when the noise no longer decreases and the innovations agree with their predicted size. An ensemble can lose the
// machine: its spread is then smaller than its error, and its innovations are too large. Further passes with other
// random numbers follow. The result is that of the later pass with the best score, the predicted density of the record.
// The first fifth of the record has no influence on the score, because there the state is still unknown.
#pragma once
#include <memory>

#include "moreau/identify/filter.hpp"
#include "moreau/identify/record.hpp"

namespace moreau::identify {

// Options of a fit.
struct FitOptions {
  bool coarse_pass = true;   // begin with a pass that assumes a larger noise
  int most_passes = 5;       // at most; 1: a single pass
  double most_square = 1.5;  // largest mean normalised square of the innovations of a channel after the last pass
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
  double lost = 0, steps = 0, score = 0;

  // All numbers, in a fixed order, for a file.
  static constexpr int width = 2 * P + P * P + 3 * C + 3;
  template <class Number>
  void each(Number&& number) {
    for (auto& x : mean) number(x);
    for (auto& x : deviation) number(x);
    for (auto& x : correlation) number(x);
    for (auto& x : channel) number(x.noise), number(x.mean_square), number(x.correlation);
    number(lost), number(steps), number(score);
  }
};

template <class Description>
Belief<Description::most_parameters> whole_range(const Description& d) {
  Belief<Description::most_parameters> prior;
  constexpr double even = 1.7;  // the logistic of a normal number of this deviation is nearly uniform
  for (int p = 0; p < d.parameters; ++p) prior.deviation[std::size_t(p)] = even;
  return prior;
}

// Returns the prior of a later pass: the result of an earlier one, widened.
template <class Description>
Belief<Description::most_parameters> narrowed(const Estimate<Description>& result,
                                              Belief<Description::most_parameters> prior) {
  for (std::size_t p = 0; p < prior.mean.size(); ++p)
    if (prior.deviation[p] > 0)
      prior.mean[p] = result.mean[p], prior.deviation[p] = std::min(1.0, 2 * result.deviation[p] + 0.15);
  return prior;
}

namespace detail {

// Runs one pass. The noise decreases from `first_noise` to that of the filter, because the state is unknown at first.
// Calls path(filter, t) after every window.
template <class Filter, class Sample, class Path>
void run_pass(Filter& filter, const std::vector<Sample>& rows, double window, const typename Filter::Belief& prior,
              const decltype(Filter::sigma)& first_noise, std::uint64_t seed, Path&& path) {
  constexpr double of_record = 0.15, settled = 0.2;
  const auto last_noise = filter.sigma;
  filter.begin(prior, rows.data(), first_window(rows, window), seed);
  bool counts = false;
  each_window(rows, window, [&](const Sample* first, int count) {
    const double share = (first[0].t - rows.front().t) / (rows.back().t - rows.front().t);
    const double left = std::max(0.0, 1 - share / of_record);
    for (std::size_t c = 0; c < last_noise.size(); ++c)
      if (last_noise[c] > 0)
        filter.sigma[c] = last_noise[c] * exponential(left * study::logarithm(first_noise[c] / last_noise[c]));
    if (!counts && share > settled) filter.innovations = {}, counts = true;
    filter.assimilate(first, count);
    path(filter, first[count - 1].t);
  });
  filter.sigma = last_noise;
}

// Numbers of a pass.
template <class Description, class Filter>
Estimate<Description> estimate_of(const Description& d, const Filter& filter) {
  Estimate<Description> out;
  const auto belief = filter.belief();
  out.mean = belief.mean, out.deviation = belief.deviation;
  constexpr int P = Description::most_parameters;
  for (int p = 0; p < d.parameters; ++p)
    for (int q = 0; q < d.parameters; ++q) out.correlation[std::size_t(p * P + q)] = filter.correlation(p, q);
  double rows = 0;
  for (int c = 0; c < d.channels; ++c) {
    const Innovations& i = filter.innovations[std::size_t(c)];
    out.channel[std::size_t(c)] = {i.quantile, i.mean_square(), i.correlation()};
    out.score += i.score, rows += double(i.count);
  }
  out.score /= std::max(1.0, rows);
  return out;
}

template <class Description>
bool is_consistent(const Description& d, const Estimate<Description>& e, double most_square) {
  for (int c = 0; c < d.channels; ++c)
    if (e.channel[std::size_t(c)].mean_square > most_square) return false;
  return true;
}

}  // namespace detail

template <class Description>
using Factors = std::array<double, std::size_t(Description::most_channels)>;
template <class Description>
Factors<Description> no_factors() {
  Factors<Description> all;
  all.fill(1);
  return all;
}

// Runs the passes of one ensemble. `prior`: that of the first pass; `factor`: least noise of each channel, relative to
// that of its sensor.
template <int members, class Description>
Estimate<Description> run_ensemble(const Description& d, const std::vector<typename Description::Sample>& rows,
                                   Belief<Description::most_parameters> prior, const FitOptions& o, std::uint64_t seed,
                                   const Factors<Description>& factor = no_factors<Description>()) {
  const auto filter = std::make_unique<Filter<Description, members>>(d);
  const auto silent = [](const auto&, double) {};
  Estimate<Description> best;
  double lost = 0;
  auto least = filter->sigma;
  for (std::size_t c = 0; c < least.size(); ++c) least[c] *= o.least_noise * factor[c];
  auto most = least;
  for (double& sigma : most) sigma *= o.coarse / o.least_noise;
  filter->sigma = o.coarse_pass ? most : least;
  for (int pass = 0; pass < o.most_passes; ++pass) {
    detail::run_pass(*filter, rows, d.window, prior, most, seed + std::uint64_t(pass) * 0x9e3779b97f4a7c15u, silent);
    const auto one = detail::estimate_of(d, *filter);
    lost += double(filter->lost());
    const bool coarse = o.coarse_pass && pass == 0;
    if (pass <= int(o.coarse_pass) || one.score < best.score) best = one;
    prior = narrowed(best, prior);
    bool finer = coarse;  // the record permits a smaller noise
    for (std::size_t c = 0; c < std::size_t(d.channels); ++c) {
      const double noise = std::max(least[c], std::min(most[c], o.least_noise * best.channel[c].noise));
      finer = finer || noise < 0.7 * filter->sigma[c];
      filter->sigma[c] = noise;
    }
    if (!finer && detail::is_consistent(d, best, o.most_square)) break;
  }
  best.lost = lost, best.steps = double(filter->steps());
  return best;
}

}  // namespace moreau::identify
