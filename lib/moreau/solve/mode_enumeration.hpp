// Exhaustive mode enumeration for at most four planar contacts and friction elements. It finds solutions that pivoting
// and active-set prediction miss, for example if the restitution coefficients of redundant contacts are incompatible.
//
// The search is depth-first. At each level one contact is eliminated, in each of its four modes. For k contacts this
// takes 4 + 16 + ... + 4^(k-1) eliminations of shrinking matrices and 4^k back substitutions. A friction element is
// treated as a contact without a normal row; its bound replaces mu P_N. Combinations that satisfy the contact laws
// approximately are solved again to full accuracy (mode_equations.hpp) and then tested for acceptance.
//
// A singular pivot block prunes its branch of the search. A second search therefore eliminates in reverse order, with
// larger tolerances. The third search omits the regularisation, which distorts the solution of nearly singular
// equations. The number of searches is fixed (mode_searches).
#pragma once

#include "moreau/solve/best_answer.hpp"
#include "moreau/solve/mode_equations.hpp"

namespace moreau {
namespace detail {

// One search of all combinations.
//
//   reverse       eliminates the last contact first
//   regularised   adds a regularisation to the diagonal entries
//   confirmed     maximum number of combinations that are solved again
//   corrections   maximum number of refinement steps for each of them
//   off           tolerance of the inequalities, relative to the sum of the term magnitudes, in units of 1e-3 (float)
//                 or 1e-6 (double)
//   percussions   largest plausible percussion, relative to the percussion whose rounding error alone equals the
//                 acceptance tolerance; nearly singular equations give percussions that are far too large
//
// The first search solves 98 to 99 % of the problems, and the second search 90 % of the remaining ones.
struct ModeSearch {
  bool reverse, regularised;
  int confirmed, corrections;
  float off, percussions;
};
constexpr ModeSearch mode_searches[] = {
    {false, true, 20, 2, 1.0f, 4.0f}, {true, true, 12, 3, 16.0f, 1000.0f}, {true, false, 12, 3, 64.0f, 1000.0f}};

// Depth-first search over the mode combinations of one problem.
template <class Problem>
class ModeEnumeration {
 public:
  using Real = typename Problem::Real;
  using Percussions = typename Problem::Percussions;
  ModeEnumeration(const Problem& problem, const Judge<Real>& judge)
      : problem_(problem), judge_(judge), equations_(problem) {}

  // Runs the searches. Returns true when a combination passes the acceptance test with ok; otherwise `best` contains
  // the best combination found.
  bool search(BestAnswer<Problem>& best) {
    for (const ModeSearch& search : mode_searches) {
      begin(search);
      for (int confirmed = 0; confirmed < search.confirmed && next(); ++confirmed)
        if (confirm(search, best)) return true;
    }
    return false;
  }

 private:
  static constexpr Real rough = sizeof(Real) == 8 ? Real(1e-6) : Real(1e-3);
  static constexpr Real singular = Real(8) * epsilon<Real>;
  // Velocity error per unit of percussion if the matrix entries have the rounding error epsilon, in units of `rough`.
  // Matrix, velocity and percussion are scaled.
  static constexpr Real entry_error = epsilon<Real> / rough;

  // Equations of the contacts from `level` on, with a normal and a tangential row for each contact. The columns contain
  // the coefficients of the unknowns, then c, then the scale of c (the sum of its term magnitudes).
  static constexpr int laws = Problem::contacts + Problem::frictions;
  static constexpr int most = laws < most_enumerated ? laws : most_enumerated;
  struct Equations {
    Real A[2 * most][2 * most + 2];
  };

