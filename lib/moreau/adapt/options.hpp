// What an adaptive run is asked for, and what it answers.
//
//   moreau::AdaptiveOptions<double> options;
//   options.dt_min = 1e-9;  options.dt_max = 2e-3;  options.order_max = 6;
//
// As they stand the options are the paper's algorithm (SLG08 section 9): odd substeps, extrapolation in powers of dt,
// switching points found by halving, steps doubled after a success. Only a model that declares symmetric_steps
// (model/traits.hpp) is extrapolated in powers of dt^2; powers = every leaves that out. What goes beyond it is beside
// it:
//
//   locate = secant       gaps, velocities and percussions say where the switching point is (adapt/event.hpp)
//   powers = even         every column gains two orders instead of one, for a model that could declare
//                         symmetric_steps; for another one it converges slower than powers = every
//   force_at = predicted  forces that depend on the velocity: the base step is of second order where nothing touches
//   pace = predicted      the error test says by how much a step may grow or has to shrink, up to 8 at a time
//   closed = held         a contact that is closed stays so until its force ends, whatever its gap, and has no
//                         restitution meanwhile. Where directions turn (anything but translation) or surfaces move the
//                         gap of a resting contact opens by a_N dt^2 / 8 within a step, and by the gap alone no step is
//                         ever smooth. Contacts then come to rest at the end of a base step (adapt/variation.hpp)
//   order_fixed = p       no error test: order p, whatever it costs or saves (convergence studies)
//
// With pace = doubling a step that misses the tolerance is done again shorter down to dt_min, as in the paper's
// examples. Where even two steps of dt_min miss it (forces of velocity leave about dt_min times their rate in u) the
// run stays at dt_min: choose a larger atol, or pace = predicted, which takes what substeps of dt_min can give.
//
// A force that jumps at a known instant is no law that switches, and the samples of a step may all lie on one side of
// it: end a call of advance_to there.
#pragma once

#include "moreau/model/traits.hpp"
#include "moreau/step/report.hpp"
#include "moreau/step/listed_contacts.hpp"

namespace moreau {

enum class Substeps { odd, every };           // 1, 3, 5, ...; 1, 2, 3, ... fails on closed contacts (SLG08 section 8.1)
enum class Powers { declared, every, even };  // declared: even where the model declares symmetric_steps
enum class Locate { halving, secant };
enum class Closed { by_gap, held };
enum class Pace { doubling, predicted };

inline constexpr int order_columns = 12;  // of the extrapolation tableau

template <class Real>
struct AdaptiveOptions {
  Real dt_min = sizeof(Real) == 8 ? Real(1e-8) : Real(1e-5);  // s, switching points are resolved to this
  Real dt_max = Real(1e-3);                                   // s; the last step of a call may be dt_min / 2 longer
  Real atol = sizeof(Real) == 8 ? Real(1e-9) : Real(1e-5);    // of q and u, per step, SI units
  Real rtol = sizeof(Real) == 8 ? Real(1e-9) : Real(1e-5);
  int order_max = 6;
  int order_fixed = 0;  // 0: as high as the error test asks for
  Substeps substeps = Substeps::odd;
  Powers powers = Powers::declared;
  Locate locate = Locate::halving;
  ForceAt force_at = ForceAt::begin;
  Closed closed = Closed::by_gap;
  Pace pace = Pace::doubling;
  std::int64_t base_steps_max = 100000000;  // of one call: a motion that never ends switching ends here

  constexpr bool valid() const {
    constexpr Real infinity = std::numeric_limits<Real>::infinity();
    return dt_min > Real(0) && dt_max >= dt_min && dt_max < infinity && atol >= Real(0) && rtol >= Real(0) &&
           atol + rtol > Real(0) && atol + rtol < infinity && order_max >= 1 && columns(order_max) <= order_columns &&
           order_fixed >= 0 && columns(order_fixed) <= order_columns && base_steps_max > 0;
  }
  // Whether dt_min moves a time at t.
  constexpr bool moves(Real t) const {
    const Real moved = (t + dt_min) - t;
    return moved >= dt_min / 2 && moved <= 2 * dt_min;
  }
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

// Where a run stands, for a progress display. The library has no clock: hand in the time that has passed.
template <class Real>
struct Progress {
  Real t, dt;  // s
  Real done;   // 0..1 of this call
  std::int64_t base_steps;
  double remaining(double elapsed) const { return done > Real(0) ? elapsed * (1 / double(done) - 1) : 0; }
};

template <class Real>
struct Summary {
  std::int64_t accepted = 0, rejected = 0;  // main steps
  std::int64_t base_steps = 0;              // Moreau steps, those of rejected main steps included
  std::int64_t switchings = 0;              // laws that changed at resolved switching points
  Real dt_smallest = Real(0);               // s, of the accepted steps
  Status status = Status::ok;               // the worst of the accepted steps; what ended the run where it ended early
  constexpr bool finished() const { return status == Status::ok || status == Status::inexact; }
};

}  // namespace moreau
