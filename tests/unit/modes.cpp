// Single contact-mode combinations: of problems with known solutions, the correct combination is solved, no other is
// accepted, a wrong one is revised, and the exhaustive enumeration ends at the correct one.
#include <moreau/moreau.hpp>

#include "support/known_problem.hpp"
#include "support/test.hpp"

namespace {

using moreau::detail::Mode;
using moreau::detail::ModePrediction;

constexpr int modes(int contacts) { return contacts == 1 ? 4 : 4 * modes(contacts - 1); }
// Percussions are of order 1 in the unit of their contact, and G is nearly diagonal: a few roundings of each of six
// unknowns.
constexpr Real tolerance = Real(200) * moreau::detail::epsilon<Real>;

template <int contacts>
struct Known {
  using Problem = moreau::ContactProblem<Real, contacts>;
  Problem problem;
  typename Problem::Percussions P;
  Real unit[contacts];  // unit of velocity of each contact: they differ by a factor of 30

  // `code`: number of the mode combination; values in these modes are random, and c follows.
  Known(test::Random& random, int code) {
    moreau::Vector<Real, 2 * contacts> xi;
    problem.k = contacts;
    for (int i = 0; i < contacts; ++i, code /= 4) {
      unit[i] = i == 0 ? Real(0.2) : (i == 1 ? Real(6) : Real(1));
      const Mode mode = static_cast<Mode>(code % 4);
      problem.mu(i) = random.between(Real(0.2), Real(0.5));
      const Real P_N = mode == Mode::open ? Real(0) : random.between(Real(0.5), Real(2)) / unit[i];
      const Real slip = random.between(Real(0.1), Real(1)) * unit[i], rub = problem.mu(i) * P_N;
      xi(2 * i) = mode == Mode::open ? random.between(Real(0.1), Real(1)) * unit[i] : Real(0);
      xi(2 * i + 1) = mode == Mode::stick ? Real(0) : (mode == Mode::slip_minus ? -slip : slip);
      P(2 * i) = P_N;
      P(2 * i + 1) = mode == Mode::stick
                         ? rub * random.between(Real(-0.9), Real(0.9))
                         : (mode == Mode::slip_minus ? rub : (mode == Mode::slip_plus ? -rub : Real(0)));
    }
    for (int r = 0; r < 2 * contacts; ++r)
      for (int c = 0; c <= r; ++c) {
        const Real entry = r == c ? random.between(Real(1), Real(2)) : random.between(Real(-0.15), Real(0.15));
        problem.G(r, c) = problem.G(c, r) = entry * unit[r / 2] * unit[c / 2];
      }
    problem.c = xi - problem.G * P;
  }
  bool solved_by(const typename Problem::Percussions& other) const {
    for (int r = 0; r < 2 * contacts; ++r)
      if (!(moreau::detail::absolute(other(r) - P(r)) * unit[r / 2] <= tolerance)) return false;
    return true;
  }
};

// Percussions that imply the modes of combination `code`, as the start of the prediction.
template <class Problem>
void set(ModePrediction<Problem>& prediction, const Problem& problem, int code) {
  typename Problem::Percussions P = Problem::Percussions::Zero();
  for (int i = 0; i < problem.k; ++i, code /= 4) {
    const Mode mode = static_cast<Mode>(code % 4);
    P(problem.row(i)) = mode == Mode::open ? Real(0) : Real(1);
    if constexpr (Problem::tangents == 1) P(problem.row(i) + 1) = Real(-moreau::detail::sign(mode)) * problem.mu(i);
  }
  prediction.read(P);
}

template <class Problem>
struct Searched {
  typename Problem::Percussions P = Problem::Percussions::Zero();
  moreau::Judge<Real> judge;
  moreau::detail::Trial<Problem> trial;
  moreau::detail::BestAnswer<Problem> best;
  bool ok;
  explicit Searched(const Problem& problem, const moreau::Judge<Real>& by = {})
      : judge(by), best(problem, judge, trial, P), ok(moreau::detail::enumerate_modes(problem, judge, best)) {}
  Searched(const Searched&) = delete;
};

template <int contacts>
void check_each_set(void) {
  using Problem = typename Known<contacts>::Problem;
  const moreau::Judge<Real> judge;
  test::Random random(contacts);
  for (int code = 0; code < modes(contacts); ++code) {
    const Known<contacts> known(random, code);
    ModePrediction<Problem> prediction(known.problem, Real(64), judge);
    for (int other = 0; other < modes(contacts); ++other) {
      set(prediction, known.problem, other);
      typename Problem::Percussions P = Problem::Percussions::Constant(Real(7));  // of another step
      CHECK(prediction.solve(P) == (other == code));
      if (other != code) continue;
      CHECK(known.solved_by(P));
      CHECK(!prediction.revise(P));
    }
    prediction.read(known.P);
    typename Problem::Percussions P = Problem::Percussions::Zero();
    CHECK(prediction.solve(P) && known.solved_by(P));

    const Searched<Problem> found(known.problem, judge);
    moreau::Sigmas<Problem> sigmas;
    CHECK(found.ok && known.solved_by(found.P) && found.best.relative() <= judge.rtol);
    CHECK_EQUAL(moreau::Status::ok, moreau::evaluate(known.problem, found.P, judge, sigmas).status());
  }
}

// From any combination to the correct one: all modes at once, with at most one revision per mode.
template <int contacts>
void check_revision() {
  using Problem = typename Known<contacts>::Problem;
  test::Random random(10 + contacts);
  for (int code = 0; code < modes(contacts); ++code) {
    const Known<contacts> known(random, code);
    ModePrediction<Problem> prediction(known.problem, Real(64), moreau::Judge<Real>{});
    for (int start = 0; start < modes(contacts); ++start) {
      set(prediction, known.problem, start);
      typename Problem::Percussions P = Problem::Percussions::Zero();
      int round = 0;
      while (!prediction.solve(P) && round < 4 * contacts && prediction.revise(P)) ++round;
      CHECK(known.solved_by(P));
    }
  }
}

}  // namespace

