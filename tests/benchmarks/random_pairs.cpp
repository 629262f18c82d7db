// Direct solution of two planar contacts on random problems: solved share, and wrong solutions. The measure is
// independent of the acceptance test: all 16 contact-mode combinations are solved in long double, and the velocities of
// the solution must be those of one of them.
//
//   benchmarks.random_pairs [pairs] [family]      number of pairs of each family (default 100000)
//
//   Painleve     friction may jam or lift off: for some modes (slip or stick) a minor of the normals is negative
//   unsolvable   no mode combination solves it with percussions that the scalar resolves: such pairs are only counted
//   solved       accepted, in percent of the solvable pairs
//   wrong        accepted with velocities of no solution: the program fails if there is one
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <moreau/solve/closed_forms.hpp>

#include "benchmarks/pair_families.hpp"
#include "solvers/enumeration.hpp"

namespace {

using problems::added_up;
using problems::any_solution;
using problems::PlainProblem;
using problems::right;
using problems::Rows;
using problems::Wide;

// The direct solution under test: P is its accepted answer.
struct Answer {
  bool accepted = false;
  Rows P{};
};

template <class Real>
struct Contacts {
  moreau::detail::PlanarContact<Real> p, q;
  moreau::detail::Coupling<Real> x;
};

template <class Real>
Answer few(const Contacts<Real>& pair, const moreau::Judge<Real>& judge) {
  using namespace moreau::detail;
  const auto& [p, q, x] = pair;
  ContactResult<Real> A, B;
  if (solve_two<Branching>(p, q, x, judge, A, B).rejected(judge)) return {};
  return {true, {Wide(A.P_N), Wide(A.P_T), Wide(B.P_N), Wide(B.P_T)}};
}

template <class Real>
Contacts<Real> contacts_of(const pairs::Pair& pair) {
  const auto G = [&pair](std::size_t r, std::size_t s) { return Real(pair.G[r][s]); };
  const auto c = [&pair](std::size_t r) { return Real(pair.c[r]); };
  const auto mu = [&](std::size_t n) { return pair.G[n + 1][n + 1] > 0 ? Real(pair.mu[n]) : Real(0); };
  return {{G(0, 0), G(0, 1), G(1, 0), G(1, 1), c(0), c(1), mu(0)},
          {G(2, 2), G(2, 3), G(3, 2), G(3, 3), c(2), c(3), mu(2)},
          {G(0, 2), G(0, 3), G(1, 2), G(1, 3)}};
}

// The same numbers, to be solved and measured in long double.
template <class Real>
PlainProblem plain(const Contacts<Real>& pair) {
  const auto& [p, q, x] = pair;
  PlainProblem problem;
  problem.k = 2;
  const Real G[] = {p.NN, p.NT, x.NN, x.NT, p.NT, p.TT, x.TN, x.TT, x.NN, x.TN, q.NN, q.NT, x.NT, x.TT, q.NT, q.TT};
  std::copy(std::begin(G), std::end(G), problem.G.begin());
  problem.q = {Wide(p.c_N), Wide(p.c_T), Wide(q.c_N), Wide(q.c_T)};
  problem.mu = {Wide(p.mu), Wide(q.mu)};
  return problem;
}

// Effective inverse mass of the pushed contact's normal with its friction d, while the other contact sticks: the
// entry of G after elimination of both rows of the other contact.
Wide beside_a_sticking_one(const PlainProblem& problem, int pushed, Wide d, Wide noise) {
  const int n = 2 * pushed, t = n + 1, N = 2 - n,
            T = N + 1;  // rows of the pushed contact, rows of the sticking contact
  const Wide k = problem.entry(N, T) / problem.entry(N, N), D = problem.entry(T, T) - k * problem.entry(N, T);
  const auto left = [&](int r, int s) {
    const Wide by_N = problem.entry(r, N) * problem.entry(N, s) / problem.entry(N, N);
    const Wide r_T = problem.entry(r, T) - k * problem.entry(r, N), s_T = problem.entry(T, s) - k * problem.entry(N, s);
    return problem.entry(r, s) - by_N - (D > noise * problem.entry(T, T) ? r_T * s_T / D : 0);
  };
  return left(n, n) + d * left(n, t);
}

// Painleve-like: for some modes of the contacts a minor of the normals' matrix is negative. A minor within `noise` of
// its summed term magnitudes counts as zero. A contact without resistance to a push is Painleve-like; two contacts
// that resist as one are not.
bool painleve(const PlainProblem& problem, Wide noise) {
  for (const int d : {-1, 1})
    for (const int e : {-1, 1}) {
      const Wide mu[] = {d * problem.mu[0], e * problem.mu[1]};
      const auto N = [&](int i, int j) {
        return problem.entry(2 * i, 2 * j) + mu[j] * problem.entry(2 * i, 2 * j + 1);
      };
      const Wide across = N(0, 1) * N(1, 0), along = N(0, 0) * N(1, 1);
      for (int i = 0; i < 2; ++i)
        if (!(N(i, i) > noise * problem.entry(2 * i, 2 * i))) return true;
      if (!(along - across >= -noise * (along + std::fabs(across)))) return true;
      for (int i = 0; i < 2; ++i)
        if (!(beside_a_sticking_one(problem, i, mu[i], noise) >= -noise * problem.entry(2 * i, 2 * i))) return true;
    }
  return false;
}

template <class Real>
constexpr Wide limit = sizeof(Real) == 8 ? Wide(1e-6) : Wide(1e-3);  // of velocities

// Percussions with more cancellation than the scalar has digits are artefacts of rounding, as between two contacts
// that clamp a body of one coordinate: G of the rounded directions is not exactly singular.
bool solvable(const PlainProblem& problem, Wide small, Wide noise) {
  const Wide fastest = added_up(problem, Rows{});
  return any_solution(problem, small,
                      [&](const Rows& P, const problems::Modes&) { return added_up(problem, P) * noise <= fastest; });
}

struct Tally {
  long pairs = 0, accepted = 0, wrong = 0, unsolvable = 0;

