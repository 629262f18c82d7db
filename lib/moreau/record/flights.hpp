// Flights of the contacts between their impacts, for models that declare `second_order`: detects a dt at which steps of
// second order reduce the error only slightly or increase it.
//
//   impact   P_N > 0 and w_N(q_M)^T u_A + zeta_N < 0 of a contact that did not rest
//   flight   number of steps from an impact to the next impact of the same contact
//   short    flight of at most `short_steps` = 2 steps
//   share    short flights / impacts
//
// All impacts of a step share one instant (contact/impact_instants.hpp). If a body rattles between its contacts at
// about one impact per step, this instant is wrong for most of them. dt is too long for the impacts if the share
// exceeds `limit` = 0.4 (tests/benchmarks/SECOND_ORDER.md). The flights change no result. They are a function of the
// model and the states of a run, and a step does not compute them.
#pragma once

#include <array>
#include <cstdint>

#include "moreau/model/evaluation.hpp"
#include "moreau/model/state.hpp"
#include "moreau/model/step_motion.hpp"
#include "moreau/model/time.hpp"

namespace moreau {
namespace detail {

// Impacts of a run. Without `second_order` all numbers are zero.
template <class Real>
struct ImpactFlights {
  std::uint32_t impacts = 0;        // of all contacts
  std::uint32_t short_flights = 0;  // impacts at the end of a short flight

  static constexpr int short_steps = 2;
  // Largest share of short flights at a suitable dt.
  static constexpr Real limit = Real(0.4);

  constexpr Real share() const { return impacts == 0 ? Real(0) : Real(short_flights) / Real(impacts); }
  // Returns true if dt is too long for the impacts: steps of second order are then hardly more accurate than those of
  // first order, or less accurate.
  constexpr bool dt_too_long() const { return share() > limit; }
};

// Counter of the flights of all contacts in a run.
template <class Model>
class FlightCounter {
  using T = Traits<Model>;
  using Real = typename T::Real;

 public:
  FlightCounter() { steps_.fill(long_flight); }

  // Adds the committed step from `before` to `after`. Two states that do not enclose exactly one step end all flights.
  void add([[maybe_unused]] const Model& model, [[maybe_unused]] const State<Model>& before,
           [[maybe_unused]] const State<Model>& after, [[maybe_unused]] ImpactFlights<Real>& flights) {
    if constexpr (T::second_order && T::contacts > 0) {
      if (!one_step(before.clock, after.clock)) steps_.fill(long_flight);
      bool any = false;
      for (int i = 0; i < T::contacts; ++i) {
        int& steps = steps_[std::size_t(i)];
        steps = steps < long_flight ? steps + 1 : steps;
        any = any || hits(before, after, i);
      }
      if (any) add_impacts(model, before, after, flights);
    }
  }

 private:
  static constexpr int long_flight = ImpactFlights<Real>::short_steps + 1;

  // Returns true if contact i carried a percussion that did not keep it at rest.
  static bool hits(const State<Model>& before, const State<Model>& after, int i) {
    return after.P_N.coeff(i) > Real(0) && !before.rests(i);
  }

  void add_impacts(const Model& model, const State<Model>& before, const State<Model>& after,
                   ImpactFlights<Real>& flights) {
    const Real dt = after.clock.dt;
    const StepMotion<Model> motion(model, before, after);
    const Evaluation<Model> at(model, motion.q_M, model_time(model, before.clock.counted_in(dt)));
    for (int i = 0; i < T::contacts; ++i) {
      if (!hits(before, after, i)) continue;
      const auto d = at.directions(i);
      if (!(dot(d.w_N, motion.u_A) + d.zeta_N < Real(0))) continue;
      int& steps = steps_[std::size_t(i)];
      ++flights.impacts;
      flights.short_flights += steps < long_flight ? 1u : 0u;
      steps = 0;
    }
  }

  std::array<int, T::second_order ? std::size_t(T::contacts) : 0> steps_;  // since the last impact
};

}  // namespace detail
}  // namespace moreau
