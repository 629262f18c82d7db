// Fault injection: one number is corrupted for one step in the middle of a run, for every kind of step.
//
// Two steppers make the same run. Before some steps, one of them makes the step with a fault: in a number that a
// function of the model returns, in a number of the state, or in dt. It must
//
//   reject      status and cause name the reason, and the state is unchanged, bit for bit, or
//   advance     with finite numbers only; if the fault is a non-finite number, bit-identically to the step without it
//
// Then its state is restored, the fault is removed, and its next step must be bit-identical to that of the other
// stepper: no data that a stepper keeps between steps is corrupted.
#pragma once
#include <limits>
#include <moreau/moreau.hpp>

#include "support/bits_hash.hpp"
#include "support/saved.hpp"
#include "support/test.hpp"

namespace test {

// A number of a model: the function, its index (contact, friction element or row), and the entry of the returned
// value.
enum Function {
  mass,
  force,
  gap,
  directions,
  law,
  mu,
  allowed_penetration,
  bound,
  contact_bias,
  rubbing,
  bilateral,
  bias_acceleration,
  wrap,
  period,
  functions
};
constexpr int indices = 4, entries = 16, places = functions * indices * entries;

// The replaced number, wherever a step evaluates it. One object for all models, because a stepper has a copy of its
// model.
struct Fault {
  int at = -1;  // place; -1: none
  Real value{};
  bool asked[places] = {};  // in the last step
  int next = 0;
};
inline Fault fault;

inline void pass(Real& x) {
  fault.asked[fault.next] = true;
  if (fault.next++ == fault.at) x = fault.value;
}
template <int rows, int cols, int options>
void pass(Eigen::Matrix<Real, rows, cols, options>& m) {
  for (int i = 0; i < rows * cols; ++i) pass(m.data()[i]);
}
template <int dof, int tangents>
void pass(moreau::Directions<Real, dof, tangents>& d) {
  pass(d.w_N), pass(d.w_T), pass(d.zeta_N), pass(d.zeta_T);
}
template <int dof, int dim>
void pass(moreau::FrictionDirections<Real, dof, dim>& d) {
  pass(d.w), pass(d.zeta);
}
template <int dof>
void pass(moreau::Bilateral<Real, dof>& row) {
  pass(row.w), pass(row.zeta), pass(row.g);
}
template <int tangents>
void pass(moreau::ContactBias<Real, tangents>& bias) {
  pass(bias.N), pass(bias.T);
}
inline void pass(moreau::ContactLaw<Real>& law) { pass(law.eps_N), pass(law.eps_T), pass(law.mu); }
template <class Any>
Any passed(Function function, int index, Any x) {
  fault.next = (function * indices + index) * entries;
  pass(x);
  return x;
}

using Limits = std::numeric_limits<Real>;
inline Real bad_number(Random& random) {
  const Real bad[] = {Limits::quiet_NaN(), Limits::infinity(), -Limits::infinity(),
                      Limits::max(),       -Limits::max(),     Limits::denorm_min(),
                      Limits::min(),       -Limits::min(),     Real(1e20),
                      Real(-1e20),         Real(1e-30),        Real(0),
                      Real(-0.0),          Real(-1),           -Limits::denorm_min()};
  return bad[random.bits() % (sizeof bad / sizeof *bad)];
}
inline bool is_number(Real x) { return moreau::detail::finite_probe(x) == Real(0); }

// f of every number of a state except du_held of second_order, which Stepper::set_state checks and a step
// does not.
template <class Model, class F>
void each_number(moreau::State<Model>& s, const F& f) {
  const auto all = [&](auto& m) {
    for (int i = 0; i < int(m.size()); ++i) f(m.data()[i]);
  };
  all(s.q), all(s.u), f(s.clock.t0), f(s.clock.dt);
  all(s.P_N), all(s.P_T), all(s.P_F), all(s.P_B);
}

// Every mode in which other code may leave the FPU. Bit-identical results are guaranteed for the first only
// (lib/MODEL.md).
enum class Mode { nearest, up, down, zero, flush };

#if defined(__SSE2__)
inline void set_mode(Mode mode) {
  constexpr unsigned masked = 0x1f80, control[] = {0, 0x4000, 0x2000, 0x6000, 0x8040};  // FTZ and DAZ
  _mm_setcsr(masked | control[int(mode)]);
}
constexpr bool has_modes = true;
#elif defined(__ARM_FP) && !defined(__SOFTFP__) && defined(__arm__)
inline void set_mode(Mode mode) {
  constexpr std::uint32_t control[] = {0, 1u << 22, 2u << 22, 3u << 22, 1u << 24};
  asm volatile("vmsr fpscr, %0" : : "r"(control[int(mode)]) : "memory");
}
constexpr bool has_modes = true;
#else
inline void set_mode(Mode) {}
constexpr bool has_modes = false;
#endif

struct Injected {
  int refused = 0, advanced = 0, unread = 0;
};

// Sweeps and Newton in constant time have a single cause of no_solution and spend no instructions on naming it
// (lib/STATUS.md).
template <class Stepper, class Report>
bool names_none(const Report& report) {
  return Stepper::constant_covers.jamming && report.status == moreau::Status::no_solution && report.fallbacks == 0;
}

template <class Stepper>
class Run {
 public:
  using Model = typename Stepper::Model;
  using Report = typename Stepper::Report;

  Run(const Model& model, const moreau::State<Model>& start, const typename Stepper::Solver& solver, Real dt, Mode mode)
      : good_{model, start, solver}, hit_{model, start, solver}, dt_(dt), mode_(mode) {}

