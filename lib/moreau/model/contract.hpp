// The Model contract: a mechanism is a plain struct with these functions. lib/MODEL.md says what each of them means,
// model/require.hpp looks for what is missing and says it.
//
// force is h(q,u,t) of M u' = h + contacts: where M depends on q or t it contains -Mdot u + 1/2 d(u^T M u)/dq.
//
// A model may share work between its functions: with `A at(const Vector<Real, dof>& q, Real t) const` they take the
// result `a` (any copyable type, computed once per step) instead of (q, t). All of them do, or none.
#pragma once

#include "moreau/model/directions.hpp"
#include "moreau/model/traits.hpp"

namespace moreau {
namespace detail {

// clang-format off
template <class M, class... X> using at_of = decltype(const_object<M>().at(std::declval<X>()...));
template <class M, class... X> using mass_of = decltype(const_object<M>().mass(std::declval<X>()...));
template <class M, class... X> using force_of = decltype(const_object<M>().force(std::declval<X>()...));
template <class M, class... X> using gap_of = decltype(const_object<M>().gap(std::declval<X>()...));
template <class M, class... X> using directions_of = decltype(const_object<M>().directions(std::declval<X>()...));
template <class M, class... X> using law_of = decltype(const_object<M>().law(std::declval<X>()...));
template <class M, class... X> using mu_of = decltype(const_object<M>().mu(std::declval<X>()...));
template <class M, class... X> using allowed_penetration_of = decltype(const_object<M>().allowed_penetration(std::declval<X>()...));
template <class M, class... X> using friction_bound_of = decltype(const_object<M>().friction_bound(std::declval<X>()...));
template <class M, class... X> using friction_directions_of = decltype(const_object<M>().friction_directions(std::declval<X>()...));
template <class M, class... X> using bilateral_of = decltype(const_object<M>().bilateral(std::declval<X>()...));
template <class M, class... X> using bias_acceleration_of = decltype(const_object<M>().bias_acceleration(std::declval<X>()...));
template <class M, class... X> using wrap_of = decltype(const_object<M>().wrap(std::declval<X>()...));
template <class M, class... X> using period_of = decltype(const_object<M>().period(std::declval<X>()...));
template <class M, class... X> using potential_of = decltype(const_object<M>().potential(std::declval<X>()...));
// clang-format on

// What a call returns, by value; Missing where it cannot be made on a const model, or returns nothing.
template <template <class...> class Op, class... Args>
using Returned =
    std::conditional_t<std::is_void_v<Detected<Op, Args...>>, Missing, std::decay_t<Detected<Op, Args...>>>;

// The functions of a model at (q, t), or of one that shares at a = at(q, t).
template <class M, class Q, class Real, class Shared>
struct Calls {
  template <template <class...> class Op, class... Front>
  using At = Returned<Op, M, Front..., const Shared&>;
  template <template <class...> class Op, class... Front>
  using Moving = Returned<Op, M, Front..., const Shared&, const Q&>;
};
template <class M, class Q, class Real>
struct Calls<M, Q, Real, Missing> {
  template <template <class...> class Op, class... Front>
  using At = Returned<Op, M, Front..., const Q&, Real>;
  template <template <class...> class Op, class... Front>
  using Moving = Returned<Op, M, Front..., const Q&, const Q&, Real>;
};

template <class R>
inline constexpr bool is_missing = std::is_same_v<R, Missing>;

template <class Model>
struct Contract {
  using T = Traits<Model>;
  using Real = typename T::Real;
  using Q = Vector<Real, T::dof>;
  using Shared = Returned<at_of, Model, const Q&, Real>;
  static constexpr bool shares = !is_missing<Shared>;

  using Calls = detail::Calls<Model, Q, Real, Shared>;
  template <template <class...> class Op, class... Front>
  using At = typename Calls::template At<Op, Front...>;
  template <template <class...> class Op, class... Front>
  using Moving = typename Calls::template Moving<Op, Front...>;
  using BiasAcceleration = Moving<bias_acceleration_of, int>;
  using Mu = Returned<mu_of, Model, int, Real>;
  using AllowedPenetration = Returned<allowed_penetration_of, Model, int>;
  using Wrap = Returned<wrap_of, Model, const Q&>;
  using Period = Returned<period_of, Model>;
  using Potential = At<potential_of>;

  static constexpr bool has_bias_acceleration = T::bilaterals > 0 && !is_missing<BiasAcceleration>;
  static constexpr bool has_mu = !is_missing<Mu>;
  static constexpr bool has_allowed_penetration = !is_missing<AllowedPenetration>;
  static constexpr bool has_wrap = !is_missing<Wrap>;
  static constexpr bool has_period = !is_missing<Period>;
};

// All of a contact but its velocities is the same in every step: steps of few contacts keep it in a table
// (contact/contact_table.hpp). Up to this size a look at all bytes of the model costs less than the table saves.
template <class Model>
constexpr bool tables_contacts =
    Traits<Model>::constant_mass&& Traits<Model>::constant_directions&& Traits<Model>::contacts > 0 &&
    Traits<Model>::bilaterals == 0 && !Contract<Model>::has_mu && sizeof(Model) <= 256 && sizeof(Model) % 4 == 0;

}  // namespace detail
}  // namespace moreau
