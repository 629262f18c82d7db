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
template <class M> using depth_name = decltype(&M::depth);
template <class M> using friction_bound_name = decltype(&M::friction_bound);
template <class M> using friction_directions_name = decltype(&M::friction_directions);
template <class M> using bilateral_name = decltype(&M::bilateral);
template <class M> using bend_name = decltype(&M::bend);
template <class M> using wrap_name = decltype(&M::wrap);
template <class M> using period_name = decltype(&M::period);

template <class M> using tangents_name = decltype(M::tangents);
template <class M> using frictions_name = decltype(M::frictions);
template <class M> using friction_dim_name = decltype(M::friction_dim);
template <class M> using bilaterals_name = decltype(M::bilaterals);
template <class M> using projections_name = decltype(M::projections);
template <class M> using closed_at_once_name = decltype(M::closed_at_once);
template <class M> using constant_mass_name = decltype(M::constant_mass);
template <class M> using diagonal_mass_name = decltype(M::diagonal_mass);
template <class M> using symmetric_steps_name = decltype(M::symmetric_steps);
template <class M> using mass_pattern_name = decltype(&M::mass_pattern);
template <class M> using direction_pattern_name = decltype(&M::direction_pattern);

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
  mass_diagonal_typo, symmetric_step_typo,
  tangents, frictions, bilaterals, projections, closed_at_once, constant_mass, diagonal_mass, symmetric_steps,
  mass_pattern, direction_pattern, touches,
  at_expression, at, mass_expression, mass, mass_shared, force_expression, force, force_shared,
  gap, gap_shared, directions, directions_shared, law, mu, depth,
  friction_bound, friction_bound_shared, friction_expression, friction_directions, friction_directions_shared,
  bilateral_expression, bilateral, bilateral_shared, bend, bend_shared, wrap_expression, wrap, period
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
  if (no_constant<mass_pattern_name, mass_pattern_of, M>) return Fault::mass_pattern;
  if (T::contacts > 0 && no_constant<direction_pattern_name, direction_pattern_of, M>) return Fault::direction_pattern;
  if (T::diagonal_mass && T::bilaterals > 0 && !detected<touches_of, M>) return Fault::touches;

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
    if ((C::has_depth || names_function<depth_name, M>)&&!std::is_same_v<typename C::Depth, Real>) return Fault::depth;
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
    if ((C::has_bend || names_function<bend_name, M>)&&!std::is_same_v<typename C::Bend, Real>) return of(Fault::bend);
  } else if (!detected<bilaterals_of, M> && (!is_missing<Row> || names_function<bilateral_name, M>)) {
    return Fault::bilaterals;
  }
  if (IsExpression<typename C::Wrap>::value) return Fault::wrap_expression;
  if ((C::has_wrap || names_function<wrap_name, M>)&&!Plain<typename C::Wrap, Real, dof, 1>::value) return Fault::wrap;
  if ((C::has_period || names_function<period_name, M>)&&!std::is_same_v<typename C::Period, Real>)
    return Fault::period;
  return Fault::none;
}

}  // namespace detail
}  // namespace moreau
