// Trials of a fit: synthetic records of machines near the answer, and their fits.
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

// Returns the synthetic record of a trial. The motion of a machine without inputs settles over the length of a record before; that
// of a machine with inputs agrees with them from the beginning.
template <class Description>
auto trial_record(const Description& d, const std::vector<typename Description::Sample>& rows,
                  const Machines<Description>& machines, const Factors<Description>& factor, const FitOptions& o,
                  int k) {
  const auto begin = rows.begin() + long(machines.row);
  const long settling = d.inputs > 0 ? 0 : rows.end() - begin - 1;
  std::vector<typename Description::Sample> synthetic(begin, begin + settling);
  for (auto& row : synthetic) row.t -= (begin + settling)->t - begin->t;
  synthetic.insert(synthetic.end(), begin, rows.end());
  const std::uint64_t seed = o.seed + 7919 * std::uint64_t(k + 1);
  if (!synthesise(d, machines.truth[std::size_t(k)], machines.start[std::size_t(k)], factor, o.refinement, seed,
                  synthetic))
    throw Refusal(Exit::software, "a synthetic record cannot be computed: a step of the model fails");
  synthetic.erase(synthetic.begin(), synthetic.begin() + settling);
  return synthetic;
}

// One trial: the fit of a synthetic record by one ensemble.
template <int members, class Description>
Estimate<Description> run_trial(const Description& d, const std::vector<typename Description::Sample>& rows,
                                const Machines<Description>& machines, const Factors<Description>& factor,
                                const FitOptions& o, int k, const Belief<Description::most_parameters>& prior) {
  const std::uint64_t seed = o.seed + 7919 * std::uint64_t(k + 1) + 1;
  return run_ensemble<members>(d, trial_record(d, rows, machines, factor, o, k), prior, o, seed, factor);
}

}  // namespace moreau::identify
