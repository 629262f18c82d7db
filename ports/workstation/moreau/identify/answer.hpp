// Answer of a fit: values, intervals and verdicts from ensembles on the record and on synthetic records.
//
//   theta    mean of the means of the chains, in logits
//   s^2      mean of their variances + variance of their means
//   trial k  synthetic record of a machine theta_k near theta; one ensemble with the result m_k, s_k
//   b        median of m_k - theta_k, the bias of the method near the answer; 0 if it is below its uncertainty
//   r_k      |m_k - b - theta_k| / (s_k + s_0),   s_0: median of s_k
//
// The 90 % interval of a parameter is theta - b +- r (s + s_0), r the ceil(0.9 (n + 1))-th smallest r_k of n trials. If
// the machine is one more draw of the trials, this interval holds the parameter with a probability of 90 % for every
// distribution of the errors (split conformal prediction). n is at least 9.
//
// A weak parameter has errors that depend on it. Its trials are drawn from its whole range, and x_k = fitted value, y_k =
// true value of the trials supply
//
//   y = mean(y) + slope (x - mean(x))    slope by least squares, between 0 and 2
//   r_k = |y_k - y(x_k)| / (1 - h_k)     h_k: leverage of trial k
//
// with the interval y(x) +- r, where x is the answer of the ensembles and r the same quantile of the r_k.
//
// The trials also calibrate the test of the model: the innovations of the record are compared with those of the trials,
// whose model is correct.
#pragma once
#include "moreau/identify/synthetic.hpp"

namespace moreau::identify {

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

// Scale of an input that agrees with the record, and its interval of three deviations.
struct InputVerdict {
  double scale = 1, low = 1, high = 1;
  bool consistent = true;  // the interval contains 1
};

template <class Description>
struct Fit {
  std::vector<Estimate<Description>> chains, trials;
  std::vector<std::array<double, std::size_t(Description::most_parameters)>> truths;  // of the trials, logits
  std::array<double, std::size_t(Description::most_channels)> factor{};               // of the noise of the trials
  std::vector<bool> weak;  // parameters whose trials are drawn from the whole range
  std::vector<ParameterFit> parameters;
  std::vector<ChannelVerdict> channels;
  std::vector<InputVerdict> inputs;
  std::vector<std::string> warnings;
  double steps = 0;

