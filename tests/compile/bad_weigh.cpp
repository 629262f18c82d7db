// The earlier name of evaluate.
// Expected message: moreau::weigh has been renamed moreau::evaluate
#include <moreau/moreau.hpp>

using Problem = moreau::ContactProblem<double, 2>;

double residual(const Problem& problem, const Problem::Percussions& P);
double residual(const Problem& problem, const Problem::Percussions& P) {
  const moreau::Judge<double> judge;
  moreau::Sigmas<Problem> sigmas;
#ifdef MISTAKE
  moreau::weigh(problem, P, judge, sigmas);
#endif
  return moreau::evaluate(problem, P, judge, sigmas).residual;
}
