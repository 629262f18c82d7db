// The safeguarded search for a switching point between lo (accepted, before it) and hi (known to be behind it).
//
// The secant through the event function (event.hpp) at the last two accepted instants guesses the root; the next step
// ends a little before it, by as much as the guess has moved since the last one. Where there is no guess, or three
// attempts have not halved [lo, hi], the middle is taken. So at most 4 log2((hi - lo) / dt_min) attempts are made,
// and usually five.
#pragma once

#include "moreau/adapt/event.hpp"

namespace moreau {
namespace detail {

template <class Model>
class Search {
 public:
  using Real = typename Traits<Model>::Real;
  using Laws = DiscreteState<Model>;

  bool active() const { return active_; }
  void stop() { active_ = false; }

  // A step that started at lo ended in another discrete state, or behind it, at hi.
  void behind(Real lo, Real hi, const Laws& from, const Laws& to) {
    if (!active_) {
      best_width_ = hi - lo;
      attempts_ = 0;
      guessed_ = false;
    }
    active_ = true;
    hi_ = hi;
    from_ = from;
    to_ = to;
  }

  // The next step from lo. `older` and `newer` (at lo) are two accepted states of one smooth phase, or usable is false.
  Real next_dt(const Model& model, const State<Model>& older, const State<Model>& newer, bool usable, Real dt_min) {
    const Real lo = newer.time(), width = hi_ - lo;
    if (width <= Real(0.5) * best_width_) {
      best_width_ = width;
      attempts_ = 0;
    }
    ++attempts_;
    Real dt = width / 2;
    if (usable && attempts_ <= 3) {
      const Real root = guess(model, older, newer);
      if (root > lo && root < hi_) {
        const Real ahead = root - lo, moved = guessed_ ? absolute(root - root_) : ahead / 4;
        dt = ahead - larger(moved < ahead / 2 ? moved : ahead / 2, dt_min);
        root_ = root;
        guessed_ = true;
      }
    }
    return dt < 3 * dt_min ? dt_min : dt;
  }

  bool passed(Real t) const { return t >= hi_; }

 private:
  // The earliest zero of the changed laws' secants; hi where none falls.
  Real guess(const Model& model, const State<Model>& older, const State<Model>& newer) const {
    Real earliest = hi_;
    for (int l = 0; l < Laws::laws; ++l) {
      if (from_.mode[std::size_t(l)] == to_.mode[std::size_t(l)]) continue;
      const EventValue<Real> a = event_value(model, older, l, to_.of(l)), b = event_value(model, newer, l, to_.of(l));
      if (!(b.f > Real(0) && a.f > b.f && b.t > a.t)) continue;
      const Real root = b.t + b.f * (b.t - a.t) / (a.f - b.f);
      if (root < earliest) earliest = root;
    }
    return earliest;
  }

  bool active_ = false, guessed_ = false;
  int attempts_ = 0;
  Real hi_ = Real(0), best_width_ = Real(0), root_ = Real(0);
  Laws from_, to_;
};

}  // namespace detail
}  // namespace moreau
