// Slider-crank in real time on Linux: periods of 1 ms with 100 steps of 10 us, SCHED_FIFO, locked memory, histograms of
// wake-up and work. Usage: real_time [<seconds> [<table>]]. The table of the last 10 s, .csv or .mcap, opens in
// PlotJuggler; Foxglove opens .mcap.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <moreau/bench/plant.hpp>
#include <moreau/workstation/log.hpp>
#include <moreau/workstation/real_time.hpp>
#include <vector>

#include "crank.hpp"

namespace {

struct Row {
  double t, omega, gap;
};

void print(const char* name, const moreau::workstation::TimeHistogram& times) {
  std::printf("%-8s median %4.0f us, 99 %% %4.0f us, 99.99 %% %4.0f us, longest %6.0f us\n", name,
              1e6 * times.quantile(0.5), 1e6 * times.quantile(0.99), 1e6 * times.quantile(0.9999),
              1e6 * times.longest());
}

}  // namespace

int main(int count, char** words) {
  using Plant = bench::Plant<CrankBench>;
  constexpr double period = 1e-3;  // s
  constexpr int steps = int(period / CrankBench::dt + 0.5), shown = 10000;
  const double seconds = count > 1 ? std::atof(words[1]) : 10;
  const auto plant = std::make_unique<Plant>();
  std::vector<Row> rows(shown);
  const std::string why = moreau::workstation::request_real_time(80);
  const auto loop = std::make_unique<moreau::workstation::RealTimeLoop>(period);
  const int torque = Plant::Table::find("motor.torque"), omega = Plant::Table::find("crank.omega"),
            gap = Plant::Table::find("guide.g_N");
  std::int64_t all = 0;
  loop->run(std::int64_t(seconds / period + 0.5), [&](std::int64_t n) {
    (void)plant->set(torque, n / 500 % 2 == 0 ? 1.0 : -1.0);  // N m, the command of a controller
    std::int64_t done = 0;
    const bool advanced = bench::advanced(plant->steps(steps, done));
    Row& row = rows[std::size_t(all++ % shown)];
    (void)plant->get(0, row.t), (void)plant->get(omega, row.omega), (void)plant->get(gap, row.gap);
    return advanced;
  });
  if (!why.empty()) std::printf("%s\n", why.c_str());
  std::printf("%ld periods of 1 ms with %d steps, %ld overruns, %ld periods skipped\n", long(loop->periods), steps,
              long(loop->overruns), long(loop->skipped));
  print("wake-up", loop->wake_up);
  print("work", loop->work);
  if (count > 2) {
    moreau::workstation::Log table{words[2], {"t [s]", "crank.omega [rad/s]", "guide.g_N [m]"}};
    for (std::int64_t n = all > shown ? all - shown : 0; n < all; ++n) {
      const Row& row = rows[std::size_t(n % shown)];
      table.row(row.t, row.omega, row.gap);
    }
    if (!table.close()) return std::printf("%s\n", table.what().c_str()), 1;
  }
  return loop->periods + loop->skipped == std::int64_t(seconds / period + 0.5) ? 0 : 1;
}
