// Problems of three and four contacts at the limits of rounding: Lemke and Exact solve all of them.
#include "support/test.hpp"

#include "data/hard_problems.hpp"
#include "enumeration.hpp"
#include "hand_over.hpp"
#include "table.hpp"

namespace {

constexpr bool is_double = sizeof(Real) == 8;
constexpr problems::Wide limit = is_double ? 1e-6 : 1e-3;  // of velocities, as in referee.hpp
constexpr problems::Wide noise = moreau::Judge<Real>{}.rtol;

template <class Solver>
void check_all(void) {
  static moreau::Workspace<Solver, problems::Problem<Real, 2>> work;
  problems::Reader reader;
  reader.next = is_double ? problems::hard_in_double : problems::hard_in_float;
  const int count = is_double ? problems::hard_in_double_count : problems::hard_in_float_count;
  for (int i = 0; i < count; ++i) {
    const problems::PlainProblem problem = reader.read();
    const problems::Answer answer = problems::answer<Real, 2>(problem, Solver{}, work);
    if (!answer.ok) moreau::port::print("problem ", i, " is not solved\n");
    CHECK(answer.ok);
    CHECK(problems::right(problem, answer.P, limit, noise));
  }
}

}  // namespace

void test_lemke(void) { check_all<moreau::Lemke>(); }
void test_exact(void) { check_all<moreau::Exact>(); }

TEST_MAIN({
  TEST(test_lemke);
  TEST(test_exact);
})
