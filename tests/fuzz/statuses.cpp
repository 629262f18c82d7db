// Consistent statuses of all steps for a block with randomly corrupted numbers: NaN, infinities, denormals, numbers
// near the end of the range, invalid parameters of laws. A step that advances leaves finite numbers; any other step
// leaves the state unchanged, bit for bit. Where ActiveContacts reports invalid_argument, an invalid mass or
// not_finite, all other steps report the same status.
#include <moreau/moreau.hpp>

#include "support/bits_hash.hpp"
#include "support/block.hpp"
#include "support/saved.hpp"
#include "support/test.hpp"

namespace {

using moreau::Status;
using moreau::Timing;

using Block = test::Block<Real>;

Real odd_number(test::Random& random) {
  const Real largest = std::numeric_limits<Real>::max(), infinite = std::numeric_limits<Real>::infinity();
  const Real chosen[] = {Real(0),   Real(-0.0), std::numeric_limits<Real>::quiet_NaN(),  infinite,   -infinite,
                         largest,   -largest,   std::numeric_limits<Real>::denorm_min(), Real(-1),   Real(1),
                         Real(1.5), Real(1e9),  -std::numeric_limits<Real>::min(),       Real(1e-20)};
  const auto k = random.bits() % 20;
  return k < 14 ? chosen[k] : (k < 18 ? random.any_finite<Real>() : random.between(Real(-2), Real(2)));
}

// Corrupts one to three numbers of model, state and step.
void corrupt(test::Random& random, Block& model, moreau::State<Block>& state, Real& dt) {
  for (auto times = 1 + random.bits() % 3; times > 0; --times) {
    const Real odd = odd_number(random);
    switch (random.bits() % 16) {
      case 0:
        model.m = odd;
        break;
      case 1:
        model.force_T = odd;
        break;
      case 2:
        model.force_N = odd;
        break;
      case 3:
        model.contact_law.eps_N = odd;
        break;
      case 4:
        model.contact_law.eps_T = odd;
        break;
      case 5:
        model.contact_law.mu = odd;
        break;
      case 6:
        model.zeta_N = odd;
        break;
      case 7:
        model.zeta_T = odd;
        break;
      case 8:
        model.cos_plane = odd;
        break;
      case 9:
        model.sin_plane = odd;
        break;
      case 10:
        state.q(int(random.bits() % 2)) = odd;
        break;
      case 11:
      case 12:
        state.u(int(random.bits() % 2)) = odd;
        break;
      case 13:
        state.clock.t0 = odd;
        break;
      case 14:
        state.P_N(0) = state.P_T(0, 0) = odd;
        break;
      default:
        dt = odd;
    }
  }
}

bool named(Status s) {
  return s == Status::invalid_argument || s == Status::mass_not_positive_definite || s == Status::not_finite;
}

bool late(Status s) { return s == Status::no_solution || s == Status::not_finite; }

bool all_finite(const Block& m, const moreau::State<Block>& s, Real dt) {
  Real probe = moreau::detail::finite_probe(dt) + moreau::detail::finite_probe(s.clock.t0);
  for (const Real x : {m.m, m.force_T, m.force_N, m.cos_plane, m.sin_plane, m.zeta_N, m.zeta_T, s.q(0), s.q(1), s.u(0),
                       s.u(1), m.contact_law.eps_N, m.contact_law.eps_T, m.contact_law.mu})
    probe += moreau::detail::finite_probe(x);
  return probe == Real(0);
}

template <class Stepper>
void check_step(const char* who, const Block& model, const moreau::State<Block>& state, Real dt, Status general,
                int n) {
  Stepper stepper{model, state};
  const auto before = test::saved(stepper.state);
  const auto report = stepper.step(dt);
  const auto after = test::saved(stepper.state);
  bool good = report.advanced() || before == after;
  if (report.advanced())
    for (int j = 0; j < 2; ++j) {
      const Real probe = moreau::detail::finite_probe(stepper.state.q(j)) +
                         moreau::detail::finite_probe(stepper.state.u(j)) +
                         moreau::detail::finite_probe(Real(stepper.state.time()));
      good = good && probe == Real(0);
    }
  // With finite numbers, one step may overflow and another not. With two faults at once, one step may report no
  // solution before it detects a non-finite time.
  const bool overflow = all_finite(model, state, dt) && (late(general) || late(report.status));
  const bool either = late(general) && late(report.status);
  if ((named(general) || named(report.status)) && !overflow && !either) good = good && report.status == general;
  if (!good)
    moreau::port::print(
        who, ", case ", n, ": ", moreau::name(report.status), ", ActiveContacts: ", moreau::name(general), "; m ",
        model.m, " eps ", model.contact_law.eps_N, ' ', model.contact_law.eps_T, " mu ", model.contact_law.mu, " f ",
        model.force_T, ' ', model.force_N, " plane ", model.cos_plane, ' ', model.sin_plane, " zeta ", model.zeta_N,
        ' ', model.zeta_T, " q ", state.q(0), ' ', state.q(1), " u ", state.u(0), ' ', state.u(1), " dt ", dt, "\n");
  CHECK(good);
}

}  // namespace

void test_all_steps_report_the_same_status(void) {
  test::Random random(2024);
  int advanced = 0, refused = 0, unsolved = 0;
  for (int n = 0; n < often(30000); ++n) {
    Block model;
    model.contact_law = {random.between(Real(0), Real(1)), Real(0), random.between(Real(0), Real(0.6))};
    model.force_T = random.between(Real(-5), Real(5));
    moreau::State<Block> state;
    state.u = {random.between(Real(-1), Real(1)), random.between(Real(-1), Real(0.3))};
    Real dt = Real(1e-3);
    corrupt(random, model, state, dt);
    moreau::Stepper<Block, moreau::Psor> general{model, state};
    const Status status = general.step(dt).status;
    advanced += status == Status::ok || status == Status::inexact;
    refused += named(status);
    unsolved += status == Status::no_solution;
    check_step<moreau::Stepper<Block, moreau::Lemke>>("Lemke", model, state, dt, status, n);
    check_step<moreau::Stepper<Block, moreau::Exact>>("Exact", model, state, dt, status, n);
    check_step<moreau::Stepper<Block, moreau::Exact, Timing::constant>>("Exact, constant", model, state, dt, status, n);
    check_step<moreau::Stepper<Block, moreau::ClosedForms>>("ClosedForms", model, state, dt, status, n);
    check_step<moreau::Stepper<Block, moreau::ClosedForms, Timing::constant>>("ClosedForms, constant", model, state, dt,
                                                                              status, n);
    check_step<moreau::Stepper<Block, moreau::Sweeps, Timing::constant>>("Sweeps, constant", model, state, dt, status,
                                                                         n);
    check_step<moreau::Stepper<Block, moreau::Newton>>("Newton", model, state, dt, status, n);
    check_step<moreau::Stepper<Block, moreau::Newton, Timing::constant>>("Newton, constant", model, state, dt, status,
                                                                         n);
  }
  moreau::port::print(advanced, " advanced, ", refused, " rejected with a cause, ", unsolved, " without a solution\n");
  CHECK(advanced > often(3000) && refused > often(3000));
}

TEST_MAIN({ TEST(test_all_steps_report_the_same_status); })
