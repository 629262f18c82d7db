// Search for the starts of the most expensive fallback steps, for each model and number of closed contacts. The
// output is the header that count/fallbacks.cpp counts on boards (host and boards are bit-identical):
//
//   benchmarks.worst_case [steps] > tests/benchmarks/count/worst_case_starts.hpp      steps of each search (1000000)
//
// Score: the number of contact-mode combinations that a step predicts or evaluates, plus the final sweeps if it ends
// without `ok`. The best of many random starts is perturbed repeatedly; a perturbation with a higher score replaces
// it. The starts of the present header are perturbed first, so that a search keeps all earlier results.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>

#include "benchmarks/count/starts.hpp"

using counting::BeamStart, counting::CrankStart, counting::WoodpeckerStart;

namespace {

constexpr double all_sweeps = 80;  // their cost, in evaluated combinations
constexpr int draws = 300, patience = 3000;

template <class Start>
class WorstCaseSearch {
 public:
  using Model = typename Start::Model;
  using Real = typename Model::Real;
  using Numbers = typename Start::Numbers;

  explicit WorstCaseSearch(int closed) : closed_(closed), stepper_(Model{}, moreau::State<Model>()) {}

  // Searches; false if no start leaves constant time with this number of closed contacts.
  bool search(long steps) {
    Numbers best{};
    double score = 0;
    counting::each_start<Start>(0, [&](const Numbers& numbers, bool) { accept(numbers, best, score); });
    while (steps_ < steps) {
      if (!(score > 0))
        for (int i = 0; i < draws; ++i) accept(Start::draw(random_), best, score);
      if (!(score > 0)) continue;
      for (int still = 0; still < patience; ++still) {
        const double before = score;
        accept(changed(best), best, score);
        if (score > before) still = 0;
      }
      if (score > score_) {
        score_ = score;
        numbers_ = best;
      }
      score = 0;
    }
    return score_ > 0;
  }
  void print() const {
    std::printf("    {\"%s\", %d, {", Start::name, closed_);
    for (std::size_t i = 0; i < numbers_.size(); ++i)
      std::printf("%s%.*g", i > 0 ? ", " : "", std::numeric_limits<Real>::max_digits10, double(numbers_[i]));
    std::printf("}},\n");
  }

 private:
  // Accepts equal scores as well, for a wider search.
  void accept(const Numbers& candidate, Numbers& best, double& score) {
    const double of_candidate = cost(candidate);
    if (of_candidate < score) return;
    score = of_candidate;
    best = candidate;
  }

  double cost(const Numbers& numbers) {
    ++steps_;
    counting::put<Start>(numbers, stepper_);
    const auto report = stepper_.step(Real(Start::dt));
    if (report.active != closed_ || report.fallbacks == 0 || report.status > moreau::Status::no_solution) return 0;
    return report.iterations + (report.status != moreau::Status::ok ? all_sweeps : 0);
  }

  Numbers changed(Numbers numbers) {
    for (int n = 1 + int(random_.bits() % 3); n > 0; --n) {
      Real& x = numbers[random_.bits() % numbers.size()];
      const Real small = random_.between(Real(-1), Real(1)) * Real(std::pow(10.0, random_.between(-7.0, 0.0)));
      switch (random_.bits() % 4) {
        case 0:
          x = Start::draw(random_)[std::size_t(&x - numbers.data())];
          break;
        case 1:
          x *= 1 + small;
          break;
        case 2:
          x += small;
          break;
        default:
          x = 0;
      }
    }
    return numbers;
  }

  int closed_;
  long steps_ = 0;
  double score_ = 0;
  Numbers numbers_{};
  test::Random random_{17};
  moreau::Stepper<Model, moreau::Exact, moreau::Timing::constant> stepper_;
};

template <class Start>
void search(long steps) {
  for (int closed = 1; closed <= Start::Model::contacts; ++closed) {
    WorstCaseSearch<Start> worst(closed);
    if (worst.search(steps)) worst.print();
  }
}

template <class Real>
void search_all(const char* scalar, long steps) {
  std::printf("template <>\ninline constexpr WorstCase<%s> worst_case<%s>[] = {\n", scalar, scalar);
  search<WoodpeckerStart<Real>>(steps);
  search<CrankStart<Real>>(steps);
  search<BeamStart<Real>>(steps);
  search<counting::SecondOrderStart<WoodpeckerStart<Real>>>(steps);
  search<counting::SecondOrderStart<CrankStart<Real>>>(steps);
  std::printf("};\n");
}

}  // namespace

int main(int argc, char** argv) {
  const long steps = argc > 1 ? std::atol(argv[1]) : 1000000;
  std::printf(
      "// Written by benchmarks.worst_case (benchmarks/worst_case.cpp): starts of the most expensive steps, by model "
      "and\n"
      "// number of closed contacts.\n// clang-format off\n#pragma once\n\nnamespace counting {\n\n"
      "template <class Real>\nstruct WorstCase {\n  const char* model;\n  int closed;\n  Real numbers[22];\n};\n"
      "template <class Real>\ninline constexpr WorstCase<Real> worst_case[1] = {};\n");
  search_all<float>("float", steps);
  search_all<double>("double", steps);
  std::printf("\n}  // namespace counting\n");
}
