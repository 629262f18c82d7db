// Two contacts and a friction element whose percussions are known: what each is to do is chosen, numbers are drawn, and c
// follows. Laws are coupled a little; masses of different laws may differ.
#pragma once

#include <moreau/moreau.hpp>

#include "support/bits_hash.hpp"

namespace test {

enum class Does { nothing, stick, slip };  // an element does something

template <class Real, int tangents>
struct KnownProblem {
  using Problem = moreau::ContactProblem<Real, 2, tangents, 1, tangents>;
  using Percussions = typename Problem::Percussions;
  using Tangential = moreau::Vector<Real, tangents>;
  static constexpr int rows = Problem::capacity, laws = 3, codes = 3 * 3 * 2;
  Problem problem;
  Percussions P;
  Percussions unit;  // of a velocity in each row, those of percussions are 1 / unit

  // Set number `code` of what the laws do.
  KnownProblem(Random& random, int code, Real unit_0 = Real(1), Real unit_1 = Real(1), Real unit_2 = Real(1),
               Real coupling = Real(0.15)) {
    const Does does[laws] = {Does(code % 3), Does(code / 3 % 3), Does(1 + code / 9)};
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
        (does[law] == Does::nothing ? xi : P)(n) = random.between(Real(0.5), Real(2));
        limit = problem.mu(law) * P(n);
      } else {
        problem.bound(0) = limit / of_law[law];
      }
      const int first = law < 2 ? problem.row(law) + 1 : problem.friction_row(0);
      const Tangential d = direction(random);
      const Real slip = random.between(Real(0.1), Real(0.7));
      for (int t = 0; t < tangents; ++t) {
        unit(first + t) = of_law[law];
        xi(first + t) = does[law] == Does::stick ? Real(0) : -d(t) * slip;
        P(first + t) = limit * d(t) * (does[law] == Does::stick ? Real(0.5) : Real(1));
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

  // The largest difference, in units.
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
