// Every solver against every other and against the exhaustive enumeration of modes in the widest scalar, on problems
// drawn at random: how many each solves, refuses, and how many of its `ok` are wrong (none may be).
//
//   solvers.differential [--solves N] [--seed N] [--state FILE] [--page FILE] [--show SOLVER]
//
// A run is made of numbered blocks, each of one family, scalar and number of contacts, drawn from the seed and its
// number. With --state it goes on where the run in FILE has ended, of whatever it was interrupted, until so many solves
// are made in all; what it counts does not depend on the interruptions.
//
// --show SOLVER prints what it missed, too.
//
//   solvable   a solver solves it, or a set of modes does, with percussions that in the scalar are ok to a judge four
//              times as strict (nearer to the limit it is a matter of luck how a sum is rounded), and that the scalar
//              resolves: two roundings of the data change them by less than a tenth
//   missed     solvable, and the solver's answer is not ok
//   wrong      ok, and its velocities are nobody's (enumeration.hpp): the program fails where there is one
//   apart      ok like the first solver's answer, with other velocities: the problem has several solutions
//   timings    both timings differ in a bit of their answer: the program fails where they do
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <map>
#include <memory>
#include <moreau/solve/closed_forms.hpp>
#include <sstream>
#include <string>

#include "draws.hpp"
#include "enumeration.hpp"
#include "hand_over.hpp"

namespace {

using moreau::detail::Branch;
using moreau::detail::Select;
using problems::PlainProblem;
using problems::Rows;
using problems::Wide;

volatile std::sig_atomic_t interrupted = 0;

struct Tally {
  long problems = 0, solvable = 0, ok = 0, inexact = 0, missed = 0, wrong = 0, apart = 0, timings = 0;

  template <class Self, class F>
  static void each(Self& self, const F& f) {
    f(self.problems), f(self.solvable), f(self.ok), f(self.inexact);
    f(self.missed), f(self.wrong), f(self.apart), f(self.timings);
  }
};

struct Answer {
  const char* solver;
  bool ok, passable, same_in_both = true;
  Rows P{};
};

// What is asked of one problem.
template <class Real>
constexpr Wide limit = sizeof(Real) == 8 ? Wide(1e-6) : Wide(1e-3);  // of velocities
template <class Real>
constexpr Wide noise = Wide(moreau::Judge<Real>{}.rtol);  // what an answer that is ok may miss the laws by

template <class Real, int dim>
class Solvers {
 public:
  using Problem = problems::Problem<Real, dim>;
  using Percussions = typename Problem::Percussions;

  // Answers of all solvers there are for it.
  const std::vector<Answer>& ask(const PlainProblem& plain) {
    answers_.clear();
    problem_.G.setZero(), problem_.c.setZero(), problem_.mu.setZero();
    problems::hand_over<Real, dim>(plain, problem_);
    if constexpr (dim == 2) {
      solve("Exact", moreau::Exact{}, exact_);
      solve("Lemke", moreau::Lemke{}, lemke_);
      if (plain.k <= 2) closed_forms();
    }
    if (dim == 2 && ++asked_ % 8 != 0) return answers_;  // sweeps would take most of the time
    moreau::Psor psor;
    psor.max_iterations = 50;
    solve("Psor", psor, psor_);
    sweeps();
    return answers_;
  }

  // The strict judge's word on percussions in the scalar.
  bool accepts(const Rows& wide) {
    Percussions P = Percussions::Zero();
    for (int r = 0; r < problem_.rows(); ++r) P(r) = static_cast<Real>(wide[std::size_t(r)]);
    return weigh(problem_, P, strict_, sigmas_).exact;
  }

 private:
  Rows widened(const Percussions& P) const {
    Rows wide{};
    for (int r = 0; r < problem_.rows(); ++r) wide[std::size_t(r)] = static_cast<Wide>(P(r));
    return wide;
  }

  template <class Solver, class Work>
  void solve(const char* name, const Solver& solver, Work& work) {
    Percussions P = Percussions::Zero();
    moreau::solve(problem_, solver, work, P, judge_);
    const auto verdict = weigh(problem_, P, judge_, sigmas_);
    answers_.push_back({name, verdict.exact, verdict.passable, true, widened(P)});
  }

  // A fixed number of sweeps in both timings: over all of the capacity, as constant time makes them.
  template <class Choice>
  moreau::detail::Verdict<Real, Choice> swept(Percussions& P) {
    const moreau::Sweeps sweeps{20};
    P.setZero();
    const moreau::detail::FullProblem<Problem> full(problem_, Real(sweeps.omega));
    moreau::detail::sweep_all<Choice>(full, sweeps, old_, P);
    return moreau::detail::weigh<Choice>(
        full, P, [this](int i) { return Choice::of(i < problem_.k); }, judge_, sigmas_);
  }
  void sweeps() {
    Percussions P, Q;
    const auto in_data = swept<Branch>(P);
    const auto in_constant = swept<Select>(Q);
    const bool same = P == Q && in_data.status() == in_constant.status();
    answers_.push_back({"Sweeps", in_data.exact, in_data.passable, same, widened(P)});
  }

