// Worst runs of a study, and a local search from each of them within the ranges of the parameters.
//
// The search steps along each drawn parameter in both directions and halves the step if no neighbour is worse. It
// reaches the ends of bounded distributions. In the tail of an unbounded distribution it stops where one of the study's
// samples would be expected, because the tail has no extreme. It runs at most `budget` runs. It finds a local extreme
// if the result depends smoothly on the parameters; in chaotic motion it returns the worst of many runs. It proves no
// bound.
#pragma once
#include <algorithm>
#include <vector>

#include "moreau/study/merge.hpp"

namespace moreau::study {

struct Extreme {
  std::uint64_t run = 0;
  double value = 0;
};

// Returns the `count` largest (sign 1) or smallest (sign -1) values of a result, without NaNs.
inline std::vector<Extreme> extremes(const Folder& folder, const Found& found, std::size_t result, double sign,
                                     std::size_t count) {
  std::vector<Extreme> worst;
  const auto worse = [sign](const Extreme& a, const Extreme& b) {
    return sign * a.value != sign * b.value ? sign * a.value > sign * b.value : a.run < b.run;
  };
  for_each_block(folder, found, [&](std::uint64_t first, std::uint64_t runs, const std::vector<double>& rows) {
    for (std::uint64_t k = 0; k < runs; ++k) {
      const Extreme here{first + k, rows[k * folder.layout().width + result]};
      if (here.value != here.value || (worst.size() == count && !worse(here, worst.back()))) continue;
      worst.insert(std::lower_bound(worst.begin(), worst.end(), here, worse), here);
      if (worst.size() > count) worst.pop_back();
    }
  });
  return worst;
}

struct Refined {
  std::vector<double> values;  // of the parameters
  double value = 0;
  int runs = 0;  // runs of the search
};

inline Refined refine(const Description& description, const Program::Evaluate& evaluate, const Extreme& from,
                      std::size_t result, double sign, int budget) {
  Draws draws(description.design());
  std::vector<double>& u = draws.u;
  std::vector<double> results(description.width());
  Refined best{{}, from.value, 0};
  (void)draws(from.run);
  best.values = draws.values;
  std::vector<double> least;  // the smallest u of each; the largest is 1 - least
  for (const auto& p : description.parameters)
    if (!p.distribution.enumerated())
      least.push_back(p.distribution.unbounded() ? 0.5 / double(description.sampling.samples) : 0x1p-53);
  constexpr double smallest_step = 0x1p-20;
  for (double step = 0x1p-4; step > smallest_step;) {
    bool moved = false;
    for (std::size_t d = 0; d < u.size(); ++d)
      for (const double side : {step, -step}) {
        if (best.runs >= budget) return best;
        const double before = u[d];
        u[d] = std::min(std::max(before + side, std::min(least[d], before)), std::max(1 - least[d], before));
        evaluate(draws.of_u(from.run), results.data());
        ++best.runs;
        if (sign * results[result] > sign * best.value) {
          best.value = results[result], best.values = draws.values, moved = true;
          break;
        }
        u[d] = before;
      }
    if (!moved) step /= 2;
  }
  return best;
}

}  // namespace moreau::study
