// Lemke's complementary pivoting for planar contact problems, with one side of each friction cone at a time (lcp.hpp).
//
// The tableau is a dictionary basic = q + T nonbasic with the LCP vector q. The artificial variable z0 with covering
// vector d makes it feasible. In each pivot the complement of the leaving variable enters. Pivoting ends with a
// solution if z0 leaves, and without one, on a secondary ray, if no variable blocks. Blocking variables by mode:
//
//   open     P_N = 0          xi_N; not xi_T, which may have either sign
//   slip     x = 0            P_N and y = s xi_T
//   stick    xi_N = xi_T = 0  x and 2 mu P_N - x; if the latter blocks, the friction law is flipped
//
// A flip changes to the other side s of the friction cone: x' = 2 mu P_N - x, y' = -y. When a contact closes, its side
// is chosen so that slip continues in the current direction. Only normal rows and friction elements have nonzero
// entries in d, as in the copositive form. If c = W^T v for a velocity v, the pivots end with a solution, not a ray.
#pragma once

#include "moreau/solve/best_answer.hpp"
#include "moreau/solve/lcp.hpp"

namespace moreau {

// Options of Lemke's method (lemke.hpp).
struct Lemke {
  float pivot_tolerance = 256.0f;  // in machine epsilons, 1 to 1e5; smaller entries of the scaled tableau count as 0
  int max_pivots = 100;            // upper limit per attempt, at least 1; further limited by pivots_given(n)

  constexpr bool valid() const { return pivot_tolerance >= 1.0f && pivot_tolerance <= 1e5f && max_pivots >= 1; }
};

template <class Problem>
struct Workspace<Lemke, Problem> : detail::Trial<Problem> {
  static_assert(detail::planar<Problem>,
                "Lemke solves planar friction only (tangents 0 or 1, friction_dim 1): use Psor for spatial contacts");
  using Real = typename Problem::Real;
  static constexpr int fallbacks = 0;
  static constexpr int n_max = detail::LcpMap<Problem>::capacity;

  detail::LcpMap<Problem> map;
  Matrix<Real, n_max, n_max + 3> T;                      // columns: nonbasic variables, q, perturbation of q
  std::array<std::int16_t, std::size_t(n_max)> basic{};  // variables: 0..n-1 y, n..2n-1 x, 2n z0
  std::array<std::int16_t, std::size_t(n_max) + 1> nonbasic{};
  std::array<std::int16_t, std::size_t(2 * n_max) + 1> place{};  // row of a variable, or -1 - column

  Real& A(int i, int j) { return T.coeffRef(i, j); }
  Real& b(int i) { return T.coeffRef(i, map.n + 1); }
};

namespace detail {

// Parameters of one attempt.
struct LemkeAttempt {
  int covering;    // covering vector. 0: one where q < 0; 1: one everywhere; 2: linearly increasing
  float tie;       // tolerance of the ratio test, in machine epsilons
  bool perturbed;  // true: a perturbation of q breaks ties
};

template <class Problem>
class LemkePivoting {
 public:
  using Real = typename Problem::Real;
  LemkePivoting(const Problem& problem, const Lemke& options, Workspace<Lemke, Problem>& work)
      : problem_(problem), work_(work), n_(work.map.n), tolerance_(Real(options.pivot_tolerance) * epsilon<Real>) {}

  // Pivots until z0 leaves. Returns false on a ray or after max_pivots. Adds the number of pivots to `pivots`.
  bool run(const LemkeAttempt& attempt, int max_pivots, int& pivots) {
    tie_ = Real(attempt.tie) * epsilon<Real>;
    perturbed_ = attempt.perturbed;
    start(attempt.covering);
    int r = most_negative();
    if (r < 0) return true;  // no negative entry: x = 0 is a solution
    int s = exchange(r, n_);
    for (int step = 1; ++pivots, step < max_pivots; ++step) {
      const Block block = first_block(s);
      if (block.limit == Limit::none) return false;  // ray
      if (block.limit == Limit::own) {
        s = flip_entering(s);
        continue;
      }
      if (block.limit == Limit::upper) flip_basic(block.row);
      s = exchange(block.row, s);
      if (s < 0) return true;
    }
    return false;
  }

  // Stores the percussions of the final basis in `out`, after one step of iterative refinement.
  template <class P>
  void read(P& out) {
    read_plain(out);
    refine(out);
    read_plain(out);
  }

 private:
  enum class Limit : std::int8_t { none, lower, upper, own };  // own: upper bound of the entering variable
  struct Block {
    std::int16_t row;  // of a basic variable; for Limit::own the entering column
    Limit limit;
  };

  void start(int covering) {
    const auto& map = work_.map;
    map.fill(problem_, work_);
    for (int i = 0; i < n_; ++i) {
      put(i, i, false);
      put(n_ + i, i, true);
      T(i, n_) = covered(covering, i);
      if (perturbed_) T(i, n_ + 2) = Real(1) + Real(i * 5 % 8) / Real(8) + Real(i) / Real(64);  // distinct
    }
    put(2 * n_, n_, true);
    for (int i = 0; i < n_; ++i)
      if (map.is(Law::friction, i) && q(i) < Real(0)) flip_open(i);  // a friction element can make q_i < 0
  }

