// Worst case of constant time: cost of a fallback step by its path: number of closed contacts (at most two: rejected
// by the direct solution), a changed model, or rejected input. Observed over random starts and worst cases found by
// search (starts.hpp), with the upper bounds of costs.hpp: rows `worst`. The program fails if a step costs more than
// its bound.
#include <moreau/port/exit.hpp>

#include "costs.hpp"
#include "starts.hpp"

namespace {

using counting::Real;
using moreau::Status;
using moreau::Timing;
int failures = 0;

// Observed costs of one fallback path.
struct FallbackPath {
  std::uint32_t worst_case = 0;         // instructions: of a step
  std::uint32_t refusal = 0, idle = 0;  // of its first attempt; of the step without solver
  std::uint32_t sweep = 0;              // ClosedForms: of one more sweep
  std::uint64_t sum = 0;                // of the random starts
  int ends[4] = {};                     // random starts that ended ok, inexact, without a solution, rejected

  void add(Status status, std::uint32_t cost) {
    ++ends[std::min(int(status), 3)];
    sum += cost;
  }
  std::uint32_t mean() const {
    const int drawn = ends[0] + ends[1] + ends[2] + ends[3];
    return drawn > 0 ? static_cast<std::uint32_t>(sum / static_cast<std::uint64_t>(drawn)) : 0;
  }
};

void raise(std::uint32_t& most, std::uint32_t x) { most = std::max(most, x); }

template <class Start, class Solver>
class FallbackPaths {
  using Model = typename Start::Model;
  using State = moreau::State<Model>;
  using Numbers = typename Start::Numbers;
  static constexpr bool is_exact = std::is_same_v<Solver, moreau::Exact>;
  static constexpr int contacts = Model::contacts;
  static constexpr Real dt = Real(Start::dt);

 public:
  explicit FallbackPaths(const char* solver) : solver_(solver), stepper_(Model(), State()), idle_(Model(), State()) {
    idle_.judge.rtol = Real(0.99);
    idle_.judge.reject = Real(1);  // accepts everything
  }

  void run(int draws) {
    counting::each_start<Start>(draws, [this](const Numbers& numbers, bool drawn) { step(numbers, drawn); });
    for (int k = 1; k <= contacts; ++k)
      if (way_[k].worst_case > 0) close(k);
    if (changed_.worst_case > 0) change();
    refuse();
  }

 private:
  void step(const Numbers& numbers, bool drawn) {
    moreau::StepReport<Real> report;
    const std::uint32_t cost = cost_of_step(numbers, report);
    if (report.fallbacks == 0) {
      raise(constant_, cost);
      return step_changed(numbers, cost, drawn);
    }
    FallbackPath& way = way_[report.active];
    raise(way.worst_case, cost);
    if (drawn) way.add(report.status, cost);
    measure_parts(numbers, cost, way);
  }
  // The same step after a change of the model: its stored data are recomputed.
  void step_changed(const Numbers& numbers, std::uint32_t unchanged, bool drawn) {
    counting::put<Start>(numbers, stepper_);
    Start::change(stepper_.model);
    stepper_.mass_changed();
    Model changed = Model();
    State unused;
    Start::apply(numbers, changed, unused);
    stepper_.model = changed;
    moreau::StepReport<Real> report;
    const std::uint32_t cost = cost_of_step(dt, report);
    if (report.fallbacks == 0) return;
    raise(changed_.worst_case, cost);
    if (cost > unchanged) raise(changed_.refusal, cost - unchanged);
    if (drawn) changed_.add(report.status, cost);
  }
  std::uint32_t cost_of_step(const Numbers& numbers, moreau::StepReport<Real>& report) {
    counting::put<Start>(numbers, stepper_);
    return cost_of_step(dt, report);
  }

  std::uint32_t cost_of_step(Real any, moreau::StepReport<Real>& report) {
    watch_.begin();
    report = counting::counted_step(stepper_, any);
    return watch_.instructions();
  }

  // Costs of the parts.
  void measure_parts(const Numbers& numbers, std::uint32_t cost, FallbackPath& way) {
    if constexpr (is_exact) {
      counting::put<Start>(numbers, stepper_);
      idle_.model = stepper_.model;
      State state = stepper_.state, same = state;
      const auto general = counting::instructions(watch_, [&] { (void)stepper_.advance(state, dt); });
      raise(way.idle, counting::instructions(watch_, [&] { (void)idle_.advance(same, dt); }));
      if (cost > general) raise(way.refusal, cost - general);
    } else {
      constexpr int more = 8;
      moreau::StepReport<Real> unused;
      stepper_.solver.sweeps = 1;
      const std::uint32_t once = cost_of_step(numbers, unused);
      stepper_.solver.sweeps = 1 + more;
      const std::uint32_t longer = cost_of_step(numbers, unused);
      stepper_.solver = Solver{};
      raise(way.idle, once);
      if (longer > once) raise(way.sweep, (longer - once) / more + 1);
    }
  }

