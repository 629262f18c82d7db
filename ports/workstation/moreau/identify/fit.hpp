// Fit of a record: ensembles on the record, then trials on synthetic records of machines near the answer.
#pragma once
#include <atomic>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

#include "moreau/identify/answer.hpp"

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

// Machines of the trials: parameters, and states at a row of the record.
template <class Description>
struct Machines {
  std::vector<std::array<double, std::size_t(Description::most_parameters)>> truth;  // logits
  std::vector<State<typename Description::Model>> start;
  std::size_t row = 0;
};

// Draws the machines of the trials: members of an ensemble with this prior, after its first windows. Their states agree
// with the beginning of the record, so their motion is of the same kind.
template <int members, class Description>
Machines<Description> draw_machines(const Description& d, const std::vector<typename Description::Sample>& rows,
                                    const Belief<Description::most_parameters>& prior, const FitOptions& o) {
  using Filter = identify::Filter<Description, members>;
  const auto filter = std::make_unique<Filter>(d);
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

// Returns the distribution of the machines of the trials at first: three deviations around the answer.
template <class Description>
Belief<Description::most_parameters> near_answer(const Description& d, const Estimate<Description>& answer) {
  auto near = whole_range(d);
  for (std::size_t p = 0; p < std::size_t(d.parameters); ++p) {
    near.mean[p] = answer.mean[p];
    near.deviation[p] = std::min(near.deviation[p], 3 * answer.deviation[p] + 0.02);
  }
  return near;
}

// Widens this distribution to three times the errors of the first trials. A parameter with errors of a third of its
// range is weak: its machines are drawn from the whole range. So is a parameter that is coupled with a weak one. Returns
// true if a deviation changes.
template <class Description>
bool widen(const Description& d, const Estimate<Description>& answer, const std::vector<Estimate<Description>>& first,
           const Machines<Description>& machines, Belief<Description::most_parameters>& drawn,
           std::vector<bool>& weak) {
  const auto whole = whole_range(d);
  bool wider = false;
  for (std::size_t p = 0; p < weak.size(); ++p) {
    std::vector<double> errors;
    for (std::size_t k = 0; k < first.size(); ++k) errors.push_back(std::fabs(first[k].mean[p] - machines.truth[k][p]));
    constexpr double deviation = 1.48, enough = 1.5;  // of normal numbers, from their median; for the scatter of five
    const double necessary = 3 * deviation * detail::median(errors);
    if (weak[p] || necessary < enough * drawn.deviation[p]) continue;
    wider = true, weak[p] = necessary > whole.deviation[p];
    drawn.deviation[p] = std::min(whole.deviation[p], necessary);
  }
  const auto is_weak = weak;
  for (std::size_t p = 0; p < weak.size(); ++p) {
    for (std::size_t q = 0; q < weak.size(); ++q)
      if (!weak[p] && is_weak[q] && detail::coupling(answer, p, q) > detail::of_ridge) wider = weak[p] = true;
    if (weak[p]) drawn.mean[p] = whole.mean[p], drawn.deviation[p] = whole.deviation[p];
  }
  return wider;
}

// One trial: the fit of a synthetic record by one ensemble.
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
  // Skip the time in which the state of the machine settles.
  constexpr double settled = 0.2;  // of the record
  const double begin = rows.front().t + settled * (rows.back().t - rows.front().t);
  synthetic.erase(synthetic.begin(),
                  std::find_if(synthetic.begin(), synthetic.end(), [&](const auto& row) { return row.t >= begin; }));
  return run_ensemble<members>(d, synthetic, prior, o, seed + 1, factor);
}

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
  if (o.trials > 0) find_one_sided<members>(d, rows, o, out);
  return out;
}

}  // namespace moreau::identify