void test_only_the_correct_combination_is_accepted(void) {
  check_each_set<1>();
  check_each_set<2>();
  check_each_set<3>();
}

void test_wrong_combination_is_revised(void) {
  check_revision<1>();
  check_revision<2>();
}

// A contact with zero gap velocity and zero percussion satisfies every mode, and is not revised.
void test_undecided_contact_satisfies_every_mode(void) {
  using Problem = moreau::ContactProblem<Real, 2>;
  Problem problem;
  problem.k = 2;
  const Real half = Real(0.5);
  problem.G << 1, 0, half, 0, 0, 1, 0, half, half, 0, 1, 0, 0, half, 0, 1;
  problem.mu << half, half;
  problem.c << -1, Real(-0.25), -half, Real(-0.125);
  ModePrediction<Problem> prediction(problem, Real(64), moreau::Judge<Real>{});
  for (int mode = 0; mode < 4; ++mode) {
    Problem::Percussions P;
    set(prediction, problem, int(Mode::stick) + 4 * mode);
    CHECK(prediction.solve(P));
    CHECK(P == Problem::Percussions(1, Real(0.25), 0, 0));
    CHECK(!prediction.revise(P));
  }
}

// Closing contacts continue to slip in their directions. An unsolved combination implies no modes.
void test_closing_contact_continues_to_slip(void) {
  test::Random random(11);
  const Known<2> known(random, int(Mode::slip_plus) + 4 * int(Mode::slip_minus));
  ModePrediction<Known<2>::Problem> prediction(known.problem, Real(64), moreau::Judge<Real>{});
  Known<2>::Problem::Percussions P = Known<2>::Problem::Percussions::Zero();
  set(prediction, known.problem, 0);
  CHECK(!prediction.revise(P));
  CHECK(!prediction.solve(P) && prediction.revise(P));
  CHECK(prediction.solve(P) && known.solved_by(P));
}