  Injected go(int steps, std::uint64_t seed) {
    Random random(seed);
    for (int n = 0; n < steps; ++n) {
      const moreau::State<Model> before = hit_.state;
      const auto a = step(good_, dt_);
      if (!a.advanced())
        moreau::port::print("step ", n, " without a fault: ", moreau::name(a.status), " mode ", int(mode_));
      CHECK(a.advanced());
      if (random.bits() % 2 == 0) inject(random, n);
      hit_.state = before;
      const auto b = step(hit_, dt_);
      CHECK(saved(good_.state) == saved(hit_.state));
      CHECK(a.status == b.status && a.residual == b.residual && a.active == b.active);
    }
    CHECK(seen_.refused > 0 && seen_.advanced > 0);
    return seen_;
  }

 private:
  static Report step(Stepper& stepper, Real dt) {
    for (bool& asked : fault.asked) asked = false;
    return stepper.step(dt);
  }
  // A random place that the last step has read.
  static int any_place(Random& random) {
    int place = int(random.bits() % places);
    while (!fault.asked[place]) place = (place + 1) % places;
    return place;
  }

  void inject(Random& random, int n) {
    const Real value = bad_number(random);
    const int kind = int(random.bits() % 8);
    Real dt = dt_;
    bool must_refuse = false;
    if (kind == 0) {
      dt = value;
      must_refuse = !is_number(value) || !(value > Real(0));
    } else if (kind == 1) {
      int numbers = 0, i = 0;
      each_number(hit_.state, [&](Real&) { ++numbers; });
      const int place = int(random.bits() % unsigned(numbers));
      each_number(hit_.state, [&](Real& x) {
        if (i++ != place) return;
        x = value;
        must_refuse = i <= 2 * Model::dof + 1 && !is_number(value);  // q, u, t0; the step replaces the others
      });
    } else {
      fault.at = any_place(random);
      fault.value = value;
    }
    const auto faulty = saved(hit_.state);
    const Report report = step(hit_, dt);
    const int place = fault.at;
    fault.at = -1;
    const auto after = saved(hit_.state);
    bool fine = true;
    if (report.advanced()) {
      ++seen_.advanced;
      each_number(hit_.state, [&](Real& x) { fine = fine && is_number(x); });
      fine = fine && !must_refuse && is_number(report.residual);
      if (kind > 1 && !is_number(value)) {
        ++seen_.unread;
        const bool fallback = report.fallbacks > 0;  // another kind of step sums in another order
        fine = fine && (fallback || same_numbers());
      }
    } else {
      ++seen_.refused;
      fine = after == faulty && (report.cause != moreau::Cause::none || names_none<Stepper>(report));
      if (!is_number(value)) fine = fine && report.status != moreau::Status::no_solution;
    }
    if (!fine)
      moreau::port::print("step ", n, " kind ", kind, " function ", place / entries / indices, " index ",
                          place / entries % indices, " entry ", place % entries, " value ", value, ": ",
                          moreau::name(report.status), ", ", moreau::name(report.cause), " ", int(report.index),
                          " state ", after == faulty ? "kept" : "changed");
    CHECK(fine);
  }

  bool same_numbers() {
    Real all[128];
    int numbers = 0, same = 0;
    each_number(good_.state, [&](Real& x) { all[numbers++] = x; });
    each_number(hit_.state, [&](Real& x) { same += x == all[same]; });
    return same == numbers;
  }

  Stepper good_, hit_;
  const Real dt_;
  const Mode mode_;
  Injected seen_;
};

// Not inlined: the stack of a small board holds one run at a time.
template <class Solver, moreau::Timing timing = moreau::Timing::variable, class Model>
[[gnu::noinline]] void check_injected(const char* name, const Model& model, const moreau::State<Model>& start, Real dt,
                                      int steps, const Solver& solver = Solver{}) {
  for (const Mode mode : {Mode::nearest, Mode::up, Mode::down, Mode::zero, Mode::flush}) {
    if (mode != Mode::nearest && !has_modes) break;
    set_mode(mode);
    if (mode == Mode::down && timing == moreau::Timing::constant && moreau::detail::solves_all<Solver>) {
      // In this mode x - x = -0, and masks treat equality as less: no_solution, unless the compiler has chosen
      // another comparison.
      moreau::Stepper<Model, Solver, timing> stepper{model, start, solver}, nearest{model, start, solver};
      const auto report = stepper.step(dt);
      set_mode(Mode::nearest);
      CHECK(nearest.step(dt).advanced());
      const bool kept = report.status == moreau::Status::no_solution && saved(stepper.state) == saved(start);
      bool close = report.advanced();
      for (int j = 0; j < Model::dof; ++j) {
        const Real most = Real(1e4) * std::numeric_limits<Real>::epsilon() * (Real(1) + std::abs(nearest.state.u(j)));
        close =
            close && std::abs(stepper.state.u(j) - nearest.state.u(j)) <= most;  // a few thousand roundings in a step
      }
      CHECK(kept || close);
      continue;
    }
    Run<moreau::Stepper<Model, Solver, timing>> run(model, start, solver, dt, mode);
    const Injected seen = run.go(mode == Mode::nearest ? steps : steps / 4, 1 + std::uint64_t(mode));
    set_mode(Mode::nearest);
    if (mode == Mode::nearest)
      moreau::port::print(name, ": ", seen.refused, " refused, ", seen.advanced, " advanced, ", seen.unread,
                          " of them without reading the number");
  }
}

}  // namespace test
