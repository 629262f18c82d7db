// Corrupted contact problems: numbers near the ends of the scalar's range, and non-finite numbers.
//
// Scaling c by a and G by b scales the solution by a / b and leaves the verdict of the measure unchanged, so a correct
// solution stays recognisable. A solver may fail here, but the acceptance test must not accept a wrong solution.
#pragma once

#include "measure.hpp"

namespace problems {

// Rounds to the scalar: numbers outside its range become infinite or zero before any solver reads them.
template <class Real>
void round_to_scalar(PlainProblem& problem) {
  const auto round = [](Wide* x, int count) {
    for (int i = 0; i < count; ++i) x[i] = static_cast<Wide>(static_cast<Real>(x[i]));
  };
  round(problem.mu.data(), problem.k), round(problem.bound.data(), problem.elements);
  round(problem.q.data(), problem.rows()), round(problem.G.data(), problem.rows() * problem.rows());
}

inline void scale(PlainProblem& problem, Wide c_factor, Wide G_factor) {
  for (Wide& x : problem.q) x *= c_factor;
  for (Wide& x : problem.G) x *= G_factor;
}

// Powers of ten that reach the ends of the ranges of float and double.
template <class Real>
constexpr int extreme_exponents[] = {0, -44, -38, -30, -20, 20, 30, 38};
template <>
inline constexpr int extreme_exponents<double>[] = {0, -322, -308, -300, -200, -30, 30, 200, 300, 308};

inline Wide power_of_ten(int exponent) {
  Wide power = 1;
  for (int i = 0; i < exponent; ++i) power *= 10;
  for (int i = 0; i > exponent; --i) power /= 10;
  return power;
}

// Calls use(problem) for every combination of extreme scales.
template <class Real, class Use>
void for_extreme_scales(const PlainProblem& plain, const Use& use) {
  for (const int c : extreme_exponents<Real>)
    for (const int G : extreme_exponents<Real>) {
      static PlainProblem problem;  // static: a board's stack is small
      problem = plain;
      scale(problem, power_of_ten(c), power_of_ten(G));
      round_to_scalar<Real>(problem);
      use(problem);
    }
}

// Calls use(problem) with NaN and both infinities at every place of c and mu, in the first row of G and on its
// diagonal.
template <class Use>
void for_non_numbers(const PlainProblem& plain, const Use& use) {
  static PlainProblem problem;
  problem = plain;
  constexpr Wide infinity = std::numeric_limits<Wide>::infinity();
  const auto spoil = [&](Wide& place, Wide& mirrored, Wide bad) {
    const Wide kept = place;
    place = mirrored = bad;
    use(problem);
    place = mirrored = kept;
  };
  const std::size_t n = std::size_t(problem.rows());
  for (const Wide bad : {std::numeric_limits<Wide>::quiet_NaN(), infinity, -infinity}) {
    for (std::size_t i = 0; i < n; ++i) {
      spoil(problem.q[i], problem.q[i], bad);
      spoil(problem.G[i], problem.G[i * n], bad);
      spoil(problem.G[i * n + i], problem.G[i * n + i], bad);
    }
    for (std::size_t i = 0; i < std::size_t(problem.k); ++i) spoil(problem.mu[i], problem.mu[i], bad);
  }
}

}  // namespace problems