// Contacts that nearly cancel each other have percussions so large that the sign tolerance, a few roundings of them,
// would be a violation.
void test_cancelling_percussions_are_not_accepted(void) {
  using Problem = moreau::ContactProblem<Real, 2, 0>;
  const moreau::Judge<Real> judge;
  const Real roundings = 64, most = judge.rtol * judge.cancellation / ((roundings + 1) * moreau::detail::epsilon<Real>);
  for (const Real part : {Real(0.75), Real(1.5)}) {
    const Real left = 2 / (part * most);  // the velocities are sums of terms 2 / left times as large
    Problem problem;
    problem.k = 2;
    problem.G << 1, left - 1, left - 1, 1;
    problem.c << -1, -1;
    ModePrediction<Problem> prediction(problem, roundings, judge);
    Problem::Percussions P;
    set(prediction, problem, int(Mode::slip_plus) * 5);
    CHECK_EQUAL(part < 1, prediction.solve(P));
  }
}

// For any percussion in the previous step.
void test_friction_without_effect_has_one_mode(void) {
  test::Random random(3);
  Known<2> known(random, int(Mode::slip_plus) + 4 * int(Mode::stick));
  known.problem.mu(0) = 0;
  ModePrediction<Known<2>::Problem> prediction(known.problem, Real(64), moreau::Judge<Real>{});
  Known<2>::Problem::Percussions P[3];
  for (const int rub : {-1, 0, 1}) {
    prediction.read({1, Real(rub), 1, 0});
    CHECK(prediction.solve(P[rub + 1]) && !prediction.revise(P[rub + 1]));
    CHECK(P[rub + 1](1) == 0 && P[rub + 1] == P[0]);
  }
}

// A pressed contact without friction, or without mobility along its tangent, slides in either direction, and its modes
// are read accordingly.
void test_contact_without_effective_friction_slides(void) {
  using Problem = moreau::ContactProblem<Real, 1>;
  for (const bool rough : {false, true})
    for (const Real slides : {Real(0.5), Real(-0.5)}) {
      Problem problem;
      problem.k = 1;
      problem.G << 2, 0, 0, (rough ? 0 : 1);
      problem.mu << (rough ? 1 : 0);
      problem.c << -4, slides;
      ModePrediction<Problem> prediction(problem, Real(64), moreau::Judge<Real>{});
      prediction.read(Problem::Percussions(1, 0));
      Problem::Percussions P = Problem::Percussions::Zero();
      CHECK(prediction.solve(P));
      CHECK(P(0) == 2 && P(1) == 0);
    }
}

// Both stick along one direction: friction is distributed in proportion to the bounds.
void test_common_tangent_of_two_contacts(void) {
  for (const Real ratio : {Real(1), Real(-1)}) {
    moreau::ContactProblem<Real, 2> problem;
    problem.k = 2;
    problem.G << 1, 0, 0, 0, 0, 4, 0, 2 * ratio, 0, 0, 1, 0, 0, 2 * ratio, 0, 1;
    problem.c << -1, Real(0.4), -2, Real(0.2) * ratio;
    problem.mu << Real(0.25), Real(0.5);
    ModePrediction<moreau::ContactProblem<Real, 2>> prediction(problem, Real(64), moreau::Judge<Real>{});
    set(prediction, problem, 5 * int(Mode::stick));
    moreau::ContactProblem<Real, 2>::Percussions P;
    CHECK(prediction.solve(P));
    const Real part = Real(-0.1) / (Real(0.25) + Real(0.5));  // of 0.25 * 1 + abs(ratio) * 0.5 * 2
    CHECK_WITHIN(tolerance, Real(1), P(0));
    CHECK_WITHIN(tolerance, Real(2), P(2));
    CHECK_WITHIN(tolerance, part * Real(0.25), P(1));
    CHECK_WITHIN(tolerance, ratio > 0 ? part : -part, P(3));
  }
}

