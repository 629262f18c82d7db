// Build-time checks of a bench: defaults, start, units, and inputs that change a constant mass. Each finding is one
// sentence; any finding ends the build.
#pragma once
#include <moreau/bench/saved.hpp>

#include <memory>
#include <string>
#include <vector>

#include "text.hpp"
#include "unit.hpp"

namespace moreau::bench::describe {

template <class Bench>
class Checks {
  using Model = typename Bench::Model;
  using T = Table<Bench>;

 public:
  std::vector<std::string> findings;

  Checks() {
    const auto start = std::make_unique<Plant<Bench>>();
    look_at_start(start->snapshot());
    for (int i = 0; i < T::count; ++i) look_at(i, *start);
    for (int i = 0; i < T::count; ++i)
      for (int j = 0; j < i; ++j)
        if (macro_name(text(T::of(i).name)) == macro_name(text(T::of(j).name)))
          say(i, "has the same name in C as " + text(T::of(j).name));
  }

 private:
  void say(int i, const std::string& what) { findings.push_back(text(T::of(i).name) + " " + what); }

  void look_at_start(const typename Plant<Bench>::Snapshot& fresh) {
    const auto seen = moreau::Stepper<Model>{fresh.model, fresh.state}.start_report();
    if (seen.status != Status::ok)
      findings.push_back(std::string("the start is rejected: ") + name(seen.status) + ", " + name(seen.cause));
    if (double(seen.miss) > Plant<Bench>::most_open)
      findings.push_back("the start has an open joint: row " + std::to_string(seen.row) + " is open by " +
                         std::to_string(double(seen.miss)) + " m or rad");
    if (fresh.state.time() != 0) findings.push_back("the start is not at time 0");
  }

  void look_at(int i, const Plant<Bench>& fresh) {
    const Variable<Model>& v = T::of(i);
    if (!unit_of(text(v.unit)).known) say(i, "has an unknown unit: " + text(v.unit));
    double value = 0;
    (void)fresh.get(i, value);
    if (!(value - value == 0)) return say(i, "is not finite at the start");
    if (v.set == nullptr) return;
    if (Plant<Bench>::check(i, value) != Answer::ok) say(i, "has a default outside its range");
    if (v.kind == Kind::input && Traits<Model>::constant_mass) look_at_mass(i, fresh.snapshot(), value);
  }

  // A stepper refactors a constant mass when a parameter changes, not when an input changes.
  void look_at_mass(int i, typename Plant<Bench>::Snapshot changed, double value) {
    const auto before = mass_of(changed);
    const double other =
        Plant<Bench>::check(i, value + 1) == Answer::ok ? value + 1 : (T::of(i).min + T::of(i).max) / 2;
    T::of(i).set(changed.model, other);
    if (mass_of(changed) != before) say(i, "changes the mass of a constant_mass model: declare it as a parameter");
  }
  static auto mass_of(const typename Plant<Bench>::Snapshot& at) {
    return moreau::detail::Evaluation<Model>(at.model, at.state.q, typename Model::Real(0)).mass();
  }
};

}  // namespace moreau::bench::describe