  void close(int k) {
    const FallbackPath& way = way_[k];
    const counting::Allowed most = counting::allowed(stepper_.solver);
    std::uint32_t bound = way.refusal + way.idle;
    if constexpr (is_exact)
      bound += counting::worst_solve<moreau::detail::ProblemOf<Model>>(k, 200);
    else
      bound += std::uint32_t(most.sweeps - 1) * way.sweep;
    print(k, way, bound, most);
    raise(bound_, bound);
    if (way.worst_case > bound) {
      moreau::port::print("the cost of a step exceeds its bound");
      ++failures;
    }
  }

  // A step that leaves constant time for this reason only. Any other path may add to it.
  void change() {
    print(-1, changed_, constant_ + changed_.refusal, {});
    bound_ = std::max(bound_, constant_) + changed_.refusal;
  }

  // Rejected input: arguments, non-finite numbers, invalid laws. Most are detected before a solver runs; input that
  // shows in the result only costs the whole step.
  void refuse() {
    constexpr Real none = std::numeric_limits<Real>::quiet_NaN();
    FallbackPath way;
    const auto corrupted = [&](const auto& corrupt) {
      counting::put<Start>(Numbers{}, stepper_);
      Real any = dt;
      corrupt(stepper_.model, stepper_.state, any);
      moreau::StepReport<Real> report;
      const std::uint32_t cost = cost_of_step(any, report);
      raise(way.worst_case, cost);
      way.add(report.status, cost);
    };
    for (const Real bad : {Real(0), none}) corrupted([bad](Model&, State&, Real& any) { any = bad; });
    for (int j = 0; j < Model::dof; ++j) {
      corrupted([j](Model&, State& state, Real&) { state.q(j) = none; });
      corrupted([j](Model&, State& state, Real&) { state.u(j) = none; });
    }
    corrupted([](Model& model, State&, Real&) { model.mu = Real(-1); });
    corrupted([](Model& model, State&, Real&) { model.eps_T = none; });
    if (way.ends[0] + way.ends[1] + way.ends[2] > 0) {
      moreau::port::print("invalid input is accepted");
      ++failures;
    }
    print(0, way, std::max(bound_, way.worst_case), {});
  }

  // k: closed contacts; 0: rejected input, -1: a changed model.
  void print(int k, const FallbackPath& way, std::uint32_t bound, const counting::Allowed& most) const {
    moreau::port::print("worst,", Start::name, ',', counting::scalar, ',', solver_, ',', k, ',', constant_, ',',
                        way.mean(), ',', way.worst_case, ',', bound, ',', most.rounds, ',', most.sweeps, ',',
                        way.ends[0], ',', way.ends[1], ',', way.ends[2], ',', way.ends[3]);
  }

  const char* solver_;
  moreau::port::Stopwatch watch_;
  moreau::Stepper<Model, Solver, Timing::constant> stepper_;
  moreau::Stepper<Model, counting::Idle> idle_;
  std::uint32_t constant_ = 0, bound_ = 0;  // of steps in constant time; of all paths
  FallbackPath way_[contacts + 1], changed_;
};

}  // namespace

int main() {
  FallbackPaths<counting::WoodpeckerStart<Real>, moreau::Exact>("exact").run(MOREAU_COUNT_STEPS);
  FallbackPaths<counting::WoodpeckerStart<Real>, moreau::ClosedForms>("closed").run(MOREAU_COUNT_STEPS);
  FallbackPaths<counting::CrankStart<Real>, moreau::Exact>("exact").run(MOREAU_COUNT_STEPS);
  FallbackPaths<counting::CrankStart<Real>, moreau::ClosedForms>("closed").run(MOREAU_COUNT_STEPS);
  FallbackPaths<counting::BeamStart<Real>, moreau::Exact>("exact").run(MOREAU_COUNT_STEPS);
  FallbackPaths<counting::BeamStart<Real>, moreau::ClosedForms>("closed").run(MOREAU_COUNT_STEPS);
  FallbackPaths<counting::SecondOrderStart<counting::WoodpeckerStart<Real>>, moreau::Exact>("exact").run(
      MOREAU_COUNT_STEPS);
  FallbackPaths<counting::SecondOrderStart<counting::CrankStart<Real>>, moreau::Exact>("exact").run(MOREAU_COUNT_STEPS);
  return failures > 0 ? 1 : 0;
}
