// Fit of a record: ensembles on the record, then trials on synthetic records of machines near the answer.
#pragma once
#include "moreau/identify/input_test.hpp"

namespace moreau::identify {

// Returns the score of one pass with parameter p fixed at a logit v and the others near the answer.
template <int members, class Description>
double score_with(const Description& d, const std::vector<typename Description::Sample>& rows,
                  const Fit<Description>& fit, const FitOptions& o, std::size_t p, double v) {
  auto prior = fit.belief();
  for (std::size_t q = 0; q < std::size_t(d.parameters); ++q)
    prior.deviation[q] = std::min(1.7, prior.deviation[q] + 0.1);
  prior.mean[p] = v, prior.deviation[p] = 0;
  FitOptions once = o;
  once.coarse_pass = false, once.most_passes = 1;
  return run_ensemble<members>(d, rows, prior, once, o.seed + 77).score;
}

// Finds parameters that the record bounds on one side only, such as the friction of a contact that never slides: the
// score with the parameter at one end of its range is that of its value. Tests wide intervals only.
template <int members, class Description>
void find_one_sided(const Description& d, const std::vector<typename Description::Sample>& rows, const FitOptions& o,
                    Fit<Description>& fit) {
  constexpr double wide = 0.15, margin = 0.1;  // of the range; of the score, per row
  in_parallel(d.parameters, o.threads, [&](int i) {
    const auto p = std::size_t(i);
    ParameterFit& one = fit.parameters[p];
    if (fit.weak[p] && one.found == Found::not_found) return;
    if (one.high - one.low < wide * d.parameter_of[p].range.width()) return;
    const double limit = score_with<members>(d, rows, fit, o, p, one.logit) + margin;
    const bool low = score_with<members>(d, rows, fit, o, p, -most_logit) < limit;
    const bool high = score_with<members>(d, rows, fit, o, p, most_logit) < limit;
    if (low && high) one.found = Found::not_found;
    if (low != high) one.found = low ? Found::at_most : Found::at_least;
  });
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
  const auto compute = [&](char kind, int before, auto& all, const auto& one) {
    in_parallel(int(all.size()), o.threads, [&](int k) {
      if (store.get(kind, before + k, all[std::size_t(k)])) return;
      if (store.stopped()) throw Refusal(Exit::interrupted, "stopped; the same command continues");
      all[std::size_t(k)] = one(k);
      store.put(kind, before + k, all[std::size_t(k)]);
    });
  };
  compute('c', 0, out.chains,
          [&](int k) { return run_ensemble<members>(d, rows, whole_range(d), o, o.seed + 1000 * std::uint64_t(k)); });
  const Estimate<Description> answer = detail::pooled(out.chains);
  // Compute the first trials, until the machines are drawn from a sufficiently wide distribution. They have the noise of
  // the sensors. If that of the record is larger, all trials have the larger one.
  out.weak.assign(std::size_t(d.parameters), false);
  auto drawn = near_answer(d, answer);
  Machines<Description> machines;
  const auto trial = [&](int k) { return run_trial<members>(d, rows, machines, out.factor, o, k, whole_range(d)); };
  out.factor.fill(1);
  std::vector<Estimate<Description>> first(std::size_t(std::min(o.trials, 5)));
  constexpr int rounds = 3;
  for (int round = 0; round < rounds; ++round) {
    machines = draw_machines<members>(d, rows, drawn, o);
    compute('f', round * int(first.size()), first, trial);
    if (round + 1 == rounds || !widen(d, answer, first, machines, drawn, out.weak)) break;
  }
  out.truths = machines.truth;
  const auto stated = out.factor;
  out.factor = detail::noise_factors(d, answer, first);
  compute('t', 0, out.trials, [&](int k) {
    return out.factor == stated && std::size_t(k) < first.size() ? first[std::size_t(k)] : trial(k);
  });
  for (const auto& e : out.chains) out.steps += e.steps;
  for (const auto& e : out.trials) out.steps += e.steps;
  conclude(d, out);
  out.inputs = test_inputs<members>(d, rows, machines, out, o);
  if (o.trials > 0) find_one_sided<members>(d, rows, o, out);
  return out;
}

}  // namespace moreau::identify
