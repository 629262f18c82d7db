// Distribution of a parameter. Maps u, strictly between 0 and 1, to a value in ascending order (the quantile function);
// a grid enumerates its values.
//
//   uniform(a, b)   normal(mean, sigma)   normal(mean, sigma, low, high)   triangular(a, peak, b)
//   list({...}): equally likely values          grid(a, b, n), grid({...}): all values
#pragma once
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "moreau/study/normal.hpp"

namespace moreau::study {

// Returns the shortest decimal whose conversion back to binary is bit-identical. The text is equal on all machines.
inline std::string text_of(double x) {
  char text[40];
  return {text, std::to_chars(text, text + sizeof text, x).ptr};
}

struct Distribution {
  enum class Kind { uniform, normal, triangular, list, grid };

  Kind kind = Kind::uniform;
  std::vector<double> numbers;   // bounds; mean, sigma and bounds; bounds and peak; or the values themselves
  double u_low = 0, u_high = 1;  // bounds of u for a truncated normal distribution

  bool enumerated() const { return kind == Kind::grid; }
  bool unbounded() const {
    return kind == Kind::normal && !(numbers[3] - numbers[2] < std::numeric_limits<double>::max());
  }

  double at(double u) const {
    const auto& x = numbers;
    switch (kind) {
      case Kind::uniform:
        return x[0] + (x[1] - x[0]) * u;
      case Kind::normal:
        return normal_at(u_low + (u_high - u_low) * u);
      case Kind::triangular: {
        const double width = x[2] - x[0], left = x[1] - x[0], right = x[2] - x[1];
        return u * width < left ? x[0] + moreau::sqrt(u * width * left) : x[2] - moreau::sqrt((1 - u) * width * right);
      }
      case Kind::list:
      case Kind::grid:
        break;
    }
    const auto place = static_cast<std::size_t>(u * double(x.size()));
    return x[std::min(place, x.size() - 1)];
  }

  // Returns the error in the distribution as a sentence; empty if valid.
  std::string fault() const {
    for (const double x : numbers)
      if (!is_number(x) && kind != Kind::normal) return "has a non-finite number";
    const auto& x = numbers;
    switch (kind) {
      case Kind::uniform:
        if (!(x[0] < x[1])) return "needs a lower bound below its upper bound";
        return is_number(x[1] - x[0]) ? "" : out_of_reach;
      case Kind::triangular:
        if (!(x[0] <= x[1] && x[1] <= x[2] && x[0] < x[2])) return "needs its peak between its bounds";
        return in_reach((x[2] - x[0]) * (x[2] - x[0])) ? "" : out_of_reach;
      case Kind::normal:
        if (!is_number(x[0]) || !(x[1] > 0) || !is_number(x[1])) return "needs a finite mean and a sigma above 0";
        if (!(x[2] < x[3] && u_low < u_high))
          return "needs a lower bound below its upper bound, and a positive probability between them";
        return is_number(x[0] + 9 * x[1]) && is_number(x[0] - 9 * x[1]) ? "" : out_of_reach;  // no quantile lies beyond
      case Kind::list:
      case Kind::grid:
        return x.empty() ? "has no values" : "";
    }
    return "";
  }

  std::string text() const {
    static constexpr const char* names[] = {"uniform", "normal", "triangular", "list", "grid"};
    std::string all = names[int(kind)];
    for (const double x : numbers) all += ' ' + text_of(x);
    return all;
  }

 private:
  static constexpr const char* out_of_reach = "is too wide or too narrow for double precision";
  static bool is_number(double x) { return x - x == 0; }
  static bool in_reach(double x) { return is_number(x) && x >= std::numeric_limits<double>::min(); }
  double normal_at(double u) const {
    const double u_inside = std::min(std::max(u, 0x1p-53), 1 - 0x1p-53);
    const double x = numbers[0] + numbers[1] * normal_quantile(u_inside);
    return std::min(std::max(x, numbers[2]), numbers[3]);
  }
};

inline Distribution uniform(double low, double high) { return {Distribution::Kind::uniform, {low, high}}; }

inline Distribution triangular(double low, double peak, double high) {
  return {Distribution::Kind::triangular, {low, peak, high}};
}

// Truncated normal distribution: values outside the bounds are never drawn, the shape inside is unchanged.
inline Distribution normal(double mean, double sigma, double low, double high) {
  return {Distribution::Kind::normal,
          {mean, sigma, low, high},
          normal_probability((low - mean) / sigma),
          normal_probability((high - mean) / sigma)};
}
inline Distribution normal(double mean, double sigma) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return {Distribution::Kind::normal, {mean, sigma, -infinity, infinity}};
}

inline Distribution list(const std::vector<double>& values) { return {Distribution::Kind::list, values}; }

inline Distribution grid(const std::vector<double>& values) { return {Distribution::Kind::grid, values}; }
inline Distribution grid(double low, double high, int count) {
  std::vector<double> values;
  for (int k = 0; k < count; ++k)
    values.push_back(k + 1 < count ? low + (high - low) * (double(k) / double(count - 1)) : high);
  if (count == 1) values[0] = low;
  return grid(values);
}

}  // namespace moreau::study
