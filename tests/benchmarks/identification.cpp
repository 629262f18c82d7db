// Errors and coverage of identifications: random machines, records of an adaptive run, several seeds of the noise.
//
//   benchmarks.identification [machine|all] [truths] [seeds] [threads] [csv file|-] [case] [trials]
//
// The parameters of a machine are uniform in the middle 80 % of their ranges. Prints a table per machine: median and
// 90 % quantile of the relative error, share of the intervals that contain the parameter, their median half width
// relative to the parameter, and the CPU time of a fit. A case is a difference between machine and model:
//
//   noise     five times the noise of the sensors
//   half      half the record
//   long      four times the record
//   inertia   an inertia of the machine with an error of 5 %
//   delay     the first channel is two rows late
//
// A confident error is a parameter outside of its interval, although it is found and the model explains the record.
#include <moreau/identify/fit.hpp>

#include <cstdio>
#include <ctime>

#include "identification/adaptive_record.hpp"
#include "identification/four_bar.hpp"
#include "identification/gear_drive.hpp"
#include "identification/loose_pin.hpp"
#include "identification/slider_crank.hpp"
#include "identification/woodpecker.hpp"

namespace {

using namespace moreau::identify;
constexpr int members = 100;

double cpu_seconds() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

double quantile(std::vector<double> all, double share) {
  std::sort(all.begin(), all.end());
  return all[std::min(all.size() - 1, std::size_t(share * double(all.size())))];
}

std::vector<double> random_truth(const Range* ranges, int parameters, int number) {
  Draw draw(1000, std::uint32_t(number));
  std::vector<double> truth;
  for (int p = 0; p < parameters; ++p) truth.push_back(ranges[p].low + ranges[p].width() * draw.uniform(0.1, 0.9));
  return truth;
}

struct Sums {
  std::vector<double> error, half;
  int covered = 0, not_found = 0, confident = 0;
};

const char* verdict(Found found) {
  switch (found) {
    case Found::found:
      return "yes";
    case Found::not_found:
      return "no";
    case Found::at_least:
      return "at least";
    case Found::at_most:
      return "at most";
    case Found::at_bound:
      return "at the end";
  }
  return "";
}

struct Counts {
  int truths, seeds;
  unsigned threads;
  std::FILE* csv;
  std::string fault;
  int trials;
};

template <class Machine>
void measure(const Counts& counts) {
  const auto d = Machine::description();
  auto machine = d;
  auto plan = Machine::plan;
  if (counts.fault == "noise") plan.noise = 5;
  if (counts.fault == "half") plan.duration /= 2;
  if (counts.fault == "long") plan.duration *= 4;
  if (counts.fault == "inertia") Machine::disturb(machine.model);
  if (counts.fault == "delay") machine.channel_of[0].sensor.delay = 2 * plan.sample;
  std::vector<Range> ranges;
  for (int p = 0; p < d.parameters; ++p) ranges.push_back(d.parameter_of[std::size_t(p)].range);
  std::vector<Sums> sums(ranges.size());
  double cpu = 0;
  int runs = 0, unexplained = 0;
  for (int t = 0; t < counts.truths; ++t) {
    const auto truth = random_truth(ranges.data(), d.parameters, t);
    for (int s = 0; s < counts.seeds; ++s) {
      const auto rows = identification::machine_record<Machine>(machine, truth, 1 + std::uint64_t(s), plan);
      FitOptions o;
      o.threads = counts.threads, o.trials = counts.trials, o.seed = 1 + std::uint64_t(s);
      const double begin = cpu_seconds();
      const auto fit = moreau::identify::fit<members>(d, rows, o);
      const double seconds = cpu_seconds() - begin;
      cpu += seconds;
      ++runs, unexplained += !fit.explained();
      for (std::size_t p = 0; p < truth.size(); ++p) {
        const auto& one = fit.parameters[p];
        const bool inside = one.low <= truth[p] && truth[p] <= one.high;
        sums[p].error.push_back(std::fabs(one.value - truth[p]) / truth[p]);
        sums[p].half.push_back((one.high - one.low) / 2 / truth[p]);
        sums[p].covered += inside, sums[p].not_found += one.found != Found::found;
        sums[p].confident += !inside && one.found == Found::found && fit.explained();
        if (counts.csv)
          std::fprintf(counts.csv, "%s,%s,%d,%d,%s,%.5g,%.5g,%.5g,%.5g,%s,%d,%.2f\n", d.name,
                       counts.fault.empty() ? "none" : counts.fault.c_str(), t, s, d.parameter_of[p].name, truth[p],
                       one.value, one.low, one.high, verdict(one.found), fit.explained(), seconds);
      }
      if (counts.csv) std::fflush(counts.csv);
    }
  }
  for (std::size_t p = 0; p < sums.size(); ++p)
    std::printf("| %s | %s | %.2g | %.2g | %.0f | %.2g | %d | %.0f |\n", p == 0 ? d.name : "", d.parameter_of[p].name,
                100 * quantile(sums[p].error, 0.5), 100 * quantile(sums[p].error, 0.9), 100.0 * sums[p].covered / runs,
                100 * quantile(sums[p].half, 0.5), sums[p].not_found, 100.0 * sums[p].confident / runs);
  std::printf("%s: %d records of %.2g s, %.2f s of CPU time per fit, %d not explained\n", d.name, runs, plan.duration,
              cpu / runs, unexplained);
  std::fflush(stdout);
}

}  // namespace

int main(int count, char** words) {
  const auto number = [&](int i, int otherwise) { return count > i ? std::atoi(words[i]) : otherwise; };
  const std::string which = count > 1 ? words[1] : "all";
  Counts counts{number(2, 1),
                number(3, 1),
                unsigned(number(4, 1)),
                count > 5 && words[5][0] != '-' ? std::fopen(words[5], "w") : nullptr,
                count > 6 ? words[6] : "",
                number(7, FitOptions{}.trials)};
  if (counts.csv)
    std::fprintf(counts.csv, "machine,fault,truth,seed,parameter,value,fitted,low,high,found,explained,seconds\n");
  std::printf(
      "| machine | parameter | median, %% | 90 %%, %% | coverage, %% | half width, %% | not found | confident errors, "
      "%% |\n");
  std::printf("| --- | --- | --- | --- | --- | --- | --- | --- |\n");
  const auto is = [&](const char* name) { return which == "all" || which == name; };
  if (is("woodpecker")) measure<identification::Woodpecker>(counts);
  if (is("gear_drive")) measure<identification::GearDrive>(counts);
  if (is("slider_crank")) measure<identification::SliderCrank>(counts);
  if (is("four_bar")) measure<identification::FourBar>(counts);
  if (is("loose_pin")) measure<identification::LoosePin>(counts);
  return counts.csv ? std::fclose(counts.csv) : 0;
}