  // True if the model explains the record, so the intervals hold.
  bool explained() const {
    return std::all_of(channels.begin(), channels.end(), [](const ChannelVerdict& c) { return c.white; }) &&
           std::all_of(inputs.begin(), inputs.end(), [](const InputVerdict& i) { return i.consistent; });
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

// Mean and deviation of several chains. A chain whose score is worse than the best one has lost the machine.
template <class Description>
Estimate<Description> pooled(const std::vector<Estimate<Description>>& all) {
  constexpr double margin = 0.1;  // of the score, per row
  double best = all.front().score;
  for (const auto& c : all) best = std::min(best, c.score);
  std::vector<Estimate<Description>> chains;
  for (const auto& c : all)
    if (c.score <= best + margin) chains.push_back(c);
  if (chains.empty()) chains = all;  // scores that are not finite
  Estimate<Description> out = chains.front();
  const double n = double(chains.size());
  for (std::size_t p = 0; p < out.mean.size(); ++p) {
    double mean = 0, within = 0, between = 0;
    for (const auto& c : chains) mean += c.mean[p] / n, within += c.deviation[p] * c.deviation[p] / n;
    for (const auto& c : chains) between += (c.mean[p] - mean) * (c.mean[p] - mean) / std::max(1.0, n - 1);
    out.mean[p] = mean, out.deviation[p] = std::sqrt(within + between);
  }
  for (std::size_t i = 0; i < out.correlation.size(); ++i) {
    out.correlation[i] = 0;
    for (const auto& c : chains) out.correlation[i] += c.correlation[i] / n;
  }
  for (std::size_t c = 0; c < out.channel.size(); ++c) {
    std::vector<double> noise, square, correlation;
    for (const auto& chain : chains)
      noise.push_back(chain.channel[c].noise), square.push_back(chain.channel[c].mean_square),
          correlation.push_back(chain.channel[c].correlation);
    out.channel[c] = {median(noise), median(square), median(correlation)};
  }
  return out;
}

// Trials that follow their machine as well as the answer follows the record, at least 9: a lost trial is recognised by
// its innovations and does not apply to an answer that is not lost.
template <class Description>
std::vector<std::size_t> comparable(const Description& d, const Estimate<Description>& answer,
                                    const std::vector<Estimate<Description>>& trials) {
  const auto misfit = [&d](const Estimate<Description>& e) {
    double most = 0;
    for (std::size_t c = 0; c < std::size_t(d.channels); ++c) most = std::max(most, e.channel[c].mean_square);
    return most;
  };
  constexpr double usual = 1.2, similar = 1.25;
  const double limit = std::max(usual, similar * misfit(answer));
  std::vector<std::size_t> order(trials.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return misfit(trials[a]) < misfit(trials[b]); });
  std::size_t count = 0;
  while (count < order.size() && (count < 9 || misfit(trials[order[count]]) <= limit)) ++count;
  order.resize(count);
  return order;
}

// Noise of the record relative to that of the trials; 1 if it differs by less than half.
template <class Description>
auto noise_factors(const Description& d, const Estimate<Description>& answer,
                   const std::vector<Estimate<Description>>& trials) {
  std::array<double, std::size_t(Description::most_channels)> factor{};
  factor.fill(1);
  for (std::size_t c = 0; c < std::size_t(d.channels); ++c) {
    std::vector<double> usual;
    for (const auto& t : trials) usual.push_back(t.channel[c].noise);
    const double ratio = answer.channel[c].noise / median(usual);
    if (ratio > 1.5) factor[c] = ratio;
  }
  return factor;
}

// The ceil(0.9 (n + 1))-th smallest of n numbers.
inline double rank_90(std::vector<double> all) {
  std::sort(all.begin(), all.end());
  return all[std::min(std::size_t(std::ceil(0.9 * double(all.size() + 1))), all.size()) - 1];
}

// Magnitude of the correlation of two parameters in the ensembles. Two weak parameters with at least `of_ridge` lie on a
// ridge: the record determines a combination of both.
inline constexpr double of_ridge = 0.3;
template <class Description>
double coupling(const Estimate<Description>& answer, std::size_t p, std::size_t q) {
  return std::fabs(answer.correlation[p * Description::most_parameters + q]);
}

// Value and interval of a weak parameter, by the regression of the trials.
template <class Description>
void regress(const Range& range, std::size_t p, const Estimate<Description>& answer, const Fit<Description>& fit,
             const std::vector<std::size_t>& used, ParameterFit& out) {
  const double n = double(used.size());
  double x_mean = 0, y_mean = 0, xx = 0, xy = 0;
  const auto fitted = [&](std::size_t k) { return range.at(fit.trials[k].mean[p]); };
  const auto true_one = [&](std::size_t k) { return range.at(fit.truths[k][p]); };
  for (const std::size_t k : used) x_mean += fitted(k) / n, y_mean += true_one(k) / n;
  for (const std::size_t k : used) {
    const double dx = fitted(k) - x_mean;
    xx += dx * dx, xy += dx * (true_one(k) - y_mean);
  }
  const double slope = xx > 0 ? std::max(0.0, std::min(2.0, xy / xx)) : 0;
  const auto leverage = [&](double x) { return 1 / n + (slope > 0 ? (x - x_mean) * (x - x_mean) / xx : 0); };
  std::vector<double> residuals;
  for (const std::size_t k : used) {
    const double x = fitted(k), residual = true_one(k) - y_mean - slope * (x - x_mean);
    residuals.push_back(std::fabs(residual) / (1 - std::min(0.5, leverage(x))));
  }
  const double x = range.at(answer.mean[p]), half = rank_90(residuals);
  out.value = std::max(range.low, std::min(range.high, y_mean + slope * (x - x_mean)));
  out.low = std::max(range.low, out.value - half), out.high = std::min(range.high, out.value + half);
  out.logit = range.logit(out.value);
  out.deviation = std::min(1.7, (range.logit(out.high) - range.logit(out.low)) / 2 / 1.645);
}

}  // namespace detail

// Intervals and verdicts from chains and trials.
template <class Description>
void conclude(const Description& d, Fit<Description>& fit) {
  const Estimate<Description> answer = detail::pooled(fit.chains);
  const auto used = detail::comparable(d, answer, fit.trials);
  const std::size_t n = used.size();
  fit.parameters.assign(std::size_t(d.parameters), {});
  fit.weak.resize(fit.parameters.size());
  for (std::size_t p = 0; p < fit.parameters.size(); ++p) {
    ParameterFit& out = fit.parameters[p];
    const Range& range = d.parameter_of[p].range;
    std::vector<double> errors, deviations, scores;
    for (const std::size_t k : used)
      errors.push_back(fit.trials[k].mean[p] - fit.truths[k][p]), deviations.push_back(fit.trials[k].deviation[p]);
    const double bias = detail::clear_bias(errors), usual = detail::median(deviations);
    for (std::size_t k = 0; k < n; ++k) scores.push_back(std::fabs(errors[k] - bias) / (deviations[k] + usual));
    const double r = n == 0 ? 1.645 : detail::rank_90(scores);
    const double half = r * (answer.deviation[p] + (n > 0 ? usual : 0));
    out.logit = answer.mean[p] - bias, out.deviation = half / 1.645;
    out.value = range.at(out.logit), out.low = range.at(out.logit - half), out.high = range.at(out.logit + half);
    if (n > 0 && fit.weak[p]) detail::regress(range, p, answer, fit, used, out);
    out.bias = range.at(answer.mean[p]) - out.value;
    for (const auto& a : fit.chains)
      for (const auto& b : fit.chains) out.spread = std::max(out.spread, range.at(a.mean[p]) - range.at(b.mean[p]));
    constexpr double most_of_range = 0.7, end_of_range = 4.5;
    if (out.high - out.low > most_of_range * range.width())
      out.found = Found::not_found;
    else if (std::fabs(out.logit) > end_of_range)
      out.found = Found::at_bound;
    for (std::size_t q = 0; q < fit.parameters.size(); ++q)
      if (q != p && detail::coupling(answer, p, q) > (fit.weak[p] && fit.weak[q] ? detail::of_ridge : 0.95))
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
      constexpr double limit = 6 * 1.48;  // six robust deviations
      return x > middle + std::max(least, limit * detail::median(off));
    };
    // A mean square clearly above the largest of the trials. Innovations that are at most as large as their predicted size
    // do not contradict the model.
    constexpr double clearly = 1.25, as_predicted = 1;
    const bool large = out.mean_square > as_predicted;
    const double largest = *std::max_element(square.begin(), square.end());
    const bool exceeds = out.mean_square > out.usual_square + clearly * (largest - out.usual_square);
    // Additional noise of a sensor is white; that of a wrong model is not.
    const bool correlated = fit.factor[c] > 1 && out.correlation > 0.5;
    out.white = !(large && exceeds) && !correlated && !(large && unusual(square, out.mean_square, 0.15)) &&
                !unusual(correlation, out.correlation, 0.15) &&
                !unusual(noise, answer.channel[c].noise, 0.3 * detail::median(noise));
  }
}

}  // namespace moreau::identify
