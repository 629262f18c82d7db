// Options of an adaptive run.
//
//   moreau::AdaptiveOptions<double> options;
//   options.dt_min = 1e-9;  options.dt_max = 2e-3;  options.order_max = 6;
//
// AdaptiveOptions::paper() is the algorithm of SLG08 section 9. If contact directions rotate, this algorithm resolves
// phases of sustained contact in steps of dt_min. The defaults avoid this for all tested models: corners of rotating
// bodies, rods, rocking blocks and moving surfaces.
//
//   option       paper()     default     effect of the default
//   locate       halving     secant      secants of gaps, velocities and percussions predict the switching point
//                                        (adapt/search.hpp)
//   closed       by_gap      held        a contact stays closed at any gap until its percussion vanishes; it has no
//                                        restitution while held (adapt/held_contacts.hpp)
//   pace         doubling    predicted   the error test determines the next dt (adapt/pace.hpp)
//   force_at     begin       predicted   forces use a predicted midpoint velocity: second order without contacts
//   powers       every       declared    powers of dt^2 for models that declare symmetric_steps: each column raises the
//                                        order by two
//
// With Closed::by_gap, every step contains a switching point if directions rotate or surfaces move: the gap of a
// resting contact opens by a_N dt^2 / 8 within the step. With Closed::held, closed contacts are at rest at the end of
// each base step.
//
// With Pace::doubling, a step beyond the tolerance is repeated with smaller dt, down to dt_min. If two steps of dt_min
// also exceed the tolerance, the run stays at dt_min. Velocity-dependent forces cause this, because they leave an error
// in u proportional to dt_min. Pace::predicted accepts a main step whose substeps are as short as dt_min even if its
// error exceeds the tolerance.
//
// A discontinuity of a force at a given time is not located as a switching point, and the step-size control may miss
// it. End a call of advance_to at that time.
#pragma once

#include "moreau/model/traits.hpp"
#include "moreau/step/active_contacts.hpp"
#include "moreau/step/report.hpp"

namespace moreau {

// Substep numbers of the extrapolation: 1, 3, 5, ... (odd) or 1, 2, 3, ... (every). The sequence `every` amplifies the
// velocities of closed contacts (SLG08 section 8.1).
enum class Substeps { odd, every };
// Powers of dt in the error expansion. `declared`: `even` if the model declares symmetric_steps, otherwise `every`.
enum class Powers { declared, every, even };
// Location of a switching point: by halving the step, or by secants of event functions.
enum class Locate { halving, secant };
// Criterion for closed contacts in a base step (one substep of the extrapolation): the gap alone, or also the normal
// percussion.
enum class Closed { by_gap, held };
// Selection of the next step size: by factors of two, or from the error test.
enum class Pace { doubling, predicted };

namespace detail {

inline constexpr int order_columns = 12;  // largest number of columns of the extrapolation tableau

}  // namespace detail

// Options of one call of Adaptive::advance_to.
template <class Real>
struct AdaptiveOptions {
  // Smallest step size and resolution of switching points, s. Positive, and at least half the resolution of t. Default:
  // 1e-8 (float: 1e-5).
  Real dt_min = sizeof(Real) == 8 ? Real(1e-8) : Real(1e-5);

  // Largest step size, s. At least dt_min, finite. The last step of a call may exceed dt_max by up to dt_min / 2.
  // Default: 1e-3.
  Real dt_max = Real(1e-3);

  // Tolerance of q and u per step: the error limit of a component x is atol + rtol |x|, with atol in SI units. Both are
  // not negative; the sum is positive and finite. Default: 1e-9 (float: 1e-5).
  Real atol = sizeof(Real) == 8 ? Real(1e-9) : Real(1e-5);
  Real rtol = sizeof(Real) == 8 ? Real(1e-9) : Real(1e-5);

  // Largest order of the extrapolation. At least 1; at most 12, or 24 with even powers (12 columns of the tableau).
  // Default: 6.
  int order_max = 6;

  // Fixed order without an error test, for convergence studies. Same upper limit as order_max. Default: 0; the error
  // test then selects the order.
  int order_fixed = 0;

  // Substep numbers. Default: odd.
  Substeps substeps = Substeps::odd;

  // Powers of dt in the error expansion. `even` requires the conditions of symmetric_steps; in other models, `even`
  // converges more slowly than `every`. Default: declared.
  Powers powers = Powers::declared;

  // Location of switching points. Default: secant.
  Locate locate = Locate::secant;

  // Velocity in the forces of a base step: at its start, or predicted at its midpoint. Default: predicted.
  ForceAt force_at = ForceAt::predicted;

  // Criterion for closed contacts. Default: held.
  Closed closed = Closed::held;

  // Selection of the next step size. Default: predicted.
  Pace pace = Pace::predicted;

  // Largest number of base steps of one call, positive. The limit ends calls with an infinite number of switching
  // points (Zeno behaviour). Default: 1e8.
  std::int64_t base_steps_max = 100000000;

  // Returns the options of SLG08 section 9.
  static constexpr AdaptiveOptions paper() {
    AdaptiveOptions options;
    options.substeps = Substeps::odd;
    options.powers = Powers::every;
    options.locate = Locate::halving;
    options.force_at = ForceAt::begin;
    options.closed = Closed::by_gap;
    options.pace = Pace::doubling;
    return options;
  }

  // Returns true if all values are within their ranges.
  constexpr bool valid() const {
    constexpr Real infinity = std::numeric_limits<Real>::infinity();
    return dt_min > Real(0) && dt_max >= dt_min && dt_max < infinity && atol >= Real(0) && rtol >= Real(0) &&
           atol + rtol > Real(0) && atol + rtol < infinity && order_max >= 1 &&
           columns(order_max) <= detail::order_columns && order_fixed >= 0 &&
           columns(order_fixed) <= detail::order_columns && base_steps_max > 0;
  }
  // Returns true if the addition of dt_min changes a time t by at least dt_min / 2.
  constexpr bool moves(Real t) const { return (t + dt_min) - t >= dt_min / 2; }
  // Returns the options with Powers::declared replaced by the declaration of the model. The functions below require
  // resolved options.
  template <class Model>
  constexpr AdaptiveOptions resolved() const {
    using T = Traits<Model>;
    static_assert(!T::symmetric_steps || (T::tangents < 2 && (T::frictions == 0 || T::friction_dim == 1)),
                  "Model declares symmetric_steps, but spatial friction changes its direction with the velocity");
    AdaptiveOptions options = *this;
    if (powers == Powers::declared) options.powers = T::symmetric_steps ? Powers::even : Powers::every;
    return options;
  }
  // Conversions between orders and columns of the tableau, and from columns to numbers of substeps.
  constexpr int columns(int order) const { return powers == Powers::even ? order / 2 + order % 2 : order; }
  constexpr int order(int column) const { return powers == Powers::even ? 2 * column : column; }
  constexpr int last_column() const { return columns(order_fixed > 0 ? order_fixed : order_max); }
  constexpr int substeps_of(int column) const { return substeps == Substeps::odd ? 2 * column - 1 : column; }
};

namespace detail {

// Default recorder and observer of a run. Always returns true, so the run continues.
struct GoOn {
  template <class... Arguments>
  constexpr bool operator()(const Arguments&...) const {
    return true;
  }
};

}  // namespace detail

}  // namespace moreau
