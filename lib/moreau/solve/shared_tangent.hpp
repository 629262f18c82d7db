// Friction of two contacts with parallel tangents, w_T2 = ratio w_T1, for example two corners of one face. Only the sum
// S = P_T1 + ratio P_T2 is determined. S is distributed in proportion to mu P_N. If there is a distribution within both
// friction limits, this one also lies within them.
#pragma once

#include "moreau/math/branching.hpp"

namespace moreau {
namespace detail {

// Distribution of the sum S.
template <class Real>
struct SharedFriction {
  Real limit_1, mu_2, P_N2, ratio;  // limit_1: mu P_N of the first contact

  Real limit() const { return limit_1 + absolute(ratio * (mu_2 * P_N2)); }         // upper limit of |S|
  Real first(Real part) const { return part * limit_1; }                           // P_T1, with part = S / limit
  Real second(Real part) const { return part * (flip_sign(ratio, mu_2) * P_N2); }  // P_T2
};

}  // namespace detail
}  // namespace moreau
