// Slider with clearance in a guide: a rectangle 2a x 2b between two parallel faces (FLG10 section 3, CSS section 3).
//
//   g_N = play + b - v (s_y + h a sin theta) - b cos theta
//
//   s_y, theta   lateral position of the centre and angle of the slider in the guide
//   v            1 at the upper face, -1 at the lower face
//   h            1 for the right corner, -1 for the left corner
//
// Contacts 0 and 1 are the left and the right corner at the upper face, and contacts 2 and 3 are those at the lower
// face. With b = 0 the slider is a rod with contacts at its end points. The guide belongs to body A, fixed or moving.
// The slider belongs to body B, with its long side along the x axis of B.
//
// A guide of finite length ends at +-half_length. If a corner is outside, the edge of the guide contacts the face of
// the slider instead. The contact index stays the same. For a corner exactly at the end of the guide, the gaps of
// corner and edge vanish simultaneously. At least part of the slider must remain inside the guide.
//
// Departures from the paper: `play` is the distance from the centred slider to either face, d/2 - b.
#pragma once

#include <limits>

#include "moreau/joints/contact_bias.hpp"
#include "moreau/math/branching.hpp"
#include "moreau/math/kernels.hpp"

namespace moreau {
namespace detail {

// Contact configuration of a slider. Corner k + 1 belongs to contact k: corners 1 and 2 are at the upper face, corners
// 3 and 4 at the lower face.
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
  tight              // any other combination
};

constexpr const char* name(PrismaticConfiguration configuration) {
  constexpr const char* all[] = {"free",       "corner 1",   "corner 2",         "corner 3",        "corner 4",
                                 "face upper", "face lower", "diagonal falling", "diagonal rising", "tight"};
  return all[static_cast<int>(configuration)];
}

}  // namespace detail
using detail::name;

// Prismatic joint with clearance: guide on body A, slider on body B.
template <class Real, int A = ground, int B = 0>
struct PrismaticClearance {
  static constexpr int body_A = A, body_B = B, contacts = 4, closed_at_once = 2;
  static constexpr bool uniform_contacts = true;  // one formula for four corners
  using Configuration = detail::PrismaticConfiguration;

  Point<Real> on_A;                                          // centre of the guide in A, m
  Point<Real> axis{Real(1), Real(0)};                        // direction of the guide in A, a unit vector
  Point<Real> on_B;                                          // centre of the slider in B, m
  Real a = Real(0), b = Real(0);                             // half length, > 0, and half width of the slider, m
  Real play = Real(0);                                       // clearance (play) on either side, > 0, m
  ContactLaw<Real> law{};                                    // law parameters of all four contacts
  Real half_length = std::numeric_limits<Real>::infinity();  // half length of the guide, m

  constexpr bool valid() const {
    const bool slider = a > Real(0) && a <= std::numeric_limits<Real>::max() && b >= Real(0);
    return detail::is_unit(axis) && slider && detail::is_clearance(play) && half_length > Real(0);
  }
  // Returns true if a part of the slider is inside the guide, and the slider is not turned by more than 90 degrees, at
  // which its corners change faces. A rod (b = 0) in a guide without ends may be turned.
  bool within_range(const Frame<Real>& frame_A, const Frame<Real>& frame_B) const {
    const Point<Real> along = frame_A.turn(axis);
    const Real x = dot(frame_B.world(on_B) - frame_A.world(on_A), along);
    const bool turned = dot(along, Point<Real>{frame_B.cos, frame_B.sin}) < Real(0);
    if (turned && (b > Real(0) || half_length <= std::numeric_limits<Real>::max())) return false;
    const Real reach = a * detail::absolute(dot(along, Point<Real>{frame_B.cos, frame_B.sin}));
    return detail::absolute(x) <= half_length + reach;
  }
  template <class FrameA, class FrameB>
  JointContact<Real> contact(int k, const FrameA& frame_A, const FrameB& frame_B) const {
    return contact_of<true>(k, frame_A, frame_B);
  }
  // Returns g_N of contact k, that of contact() except for rounding. The four gaps share all products.
  template <class FrameA, class FrameB>
  Real gap(int k, const FrameA& frame_A, const FrameB& frame_B) const {
    return gap_of<true>(k, frame_A, frame_B);
  }
  // Returns the bias acceleration of a corner of the slider at a face of the guide, or of an edge of the guide at a
  // face of the slider.
  template <class StateA, class StateB>
  ContactBias<Real> contact_bias_acceleration(int k, const JointContact<Real>& c, const StateA& state_A,
                                              const StateB& state_B) const {
    const auto corner = detail::point_contact_bias(c, state_A, state_B);
    const auto edge = detail::edge_contact_bias(c, state_A, state_B);
    const auto outside = is_outside(k, state_A.frame, state_B.frame);
    return {detail::select<detail::Branchless>(outside, edge.N, corner.N),
            detail::select<detail::Branchless>(outside, edge.T, corner.T)};
  }

