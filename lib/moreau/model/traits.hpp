// The constants a model declares, with the defaults of those it may leave out. All of them are static and constexpr.
//
//   required   using Real = float or double;   int dof, contacts;
//   optional   int tangents (1), frictions (0), friction_dim (1), bilaterals (0), projections (1), closed_at_once (2);
//              bool constant_mass, constant_directions, diagonal_mass, symmetric_steps, uniform_contacts, persistent_contacts
//              (false);
//              bool mass_pattern(int i, int j), direction_pattern(int contact, int row, int j), touches(int row, int j)
//
// lib/MODEL.md says what each of them means.
//
// A wrong pattern is a wrong model: the entry is taken for zero whatever the model returns. The model checker
// (check/structure_checker.hpp) compares.
#pragma once

#include "moreau/math/detect.hpp"

namespace moreau {
namespace detail {

// clang-format off
template <class M> using real_of = typename M::Real;
template <class M> using dof_of = Constant<sizeof(char[origin + int(M::dof)])>;
template <class M> using contacts_of = Constant<sizeof(char[origin + int(M::contacts)])>;
template <class M> using tangents_of = Constant<sizeof(char[origin + int(M::tangents)])>;
template <class M> using frictions_of = Constant<sizeof(char[origin + int(M::frictions)])>;
template <class M> using friction_dim_of = Constant<sizeof(char[origin + int(M::friction_dim)])>;
template <class M> using bilaterals_of = Constant<sizeof(char[origin + int(M::bilaterals)])>;
template <class M> using projections_of = Constant<sizeof(char[origin + int(M::projections)])>;
template <class M> using closed_at_once_of = Constant<sizeof(char[origin + int(M::closed_at_once)])>;
template <class M> using constant_mass_of = Constant<sizeof(char[origin + int(M::constant_mass)])>;
template <class M> using constant_directions_of = Constant<sizeof(char[origin + int(M::constant_directions)])>;
template <class M> using diagonal_mass_of = Constant<sizeof(char[origin + int(M::diagonal_mass)])>;
template <class M> using symmetric_steps_of = Constant<sizeof(char[origin + int(M::symmetric_steps)])>;
template <class M> using uniform_contacts_of = Constant<sizeof(char[origin + int(M::uniform_contacts)])>;
template <class M> using persistent_contacts_of = Constant<sizeof(char[origin + int(M::persistent_contacts)])>;
template <class M> using mass_pattern_of = Constant<sizeof(char[origin + int(M::mass_pattern(0, 0))])>;
template <class M> using direction_pattern_of = Constant<sizeof(char[origin + int(M::direction_pattern(0, 0, 0))])>;
template <class M> using touches_of = Constant<sizeof(char[origin + int(M::touches(0, 0))])>;
// clang-format on

}  // namespace detail

template <class Model>
struct Traits {
  // double: only reached by a model that does not meet the contract anyway
  using Real =
      std::conditional_t<detail::detected<detail::real_of, Model>, detail::Detected<detail::real_of, Model>, double>;
  static constexpr int dof = detail::value_or<detail::dof_of, Model, 1>;
  static constexpr int contacts = detail::value_or<detail::contacts_of, Model, 0>;
  static constexpr int tangents = detail::value_or<detail::tangents_of, Model, 1>;
  static constexpr int frictions = detail::value_or<detail::frictions_of, Model, 0>;
  static constexpr int friction_dim = detail::value_or<detail::friction_dim_of, Model, 1>;
  static constexpr int bilaterals = detail::value_or<detail::bilaterals_of, Model, 0>;
  static constexpr int projections = detail::value_or<detail::projections_of, Model, 1>;
  static constexpr bool constant_mass = detail::value_or<detail::constant_mass_of, Model, 0> != 0;
  static constexpr bool constant_directions = detail::value_or<detail::constant_directions_of, Model, 0> != 0;
  static constexpr bool diagonal_mass = detail::value_or<detail::diagonal_mass_of, Model, 0> != 0;
  static constexpr bool symmetric_steps = detail::value_or<detail::symmetric_steps_of, Model, 0> != 0;
  static constexpr bool persistent_contacts = detail::value_or<detail::persistent_contacts_of, Model, 0> != 0;
};

namespace detail {

template <class Model>
constexpr int closed_at_once = Traits<Model>::contacts < 2 ? 1 : value_or<closed_at_once_of, Model, 2>;

template <class Model>
constexpr bool uniform_contacts = value_or<uniform_contacts_of, Model, 0> != 0;

template <class Model>
struct MassPattern {
  static constexpr int n = Traits<Model>::dof;
  static constexpr bool declared = detected<mass_pattern_of, Model>;
  static constexpr bool entry([[maybe_unused]] int i, [[maybe_unused]] int j) {
    if constexpr (declared)
      return Model::mass_pattern(i, j);
    else
      return true;
  }
};

// The entries of one direction of one contact; of all contacts together for contact = -1.
template <class Model, int contact, int row>
struct DirectionPattern {
  static constexpr bool declared = detected<direction_pattern_of, Model>;
  static constexpr bool entry([[maybe_unused]] int j) {
    if constexpr (declared) {
      if (contact >= 0) return Model::direction_pattern(contact, row, j);
      for (int i = 0; i < Traits<Model>::contacts; ++i)
        if (Model::direction_pattern(i, row, j)) return true;
      return false;
    } else {
      return true;
    }
  }
};

}  // namespace detail
}  // namespace moreau
