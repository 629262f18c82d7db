// Problem of two contacts and a friction element with known percussions: the modes are selected, the values are random,
// and c follows. The laws are weakly coupled; the masses of different laws can differ.
#pragma once

#include <moreau/moreau.hpp>

#include "support/bits_hash.hpp"

namespace test {

enum class Mode { nothing, stick, slip };  // mode of an element

template <class Real, int tangents>
struct KnownProblem {
  using Problem = moreau::ContactProblem<Real, 2, tangents, 1, tangents>;
  using Percussions = typename Problem::Percussions;
  using Tangential = moreau::Vector<Real, tangents>;
  static constexpr int rows = Problem::capacity, laws = 3, codes = 3 * 3 * 2;
  Problem problem;
  Percussions P;
  Percussions unit;  // unit of the velocity in each row; that of the percussion is 1 / unit

  // `code`: number of the mode combination.
  KnownProblem(Random& random, int code, Real unit_0 = Real(1), Real unit_1 = Real(1), Real unit_2 = Real(1),
               Real coupling = Real(0.15)) {
    const Mode does[laws] = {Mode(code % 3), Mode(code / 3 % 3), Mode(1 + code / 9)};
    const Real of_law[laws] = {unit_0, unit_1, unit_2};
    Percussions xi = Percussions::Zero();
    P.setZero();
    problem.k = 2;
    problem.elements = 1;
    for (int law = 0; law < laws; ++law) {
      Real limit = Real(0.5);
      if (law < 2) {
        const int n = problem.row(law);
        unit(n) = of_law[law];
        problem.mu(law) = Real(0.4);
        (does[law] == Mode::nothing ? xi : P)(n) = random.between(Real(0.5), Real(2));
        limit = problem.mu(law) * P(n);
      } else {
        problem.bound(0) = limit / of_law[law];
      }
      const int first = law < 2 ? problem.row(law) + 1 : problem.friction_row(0);
      const Tangential d = direction(random);
      const Real slip = random.between(Real(0.1), Real(0.7));
      for (int t = 0; t < tangents; ++t) {
        unit(first + t) = of_law[law];
        xi(first + t) = does[law] == Mode::stick ? Real(0) : -d(t) * slip;
        P(first + t) = limit * d(t) * (does[law] == Mode::stick ? Real(0.5) : Real(1));
      }
    }
    for (int r = 0; r < rows; ++r)
      for (int c = 0; c <= r; ++c)
        problem.G(r, c) = problem.G(c, r) =
            r == c ? random.between(Real(1), Real(2)) : random.between(-coupling, coupling);
    problem.c = (xi - problem.G * P).cwiseProduct(unit);
    problem.G = unit.asDiagonal() * problem.G * unit.asDiagonal();
    P = P.cwiseQuotient(unit);
  }

  // Largest error, in units.
  Real error(const Percussions& other) const { return (other - P).cwiseProduct(unit).cwiseAbs().maxCoeff(); }

 private:
  static Tangential direction(Random& random) {
    Tangential d;
    if constexpr (tangents == 1) {
      d(0) = random.between(Real(-1), Real(1)) < 0 ? Real(-1) : Real(1);
    } else {
      const auto [s, c] = moreau::sincos(random.between(Real(-3), Real(3)));
      d << s, c;
    }
    return d;
  }
};

}  // namespace test
