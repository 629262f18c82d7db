// Contract<Model>: the optional functions that a model has, and the shared terms of its functions.
#pragma once

#include "moreau/model/free_motion.hpp"

namespace moreau {
namespace detail {

template <class Model>
struct Contract {
  using Shared = member::At::Result<Model>;
  using Potential = member::Potential::Result<Model>;
  static constexpr bool shares = !is_missing<Shared>;
  static constexpr bool has_bias_acceleration =
      Traits<Model>::bilaterals > 0 && !is_missing<member::BiasAcceleration::Result<Model>>;
  static constexpr bool has_contact_bias =
      Traits<Model>::contacts > 0 && !is_missing<member::ContactBiasAcceleration::Result<Model>>;
  static constexpr bool has_friction_bias =
      Traits<Model>::frictions > 0 && !is_missing<member::FrictionBiasAcceleration::Result<Model>>;
  static constexpr bool has_zeta_E = Traits<Model>::bilaterals > 0 && !is_missing<member::EndZeta::Result<Model>>;
  static constexpr bool has_mu = !is_missing<member::Mu::Result<Model>>;
  static constexpr bool has_allowed_penetration = !is_missing<member::AllowedPenetration::Result<Model>>;
  static constexpr bool has_play = !is_missing<member::PlayOf::Result<Model>>;
  static constexpr bool has_wrap = !is_missing<member::Wrap::Result<Model>>;
  static constexpr bool has_drift = detail::has_drift<Model>;
  static constexpr bool has_period = !is_missing<member::Period::Result<Model>>;
};

// True if the direct solution stores the contacts in a table (contact/contact_table.hpp), because all contact data
// except velocities are constant. Each step compares a checksum of all bytes of the model with the stored one. Up to
// 256 bytes, the comparison costs less than the table saves.
template <class Model>
constexpr bool tables_contacts = (Traits<Model>::constant_mass && Traits<Model>::constant_directions &&
                                  Traits<Model>::contacts > 0 && Traits<Model>::bilaterals == 0 &&
                                  !Contract<Model>::has_mu && sizeof(Model) <= 256 && sizeof(Model) % 4 == 0);

}  // namespace detail
}  // namespace moreau
