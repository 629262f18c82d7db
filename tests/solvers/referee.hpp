// Referee of the library's solvers: the verdicts on their solutions of one problem.
//
//   solvable    its percussions are known (draws.hpp), or a contact-mode combination solves it, or, if the problem is
//               not enumerated or no solver misses it, a solver solves it. The percussions must satisfy a judge four
//               times as strict in the scalar (closer to the limit, rounding of sums decides); those of a mode
//               combination must be well-conditioned: two roundings of the data change them by less than a tenth
//   missed      solvable, and the solver's answer is not ok
//   doubtful    neither ok nor missed, but another solver is ok and right, or the percussions of a mode combination
//               satisfy the laws in the widest scalar within the cancellation that the acceptance test allows:
//               excluded by `solvable`
//   wrong       ok, with velocities of no solution (enumeration.hpp)
//   apart       ok like the first solver's answer, with other velocities: the problem has several solutions
//   enumerated  ok, and compared with the solutions of all mode combinations, whatever its residual: a sample
//   unlike      of these: not among them; the laws are satisfied, but the velocities depend on the last digits of the
//               data
//   both        computed in both timing modes
//   timings     the two timing modes differ in a bit
//
// Enumeration takes longer than all solvers together. It decides if no solver's answer has, or if the residual of an
// accepted answer exceeds the rounding error of the scalar.
#pragma once
#include <moreau/solve/closed_forms.hpp>
#include <vector>

#include "enumeration.hpp"
#include "hand_over.hpp"

namespace problems {

struct Verdicts {
  const char* solver;
  bool ok, passable;
  Rows P{};
  bool both = false, timings = false;
  bool solvable = false, missed = false, doubtful = false, wrong = false, apart = false;
  bool enumerated = false, unlike = false;
};

template <class Real, int dim, int elements>
class Referee {
 public:
  // `number`: of the problem in its run; selects the samples for expensive checks. `known`: percussions, or null.
  const std::vector<Verdicts>& judge(const PlainProblem& plain, const Rows* known, int number) {
    answers_.clear();
    problem_.G.setZero(), problem_.c.setZero(), problem_.mu.setZero(), problem_.bound.setZero();
    hand_over<Real, dim>(plain, problem_);
    ask(plain, (number + number / sweeps_one_in) % sweeps_one_in == 0);
    decide(plain, known, (number + number / enumerated_one_in) % enumerated_one_in == 0);
    return answers_;
  }

 private:
  using OfProblem = Problem<Real, dim, elements>;
  using Percussions = typename OfProblem::Percussions;
  using Branching = moreau::detail::Branching;
  using Branchless = moreau::detail::Branchless;

  // Newton, Psor and Sweeps in the plane, and Sweeps in space, would take most of the time.
  static constexpr int sweeps_one_in = 16, enumerated_one_in = 64;
  static constexpr Wide limit = sizeof(Real) == 8 ? Wide(1e-6) : Wide(1e-3);  // of velocities
  // Tolerance of the laws for accepted solutions.
  static constexpr Wide noise = Wide(moreau::Judge<Real>{}.rtol);

  // Exact with more than four laws is Lemke.
  void ask(const PlainProblem& plain, bool sweeps_too) {
    if constexpr (dim == 2) {
      if (plain.laws() <= moreau::detail::most_predicted) solve("Exact", moreau::Exact{}, exact_);
      solve("Lemke", moreau::Lemke{}, lemke_);
      if constexpr (elements == 0)
        if (plain.k <= 2) closed_forms();
    }
    moreau::Psor psor;
    psor.max_iterations = 50;
    if (dim == 3 || sweeps_too) solve("Newton", moreau::Newton{}, newton_);
    if (dim == 3 || sweeps_too) solve("Psor", psor, psor_);
    if (sweeps_too) sweeps(plain);
  }

  void decide(const PlainProblem& plain, const Rows* known, bool enumerate) {
    bool solvable = known != nullptr && accepts(*known), possible = solvable, solved = false, all = true;
    outcomes_.clear();
    for (Verdicts& a : answers_) {
      outcomes_.push_back(a.ok ? Outcome(plain, a.P) : Outcome());
      const bool is_right = a.ok && right(plain, outcomes_.back(), limit, noise);
      a.wrong = a.ok && !is_right;
      possible = possible || is_right;
      solved = solved || (is_right && accepts(a.P));
      all = all && a.ok;
      a.apart = a.ok && answers_[0].ok && !alike(plain, outcomes_.back(), outcomes_[0], limit);
      a.enumerated = a.ok && enumerate && enumerable(plain);
      a.unlike = a.enumerated && !is_enumerated(plain, outcomes_.back(), limit);
    }
    solvable = solvable || (solved && (all || !enumerable(plain)));
    if (!solvable && !all && enumerable(plain))
      solvable = any_solution(plain, limit, [&](const Rows& P, const Modes& modes) {
        if (!obeys(plain, modes, P, noise)) return false;
        possible = possible || added_up(plain, P) <= Wide(judge_.cancellation) * added_up(plain, Rows{});
        return accepts(P) && resolved(plain, modes, P, Wide(std::numeric_limits<Real>::epsilon()));
      });
    for (Verdicts& a : answers_) {
      a.solvable = solvable;
      a.missed = solvable && !a.ok;
      a.doubtful = possible && !a.ok && !a.missed;
    }
  }