// Two contacts and two elements of one body with six degrees of freedom, in every mode combination of these laws: each
// moves the others as much as itself. Friction is weak, to avoid percussions much larger than the velocities require.
void test_strongly_coupled_laws(void) {
  using Problem = moreau::ContactProblem<Real, 2, 1, 2>;
  constexpr int rows = Problem::capacity;
  test::Random random(29);
  for (int code = 0; code < modes(4); ++code) {
    Mode mode[4];
    bool exists = true;
    for (int law = 0; law < 4; ++law) {
      mode[law] = static_cast<Mode>(code >> (2 * law) & 3);
      exists = exists && !(law >= 2 && mode[law] == Mode::open);
    }
    if (!exists) continue;
    Problem problem;
    problem.k = 2, problem.elements = 2;
    moreau::Matrix<Real, rows, rows> W;
    for (int r = 0; r < rows; ++r)
      for (int c = 0; c < rows; ++c) W(r, c) = random.between(Real(-1), Real(1)) + (r == c ? Real(1) : Real(0));
    problem.G = W * W.transpose();
    Problem::Percussions P = Problem::Percussions::Zero(), xi = P;
    const auto some = [&] { return random.between(Real(0.5), Real(1)); };
    for (int law = 0; law < 4; ++law) {
      const bool contact = law < 2;
      const int n = 2 * law, t = contact ? n + 1 : problem.friction_row(law - 2);
      Real most = some();
      if (contact) {
        problem.mu(law) = Real(0.25);
        (mode[law] == Mode::open ? xi : P)(n) = some();
        most = problem.mu(law) * P(n);
      } else {
        problem.bound(law - 2) = most;
      }
      const Real way = mode[law] == Mode::slip_plus ? Real(1) : Real(-1);
      P(t) = most * (mode[law] == Mode::stick ? random.between(Real(-0.75), Real(0.75)) : -way);
      xi(t) = mode[law] == Mode::stick ? Real(0) : way * some();
    }
    problem.c = xi - problem.G * P;
    const Searched<Problem> found(problem);
    CHECK(found.ok);
  }
}

// The largest number of percussions, all unknown, with pivots that require row exchanges.
void test_largest_number_of_unknowns(void) {
  using Problem = moreau::ContactProblem<Real, 4>;
  Problem problem;
  problem.k = 4;
  for (int r = 0; r < 8; ++r)
    for (int c = 0; c < 8; ++c)
      problem.G(r, c) = c == (r + 2) % 8 ? Real(2) : (r == c ? Real(0.25) : Real((3 * r + c) % 5) / Real(16));
  Problem::Percussions known, P;
  for (int r = 0; r < 8; ++r) known(r) = Real(1 + r);
  problem.c = -(problem.G * known);
  moreau::detail::ModeEquations<Problem> equations(problem);
  equations.set(85 * int(Mode::stick), true, P);
  for (int n = 0; n < 3; ++n) equations.correct(P);
  CHECK_WITHIN(tolerance, Real(0), (P - known).cwiseAbs().maxCoeff());
}

// Slip with mu = 1: the friction percussion is as large as the normal one, in either direction.
void test_friction_as_large_as_the_normal_percussion(void) {
  using Problem = moreau::ContactProblem<Real, 1>;
  Problem problem;
  problem.k = 1;
  problem.G << 2, Real(0.5), Real(0.5), 1;
  problem.mu << 1;
  moreau::detail::ModeEquations<Problem> equations(problem);
  for (const Mode mode : {Mode::slip_plus, Mode::slip_minus}) {
    const Real way = mode == Mode::slip_plus ? Real(1) : Real(-1);
    problem.c << -(2 - Real(0.5) * way), way;
    Problem::Percussions P;
    equations.set(int(mode), true, P);
    for (int n = 0; n < 3; ++n) equations.correct(P);
    CHECK_WITHIN(tolerance, Real(1), P(0));
    CHECK_EQUAL(-way * P(0), P(1));
  }
}

