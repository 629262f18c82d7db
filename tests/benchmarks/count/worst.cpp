// The worst case of constant time: what a step costs that leaves it, by the way it leaves: so many contacts closed
// (two or fewer: refused by the closed forms), a model that the program has changed, or input that is refused. Seen over starts drawn at random and over the
// worst_case that were bred (starts.hpp), and bounded by what costs.hpp adds up: lines `worst`. The program fails where
// a step costs more than its bound.
#include <moreau/port/exit.hpp>

#include "costs.hpp"
#include "starts.hpp"

namespace {

using counting::Real;
using moreau::Status;
using moreau::Timing;
int failures = 0;

// What was seen of one way out.
struct Way {
  std::uint32_t worst_case = 0;         // instructions: of a step
  std::uint32_t refusal = 0, idle = 0;  // of its first attempt; of all but solving
  std::uint32_t sweep = 0;              // ClosedForms: of one more sweep
  std::uint64_t sum = 0;                // of the drawn ones
  int ends[4] = {};                     // draws that ended ok, inexact, without a solution, refused

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
class Ways {
  using Model = typename Start::Model;
  using State = moreau::State<Model>;
  using Numbers = typename Start::Numbers;
  static constexpr bool is_exact = std::is_same_v<Solver, moreau::Exact>;
  static constexpr int contacts = Model::contacts;
  static constexpr Real dt = Real(Start::dt);

 public:
  explicit Ways(const char* solver) : solver_(solver), stepper_(Model(), State()), idle_(Model(), State()) {
    idle_.judge.rtol = Real(0.99);
    idle_.judge.reject = Real(1);  // anything passes
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
    Way& way = way_[report.active];
    raise(way.worst_case, cost);
    if (drawn) way.add(report.status, cost);
    price(numbers, cost, way);
  }
  // The same step of a model that has been another one so far: what is kept of it is made anew.
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

  // What its parts cost.
  void price(const Numbers& numbers, std::uint32_t cost, Way& way) {
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
    const Way& way = way_[k];
    const counting::Allowed most = counting::allowed(stepper_.solver);
    std::uint32_t bound = way.refusal + way.idle;
    if constexpr (is_exact)
      bound += counting::worst_solve<moreau::detail::ProblemOf<Model>>(k, 200);
    else
      bound += std::uint32_t(most.sweeps - 1) * way.sweep;
    print(k, way, bound, most);
    raise(bound_, bound);
    if (way.worst_case > bound) {
      moreau::port::print("a step costs more than its bound");
      ++failures;
    }
  }

  // A step that leaves constant time for no other reason. Any other way out may have it on top.
  void change() {
    print(-1, changed_, constant_ + changed_.refusal, {});
    bound_ = std::max(bound_, constant_) + changed_.refusal;
  }

  // Whatever a step refuses: the argument, numbers that are none, laws out of range. Most of it is seen before a solver
  // runs; what shows in the result alone costs as much as the step it is in.
  void refuse() {
    constexpr Real none = std::numeric_limits<Real>::quiet_NaN();
    Way way;
    const auto spoilt = [&](const auto& spoil) {
      counting::put<Start>(Numbers{}, stepper_);
      Real any = dt;
      spoil(stepper_.model, stepper_.state, any);
      moreau::StepReport<Real> report;
      const std::uint32_t cost = cost_of_step(any, report);
      raise(way.worst_case, cost);
      way.add(report.status, cost);
    };
    for (const Real bad : {Real(0), none}) spoilt([bad](Model&, State&, Real& any) { any = bad; });
    for (int j = 0; j < Model::dof; ++j) {
      spoilt([j](Model&, State& state, Real&) { state.q(j) = none; });
      spoilt([j](Model&, State& state, Real&) { state.u(j) = none; });
    }
    spoilt([](Model& model, State&, Real&) { model.mu = Real(-1); });
    spoilt([](Model& model, State&, Real&) { model.eps_T = none; });
    if (way.ends[0] + way.ends[1] + way.ends[2] > 0) {
      moreau::port::print("bad input is not refused");
      ++failures;
    }
    print(0, way, std::max(bound_, way.worst_case), {});
  }

  // k: closed contacts; 0: refused input, -1: a changed model.
  void print(int k, const Way& way, std::uint32_t bound, const counting::Allowed& most) const {
    moreau::port::print("worst,", Start::name, ',', counting::scalar, ',', solver_, ',', k, ',', constant_, ',',
                        way.mean(), ',', way.worst_case, ',', bound, ',', most.rounds, ',', most.sweeps, ',',
                        way.ends[0], ',', way.ends[1], ',', way.ends[2], ',', way.ends[3]);
  }

  const char* solver_;
  moreau::port::Stopwatch watch_;
  moreau::Stepper<Model, Solver, Timing::constant> stepper_;
  moreau::Stepper<Model, counting::Idle> idle_;
  std::uint32_t constant_ = 0, bound_ = 0;  // of steps in constant time; of all ways out
  Way way_[contacts + 1], changed_;
};

}  // namespace

int main() {
  Ways<counting::WoodpeckerStart<Real>, moreau::Exact>("exact").run(MOREAU_COUNT_STEPS);
  Ways<counting::WoodpeckerStart<Real>, moreau::ClosedForms>("closed").run(MOREAU_COUNT_STEPS);
  Ways<counting::CrankStart<Real>, moreau::Exact>("exact").run(MOREAU_COUNT_STEPS);
  Ways<counting::CrankStart<Real>, moreau::ClosedForms>("closed").run(MOREAU_COUNT_STEPS);
  Ways<counting::BeamStart<Real>, moreau::Exact>("exact").run(MOREAU_COUNT_STEPS);
  Ways<counting::BeamStart<Real>, moreau::ClosedForms>("closed").run(MOREAU_COUNT_STEPS);
  return failures > 0 ? 1 : 0;
}
