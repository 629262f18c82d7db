// Reader of the problems in data/problems.hpp.
#pragma once
#include "data/problems.hpp"
#include "measure.hpp"

namespace problems {

struct Reader {
  const double* next = problem_data;
  bool solvable = false;
  const PlainProblem& read() {
    static PlainProblem problem;
    problem = PlainProblem{};
    problem.dim = static_cast<int>(*next++);
    problem.k = static_cast<int>(*next++);
    solvable = *next++ > 0;
    for (int i = 0; i < problem.k; ++i) problem.mu[std::size_t(i)] = static_cast<Wide>(*next++);
    const int n = problem.rows();
    for (int i = 0; i < n; ++i) problem.q[std::size_t(i)] = static_cast<Wide>(*next++);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j <= i; ++j)
        problem.G[std::size_t(i * n + j)] = problem.G[std::size_t(j * n + i)] = static_cast<Wide>(*next++);
    return problem;
  }
};

}  // namespace problems
