// Residual of percussions in a contact problem, without units and independent of the library: the natural map of the
// complementarity conditions, on plain arrays.
//
//   xi = G r + q,  v = max |q| (1 if all zero),  p = v / max G_ii:  the problem's own unit of velocity and percussion
//   e = max over contacts of |min(r_N / p, xi_N / v)|  and  |r_T / p - proj(r_T / p - xi_T / v)|,
//   proj onto the interval or disc of radius mu max(r_N / p, 0), of a friction element: of its bound / p
//
// Results are measured in the widest scalar, so that the measure neither overflows nor rounds noticeably.
#pragma once

#include <array>
#include <cmath>
#include <limits>

namespace problems {

using Wide = long double;

constexpr int capacity = 8;       // contacts
constexpr int most_elements = 4;  // friction elements
constexpr int most_rows = 3 * capacity;
using Rows = std::array<Wide, std::size_t(most_rows)>;

// Rows contact by contact: normal, tangent(s); after them the friction elements. G row by row, rows() numbers each.
struct PlainProblem {
  int dim = 2, k = 0, elements = 0;  // dim 2: one tangent, 3: two; contacts and elements are at most `capacity`
  std::array<Wide, capacity> mu{};
  std::array<Wide, most_elements> bound{};
  Rows q{};
  std::array<Wide, std::size_t(most_rows) * most_rows> G{};
  int rows() const { return dim * k + (dim - 1) * elements; }
  int laws() const { return k + elements; }
  int element(int j) const { return dim * k + (dim - 1) * j; }  // its first row
  Wide entry(int r, int s) const { return G[std::size_t(r * rows() + s)]; }
};

// Ignores NaN, as std::fmax does.
inline Wide larger(Wide a, Wide b) { return b > a || a != a ? b : a; }

inline Rows velocities(const PlainProblem& problem, const Rows& r) {
  const int n = problem.rows();
  Rows xi = problem.q;
  const Wide* G = problem.G.data();
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) xi[std::size_t(i)] += *G++ * r[std::size_t(j)];
  return xi;
}

// Units::of_contacts: p = v / max G_ii of each law alone, for problems with masses beyond the resolution of a
// scalar.
enum class Units { of_the_problem, of_contacts };

inline Wide natural_map_error(const PlainProblem& problem, const Rows& r, const Rows& xi, Units units) {
  Wide v = 0, e = 0;
  for (int i = 0; i < problem.rows(); ++i) v = larger(v, std::fabs(problem.q[std::size_t(i)]));
  if (!(v > 0)) v = 1;
  const auto unit = [&problem, v](int first, int end) {
    Wide heaviest = 0;
    for (int i = first; i < end; ++i) heaviest = larger(heaviest, problem.entry(i, i));
    return v / heaviest;
  };
  Wide p = unit(0, problem.rows());
  const auto percussion = [&r, &p](int i) { return r[std::size_t(i)] / p; };
  const auto velocity = [&xi, v](int i) { return xi[std::size_t(i)] / v; };
  const auto worst = [&e](Wide candidate) {
    if (!(candidate <= e)) e = candidate;  // NaN counts as the worst
  };
  const auto friction = [&](int first, Wide radius) {
    const int end = first + problem.dim - 1;
    Wide step[2] = {0, 0}, length = 0, distance = 0;
    const auto add = [](Wide& size, Wide x) { size = size > 0 || size != size ? std::hypot(size, x) : std::fabs(x); };
    for (int t = first; t < end; ++t) add(length, step[t - first] = percussion(t) - velocity(t));
    const Wide shrink = length > radius ? radius / length : Wide(1);
    for (int t = first; t < end; ++t) add(distance, percussion(t) - shrink * step[t - first]);
    worst(distance);
  };
  for (int contact = 0; contact < problem.k && e == e; ++contact) {
    const int normal = contact * problem.dim;
    if (units == Units::of_contacts) p = unit(normal, normal + problem.dim);
    const Wide r_N = percussion(normal), xi_N = velocity(normal);
    worst(std::fabs(r_N < xi_N ? r_N : xi_N));
    if (r_N != r_N || xi_N != xi_N) return std::numeric_limits<Wide>::quiet_NaN();
    friction(normal + 1, problem.mu[std::size_t(contact)] * larger(Wide(0), r_N));
  }
  for (int j = 0; j < problem.elements && e == e; ++j) {
    const int first = problem.element(j);
    if (units == Units::of_contacts) p = unit(first, first + problem.dim - 1);
    friction(first, problem.bound[std::size_t(j)] / p);
  }
  return e;
}
inline Wide natural_map_error(const PlainProblem& problem, const Rows& r, Units units = Units::of_the_problem) {
  return natural_map_error(problem, r, velocities(problem, r), units);
}

}  // namespace problems
