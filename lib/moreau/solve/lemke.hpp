// Lemke's complementary pivoting on the LCP of the contact problem.
//
// A dictionary basic = q + T nonbasic is carried along; the artificial variable z0 with covering vector d makes it
// feasible, then the complement of whatever left enters until z0 leaves (solution) or nothing blocks (ray).
//
// The zero block of this LCP makes it degenerate by construction. What keeps the pivoting on the rails:
//   - d = 0 on rows with b >= 0 (d = 1 ends on rays many times in a run);
//   - ratio test with a tolerance: rows that tie within it are equal, z0 leaves first, then the largest pivot;
//   - percussions and velocities scaled (lcp.hpp), so that one tolerance fits;
//   - one refinement with the true residual: the columns of the nonbasic slacks are the inverse of the final basis;
//   - what the judge would not accept is tried again with other covering vectors and tolerances, and the best is kept;
//   - what it would not accept even then gets some sweeps of the prox iteration: where one law moves by m/s and another
//     by 1e-9 m/s, the tableau, whose roundings are those of the fastest, treats the slow one as still.
// Bounded: as many attempts as lemke_attempts has, of pivots_given(n) pivots each, then lemke_sweeps.
#pragma once

#include "moreau/solve/lcp.hpp"
#include "moreau/solve/psor.hpp"

namespace moreau {

struct Lemke {
  float pivot_tolerance = 256.0f;  // in roundings of the scalar: smaller entries of the scaled tableau are zero
  int max_pivots = 100;            // of an attempt; it gets pivots_given(n) if that is less

  constexpr bool valid() const { return pivot_tolerance >= 1.0f && pivot_tolerance <= 1e5f && max_pivots >= 1; }
};

template <class Problem>
struct Workspace<Lemke, Problem> {
  static_assert(detail::planar<Problem>,
                "Lemke solves planar friction only (tangents 0 or 1, friction_dim 1): use Psor for spatial contacts");
  using Real = typename Problem::Real;
  static constexpr int fallbacks = 0;
  static constexpr int n_max = detail::LcpMap<Problem>::capacity;

  Sigmas<Problem> modes;
  typename Problem::Percussions candidate;
  detail::LcpMap<Problem> map;
  Matrix<Real, n_max, n_max + 1> T;  // one column per nonbasic variable; the last one starts as z0's
  Vector<Real, n_max> q;
  std::array<std::int16_t, std::size_t(n_max)> basic{};  // variables: 0..n-1 are y, n..2n-1 are x, 2n is z0
  std::array<std::int16_t, std::size_t(n_max) + 1> nonbasic{};

  Real& A(int i, int j) { return T.coeffRef(i, j); }
  Real& b(int i) { return q.coeffRef(i); }
};

namespace detail {

// Covering vector (0: ones where b < 0, 1: ones everywhere, 2: a ramp) and tie tolerance in roundings.
struct LemkeAttempt {
  int covering;
  float tie;
};
constexpr LemkeAttempt lemke_attempts[] = {{0, 0.0f}, {0, 2.0f}, {0, 256.0f}, {1, 2.0f}, {2, 2.0f}, {2, 256.0f}};

// What an attempt at n rows gets. Of problems drawn at random those that end well take 2.5 n pivots at most
// (tests/solvers/pivots.cpp). What takes more goes round in circles, until rounding lets it out, if it does.
constexpr int pivots_given(int n) { return 3 * n + 4; }

template <class Problem>
class LemkePivoting {
 public:
  using Real = typename Problem::Real;
  LemkePivoting(const Problem& problem, const Lemke& options, Workspace<Lemke, Problem>& work)
      : problem_(problem),
        work_(work),
        n_(work.map.size()),
        tolerance_(Real(options.pivot_tolerance) * epsilon<Real>) {}

  // True when z0 has left. `pivots` counts on.
  bool run(const LemkeAttempt& attempt, int max_pivots, int& pivots) {
    tie_ = Real(attempt.tie) * epsilon<Real>;
    start(attempt.covering);
    int r = most_negative();
    if (r < 0) return true;  // nothing negative: x = 0 solves it
    int s = n_;
    for (int step = 0; step < max_pivots; ++step) {
      ++pivots;
      const int leaving = exchange(r, s);
      if (leaving == 2 * n_) return true;
      s = column_of(complement(leaving));
      r = blocking_row(s);
      if (r < 0) return false;  // a ray
    }
    return false;
  }

  // The solution of the final basis, once refined, as percussions.
  template <class P>
  void read(P& out) {
    read_plain(out);
    refine(out);
    read_plain(out);
  }

 private:
  void start(int covering) {
    work_.map.fill(problem_, work_);
    for (int i = 0; i < n_; ++i) {
      work_.basic[std::size_t(i)] = static_cast<std::int16_t>(i);
      work_.nonbasic[std::size_t(i)] = static_cast<std::int16_t>(n_ + i);
      const Real d[3] = {work_.q.coeff(i) < Real(0) ? Real(1) : Real(0), Real(1), Real(1) + Real(i) / Real(n_)};
      work_.T.coeffRef(i, n_) = d[covering];
    }
    work_.nonbasic[std::size_t(n_)] = static_cast<std::int16_t>(2 * n_);
  }

  // The row that must go first: z0 = max(-q_i / d_i).
  int most_negative() const {
    int r = -1;
    Real lowest = Real(0);
    for (int i = 0; i < n_; ++i) {
      if (!(work_.T.coeff(i, n_) > Real(0))) continue;
      const Real ratio = work_.q.coeff(i) / work_.T.coeff(i, n_);
      if (ratio < lowest) {
        lowest = ratio;
        r = i;
      }
    }
    return r;
  }

