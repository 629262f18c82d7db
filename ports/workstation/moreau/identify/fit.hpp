// Fit of a record: ensembles on the record, then trials on synthetic records around the answer.
//
//   theta    mean of the means of the chains, in logits
//   s^2      mean of their variances + variance of their means
//   trial k  parameters theta_k drawn around theta; a synthetic record; one ensemble with the result m_k, s_k
//   b        median of m_k - theta_k, the bias of the method near the answer; 0 if it is below its uncertainty
//   r_k      |m_k - b - theta_k| / (s_k + s_0),   s_0: median of s_k
//
// The 90 % interval of a parameter is theta - b +- r (s + s_0), r the ceil(0.9 (n + 1))-th smallest r_k of n trials. If
// the machine is one more draw of the trials, this interval holds the parameter with a probability of 90 % for every
// distribution of the errors (split conformal prediction). n is at least 9.
//
// The trials also calibrate the test of the model: the innovations of the record are compared with those of the trials,
// whose model is right.
#pragma once
#include <atomic>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

#include "moreau/identify/synthetic.hpp"

namespace moreau::identify {

// Calls use(i) for i = 0 .. count - 1 from several threads; rethrows the first exception.
inline void in_parallel(int count, unsigned threads, const std::function<void(int)>& use) {
  std::atomic<int> next{0};
  std::mutex mutex;
  std::exception_ptr trouble;
  const auto work = [&] {
    try {
      for (int i = next++; i < count; i = next++) use(i);
    } catch (...) {
      const std::lock_guard<std::mutex> guard(mutex);
      if (!trouble) trouble = std::current_exception();
      next = count;
    }
  };
  std::vector<std::thread> team;
  for (unsigned t = 1; t < threads; ++t) team.emplace_back(work);
  work();
  for (auto& thread : team) thread.join();
  if (trouble) std::rethrow_exception(trouble);
}

// Verdict on one parameter.
enum class Found { found, not_found, at_least, at_most, at_bound };

struct ParameterFit {
  double value = 0, low = 0, high = 0;  // 90 % interval, in the unit of the parameter
  double logit = 0, deviation = 0;      // calibrated, in logits
  double spread = 0;                    // largest difference between the chains, in the unit of the parameter
  double bias = 0;                      // removed from the value, in the unit of the parameter
  Found found = Found::found;
  std::string ridge;  // parameter with which it trades
};

struct ChannelVerdict {
  double noise_ratio = 1;  // noise of the record relative to that of the sensor
  double mean_square = 0, usual_square = 0, correlation = 0, usual_correlation = 0;
  bool white = true;  // false: the innovations differ from those of a correct model
};

template <class Description>
struct Fit {
  std::vector<Estimate<Description>> chains, trials;
  std::vector<std::array<double, std::size_t(Description::most_parameters)>> truths;  // of the trials, logits
  std::array<double, std::size_t(Description::most_channels)> factor{};               // of the noise of the trials
  std::vector<ParameterFit> parameters;
  std::vector<ChannelVerdict> channels;
  std::vector<std::string> warnings;
  double steps = 0;

