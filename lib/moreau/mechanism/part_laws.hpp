// Contact and friction laws of the parts of a mechanism, common to all coordinates (mechanism.hpp, tree_mechanism.hpp).
#pragma once

#include "moreau/mechanism/parts_list.hpp"

namespace moreau {
namespace detail {

MOREAU_SHADOWING_BEGIN

// Parts list with the functions of a model that do not depend on its coordinates.
template <class Parts_>
struct PartLaws : Parts_ {
  using List = PartsList<Parts_>;
  using Real = typename List::Real;

  PartLaws() = default;
  PartLaws(const Parts_& parts) : Parts_(parts) {}

  ContactLaw<Real> law(int i) const {
    ContactLaw<Real> found;
    List::template find<contacts_in>(*this, i, [&](const auto& part, int) { found = part.law; });
    return found;
  }

  // Returns the allowed penetration of contact i, m or rad (contact/position_correction.hpp). The default is 0.2 % of
  // the joint's play, or 1e-6 m (rad) for a joint without play. The parts list can set allowed_penetration_per_play and
  // allowed_penetration_without_play.
  Real allowed_penetration(int i) const {
    Real per_play = Real(2e-3), found = Real(1e-6);
    if constexpr (detected<allowed_penetration_per_play_in, Parts_>)
      per_play = Real(Parts_::allowed_penetration_per_play);
    if constexpr (detected<allowed_penetration_without_play_in, Parts_>)
      found = Real(Parts_::allowed_penetration_without_play);
    List::template find<contacts_in>(*this, i, [&](const auto& part, int) {
      if constexpr (detected<play_in, std::decay_t<decltype(part)>>) found = per_play * part.play;
    });
    return found;
  }

  // Returns the play of the joint of contact i, m or rad; 0 for a part without `play`.
  Real play_of(int i) const {
    Real found = Real(0);
    List::template find<contacts_in>(*this, i, [&](const auto& part, int) {
      if constexpr (detected<play_in, std::decay_t<decltype(part)>>) found = part.play;
    });
    return found;
  }
};

MOREAU_SHADOWING_END

}  // namespace detail
}  // namespace moreau
