// Commands of an identification program: check, fit, page, follow, validate.
//
//   int main(int count, char** words) { return moreau::identify::commands(description, count, words); }
#pragma once
#include <unistd.h>

#include <cstdio>

#include "moreau/identify/fit_folder.hpp"
#include "moreau/identify/page.hpp"
#include "moreau/study/options.hpp"
#include "moreau/study/program.hpp"
#include "moreau/study/worker_threads.hpp"

namespace moreau::identify {

namespace detail {

inline constexpr char help[] =
    "check RECORD                     signals, noise, excitation, and the accuracy that synthetic records of this "
    "machine allow\n"
    "fit RECORD                       parameters with 90 % intervals; exit code 1: the model does not explain the "
    "record\n"
    "follow RECORD...                 parameters of one record after the other, each from the last result; --to FILE: "
    "as a page\n"
    "page RECORD --to FILE            the fit as an HTML page\n"
    "validate RECORD                  another record with the parameters of the fit\n"
    "RECORD is a CSV file, or several of one machine joined by '+'.\n"
    "options: [--folder FOLDER] [--threads N] [--trials N] [--chains N] [--seed N]\n"
    "         [--held-out PERCENT] of fit and page: last part of the record, for the test of the model only\n";

template <class Description, int members>
class Commands {
  using Sample = typename Description::Sample;
  using Folder = FitFolder<Description>;

 public:
  Commands(const Description& d, int count, char** words)
      : d_(d), given_(count, words, {"folder", "threads", "trials", "chains", "seed", "to", "held-out"}) {
    o_.threads = unsigned(given_.number("threads", std::max(1u, std::thread::hardware_concurrency()), 1, 4096));
    o_.trials = int(given_.number("trials", std::uint64_t(o_.trials), 9, 9999));
    o_.chains = int(given_.number("chains", std::uint64_t(o_.chains), 1, 999));
    o_.seed = given_.number("seed", o_.seed, 0, std::uint64_t{1} << 62);
    folder_ = given_.text("folder", std::string(d.name) + ".fit");
    if (d.fault()) throw Refusal(Exit::refused, d.fault());
  }

  int fit() {
    const auto parts = split(read(one()).rows);
    const Fit<Description> result = fit_of(parts[0], folder_);
    Folder::write_file(folder_, d_, result.parameters);
    print(result);
    if (parts[1].empty()) return result.explained() ? Exit::done : Exit::incomplete;
    std::printf("\nheld-out part\n");
    const Fit<Description> held_out = validation(parts[1], result.parameters);
    print_channels(held_out);
    return result.explained() && held_out.explained() ? Exit::done : Exit::incomplete;
  }

  int page() {
    const std::string path = given_.text("to", "");
    if (path.empty()) throw Refusal(Exit::usage, "page needs --to FILE");
    const auto parts = split(read(one()).rows);
    const Fit<Description> result = fit_of(parts[0], folder_);
    Fit<Description> held_out;
    if (!parts[1].empty()) held_out = validation(parts[1], result.parameters);
    write_page(path, std::string("Identification of ") + d_.name,
               page_of<members>(d_, parts[0], result, parts[1], held_out, o_));
    return Exit::done;
  }

  int check() {
    const auto record = read(one());
    print_signals(record);
    const Fit<Description> result = fit_of(record.rows, folder_ + ".check");
    std::printf("\naccuracy on %zu synthetic records of this length, noise and excitation\n", result.trials.size());
    std::printf("%-12s %12s %12s  %s\n", "parameter", "near", "90 % error", "unit");
    for (std::size_t p = 0; p < result.parameters.size(); ++p) {
      const ParameterFit& one = result.parameters[p];
      std::printf("%-12s %12.5g %12.3g  %s%s\n", d_.parameter_of[p].name, one.value, (one.high - one.low) / 2,
                  d_.parameter_of[p].unit, one.found == Found::not_found ? "   cannot be found with this record" : "");
    }
    return Exit::done;
  }

