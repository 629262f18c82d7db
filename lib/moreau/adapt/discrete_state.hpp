// Discrete state of a motion: the modes of all contact laws (SLG08 section 4). A switching is a mode change between two
// states.
//
//                  constraint (sigma = 0)   impressed (sigma = 1)
//   normal law     closed                   open
//   friction law   stick                    slip; in the plane two modes, by the sign of P_T
//
// Departures from the paper: a reversal of planar slip without sticking is a switching. At the reversal sigma stays 1,
// but the friction force is discontinuous. Extrapolation across a discontinuity does not converge.
#pragma once

#include "moreau/model/state.hpp"

namespace moreau {
namespace detail {

enum class LawKind : std::uint8_t { contact, friction, element };
enum class LawMode : std::uint8_t { open, closed, slip, stick };

// Returns the name of a type or mode of a contact law.
constexpr const char* name(LawKind law) {
  constexpr const char* names[] = {"unilateral contact", "friction contact", "friction element"};
  return names[static_cast<int>(law)];
}
constexpr const char* name(LawMode mode) {
  constexpr const char* names[] = {"open", "closed", "slip", "stick"};
  return names[static_cast<int>(mode)];
}

}  // namespace detail
using detail::name;  // name(LawKind) and name(LawMode)

// Modes of all contact laws of a model. Order: normal law and friction law of each contact, then the friction elements.
template <class Model>
struct DiscreteState {
  using LawKind = detail::LawKind;  // normal law, friction law of a contact, or friction law of a friction element
  using LawMode = detail::LawMode;  // normal law: open, closed; friction law: slip, stick

  static constexpr int contacts = Traits<Model>::contacts, frictions = Traits<Model>::frictions;
  static constexpr int laws = 2 * contacts + frictions;
  enum class Mode : std::uint8_t { constraint, impressed, pushes_plus, pushes_minus };
  std::array<Mode, std::size_t(laws)> mode{};  // in the order of the laws

  DiscreteState() = default;
  explicit DiscreteState(const State<Model>& state) {
    constexpr bool planar_contact = Traits<Model>::tangents == 1, planar_element = Traits<Model>::friction_dim == 1;
    for (int i = 0; i < contacts; ++i) {
      const auto n = std::size_t(i);
      mode[2 * n] = mode_of(state.sigma_N[n]);
      mode[2 * n + 1] = mode_of(state.sigma_T[n]);
      if constexpr (planar_contact)
        if (state.sigma_N[n] == 0 && state.sigma_T[n] == 1) mode[2 * n + 1] = slip(state.P_T.coeff(0, i));
    }
    for (int j = 0; j < frictions; ++j) {
      const auto n = std::size_t(j);
      mode[2 * contacts + n] = mode_of(state.sigma_F[n]);
      if constexpr (planar_element)
        if (state.sigma_F[n] == 1) mode[2 * contacts + n] = slip(state.P_F.coeff(0, j));
    }
  }

  bool operator==(const DiscreteState& other) const {
    bool same = true;
    for (std::size_t l = 0; l < std::size_t(laws); ++l) same = same && mode[l] == other.mode[l];
    return same;
  }
  bool operator!=(const DiscreteState& other) const { return !(*this == other); }

  // Returns the type of law l.
  static constexpr LawKind law(int l) {
    return l >= 2 * contacts ? LawKind::element : (l % 2 == 0 ? LawKind::contact : LawKind::friction);
  }
  static constexpr int index(int l) { return l >= 2 * contacts ? l - 2 * contacts : l / 2; }
  LawMode of(int l) const {
    const bool constraint = mode[std::size_t(l)] == Mode::constraint;
    if (law(l) == LawKind::contact) return constraint ? LawMode::closed : LawMode::open;
    return constraint ? LawMode::stick : LawMode::slip;
  }

  // Mode changes in one step, in the order of the laws. Each law has at most one.
  struct Switchings {
    using Real = typename Traits<Model>::Real;

    // Mode change of one law.
    struct Switching {
      Real t = Real(0);  // midpoint of the step of dt_min that contains the switching, s
      LawKind law = LawKind::contact;
      int index = 0;
      LawMode from = LawMode::open, to = LawMode::open;
    };

    static constexpr int capacity = laws;
    std::array<Switching, std::size_t(capacity)> list{};
    int count = 0;

    // Lists the laws whose modes differ between `before` and `after`.
    void compare(const DiscreteState& before, const DiscreteState& after, Real t) {
      count = 0;
      for (int l = 0; l < capacity; ++l)
        if (before.mode[std::size_t(l)] != after.mode[std::size_t(l)] && !(idle(before, l) || idle(after, l)))
          list[std::size_t(count++)] = {t, before.law(l), before.index(l), before.of(l), after.of(l)};
    }
    // Returns true if law l is the friction law of an open contact. A change of its sigma_T is not a switching.
    static bool idle(const DiscreteState& state, int l) {
      return state.law(l) == LawKind::friction && state.of(l - 1) == LawMode::open;
    }
    const Switching* begin() const { return list.data(); }
    const Switching* end() const { return list.data() + count; }
  };

 private:
  static constexpr Mode mode_of(std::uint8_t sigma) { return sigma == 0 ? Mode::constraint : Mode::impressed; }
  template <class Real>
  static constexpr Mode slip(Real P) {
    return P > Real(0) ? Mode::pushes_plus : (P < Real(0) ? Mode::pushes_minus : Mode::impressed);
  }
};

}  // namespace moreau
