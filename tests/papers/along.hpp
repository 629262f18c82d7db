// Compares a trajectory with a table of check points, and estimates orders of convergence.
#pragma once
#include <cmath>
#include <cstddef>
#include <initializer_list>

namespace papers {

// q_max: largest deviation of a position at any check point. u_mean: the largest deviation of a velocity at each check
// point, averaged over them (an L1 norm in time: a velocity jumps at an impact, so a shifted impact is no small error
// in any other).
struct Errors {
  double q_max = 0, u_mean = 0;
  bool advanced = true;
};

inline double larger(double a, double b) { return b > a ? b : a; }

// Steps of h from one check point to the next; a row is t, then the positions, then as many velocities. `values(state,
// i)` is what the i-th of these columns is compared with, `after(report)` sees every step.
template <std::size_t rows, std::size_t columns, class Stepper, class Values, class After>
Errors along(const double (&table)[rows][columns], Stepper& stepper, double h, Values values, After after) {
  static_assert(columns % 2 == 1, "t, positions and as many velocities");
  constexpr int half = int(columns) / 2;
  using Real = typename std::decay_t<decltype(stepper.model)>::Real;
  Errors errors;
  long steps = 0;
  for (std::size_t r = 1; r < rows; ++r) {
    const long until = std::lround((table[r][0] - table[0][0]) / h);
    for (; steps < until && errors.advanced; ++steps) {
      const auto report = stepper.step(Real(h));
      errors.advanced = report.advanced();
      after(report);
    }
    double u_worst = 0;
    for (int i = 0; i < half; ++i) {
      const auto miss = [&](int column) {
        return std::abs(double(values(stepper.state, column)) - table[r][column + 1]);
      };
      errors.q_max = larger(errors.q_max, miss(i));
      u_worst = larger(u_worst, miss(half + i));
    }
    errors.u_mean += u_worst / double(rows - 1);
  }
  return errors;
}

template <std::size_t rows, std::size_t columns, class Stepper>
Errors along(const double (&table)[rows][columns], Stepper& stepper, double h) {
  constexpr int half = int(columns) / 2;
  return along(
      table, stepper, h, [](const auto& state, int i) { return i < half ? state.q(i) : state.u(i - half); },
      [](const auto&) {});
}

// Slope of log(error) over log(h) by least squares.
template <std::size_t n>
double order(const double (&h)[n], const double (&error)[n]) {
  double x_mean = 0, y_mean = 0, xx = 0, xy = 0;
  for (std::size_t i = 0; i < n; ++i) x_mean += std::log(h[i]) / double(n), y_mean += std::log(error[i]) / double(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double x = std::log(h[i]) - x_mean;
    xx += x * x, xy += x * (std::log(error[i]) - y_mean);
  }
  return xy / xx;
}

}  // namespace papers
