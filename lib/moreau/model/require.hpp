// The sentences a model that breaks the contract is answered with: each one is the missing signature.
//
// The first thing a model lacks or mistypes, found before any other template looks at the model.
//
// An optional member that is there by name has to fit: with const or static forgotten, or another argument, it would be
// passed over in silence. Data with the name of an optional function do not count (many models keep a number `mu`), nor
// do overloads. The same for functions without their number (`bilateral` and no `bilaterals`) and for a few names that
// are typed for another one.
#pragma once

#include "moreau/model/contract.hpp"

namespace moreau {
namespace detail {

// clang-format off
template <class M> using at_name = decltype(&M::at);
template <class M> using mu_name = decltype(&M::mu);
template <class M> using allowed_penetration_name = decltype(&M::allowed_penetration);
template <class M> using friction_bound_name = decltype(&M::friction_bound);
template <class M> using friction_directions_name = decltype(&M::friction_directions);
template <class M> using bilateral_name = decltype(&M::bilateral);
template <class M> using bias_acceleration_name = decltype(&M::bias_acceleration);
template <class M> using wrap_name = decltype(&M::wrap);
template <class M> using period_name = decltype(&M::period);
template <class M> using potential_name = decltype(&M::potential);

template <class M> using tangents_name = decltype(M::tangents);
template <class M> using frictions_name = decltype(M::frictions);
template <class M> using friction_dim_name = decltype(M::friction_dim);
template <class M> using bilaterals_name = decltype(M::bilaterals);
template <class M> using projections_name = decltype(M::projections);
template <class M> using closed_at_once_name = decltype(M::closed_at_once);
template <class M> using constant_mass_name = decltype(M::constant_mass);
template <class M> using diagonal_mass_name = decltype(M::diagonal_mass);
template <class M> using symmetric_steps_name = decltype(M::symmetric_steps);
template <class M> using uniform_contacts_name = decltype(M::uniform_contacts);
template <class M> using persistent_contacts_name = decltype(M::persistent_contacts);
template <class M> using mass_pattern_name = decltype(&M::mass_pattern);
template <class M> using direction_pattern_name = decltype(&M::direction_pattern);
template <class M> using constant_directions_name = decltype(M::constant_directions);

// The parts list of a mechanism (mechanism/parts.hpp), which is no model.
template <class Parts> using parts_of = decltype(Parts::bodies, const_object<Parts>().parts());

// Names that are typed for another one.
template <class M> using tangent_typo = std::enable_if_t<std::is_integral_v<decltype(M::tangent)>>;
template <class M> using friction_typo = std::enable_if_t<std::is_integral_v<decltype(M::friction)>>;
template <class M> using friction_dims_typo = std::enable_if_t<std::is_integral_v<decltype(M::friction_dims)>>;
template <class M> using bilateral_rows_typo = std::enable_if_t<std::is_integral_v<decltype(M::bilateral_rows)>>;
template <class M> using projection_typo = std::enable_if_t<std::is_integral_v<decltype(M::projection)>>;
template <class M> using mass_constant_typo = std::enable_if_t<std::is_integral_v<decltype(M::mass_constant)>>;
template <class M> using mass_diagonal_typo = std::enable_if_t<std::is_integral_v<decltype(M::mass_diagonal)>>;
template <class M> using symmetric_step_typo = std::enable_if_t<std::is_integral_v<decltype(M::symmetric_step)>>;
template <class M> using persistent_contact_typo = std::enable_if_t<std::is_integral_v<decltype(M::persistent_contact)>>;

template <template <class...> class Name, template <class...> class Value, class M>
inline constexpr bool no_constant = detected<Name, M> && !detected<Value, M>;
template <template <class...> class Typo, template <class...> class Value, class M>
inline constexpr bool mistyped = detected<Typo, M> && !detected<Value, M>;
// clang-format on

// Of this scalar and these sizes: an Eigen object, or an expression, which refers to objects that are gone by the time
// it is read. Storage options do not matter.
template <class R, class Real, int rows, int cols>
struct Plain : std::false_type {};
template <class Real, int rows, int cols, int options, int max_rows, int max_cols>
struct Plain<Eigen::Matrix<Real, rows, cols, options, max_rows, max_cols>, Real, rows, cols> : std::true_type {};

template <class Derived>
Derived eigen_type(const Eigen::EigenBase<Derived>&);
template <class R>
using expression_of = decltype(eigen_type(const_object<R>()));
template <class R>
struct IsExpression : Bool<detected<expression_of, R>> {};
template <class Real, int rows, int cols, int options, int max_rows, int max_cols>
struct IsExpression<Eigen::Matrix<Real, rows, cols, options, max_rows, max_cols>> : std::false_type {};

// What a friction element or an ideal joint returns may be any struct with the members named here.
template <class R>
using w_of = std::remove_cv_t<decltype(R::w)>;
template <class R>
using zeta_of = decltype(R::zeta);
template <class R>
using g_of = std::remove_cv_t<decltype(R::g)>;
template <class R, class Real, int rows, int cols>
inline constexpr bool has_direction = detected<zeta_of, R>&& Plain<Detected<w_of, R>, Real, rows, cols>::value;

template <class R>
inline constexpr bool is_scalar = std::is_same_v<R, float> || std::is_same_v<R, double>;

// What a model can lack or mistype, in the order in which it is looked for.
// clang-format off
enum class Fault {
  none, parts_list, real, dof, contacts,
  tangent_typo, friction_typo, friction_dims_typo, bilateral_rows_typo, projection_typo, mass_constant_typo,
  mass_diagonal_typo, symmetric_step_typo, persistent_contact_typo,
  tangents, frictions, bilaterals, projections, closed_at_once, constant_mass, constant_directions, diagonal_mass, symmetric_steps,
  uniform_contacts, persistent_contacts, mass_pattern, direction_pattern, touches,
  at_expression, at, mass_expression, mass, mass_shared, force_expression, force, force_shared,
  gap, gap_shared, directions, directions_shared, law, mu, allowed_penetration,
  friction_bound, friction_bound_shared, friction_expression, friction_directions, friction_directions_shared,
  bilateral_expression, bilateral, bilateral_shared, bias_acceleration, bias_acceleration_shared, wrap_expression, wrap, period,
  potential, potential_shared
};
// clang-format on

template <class M>
constexpr Fault find_fault() {
  using C = Contract<M>;
  using T = Traits<M>;
  using Real = typename T::Real;
  using D = Directions<Real, T::dof, T::tangents == 0 || T::tangents == 2 ? T::tangents : 1>;
  constexpr int dof = T::dof, dim = T::friction_dim == 2 ? 2 : 1;

  constexpr auto of = [](Fault plain) { return Fault(int(plain) + (C::shares ? 1 : 0)); };  // mass or mass_shared

  // constants
  if (detected<parts_of, M> && !detected<dof_of, M>) return Fault::parts_list;
  if (!detected<real_of, M> || !is_scalar<Real>) return Fault::real;
  if (!detected<dof_of, M> || dof < 1) return Fault::dof;
  if (!detected<contacts_of, M> || T::contacts < 0) return Fault::contacts;
  if (mistyped<tangent_typo, tangents_of, M>) return Fault::tangent_typo;
  if (mistyped<friction_typo, frictions_of, M>) return Fault::friction_typo;
  if (mistyped<friction_dims_typo, friction_dim_of, M>) return Fault::friction_dims_typo;
  if (mistyped<bilateral_rows_typo, bilaterals_of, M>) return Fault::bilateral_rows_typo;
  if (mistyped<projection_typo, projections_of, M>) return Fault::projection_typo;
  if (mistyped<mass_constant_typo, constant_mass_of, M>) return Fault::mass_constant_typo;
  if (mistyped<mass_diagonal_typo, diagonal_mass_of, M>) return Fault::mass_diagonal_typo;
  if (mistyped<symmetric_step_typo, symmetric_steps_of, M>) return Fault::symmetric_step_typo;
  if (mistyped<persistent_contact_typo, persistent_contacts_of, M>) return Fault::persistent_contact_typo;
  if (no_constant<tangents_name, tangents_of, M> || T::tangents < 0 || T::tangents > 2) return Fault::tangents;
  if (no_constant<frictions_name, frictions_of, M> || T::frictions < 0 ||
      no_constant<friction_dim_name, friction_dim_of, M> || T::friction_dim < 1 || T::friction_dim > 2)
    return Fault::frictions;
  if (no_constant<bilaterals_name, bilaterals_of, M> || T::bilaterals < 0 || T::bilaterals > dof)
    return Fault::bilaterals;
  if (no_constant<projections_name, projections_of, M>) return Fault::projections;
  if (no_constant<closed_at_once_name, closed_at_once_of, M> || value_or<closed_at_once_of, M, 2> < 1 ||
          value_or < closed_at_once_of,
      M, 2 >> 2)
    return Fault::closed_at_once;
  if (no_constant<constant_mass_name, constant_mass_of, M>) return Fault::constant_mass;
  if (no_constant<diagonal_mass_name, diagonal_mass_of, M>) return Fault::diagonal_mass;
  if (no_constant<symmetric_steps_name, symmetric_steps_of, M>) return Fault::symmetric_steps;
  if (no_constant<uniform_contacts_name, uniform_contacts_of, M>) return Fault::uniform_contacts;
  if (no_constant<mass_pattern_name, mass_pattern_of, M>) return Fault::mass_pattern;
  if (T::contacts > 0 && no_constant<direction_pattern_name, direction_pattern_of, M>) return Fault::direction_pattern;
  if (T::diagonal_mass && T::bilaterals > 0 && !detected<touches_of, M>) return Fault::touches;
  if (no_constant<persistent_contacts_name, persistent_contacts_of, M>) return Fault::persistent_contacts;
  if (no_constant<constant_directions_name, constant_directions_of, M>) return Fault::constant_directions;

  // functions
  using Mass = typename C::template At<mass_of>;
  using Force = typename C::template Moving<force_of>;
  if (IsExpression<typename C::Shared>::value) return Fault::at_expression;
  if (!C::shares && names_function<at_name, M>) return Fault::at;
  if (IsExpression<Mass>::value) return Fault::mass_expression;
  if (!Plain<Mass, Real, dof, dof>::value) return of(Fault::mass);
  if (IsExpression<Force>::value) return Fault::force_expression;
  if (!Plain<Force, Real, dof, 1>::value) return of(Fault::force);
  if (T::contacts > 0) {
    if (!std::is_same_v<typename C::template At<gap_of, int>, Real>) return of(Fault::gap);
    if (!std::is_same_v<typename C::template At<directions_of, int>, D>) return of(Fault::directions);
    if (!std::is_same_v<Returned<law_of, M, int>, ContactLaw<Real>>) return Fault::law;
    if ((C::has_mu || names_function<mu_name, M>)&&!std::is_same_v<typename C::Mu, Real>) return Fault::mu;
    if ((C::has_allowed_penetration ||
         names_function<allowed_penetration_name, M>)&&!std::is_same_v<typename C::AllowedPenetration, Real>)
      return Fault::allowed_penetration;
  }

  // rows: those of a function without a number of them would be left out
  using Bound = typename C::template At<friction_bound_of, int>;
  using Friction = typename C::template At<friction_directions_of, int>;
  if (T::frictions > 0) {
    if (!std::is_same_v<Bound, Real>) return of(Fault::friction_bound);
    if (IsExpression<Detected<w_of, Friction>>::value) return Fault::friction_expression;
    if (!has_direction<Friction, Real, dof, dim> && !std::is_same_v<Friction, Directions<Real, dof, dim>>)
      return of(Fault::friction_directions);
  } else if (!detected<frictions_of, M> &&
             (!is_missing<Bound> || !is_missing<Friction> || names_function<friction_bound_name, M> ||
              names_function<friction_directions_name, M> || detected<friction_dim_of, M>)) {
    return Fault::frictions;
  }
  using Row = typename C::template At<bilateral_of, int>;
  if (T::bilaterals > 0) {
    if (IsExpression<Detected<w_of, Row>>::value) return Fault::bilateral_expression;
    if (!has_direction<Row, Real, dof, 1> || !yields<Real, g_of, Row>) return of(Fault::bilateral);
    if ((C::has_bias_acceleration ||
         names_function<bias_acceleration_name, M>)&&!std::is_same_v<typename C::BiasAcceleration, Real>)
      return of(Fault::bias_acceleration);
  } else if (!detected<bilaterals_of, M> && (!is_missing<Row> || names_function<bilateral_name, M>)) {
    return Fault::bilaterals;
  }
  if (IsExpression<typename C::Wrap>::value) return Fault::wrap_expression;
  if ((C::has_wrap || names_function<wrap_name, M>)&&!Plain<typename C::Wrap, Real, dof, 1>::value) return Fault::wrap;
  if ((C::has_period || names_function<period_name, M>)&&!std::is_same_v<typename C::Period, Real>)
    return Fault::period;
  if ((!is_missing<typename C::Potential> ||
       names_function<potential_name, M>)&&!std::is_same_v<typename C::Potential, Real>)
    return of(Fault::potential);
  return Fault::none;
}

template <class Model>
struct RequireModel {
  using Real = typename Traits<Model>::Real;  // who asks for it has the model checked on the way
  static constexpr Fault fault = find_fault<Model>();
  static constexpr bool met = fault == Fault::none;

