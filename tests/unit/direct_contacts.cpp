// Direct solution of one and two contacts in every mode, against exhaustive mode enumeration and against the acceptance
// test.
#include <moreau/moreau.hpp>

#include <Eigen/LU>
#include <cmath>
#include <limits>

#include "models/pendulum_stop.hpp"
#include "support/bits_hash.hpp"
#include "support/rocking_block.hpp"
#include "support/saved.hpp"
#include "support/test.hpp"

using moreau::detail::Branching;
using moreau::detail::Branchless;
using Problem = moreau::ContactProblem<Real, 2>;
using Wide = double;

namespace {

enum class Kind { generic, shared_tangent, parallel, frictionless, at_rest };

// Directions w of contacts in four coordinates of unit mass: G = w^T w, P positive definite in general.
Problem random_problem(test::Random& random, int k, Kind kind) {
  const auto between = [&random](double a, double b) { return random.between(Real(a), Real(b)); };
  const int coordinates = kind == Kind::parallel ? 1 : (kind == Kind::shared_tangent ? 3 : 4);
  Eigen::Matrix<Real, 4, 4> w = Eigen::Matrix<Real, 4, 4>::Zero();
  for (int r = 0; r < 4; ++r)
    for (int j = 0; j < coordinates; ++j) w(j, r) = between(-1, 1);
  if (kind == Kind::shared_tangent) w.col(3) = w.col(1);
  Problem problem;
  problem.k = k;
  problem.G = w.transpose().lazyProduct(w);
  problem.G = Real(0.5) * (problem.G + problem.G.transpose()).eval();
  Eigen::Matrix<Real, 4, 1> u;  // c of a compatible velocity if directions are linearly dependent
  for (int j = 0; j < 4; ++j) u(j) = between(-1, 1);
  for (int r = 0; r < 4; ++r) problem.c(r) = u.dot(w.col(r));
  if (kind == Kind::at_rest) problem.c *= Real(1e-6);
  for (int i = 0; i < 2; ++i) problem.mu(i) = kind == Kind::frictionless ? Real(0) : between(0, 1);
  return problem;
}

// Direct solution. Returns false if it is rejected; P is then unchanged.
template <class Flow>
bool few_solve(const Problem& problem, const moreau::Judge<Real>& judge, Problem::Percussions& P) {
  using namespace moreau::detail;
  const auto& G = problem.G;
  const auto contact = [&](int i) {
    const int n = 2 * i, t = n + 1;
    return PlanarContact<Real>{G(n, n), G(n, t), G(t, n), G(t, t), problem.c(n), problem.c(t), problem.mu(i)};
  };
  ContactResult<Real> result[2];
  const auto verdict = problem.k == 1 ? solve_one<Flow>(contact(0), judge, result[0])
                                      : solve_two<Flow>(contact(1), contact(0), {G(2, 0), G(2, 1), G(3, 0), G(3, 1)},
                                                        judge, result[1], result[0]);
  if (Flow::declassify(verdict.rejected(judge))) return false;
  for (int i = 0; i < problem.k; ++i) {
    P(2 * i) = result[i].P_N;
    P(2 * i + 1) = result[i].P_T;
  }
  return true;
}

// Exhaustive enumeration of all 4^k contact-mode combinations, each a linear system. With friction there can be several
// solutions.
struct Enumerated {
  bool solvable = false;
  // m/s: distance to the solution whose velocities are nearest to those of P
  Wide nearest = std::numeric_limits<Wide>::infinity();
};
using Square = Eigen::Matrix<Wide, Eigen::Dynamic, Eigen::Dynamic, 0, 4, 4>;  // a board has no heap
using Column = Eigen::Matrix<Wide, Eigen::Dynamic, 1, 0, 4, 1>;

Enumerated enumerate(const Problem& problem, const Problem::Percussions& answer) {
  Enumerated found;
  const int rows = 2 * problem.k;
  const Square G = problem.G.topLeftCorner(rows, rows).template cast<Wide>();
  const Column c = problem.c.head(rows).template cast<Wide>();
  const Wide slack = 1e-9 * c.cwiseAbs().maxCoeff();  // of double arithmetic on numbers of order 1
  for (int code = 0; code < (problem.k == 1 ? 4 : 16); ++code) {
    Square A = Square::Zero(rows, rows);
    Column b = Column::Zero(rows);
    for (int i = 0; i < problem.k; ++i) {
      const int mode = (code >> (2 * i)) & 3, n = 2 * i, t = n + 1;  // 0 open, 1 stick, 2 and 3 slip
      if (mode == 0) A(n, n) = 1;
      if (mode != 0) A.row(n) = G.row(n), b(n) = -c(n);
      if (mode == 1) A.row(t) = G.row(t), b(t) = -c(t);
      if (mode != 1) A(t, t) = 1;
      if (mode > 1) A(t, n) = Wide(problem.mu(i)) * (mode == 2 ? -1 : 1);
    }
    const Column P = A.fullPivLu().solve(b);
    if (!((A * P - b).cwiseAbs().maxCoeff() <= slack)) continue;
    const Column xi = G * P + c;
    bool consistent = true;
    for (int i = 0; i < problem.k; ++i) {
      const int mode = (code >> (2 * i)) & 3, n = 2 * i, t = n + 1;
      const Wide limit = Wide(problem.mu(i)) * P(n);
      consistent = consistent && (mode == 0 ? xi(n) >= -slack : P(n) >= -slack);
      if (mode == 1) consistent = consistent && std::fabs(P(t)) <= limit + slack;
      if (mode > 1) consistent = consistent && (mode == 2 ? -1 : 1) * xi(t) >= -slack;
    }
    if (!consistent) continue;
    found.solvable = true;
    const Column off = xi - (G * answer.head(rows).template cast<Wide>() + c);
    found.nearest = std::fmin(found.nearest, off.cwiseAbs().maxCoeff());
  }
  return found;
}

struct Counts {
  int solvable = 0, solved = 0, wrong = 0, stick = 0, slip = 0, open = 0;
};

Counts ask(std::uint32_t seed, int k, Kind kind) {
  constexpr int problems = often(3000);
  const moreau::Judge<Real> judge;
  // A violation within the bound of the acceptance test in one row can be several hundred times as large in another.
  const Wide far = 1000 * Wide(judge.rtol);
  test::Random random(seed);
  Counts counts;
  for (int n = 0; n < problems; ++n) {
    const Problem problem = random_problem(random, k, kind);
    Problem::Percussions P = Problem::Percussions::Zero(), Q = P;
    const bool solved = few_solve<Branching>(problem, judge, P);
    const bool again = few_solve<Branchless>(problem, judge, Q);
    CHECK_EQUAL(solved, again);
    for (int r = 0; r < 2 * k; ++r) CHECK_EQUAL(moreau::detail::to_bits(P(r)), moreau::detail::to_bits(Q(r)));
    if (solved) {
      moreau::Modes<Problem> modes;
      CHECK(evaluate(problem, P, judge, modes).exact);
      for (int i = 0; i < k; ++i) {
        counts.open += P(2 * i) == 0;
        counts.stick += modes.T[std::size_t(i)] == 0;
        counts.slip += P(2 * i) > 0 && modes.T[std::size_t(i)] == 1;
      }
    }
    const Enumerated all = enumerate(problem, P);
    if (!all.solvable) continue;
    ++counts.solvable;
    counts.solved += solved;
    // Directions that are parallel in double are no longer parallel once G is rounded to float; the enumeration then
    // solves another problem.
    if (kind == Kind::parallel && sizeof(Real) == 4) continue;
    counts.wrong += solved && all.nearest > far * Wide(problem.c.cwiseAbs().maxCoeff());
  }
  moreau::port::print("kind ", int(kind), ", ", k, ": ", counts.solved, " of ", counts.solvable, " solved, ",
                      counts.wrong, " other velocities; open ", counts.open, " stick ", counts.stick, " slip ",
                      counts.slip);
  return counts;
}

}  // namespace

