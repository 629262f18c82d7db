// Random planar contact problems: directions of mechanisms, masses, velocities. Many are degenerate: more rows than
// coordinates, common directions, velocities of different magnitudes, friction that jams.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <moreau/moreau.hpp>

#include "models/slider_crank.hpp"
#include "support/bits_hash.hpp"

namespace crowds {

constexpr int most = 4;                       // contacts, unless a test requests more
constexpr int rows = 2 * 8, coordinates = 9;  // n, t of eight contacts; three bodies

// Directions of the contacts. draw(k, problem) takes one of the first five.
enum Kind { any, few_coordinates, one_body, bodies, slider_corners, opposed, alike, nearly_alike, boxes, kinds };

class Crowd {
 public:
  explicit Crowd(std::uint64_t seed) : random_(seed) {}

  // k contacts of a random kind.
  template <class Problem>
  void draw(int k, Problem& problem) {
    draw(static_cast<Kind>(begin(k, 5)), problem);
  }
  template <class Problem>
  void draw(Kind kind, int k, Problem& problem) {
    begin(k, 1);
    draw(kind, problem);
  }
  // New velocities and friction coefficients of the same contacts.
  template <class Problem>
  void load(Problem& problem) {
    using Real = typename Problem::Real;
    std::array<double, coordinates> u{};
    for (double& x : u) x = number() * (below(4) == 0 ? power_of_ten(-4, 2) : 1);
    const double mu = number() > 0 ? 0.5 : 2, common = random_.between(0.0, mu), eps = random_.between(0.0, 0.9);
    const int kind = below(6);
    for (int r = 0; r < 2 * k_; ++r) {
      double c = 0;
      for (int j = 0; j < coordinates; ++j) c += at(r, j) * u[std::size_t(j)];
      if (r % 2 == 0) c *= 1 + (below(2) == 0 ? eps : random_.between(0.0, 0.9));
      if (kind == 0) c = number();                     // no velocity in the range of these coordinates
      if (kind == 1 && r % 2 == 0) c = -std::fabs(c);  // all approach
      if (kind == 2) c = r == 0 ? -1 : 0;              // one contact is hit, the others rest
      problem.c(r) = Real(c);
    }
    for (int i = 0; i < k_; ++i)
      problem.mu(i) = below(12) == 0 ? Real(0) : Real(below(3) == 0 ? common : random_.between(0.0, mu));
  }

 private:
  int begin(int k, int n) {
    k_ = k;
    W_ = {};
    inverse_mass_.fill(1);
    return below(n);
  }

  template <class Problem>
  void draw(Kind kind, Problem& problem) {
    switch (kind) {
      case any:
        directions(coordinates);
        break;
      case few_coordinates:
        directions(1 + below(2 * k_));
        break;
      case one_body:
        touch_bodies(1, [this] { return below(2) == 0 ? below(4) * quarter : 3 * number(); });
        break;
      case bodies:
        touch_bodies(1 + below(3), [this] { return below(2) == 0 ? below(4) * quarter : 3 * number(); });
        break;
      case slider_corners:
        corners();
        break;
      case opposed:  // normals along one line
        touch_bodies(1 + below(2), [this, along = 3 * number()] { return along + 2 * below(2) * quarter; });
        break;
      case alike:
        touch_bodies(1 + below(3), [this] { return below(4) * quarter; });
        copy(0);
        break;
      case nearly_alike:
        directions(coordinates);
        copy(power_of_ten(-16, -2));
        break;
      default:
        touch_bodies(1 + below(3), [this] { return below(4) * quarter; });
        for (auto& row : W_)
          for (double& x : row) x = std::round(2 * x) / 2;  // corners of boxes: many equal numbers
    }
    fill(problem);
  }

  static constexpr double quarter = moreau::pi<double> / 2;

  int below(int n) { return int(random_.bits() % std::uint64_t(n)); }
  double number() { return random_.between(-1.0, 1.0); }
  double power_of_ten(double low, double high) { return std::pow(10.0, random_.between(low, high)); }

  void directions(int dof) {
    dof = std::min(dof, coordinates);
    for (int r = 0; r < 2 * k_; ++r)
      for (int j = 0; j < dof; ++j) at(r, j) = number();
  }

  // Contacts become copies of their predecessor, except for `off`; half of them in their tangents only.
  void copy(double off) {
    for (int i = 1; i < k_; ++i) {
      if (below(2) == 0) continue;
      for (int r = below(2); r < 2; ++r)
        for (int j = 0; j < coordinates; ++j) at(2 * i + r, j) = at(2 * i + r - 2, j) + off * number();
    }
  }

  // Contacts between two of the bodies, or between one and the ground.
  template <class Angle>
  void touch_bodies(int count, const Angle& angle_of_next) {
    for (int b = 0; b < count; ++b) {
      const double m = power_of_ten(-1.5, 1.5);
      inverse_mass_[std::size_t(3 * b)] = inverse_mass_[std::size_t(3 * b + 1)] = 1 / m;
      inverse_mass_[std::size_t(3 * b + 2)] = 1 / (m * power_of_ten(-4, 0));
    }
    for (int i = 0; i < k_; ++i) {
      const int first = below(count), second = below(count + 1);
      const double angle = angle_of_next();
      touch(i, first, angle, 1);
      if (second < count && second != first) touch(i, second, angle, -1);
    }
  }
  void touch(int i, int body, double angle, double sign) {
    const double s = sign * std::sin(angle), c = sign * std::cos(angle), x = number(), y = number();
    const double n[] = {-s, c, x * c + y * s}, t[] = {c, s, x * s - y * c};
    for (int j = 0; j < 3; ++j) at(2 * i, 3 * body + j) = n[j], at(2 * i + 1, 3 * body + j) = t[j];
  }

  // In the metric of M^-1 = (L L^T)^-1: rows L^-1 w.
  void corners() {
    const models::SliderCrank<double> crank;
    const double theta = below(2) == 0 ? 3 * number() : 0.02 * number();
    const models::SliderCrank<double>::Vector q(theta, -theta / 2 + 0.01 * number(), 0.02 * number());
    const auto at_q = crank.at(q, 0);
    const auto M = crank.mass(at_q);
    const double l = M(1, 0) / M(0, 0), rest = M(1, 1) - l * M(1, 0);
    const int first = below(4);
    for (int i = 0; i < k_; ++i) {
      const auto d = crank.directions((first + i) % 4, at_q);
      for (int r = 0; r < 2; ++r) {
        const auto& w = r == 0 ? d.w_N : d.w_T;
        at(2 * i + r, 0) = w(0) / std::sqrt(M(0, 0));
        at(2 * i + r, 1) = (w(1) - l * w(0)) / std::sqrt(rest);
        at(2 * i + r, 2) = w(2) / std::sqrt(M(2, 2));
      }
    }
  }

  template <class Problem>
  void fill(Problem& problem) {
    using Real = typename Problem::Real;
    problem.k = k_;
    for (int r = 0; r < 2 * k_; ++r)
      for (int s = 0; s < 2 * k_; ++s) {
        double sum = 0;
        for (int j = 0; j < coordinates; ++j) sum += at(r, j) * inverse_mass_[std::size_t(j)] * at(s, j);
        problem.G(r, s) = Real(sum);
      }
    load(problem);
  }

  double& at(int r, int j) { return W_[std::size_t(r)][std::size_t(j)]; }

  test::Random random_;
  int k_ = 0;
  std::array<std::array<double, coordinates>, rows> W_{};
  std::array<double, coordinates> inverse_mass_{};
};

}  // namespace crowds