  // clang-format off
  static_assert(fault != Fault::parts_list, "Model needs: Mechanism<Parts> for Parts;   // a parts list is no model");
  static_assert(fault != Fault::real, "Model needs: using Real = float;   // or double: the scalar of the model");
  static_assert(fault != Fault::dof, "Model needs: static constexpr int dof = ...;   // degrees of freedom, at least 1");
  static_assert(fault != Fault::contacts, "Model needs: static constexpr int contacts = ...;   // possible contacts, 0 or more");
  static_assert(fault != Fault::tangent_typo, "Model declares `tangent`: the member is called tangents");
  static_assert(fault != Fault::friction_typo, "Model declares `friction`: the member is called frictions");
  static_assert(fault != Fault::friction_dims_typo, "Model declares `friction_dims`: the member is called friction_dim");
  static_assert(fault != Fault::bilateral_rows_typo, "Model declares `bilateral_rows`: the member is called bilaterals");
  static_assert(fault != Fault::projection_typo, "Model declares `projection`: the member is called projections");
  static_assert(fault != Fault::mass_constant_typo, "Model declares `mass_constant`: the member is called constant_mass");
  static_assert(fault != Fault::mass_diagonal_typo, "Model declares `mass_diagonal`: the member is called diagonal_mass");
  static_assert(fault != Fault::symmetric_step_typo, "Model declares `symmetric_step`: the member is called symmetric_steps");
  static_assert(fault != Fault::persistent_contact_typo, "Model declares `persistent_contact`: the member is called persistent_contacts");
  static_assert(fault != Fault::tangents, "Model needs: static constexpr int tangents = 0, 1 or 2;   // frictionless, planar, spatial");
  static_assert(fault != Fault::frictions, "Model needs: static constexpr int frictions = ...;   // 0 or more, with friction_dim 1 or 2");
  static_assert(fault != Fault::bilaterals, "Model needs: static constexpr int bilaterals = ...;   // ideal joint rows, 0 to dof");
  static_assert(fault != Fault::projections, "Model needs: static constexpr int projections = ...;   // rounds of the position projection; or no projections at all");
  static_assert(fault != Fault::closed_at_once, "Model needs: static constexpr int closed_at_once = 1 or 2;   // contacts that close at the same time; leave it out for more");
  static_assert(fault != Fault::constant_mass, "Model needs: static constexpr bool constant_mass = true;   // M never changes; or no constant_mass at all");
  static_assert(fault != Fault::constant_directions, "Model needs: static constexpr bool constant_directions = true;   // w and zeta of contacts never change; or no constant_directions at all");
  static_assert(fault != Fault::diagonal_mass, "Model needs: static constexpr bool diagonal_mass = true;   // with touches(row, coordinate); or no diagonal_mass at all");
  static_assert(fault != Fault::symmetric_steps, "Model needs: static constexpr bool symmetric_steps = true;   // a step back undoes a step; or no symmetric_steps at all");
  static_assert(fault != Fault::uniform_contacts, "Model needs: static constexpr bool uniform_contacts = true;   // every contact costs as much; or no uniform_contacts at all");
  static_assert(fault != Fault::persistent_contacts, "Model needs: static constexpr bool persistent_contacts = true;   // closed contacts keep their force; or no persistent_contacts at all");
  static_assert(fault != Fault::mass_pattern, "Model needs: static constexpr bool mass_pattern(int i, int j);   // false: M(i, j) = 0 for ever; or no mass_pattern at all");
  static_assert(fault != Fault::direction_pattern, "Model needs: static constexpr bool direction_pattern(int contact, int row, int j);   // false: entry j is 0 for ever; or no direction_pattern at all");
  static_assert(fault != Fault::touches, "Model needs: static constexpr bool touches(int row, int j);   // false: entry j of a bilateral row is 0 for ever; diagonal_mass needs it");

