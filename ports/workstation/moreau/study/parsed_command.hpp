// Parsed command line of a study program: command, options, and the study as modified by them.
#pragma once
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

#include "moreau/study/folder.hpp"
#include "moreau/study/options.hpp"
#include "moreau/study/program.hpp"

namespace moreau::study::detail {

struct Request {
  const Program& program;
  const std::string command, executable;
  const Options given;
  std::string text, path, repeated;  // study.txt, the folder, the options common to all commands

  // `own`: options of this command. The common options modify the study, which is then validated.
  Request(const Program& a_program, int count, char** words, std::vector<std::string> own)
      : program(a_program), command(words[1]), executable(words[0]), given(count, words, with_common(std::move(own))) {
    Description& d = program.description;
    d.sampling.samples = given.number("samples", d.sampling.samples, 1, Design::most_runs);
    d.seed = given.number("seed", d.seed, 0, ~std::uint64_t{0});
    d.steps = given.number("steps", d.steps, 1, std::uint64_t{1} << 62);
    d.block = given.number("block", d.block, 1, Design::most_runs);
    if (const std::string fault = program.fault(); !fault.empty()) throw Refusal(Exit::refused, fault);
    text = program.text();
    path = given.text("folder", d.name + ".study");
    for (const char* common : {"samples", "seed", "steps", "block"})
      if (given.has(common)) repeated += std::string(" --") + common + ' ' + given.text(common, "");
  }

  Layout layout() const { return program.layout(text); }
  Folder folder() const { return {path, layout()}; }
  unsigned threads() const {
    return unsigned(given.number("threads", std::max(1u, std::thread::hardware_concurrency()), 1, 4096));
  }
  void none_alone() const {
    if (!given.alone().empty()) throw Refusal(Exit::usage, "'" + given.alone()[0] + "' is not a valid argument");
  }
  void complain(const Found& found) const {
    for (const auto& place : found.damaged)
      std::fprintf(stderr, "%s: damaged record, ignored: %s\n", program.description.name.c_str(), place.c_str());
  }

 private:
  static std::vector<std::string> with_common(std::vector<std::string> own) {
    own.insert(own.end(), {"folder", "samples", "seed", "steps", "block"});
    return own;
  }
};

inline unsigned long long number(std::uint64_t x) { return x; }  // for printf

}  // namespace moreau::study::detail
