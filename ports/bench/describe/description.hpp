// Common part of all descriptions of a bench: variables with defaults, units, token.
#pragma once
#include <moreau/bench/c_interface.hpp>
#include <moreau/version.hpp>

#include <cmath>
#include <memory>
#include <set>

#include "checks.hpp"

namespace moreau::bench::describe {

constexpr int default_steps = 1000;  // of the default experiment

template <class Bench>
class Description {
  using T = Table<Bench>;

 public:
  static constexpr int count = T::count;
  std::string name, token, tool = std::string("moreau ") + moreau::version;

  explicit Description(const std::string& a_name) : name(a_name), fresh_(std::make_unique<Plant<Bench>>()) {
    measure_nominals();
    std::string all = name + number(Bench::dt) + moreau::version;
    for (int i = 0; i < count; ++i) all += text(of(i).name) + attributes(i) + std::to_string(int(of(i).kind)) + "\n";
    token = token_of(all);
  }

  static const auto& of(int i) { return T::of(i); }
  double start(int i) const {
    double value = 0;
    (void)fresh_->get(i, value);
    return value;
  }

  // Returns the attribute description, if the variable has one.
  std::string meaning(int i) const {
    const std::string plain = of(i).meaning;
    return plain.empty() ? "" : " description=\"" + escaped(plain) + "\"";
  }
  // Returns the decimal power at or above the largest magnitude in the default experiment, or "" if all values were 0.
  std::string nominal(int i) const {
    const double most = most_[std::size_t(i)];
    return most > 0 ? "1e" + std::to_string(int(std::ceil(std::log10(most)))) : "";
  }

  // Returns the attributes unit, nominal, min, max and start, which FMI 2.0 and 3.0 spell alike.
  std::string attributes(int i) const {
    const auto& v = of(i);
    std::string out;
    const auto add = [&out](const char* key, const std::string& value) {
      out += std::string(" ") + key + "=\"" + value + "\"";
    };
    if (!v.whole && !v.unit.is("1")) add("unit", text(v.unit));
    if (!v.whole && !nominal(i).empty()) add("nominal", nominal(i));
    if (v.min > -std::numeric_limits<double>::infinity()) add("min", number(v.min));
    if (v.max < std::numeric_limits<double>::infinity()) add("max", number(v.max));
    if (v.set != nullptr) add("start", number(start(i)));
    return out;
  }

  std::string unit_definitions() const {
    std::set<std::string> units;
    for (int i = 0; i < count; ++i)
      if (!of(i).whole && !of(i).unit.is("1")) units.insert(text(of(i).unit));
    std::string out;
    for (const auto& symbols : units) {
      const Unit unit = unit_of(symbols);
      out += "    <Unit name=\"" + symbols + "\">\n      <BaseUnit";
      const auto add = [&out](const char* symbol, int power) {
        if (power != 0) out += std::string(" ") + symbol + "=\"" + std::to_string(power) + "\"";
      };
      add("kg", unit.kg), add("m", unit.m), add("s", unit.s), add("A", unit.A), add("K", unit.K), add("rad", unit.rad);
      out += "/>\n    </Unit>\n";
    }
    return out;
  }

  // Returns one element per status with the given tag for its value.
  std::string status_items() const {
    std::string out;
    for (int i = 0; i <= int(Status::not_finished); ++i)
      out += std::string("      <Item name=\"") + sentence(Answer(i)).name + "\" value=\"" + std::to_string(i) +
             "\" description=\"" + escaped(sentence(Answer(i)).text) + "\"/>\n";
    return out;
  }

 private:
  void measure_nominals() {
    Plant<Bench> plant;
    for (int n = 0; n <= default_steps; ++n) {
      for (int i = 0; i < count; ++i) {
        double value = 0;
        (void)plant.get(i, value);
        most_[std::size_t(i)] = std::max(most_[std::size_t(i)], std::abs(value));
      }
      if (!advanced(plant.step())) return;
    }
  }

  double most_[std::size_t(count)] = {};
  std::unique_ptr<Plant<Bench>> fresh_;
};

}  // namespace moreau::bench::describe
