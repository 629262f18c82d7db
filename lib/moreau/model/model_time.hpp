// The time that a model's functions get: the midpoint of the step, less whole periods of a prescribed periodic motion.
//
//   t mod T = T frac(t0 / T + n dt / T),   the fractions of a period counted in units of 2^-64 and multiplied by n as
//                                          integers
//
// t0 + n dt itself resolves only 2.4e-4 s in float after an hour: with such times a drive would stand still for two
// steps of 1e-4 s and jump in the third. Fractions of a period are as fine after an hour as at the start. dt / T is
// rounded once: in float the drive runs fast or slow by at most 6e-8 of its frequency, evenly.
#pragma once

#include <cstdint>

#include "moreau/math/bits.hpp"
#include "moreau/model/contract.hpp"
#include "moreau/model/time.hpp"

namespace moreau {

namespace detail {

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

}  // namespace detail

// The time itself, by the model's period; as it is where the model has none.
template <class Model, class Real>
Real reduced(const Model& model, Real t) {
  if constexpr (Contract<Model>::has_period) {
    const Real T = model.period();
    return T > Real(0) ? T * detail::from_fraction<Real>(detail::fraction(t / T)) : t;
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
    const std::uint64_t half = detail::fraction(time.dt / T / Real(2));
    return T * detail::from_fraction<Real>(detail::fraction(time.t0 / T) +
                                           half * (2 * static_cast<std::uint64_t>(time.n) + half_steps));
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

}  // namespace moreau
