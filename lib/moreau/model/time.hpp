// Time as t0 + n dt with an integer n.
//
// Adding dt to a float 36 million times an hour loses the time (at 1e-4 s it stops at 256 s); counting steps does not.
// What remains is the resolution of the scalar itself: a float second counter resolves 2.4e-4 s after one hour.
//
// The time a model is asked at: the midpoint of the step, reduced by the period of a prescribed periodic motion.
//
//   t mod T = T frac(t0 / T + n dt / T),   the fractions of a period counted in units of 2^-64 and multiplied by n as
//                                          integers
//
// t0 + n dt itself resolves only 2.4e-4 s in float after an hour: a drive asked at such times would stand still for two
// steps of 1e-4 s and jump in the third. Fractions of a period are as fine after an hour as at the start. dt / T is
// rounded once: in float the drive runs fast or slow by at most 6e-8 of its frequency, evenly.
#pragma once

#include <cstdint>

#include "moreau/math/bits.hpp"
#include "moreau/model/contract.hpp"

namespace moreau {
namespace detail {

template <class Real>
struct Time {
  Real t0 = Real(0);   // s
  Real dt = Real(0);   // s, what n counts
  std::int64_t n = 0;  // steps since t0
  static constexpr std::int64_t end = std::int64_t{1}
                                      << 47;  // of n: it stays below for ever, unless a file says otherwise

  Time() = default;
  explicit Time(Real t) : t0(t) {}
  Time(Real t, Real a_dt, std::int64_t a_n) : t0(t), dt(a_dt), n(a_n) {}

  Real operator()() const { return t0 + count() * dt; }
  explicit operator Real() const { return (*this)(); }

  // The same instant, counting steps of dt_new from here on.
  Time counted_in(Real dt_new) const {
    const bool other = dt != dt_new;  // field by field: two objects to choose from would be copied through memory
    return {other ? (*this)() : t0, dt_new, other ? 0 : n};
  }
  Real midpoint() const { return t0 + (count() + Real(0.5)) * dt; }
  Time next() const { return {t0, dt, n + 1}; }

 private:
  // n as a Real from two halves: a 64-bit conversion is a library call on a Cortex-M.
  Real count() const {
    return Real(static_cast<std::int32_t>(n >> 16)) * Real(65536) + Real(static_cast<std::int32_t>(n & 0xffff));
  }
};

// Whether one step leads from `before` to `after`: the next count, or a clock that was set to where the step ended.
template <class Real>
bool one_step(const Time<Real>& before, const Time<Real>& after) {
  if (!(after.dt > Real(0))) return false;
  const Time<Real> expected = before.counted_in(after.dt).next();
  if (after.n > 0) return after.n == expected.n && after.t0 == expected.t0;
  const Real off = after() - expected();
  return off < after.dt / 4 && off > -after.dt / 4;
}

// x mod 1 in units of 2^-64, exactly: x = m 2^e, and whole turns leave at the upper end of the word.
template <class Real>
std::uint64_t fraction(Real x) {
  constexpr int digits = Binary<Real>::significand;
  const Bits<Real> b = to_bits(x) & ~sign_bit<Real>;
  const std::uint64_t m = (b & ((Bits<Real>{1} << (digits - 1)) - 1)) | (Bits<Real>{1} << (digits - 1));
  const int shift = 64 + static_cast<int>(b >> (digits - 1)) - Binary<Real>::bias - (digits - 1);
  std::uint64_t f = 0;
  if (shift >= 0 && shift < 64) f = m << shift;
  if (shift < 0 && shift > -64) f = m >> -shift;
  return x < Real(0) ? 0 - f : f;
}

// In two halves, exactly: a 64-bit conversion is a library call on a Cortex-M, whose cost depends on the number.
template <class Real>
Real from_fraction(std::uint64_t f) {
  constexpr int digits = Binary<Real>::significand;
  const std::uint64_t m = f >> (64 - digits);
  Real turns = static_cast<Real>(static_cast<std::uint32_t>(m));
  if constexpr (digits > 32) turns += static_cast<Real>(static_cast<std::uint32_t>(m >> 32)) * power_of_two<Real>(32);
  return turns * power_of_two<Real>(-digits);
}

// The time itself, by the model's period; as it is where the model has none.
template <class Model, class Real>
Real reduced(const Model& model, Real t) {
  if constexpr (Contract<Model>::has_period) {
    const Real T = model.period();
    return T > Real(0) ? T * from_fraction<Real>(fraction(t / T)) : t;
  } else {
    return t;
  }
}

// The same at `half_steps` half steps of time.dt after `time`, without going through a large number of seconds.
template <class Model, class Real>
Real reduced_after(const Model& model, const Time<Real>& time, std::uint64_t half_steps, Real t) {
  if constexpr (Contract<Model>::has_period) {
    const Real T = model.period();
    if (!(T > Real(0))) return t;
    const std::uint64_t half = fraction(time.dt / T / Real(2));
    return T *
           from_fraction<Real>(fraction(time.t0 / T) + half * (2 * static_cast<std::uint64_t>(time.n) + half_steps));
  } else {
    return t;
  }
}

template <class Model, class Real>
Real reduced(const Model& model, const Time<Real>& time) {
  return reduced_after(model, time, 0, time());
}

// At the midpoint of the step of time.dt that begins at `time`.
template <class Model, class Real>
Real model_time(const Model& model, const Time<Real>& time) {
  return reduced_after(model, time, 1, time.midpoint());
}

}  // namespace detail
}  // namespace moreau
