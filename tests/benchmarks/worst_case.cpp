// Breeds the starts whose steps cost most when they leave constant time, for each model and number of closed contacts,
// and prints them as the header that count/fallbacks.cpp counts on boards (host and boards have the same bits):
//
//   benchmarks.worst_case [steps] > tests/benchmarks/count/worst_case_starts.hpp      so many steps for each of them (1000000)
//
// Score: the combinations of modes that a step predicts or evaluates, and an end without `ok`, because then all final
// sweeps follow. The best of many draws is changed a little, again and again, as long as that makes it dearer;
// the first to be changed are the starts of the present header, so a run never loses what an earlier one has found.
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
class Breeder {
 public:
  using Model = typename Start::Model;
  using Real = typename Model::Real;
  using Numbers = typename Start::Numbers;

  explicit Breeder(int closed) : closed_(closed), stepper_(Model{}, moreau::State<Model>()) {}

  // False where no start leaves constant time with so many contacts closed.
  bool breed(long steps) {
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
  // As good as the best counts, too: so it wanders.
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
void breed(long steps) {
  for (int closed = 1; closed <= Start::Model::contacts; ++closed) {
    Breeder<Start> breeder(closed);
    if (breeder.breed(steps)) breeder.print();
  }
}

template <class Real>
void breed_all(const char* scalar, long steps) {
  std::printf("template <>\ninline constexpr WorstCase<%s> worst_case<%s>[] = {\n", scalar, scalar);
  breed<WoodpeckerStart<Real>>(steps);
  breed<CrankStart<Real>>(steps);
  breed<BeamStart<Real>>(steps);
  std::printf("};\n");
}

}  // namespace

int main(int argc, char** argv) {
  const long steps = argc > 1 ? std::atol(argv[1]) : 1000000;
  std::printf(
      "// Written by benchmarks.worst_case (benchmarks/worst_case.cpp): starts whose steps cost most, by model and "
      "number of closed\n"
      "// contacts.\n// clang-format off\n#pragma once\n\nnamespace counting {\n\n"
      "template <class Real>\nstruct WorstCase {\n  const char* model;\n  int closed;\n  Real numbers[18];\n};\n"
      "template <class Real>\ninline constexpr WorstCase<Real> worst_case[1] = {};\n");
  breed_all<float>("float", steps);
  breed_all<double>("double", steps);
  std::printf("\n}  // namespace counting\n");
}
