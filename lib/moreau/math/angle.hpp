// Reduction of an angle to [-pi, pi) by whole revolutions.
//
//   wrapped = |x| - n 2 pi,  n = the integer nearest to |x| / (2 pi),  with the sign of x
//
// 2 pi is the sum of two parts, and n times the first part is exact. The rounding error of n times the second part is
// negligible. The error of a reduction is therefore at most half an ulp of pi: 1.2e-7 rad in float, 2.2e-16 in double.
// It does not grow with the number of revolutions. An angle in [-pi, pi) is returned unchanged. `pi` is rounded to
// Real.
//
// Without reduction, a crank angle in float stops changing when half an ulp exceeds the change per step, for example
// above 2048 rad at 100 rad/s and dt = 1e-6 s.
//
// Five selections enforce the bounds of the interval. Up to 2^12 rad in float and 2^20 rad in double, the instruction
// count is constant: 55 instructions on Cortex-M4F, 57 on M7. Larger angles use the exact reduction of sincos.hpp.
// Infinity and NaN give NaN.
#pragma once

#include "moreau/math/branching.hpp"
#include "moreau/math/compiler.hpp"
#include "moreau/math/sincos.hpp"

namespace moreau {

// pi, rounded to Real.
template <class Real>
inline constexpr Real pi = Real(3.14159265358979323846);

namespace detail {

// 2 pi = first + second, where `first` has 12 (float) or 26 (double) significant bits; inverse = 1 / (2 pi).
template <class Real>
struct TurnParts;

template <>
struct TurnParts<float> {
  static constexpr float first = 0x1.922p2f, second = -0x1.2aeef4p-16f, inverse = 0x1.45f306p-3f;
};

template <>
struct TurnParts<double> {
  static constexpr double first = 0x1.921fb58p2, second = -0x1.dde973dcb3b3ap-25, inverse = 0x1.45f306dc9c883p-3;
};

// Returns |x| minus whole revolutions, in [-pi, pi] up to one rounding error.
template <class Real>
MOREAU_NOINLINE Real unwind_far(Real magnitude_of_x) {
  if (to_bits(magnitude_of_x) >= infinity_bits<Real>) return magnitude_of_x - magnitude_of_x;
  const ReducedAngle<Real> angle = reduce_far(magnitude_of_x);
  const Real quadrant = static_cast<Real>(static_cast<int>((angle.k + 2u) & 3u) - 2);
  constexpr Real quarter = Real(0.25);
  return quadrant * (quarter * TurnParts<Real>::first) +
         (angle.r + (angle.r_low + quadrant * (quarter * TurnParts<Real>::second)));
}

template <class Real>
inline Real unwind(Real magnitude_of_x) {
  using Turn = TurnParts<Real>;
  if (to_bits(magnitude_of_x) > SinCosConstants<Real>::near_limit) return unwind_far(magnitude_of_x);
  const Real n = static_cast<Real>(static_cast<std::uint32_t>(magnitude_of_x * Turn::inverse + Real(0.5)));
  return (magnitude_of_x - n * Turn::first) - n * Turn::second;
}

}  // namespace detail

// Returns x minus whole revolutions, in [-pi, pi); NaN if x is not finite.
template <class Real>
inline Real wrap_angle(Real x) {
  using Turn = detail::TurnParts<Real>;
  using detail::Branchless;
  const detail::Bits<Real> sign = detail::to_bits(x) & detail::sign_bit<Real>;
  Real r = detail::from_bits<Real>(detail::to_bits(detail::unwind(detail::absolute(x))) ^ sign);
  r = Branchless::select_if_less(r, -pi<Real>, (r + Turn::first) + Turn::second, r);
  r = Branchless::select_if_less(r, pi<Real>, r, (r - Turn::first) - Turn::second);
  // Limit results that rounding moves below -pi: in double, the rounded pi is smaller than the exact value.
  r = Branchless::larger(r, -pi<Real>);
  return Branchless::select_if_less(x, -pi<Real>, r, Branchless::select_if_less(x, pi<Real>, x, r));
}

}  // namespace moreau
