// Random planar problems of two contacts: directions of mechanisms, masses, velocities. G is computed from directions
// in double and rounded to the scalar of the solver; it is as positive semidefinite as that of a step.
#pragma once
#include <array>
#include <cmath>
#include <moreau/contact/closed_contact.hpp>
#include <moreau/moreau.hpp>

#include "models/slider_crank.hpp"
#include "support/bits_hash.hpp"

namespace pairs {

// Rows n, t, n, t.
struct Pair {
  std::array<std::array<double, 4>, 4> G{};
  std::array<double, 4> c{}, mu{};  // mu: of each row's contact
};

// Random draw of a family: directions as rows of W, a diagonal mass and velocities, in at most four coordinates.
struct Draw {
  test::Random random;
  std::array<std::array<double, 4>, 4> W{};
  std::array<double, 4> inverse_mass{1, 1, 1, 1}, u{};

  explicit Draw(std::uint64_t seed) : random(seed) {}
  double between(double low, double high) { return random.between(low, high); }
  double number() { return between(-1, 1); }
  bool one_in(int n) { return random.bits() % std::uint64_t(n) == 0; }
  double power_of_ten(double low, double high) { return std::pow(10.0, between(low, high)); }

  // G and c of the draw, with random friction coefficients and restitutions.
  Pair finish(double mu_max) {
    Pair pair;
    for (std::size_t r = 0; r < 4; ++r) {
      for (std::size_t s = 0; s < 4; ++s)
        for (std::size_t j = 0; j < 4; ++j) pair.G[r][s] += W[r][j] * inverse_mass[j] * W[s][j];
      for (std::size_t j = 0; j < 4; ++j) pair.c[r] += W[r][j] * u[j];
    }
    for (std::size_t n = 0; n < 4; n += 2) {
      pair.c[n] *= 1 + between(0, 0.9);
      pair.mu[n] = pair.mu[n + 1] = between(0, mu_max);
    }
    return pair;
  }
};

// Any directions in four coordinates: G has full rank.
inline Pair any(Draw& d) {
  d.inverse_mass = {1, 1, 1, 1};
  for (auto& row : d.W)
    for (double& x : row) x = d.number();
  for (double& x : d.u) x = d.number();
  Pair pair = d.finish(1);
  for (double& c : pair.c) c = d.number();
  return pair;
}

// A body with three coordinates and two contact points, with any normals or (`flat`) both along y.
inline void body(Draw& d, bool flat, double inertia_low, double inertia_high) {
  d.inverse_mass = {1, 1, 1 / d.power_of_ten(inertia_low, inertia_high), 0};
  for (std::size_t n = 0; n < 4; n += 2) {
    const double x = d.number(), y = flat && n == 2 ? d.W[1][2] * -1 : d.number();
    double s = d.number(), c = 1;
    if (flat) s = 0;
    const double length = std::hypot(s, c), sign = !flat && d.one_in(2) ? -1 : 1;
    s *= sign / length, c *= sign / length;
    d.W[n] = {-s, c, x * c + y * s, 0};
    d.W[n + 1] = {c, s, x * s - y * c, 0};
  }
  for (std::size_t j = 0; j < 3; ++j) d.u[j] = d.number();
}
inline Pair rigid_body(Draw& d) { return body(d, false, -2, 0), d.finish(1); }
inline Pair strong_friction(Draw& d) { return body(d, false, -3, -1), d.finish(3); }  // often Painleve-like
inline Pair on_a_table(Draw& d) { return body(d, true, -2, 0), d.finish(1); }         // equal w_T, G of rank 3

// Coordinates of two independent bodies, with a common tangent.
inline Pair same_tangent(Draw& d) {
  any(d);
  d.W[3] = d.W[1];
  return d.finish(1);
}

// As same_tangent, slightly perturbed: a beam that is not quite flat.
inline Pair nearly_same_tangent(Draw& d) {
  same_tangent(d);
  const double off = d.power_of_ten(-8, -2);
  for (double& x : d.W[3]) x += off * d.number();
  return d.finish(1);
}

// Parallel normal and tangent of each contact, in four coordinates or in one.
inline Pair parallel(Draw& d) {
  any(d);
  if (d.one_in(2))
    for (auto& row : d.W) row = {row[0], 0, 0, 0};
  for (std::size_t n = 0; n < 4; n += 2) {
    const double ratio = d.between(-2, 2);
    for (std::size_t j = 0; j < 4; ++j) d.W[n + 1][j] = ratio * d.W[n][j];
  }
  return d.finish(1);
}

inline Pair without_friction(Draw& d) {
  Pair pair = d.one_in(2) ? rigid_body(d) : any(d);
  pair.mu[2] = pair.mu[3] = 0;
  if (d.one_in(2)) pair.mu[0] = pair.mu[1] = 0;
  return pair;
}

// No load: normals at rest or opening, or one of them; tangents may move.
inline Pair without_load(Draw& d) {
  Pair pair = d.one_in(2) ? on_a_table(d) : rigid_body(d);
  pair.c[0] = d.one_in(2) ? 0 : std::fabs(pair.c[0]);
  if (d.one_in(2)) pair.c[2] = 0;
  if (d.one_in(4)) pair.c[1] = pair.c[3] = 0;
  return pair;
}

// Two corners of the light slider of the slider-crank: on one face, or on opposite faces.
inline Pair slider_corners(Draw& d) {
  using Crank = models::SliderCrank<double>;
  const Crank crank;
  const double theta = d.between(-3.1, 3.1);
  const Crank::Vector q(theta, -theta / 2 + d.number() * 0.1, d.number() * 0.02);
  const auto at = crank.at(q, 0);
  moreau::detail::Cholesky<double, 3> factor;
  (void)factor.factor(crank.mass(at));
  const double speed = d.power_of_ten(-6, 2);
  const Crank::Vector u(d.number() * speed, d.number() * speed, d.number() * speed);
  const int first = int(d.random.bits() % 4), second = (first + 1 + int(d.random.bits() % 3)) % 4;
  moreau::Matrix<double, 4, 3> W;
  W.row(0) = crank.directions(first, at).w_N.transpose(), W.row(1) = crank.directions(first, at).w_T.transpose();
  W.row(2) = crank.directions(second, at).w_N.transpose(), W.row(3) = crank.directions(second, at).w_T.transpose();
  Pair pair;
  for (int r = 0; r < 4; ++r) {
    for (int s = 0; s < 4; ++s)
      pair.G[std::size_t(r)][std::size_t(s)] = W.row(r).dot(factor.solve(W.row(s).transpose()));
    pair.c[std::size_t(r)] = W.row(r).dot(u) * (r % 2 == 0 ? 1 + d.between(0, 0.9) : 1);
  }
  const double mu = d.between(0, 1);
  pair.mu = {mu, mu, mu, mu};
  return pair;
}

struct Family {
  const char* name;
  Pair (*draw)(Draw&);
};
constexpr Family families[] = {
    {"any directions", any},
    {"rigid body", rigid_body},
    {"strong friction", strong_friction},
    {"on a table", on_a_table},
    {"same tangent", same_tangent},
    {"nearly same tangent", nearly_same_tangent},
    {"parallel directions", parallel},
    {"without friction", without_friction},
    {"without load", without_load},
    {"slider corners", slider_corners},
};

}  // namespace pairs