  // One or two contacts in closed form, in both timings.
  void closed_forms() {
    moreau::detail::ContactResult<Real> P[4];
    const auto in_data = few<Branch>(P[0], P[1]).refused(judge_);
    const bool in_constant = Branch::of(few<Select>(P[2], P[3]).refused(judge_));
    const auto differ = [](const auto& a, const auto& b) { return a.P_N != b.P_N || a.P_T != b.P_T; };
    Answer answer{"closed forms", !in_data, !in_data};
    answer.same_in_both = in_data == in_constant && (in_data || !(differ(P[0], P[2]) || differ(P[1], P[3])));
    answer.P = {Wide(P[0].P_N), Wide(P[0].P_T), Wide(P[1].P_N), Wide(P[1].P_T)};
    answers_.push_back(answer);
  }
  template <class Choice, class Result>
  moreau::detail::QuickVerdict<Choice, Real> few(Result& P, Result& Q) {
    const auto p = contact(0), q = contact(2);
    const auto& G = problem_.G;
    if (problem_.k == 1) return moreau::detail::solve_one<Choice>(p, judge_, P);
    return moreau::detail::solve_two<Choice>(p, q, {G(0, 2), G(0, 3), G(1, 2), G(1, 3)}, judge_, P, Q);
  }
  moreau::detail::PlanarContact<Real> contact(int n) const {
    const auto& [G, c] = std::tie(problem_.G, problem_.c);
    const Real mu = G(n + 1, n + 1) > 0 ? problem_.mu(n / 2) : Real(0);  // as a step sees it
    return {G(n, n), G(n, n + 1), G(n + 1, n), G(n + 1, n + 1), c(n), c(n + 1), mu};
  }

  long asked_ = 0;
  Problem problem_;
  const moreau::Judge<Real> judge_;
  const moreau::Judge<Real> strict_ = [] {
    moreau::Judge<Real> judge;
    judge.rtol /= 4;
    return judge;
  }();
  moreau::Sigmas<Problem> sigmas_;
  Percussions old_;
  moreau::Workspace<moreau::Exact, problems::Problem<Real, 2>> exact_;
  moreau::Workspace<moreau::Lemke, problems::Problem<Real, 2>> lemke_;
  moreau::Workspace<moreau::Psor, Problem> psor_;
  std::vector<Answer> answers_;
};

class Run {
 public:
  std::uint64_t seed = 1;
  long solves = 0, wrong = 0;
  double seconds = 0;
  const char* show = "";

  // The next block.
  void block() {
    const auto begin = std::chrono::steady_clock::now();
    const problems::Family& family = problems::families[next_ % problems::family_count];
    const long round = next_ / problems::family_count;
    const int k = 1 + int(round / 2 % problems::capacity);
    if (family.dim == 2)
      round % 2 == 0 ? block<double, 2>(family, k) : block<float, 2>(family, k);
    else
      round % 2 == 0 ? block<double, 3>(family, k) : block<float, 3>(family, k);
    ++next_;
    seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }

  bool load(const char* path) {
    std::ifstream in(path);
    if (!in) return true;  // none yet
    std::string word, line;
    std::uint64_t of_seed = 0;
    if (!(in >> word >> of_seed >> next_ >> solves >> wrong >> seconds) || word != "DIFFERENTIAL") return false;
    seed = of_seed;
    std::getline(in, line);
    while (std::getline(in, line)) {
      const auto comma = line.rfind(',');
      std::istringstream numbers(line.substr(comma + 1));
      Tally::each(tallies_[line.substr(0, comma)], [&numbers](long& x) { numbers >> x; });
    }
    return in.eof();
  }
  // The old file or the new one is whole, whenever the run is interrupted.
  bool save(const char* path) const {
    const std::string fresh = std::string(path) + ".new";
    std::ofstream out(fresh);
    out << "DIFFERENTIAL " << seed << ' ' << next_ << ' ' << solves << ' ' << wrong << ' ' << seconds << '\n';
    for (const auto& [name, tally] : tallies_) {
      out << name << ',';
      Tally::each(tally, [&out](long x) { out << ' ' << x; });
      out << '\n';
    }
    out.close();
    return out && std::rename(fresh.c_str(), path) == 0;
  }

  void print(std::ostream& out) const {
    char date[16];
    const std::time_t now = std::time(nullptr);
    std::strftime(date, sizeof date, "%Y-%m-%d", std::gmtime(&now));
    out << "<!-- Written by solvers.differential -->\n# Solvers against each other\n\n"
        << "Seed " << seed << ", " << next_ << " blocks, " << solves << " solves, " << wrong << " wrong; "
        << long(double(solves) / std::max(seconds, 1e-3)) << " solves/s; " << date << ", g++ " << __VERSION__
        << ".\nWhat the columns mean is said in `differential.cpp`.\n\n"
        << "| family | scalar | solver | contacts | problems | solvable | ok | inexact | missed | solved % | wrong | "
           "apart "
           "| timings |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|\n";
    for (const auto& [name, t] : tallies_) {
      const double share = t.solvable > 0 ? 100.0 * double(t.solvable - t.missed) / double(t.solvable) : 100.0;
      char percent[16];
      std::snprintf(percent, sizeof percent, "%.4f", share);
      out << "| " << name << " | " << t.problems << " | " << t.solvable << " | " << t.ok << " | " << t.inexact << " | "
          << t.missed << " | " << percent << " | " << t.wrong << " | " << t.apart << " | " << t.timings << " |\n";
    }
  }