// In one elimination order the first law is singular in its mode, in the other it is regular: the regular order is
// used.
void test_elimination_order_with_a_singular_first_law(void) {
  using Problem = moreau::ContactProblem<Real, 2>;
  for (const int odd : {0, 1}) {
    const int n = 2 * odd, m = 2 - n;
    Problem problem;
    problem.k = 2;
    problem.G.setZero();
    problem.mu << Real(0.5), Real(0.5);
    problem.G(n, n) = 1, problem.G(n, n + 1) = problem.G(n + 1, n) = 2, problem.G(n + 1, n + 1) = 4;
    problem.G(m, m) = problem.G(m + 1, m + 1) = Real(1.3);
    // not symmetric (no physical system), so that no other combination solves it
    problem.G(n, m) = Real(0.7), problem.G(m, n) = Real(-0.9);
    Problem::Percussions known;
    known(n) = Real(2.2), known(n + 1) = Real(-1.1), known(m) = Real(0.6), known(m + 1) = Real(-0.3);
    problem.c = -(problem.G * known);
    problem.c(n + 1) += 1, problem.c(m + 1) += 1;
    const Searched<Problem> found(problem);
    CHECK(found.ok);
    CHECK_WITHIN(Real(100) * tolerance, Real(0), (found.P - known).cwiseAbs().maxCoeff());
    moreau::detail::ModeEquations<Problem> equations(problem);
    Problem::Percussions P;
    equations.set(5 * int(Mode::slip_plus), true, P);
    equations.correct(P);
    CHECK_WITHIN(Real(100) * tolerance, Real(0), (P - known).cwiseAbs().maxCoeff());
  }
}

// Independence of units: contacts of very large or very small mobility.
void test_contact_of_any_mass(void) {
  using Problem = moreau::ContactProblem<Real, 1>;
  for (const Real unit : {Real(1e-6), Real(1e6)}) {
    Problem problem;
    problem.k = 1;
    problem.G << 2 * unit * unit, 0, 0, unit * unit;
    problem.c << -unit, Real(0.125) * unit;
    problem.mu << 1;
    const Searched<Problem> found(problem);
    CHECK(found.ok);
    CHECK_WITHIN(tolerance, Real(0.5), found.P(0) * unit);
    CHECK_WITHIN(tolerance, Real(-0.125), found.P(1) * unit);
  }
}

// Two contacts that hold each other: percussions half as large as those whose rounding reaches the bound of the
// acceptance test.
void test_largest_percussions_accepted_by_the_judge(void) {
  using Problem = moreau::ContactProblem<Real, 2>;
  Problem problem;
  problem.k = 2;
  const Real apart = sizeof(Real) == 8 ? std::ldexp(Real(1), -31) : std::ldexp(Real(1), -12);
  problem.G << 1, 0, apart - 1, 0, 0, 1, 0, 0, apart - 1, 0, 1, 0, 0, 0, 0, 1;
  problem.c << -1, 0, -1, 0;
  problem.mu << 0, 0;
  const Searched<Problem> found(problem);
  CHECK(found.ok);
  CHECK_WITHIN(Real(0.001), Real(1), found.P(0) * apart);
}

// Contact with friction, but zero mobility along its tangent: the normal percussion acts, and the friction percussion
// is zero.
void test_tangent_without_mobility(void) {
  using Problem = moreau::ContactProblem<Real, 1>;
  Problem problem;
  problem.k = 1;
  problem.G << 2, 0, 0, 0;
  problem.c << -1, 0;
  problem.mu << 1;
  const Searched<Problem> found(problem);
  CHECK(found.ok);
  CHECK_WITHIN(tolerance, Real(0.5), found.P(0));
  CHECK_EQUAL(Real(0), found.P(1));
}

// Counts the evaluations of a law's velocity; only the acceptance test evaluates it.
struct CountedProblem : moreau::ContactProblem<Real, 4> {
  static inline int rows_evaluated = 0;
  template <class P>
  Real xi(int r, const P& percussions, Real& v) const {
    ++rows_evaluated;
    return moreau::ContactProblem<Real, 4>::xi(r, percussions, v);
  }
};