  // Each record begins with the last result, widened by a walk of the parameters between the records.
  int follow() {
    auto parameters = Folder::read_file(folder_, d_);
    std::printf("record");
    for (int p = 0; p < d_.parameters; ++p)
      std::printf(",%s [%s],low,high", d_.parameter_of[std::size_t(p)].name, d_.parameter_of[std::size_t(p)].unit);
    std::printf("\n");
    if (given_.alone().empty()) throw Refusal(Exit::usage, "follow needs a record");
    std::vector<std::array<Curve, 3>> wear(parameters.size(),
                                           {Curve{"#06c", {}, {}}, {"#9cf", {}, {}}, {"#9cf", {}, {}}});
    Fit<Description> fit;  // its trials, of the first record, calibrate the intervals of all records
    for (const std::string& path : given_.alone()) {
      const auto record = read(path);
      FitOptions o = o_;
      o.coarse_pass = false, o.most_passes = 1;
      auto prior = whole_range(d_);
      for (std::size_t p = 0; p < parameters.size(); ++p)
        prior.mean[p] = parameters[p].logit, prior.deviation[p] = std::min(1.7, parameters[p].deviation + walk);
      const auto e = run_ensemble<members>(d_, record.rows, prior, o, o.seed);
      fit.chains = {e};
      if (fit.trials.empty()) compute_trials(record.rows, near_answer(d_, e), o, prior, fit);
      conclude(d_, fit);
      parameters = fit.parameters;
      std::printf("%s", path.c_str());
      for (std::size_t p = 0; p < parameters.size(); ++p) {
        std::printf(",%.6g,%.6g,%.6g", parameters[p].value, parameters[p].low, parameters[p].high);
        const double values[] = {parameters[p].value, parameters[p].low, parameters[p].high};
        for (std::size_t side = 0; side < 3; ++side)
          wear[p][side].x.push_back(double(wear[p][side].x.size() + 1)), wear[p][side].y.push_back(values[side]);
      }
      std::printf("\n");
    }
    Folder::write_file(folder_, d_, parameters);
    std::string body;
    for (std::size_t p = 0; p < wear.size(); ++p)
      body += chart(std::string(d_.parameter_of[p].name) + " [" + d_.parameter_of[p].unit + "] over the records",
                    {wear[p].begin(), wear[p].end()});
    if (given_.has("to")) write_page(given_.text("to", ""), std::string("Wear of ") + d_.name, body);
    return Exit::done;
  }

  int validate() {
    const auto record = read(one());
    const auto fit = validation(record.rows, Folder::read_file(folder_, d_));
    print_channels(fit);
    return fit.explained() ? Exit::done : Exit::incomplete;
  }

 private:
  static constexpr double walk = 0.1;  // in logits, from one record to the next

  std::string one() const {
    if (given_.alone().size() != 1) throw Refusal(Exit::usage, "one record is necessary");
    return given_.alone()[0];
  }
  Record<Description> read(const std::string& path) const {
    auto record = read_record(d_, path);
    for (const auto& note : record.notes) std::fprintf(stderr, "%s: %s\n", d_.name, note.c_str());
    return record;
  }

  // Splits a record into the fitted and the held-out part.
  std::array<std::vector<Sample>, 2> split(const std::vector<Sample>& rows) const {
    const double held_out = double(given_.number("held-out", 0, 0, 90)) / 100;
    const double end = rows.back().t - held_out * (rows.back().t - rows.front().t);
    const auto begin =
        held_out > 0 ? std::find_if(rows.begin(), rows.end(), [&](const Sample& r) { return r.t > end; }) : rows.end();
    return {std::vector<Sample>(rows.begin(), begin), std::vector<Sample>(begin, rows.end())};
  }

  // Computes single passes on synthetic records of machines from this distribution.
  using Belief = identify::Belief<Description::most_parameters>;
  void compute_trials(const std::vector<Sample>& rows, const Belief& drawn, const FitOptions& o, const Belief& prior,
                      Fit<Description>& fit) const {
    fit.factor.fill(1);
    const auto machines = draw_machines<members>(d_, rows, drawn, o);
    fit.truths = machines.truth;
    fit.trials.resize(std::size_t(o.trials));
    in_parallel(o.trials, o.threads, [&](int k) {
      fit.trials[std::size_t(k)] = run_trial<members>(d_, rows, machines, fit.factor, o, k, prior);
    });
  }

  // Only the state is estimated. The innovations are compared with those of synthetic records with these parameters.
  Fit<Description> validation(const std::vector<Sample>& rows, const std::vector<ParameterFit>& parameters) const {
    auto prior = whole_range(d_);
    for (std::size_t p = 0; p < parameters.size(); ++p)
      prior.mean[p] = parameters[p].logit, prior.deviation[p] = parameters[p].deviation / 3;
    FitOptions o = o_;
    o.coarse_pass = false, o.most_passes = 1;
    Fit<Description> fit;
    fit.chains = {run_ensemble<members>(d_, rows, prior, o, o.seed)};
    compute_trials(rows, prior, o, prior, fit);
    conclude(d_, fit);
    return fit;
  }

  std::uint64_t mark(const std::vector<Sample>& rows) const {
    study::Hash all;
    all.add(study::Program::build());
    for (const double x :
         {double(o_.most_passes), double(o_.trials), double(o_.chains), double(o_.seed), double(members)})
      all.add(moreau::detail::to_bits(x));
    for (const Sample& row : rows) {
      all.add(moreau::detail::to_bits(row.t));
      for (const double x : row.input) all.add(moreau::detail::to_bits(x));
      for (const double x : row.measured) all.add(x == x ? moreau::detail::to_bits(x) : 0);
    }
    return all.value();
  }

  Fit<Description> fit_of(const std::vector<Sample>& rows, const std::string& path) {
    Folder folder(path, mark(rows));
    study::Stop::listen();
    Store<Description> store;
    std::atomic<int> finished{0};
    const int all = o_.chains + o_.trials;
    const bool terminal = ::isatty(STDERR_FILENO) != 0;
    const auto progress = [&, terminal] {
      const int n = ++finished;
      if (terminal) std::fprintf(stderr, "\r%d of %d ensembles%s", n, all, n == all ? "\n" : "");
    };
    store.get = [&](char kind, int index, Estimate<Description>& e) {
      const bool there = folder.get(kind, index, e);
      if (there) progress();
      return there;
    };
    store.put = [&](char kind, int index, Estimate<Description>& e) { folder.put(kind, index, e), progress(); };
    store.stopped = [] { return study::Stop::asked(); };
    return identify::fit<members>(d_, rows, o_, store);
  }

