// Contact solvers of this library. The judge accepts their solutions, as in a step; its time is included.
#include "contacts.hpp"
#include "solvers/hand_over.hpp"

namespace {

template <class Options, int dim>
class Solver {
 public:
  explicit Solver(const Options& options = {}) : options_(options) {}
  void load(const peers::PlainProblem& plain) { problems::hand_over<double, dim>(plain, problem_); }
  bool solve() {
    P_.setZero();
    moreau::solve(problem_, options_, work_, P_, judge_);
    return moreau::evaluate(problem_, P_, judge_, modes_).exact;
  }
  double percussion(int row) const { return P_(row); }

 private:
  using Problem = problems::Problem<double, dim>;
  const Options options_;
  const moreau::Judge<double> judge_;
  Problem problem_;
  moreau::Workspace<Options, Problem> work_;
  typename Problem::Percussions P_;
  moreau::Sigmas<Problem> modes_;
};

}  // namespace

int main(int count, char** words) {
  peers::read_arguments(count, words);
  moreau::Psor psor;
  psor.max_iterations = 10000;
  peers::race_solver({"moreau", "Exact"}, 2, Solver<moreau::Exact, 2>{});
  peers::race_solver({"moreau", "Lemke"}, 2, Solver<moreau::Lemke, 2>{});
  peers::race_solver({"moreau", "Psor, at most 10,000 sweeps"}, 2, Solver<moreau::Psor, 2>{psor});
  peers::race_solver({"moreau", "Psor, at most 10,000 sweeps"}, 3, Solver<moreau::Psor, 3>{psor});
  peers::race_solver({"moreau", "Newton"}, 3, Solver<moreau::Newton, 3>{});
}