  Real covered(int covering, int i) const {
    if (work_.map.is(Law::friction, i)) return Real(0);
    if (covering == 0 || work_.map.is(Law::element, i)) return q(i) < Real(0) ? Real(1) : Real(0);
    return covering == 1 ? Real(1) : Real(1) + Real(i) / Real(n_);
  }

  // Returns the row with the largest -q_i / d_i, which leaves first when z0 enters; -1 if no q_i is negative.
  int most_negative() const {
    int r = -1;
    Real lowest = Real(0);
    for (int i = 0; i < n_; ++i) {
      if (!(T(i, n_) > Real(0))) continue;
      const Real ratio = q(i) / T(i, n_);
      if (ratio < lowest) lowest = ratio, r = i;
    }
    return r;
  }

  // Returns the variable that reaches its limit first when the variable of column s grows.
  Block first_block(int s) const {
    Limits limits(tolerance_);
    for (int i = 0; i < n_; ++i) {
      const int variable = work_.basic[std::size_t(i)];
      const int law = variable < n_ ? variable : variable - n_;
      const bool friction = law < n_ && work_.map.is(Law::friction, law);
      const bool free = variable < n_ ? friction && !grows(n_ + law - 1, s)  // xi_T of an open contact
                                      : law < n_ && work_.map.is(Law::normal, law) && grows(n_ + law + 1, s);
      if (free) continue;
      limits.add(i, Limit::lower, q(i), T(i, s));
      if (variable >= n_ && law < n_ && work_.map.is_friction(law))
        limits.add(i, Limit::upper, above(law, n_ + 1) - q(i), above(law, s) - T(i, s));
    }
    const int entering = work_.nonbasic[std::size_t(s)] - n_;
    if (entering >= 0 && work_.map.is_friction(entering))  // z0 enters first and only once
      limits.add(s, Limit::own, above(entering, n_ + 1), above(entering, s) - Real(1));
    return first_of(limits);
  }
  // Returns true if the variable is basic or enters.
  bool grows(int variable, int s) const {
    const int place = work_.place[std::size_t(variable)];
    return place >= 0 || place == -1 - s;
  }
  // Returns an entry of the dictionary row of the upper bound of x: a multiple of P_N, or the bound of a friction
  // element. P_N is basic, because first_block() prevents it from leaving while x is basic or entering.
  Real above(int law, int column) const {
    const Real most = work_.map.most.coeff(law);
    if (work_.map.is(Law::element, law)) return column == n_ + 1 ? most : Real(0);
    return most * T(work_.place[std::size_t(n_ + law - 1)], column);
  }

  struct Limits {
    static constexpr std::size_t most = 2 * std::size_t(Workspace<Lemke, Problem>::n_max) + 1;
    std::array<Block, most> block;
    std::array<Real, most> value, fall;
    int count = 0;
    const Real tolerance;

    explicit Limits(Real t) : tolerance(t) {}
    void add(int row, Limit limit, Real x, Real slope) {
      if (!(-slope > tolerance)) return;
      const std::size_t i = std::size_t(count++);
      block[i] = {static_cast<std::int16_t>(row), limit}, value[i] = x, fall[i] = -slope;
    }
  };
  // Ratio test. Ties: z0 leaves first, then the largest pivot or, in perturbed attempts, the smallest perturbed ratio.
  Block first_of(const Limits& limits) const {
    Real bound = std::numeric_limits<Real>::infinity();
    for (std::size_t i = 0; i < std::size_t(limits.count); ++i) {
      const Real ratio = (larger(limits.value[i], Real(0)) + tie_) / limits.fall[i];
      if (ratio < bound) bound = ratio;
    }
    constexpr Real equal = Real(1) + Real(4) * epsilon<Real>;
    Block best{-1, Limit::none};
    Real merit = -std::numeric_limits<Real>::infinity();
    for (std::size_t i = 0; i < std::size_t(limits.count); ++i) {
      const Block block = limits.block[i];
      if (!(limits.value[i] <= bound * limits.fall[i] * equal)) continue;
      if (block.limit == Limit::lower && work_.basic[std::size_t(block.row)] == 2 * n_) return block;
      const Real own = perturbed_ ? -perturbation(block) / limits.fall[i] : limits.fall[i];
      if (own > merit) {
        best = block;
        merit = own;
      }
    }
    return best;
  }

  Real perturbation(const Block& block) const {  // of a blocking variable
    if (block.limit == Limit::lower) return T(block.row, n_ + 2);
    const bool own = block.limit == Limit::own;
    const int law = (own ? work_.nonbasic[std::size_t(block.row)] : work_.basic[std::size_t(block.row)]) - n_;
    return above(law, n_ + 2) - (own ? Real(0) : T(block.row, n_ + 2));
  }

