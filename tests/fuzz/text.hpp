// Text and numbers from outside: arguments of a study command, a study, names and units of a test bench. Accepted
// input is executable and equals the text; all other input is rejected with a message.
#pragma once
#include <moreau/study/options.hpp>
#include <moreau/study/program.hpp>

#include <array>
#include <cmath>
#include <vector>

#include "describe/text.hpp"
#include "describe/unit.hpp"
#include "taken.hpp"

namespace fuzz {

namespace study = moreau::study;

// A parsed number equals the written one and lies within its bounds.
inline void as_command(Bytes in) {
  std::vector<std::string> words{"program", "run"};
  while (in.size() > 0 && words.size() < 20) words.push_back(in.word());
  std::vector<char*> pointers;
  for (auto& word : words) pointers.push_back(word.data());
  try {
    const study::Options given(int(pointers.size()), pointers.data(), {"samples", "x", "check!"});
    const std::uint64_t samples = given.number("samples", 7, 3, 1000000);
    demand(samples >= 3 && samples <= 1000000);
    if (given.has("samples")) demand(std::stoull(given.text("samples", "")) == samples);
    demand(given.alone().size() <= words.size() - 2);
    if (!given.has("x")) return;
    const double x = study::Options::real(given.text("x", ""), "a length", -1e300, 1e300);
    demand(std::abs(x) <= 1e300);
    demand(study::Options::real(study::text_of(x), "a length", -1e300, 1e300) == x);
  } catch (const study::Refusal& refusal) { demand(refusal.code == study::Exit::usage && *refusal.what() != 0); }
}

inline study::Distribution any_distribution(Bytes& in) {
  std::array<double, 4> x{};
  const auto kind = in.take<std::uint8_t>() % 6;
  for (double& one : x) one = in.take<std::uint8_t>() % 2 == 0 ? in.take<double>() : double(in.take<std::int8_t>());
  switch (kind) {
    case 0:
      return study::uniform(x[0], x[1]);
    case 1:
      return study::triangular(x[0], x[1], x[2]);
    case 2:
      return study::normal(x[0], x[1]);
    case 3:
      return study::normal(x[0], x[1], x[2], x[3]);
    case 4:
      return study::list(std::vector<double>(x.begin(), x.begin() + in.take<std::uint8_t>() % 5));
    default:
      return study::grid(x[0], x[1], in.take<std::uint8_t>() % 50);
  }
}

inline bool may_draw(const study::Distribution& d, double x) {
  const auto& n = d.numbers;
  switch (d.kind) {
    case study::Distribution::Kind::uniform:
      return x >= n[0] && x <= n[1];
    case study::Distribution::Kind::triangular:
      return x >= n[0] && x <= n[2];
    case study::Distribution::Kind::normal:
      return std::isfinite(x) && x >= n[2] && x <= n[3];
    default:
      return std::find(n.begin(), n.end(), x) != n.end();
  }
}

// A valid study draws within its distributions, and every run belongs to exactly one block.
inline void as_study(Bytes in) {
  study::Description d;
  d.sampling.kind = study::Sampling::Kind(in.take<std::uint8_t>() % 3);
  d.sampling.samples = in.take<std::uint32_t>() >> in.take<std::uint8_t>() % 32;
  d.seed = in.take<std::uint64_t>();
  d.dt = in.take<float>();
  d.steps = in.take<std::uint64_t>() >> in.take<std::uint8_t>() % 64;
  d.block = in.take<std::uint64_t>() >> in.take<std::uint8_t>() % 64;
  for (int left = in.take<std::uint8_t>() % 5; left > 0; --left) {
    const auto distribution = any_distribution(in);
    d.parameters.push_back({{in.word(), in.word()}, distribution});
  }
  for (int left = in.take<std::uint8_t>() % 3; left > 0; --left) d.results.push_back({in.word(), in.word()});
  d.name = in.word();
  const study::Program program{d, {}, {}, {}};
  if (!program.fault().empty()) return;
  const study::Layout layout = program.layout(d.name);
  demand(layout.runs >= 1 && layout.blocks() >= 1 && layout.numbers() >= layout.block_size);
  const std::uint64_t last = layout.blocks() - 1;
  demand(layout.count(last) >= 1 && layout.first(last) + layout.count(last) == layout.runs);
  study::Draws draws(d.design());
  for (const std::uint64_t run : {std::uint64_t{0}, layout.runs / 2, layout.runs - 1}) {
    const double* const values = draws(run);
    for (std::size_t i = 0; i < d.parameters.size(); ++i) demand(may_draw(d.parameters[i].distribution, values[i]));
  }
}

// Names, units and templates.
inline void as_bench(Bytes in) {
  namespace describe = moreau::bench::describe;
  const std::string word = in.word(), other = in.word();
  const moreau::bench::Name name(word.c_str());
  demand(name.length <= moreau::bench::Name::room && (name.too_long || describe::text(name) == word));
  if (name.well_formed()) {
    demand(!name.too_long && name.is(word.c_str()) && !word.empty());
    demand(word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.") == word.npos);
    demand(describe::macro_name(word).find('.') == word.npos);
  }
  const describe::Unit unit = describe::unit_of(word), product = describe::unit_of(word + "." + other);
  const describe::Unit factor = describe::unit_of(other);
  demand(!product.known || (unit.known && factor.known));
  if (product.known && word.find('/') == word.npos) demand(product.kg == unit.kg + factor.kg);
  const double x = in.take<double>();
  if (std::isfinite(x)) demand(std::strtod(describe::number(x).c_str(), nullptr) == x);
  demand(describe::filled(word, {}) == word);
  demand(describe::filled("<@a@>" + word, {{"a", other}}).rfind("<" + other + ">", 0) == 0);
  demand(describe::token_of(word).size() == 38);
}

}  // namespace fuzz
