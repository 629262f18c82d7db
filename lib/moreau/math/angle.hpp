// Angles that turn for hours: an angle brought back into [-pi, pi) by whole turns.
//
//   wrapped = |x| - n 2 pi,  n = the nearest integer to |x| / (2 pi),  with the sign of x
//
// 2 pi is taken in two parts, of which n times the first is exact: one rounding, so a wrap moves the angle by at most
// half an ulp of the result (1.2e-7 rad in float, 2.2e-16 in double) and thousands of turns add no drift of the period.
// An angle that is in [-pi, pi) already comes back bit for bit. pi stands for the nearest Real.
// Without this a crank angle in float stops moving at a few thousand rad, where one step is less than half an ulp.
//
// Five selects settle the borders. The cost is the same for every argument up to 2^12 rad in float (55 instructions on
// Cortex-M4F) and 2^20 rad in double (57 on M7); beyond that the exact reduction of sincos.hpp takes over.
// Infinities and NaN give NaN.
#pragma once

#include "moreau/math/branching.hpp"
#include "moreau/math/compiler.hpp"
#include "moreau/math/sincos.hpp"

namespace moreau {

// Half a turn.
template <class Real>
inline constexpr Real pi = Real(3.14159265358979323846);

namespace detail {

template <class Real>
struct TurnParts;  // 2 pi = first + second, the first with 12 (float) or 26 (double) digits; inverse = 1 / (2 pi)

template <>
struct TurnParts<float> {
  static constexpr float first = 0x1.922p2f, second = -0x1.2aeef4p-16f, inverse = 0x1.45f306p-3f;
};

template <>
struct TurnParts<double> {
  static constexpr double first = 0x1.921fb58p2, second = -0x1.dde973dcb3b3ap-25, inverse = 0x1.45f306dc9c883p-3;
};

// x less whole turns, in [-pi, pi] or a rounding error beyond.
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

template <class Real>
inline Real wrap_angle(Real x) {
  using Turn = detail::TurnParts<Real>;
  using detail::Branchless;
  const detail::Bits<Real> sign = detail::to_bits(x) & detail::sign_bit<Real>;
  Real r = detail::from_bits<Real>(detail::to_bits(detail::unwind(detail::absolute(x))) ^ sign);
  r = Branchless::select_if_less(r, -pi<Real>, (r + Turn::first) + Turn::second, r);
  r = Branchless::select_if_less(r, pi<Real>, r, (r - Turn::first) - Turn::second);
  r = Branchless::larger(r, -pi<Real>);  // a rounding error outside: in double the nearest pi is smaller than pi
  return Branchless::select_if_less(x, -pi<Real>, r, Branchless::select_if_less(x, pi<Real>, x, r));
}

}  // namespace moreau
