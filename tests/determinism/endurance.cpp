// 24 h endurance of every example mechanism at 10 kHz, 8.64e8 steps, and 1e9 of the woodpecker: energy, penetration,
// cycles and statuses do not drift. One program for each scalar; tests/determinism/endurance.py builds and runs both.
//
//   determinism.endurance.float [--steps N] [--state FOLDER] [--minutes N] [--only NAME]
//
// --steps: of every mechanism instead of a day. With --state the run in FOLDER is resumed from the saved state, however
// it was interrupted. Each mechanism first makes one block of steps; then those that need the least time come first.
// Prints a CSV table with a row for each; fails if a run drifts.
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include "mechanisms.hpp"
#include "support/test.hpp"

namespace {

volatile std::sig_atomic_t interrupted = 0;
constexpr std::int64_t block_steps = 200000;
constexpr double seconds_between_saves = 10;

double seconds_left(const endurance::Run& l) {
  return l.done == 0 ? 0 : l.seconds / double(l.done) * double(l.most - l.done);
}

endurance::Run* next(const endurance::Runs& runs) {
  endurance::Run* best = nullptr;
  for (const auto& one : runs.all)
    if (!one->ended() && (best == nullptr || seconds_left(*one) < seconds_left(*best))) best = one.get();
  return best;
}

void print(const endurance::Run& l) {
  const endurance::Part a = l.early(), b = l.late(), all = l.sum(0, endurance::parts);
  const double steps = double(std::max<std::int64_t>(l.done, 1));
  const std::string what = endurance::departs(l);
  std::printf("\"%s\",%s,\"%s\",%lld,%lld,%lld,%lld,%lld,%.3g,%.4g,%.4g,%.3g,%.3g,%.6g,%.6g,%s\n", l.name.c_str(),
              l.scalar.c_str(), l.kept.c_str(), static_cast<long long>(l.done), static_cast<long long>(l.most),
              static_cast<long long>(a.inexact), static_cast<long long>(b.inexact), static_cast<long long>(all.refused),
              1e6 * double(all.fallbacks) / steps, 1e3 * a.mean(), 1e3 * b.mean(), 1e6 * a.deepest, 1e6 * b.deepest,
              a.an_hour(double(a.cycles)), b.an_hour(double(b.cycles)),
              l.third() < 1 ? "too short" : (what.empty() ? "none" : what.c_str()));
}

}  // namespace

int main(int argc, char** argv) {
  std::string state, only;
  std::int64_t steps = 0;
  double minutes = 1e9;
  for (int i = 1; i + 1 < argc; i += 2) {
    const auto is = [&](const char* name) { return std::strcmp(argv[i], name) == 0; };
    if (is("--steps")) steps = std::atoll(argv[i + 1]);
    if (is("--state")) state = argv[i + 1];
    if (is("--minutes")) minutes = std::atof(argv[i + 1]);
    if (is("--only")) only = argv[i + 1];
  }
  endurance::Runs runs;
  runs.add<Real>();
  auto& all = runs.all;
  const auto other = [&only](const auto& l) { return !only.empty() && l->name != only; };
  all.erase(std::remove_if(all.begin(), all.end(), other), all.end());
  for (const auto& one : all) {
    if (steps > 0) one->most = steps;
    if (state.empty() || one->load(state)) continue;
    std::fprintf(stderr, "%s is not such a run\n", one->file_in(state).c_str());
    return 2;
  }
  std::signal(SIGINT, [](int) { interrupted = 1; });
  std::signal(SIGTERM, [](int) { interrupted = 1; });
  double unsaved = 0;
  const auto begin = std::chrono::steady_clock::now();
  for (endurance::Run* one = next(runs); one != nullptr && interrupted == 0; one = next(runs)) {
    const double before = one->seconds;
    one->block(block_steps);
    unsaved += one->seconds - before;
    const bool another = next(runs) != one;
    if (!state.empty() && (another || unsaved > seconds_between_saves)) {
      if (!one->save(state)) return 2;
      unsaved = 0;
    }
    if (std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() > 60 * minutes) interrupted = 1;
    if (!state.empty() && interrupted != 0 && !one->save(state)) return 2;
  }
  std::printf(
      "mechanism,scalar,driven_by,steps,steps_in_full,inexact_early,inexact_late,refused,fallbacks_per_million,"
      "energy_early_mJ,energy_late_mJ,position_error_early_um,position_error_late_um,cycles_per_hour_early,"
      "cycles_per_hour_late,drift\n");
  bool stays = true;
  for (const auto& one : all) {
    print(*one);
    stays = stays && endurance::departs(*one).empty();
  }
  return all.empty() || !stays ? 1 : 0;
}