  // Scales the problem as in Lemke's method (lcp.hpp), with one unit per contact and a largest velocity of 1.
  void begin(const ModeSearch& search) {
    rough_ = rough * Real(search.off);
    most_ = judge_.rtol * judge_.cancellation / epsilon<Real> * Real(search.percussions);
    k_ = problem_.k + problem_.elements;
    Real fastest = std::numeric_limits<Real>::min(), unit[most_enumerated];
    for (int level = 0; level < k_; ++level) {
      law_[level] = search.reverse ? k_ - 1 - level : level;
      mu_[level] = Real(0);
      if (Problem::tangents == 1 && !element(level)) mu_[level] = problem_.mu.coeff(law_[level]);
      unit[level] =
          Real(1) / sqrt(element(level) ? problem_.diagonal(row(level, 1)) : contact_scale(problem_, law_[level]));
      for (int t = 0; t < 2; ++t)
        if (is(level, t)) fastest = larger(fastest, absolute(problem_.c.coeff(row(level, t)) * unit[level]));
    }
    for (int a = 0; a < 2 * k_; ++a) {
      const int r = row(a / 2, a % 2);
      const bool there = is(a / 2, a % 2);
      for (int b = 0; b < 2 * k_; ++b)
        left_[0].A[a][b] =
            there && is(b / 2, b % 2) ? problem_.G.coeff(r, row(b / 2, b % 2)) * unit[a / 2] * unit[b / 2] : Real(0);
      if (search.regularised) left_[0].A[a][a] += mode_regularisation<Real> * left_[0].A[a][a];
      left_[0].A[a][2 * k_] = there ? problem_.c.coeff(r) * unit[a / 2] / fastest : Real(0);
      left_[0].A[a][2 * k_ + 1] = absolute(left_[0].A[a][2 * k_]);
    }
    if constexpr (Problem::frictions > 0)
      for (int level = 0; level < k_; ++level)
        if (element(level)) mu_[level] = problem_.bound.coeff(law_[level] - problem_.k) / unit[level] / fastest;
    level_ = 0;
    mode_[0] = -1;
  }

  // element(level) returns true for a friction element. is(level, t) returns true if the contact of this level has row
  // t (0: normal, 1: tangential). row(level, t) returns the index of this row in the problem.
  bool element(int level) const { return Problem::frictions > 0 && law_[level] >= problem_.k; }
  bool is(int level, int t) const {
    return element(level) ? t == 1 && problem_.diagonal(row(level, 1)) > Real(0) : t <= Problem::tangents;
  }
  int row(int level, int t) const {
    return element(level) ? problem_.friction_row(law_[level] - problem_.k) : problem_.row(law_[level]) + t;
  }

  // Advances to the next combination whose percussions satisfy the contact laws. Returns false after the last one.
  bool next() {
    while (level_ >= 0) {
      if (++mode_[level_] == mode_count) {
        --level_;
      } else if (level_ + 1 == k_) {
        if (satisfies_laws()) return true;
      } else if (most > 1 && eliminate()) {
        mode_[++level_] = -1;
      }
    }
    return false;
  }

  // Solves the current combination and refines the percussions until they pass the acceptance test with ok. Returns
  // false if no refinement step achieves this.
  bool confirm(const ModeSearch& search, BestAnswer<Problem>& best) {
    equations_.set(code(), search.regularised, best.candidate());
    for (int n = 0; n < search.corrections; ++n) {
      equations_.correct(best.candidate());
      if (best.accept()) return true;
    }
    return false;
  }

  // Returns the combination as a number, two bits per contact.
  int code() const {
    int code = 0;
    for (int level = 0; level < k_; ++level) code += mode_[level] << (2 * law_[level]);
    return code;
  }
  Mode mode(int level) const { return static_cast<Mode>(mode_[level]); }
  // Returns P_T / P_N of a slipping contact, or P_T of a slipping element.
  Real drag(int level) const { return mode(level) == Mode::slip_plus ? -mu_[level] : mu_[level]; }

  // Eliminates the contact of this level from the equations of the next levels. Returns false if the pivot block is
  // singular.
  bool eliminate() {
    const int n = 2 * (k_ - level_);
    const auto& A = left_[level_].A;
    auto& B = left_[level_ + 1].A;
    Solved solved{};
    for (int j = 2; j <= n; ++j) {
      if (!solve(A[0][j], A[1][j], j == n, solved)) return false;
      for (int i = 2; i < n; ++i) B[i - 2][j - 2] = A[i][j] + A[i][0] * solved.N + A[i][1] * solved.T;
    }
    for (int i = 2; i < n; ++i)
      B[i - 2][n - 1] = A[i][n + 1] + absolute(A[i][0] * solved.N) + absolute(A[i][1] * solved.T);
    return true;
  }

