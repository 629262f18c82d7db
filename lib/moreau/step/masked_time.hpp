// time.counted_in(dt) (model/time.hpp) without a branch: the same instant, counting steps of dt from here on.
#pragma once

#include "moreau/contact/masked.hpp"
#include "moreau/model/time.hpp"

namespace moreau {
namespace detail {

template <class Real>
[[gnu::always_inline]] inline Time<Real> counted_without_branch(const Time<Real>& old, Real dt) {
  using moreau::choose;
  const auto difference = to_bits(old.dt) ^ to_bits(dt);
  const Mask same = ~Mask((difference | (0 - difference)) >> (8 * sizeof(Real) - 32));
  Time<Real> time;
  time.t0 = choose(same, old.t0, old());
  time.dt = dt;
  time.n = old.n & std::int64_t(same >> 31);
  return time;
}

}  // namespace detail
}  // namespace moreau