// The same contact four times, and a judge that rejects every solution: more combinations satisfy the laws than are
// solved again.
void test_number_of_combinations_solved_again(void) {
  CountedProblem problem;
  problem.k = 4;
  for (int r = 0; r < 8; ++r)
    for (int c = 0; c < 8; ++c) problem.G(r, c) = r % 2 == c % 2 ? Real(1) : Real(0);
  for (int i = 0; i < 4; ++i) problem.mu(i) = Real(0.5), problem.c(2 * i) = -1, problem.c(2 * i + 1) = Real(0.125);
  moreau::Judge<Real> judge;
  judge.rtol = moreau::detail::epsilon<Real> / 2;  // less than a rounding
  judge.cancellation = 1e6f;
  const Searched<CountedProblem> best(problem, judge);
  CHECK(!best.ok);
  CHECK(best.best.relative() < Real(16) * moreau::detail::epsilon<Real>);
  CHECK_WITHIN(tolerance, Real(1), best.P(0) + best.P(2) + best.P(4) + best.P(6));
  int corrections = 0;
  constexpr int alone = 4;  // without regularisation, redundant contacts have pivots only if the others are open
  for (const auto& search : moreau::detail::mode_searches)
    corrections += (search.regularised ? search.confirmed : alone) * search.corrections;
  CHECK_EQUAL(8 * corrections, CountedProblem::rows_evaluated);
}

// Two contacts with nearly the same motion: each correction reduces the error due to regularisation and rounding in the
// first solution to a 256th.
void test_iterative_refinement_reaches_full_precision(void) {
  using Problem = moreau::ContactProblem<Real, 2>;
  constexpr Real eps = moreau::detail::epsilon<Real>, apart = Real(2048) * eps;
  Problem problem;
  problem.k = 2;
  problem.G << 1, 0, 1 - apart, 0, 0, 1, 0, 0, 1 - apart, 0, 1, 0, 0, 0, 0, 1;
  problem.mu << Real(0.5), Real(0);
  problem.c << -(3 - 2 * apart), -1, -(3 - apart), 0;  // of P_N = 1, 2
  moreau::detail::ModeEquations<Problem> equations(problem);
  Problem::Percussions P;
  equations.set(int(Mode::slip_minus) + 4 * int(Mode::slip_plus), true, P);
  CHECK(P == Problem::Percussions::Zero());
  equations.correct(P);
  CHECK(moreau::detail::absolute(P(0) - 1) > Real(64) * eps);  // otherwise the test is trivial
  for (int n = 0; n < int(sizeof(Real)); ++n) equations.correct(P);
  CHECK_WITHIN(eps, Real(1), P(0));
  CHECK_WITHIN(Real(2) * eps, Real(2), P(2));
  CHECK_EQUAL(Real(0.5) * P(0), P(1));
  CHECK_EQUAL(Real(0), P(3));
}

// The pivot of a slipping contact can consist of the regularisation alone.
void test_slipping_contact_without_a_pivot(void) {
  using Problem = moreau::ContactProblem<Real, 2>;
  test::Random random(17);
  for (int draw = 0; draw < 20; ++draw) {
    const Real x = random.between(Real(0.2), Real(0.4)), N_0 = random.between(Real(1), Real(2)),
               N_1 = random.between(Real(1), Real(2));
    Problem problem;
    problem.k = 2;
    problem.G << 1, 2, x, 0, 2, 5, 0, 0, x, 0, 1, 0, 0, 0, 0, 1;
    problem.mu << Real(0.5), 0;
    problem.c << -x * N_1, 0, -x * N_0 - N_1, 0;
    moreau::detail::ModeEquations<Problem> equations(problem);
    Problem::Percussions P;
    equations.set(int(Mode::slip_plus) * 5, true, P);
    for (int n = 0; n < 3; ++n) equations.correct(P);
    CHECK_WITHIN(tolerance, N_0, P(0));
    CHECK_WITHIN(tolerance, N_1, P(2));
  }
}

// Four contacts, the largest number; if no solution satisfies the acceptance test, the solution is still improved.
void test_enumeration_of_four_contacts(void) {
  using K = Known<4>;
  moreau::Judge<Real> judge, strict;
  strict.rtol = moreau::detail::epsilon<Real>;  // below a rounding, not reachable
  test::Random random(13);
  for (int code = 0; code < modes(4); code += 5) {  // 85: all stick
    const K known(random, code);
    for (const auto* by : {&judge, &strict}) {
      const Searched<K::Problem> found(known.problem, *by);
      CHECK_EQUAL(by == &judge, found.ok);
      CHECK(known.solved_by(found.P) && found.best.relative() <= judge.rtol);
    }
  }
}

