// Rotational backlash of a gear pair or a dog clutch.
//
//   s = r_A phi_A + r_B phi_B - offset
//   g_N = play - s                           contact 0: upper limit of s
//   g_N = play + s                           contact 1: lower limit of s
//
// For a dog clutch on one shaft, r_A = -r and r_B = r. For external gears, r_A and r_B are the base radii, both
// positive. If r is in metres, `play` is a length along the line of action and P_N the percussion between the teeth. If
// r = 1, `play` is an angle and P_N an angular percussion. The contacts have no friction and do not load the shaft
// bearings. Angles include whole revolutions.
#pragma once

#include <limits>

#include "moreau/joints/contact_bias.hpp"

namespace moreau {
namespace detail {

// Flanks in contact.
enum class BacklashConfiguration { free, upper_flank, lower_flank, tight };

constexpr const char* name(BacklashConfiguration configuration) {
  constexpr const char* all[] = {"free", "upper flank", "lower flank", "tight"};
  return all[static_cast<int>(configuration)];
}

}  // namespace detail
using detail::name;

// Rotational joint with clearance between body A and body B.
template <class Real, int A = ground, int B = 0>
struct Backlash {
  static constexpr int body_A = A, body_B = B, contacts = 2, closed_at_once = 1;
  static constexpr bool counts_turns = true, frictionless = true, rotational = true;
  using Configuration = detail::BacklashConfiguration;

  Real r_A = Real(-1), r_B = Real(1);  // factors of the angles, not 0, m or 1
  Real play = Real(0);                 // clearance on either side, > 0, m (rad for r = 1)
  Real offset = Real(0);               // r_A phi_A + r_B phi_B at the middle of the play, m or rad
  ContactLaw<Real> law{};              // of both contacts; only eps_N is used

  constexpr bool valid() const { return detail::is_clearance(play) && is_factor(r_A) && is_factor(r_B); }
  JointContact<Real> contact(int k, const Frame<Real>& frame_A, const Frame<Real>& frame_B) const {
    const Real side = k == 0 ? Real(-1) : Real(1);
    JointContact<Real> c;
    c.g_N = play + side * (r_A * frame_A.phi + r_B * frame_B.phi - offset);
    c.turn_A = side * r_A;
    c.turn_B = side * r_B;
    return c;
  }
  ContactBias<Real> contact_bias_acceleration(int, const JointContact<Real>&, const BodyState<Real>&,
                                              const BodyState<Real>&) const {
    return {};
  }

 private:
  static constexpr bool is_factor(Real r) {
    constexpr Real most = std::numeric_limits<Real>::max();
    return r != Real(0) && r >= -most && r <= most;
  }
};

// Returns the configuration for a mask of closed contacts.
template <class Real, int A, int B>
constexpr detail::BacklashConfiguration configuration(const Backlash<Real, A, B>&, unsigned closed) {
  using C = detail::BacklashConfiguration;
  constexpr C all[] = {C::free, C::upper_flank, C::lower_flank, C::tight};
  return all[closed & 3u];
}

}  // namespace moreau
