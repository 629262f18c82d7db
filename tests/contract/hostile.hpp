// The same problems, spoilt: numbers near the ends of the scalar's range, and numbers that are none.
//
// Scaling c by a and G by b scales the solution by a / b and leaves the measure's verdict as it is, so a right answer
// is as recognisable as before. A solver may fail here; what must not happen is that the judge calls a wrong answer ok.
#pragma once

#include "measure.hpp"

namespace contract {

// As the scalar sees it: what does not fit has become infinite or zero before any solver sees it.
template <class Real>
PlainProblem rounded(PlainProblem problem) {
  for (auto* numbers : {&problem.mu, &problem.q, &problem.G})
    for (Wide& x : *numbers) x = static_cast<Wide>(static_cast<Real>(x));
  return problem;
}

inline PlainProblem scaled(PlainProblem problem, Wide c_factor, Wide G_factor) {
  for (Wide& x : problem.q) x *= c_factor;
  for (Wide& x : problem.G) x *= G_factor;
  return problem;
}

// Powers of ten that reach the borders of float and double.
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
    for (const int G : extreme_exponents<Real>)
      if (c != 0 || G != 0) use(rounded<Real>(scaled(plain, power_of_ten(c), power_of_ten(G))));
}

// Calls use(problem) with NaN and both infinities at every place of c and mu, in the first row of G and on its
// diagonal.
template <class Use>
void for_non_numbers(const PlainProblem& plain, const Use& use) {
  constexpr Wide infinity = std::numeric_limits<Wide>::infinity();
  for (const Wide bad : {std::numeric_limits<Wide>::quiet_NaN(), infinity, -infinity}) {
    for (std::size_t i = 0; i < plain.q.size(); ++i) {
      const std::size_t n = plain.q.size();
      PlainProblem in_c = plain, in_first_row = plain, on_diagonal = plain;
      in_c.q[i] = bad;
      in_first_row.G[i] = in_first_row.G[i * n] = bad;
      on_diagonal.G[i * n + i] = bad;
      use(in_c), use(in_first_row), use(on_diagonal);
    }
    for (std::size_t i = 0; i < plain.mu.size(); ++i) {
      PlainProblem in_mu = plain;
      in_mu.mu[i] = bad;
      use(in_mu);
    }
  }
}

}  // namespace contract