// The same contact twice: each carries half, in any mode.
void test_identical_contacts_share_the_percussion(void) {
  using Problem = moreau::ContactProblem<Real, 2>;
  Problem problem;
  problem.k = 2;
  problem.G << 2, 0, 2, 0, 0, 3, 0, 3, 2, 0, 2, 0, 0, 3, 0, 3;
  problem.mu << 1, 1;
  problem.c << -2, 0, -2, Real(-0.75);
  moreau::detail::ModeEquations<Problem> equations(problem);
  const Real off = Real(32) * moreau::detail::epsilon<Real>;
  for (const Mode mode : {Mode::stick, Mode::slip_plus}) {
    Problem::Percussions P;
    equations.set(5 * int(mode), true, P);
    for (int n = 0; n < 3; ++n) equations.correct(P);
    CHECK_WITHIN(off, Real(1), P(0) + P(2));
    CHECK(P(0) > Real(0.25) && P(2) > Real(0.25));
    if (mode == Mode::slip_plus) CHECK(P(1) == -P(0) && P(3) == -P(2));
  }
}

// A slipping element has the percussion of its bound if it has mobility; a sticking one the percussion that stops it.
void test_percussion_of_an_element_in_each_mode(void) {
  using Problem = moreau::ContactProblem<Real, 1, 1, 2>;
  Problem problem;
  problem.k = 1, problem.elements = 2;
  problem.G.setIdentity();
  problem.G(3, 3) = 0;  // an element without mobility
  problem.c << -1, Real(0.5), Real(0.75), 2;
  problem.mu << 0;
  problem.bound << 3, 5;
  moreau::detail::ModeEquations<Problem> equations(problem);
  Problem::Percussions P;
  const auto code = [](Mode contact, Mode a, Mode b) { return int(contact) + 4 * int(a) + 16 * int(b); };
  equations.set(code(Mode::open, Mode::slip_plus, Mode::slip_minus), true, P);
  equations.correct(P);
  CHECK(P == Problem::Percussions(0, 0, -3, 0));
  equations.set(code(Mode::slip_plus, Mode::slip_minus, Mode::slip_plus), true, P);
  for (int n = 0; n < 3; ++n) equations.correct(P);
  CHECK(P == Problem::Percussions(1, 0, 3, 0));
  equations.set(code(Mode::slip_plus, Mode::stick, Mode::slip_plus), true, P);
  for (int n = 0; n < 3; ++n) equations.correct(P);
  CHECK(P == Problem::Percussions(1, 0, Real(-0.75), 0));
}

// The enumeration with an element among the laws, of other masses than the contacts.
void test_enumeration_with_an_element(void) {
  using K = test::KnownProblem<Real, 1>;
  const moreau::Judge<Real> judge;
  test::Random random(7);
  for (int n = 0; n < 6 * K::codes; ++n) {
    const K known =
        n % 3 != 0 ? K(random, n / 6, Real(0.2), Real(6), Real(3)) : K(random, n / 6, Real(1e-4), Real(1e4), Real(1));
    const Searched<K::Problem> found(known.problem, judge);
    CHECK(found.ok && known.error(found.P) <= tolerance && found.best.relative() <= judge.rtol);
  }
}

