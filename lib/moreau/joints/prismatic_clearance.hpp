// A slider with play in a guide: a rectangle 2a x 2b between two parallel faces (FLG10 section 3, CSS section 3).
//
//   g_N = play + b -+ s_y -+ (+-a) sin theta - b cos theta        s, theta: slider seen from the guide
//
// Contacts 0 1: left and right corner at the upper face, 2 3: left and right corner at the lower face. b = 0 is a rod
// whose end points carry the contact. The guide sits on body A, fixed or moving, the slider on body B, its long side
// along B's x axis.
//
// A guide of finite length ends at +-half_length: where a corner has left it, the edge of the guide meets the face of
// the slider instead. The same four contacts, and both distances vanish together. Some part of the slider has to be
// inside.
//
// Differences from the paper: `play` is the distance to either face when centred, d/2 - b.
#pragma once

#include <limits>

#include "moreau/joints/joint_contact.hpp"
#include "moreau/math/branching.hpp"
#include "moreau/math/kernels.hpp"

namespace moreau {
namespace detail {

// How the slider leans on its guide. Corners count like contacts: 1, 2 left and right at the upper face, 3, 4 at the
// lower one.
enum class PrismaticConfiguration {
  free,
  corner_1,
  corner_2,
  corner_3,
  corner_4,
  face_upper,
  face_lower,
  diagonal_falling,  // corners 1 and 4
  diagonal_rising,   // corners 2 and 3
  tight              // both faces at once: no play left
};

constexpr const char* name(PrismaticConfiguration configuration) {
  constexpr const char* all[] = {"free",       "corner 1",   "corner 2",         "corner 3",        "corner 4",
                                 "face upper", "face lower", "diagonal falling", "diagonal rising", "tight"};
  return all[static_cast<int>(configuration)];
}

}  // namespace detail
using detail::name;

template <class Real, int A = ground, int B = 0>
struct PrismaticClearance {
  static constexpr int body_A = A, body_B = B, contacts = 4;
  using Configuration = detail::PrismaticConfiguration;

  Point<Real> on_A;                                          // m, the guide's middle in A
  Point<Real> axis{Real(1), Real(0)};                        // its direction in A, a unit vector
  Point<Real> on_B;                                          // m, the slider's centre in B
  Real a = Real(0), b = Real(0);                             // m, half length and half width of the slider
  Real play = Real(0);                                       // m, to either side
  ContactLaw<Real> law{};                                    // of all four corners
  Real half_length = std::numeric_limits<Real>::infinity();  // m, of the guide

  constexpr bool valid() const {
    const bool slider = a >= Real(0) && a <= std::numeric_limits<Real>::max() && b >= Real(0);
    return detail::is_unit(axis) && slider && play >= Real(0) && half_length > Real(0);
  }
  JointContact<Real> contact(int k, const Frame<Real>& frame_A, const Frame<Real>& frame_B) const {
    const Real up = k < 2 ? Real(1) : Real(-1), right = k % 2 == 1 ? Real(1) : Real(-1);
    const Point<Real> along = frame_A.turn(axis), across = quarter_turn(along);
    const Point<Real> slider_along{frame_B.cos, frame_B.sin}, slider_across = quarter_turn(slider_along);
    const Point<Real> middle = frame_A.world(on_A), centre = frame_B.world(on_B);
    const Point<Real> s = centre - middle;

    const Point<Real> arm = (right * a) * slider_along + (up * b) * slider_across;
    const Real x = right * dot(s + arm, along);
    const detail::Mask outside = detail::Branchless::less(half_length, x);

    // corner of the slider at a face of the guide
    const Real by_corner = (play + b) - up * (dot(s, across) + dot(arm, across));
    // edge of the guide at a face of the slider
    const Real reach = detail::select_or_zero<detail::Branchless>(detail::Branchless::finite(half_length), half_length);
    const Point<Real> edge = middle + (right * reach) * along + (up * (play + b)) * across;
    const Real by_edge = up * dot(edge - centre, slider_across) - b;

    JointContact<Real> c;
    c.g_N = detail::select<detail::Branchless>(outside, by_edge, by_corner);
    const Point<Real> corner = centre + arm;
    c.p = corner;
    c.n = across;
    detail::Branchless::assign_if(outside, c.p.x, edge.x, c.p.y, edge.y);
    detail::Branchless::assign_if(outside, c.n.x, slider_across.x, c.n.y, slider_across.y);
    c.n = -up * c.n;
    return c;
  }
};

template <class Real, int A, int B>
constexpr detail::PrismaticConfiguration configuration(const PrismaticClearance<Real, A, B>&, unsigned closed) {
  using C = detail::PrismaticConfiguration;
  switch (closed & 15u) {
    case 0:
      return C::free;
    case 1:
      return C::corner_1;
    case 2:
      return C::corner_2;
    case 4:
      return C::corner_3;
    case 8:
      return C::corner_4;
    case 3:
      return C::face_upper;
    case 12:
      return C::face_lower;
    case 9:
      return C::diagonal_falling;
    case 6:
      return C::diagonal_rising;
    default:
      return C::tight;
  }
}

}  // namespace moreau
