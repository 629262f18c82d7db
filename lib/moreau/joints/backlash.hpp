// Backlash of a rotation: a pair of gears or a dog clutch.
//
//   s = r_A phi_A + r_B phi_B - offset
//   g_N = play - s                           contact 0: s at its upper end
//   g_N = play + s                           contact 1: s at its lower end
//
// A dog clutch on one shaft has r_A = -r, r_B = r; gears that turn against each other have their base radii, both
// positive. With r in metres the play is a length on the pitch line and P_N a percussion of the teeth; with r = 1 all
// of it is angles and moments. No friction, no load on the shafts' bearings. The angles count whole turns.
#pragma once

#include "moreau/joints/joint_contact.hpp"

namespace moreau {
namespace detail {

// Which flank of the teeth is in contact.
enum class BacklashConfiguration { free, upper_flank, lower_flank, tight };

constexpr const char* name(BacklashConfiguration configuration) {
  constexpr const char* all[] = {"free", "upper flank", "lower flank", "tight"};
  return all[static_cast<int>(configuration)];
}

}  // namespace detail
using detail::name;

template <class Real, int A = ground, int B = 0>
struct Backlash {
  static constexpr int body_A = A, body_B = B, contacts = 2;
  static constexpr bool counts_turns = true;
  using Configuration = detail::BacklashConfiguration;  // free, upper_flank, lower_flank, tight

  Real r_A = Real(-1), r_B = Real(1);  // m, or 1
  Real play = Real(0);                 // m (rad with r = 1), to either side
  Real offset = Real(0);               // of s, in the middle of the play
  ContactLaw<Real> law{};              // eps_N only

  constexpr bool valid() const { return play >= Real(0); }
  JointContact<Real> contact(int k, const Frame<Real>& frame_A, const Frame<Real>& frame_B) const {
    const Real side = k == 0 ? Real(-1) : Real(1);
    JointContact<Real> c;
    c.g_N = play + side * (r_A * frame_A.phi + r_B * frame_B.phi - offset);
    c.turn_A = side * r_A;
    c.turn_B = side * r_B;
    return c;
  }
};

template <class Real, int A, int B>
constexpr detail::BacklashConfiguration configuration(const Backlash<Real, A, B>&, unsigned closed) {
  using C = detail::BacklashConfiguration;
  constexpr C all[] = {C::free, C::upper_flank, C::lower_flank, C::tight};
  return all[closed & 3u];
}

}  // namespace moreau
