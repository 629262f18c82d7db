// Time t0 + n dt with an integer n, and its reduction by the period of a prescribed motion.
//
// A float sum of time steps stops growing: with dt = 1e-4 s, at 2048 s. A step counter does not stop. After one hour
// with the same dt, however, the float time t0 + n dt changes only in every fourth step on average.
//
// A prescribed periodic motion is therefore evaluated at the midpoint time modulo its period T:
//
//   t mod T = T frac(t0 / T + n dt / T)
//
// The fractions of t0 / T and dt / T are 64-bit integers in units of 2^-64; the product with n wraps modulo 1. Without
// this reduction, a drive would stand still for two to four steps and then jump. The resolution of a fraction does not
// degrade. dt / T is rounded once. In float, the frequency of the drive therefore has a constant relative error of at
// most 6e-8.
#pragma once

#include <cstdint>

#include "moreau/math/bits.hpp"
#include "moreau/model/contract.hpp"

namespace moreau {
namespace detail {

// Time as a number of steps since t0.
template <class Real>
struct Time {
  Real t0 = Real(0);   // s
  Real dt = Real(0);   // s, length of the counted steps
  std::int64_t n = 0;  // steps since t0
  // Upper limit of n. No run reaches it, but a corrupt file can exceed it.
  static constexpr std::int64_t end = std::int64_t{1} << 47;

  Time() = default;
  explicit Time(Real t) : t0(t) {}
  Time(Real t, Real a_dt, std::int64_t a_n) : t0(t), dt(a_dt), n(a_n) {}

  Real operator()() const { return t0 + count() * dt; }
  explicit operator Real() const { return (*this)(); }

  // Returns the same time, counted in steps of dt_new.
  Time counted_in(Real dt_new) const {
    const bool other = dt != dt_new;  // separate selects of the fields avoid memory accesses
    return {other ? (*this)() : t0, dt_new, other ? 0 : n};
  }
  Real midpoint() const { return t0 + (count() + Real(0.5)) * dt; }
  Time next() const { return {t0, dt, n + 1}; }

 private:
  // Returns n as a Real, converted in two halves, because a 64-bit conversion is a library call on Cortex-M.
  Real count() const {
    return Real(static_cast<std::int32_t>(n >> 16)) * Real(65536) + Real(static_cast<std::int32_t>(n & 0xffff));
  }
};

// Returns true if `after` is one step after `before`: either the count grows by 1, or the user has set the clock to the
// end time of the step.
template <class Real>
bool one_step(const Time<Real>& before, const Time<Real>& after) {
  if (!(after.dt > Real(0))) return false;
  const Time<Real> expected = before.counted_in(after.dt).next();
  if (after.n > 0) return after.n == expected.n && after.t0 == expected.t0;
  const Real off = after() - expected();
  return off < after.dt / 4 && off > -after.dt / 4;
}

// Returns x mod 1 in units of 2^-64, truncated. The significand m of x = m 2^e is shifted, which discards whole
// periods.
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

// Returns f 2^-64, truncated to the significand of Real. The conversion in two halves is exact. On Cortex-M a 64-bit
// conversion is a library call whose cost depends on the number.
template <class Real>
Real from_fraction(std::uint64_t f) {
  constexpr int digits = Binary<Real>::significand;
  const std::uint64_t m = f >> (64 - digits);
  Real turns = static_cast<Real>(static_cast<std::uint32_t>(m));
  if constexpr (digits > 32) turns += static_cast<Real>(static_cast<std::uint32_t>(m >> 32)) * power_of_two<Real>(32);
  return turns * power_of_two<Real>(-digits);
}

// Returns t modulo the period of the model, or t if the model has no period.
template <class Model, class Real>
Real reduced(const Model& model, Real t) {
  if constexpr (Contract<Model>::has_period) {
    const Real T = model.period();
    return T > Real(0) ? T * from_fraction<Real>(fraction(t / T)) : t;
  } else {
    return t;
  }
}

// Returns the reduced value of time + half_steps * dt/2, computed without forming the unreduced time. Returns t if the
// model has no period.
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

// Returns the reduced time at the midpoint of the step of length time.dt that starts at `time`.
template <class Model, class Real>
Real model_time(const Model& model, const Time<Real>& time) {
  return reduced_after(model, time, 1, time.midpoint());
}

}  // namespace detail
}  // namespace moreau