void test_one_contact_is_always_solved(void) {
  for (const Kind kind : {Kind::generic, Kind::parallel, Kind::frictionless, Kind::at_rest}) {
    const Counts counts = ask(1, 1, kind);
    CHECK_EQUAL(counts.solvable, counts.solved);
    CHECK_EQUAL(0, counts.wrong);
  }
}
void test_two_contacts(void) {
  constexpr int chance = often(8) < 8 ? 4 : 0;  // for an eighth of the draws, 1 % is 4 +- 2
  for (const Kind kind : {Kind::generic, Kind::shared_tangent, Kind::parallel, Kind::frictionless, Kind::at_rest}) {
    const Counts counts = ask(2, 2, kind);
    CHECK(counts.solvable - counts.solved <= counts.solvable / 100 + chance);
    CHECK_EQUAL(0, counts.wrong);
  }
}

// Percussions scale with the units of mass and velocity: bit-identical for powers of two.
void test_percussions_scale_with_the_units(void) {
  constexpr Real unit = Real(1 << 20);
  const moreau::Judge<Real> judge;
  test::Random random(3);
  for (const Kind kind : {Kind::generic, Kind::shared_tangent, Kind::parallel, Kind::frictionless})
    for (int n = 0; n < 200; ++n) {
      const Problem problem = random_problem(random, 1 + n % 2, kind);
      Problem::Percussions P = Problem::Percussions::Zero(), of_other = P;
      const bool solved = few_solve<Branching>(problem, judge, P);
      const auto check = [&](const Problem& other, Real times) {
        of_other.setZero();
        CHECK_EQUAL(solved, few_solve<Branching>(other, judge, of_other));
        for (int r = 0; r < 4; ++r) CHECK_EQUAL(times * P(r), of_other(r));
      };
      Problem light = problem, fast = problem;
      light.G *= unit;
      check(light, 1 / unit);
      fast.c *= unit;
      check(fast, unit);
    }
}

