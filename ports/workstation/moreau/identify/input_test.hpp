// Test of the recorded inputs: one more pass with the scale of every input as a parameter.
//
// A wrong inertia, or a wrong constant of a motor, hardly enlarges the innovations, because the other parameters
// compensate it. The scale of the input shows it: for a drive with J u' = T, an inertia of 1.05 J has the scale 1 / 1.05.
//
//   v      fitted logit of the scale, v_1 the logit of 1
//   s      root mean square of v_k - v_1 of the trials, whose machines have the scale 1
//
// The input is consistent with the model if |v - v_1| <= 3 s.
#pragma once
#include "moreau/identify/trials.hpp"

namespace moreau::identify {

namespace detail {

inline constexpr Range scales_of_input{0.8, 1.25};

// Returns the description with the scales of its inputs as additional parameters.
template <class D>
auto with_input_scales(const D& d) {
  constexpr int P = D::most_parameters, C = D::most_channels, I = D::most_inputs;
  Description<typename D::Model, P + I, C, I> all{d.name};
  all.model = d.model, all.dt = d.dt, all.window = d.window, all.begins_after = d.begins_after, all.start = d.start;
  all.parameters = d.parameters, all.inputs = d.inputs, all.channels = d.channels;
  for (std::size_t p = 0; p < std::size_t(d.parameters); ++p) {
    const auto& one = d.parameter_of[p];
    all.parameter_of[p] = {one.name, one.unit, one.range, one.member, one.set, one.of_sensor, one.channel, one.input};
  }
  for (std::size_t i = 0; i < std::size_t(d.inputs); ++i) {
    const auto& one = d.input_of[i];
    all.input_of[i] = {one.name, one.unit, one.member, one.set};
  }
  for (std::size_t c = 0; c < std::size_t(d.channels); ++c) {
    const auto& one = d.channel_of[c];
    all.channel_of[c] = {one.name, one.unit, one.read, one.sensor};
  }
  for (int i = 0; i < d.inputs; ++i)
    all.parameter(d.input_of[std::size_t(i)].name, "1", scales_of_input, scale_of(d.input_of[std::size_t(i)].name));
  return all;
}

// Returns the logits of the scales after one pass near an estimate.
template <int members, class D, class Extended>
std::vector<double> input_scales(const D& d, const Extended& all, const std::vector<typename D::Sample>& rows,
                                 const Estimate<D>& near, const FitOptions& o, const Factors<D>& factor,
                                 std::uint64_t seed) {
  constexpr double accuracy = 0.5;  // logits; 6 % of the input
  Belief<Extended::most_parameters> prior;
  const auto narrow = narrowed(near, whole_range(d));
  for (std::size_t p = 0; p < std::size_t(all.parameters); ++p) {
    const bool scale = p >= std::size_t(d.parameters);
    prior.mean[p] = scale ? scales_of_input.logit(1) : narrow.mean[p];
    prior.deviation[p] = scale ? accuracy : narrow.deviation[p];
  }
  FitOptions once = o;
  once.coarse_pass = false, once.most_passes = 1;
  const auto result = run_ensemble<members>(all, rows, prior, once, seed, factor);
  return {result.mean.begin() + d.parameters, result.mean.begin() + all.parameters};
}

}  // namespace detail

// Tests the inputs of a fit with the record and its first trials.
template <int members, class D>
std::vector<InputVerdict> test_inputs(const D& d, const std::vector<typename D::Sample>& rows,
                                      const Machines<D>& machines, const Fit<D>& fit, const FitOptions& o) {
  std::vector<InputVerdict> verdicts;
  constexpr int most = 9;
  const int trials = std::min(most, int(fit.trials.size()));
  if (d.inputs == 0 || trials == 0) return verdicts;
  const auto all = detail::with_input_scales(d);
  std::vector<std::vector<double>> logits(std::size_t(trials) + 1);
  in_parallel(trials + 1, o.threads, [&](int k) {
    const bool of_record = k == trials;
    const auto used = of_record ? rows : trial_record(d, rows, machines, fit.factor, o, k);
    const auto near = of_record ? detail::pooled(fit.chains) : fit.trials[std::size_t(k)];
    logits[std::size_t(k)] =
        detail::input_scales<members>(d, all, used, near, o, fit.factor, o.seed + 31 * std::uint64_t(k));
  });
  const Range& range = detail::scales_of_input;
  const double one = range.logit(1);
  for (std::size_t i = 0; i < std::size_t(d.inputs); ++i) {
    double square = 0;
    for (std::size_t k = 0; k < std::size_t(trials); ++k)
      square += (logits[k][i] - one) * (logits[k][i] - one) / trials;
    constexpr double deviations = 3;
    const double v = logits.back()[i], half = deviations * std::sqrt(square);
    verdicts.push_back({range.at(v), range.at(v - half), range.at(v + half), std::fabs(v - one) <= half});
  }
  return verdicts;
}

}  // namespace moreau::identify