  static_assert(fault != Fault::at_expression, "Model's at returns an Eigen expression: write the return type, a plain type");
  static_assert(fault != Fault::at, "Model needs: A at(const Vector<Real, dof>& q, Real t) const;   // what its functions share; or no at at all");
  static_assert(fault != Fault::mass_expression, "Model's mass returns an Eigen expression: write the return type, Matrix<Real, dof, dof>");
  static_assert(fault != Fault::mass, "Model needs: Matrix<Real, dof, dof> mass(const Vector<Real, dof>& q, Real t) const;   // M(q,t)");
  static_assert(fault != Fault::mass_shared, "Model needs: Matrix<Real, dof, dof> mass(const A& a) const;   // M(q,t), with a = at(q, t)");
  static_assert(fault != Fault::force_expression, "Model's force returns an Eigen expression: write the return type, Vector<Real, dof>");
  static_assert(fault != Fault::force, "Model needs: Vector<Real, dof> force(const Vector<Real, dof>& q, const Vector<Real, dof>& u, Real t) const;   // h(q,u,t)");
  static_assert(fault != Fault::force_shared, "Model needs: Vector<Real, dof> force(const A& a, const Vector<Real, dof>& u) const;   // h(q,u,t), with a = at(q, t)");
  static_assert(fault != Fault::gap, "Model needs: Real gap(int contact, const Vector<Real, dof>& q, Real t) const;   // g_N(q,t)");
  static_assert(fault != Fault::gap_shared, "Model needs: Real gap(int contact, const A& a) const;   // g_N(q,t), with a = at(q, t)");
  static_assert(fault != Fault::directions, "Model needs: Directions<Real, dof, tangents> directions(int contact, const Vector<Real, dof>& q, Real t) const;   // w_N, w_T, zeta");
  static_assert(fault != Fault::directions_shared, "Model needs: Directions<Real, dof, tangents> directions(int contact, const A& a) const;   // w_N, w_T, zeta, with a = at(q, t)");
  static_assert(fault != Fault::law, "Model needs: ContactLaw<Real> law(int contact) const;   // eps_N, eps_T, mu");
  static_assert(fault != Fault::mu, "Model needs: Real mu(int contact, Real v) const;   // friction at slip speed v = |gamma_T|; or no mu at all");
  static_assert(fault != Fault::allowed_penetration, "Model needs: Real allowed_penetration(int contact) const;   // m, overlap a closed contact keeps; or no allowed_penetration at all");
  static_assert(fault != Fault::friction_bound, "Model needs: Real friction_bound(int element, const Vector<Real, dof>& q, Real t) const;   // N or N m");
  static_assert(fault != Fault::friction_bound_shared, "Model needs: Real friction_bound(int element, const A& a) const;   // N or N m, with a = at(q, t)");
  static_assert(fault != Fault::friction_expression, "Model's friction_directions returns an Eigen expression: write the return type, FrictionDirections<Real, dof, friction_dim>");
  static_assert(fault != Fault::friction_directions, "Model needs: FrictionDirections<Real, dof, friction_dim> friction_directions(int element, const Vector<Real, dof>& q, Real t) const;   // w, zeta");
  static_assert(fault != Fault::friction_directions_shared, "Model needs: FrictionDirections<Real, dof, friction_dim> friction_directions(int element, const A& a) const;   // w, zeta, with a = at(q, t)");
  static_assert(fault != Fault::bilateral_expression, "Model's bilateral returns an Eigen expression: write the return type, Bilateral<Real, dof>");
  static_assert(fault != Fault::bilateral, "Model needs: Bilateral<Real, dof> bilateral(int row, const Vector<Real, dof>& q, Real t) const;   // w, zeta, g");
  static_assert(fault != Fault::bilateral_shared, "Model needs: Bilateral<Real, dof> bilateral(int row, const A& a) const;   // w, zeta, g, with a = at(q, t)");
  static_assert(fault != Fault::bias_acceleration, "Model needs: Real bias_acceleration(int row, const Vector<Real, dof>& q, const Vector<Real, dof>& u, Real t) const;   // (dw/dt)^T u; or no bias_acceleration at all");
  static_assert(fault != Fault::bias_acceleration_shared, "Model needs: Real bias_acceleration(int row, const A& a, const Vector<Real, dof>& u) const;   // (dw/dt)^T u, with a = at(q, t); or no bias_acceleration at all");
  static_assert(fault != Fault::wrap_expression, "Model's wrap returns an Eigen expression: write the return type, Vector<Real, dof>");
  static_assert(fault != Fault::wrap, "Model needs: Vector<Real, dof> wrap(const Vector<Real, dof>& q) const;   // the same configuration, angles small; or no wrap at all");
  static_assert(fault != Fault::period, "Model needs: Real period() const;   // s, of a prescribed periodic motion; or no period at all");
  static_assert(fault != Fault::potential, "Model needs: Real potential(const Vector<Real, dof>& q, Real t) const;   // V(q,t), J; or no potential at all");
  static_assert(fault != Fault::potential_shared, "Model needs: Real potential(const A& a) const;   // V(q,t), J, with a = at(q, t); or no potential at all");
  // clang-format on
};

}  // namespace detail
}  // namespace moreau
