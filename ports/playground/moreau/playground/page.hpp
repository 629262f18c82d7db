// Generator of a playground page: one HTML file with the WebAssembly module of a bench, its variables, and its picture.
//
// The variables are those of the C interface and the FMUs. Shapes that depend on a parameter, such as the walls of a
// guide on its play, follow it in the page: every number of the picture is written with its rate per parameter.
#pragma once
#include <moreau/bench/plant.hpp>
#include <moreau/workstation/report.hpp>

#include <cstdio>
#include <memory>

namespace moreau::playground {

using workstation::Json;
using workstation::Picture;
using workstation::Written;

namespace detail {

// Calls f(key, list of numbers) for each group of numbers of a shape or mark that the page reads.
template <class F>
void each_number(const workstation::Shape& shape, const F& f) {
  f("radius", {shape.radius});
  f("play", {shape.play});
  f("numbers", shape.numbers);
  std::vector<double> at;
  for (const auto& p : shape.at) at.insert(at.end(), {p.x, p.y, p.grows_x, p.grows_y});
  f("at", at);
}
template <class F>
void each_number(const workstation::ContactMark& mark, const F& f) {
  f("radius", {mark.radius});
  f("at", {mark.at.x, mark.at.y, mark.at.grows_x, mark.at.grows_y});
}

// Writes [variable, list, item, key, place, rate] for every number that changes with variable i by `change`.
template <class Item>
void write_rates(Json& json, int i, const char* list, const std::vector<Item>& before, const std::vector<Item>& after,
                 double change) {
  for (std::size_t s = 0; s < before.size() && before.size() == after.size(); ++s) {
    std::vector<std::vector<double>> changed;
    each_number(after[s], [&](const char*, std::vector<double> numbers) { changed.push_back(std::move(numbers)); });
    std::size_t group = 0;
    each_number(before[s], [&](const char* key, const std::vector<double>& numbers) {
      const auto& other = changed[group++];
      for (std::size_t k = 0; k < numbers.size() && k < other.size(); ++k) {
        if (numbers[k] == other[k]) continue;
        json.open('[').number(i).text(list).number(double(s)).text(key).number(double(k));
        json.number((other[k] - numbers[k]) / change).close(']');
      }
    });
  }
}

template <class Bench>
class PageData {
  using Model = typename Bench::Model;
  using Plant = bench::Plant<Bench>;
  using Table = bench::Table<Bench>;

 public:
  explicit PageData(std::string title) : title_(std::move(title)), plant_(std::make_unique<Plant>()) {}

  std::string json() const {
    Json json;
    json.open('{').key("dt").number(Bench::dt).key("variables").open('[');
    for (int i = 0; i < Table::count; ++i) write_variable(json, i);
    json.close(']').key("statuses").open('[');
    for (int i = 0; i < bench::detail::answers; ++i) {
      const auto sentence = bench::sentence(bench::Answer(i));
      json.open('[').text(sentence.name).text(sentence.text).close(']');
    }
    json.close(']').key("causes").open('[');
    for (int i = 0; i <= int(Cause::result); ++i) json.text(name(Cause(i)));
    json.close(']').key("rates").open('[');
    for (int i = 0; i < Table::count; ++i) write_rates_of(json, i);
    json.close(']').key("run").raw(run()).close('}');
    return json.str();
  }

 private:
  static std::string text(const bench::Name& name) { return {name.text, std::size_t(name.length)}; }
  double value(int i) const {
    double v = 0;
    (void)plant_->get(i, v);
    return v;
  }
  void write_variable(Json& json, int i) const {
    static const char* const kinds[] = {"time", "input", "parameter", "output"};
    const auto& v = Table::of(i);
    json.open('{').key("name").text(text(v.name)).key("unit").text(text(v.unit)).key("kind").text(kinds[int(v.kind)]);
    if (v.set != nullptr) {
      json.key("min").number(v.min).key("max").number(v.max).key("start").number(value(i));
      json.key("declared").boolean(!v.generated).key("meaning").text(v.meaning);
    }
    json.close('}');
  }
  // Changes the variable by a hundredth, or by a small amount from 0, within its range.
  void write_rates_of(Json& json, int i) const {
    constexpr double part = 0.01, small = 1e-3;
    const auto& v = Table::of(i);
    if (v.set == nullptr) return;
    const double now = value(i);
    auto model = plant_->snapshot().model;
    const workstation::PoseSource<Model> before(model);
    for (const double change : {now != 0 ? part * now : small, now != 0 ? -part * now : -small}) {
      if (Plant::check(i, now + change) != bench::Answer::ok) continue;
      v.set(model, now + change);
      const workstation::PoseSource<Model> after(model);
      write_rates(json, i, "shapes", before.picture.shape, after.picture.shape, change);
      write_rates(json, i, "contacts", before.picture.mark, after.picture.mark, change);
      return;
    }
  }
  // Returns an empty run with the picture; bodies have the names of their variables.
  std::string run() const {
    const workstation::MotionRecorder<Model> none;
    const auto model = plant_->snapshot().model;
    workstation::Report<Model> report{model, none, title_};
    std::vector<std::string> bodies;
    for (int i = 0; i < Table::count; ++i) {
      const std::string full = text(Table::of(i).name);
      const std::size_t dot = full.rfind(".phi");
      if (dot != std::string::npos && dot + 4 == full.size() && !Table::of(i).whole)
        bodies.push_back(full.substr(0, dot));
    }
    const workstation::PoseSource<Model> source(model);
    if (bodies.size() == source.picture.body.size()) report.bodies = bodies;
    return report.json();
  }

  std::string title_;
  std::unique_ptr<Plant> plant_;
};

inline std::string base64(const std::string& bytes) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t three = 0;
    for (std::size_t k = 0; k < 3; ++k)
      three = three << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k) out += i + k <= bytes.size() ? digits[three >> 6 * (3 - k) & 63] : '=';
  }
  return out;
}

// Removes indentation and lines that are comments only; a page has at most 150 kB.
inline std::string without_comments(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::size_t begin = std::min(text.find_first_not_of(' ', at), end);
    if (begin < end && text.compare(begin, 2, "//") != 0) out.append(text, begin, end - begin) += '\n';
    at = end + 1;
  }
  return out;
}

}  // namespace detail

#ifndef MOREAU_PLAYGROUND_FILES
#define MOREAU_PLAYGROUND_FILES "ports/playground/page"
#endif

// Program that playground.cmake builds for every bench: page <title> <module.wasm.gz> <page.html>
template <class Bench>
int write_playground(int count, char** words) {
  const auto fail = [](const std::string& why) { return std::fprintf(stderr, "playground: %s\n", why.c_str()), 1; };
  if (count != 4) return fail("page <title> <module.wasm.gz> <page.html>");
  std::string module;
  if (!workstation::detail::read_file(words[2], module)) return fail(std::string("cannot read ") + words[2]);
  const auto more = [&](const std::string& name, std::string& text) {
    if (name == "module") return text = detail::base64(module), true;
    if (name == "data") return text = detail::PageData<Bench>(words[1]).json(), true;
    for (const auto& folder : {std::string(MOREAU_PLAYGROUND_FILES), workstation::PageFiles{}.report}) {
      const auto path = std::filesystem::path(folder) / name;
      if (!std::filesystem::exists(path) || !workstation::detail::read_file(path, text)) continue;
      text = detail::without_comments(text);
      return true;
    }
    return false;
  };
  const Written done =
      workstation::write_template(std::string(MOREAU_PLAYGROUND_FILES) + "/playground.html", words[3], words[1], more);
  return done.ok ? 0 : fail(done.why);
}

}  // namespace moreau::playground
