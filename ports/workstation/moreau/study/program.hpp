// Study as used by the commands: its description and functions that run it, without the types of the model.
#pragma once
#include <fstream>
#include <functional>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "moreau/study/block_record.hpp"
#include "moreau/study/study.hpp"

namespace moreau::study {

struct Program {
  using Evaluate = std::function<void(const double* values, double* results)>;

  Description& description;          // shared by worker and trace
  std::function<Evaluate()> worker;  // one evaluation function for each thread
  std::function<void(const double* values, double* results, const std::string& path)>
      trace;                                                 // repeats one run, as a table
  std::function<std::string(const double* values)> refusal;  // reason of a failed run, as a sentence

  // Returns a hash of the program file.
  static std::uint64_t build() {
    std::ifstream self("/proc/self/exe", std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(self), {}};
    if (bytes.empty()) throw Refusal(Exit::disk, "the program file /proc/self/exe cannot be read");
    Hash all;
    all.add(bytes);
    return all.value();
  }

  // Returns a hash of the results of the first runs, up to the first one that does not fail. It detects dependencies
  // outside the program file, such as a model that reads the environment or another file.
  std::uint64_t first_runs() const {
    constexpr std::uint64_t most_runs = 100,
                            most_steps = 10'000'000;  // at most about a second of work, at least one run
    const std::uint64_t most = std::max<std::uint64_t>(1, std::min(most_runs, most_steps / description.steps));
    const Design design = description.design();
    Draws draws(design);
    std::vector<double> results(description.width());
    const auto evaluate = worker();
    Hash all;
    for (std::uint64_t run = 0; run < std::min(most, design.runs()); ++run) {
      evaluate(draws(run), results.data());
      for (const double x : results) all.add(moreau::detail::to_bits(x));
      if (results.back() <= double(int(Status::inexact))) break;
    }
    return all.value();
  }

  // Returns everything that the results depend on, line by line: the contents of study.txt.
  std::string text() const {
    const Description& d = description;
    static constexpr const char* ways[] = {"random", "sobol", "latin"};
    std::string all = "moreau study 1\nname " + d.name + "\nbuild " + hexadecimal(build()) + '\n';
    all += std::string("sampling ") + ways[int(d.sampling.kind)] + ' ' + std::to_string(d.sampling.samples) + '\n';
    all += "seed " + std::to_string(d.seed) + '\n';
    for (const auto& p : d.parameters)
      all += "parameter " + p.column.name + " [" + p.column.unit + "] " + p.distribution.text() + '\n';
    for (const auto& r : d.results) all += "result " + r.name + " [" + r.unit + "]\n";
    all += "run " + std::to_string(d.steps) + " steps of " + text_of(d.dt) + " s\n";
    all += "block " + std::to_string(d.block_size()) + " runs\n";
    return all + "first runs " + hexadecimal(first_runs()) + '\n';
  }

  Layout layout(const std::string& text) const {
    Hash mark;
    mark.add(text);
    return {mark.value(), description.design().runs(), description.block_size(), description.width()};
  }

  // Returns the error in the description as a sentence; empty if valid.
  std::string fault() const {
    const Description& d = description;
    std::set<std::string> names{"units"};  // reserved for a variable of the merged file
    for (const auto& c : columns_of(d)) {
      const auto bad = [](char x) { return !(std::isalnum(static_cast<unsigned char>(x)) || x == '_'); };
      if (c.name.empty() || c.name.size() > 63 || !std::isalpha(static_cast<unsigned char>(c.name[0])) ||
          std::any_of(c.name.begin(), c.name.end(), bad))
        return "'" + c.name +
               "' is not a valid column name: a letter, then letters, digits and underscores, at most 63";
      if (!names.insert(c.name).second) return "duplicate column " + c.name;
      if (c.unit.find('\n') != std::string::npos) return "the unit of " + c.name + " contains a line break";
    }
    constexpr const char* letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
    if (d.name.empty() || d.name.find_first_not_of(letters) != std::string::npos)
      return "the name of a study consists of letters, digits, - and _, not '" + d.name + "'";
    for (const auto& p : d.parameters)
      if (const auto fault = p.distribution.fault(); !fault.empty())
        return "parameter " + p.column.name + ": " + p.distribution.text() + " " + fault;
    if (const auto fault = d.design().fault(); !fault.empty()) return "the sampling " + fault;
    if (d.block_size() > Layout::most_numbers / d.width())
      return "a block of " + std::to_string(d.block_size()) + " runs is too large";
    if (d.results.empty()) return "no results: pass an observer to commands()";
    if (!(d.dt > 0) || !(d.dt - d.dt == 0)) return "dt must be finite and above 0";
    if (d.steps < 1) return "steps must be at least 1";
    if (may_fuse())
      return "the compiler contracts multiply and add, so other machines get different bits: compile with "
             "-ffp-contract=off";
    return "";
  }
};

}  // namespace moreau::study