  // True if the model explains the record, so the intervals hold.
  bool explained() const {
    return std::all_of(channels.begin(), channels.end(), [](const ChannelVerdict& c) { return c.white; });
  }
  Belief<Description::most_parameters> belief() const {
    Belief<Description::most_parameters> all;
    for (std::size_t p = 0; p < parameters.size(); ++p)
      all.mean[p] = parameters[p].logit, all.deviation[p] = parameters[p].deviation;
    return all;
  }
};

namespace detail {

inline double median(std::vector<double> all) {
  if (all.empty()) return 0;
  const auto middle = all.begin() + long(all.size() / 2);
  std::nth_element(all.begin(), middle, all.end());
  return *middle;
}

// Median of the errors, or 0 if it is below its own uncertainty.
inline double clear_bias(const std::vector<double>& errors) {
  const double bias = median(errors);
  std::vector<double> off;
  for (const double e : errors) off.push_back(std::fabs(e - bias));
  constexpr double deviation = 1.48, of_median = 1.25;  // of normal numbers: from their median offset; of their median
  const double uncertain = of_median * deviation * median(off) / std::sqrt(std::max(1.0, double(errors.size())));
  return std::fabs(bias) > uncertain ? bias : 0;
}

// Mean and deviation of several chains.
template <class Description>
Estimate<Description> pooled(const std::vector<Estimate<Description>>& chains) {
  Estimate<Description> all = chains.front();
  const double n = double(chains.size());
  for (std::size_t p = 0; p < all.mean.size(); ++p) {
    double mean = 0, within = 0, between = 0;
    for (const auto& c : chains) mean += c.mean[p] / n, within += c.deviation[p] * c.deviation[p] / n;
    for (const auto& c : chains) between += (c.mean[p] - mean) * (c.mean[p] - mean) / std::max(1.0, n - 1);
    all.mean[p] = mean, all.deviation[p] = std::sqrt(within + between);
  }
  for (std::size_t i = 0; i < all.correlation.size(); ++i) {
    all.correlation[i] = 0;
    for (const auto& c : chains) all.correlation[i] += c.correlation[i] / n;
  }
  for (std::size_t c = 0; c < all.channel.size(); ++c) {
    std::vector<double> noise, square, correlation;
    for (const auto& chain : chains)
      noise.push_back(chain.channel[c].noise), square.push_back(chain.channel[c].mean_square),
          correlation.push_back(chain.channel[c].correlation);
    all.channel[c] = {median(noise), median(square), median(correlation)};
  }
  return all;
}

// Noise of the record relative to that of the sensors. Innovations exceed the noise by the spread of the members; 1.4
// times the noise is usual.
template <class Description>
auto noise_factors(const Description& d, const Estimate<Description>& answer) {
  std::array<double, std::size_t(Description::most_channels)> factor{};
  for (int c = 0; c < d.channels; ++c) {
    const double ratio = answer.channel[std::size_t(c)].noise / d.channel_of[std::size_t(c)].sensor.deviation();
    factor[std::size_t(c)] = ratio > 2 ? ratio / 1.3 : 1;
  }
  return factor;
}

}  // namespace detail

// Machines of the trials: parameters, and states at a row of the record.
template <class Description>
struct Machines {
  std::vector<std::array<double, std::size_t(Description::most_parameters)>> truth;  // logits
  std::vector<State<typename Description::Model>> start;
  std::size_t row = 0;
};

// Draws the machines of the trials: members of an ensemble with a prior of three deviations around the answer, after its
// first windows. Their states agree with the beginning of the record, so their motion is of the same kind.
template <int members, class Description>
Machines<Description> draw_machines(const Description& d, const std::vector<typename Description::Sample>& rows,
                                    const Estimate<Description>& answer, const FitOptions& o) {
  using Filter = identify::Filter<Description, members>;
  const auto filter = std::make_unique<Filter>(d);
  auto prior = whole_range(d);
  for (std::size_t p = 0; p < std::size_t(d.parameters); ++p) {
    prior.mean[p] = answer.mean[p];
    prior.deviation[p] = std::min(1.7, 3 * answer.deviation[p] + 0.02);
  }
  filter->begin(prior, rows.data(), first_window(rows, d.window), o.seed ^ 0x747269616cu);
  Machines<Description> out;
  constexpr int windows = 5;
  int done = 0;
  each_window(rows, d.window, [&](const auto* window, int count) {
    if (done++ >= windows) return;
    filter->assimilate(window, count);
    out.row = std::size_t(window - rows.data()) + std::size_t(count) - 1;
  });
  for (int k = 0; k < o.trials; ++k)
    out.truth.push_back(filter->logits(k % members)), out.start.push_back(filter->state(k % members));
  return out;
}

// One trial, from this prior.
template <int members, class Description>
Estimate<Description> run_trial(const Description& d, const std::vector<typename Description::Sample>& rows,
                                const Machines<Description>& machines,
                                const std::array<double, std::size_t(Description::most_channels)>& factor,
                                const FitOptions& o, int k, const Belief<Description::most_parameters>& prior) {
  std::vector<typename Description::Sample> synthetic(rows.begin() + long(machines.row), rows.end());
  const std::uint64_t seed = o.seed + 7919 * std::uint64_t(k + 1);
  if (!synthesise(d, machines.truth[std::size_t(k)], machines.start[std::size_t(k)], factor, o.refinement, seed,
                  synthetic))
    throw Refusal(Exit::software, "a synthetic record cannot be computed: a step of the model fails");
  return run_ensemble<members>(d, synthetic, prior, o, seed + 1);
}

// Intervals and verdicts from chains and trials.
template <class Description>
void conclude(const Description& d, Fit<Description>& fit) {
  const Estimate<Description> answer = detail::pooled(fit.chains);
  const std::size_t n = fit.trials.size();
  fit.parameters.assign(std::size_t(d.parameters), {});
  for (std::size_t p = 0; p < fit.parameters.size(); ++p) {
    ParameterFit& out = fit.parameters[p];
    const Range& range = d.parameter_of[p].range;
    std::vector<double> errors, deviations, scores;
    for (std::size_t k = 0; k < n; ++k)
      errors.push_back(fit.trials[k].mean[p] - fit.truths[k][p]), deviations.push_back(fit.trials[k].deviation[p]);
    const double bias = detail::clear_bias(errors), usual = detail::median(deviations);
    for (std::size_t k = 0; k < n; ++k) scores.push_back(std::fabs(errors[k] - bias) / (deviations[k] + usual));
    std::sort(scores.begin(), scores.end());
    const std::size_t rank = std::size_t(std::ceil(0.9 * double(n + 1)));
    const double r = n == 0 ? 1.645 : scores[std::min(rank, n) - 1];
    const double half = r * (answer.deviation[p] + (n > 0 ? usual : 0));
    out.logit = answer.mean[p] - bias, out.deviation = half / 1.645;
    out.value = range.at(out.logit), out.low = range.at(out.logit - half), out.high = range.at(out.logit + half);
    out.bias = range.at(answer.mean[p]) - out.value;
    for (const auto& a : fit.chains)
      for (const auto& b : fit.chains) out.spread = std::max(out.spread, range.at(a.mean[p]) - range.at(b.mean[p]));
    constexpr double most_of_range = 0.7, end_of_range = 4.5;
    if (out.high - out.low > most_of_range * range.width())
      out.found = Found::not_found;
    else if (std::fabs(out.logit) > end_of_range)
      out.found = Found::at_bound;
    for (std::size_t q = 0; q < fit.parameters.size(); ++q)
      if (q != p && std::fabs(answer.correlation[p * Description::most_parameters + q]) > 0.95)
        out.ridge = d.parameter_of[q].name;
  }
  fit.channels.assign(std::size_t(d.channels), {});
  for (std::size_t c = 0; c < fit.channels.size(); ++c) {
    ChannelVerdict& out = fit.channels[c];
    const double stated = d.channel_of[c].sensor.deviation();
    std::vector<double> noise, square, correlation;
    for (const auto& t : fit.trials)
      noise.push_back(t.channel[c].noise), square.push_back(t.channel[c].mean_square),
          correlation.push_back(t.channel[c].correlation);
    out.mean_square = answer.channel[c].mean_square, out.correlation = answer.channel[c].correlation;
    out.noise_ratio = answer.channel[c].noise / stated;
    if (n == 0) continue;
    out.noise_ratio = fit.factor[c] * answer.channel[c].noise / detail::median(noise);
    out.usual_square = detail::median(square), out.usual_correlation = detail::median(correlation);
    const auto unusual = [](const std::vector<double>& all, double x, double least) {
      const double middle = detail::median(all);
      std::vector<double> off;
      for (const double a : all) off.push_back(std::fabs(a - middle));
      constexpr double limit = 6;  // robust deviations
      return x > middle + std::max(least, limit * 1.48 * detail::median(off));
    };
    out.white = !unusual(square, out.mean_square, 0.15) && !unusual(correlation, out.correlation, 0.15) &&
                !unusual(noise, answer.channel[c].noise, 0.3 * detail::median(noise));
  }
}

// Storage of finished ensembles, for an interrupted fit: `get` returns true and sets the estimate if it is stored.
template <class Description>
struct Store {
  std::function<bool(char kind, int index, Estimate<Description>&)> get = [](char, int, auto&) { return false; };
  std::function<void(char kind, int index, Estimate<Description>&)> put = [](char, int, auto&) {};
  std::function<bool()> stopped = [] { return false; };
};

// Fits a record. Throws Refusal with Exit::interrupted if the store requests a stop.
template <int members, class Description>
Fit<Description> fit(const Description& d, const std::vector<typename Description::Sample>& rows, const FitOptions& o,
                     const Store<Description>& store = {}) {
  Fit<Description> out;
  out.chains.resize(std::size_t(o.chains)), out.trials.resize(std::size_t(o.trials));
  const auto compute = [&](char kind, auto& all, const auto& one) {
    in_parallel(int(all.size()), o.threads, [&](int k) {
      if (store.get(kind, k, all[std::size_t(k)])) return;
      if (store.stopped()) throw Refusal(Exit::interrupted, "stopped; the same command continues");
      all[std::size_t(k)] = one(k);
      store.put(kind, k, all[std::size_t(k)]);
    });
  };
  compute('c', out.chains,
          [&](int k) { return run_ensemble<members>(d, rows, whole_range(d), o, o.seed + 1000 * std::uint64_t(k)); });
  const Estimate<Description> answer = detail::pooled(out.chains);
  out.factor = detail::noise_factors(d, answer);
  const Machines<Description> machines = draw_machines<members>(d, rows, answer, o);
  out.truths = machines.truth;
  compute('t', out.trials,
          [&](int k) { return run_trial<members>(d, rows, machines, out.factor, o, k, whole_range(d)); });
  for (const auto& e : out.chains) out.steps += e.steps;
  for (const auto& e : out.trials) out.steps += e.steps;
  conclude(d, out);
  return out;
}

}  // namespace moreau::identify