  // Exchanges basic row r and nonbasic column s (Jordan exchange), column by column because columns are contiguous.
  // Returns the next entering column, the complement of the variable that left; -1 if z0 left.
  int exchange(int r, int s) {
    const Real inverse = Real(1) / T(r, s);
    eliminate(
        s, -inverse, [this, r](int j) { return T(r, j); }, [this, r](int j, Real x) { T(r, j) = x; });
    for (int i = 0; i < n_; ++i) T(i, s) *= inverse;
    T(r, s) = inverse;
    const int left = work_.basic[std::size_t(r)];
    put(work_.nonbasic[std::size_t(s)], r, false);
    put(left, s, true);
    if (left == 2 * n_) return -1;
    if (left < n_ && work_.map.is(Law::normal, left) && q(work_.place[std::size_t(left + 1)]) < Real(0))
      flip_open(left + 1);
    return column_of(left < n_ ? left + n_ : left - n_);
  }
  // For every column j != s: adds in = by * row(j) times column s to column j. put(j, in) sets the pivot row entry.
  template <class Row, class Put>
  void eliminate(int s, Real by, const Row& row, const Put& put) {
    const Real* const entering = column(s);
    for (int j = 0; j < columns(); ++j) {
      if (j == s) continue;
      const Real in = row(j) * by;
      add_multiple(column(j), entering, in);
      put(j, in);
    }
  }
  void add_multiple(Real* of, const Real* entering, Real by) const {
    int i = 0;
    for (; i + 4 <= n_; i += 4) {  // blocks of four for vectorisation
      const Real a = of[i] + entering[i] * by, b = of[i + 1] + entering[i + 1] * by;
      const Real c = of[i + 2] + entering[i + 2] * by, d = of[i + 3] + entering[i + 3] * by;
      of[i] = a, of[i + 1] = b, of[i + 2] = c, of[i + 3] = d;
    }
    for (; i < n_; ++i) of[i] += entering[i] * by;
  }

  // Flip a friction law. flip_open: the contact is open. flip_basic: x is basic and at its bound. flip_entering: x
  // enters and reaches its bound.
  void flip_open(int law) {
    flip_side(law);
    const int i = work_.place[std::size_t(law)];
    for (int j = 0; j < columns(); ++j) T(i, j) = -T(i, j);
    Real *const x = column(column_of(n_ + law)), *const normal = column(column_of(n_ + law - 1));
    for (int r = 0; r < n_; ++r) {
      normal[r] += work_.map.most.coeff(law) * x[r];
      x[r] = -x[r];
    }
  }
  void flip_basic(int row) {
    const int law = work_.basic[std::size_t(row)] - n_;
    for (int j = 0; j < columns(); ++j) T(row, j) = above(law, j) - T(row, j);
    flip_slack(law);
  }
  MOREAU_NOINLINE int flip_entering(int s) {  // rare; inlining would enlarge the stack frame of every pivot
    const int law = work_.nonbasic[std::size_t(s)] - n_;
    const Real inverse = Real(1) / (above(law, s) - Real(1));
    eliminate(
        s, -inverse, [this, law](int j) { return above(law, j); }, [](int, Real) {});
    for (int i = 0; i < n_; ++i) T(i, s) *= inverse;
    flip_slack(law);
    return column_of(law);
  }
  void flip_slack(int law) {
    flip_side(law);
    Real* const y = column(column_of(law));
    for (int i = 0; i < n_; ++i) y[i] = -y[i];
  }
  void flip_side(int law) { work_.map.unit.coeffRef(law) = -work_.map.unit.coeff(law); }

  int columns() const { return perturbed_ ? n_ + 3 : n_ + 2; }
  Real* column(int j) { return &work_.T.coeffRef(0, j); }
  Real& T(int i, int j) { return work_.T.coeffRef(i, j); }
  Real T(int i, int j) const { return work_.T.coeff(i, j); }
  Real q(int i) const { return T(i, n_ + 1); }
  int column_of(int variable) const { return -1 - work_.place[std::size_t(variable)]; }
  void put(int variable, int at, bool in_column) {
    work_.place[std::size_t(variable)] = static_cast<std::int16_t>(in_column ? -1 - at : at);
    (in_column ? work_.nonbasic[std::size_t(at)] : work_.basic[std::size_t(at)]) = static_cast<std::int16_t>(variable);
  }

  template <class P>
  void read_plain(P& out) const {
    const auto x = [this](int i) {
      const int row = work_.place[std::size_t(n_ + i)];
      return row < 0 ? Real(0) : larger(q(row), Real(0));
    };
    work_.map.percussions(problem_, x, out);
  }

  // Iterative refinement: recomputes the residual of the nonbasic slacks from the contact problem. Their columns
  // contain the inverse of the basis.
  template <class P>
  void refine(const P& out) {
    const auto& map = work_.map;
    for (int law = 0; law < n_; ++law) {
      const int j = column_of(law);
      if (j < 0) continue;
      const Real y = problem_.xi(map.row[std::size_t(law)], out) * map.unit.coeff(law) / map.velocity;
      for (int i = 0; i < n_; ++i) T(i, n_ + 1) -= T(i, j) * y;
    }
  }

  const Problem& problem_;
  Workspace<Lemke, Problem>& work_;
  const int n_;
  const Real tolerance_;
  Real tie_ = Real(0);
  bool perturbed_ = false;
};

}  // namespace detail
}  // namespace moreau
