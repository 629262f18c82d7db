// The choices of math/choice.hpp by the masks of math/mask.hpp.
#pragma once

#include "moreau/contact/laws.hpp"
#include "moreau/contact/masked.hpp"

namespace moreau {

template <class Real>
[[gnu::always_inline]] inline Mask finite(Real x) {
  return detail::Select::finite(x).bits;
}
template <class Real, int n>
[[gnu::always_inline]] inline Vector<Real, n> choose(Mask condition, const Vector<Real, n>& a,
                                                     const Vector<Real, n>& b) {
  return detail::choose<detail::Select>({condition}, a, b);
}
template <class Any>
[[gnu::always_inline]] inline auto only_if(Mask condition, const Any& x) {
  return detail::only_if<detail::Select>({condition}, x);
}
template <class Real>
[[gnu::always_inline]] inline Real over_positive(Real a, Real b) {
  return detail::over_positive<detail::Select>(a, b);
}

template <class Real, int n>
[[gnu::always_inline]] inline void masked_clear_cancelled(Mask wanted, Vector<Real, n>& sum,
                                                          const Vector<Real, n>& magnitudes) {
  detail::clear_cancelled<detail::Select>({wanted}, sum, magnitudes);
}

}  // namespace moreau
