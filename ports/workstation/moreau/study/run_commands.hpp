// Commands that plan and compute: plan, run, sbatch, parallel.
#pragma once
#include <chrono>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

#include "moreau/study/cluster.hpp"
#include "moreau/study/parsed_command.hpp"
#include "moreau/study/worker_threads.hpp"

namespace moreau::study::detail {

// Returns the seconds per run, measured on the first runs of the study for about a second.
inline double seconds_of_a_run(const Program& program) {
  const auto evaluate = program.worker();
  const Description& d = program.description;
  const Design design = d.design();
  Draws draws(design);
  std::vector<double> results(d.width());
  const auto begin = std::chrono::steady_clock::now();
  for (std::uint64_t run = 0;;) {
    evaluate(draws(run), results.data());
    const double passed = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (++run == design.runs() || passed > 1) return passed / double(run);
  }
}

inline int plan(const Request& request) {
  request.none_alone();
  const Layout layout = request.layout();
  const double run = seconds_of_a_run(request.program), all = run * double(layout.runs);
  const double block = run * double(layout.block_size);
  const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  std::printf("%sruns %llu, blocks %llu, folder %s\n", request.text.c_str(), number(layout.runs),
              number(layout.blocks()), request.path.c_str());
  std::printf("time here: run %.3g s, block %.3g s, all runs %.3g s in one thread, %.3g s in %u\n", run, block, all,
              all / cores, cores);
  if (layout.blocks() > 1 && (block < 1 || block > 10))
    std::printf("recommended: blocks of 1 to 10 s; --block %.0f gives 3 s\n", std::max(1.0, 3 / run));
  const double columns = double(columns_of(request.program.description).size());
  std::printf("on disk %.3g MB, merged %.3g MB\n", double(layout.blocks() * request.folder().record_bytes()) / 1e6,
              double(layout.runs) * columns * 16 / 1e6);
  return Exit::done;
}

inline Part part_of(const std::string& text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string::npos) throw Refusal(Exit::usage, "--part needs i/n, such as 1/4, not '" + text + "'");
  constexpr std::uint64_t most = 1'000'000'000;
  const std::uint64_t parts = Options::parse(text.substr(slash + 1), "n of --part i/n", 1, most);
  return {Options::parse(text.substr(0, slash), "i of --part i/n", 1, parts), parts};
}

inline int run(const Request& request) {
  request.none_alone();
  const Part part = part_of(request.given.text("part", "1/1"));
  const unsigned most_threads = request.threads();
  const Folder there = request.folder();
  const Layout& layout = there.layout();
  Stop::listen();
  there.claim(request.text);
  const auto mine = [&part](std::uint64_t block) { return part.has(block); };
  const Found before = there.read(mine);
  request.complain(before);
  std::vector<std::uint64_t> todo;
  for (std::uint64_t b = part.index - 1; b < layout.blocks(); b += part.parts)
    if (before.blocks.count(b) == 0) todo.push_back(b);
  if (!todo.empty())
    Workers(request.program, there, todo).run(unsigned(std::min<std::uint64_t>(most_threads, todo.size())));

  const Found after = there.read(mine);
  std::uint64_t left = 0, computed = 0;
  for (const auto b : todo) ++(after.blocks.count(b) == 0 ? left : computed);
  std::printf("part %llu/%llu: %llu blocks stored before, %llu computed, %llu left\n", number(part.index),
              number(part.parts), number(before.blocks.size()), number(computed), number(left));
  if (left == 0) return Exit::done;
  if (!Stop::asked()) throw Refusal(Exit::disk, "blocks written to '" + request.path + "' are missing");
  return Exit::interrupted;
}

inline int cluster(const Request& request) {
  request.none_alone();
  const Layout layout = request.layout();
  Cluster texts;
  texts.parts = unsigned(request.given.number("parts", 0, 1, 1'000'000));
  if (texts.parts == 0) throw Refusal(Exit::usage, request.command + " needs --parts N");
  texts.threads = request.threads();
  texts.program = request.executable, texts.folder = request.path, texts.name = request.program.description.name,
  texts.more = request.repeated;
  texts.block_seconds = seconds_of_a_run(request.program) * double(layout.block_size);
  const std::uint64_t blocks = (layout.blocks() + texts.parts - 1) / texts.parts;
  texts.seconds = texts.block_seconds * double((blocks + texts.threads - 1) / texts.threads);
  std::fputs((request.command == "sbatch" ? texts.sbatch() : texts.parallel()).c_str(), stdout);
  return Exit::done;
}

}  // namespace moreau::study::detail
