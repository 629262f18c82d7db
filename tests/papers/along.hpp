// Comparison of a trajectory with a table of check points, and observed orders of convergence.
#pragma once
#include <cmath>
#include <cstddef>
#include <initializer_list>

namespace papers {

// q_max: largest position error over all check points. u_mean: largest velocity error of each check point, averaged
// over the check points. (An L1 norm in time: velocities jump at impacts, so a shifted impact is a large error in any
// other norm.)
struct Errors {
  double q_max = 0, u_mean = 0;
  bool advanced = true;
};

inline double larger(double a, double b) { return b > a ? b : a; }

// Advances from check point to check point in steps of h. A row is t, then the positions, then the same number of
// velocities. `values(state, i)` is compared with the i-th of these columns; `after(report)` is called after each
// step.
template <std::size_t rows, std::size_t columns, class Stepper, class Values, class After>
Errors along(const double (&table)[rows][columns], Stepper& stepper, double h, Values values, After after) {
  static_assert(columns % 2 == 1, "t, then equally many positions and velocities");
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
