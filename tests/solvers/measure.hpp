// How far percussions are from solving a contact problem, without units and without a line of the library: the natural
// map of the complementarity conditions, on plain arrays.
//
//   xi = G r + q,  v = max |q| (1 if all zero),  p = v / max G_ii:  the problem's own unit of velocity and percussion
//   e = max over contacts of |min(r_N / p, xi_N / v)|  and  |r_T / p - proj(r_T / p - xi_T / v)|,
//   proj onto the interval or disc of radius mu max(r_N / p, 0)
//
// A solver's result is judged in the widest scalar there is, so that the measure itself neither overflows nor rounds.
#pragma once

#include <array>
#include <cmath>
#include <limits>

namespace problems {

using Wide = long double;

constexpr int capacity = 8;  // contacts
using Rows = std::array<Wide, 3 * capacity>;

// Rows contact by contact: normal, tangent(s). G row by row, rows() numbers each.
struct PlainProblem {
  int dim = 2, k = 0;  // dim 2: one tangent, 3: two
  std::array<Wide, capacity> mu{};
  Rows q{};
  std::array<Wide, 9 * capacity * capacity> G{};
  int rows() const { return dim * k; }
  Wide entry(int r, int s) const { return G[std::size_t(r * rows() + s)]; }
};

// Units::of_contacts: p = v / max G_ii of each contact alone, for problems whose masses differ by more than a scalar resolves.
enum class Units { of_the_problem, of_contacts };

inline Wide natural_map_error(const PlainProblem& problem, const Rows& r, Units units = Units::of_the_problem) {
  const int n = problem.rows();
  Wide v = 0, heaviest = 0, e = 0;
  for (int i = 0; i < n; ++i) {
    v = std::fmax(v, std::fabs(problem.q[std::size_t(i)]));
    heaviest = std::fmax(heaviest, problem.entry(i, i));
  }
  if (!(v > 0)) v = 1;
  Wide p = v / heaviest;
  const auto percussion = [&r, &p](int i) { return r[std::size_t(i)] / p; };
  const auto velocity = [&](int i) {
    Wide xi = problem.q[std::size_t(i)];
    for (int j = 0; j < n; ++j) xi += problem.entry(i, j) * r[std::size_t(j)];
    return xi / v;
  };
  const auto worst = [&e](Wide candidate) {
    if (!(candidate <= e)) e = candidate;  // a NaN is the worst
  };
  for (int contact = 0; contact < problem.k; ++contact) {
    const int normal = contact * problem.dim;
    if (units == Units::of_contacts) {
      heaviest = 0;
      for (int i = normal; i < normal + problem.dim; ++i) heaviest = std::fmax(heaviest, problem.entry(i, i));
      p = v / heaviest;
    }
    const Wide radius = problem.mu[std::size_t(contact)] * std::fmax(percussion(normal), Wide(0));
    const Wide r_N = percussion(normal), xi_N = velocity(normal);
    worst(std::fabs(r_N < xi_N ? r_N : xi_N));
    if (r_N != r_N || xi_N != xi_N) return std::numeric_limits<Wide>::quiet_NaN();
    Wide step[2] = {0, 0}, length = 0, distance = 0;
    for (int t = 1; t < problem.dim; ++t) {
      step[t - 1] = percussion(normal + t) - velocity(normal + t);
      length = std::hypot(length, step[t - 1]);
    }
    const Wide shrink = length > radius ? radius / length : Wide(1);
    for (int t = 1; t < problem.dim; ++t)
      distance = std::hypot(distance, percussion(normal + t) - shrink * step[t - 1]);
    worst(distance);
    if (e != e) return e;
  }
  return e;
}

}  // namespace problems