  void print(const Fit<Description>& result) const {
    std::printf("%-12s %12s %12s %12s  %s\n", "parameter", "value", "90 % from", "to", "unit");
    for (std::size_t p = 0; p < result.parameters.size(); ++p) {
      const ParameterFit& one = result.parameters[p];
      const auto& parameter = d_.parameter_of[p];
      std::printf("%-12s %12.6g %12.6g %12.6g  %s", parameter.name, one.value, one.low, one.high, parameter.unit);
      std::printf("   %s\n", verdict_text(one).c_str());
    }
    print_channels(result);
  }
  void print_channels(const Fit<Description>& result) const {
    std::printf("\n%-12s %14s %14s %14s\n", "channel", "noise/stated", "square/usual", "correlation");
    for (std::size_t c = 0; c < result.channels.size(); ++c) {
      const ChannelVerdict& one = result.channels[c];
      std::printf("%-12s %14.3g %14.3g %14.2g%s\n", d_.channel_of[c].name, one.noise_ratio,
                  one.usual_square > 0 ? one.mean_square / one.usual_square : one.mean_square, one.correlation,
                  one.white ? "" : "   not explained by the model");
    }
    for (std::size_t i = 0; i < result.inputs.size(); ++i) {
      const InputVerdict& one = result.inputs[i];
      std::printf("input %s: the record agrees with %.3g (%.3g to %.3g) times the input%s\n", d_.input_of[i].name,
                  one.scale, one.low, one.high, one.consistent ? "" : "   not explained by the model");
    }
    if (!result.explained()) std::printf("The model does not explain the record: do not rely on the intervals.\n");
  }

  void print_signals(const Record<Description>& record) const {
    std::printf("%zu rows, %.4g s\n", record.rows.size(), record.duration());
    std::printf("%-12s %8s %12s %12s %12s %10s  %s\n", "signal", "values", "least", "largest", "deviation", "at ends",
                "unit");
    const auto line = [&](const char* name, const char* unit, double noise, auto&& of) {
      std::vector<double> all;
      for (const Sample& row : record.rows)
        if (std::isfinite(of(row))) all.push_back(of(row));
      if (all.empty()) throw Refusal(Exit::refused, std::string(name) + " has no values");
      const auto [least, most] = std::minmax_element(all.begin(), all.end());
      double mean = 0, square = 0;
      long ends = 0;
      for (const double x : all) mean += x / double(all.size());
      for (const double x : all)
        square += (x - mean) * (x - mean) / double(all.size()), ends += x == *least || x == *most;
      const double share = double(ends) / double(all.size());
      std::printf("%-12s %8zu %12.5g %12.5g %12.4g %8.1f %%  %s%s%s\n", name, all.size(), *least, *most,
                  std::sqrt(square), 100 * share, unit,
                  noise > 0 && std::sqrt(square) < 3 * noise ? "   hardly above its noise" : "",
                  noise > 0 && share > 0.05 && *most > *least ? "   saturated?" : "");
    };
    for (int i = 0; i < d_.inputs; ++i)
      line(d_.input_of[std::size_t(i)].name, d_.input_of[std::size_t(i)].unit, 0,
           [i](const Sample& row) { return row.input[std::size_t(i)]; });
    for (int c = 0; c < d_.channels; ++c)
      line(d_.channel_of[std::size_t(c)].name, d_.channel_of[std::size_t(c)].unit,
           d_.channel_of[std::size_t(c)].sensor.deviation(),
           [c](const Sample& row) { return row.measured[std::size_t(c)]; });
  }

  const Description& d_;
  const study::Options given_;
  FitOptions o_;
  std::string folder_;
};

}  // namespace detail

// Executes a command and returns the exit code. `members`: size of an ensemble.
template <int members = 100, class Description>
int commands(const Description& description, int count, char** words) {
  try {
    const std::string command = count > 1 ? words[1] : "";
    using All = detail::Commands<Description, members>;
    int code = -1;
    if (command == "check") code = All(description, count, words).check();
    if (command == "fit") code = All(description, count, words).fit();
    if (command == "page") code = All(description, count, words).page();
    if (command == "follow") code = All(description, count, words).follow();
    if (command == "validate") code = All(description, count, words).validate();
    if (code < 0)
      throw Refusal(Exit::usage, (command.empty() ? "missing command" : "unknown command " + command) +
                                     ". Commands:\n" + detail::help);
    if (std::fflush(stdout) != 0) throw Refusal(Exit::disk, "the output could not be written");
    return code;
  } catch (const Refusal& refusal) {
    std::fprintf(stderr, "%s: %s\n", description.name, refusal.what());
    return refusal.code;
  } catch (const std::exception& trouble) {
    std::fprintf(stderr, "%s: %s\n", description.name, trouble.what());
    return Exit::software;
  }
}

}  // namespace moreau::identify
