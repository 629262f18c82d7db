// Options of an adaptive run.
//
//   moreau::AdaptiveOptions<double> options;
//   options.dt_min = 1e-9;  options.dt_max = 2e-3;  options.order_max = 6;
//
// The defaults end well on every kind of model: corners held on turning directions, rods, rocking blocks, moving
// surfaces. AdaptiveOptions::paper() is the algorithm of SLG08 section 9, which steps through closed phases on turning
// directions at dt_min. Where the two differ:
//
//                paper()     default     what the default does
//   locate       halving     secant      gaps, velocities and percussions predict the switching point
//                                        (adapt/search.hpp)
//   closed       by_gap      held        a contact that is closed stays closed until its force ends, whatever its gap,
//                                        and has no restitution meanwhile (adapt/held_contacts.hpp)
//   pace         doubling    predicted   the error test gives how far a step may grow or has to shrink (adapt/pace.hpp)
//   force_at     begin       predicted   forces see a predicted velocity of the midpoint: second order without contacts
//   powers       every       declared    powers of dt^2 for models that declare symmetric_steps: two orders per column
//
// Both use odd numbers of substeps. By the gap alone no step is smooth where directions turn (anything but translation)
// or surfaces move: the gap of a resting contact opens by a_N dt^2 / 8 within a step. Held contacts come to rest at the
// end of a base step. powers = even is for models that could declare symmetric_steps; for others it converges slower
// than powers = every. order_fixed = p switches the error test off (convergence studies).
//
// With pace = doubling a step that misses the tolerance is done again shorter down to dt_min. Where even two steps of
// dt_min miss it (forces of velocity leave about dt_min times their rate in u) the run stays at dt_min. pace =
// predicted accepts what substeps of dt_min can give.
//
// A force that jumps at a known instant is no law that switches, and the samples of a step may all lie on one side of
// it: end a call of advance_to there.
#pragma once

#include "moreau/model/traits.hpp"
#include "moreau/step/active_contacts.hpp"
#include "moreau/step/report.hpp"

namespace moreau {

enum class Substeps { odd, every };           // 1, 3, 5, ...; 1, 2, 3, ... fails on closed contacts (SLG08 section 8.1)
enum class Powers { declared, every, even };  // declared: even where the model declares symmetric_steps
// How a switching point is found: by halving the step, or by the secants of what goes to zero there.
enum class Locate { halving, secant };
// When a contact counts as closed in a base step: by its gap, or as long as it is held.
enum class Closed { by_gap, held };
// How far the next main step goes.
enum class Pace { doubling, predicted };

namespace detail {

inline constexpr int order_columns = 12;  // of the extrapolation tableau

}  // namespace detail

template <class Real>
struct AdaptiveOptions {
  Real dt_min = sizeof(Real) == 8 ? Real(1e-8) : Real(1e-5);  // s, switching points are resolved to this
  Real dt_max = Real(1e-3);                                   // s; the last step of a call may be dt_min / 2 longer
  Real atol = sizeof(Real) == 8 ? Real(1e-9) : Real(1e-5);    // of q and u, per step, SI units
  Real rtol = sizeof(Real) == 8 ? Real(1e-9) : Real(1e-5);
  int order_max = 6;
  int order_fixed = 0;  // 0: as high as the error test needs
  Substeps substeps = Substeps::odd;
  Powers powers = Powers::declared;
  Locate locate = Locate::secant;
  ForceAt force_at = ForceAt::predicted;
  Closed closed = Closed::held;
  Pace pace = Pace::predicted;
  std::int64_t base_steps_max = 100000000;  // of one call: a motion that never ends switching ends here

  // SLG08 section 9, as it is printed.
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

  constexpr bool valid() const {
    constexpr Real infinity = std::numeric_limits<Real>::infinity();
    return dt_min > Real(0) && dt_max >= dt_min && dt_max < infinity && atol >= Real(0) && rtol >= Real(0) &&
           atol + rtol > Real(0) && atol + rtol < infinity && order_max >= 1 &&
           columns(order_max) <= detail::order_columns && order_fixed >= 0 &&
           columns(order_fixed) <= detail::order_columns && base_steps_max > 0;
  }
  // Whether dt_min moves a time at t.
  constexpr bool moves(Real t) const { return (t + dt_min) - t >= dt_min / 2; }
  // With `declared` answered by the model: what a run works with, and what the functions below are meant for.
  template <class Model>
  constexpr AdaptiveOptions resolved() const {
    using T = Traits<Model>;
    static_assert(!T::symmetric_steps || (T::tangents < 2 && (T::frictions == 0 || T::friction_dim == 1)),
                  "Model declares symmetric_steps, but its friction in two dimensions turns with the velocity");
    AdaptiveOptions answer = *this;
    if (powers == Powers::declared) answer.powers = T::symmetric_steps ? Powers::even : Powers::every;
    return answer;
  }
  // Columns of the tableau for an order, and back.
  constexpr int columns(int order) const { return powers == Powers::even ? order / 2 + order % 2 : order; }
  constexpr int order(int column) const { return powers == Powers::even ? 2 * column : column; }
  constexpr int last_column() const { return columns(order_fixed > 0 ? order_fixed : order_max); }
  constexpr int substeps_of(int column) const { return substeps == Substeps::odd ? 2 * column - 1 : column; }
};

namespace detail {

// The recorder and the watch of a run that has none.
struct GoOn {
  template <class... Seen>
  constexpr bool operator()(const Seen&...) const {
    return true;
  }
};

}  // namespace detail

}  // namespace moreau