 private:
  static constexpr int problems_of_a_block = 200;

  template <class Real, int dim>
  void block(const problems::Family& family, int k) {
    static const auto solvers = std::make_unique<Solvers<Real, dim>>();
    problems::Draws<Real> draws((seed * 0x9e3779b97f4a7c15u + std::uint64_t(next_)) * 0xbf58476d1ce4e5b9u | 1u);
    for (int n = 0; n < problems_of_a_block; ++n) judge(family, *solvers, draws.draw(family, k), n);
  }

  template <class Real, int dim>
  void judge(const problems::Family& family, Solvers<Real, dim>& solvers, const PlainProblem& plain, int n) {
    const std::vector<Answer>& answers = solvers.ask(plain);
    const std::string where = std::string(family.name) + " | " + (sizeof(Real) == 8 ? "double" : "float") + " | ";
    const char* const contacts = plain.k <= 2 ? " | 1..2" : (plain.k <= 4 ? " | 3..4" : " | 5..8");
    bool solvable = false;
    std::vector<bool> right;
    for (const Answer& a : answers) {
      right.push_back(a.ok && problems::right(plain, a.P, limit<Real>, noise<Real>));
      solvable = solvable || (right.back() && solvers.accepts(a.P));
    }
    if (dim == 2 && !solvable && plain.k <= problems::most_enumerated)
      solvable = problems::any_solution(plain, limit<Real>, [&](const Rows& P, const problems::Modes& modes) {
        return problems::obeys(plain, modes, P, noise<Real>) && solvers.accepts(P) &&
               problems::resolved(plain, modes, P, Wide(std::numeric_limits<Real>::epsilon()));
      });
    for (std::size_t i = 0; i < answers.size(); ++i) {
      const Answer& a = answers[i];
      Tally& t = tallies_[where + a.solver + contacts];
      const bool missed = solvable && !a.ok, is_wrong = a.ok && !right[i];
      ++t.problems, ++solves;
      t.solvable += solvable;
      t.ok += a.ok;
      t.inexact += !a.ok && a.passable;
      t.missed += missed;
      t.wrong += is_wrong;
      t.apart += a.ok && answers[0].ok && apart<Real>(plain, a, answers[0]);
      t.timings += !a.same_in_both;
      wrong += is_wrong || !a.same_in_both;
      const char* const what = is_wrong ? "wrong" : (!a.same_in_both ? "timings" : (missed ? "missed" : ""));
      if (is_wrong || !a.same_in_both || (missed && std::strcmp(show, a.solver) == 0))
        std::fprintf(stderr, "%s: block %ld, problem %d, %s%s, k = %d\n", what, next_, n, where.c_str(), a.solver,
                     plain.k);
    }
  }

  template <class Real>
  static bool apart(const PlainProblem& plain, const Answer& a, const Answer& b) {
    if (&a == &b) return false;
    const Rows x = velocities(plain, a.P), y = velocities(plain, b.P);
    const Wide largest = added_up(plain, a.P) + added_up(plain, b.P);
    for (int r = 0; r < plain.rows(); ++r)
      if (!(std::fabs(x[std::size_t(r)] - y[std::size_t(r)]) <= limit<Real> * largest)) return true;
    return false;
  }

  long next_ = 0;
  std::map<std::string, Tally> tallies_;
};

}  // namespace

int main(int argc, char** argv) {
  Run run;
  const char *state = nullptr, *page = nullptr;
  long wanted = 1000000;
  for (int i = 1; i + 1 < argc; i += 2) {
    const auto is = [&](const char* name) { return std::strcmp(argv[i], name) == 0; };
    if (is("--solves")) wanted = std::atol(argv[i + 1]);
    if (is("--seed")) run.seed = std::strtoull(argv[i + 1], nullptr, 10);
    if (is("--state")) state = argv[i + 1];
    if (is("--page")) page = argv[i + 1];
    if (is("--show")) run.show = argv[i + 1];
  }
  if (state != nullptr && !run.load(state)) {
    std::fprintf(stderr, "%s is no state of a run\n", state);
    return 2;
  }
  std::signal(SIGINT, [](int) { interrupted = 1; });
  std::signal(SIGTERM, [](int) { interrupted = 1; });
  double saved = run.seconds;
  while (run.solves < wanted && interrupted == 0) {
    run.block();
    if (state == nullptr || run.seconds < saved + 10) continue;
    saved = run.seconds;
    if (!run.save(state)) return 2;
  }
  if (state != nullptr && !run.save(state)) return 2;
  if (page != nullptr) {
    std::ofstream out(page);
    run.print(out);
  }
  std::printf("%ld solves, %ld wrong, %.0f solves/s\n", run.solves, run.wrong, double(run.solves) / run.seconds);
  return run.wrong == 0 ? 0 : 1;
}