  // Which basic variable reaches zero first when column s grows; -1: none does.
  int blocking_row(int s) const {
    Real bound = std::numeric_limits<Real>::infinity();
    for (int i = 0; i < n_; ++i) {
      const Real fall = -work_.T.coeff(i, s);
      if (fall > tolerance_) {
        const Real ratio = (larger(work_.q.coeff(i), Real(0)) + tie_) / fall;
        if (ratio < bound) bound = ratio;
      }
    }
    constexpr Real equal = Real(1) + Real(4) * epsilon<Real>;
    int best = -1;
    for (int i = 0; i < n_; ++i) {
      const Real fall = -work_.T.coeff(i, s);
      if (!(fall > tolerance_) || !(work_.q.coeff(i) <= bound * fall * equal)) continue;
      if (work_.basic[std::size_t(i)] == 2 * n_) return i;
      if (best < 0 || fall > -work_.T.coeff(best, s)) best = i;
    }
    return best;
  }

  // Jordan exchange of basic row r with nonbasic column s, column by column: they lie in one piece. Returns the
  // variable that left the basis.
  int exchange(int r, int s) {
    Real* const entering = column(s);
    const Real inverse = Real(1) / entering[r];
    for (int j = 0; j <= n_; ++j)
      if (j != s) eliminate(column(j), entering, r, inverse);
    eliminate(work_.q.data(), entering, r, inverse);
    for (int i = 0; i < n_; ++i) entering[i] *= inverse;
    entering[r] = inverse;
    const std::int16_t left = work_.basic[std::size_t(r)];
    work_.basic[std::size_t(r)] = work_.nonbasic[std::size_t(s)];
    work_.nonbasic[std::size_t(s)] = left;
    return left;
  }
  void eliminate(Real* of, const Real* entering, int r, Real inverse) {
    const Real in_r = of[r] * -inverse;
    for (int i = 0; i < n_; ++i) of[i] += entering[i] * in_r;
    of[r] = in_r;
  }
  Real* column(int j) { return &work_.T.coeffRef(0, j); }

  int complement(int variable) const { return variable < n_ ? variable + n_ : variable - n_; }
  int column_of(int variable) const {
    for (int j = 0; j <= n_; ++j)
      if (work_.nonbasic[std::size_t(j)] == variable) return j;
    return n_;
  }

  Real value(int variable) const {
    for (int i = 0; i < n_; ++i)
      if (work_.basic[std::size_t(i)] == variable) return larger(work_.q.coeff(i), Real(0));
    return Real(0);
  }

  template <class P>
  void read_plain(P& out) const {
    work_.map.percussions(
        problem_, [this](int j) { return value(n_ + j); }, out);
  }

  // rho = y - (A x + b) in exact data; nonbasic slacks absorb it through their columns.
  template <class P>
  void refine(const P& out) {
    const auto& map = work_.map;
    Vector<Real, Workspace<Lemke, Problem>::n_max> rho;
    for (int i = 0; i < map.k + map.m; ++i) {
      const int r = i < map.k ? problem_.row(i) : map.row[std::size_t(i - map.k)];
      const Real y = value(i) - (i < map.k ? Real(0) : value(n_ + map.L(i - map.k)));
      rho.coeffRef(i) = y - problem_.xi(r, out) / map.scale.coeff(r) / map.velocity;
    }
    for (int i = 0; i < n_; ++i) {
      if (work_.basic[std::size_t(i)] < n_) continue;  // slacks are not needed for the percussions
      for (int j = 0; j <= n_; ++j) {
        const int slack = work_.nonbasic[std::size_t(j)];
        if (slack < map.k + map.m) work_.q.coeffRef(i) += work_.T.coeff(i, j) * rho.coeff(slack);
      }
    }
  }

  const Problem& problem_;
  Workspace<Lemke, Problem>& work_;
  const int n_;
  const Real tolerance_;
  Real tie_ = Real(0);
};

constexpr int lemke_sweeps = 100, lemke_polish = 10;  // the judge is asked after each of the first, then every 10th

}  // namespace detail

template <class Problem>
int solve(const Problem& problem, const Lemke& options, Workspace<Lemke, Problem>& work,
          typename Problem::Percussions& P, const Judge<typename Problem::Real>& judge = {}) {
  using Real = typename Problem::Real;
  int pivots = 0;
  if constexpr (detail::planar<Problem>) {
    work.map.build(problem);
    detail::LemkePivoting<Problem> pivoting(problem, options, work);
    const int given = detail::pivots_given(work.map.size());
    const int most = options.max_pivots < given ? options.max_pivots : given;
    Real best = std::numeric_limits<Real>::infinity();
    for (const detail::LemkeAttempt& attempt : detail::lemke_attempts) {
      if (!pivoting.run(attempt, most, pivots)) continue;
      pivoting.read(work.candidate);
      const auto verdict = weigh(problem, work.candidate, judge, work.modes);
      if (verdict.relative < best) {
        best = verdict.relative;
        P = work.candidate;
      }
      if (verdict.exact) return pivots;
    }
    // What pivoting leaves is polished by prox sweeps; where it found nothing (mu of 1 and more can make the equations
    // such that every pivoting ends on a ray), they start from zero.
    work.candidate = P;
    if (!(best < judge.reject)) work.candidate.setZero();
    for (int i = 1; i <= detail::lemke_sweeps; ++i) {
      detail::measured_sweep(problem, Real(1), work.candidate, work.candidate);
      if (i > detail::lemke_polish && i % detail::lemke_polish != 0) continue;
      const auto verdict = weigh(problem, work.candidate, judge, work.modes);
      if (!(verdict.relative < best)) continue;
      best = verdict.relative;
      P = work.candidate;
      if (verdict.exact) break;
    }
  }
  return pivots;
}

}  // namespace moreau