// Prediction with elements: from percussions of any modes to the solution, by revisions. The modes of the solution are
// consistent at once. Elements without mobility have zero percussion.
void test_prediction_with_elements(void) {
  using K = test::KnownProblem<Real, 1>;
  const moreau::Judge<Real> judge;
  test::Random random(19);
  int revised = 0;
  for (int n = 0; n < 6 * K::codes; ++n) {
    const K known(random, n % K::codes, Real(0.2), Real(6), Real(3));
    ModePrediction<K::Problem> prediction(known.problem, Real(64), judge);
    K::Percussions P = K::Percussions::Zero();
    prediction.read(known.P);
    CHECK(prediction.solve(P) && known.error(P) <= tolerance);
    CHECK(!prediction.revise(P));
    prediction.read(K::Percussions::Zero());
    int round = 0;
    while (!prediction.solve(P) && round < 12 && prediction.revise(P)) ++round;
    revised += known.error(P) <= tolerance;
  }
  CHECK(revised >= 6 * K::codes * 19 / 20);

  using Problem = moreau::ContactProblem<Real, 2, 1, 2>;
  Problem problem;
  problem.k = problem.elements = 2;
  problem.G.setIdentity();
  problem.G(1, 3) = problem.G(3, 1) = 1;  // one tangent
  problem.G(5, 5) = 0;
  problem.c << -1, Real(0.25), -1, Real(0.25), Real(-0.5), 1;
  problem.mu << Real(0.5), Real(0.25);
  problem.bound << 1, 1;
  ModePrediction<Problem> prediction(problem, Real(64), judge);
  Problem::Percussions P, expected;
  expected << 1, Real(-0.25) * 2 / 3, 1, Real(-0.25) / 3, Real(0.5), 0;
  P << 1, 0, 1, 0, 0, 1;
  prediction.read(P);
  CHECK(prediction.solve(P));
  CHECK_WITHIN(tolerance, Real(0), (P - expected).cwiseAbs().maxCoeff());
}

// Elements without mobility have zero percussion, and a singular combination is skipped.
void test_enumeration_with_elements_without_mobility(void) {
  using Problem = moreau::ContactProblem<Real, 1, 1, 2>;
  const auto check = [&](const Problem& problem, const Problem::Percussions& expected) {
    const Searched<Problem> found(problem);
    CHECK(found.ok);
    CHECK_WITHIN(tolerance, Real(0), (found.P - expected).cwiseAbs().maxCoeff());
  };
  Problem problem;
  problem.k = 1, problem.elements = 2;
  problem.G.setIdentity();
  problem.G(2, 3) = problem.G(3, 2) = Real(0.5);
  problem.c << -1, Real(0.25), Real(2), Real(1);
  problem.mu << Real(0.5);
  problem.bound << 1, 1;
  check(problem, {1, Real(-0.25), -1, Real(-0.5)});  // the first one slips, the others stick
  problem.bound(1) = 0;
  check(problem, {1, Real(-0.25), -1, 0});
  problem.bound(1) = 1;
  problem.G.row(3).setZero();
  problem.G.col(3).setZero();
  check(problem, {1, Real(-0.25), -1, 0});
  // The first changes the velocity of the second more than its own: no solution has both sticking.
  problem.G(3, 3) = 1;
  problem.G(2, 3) = problem.G(3, 2) = 2;
  problem.c << -1, Real(0.25), 3, 0;
  check(problem, {1, Real(-0.25), -1, 1});
}

TEST_MAIN({
  TEST(test_only_the_correct_combination_is_accepted);
  TEST(test_wrong_combination_is_revised);
  TEST(test_undecided_contact_satisfies_every_mode);
  TEST(test_closing_contact_continues_to_slip);
  TEST(test_cancelling_percussions_are_not_accepted);
  TEST(test_friction_without_effect_has_one_mode);
  TEST(test_contact_without_effective_friction_slides);
  TEST(test_common_tangent_of_two_contacts);
  TEST(test_enumeration_with_an_element);
  TEST(test_prediction_with_elements);
  TEST(test_tangent_without_mobility);
  TEST(test_strongly_coupled_laws);
  TEST(test_largest_number_of_unknowns);
  TEST(test_friction_as_large_as_the_normal_percussion);
  TEST(test_elimination_order_with_a_singular_first_law);
  TEST(test_contact_of_any_mass);
  TEST(test_largest_percussions_accepted_by_the_judge);
  TEST(test_number_of_combinations_solved_again);
  TEST(test_iterative_refinement_reaches_full_precision);
  TEST(test_slipping_contact_without_a_pivot);
  TEST(test_enumeration_of_four_contacts);
  TEST(test_identical_contacts_share_the_percussion);
  TEST(test_percussion_of_an_element_in_each_mode);
  TEST(test_enumeration_with_elements_without_mobility);
})