  void print() const {
    const long solvable = pairs - unsolvable;
    std::printf("   %10ld %10ld %9.4f %7ld", pairs, unsolvable,
                solvable > 0 ? 100.0 * double(accepted) / double(solvable) : 100.0, wrong);
  }
};

// Returns the number of wrong solutions.
template <class Real>
long ask(const pairs::Family& family, long count) {
  constexpr Wide noise = Wide(64) * std::numeric_limits<Real>::epsilon();
  const moreau::Judge<Real> judge;
  pairs::Draw draw(29);
  Tally tally[2];  // of ordinary pairs, of Painleve-like pairs
  for (long n = 0; n < count; ++n) {
    const Contacts<Real> pair = contacts_of<Real>(family.draw(draw));
    const PlainProblem problem = plain(pair);
    Tally& t = tally[painleve(problem, noise)];
    const Answer answer = few(pair, judge);
    ++t.pairs;
    t.accepted += answer.accepted;
    if (answer.accepted)
      t.wrong += !right(problem, answer.P, limit<Real>, noise);
    else
      t.unsolvable += !solvable(problem, limit<Real>, noise);
  }
  std::printf("%-20s %-6s", family.name, sizeof(Real) == 4 ? "float" : "double");
  for (const Tally& t : tally) t.print();
  std::printf("\n");
  std::fflush(stdout);
  return tally[0].wrong + tally[1].wrong;
}

}  // namespace

int main(int argc, char** argv) {
  const long count = argc > 1 ? std::atol(argv[1]) : 100000;
  const char* wanted = argc > 2 ? argv[2] : "";
  if (count < 1) {
    std::fprintf(stderr, "usage: benchmarks.random_pairs [pairs] [family]\n");
    return 2;
  }
  std::printf("%-20s %-6s   %10s %10s %9s %7s   %10s %10s %9s %7s\n", "family", "scalar", "pairs", "unsolvable",
              "solved %", "wrong", "Painleve", "unsolvable", "solved %", "wrong");
  long wrong = 0;
  for (const pairs::Family& family : pairs::families) {
    if (std::strncmp(family.name, wanted, std::strlen(wanted)) != 0) continue;
    wrong += ask<float>(family, count);
    wrong += ask<double>(family, count);
  }
  return wrong > 0 ? 1 : 0;
}
