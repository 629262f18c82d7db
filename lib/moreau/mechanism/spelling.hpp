// Misspelled optional members of parts and of parts lists. Without these checks, a misspelled member would have no
// effect. C++17 cannot list the members of a struct, so only the spellings below are detected.
//
//   in           alias, valid for a constant or a function with the misspelled name; data members may have this name
//   Sentence     compiler message
#pragma once

#include "moreau/model/require.hpp"

namespace moreau {
namespace detail {
namespace misspelled {

using member::OldConstant, member::OldFunction;

// clang-format off
// Members of a part.
struct CountTurns {
  template <class P> using in = OldConstant<decltype(P::count_turns)>;
  template <bool right> struct Sentence { static_assert(right, "A part declares `count_turns`: the member is called counts_turns"); };
};
struct CountsTurn {
  template <class P> using in = OldConstant<decltype(P::counts_turn)>;
  template <bool right> struct Sentence { static_assert(right, "A part declares `counts_turn`: the member is called counts_turns"); };
};
struct Touch {
  template <class P> using in = OldFunction<decltype(&P::touch)>;
  template <bool right> struct Sentence { static_assert(right, "A part declares `touch`: the member is called touches"); };
};
struct IsReversed {
  template <class P> using in = OldFunction<decltype(&P::is_reversed)>;
  template <bool right> struct Sentence { static_assert(right, "A part declares `is_reversed`: the member is called reversed"); };
};
struct IsValid {
  template <class P> using in = OldFunction<decltype(&P::is_valid)>;
  template <bool right> struct Sentence { static_assert(right, "A part declares `is_valid`: the member is called valid"); };
};
struct BiasAccelerations {
  template <class P> using in = OldFunction<decltype(&P::bias_accelerations)>;
  template <bool right> struct Sentence { static_assert(right, "A part declares `bias_accelerations`: the member is called bias_acceleration"); };
};

// Members of a list.
struct Endles {
  template <class P> using in = OldConstant<decltype(P::endles)>;
  template <bool right> struct Sentence { static_assert(right, "A parts list declares `endles`: the member is called endless"); };
};
struct IsEndless {
  template <class P> using in = OldConstant<decltype(P::is_endless)>;
  template <bool right> struct Sentence { static_assert(right, "A parts list declares `is_endless`: the member is called endless"); };
};
struct EndlessAngles {
  template <class P> using in = OldConstant<decltype(P::endless_angles)>;
  template <bool right> struct Sentence { static_assert(right, "A parts list declares `endless_angles`: the member is called endless"); };
};
struct Tangent {
  template <class P> using in = OldConstant<decltype(P::tangent)>;
  template <bool right> struct Sentence { static_assert(right, "A parts list declares `tangent`: the member is called tangents"); };
};
struct CloseAtOnce {
  template <class P> using in = OldConstant<decltype(P::close_at_once)>;
  template <bool right> struct Sentence { static_assert(right, "A parts list declares `close_at_once`: the member is called closed_at_once"); };
};
struct ClosedAtOne {
  template <class P> using in = OldConstant<decltype(P::closed_at_one)>;
  template <bool right> struct Sentence { static_assert(right, "A parts list declares `closed_at_one`: the member is called closed_at_once"); };
};
struct Projection {
  template <class P> using in = OldConstant<decltype(P::projection)>;
  template <bool right> struct Sentence { static_assert(right, "A parts list declares `projection`: the member is called projections"); };
};
struct AllowedPenetrationByPlay {
  template <class P> using in = decltype(P::allowed_penetration_by_play);
  template <bool right> struct Sentence { static_assert(right, "A parts list declares `allowed_penetration_by_play`: the member is called allowed_penetration_per_play"); };
};
struct AllowedPenetrationsPerPlay {
  template <class P> using in = decltype(P::allowed_penetrations_per_play);
  template <bool right> struct Sentence { static_assert(right, "A parts list declares `allowed_penetrations_per_play`: the member is called allowed_penetration_per_play"); };
};
struct PenetrationPerPlay {
  template <class P> using in = decltype(P::penetration_per_play);
  template <bool right> struct Sentence { static_assert(right, "A parts list declares `penetration_per_play`: the member is called allowed_penetration_per_play"); };
};
struct AllowedPenetrationWithNoPlay {
  template <class P> using in = decltype(P::allowed_penetration_with_no_play);
  template <bool right> struct Sentence { static_assert(right, "A parts list declares `allowed_penetration_with_no_play`: the member is called allowed_penetration_without_play"); };
};
struct PenetrationWithoutPlay {
  template <class P> using in = decltype(P::penetration_without_play);
  template <bool right> struct Sentence { static_assert(right, "A parts list declares `penetration_without_play`: the member is called allowed_penetration_without_play"); };
};
struct Periods {
  template <class P> using in = OldFunction<decltype(&P::periods)>;
  template <bool right> struct Sentence { static_assert(right, "A parts list declares `periods`: the member is called period"); };
};
// clang-format on

using OfPart = TypeList<CountTurns, CountsTurn, Touch, IsReversed, IsValid, BiasAccelerations>;
using OfList = TypeList<Endles, IsEndless, EndlessAngles, Tangent, CloseAtOnce, ClosedAtOne, Projection,
                        AllowedPenetrationByPlay, AllowedPenetrationsPerPlay, PenetrationPerPlay,
                        AllowedPenetrationWithNoPlay, PenetrationWithoutPlay, Periods>;

}  // namespace misspelled

// Compile-time check that a struct has none of the misspelled members.
template <class T, class Members>
struct RequireSpelling;
template <class T, class... Member>
struct RequireSpelling<T, TypeList<Member...>> : Member::template Sentence<!detected<Member::template in, T>>... {
  static constexpr bool met = true;
};

}  // namespace detail
}  // namespace moreau
