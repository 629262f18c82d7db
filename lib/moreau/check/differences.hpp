// Slopes of functions by differences, and how finely the model checker takes them.
//
//   f'(0) = (8 (f(h) - f(-h)) - (f(2 h) - f(-2 h))) / (12 h) + O(h^4)
//
// The steps trade the error of the formula, (h / size of the mechanism)^4, for the rounding of f, epsilon f / h.
#pragma once

namespace moreau {

template <class Real>
struct CheckOptions {
  Real step_q = sizeof(Real) == 8 ? Real(1e-4) : Real(1e-2);     // m or rad: small against the mechanism's lengths
  Real step_t = sizeof(Real) == 8 ? Real(1e-5) : Real(1e-3);     // s: small against the motion of the surroundings
  Real length = Real(1);                                         // m: what gaps are differences of
  Real overlap = sizeof(Real) == 8 ? Real(1e-6) : Real(1e-5);    // m: of a start, beyond the depth() of a contact
  Real tolerance = sizeof(Real) == 8 ? Real(1e-6) : Real(1e-2);  // of the largest entry
  Real dt = Real(0);  // s: the step that is meant; 0: how stiff explicit forces are is not looked at
};

namespace detail {

template <class Real, class F>
Real difference(Real h, const F& f) {
  return (Real(8) * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (Real(12) * h);
}

}  // namespace detail
}  // namespace moreau