// Friction within rounding of its bound is unchanged; just inside the cone, it is distributed.
void test_friction_at_its_bound_is_not_redistributed(void) {
  using namespace moreau::detail;
  const PlanarContact<Real> foot{1, 0, 0, 1, -1, -1, Real(0.5)};
  for (const int roundings : {8, 64}) {
    const Real missing = Real(roundings) * epsilon<Real>;
    Percussion<Real> P, Q;
    P.N = Q.N = 1;
    P.T = Real(0.5);
    Q.T = Real(0.5) - missing;
    share_friction<Branching>(foot, foot, Coupling<Real>{0, 0, 0, 1}, P, Q);
    CHECK_EQUAL(roundings < 16 ? Real(0.5) : Real(0.5) - missing / 2, P.T);
    CHECK_EQUAL(1 - missing, P.T + Q.T);
  }
}

// Normal and tangent of a contact of one degree of freedom are parallel: friction could carry any part of the load. A
// contact at rest has no friction, in every step and for any mu. If the friction depended on rounding, so would the
// normal force, by 5 N of 8.
template <moreau::Timing timing>
void check_pendulum(Real mu) {
  using Model = models::PendulumStop<Real>;
  Model model;
  model.mu = mu;
  moreau::State<Model> start;
  start.q(0) = model.stop - Real(1e-4);  // a gap that remains closed
  moreau::Stepper<Model, moreau::Exact, timing> pendulum{model, start};
  for (int n = 0; n < often(2000); ++n) {
    const auto report = pendulum.step(Real(1e-4));
    CHECK(report.status == moreau::Status::ok && report.active == 1 && report.fallbacks == 0);
    const Real angle = pendulum.state.q(0);
    const Real load = model.m * model.gravity * model.s * moreau::sin(angle) /
                      (model.l * moreau::cos(angle - (model.stop - model.slope)));
    CHECK_WITHIN(Real(32) * moreau::detail::epsilon<Real> * load, load, pendulum.contact(0).force_N);
    CHECK_EQUAL(Real(0), pendulum.state.P_T(0, 0));
  }
}
void test_pendulum_on_its_stop_has_no_friction(void) {
  for (const Real mu : {Real(0), Real(0.01), Real(0.5), Real(1), Real(2)}) {
    check_pendulum<moreau::Timing::variable>(mu);
    check_pendulum<moreau::Timing::constant>(mu);
  }
}

// A pair that the direct solution rejects is solved in the reversed order of elimination, without the sweeps of
// ClosedForms and the active-set prediction of Exact. Both timing modes are bit-identical.
template <class Solver>
void check_rejected_pairs() {
  using Block = test::RockingBlock<Real>;
  using moreau::Timing;
  const Block model;
  moreau::Stepper<Block, Solver> variable{model, model.start()};
  moreau::Stepper<Block, Solver, Timing::constant> constant{model, model.start()};
  int pairs = 0, reversed = 0;
  for (int n = 0; n < often(10000); ++n) {
    const auto report = constant.step(Real(1e-4));
    CHECK(variable.step(Real(1e-4)).advanced() && report.advanced());
    CHECK(test::saved(variable.state) == test::saved(constant.state));
    if (report.active != 2) continue;
    ++pairs;
    reversed += report.fallbacks;
    CHECK_EQUAL(moreau::Status::ok, report.status);
    CHECK_EQUAL(2, report.iterations);
    CHECK(report.fallbacks <= 1);
  }
  moreau::port::print(reversed, " of ", pairs, " pairs solved in the reversed order");
  CHECK(pairs > often(1000) && reversed > often(100));
}
void test_rejected_pairs_are_solved_in_the_reversed_order(void) {
  check_rejected_pairs<moreau::Exact>();
  check_rejected_pairs<moreau::ClosedForms>();
}

// The reversed order is used only for pairs with friction that DirectContacts rejects.
void test_reversed_order_is_not_used_without_need(void) {
  const moreau::Judge<Real> judge;
  test::Random random(4);
  int accepted = 0;
  for (int n = 0; n < often(20000); ++n) {
    const Problem problem = random_problem(random, 2, Kind::generic);
    Problem::Percussions P = Problem::Percussions::Constant(Real(7)), direct = P;
    const bool solved = few_solve<Branching>(problem, judge, direct);
    const bool reversed = moreau::detail::solve_rejected_pair(problem, judge, P);
    CHECK(!(solved && reversed));
    if (reversed) {
      moreau::Modes<Problem> modes;
      CHECK(evaluate(problem, P, judge, modes).exact);
    } else {
      CHECK(P == Problem::Percussions::Constant(Real(7)));
    }
    accepted += solved;
    Problem other = problem;
    other.k = 1;
    CHECK(!moreau::detail::solve_rejected_pair(other, judge, P));
    other = problem;
    other.G.row(3).setZero();
    other.G.col(3).setZero();
    CHECK(!moreau::detail::solve_rejected_pair(other, judge, P));
  }
  CHECK(accepted > often(18000));
}

TEST_MAIN({
  TEST(test_rejected_pairs_are_solved_in_the_reversed_order);
  TEST(test_reversed_order_is_not_used_without_need);
  TEST(test_pendulum_on_its_stop_has_no_friction);
  TEST(test_one_contact_is_always_solved);
  TEST(test_two_contacts);
  TEST(test_percussions_scale_with_the_units);
  TEST(test_friction_at_its_bound_is_not_redistributed);
})
