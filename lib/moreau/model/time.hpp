// Time as t0 + n dt with an integer n.
//
// Adding dt to a float 36 million times an hour loses the time (at 1e-4 s it stops at 256 s); counting steps does not.
// What remains is the resolution of the scalar itself: a float second counter resolves 2.4e-4 s after one hour.
#pragma once

#include <cstdint>

namespace moreau {

template <class Real>
struct Time {
  Real t0 = Real(0);   // s
  Real dt = Real(0);   // s, what n counts
  std::int64_t n = 0;  // steps since t0

  Time() = default;
  explicit Time(Real t) : t0(t) {}

  Real operator()() const { return t0 + count() * dt; }
  explicit operator Real() const { return (*this)(); }

  // The same instant, counting steps of dt_new from here on.
  Time counted_in(Real dt_new) const {
    Time counted = *this;  // field by field: two objects to choose from would be copied through memory
    if (dt != dt_new) {
      counted.t0 = (*this)();
      counted.dt = dt_new;
      counted.n = 0;
    }
    return counted;
  }
  Real midpoint() const { return t0 + (count() + Real(0.5)) * dt; }
  Time next() const {
    Time later = *this;
    ++later.n;
    return later;
  }

 private:
  // n as a Real from two halves: a 64-bit conversion is a library call on a Cortex-M. n stays below 2^47 for ever.
  Real count() const {
    return Real(static_cast<std::int32_t>(n >> 16)) * Real(65536) + Real(static_cast<std::int32_t>(n & 0xffff));
  }
};

}  // namespace moreau