  // Type of this joint with an infinite guide. Steps omit the geometry of the guide ends.
  struct WithoutEnds;

 private:
  // Return v and h of contact k, without a branch.
  static constexpr Real upward(int k) { return Real(1 - (k & 2)); }
  static constexpr Real rightward(int k) { return Real(2 * (k & 1) - 1); }

  template <bool ends, class FrameA, class FrameB>
  JointContact<Real> contact_of(int k, const FrameA& frame_A, const FrameB& frame_B) const {
    const Real up = upward(k), right = rightward(k);
    const Point<Real> along = frame_A.turn(axis), across = quarter_turn(along);
    const Point<Real> slider_along{frame_B.cos, frame_B.sin}, slider_across = quarter_turn(slider_along);
    const Point<Real> middle = frame_A.world(on_A), centre = frame_B.world(on_B);
    const Point<Real> s = centre - middle;

    // Gap of a slider corner to a face of the guide.
    const Point<Real> arm = (right * a) * slider_along + (up * b) * slider_across;
    JointContact<Real> c;
    c.g_N = (play + b) - up * (dot(s, across) + dot(arm, across));
    c.p = centre + arm;
    c.n = across;
    if constexpr (ends) {  // Gap of a guide edge to the slider face.
      const detail::Mask outside = detail::Branchless::less(half_length, right * dot(s + arm, along));
      const Point<Real> edge = middle + (right * finite_length()) * along + (up * (play + b)) * across;
      c.g_N = detail::select<detail::Branchless>(outside, up * dot(edge - centre, slider_across) - b, c.g_N);
      detail::Branchless::assign_if(outside, c.p.x, edge.x, c.p.y, edge.y);
      detail::Branchless::assign_if(outside, c.n.x, slider_across.x, c.n.y, slider_across.y);
    }
    c.n = -up * c.n;
    return c;
  }
  template <bool ends, class FrameA, class FrameB>
  Real gap_of(int k, const FrameA& frame_A, const FrameB& frame_B) const {
    const Real up = upward(k), right = rightward(k);
    const Point<Real> along = frame_A.turn(axis), slider_along{frame_B.cos, frame_B.sin};
    const Point<Real> s = frame_B.world(on_B) - frame_A.world(on_A);
    const Real s_y = detail::cross(along, s);
    const Real cos = dot(along, slider_along), sin = detail::cross(along, slider_along);  // of theta
    const Real corner_gap = ((play + b) - b * cos) - up * (s_y + right * (a * sin));
    if constexpr (!ends) return corner_gap;

    const Real s_x = dot(s, along), x = right * s_x + (a * cos - (up * right) * (b * sin));
    const Real edge_gap =
        (((play + b) * cos - b) - up * (cos * s_y - sin * s_x)) - (up * right) * (finite_length() * sin);
    return detail::select<detail::Branchless>(detail::Branchless::less(half_length, x), edge_gap, corner_gap);
  }
  // Returns half_length, or 0 if it is infinite.
  Real finite_length() const {
    return detail::select_or_zero<detail::Branchless>(detail::Branchless::finite(half_length), half_length);
  }
  // Returns true if the corner of contact k is beyond the end of the guide, by the same operations as contact().
  template <class FrameA, class FrameB>
  detail::Mask is_outside(int k, const FrameA& frame_A, const FrameB& frame_B) const {
    const Real up = upward(k), right = rightward(k);
    const Point<Real> along = frame_A.turn(axis), slider_along{frame_B.cos, frame_B.sin};
    const Point<Real> arm = (right * a) * slider_along + (up * b) * quarter_turn(slider_along);
    return detail::Branchless::less(half_length, right * dot(frame_B.world(on_B) - frame_A.world(on_A) + arm, along));
  }
};

template <class Real, int A, int B>
struct PrismaticClearance<Real, A, B>::WithoutEnds : PrismaticClearance<Real, A, B> {
  using Joint = PrismaticClearance<Real, A, B>;

  constexpr bool valid() const { return Joint::valid() && half_length == std::numeric_limits<Real>::infinity(); }
  template <class FrameA, class FrameB>
  JointContact<Real> contact(int k, const FrameA& frame_A, const FrameB& frame_B) const {
    return this->template contact_of<false>(k, frame_A, frame_B);
  }
  template <class FrameA, class FrameB>
  Real gap(int k, const FrameA& frame_A, const FrameB& frame_B) const {
    return this->template gap_of<false>(k, frame_A, frame_B);
  }
  template <class StateA, class StateB>
  ContactBias<Real> contact_bias_acceleration(int, const JointContact<Real>& c, const StateA& state_A,
                                              const StateB& state_B) const {
    return detail::point_contact_bias(c, state_A, state_B);
  }

 private:
  using Joint::half_length;
};

// Returns the configuration for a bit mask of closed contacts; bit k is contact k.
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