  // Percussions of one contact that satisfy its equations for the right-hand sides -r_N and -r_T. With the column of
  // another unknown as r, the result is the derivative of the percussions with respect to this unknown. In this case
  // `all` is false, and the constant bound of a friction element does not contribute.
  struct Solved {
    Real N, T;
  };
  bool solve(Real r_N, Real r_T, bool all, Solved& P) const {
    const auto& A = left_[level_].A;
    P = {Real(0), Real(0)};
    if (element(level_)) return solve_element(r_T, all, P);
    if (mode(level_) == Mode::open) return true;
    if (mode(level_) == Mode::stick) {
      const Real determinant = A[0][0] * A[1][1] - A[0][1] * A[1][0];
      if (!(absolute(determinant) > singular * A[0][0] * A[1][1]) || !(mu_[level_] > Real(0))) return false;
      P.N = (A[0][1] * r_T - A[1][1] * r_N) / determinant;
      P.T = (A[1][0] * r_N - A[0][0] * r_T) / determinant;
      return true;
    }
    const Real d = drag(level_), pivot = A[0][0] + A[0][1] * d;
    if (!(absolute(pivot) > singular * A[0][0]) || (mode(level_) == Mode::slip_minus && !(mu_[level_] > Real(0))))
      return false;
    P.N = -r_N / pivot;
    P.T = d * P.N;
    return true;
  }

  bool solve_element(Real r_T, bool all, Solved& P) const {
    const bool sticks = mode(level_) == Mode::stick, acts = mu_[level_] > Real(0);  // mu_ is 0 for a zero direction
    if (mode(level_) == Mode::open || (!acts && mode(level_) != Mode::slip_plus)) return false;
    if (acts) P.T = sticks ? -r_T / left_[level_].A[1][1] : (all ? drag(level_) : Real(0));
    return !sticks || left_[level_].A[1][1] > singular;  // the scaled diagonal is 1
  }

  // Computes the percussions from the last contact to the first. Returns true if each contact satisfies the
  // inequalities of its mode.
  bool satisfies_laws() {
    Real P[2 * most], pushed = Real(0);
    const int last = level_;
    bool good = true;
    for (; good && level_ >= 0; --level_) {
      const auto& A = left_[level_].A;
      const int n = 2 * (k_ - level_);
      Real r[2], v[2];
      for (int t = 0; t < 2; ++t) {
        r[t] = A[t][n], v[t] = A[t][n + 1] + entry_error * pushed;
        for (int j = 2; most > 1 && j < n; ++j) {  // j < n implies most > 1; g++ does not deduce this
          const Real term = A[t][j] * P[2 * level_ + j];
          r[t] += term;
          v[t] += absolute(term);
        }
      }
      Solved own;
      good = solve(r[0], r[1], true, own) &&
             satisfies_mode(own, r[0], r[1] + A[1][0] * own.N + A[1][1] * own.T, rough_ * v[0], rough_ * (v[0] + v[1]));
      P[2 * level_] = own.N, P[2 * level_ + 1] = own.T;
      pushed += absolute(own.N) + absolute(own.T);
    }
    level_ = last;
    return good;
  }
  bool satisfies_mode(const Solved& P, Real xi_N, Real xi_T, Real off_N, Real off_T) const {
    if (mode(level_) == Mode::open) return xi_N >= -off_N;
    if (!(P.N >= -off_N && P.N <= most_)) return false;
    if (mode(level_) == Mode::stick) return absolute(P.T) <= mu_[level_] * (element(level_) ? Real(1) : P.N) + off_T;
    return !(mu_[level_] > Real(0)) || (mode(level_) == Mode::slip_plus ? xi_T >= -off_T : xi_T <= off_T);
  }

  const Problem& problem_;
  const Judge<Real>& judge_;
  ModeEquations<Problem> equations_;
  int k_ = 0, level_ = 0, law_[most] = {}, mode_[most] = {};
  Real rough_ = Real(0), most_ = Real(0), mu_[most] = {};
  Equations left_[most];
};

// Executes the enumeration. Not inlined: few steps call it, and its stack frame would enlarge that of every step.
template <class Problem>
MOREAU_NOINLINE bool enumerate_modes(const Problem& problem, const Judge<typename Problem::Real>& judge,
                                     BestAnswer<Problem>& best) {
  return ModeEnumeration<Problem>(problem, judge).search(best);
}

}  // namespace detail
}  // namespace moreau
