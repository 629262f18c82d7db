// The reference solutions of slider-crank and woodpecker as test cases of a rule: the error at seven similar step sizes,
// because the error at one step size depends on the positions of the impacts within their steps.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <moreau/moreau.hpp>

#include "along.hpp"
#include "data/slider_crank.hpp"
#include "data/woodpecker.hpp"
#include "models/slider_crank.hpp"
#include "models/woodpecker.hpp"

namespace papers {

constexpr int similar_steps = 7;

// Errors of one case in ascending order: largest deviation of a coordinate, rad or m.
struct CaseErrors {
  std::array<double, similar_steps> sorted{};
  long not_ok = 0;  // steps with a status other than ok

  double median() const { return sorted[similar_steps / 2]; }
  double least() const { return sorted.front(); }
  double largest() const { return sorted.back(); }
};

struct ReferenceCase {
  const char* name;
  double dt;    // s, the largest of the similar step sizes; the smallest is 30 % smaller
  double goal;  // upper limit of the median error of steps of second order; 0: no goal
};

// Runs along every n-th row of a table, up to t_end. `values(state, i)` is the i-th of the compared coordinates.
template <std::size_t rows, std::size_t columns, class Model, class Start, class Values>
CaseErrors errors_along(const double (&table)[rows][columns], std::size_t every, double t_end, const Model& model,
                        const Start& start, double dt, int compared, Values values) {
  const double between = table[every][0];
  CaseErrors errors;
  for (int j = 0; j < similar_steps; ++j) {
    const double h = between / double(std::lround((1 + 0.07 * j) * between / dt));
    moreau::Stepper<Model> stepper{model, models::state_at<Model>(start)};
    double worst = 0;
    long steps = 0;
    for (std::size_t r = every; r < rows && table[r][0] < t_end + between / 2; r += every) {
      for (; steps < std::lround(table[r][0] / h); ++steps)
        errors.not_ok += stepper.step(h).status == moreau::Status::ok ? 0 : 1;
      for (int i = 0; i < compared; ++i)
        worst = larger(worst, std::abs(double(values(stepper.state, i)) - table[r][std::size_t(i) + 1]));
    }
    errors.sorted[std::size_t(j)] = worst;
  }
  std::sort(errors.sorted.begin(), errors.sorted.end());
  return errors;
}

// Calls visit(case, errors) for each case with the rule `Rule<Model>`.
template <template <class> class Rule, class Visit>
void visit_reference_cases(Visit visit) {
  using Crank = Rule<models::SliderCrank<double>>;
  using Toy = Rule<models::Woodpecker<double>>;
  const auto all = [](const auto& state, int i) { return state.q(i); };
  const auto crank = [](double eps_N, bool slab) {
    Crank model;
    model.eps_N = eps_N;
    if (slab) model.J_3 = 7.9167e-5;  // kg m^2, homogeneous slab of the slider's size
    return model;
  };
  const auto symmetric = [&](const char* name, double eps_N, const auto& table, double dt, double goal) {
    const Crank model = crank(eps_N, false);
    visit(ReferenceCase{name, dt, goal}, errors_along(table, 2, 0.16, model, model.start(), dt, 2, all));
  };
  const auto tilted = [&](const char* name, double eps_N, const auto& table, std::size_t every, double dt,
                          double goal) {
    const Crank model = crank(eps_N, true);
    visit(ReferenceCase{name, dt, goal}, errors_along(table, every, 0.0248, model, model.start_tilted(), dt, 3, all));
  };
  for (const double dt : {1e-4, 1e-5}) {
    const bool coarse = dt > 5e-5;
    symmetric("slider-crank, symmetric start, eps 0.1", 0.1, data::crank_symmetric_01, dt, 0);
    symmetric("slider-crank, symmetric start, eps 0.4", 0.4, data::crank_symmetric_04, dt, coarse ? 1.1e-2 : 0);
    symmetric("slider-crank, symmetric start, eps 0.6", 0.6, data::crank_symmetric_06, dt, 0);
    symmetric("slider-crank, symmetric start, eps 0.9", 0.9, data::crank_symmetric_09, dt, 0);
    tilted("slider-crank, tilted slab, eps 0.4", 0.4, data::crank_tilted_slab_04, 4, dt, coarse ? 4.5e-4 : 0);
    tilted("slider-crank, tilted slab, eps 0.9", 0.9, data::crank_tilted_slab_09, 1, dt, coarse ? 1.4e-3 : 0);
    const Toy toy;
    visit(ReferenceCase{"woodpecker", dt, coarse ? 1e-3 : 1.2e-5},
          errors_along(data::woodpecker, 1, 0.5, toy, toy.start(), dt, 3, all));
  }
}

}  // namespace papers
