// time.counted_in(dt) (model/time.hpp) without a branch: the same instant, counting steps of dt from here on.
#pragma once

#include "moreau/contact/masked.hpp"
#include "moreau/model/time.hpp"

namespace moreau {
namespace detail {

template <class Real>
[[gnu::always_inline]] inline Time<Real> counted_without_branch(Time<Real> time, Real dt) {
  const auto difference = to_bits(time.dt) ^ to_bits(dt);
  const Mask same = ~Mask((difference | (0 - difference)) >> (8 * sizeof(Real) - 32));
  time.t0 = choose(same, time.t0, time());
  time.dt = dt;
  time.n &= std::int64_t(same >> 31);
  return time;
}

}  // namespace detail
}  // namespace moreau
