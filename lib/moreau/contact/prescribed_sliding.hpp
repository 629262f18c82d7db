// Friction rows whose sliding velocity is prescribed by ideal joints, for example by a drive.
//
//   G_TT = w^T z = 0,   z = (M^-1 - Y S^-1 Y^T) w,   gamma_T = w^T u_free + zeta        (contact/mass.hpp)
//
// No percussion changes the velocity of such a row: it slides with gamma_T. The solution of its friction law is
//
//   P_T = -mu P_N gamma_T / |gamma_T|,   0 without sliding;   the bound of a friction element replaces mu P_N
//
// The ideal joints supply the reaction to P_T. It is included in the joint percussions of the step, and hence in the
// drive moment and in all joint loads.
//
// The computed G_TT and, without sliding, gamma_T consist of rounding errors. Their scales follow from the joint
// percussions p = -S^-1 Y^T w due to a unit percussion of the row:
//
//   of G_TT      sum_i p_i^2 S_ii
//   of gamma_T   sum_i |p_i| (sum_j |B_ij u_j| + |P_B,i| S_ii)     u before the joint percussions P_B
//
// P_B are the joint percussions of the free motion. The sums extend over the joint rows that involve a body of the
// friction row. In 99.9 % of random mechanisms with mass ratios up to 10, the errors are at most 11 epsilon (G_TT) and
// 20 epsilon (gamma_T) times these scales. A row is prescribed if G_TT <= g, with g = 32 epsilon times the scale of
// G_TT. Then c_T = v, where v is gamma_T at the midpoint, without bias_acceleration and restitution, and
//
//   |v| <= 64 epsilon times the scale of gamma_T    the row does not slide: w = z = 0, so P_T = 0
//   otherwise                                       G_TT = g
//
// With G_TT = g the friction law has the solution above for |v| > g mu P_N, and the judge evaluates it like any other
// friction. Below this velocity, which is of the order of a rounding error, P_T is proportional to v. P_T is therefore
// continuous in the transition from a row with very small G_TT, for example at a heavy flywheel, to a prescribed row.
//
// The ideal joints are open by r (dt omega)^2 / 8 at the midpoint, where r is the distance of their points of action
// from the centre of mass. If both bodies of such a joint turn together, v of a friction row at this joint is therefore
// of the order dt^2 omega^3 r instead of 0, and the row carries its full bound. Without sliding, friction is
// indeterminate: any P_T within the bound satisfies the law, and the joints carry the reaction. Put friction on a
// motion that the joints permit.
//
// If the normal velocity of a contact is prescribed, no percussion can change it. The normal law then has no solution
// in general, and G_NN = 0 is rejected.
//
// Models without ideal joints or without friction rows have no prescribed rows and execute no instruction for them.
#pragma once

#include "moreau/contact/mass.hpp"
#include "moreau/math/branching.hpp"

namespace moreau {
namespace detail {

// One friction row under the ideal joints.
template <class C, class Real>
struct PrescribedRow {
  typename C::Condition holds;   // G_TT <= g: the sliding velocity is prescribed
  typename C::Condition slides;  // always true for a row that is not prescribed
  Real least;                    // g, kg^-1
  Real velocity;                 // prescribed sliding velocity, m/s

  // P_B: the joint percussions p due to a unit percussion of the row (head of this file). gamma_T: velocity of the row,
  // w^T u_free + zeta. Pattern: entries of w that can differ from 0.
  template <class Pattern, class Mass, class Multipliers>
  MOREAU_ALWAYS_INLINE PrescribedRow(Pattern, const Mass& mass, const Multipliers& P_B, Real G_TT, Real gamma_T) {
    Real response, scale, shift;
    mass.template measure_row<Pattern>(P_B, response, scale, shift);
    least = Real(32) * epsilon<Real> * response;
    velocity = gamma_T - shift;
    const auto free = C::less(least, G_TT);
    holds = !free;
    slides = free || C::less(Real(64) * epsilon<Real> * scale, absolute(velocity));
  }
};

}  // namespace detail
}  // namespace moreau