  // Verdict of the strict judge on percussions in the scalar.
  bool accepts(const Rows& wide) {
    Percussions P = Percussions::Zero();
    for (int r = 0; r < problem_.rows(); ++r) P(r) = static_cast<Real>(wide[std::size_t(r)]);
    return evaluate(problem_, P, strict_, sigmas_).exact;
  }

  template <class Solver, class Work>
  void solve(const char* name, const Solver& solver, Work& work) {
    Percussions P = Percussions::Zero();
    moreau::solve(problem_, solver, work, P, judge_);
    const auto verdict = evaluate(problem_, P, judge_, sigmas_);
    Verdicts a{name, verdict.exact, verdict.passable};
    for (int r = 0; r < problem_.rows(); ++r) a.P[std::size_t(r)] = static_cast<Wide>(P(r));
    answers_.push_back(a);
  }

  // A fixed number of sweeps in both timing modes, over the full capacity, as in constant time.
  template <class Flow>
  moreau::detail::Verdict<Real, Flow> swept(Percussions& P) {
    const moreau::Sweeps sweeps{10};
    P.setZero();
    const moreau::detail::FullProblem<OfProblem> full(all_, Real(sweeps.omega));
    moreau::detail::sweep_all<Flow>(full, sweeps, old_, P);
    return moreau::detail::evaluate<Flow>(
        full, P, [this](int i) { return Flow::condition(i < all_.k); }, judge_, sigmas_);
  }
  void sweeps(const PlainProblem& plain) {
    const int gap = dim * (capacity - plain.k);  // open contacts
    all_.G.setZero(), all_.c.setZero(), all_.mu.setZero(), all_.bound.setZero();
    hand_over<Real, dim>(plain, all_, gap);
    Percussions P, Q;
    const auto in_data = swept<Branching>(P);
    const auto in_constant = swept<Branchless>(Q);
    Verdicts a{"Sweeps", in_data.exact, in_data.passable};
    for (int r = 0; r < plain.rows(); ++r)
      a.P[std::size_t(r)] = static_cast<Wide>(P(r < plain.element(0) ? r : r + gap));
    a.both = true;
    a.timings = !(P == Q && in_data.status() == in_constant.status());
    answers_.push_back(a);
  }

  // Direct solution of one or two contacts, in both timing modes.
  void closed_forms() {
    moreau::detail::ContactResult<Real> P[4];
    const auto in_data = few<Branching>(P[0], P[1]).rejected(judge_);
    const bool in_constant = Branching::condition(few<Branchless>(P[2], P[3]).rejected(judge_));
    const auto differ = [](const auto& a, const auto& b) { return a.P_N != b.P_N || a.P_T != b.P_T; };
    Verdicts a{"closed forms", !in_data, !in_data};
    a.both = true;
    a.timings = in_data != in_constant || (!in_data && (differ(P[0], P[2]) || differ(P[1], P[3])));
    a.P = {Wide(P[0].P_N), Wide(P[0].P_T), Wide(P[1].P_N), Wide(P[1].P_T)};
    answers_.push_back(a);
  }
  template <class Flow, class Result>
  moreau::detail::QuickVerdict<Flow, Real> few(Result& P, Result& Q) {
    const auto p = contact(0), q = contact(2);
    const auto& G = problem_.G;
    if (problem_.k == 1) return moreau::detail::solve_one<Flow>(p, judge_, P);
    return moreau::detail::solve_two<Flow>(p, q, {G(0, 2), G(0, 3), G(1, 2), G(1, 3)}, judge_, P, Q);
  }
  moreau::detail::PlanarContact<Real> contact(int n) const {
    const auto& [G, c] = std::tie(problem_.G, problem_.c);
    const Real mu = G(n + 1, n + 1) > 0 ? problem_.mu(n / 2) : Real(0);  // as in a step
    return {G(n, n), G(n, n + 1), G(n + 1, n), G(n + 1, n + 1), c(n), c(n + 1), mu};
  }

  OfProblem problem_, all_;
  const moreau::Judge<Real> judge_{};
  const moreau::Judge<Real> strict_ = [] {
    moreau::Judge<Real> judge;
    judge.rtol /= 4;
    return judge;
  }();
  moreau::Sigmas<OfProblem> sigmas_;
  Percussions old_;
  moreau::Workspace<moreau::Exact, Problem<Real, 2, dim == 2 ? elements : 0>> exact_;
  moreau::Workspace<moreau::Lemke, Problem<Real, 2, dim == 2 ? elements : 0>> lemke_;
  moreau::Workspace<moreau::Newton, OfProblem> newton_;
  moreau::Workspace<moreau::Psor, OfProblem> psor_;
  std::vector<Verdicts> answers_;
  std::vector<Outcome> outcomes_;
};

}  // namespace problems
