// The Model contract: a mechanism is a plain struct, and what it lacks is said in one line.
//
// A model is tested once, before any other template looks at it. The first member that is missing, not const, or of
// another type ends the compilation with its signature; nothing else of the library is instantiated for that model.
//
// A model may share work between its functions: with `A at(const Vector<Real, dof>& q, Real t) const` they take the
// result `a` (any copyable type, computed once per step) instead of (q, t). All of them do, or none.
#pragma once

#include <utility>

#include "moreau/math/detect.hpp"
#include "moreau/model/directions.hpp"
#include "moreau/model/fault.hpp"
#include "moreau/model/named.hpp"
#include "moreau/model/traits.hpp"

namespace moreau {
namespace detail {

// Calls by name: usable in std::is_invocable, which answers instead of failing.
inline constexpr auto call_at = [](const auto& m, const auto&... x) -> decltype(m.at(x...)) { return m.at(x...); };
inline constexpr auto call_mass = [](const auto& m, const auto&... x) -> decltype(m.mass(x...)) {
  return m.mass(x...);
};
inline constexpr auto call_force = [](const auto& m, const auto&... x) -> decltype(m.force(x...)) {
  return m.force(x...);
};
inline constexpr auto call_gap = [](const auto& m, const auto&... x) -> decltype(m.gap(x...)) { return m.gap(x...); };
inline constexpr auto call_directions = [](const auto& m, const auto&... x) -> decltype(m.directions(x...)) {
  return m.directions(x...);
};
inline constexpr auto call_law = [](const auto& m, const auto&... x) -> decltype(m.law(x...)) { return m.law(x...); };
inline constexpr auto call_mu = [](const auto& m, const auto&... x) -> decltype(m.mu(x...)) { return m.mu(x...); };
inline constexpr auto call_depth = [](const auto& m, const auto&... x) -> decltype(m.depth(x...)) {
  return m.depth(x...);
};
inline constexpr auto call_friction_bound = [](const auto& m, const auto&... x) -> decltype(m.friction_bound(x...)) {
  return m.friction_bound(x...);
};
inline constexpr auto call_friction_directions = [](const auto& m,
                                                    const auto&... x) -> decltype(m.friction_directions(x...)) {
  return m.friction_directions(x...);
};
inline constexpr auto call_bilateral = [](const auto& m, const auto&... x) -> decltype(m.bilateral(x...)) {
  return m.bilateral(x...);
};
inline constexpr auto call_bend = [](const auto& m, const auto&... x) -> decltype(m.bend(x...)) {
  return m.bend(x...);
};
inline constexpr auto call_wrap = [](const auto& m, const auto&... x) -> decltype(m.wrap(x...)) {
  return m.wrap(x...);
};
inline constexpr auto call_period = [](const auto& m) -> decltype(m.period()) { return m.period(); };

template <bool callable, class Call, class... Args>
struct ResultIf {
  using type = Missing;
};
template <class Call, class... Args>
struct ResultIf<true, Call, Args...> {
  using Returned = std::decay_t<std::invoke_result_t<Call, Args...>>;
  using type = std::conditional_t<std::is_void_v<Returned>, Missing, Returned>;
};
// What a call returns; Missing where it cannot be made on a const model, or returns nothing.
template <class Call, class... Args>
using Result = typename ResultIf<std::is_invocable_v<const Call&, Args...>, const Call&, Args...>::type;

// An Eigen object of this scalar and these sizes; storage options do not matter.
template <class R, class Real, int rows, int cols, class = void>
struct IsMatrix : std::false_type {};
template <class R, class Real, int rows, int cols>
struct IsMatrix<R, Real, rows, cols, std::void_t<typename R::Scalar, decltype(R::RowsAtCompileTime)>>
    : std::bool_constant<std::is_same_v<typename R::Scalar, Real>&& int(R::RowsAtCompileTime) ==
                         rows&& int(R::ColsAtCompileTime) == cols> {};

// What a friction element or an ideal joint returns may be any struct with the members named here.
template <class R, class Real, int rows, int cols, class = void>
struct HasDirection : std::false_type {};
template <class R, class Real, int rows, int cols>
struct HasDirection<R, Real, rows, cols, std::void_t<decltype(R::w), decltype(R::zeta)>>
    : IsMatrix<decltype(R::w), Real, rows, cols> {};
template <class R, class Real, class = void>
struct HasPosition : std::false_type {};
template <class R, class Real>
struct HasPosition<R, Real, std::void_t<decltype(R::g)>> : std::is_same<decltype(R::g), Real> {};

// The parts list of a mechanism (mechanism/parts.hpp), which is no model.
template <class M>
using parts_list_in = decltype(M::bodies, const_object<M>().parts());
template <class M>
using dof_in = decltype(M::dof);
template <class M>
inline constexpr bool is_parts_list = detected<parts_list_in, M> && !detected<dof_in, M>;

template <class M, class = void>
struct DeclaresReal : std::false_type {};
template <class M>
struct DeclaresReal<M, std::void_t<typename M::Real>>
    : std::bool_constant<std::is_same_v<typename M::Real, float> || std::is_same_v<typename M::Real, double>> {};
template <class M, class = void>
struct DeclaresDof : std::false_type {};
template <class M>
struct DeclaresDof<M, std::void_t<decltype(M::dof)>> : std::bool_constant<(int(M::dof) > 0)> {};
template <class M, class = void>
struct DeclaresContacts : std::false_type {};
template <class M>
struct DeclaresContacts<M, std::void_t<decltype(M::contacts)>> : std::bool_constant<(int(M::contacts) >= 0)> {};

}  // namespace detail

template <class Model>
struct Contract {
  using T = Traits<Model>;
  using Real = typename T::Real;
  using Q = Vector<Real, T::dof>;
  using Shared = detail::Result<decltype(detail::call_at), const Model&, const Q&, Real>;
  static constexpr bool shares = !std::is_same_v<Shared, detail::Missing>;

  // The result of m.call(front..., q, t), or of m.call(front..., a) for a model that shares.
  template <class Call, class... Front>
  using At = std::conditional_t<shares, detail::Result<Call, const Model&, Front..., const Shared&>,
                                detail::Result<Call, const Model&, Front..., const Q&, Real>>;
  using Force =
      std::conditional_t<shares, detail::Result<decltype(detail::call_force), const Model&, const Shared&, const Q&>,
                         detail::Result<decltype(detail::call_force), const Model&, const Q&, const Q&, Real>>;
  using Bend =
      std::conditional_t<shares,
                         detail::Result<decltype(detail::call_bend), const Model&, int, const Shared&, const Q&>,
                         detail::Result<decltype(detail::call_bend), const Model&, int, const Q&, const Q&, Real>>;
  using Mu = detail::Result<decltype(detail::call_mu), const Model&, int, Real>;
  using Depth = detail::Result<decltype(detail::call_depth), const Model&, int>;
  using Wrap = detail::Result<decltype(detail::call_wrap), const Model&, const Q&>;
  using Period = detail::Result<decltype(detail::call_period), const Model&>;

  template <class R, int rows, int cols>
  static constexpr bool is_matrix = detail::IsMatrix<R, Real, rows, cols>::value;
  template <class R>
  static constexpr bool missing = std::is_same_v<R, detail::Missing>;

  static constexpr bool has_bend = T::bilaterals > 0 && !missing<Bend>;
  static constexpr bool has_mu = !missing<Mu>;
  static constexpr bool has_depth = !missing<Depth>;
  static constexpr bool has_wrap = !missing<Wrap>;
  static constexpr bool has_period = !missing<Period>;

  // The first requirement that is not met.
  static constexpr Fault find() {
    using namespace detail;
    using D = Directions<Real, T::dof, T::tangents == 0 || T::tangents == 2 ? T::tangents : 1>;
    constexpr int dim = T::friction_dim == 2 ? 2 : 1;
    if (is_parts_list<Model>) return Fault::parts_list;
    if (!DeclaresReal<Model>::value) return Fault::real;
    if (!DeclaresDof<Model>::value) return Fault::dof;
    if (!DeclaresContacts<Model>::value) return Fault::contacts;
    if (T::tangents < 0 || T::tangents > 2) return Fault::tangents;
    if (T::frictions < 0 || T::friction_dim < 1 || T::friction_dim > 2) return Fault::frictions;
    if (T::bilaterals < 0 || T::bilaterals > T::dof) return Fault::bilaterals;
    if (!shares && NamesAt<Model>::value) return Fault::at;
    if (!is_matrix<At<decltype(call_mass)>, T::dof, T::dof>) return Fault::mass;
    if (!is_matrix<Force, T::dof, 1>) return Fault::force;
    if (T::contacts > 0) {
      if (!std::is_same_v<At<decltype(call_gap), int>, Real>) return Fault::gap;
      if (!std::is_same_v<At<decltype(call_directions), int>, D>) return Fault::directions;
      if (!std::is_same_v<Result<decltype(call_law), const Model&, int>, ContactLaw<Real>>) return Fault::law;
      if ((has_mu || NamesMu<Model>::value) && !std::is_same_v<Mu, Real>) return Fault::mu;
      if ((has_depth || NamesDepth<Model>::value) && !std::is_same_v<Depth, Real>) return Fault::depth;
    }
    if (T::frictions > 0) {
      if (!std::is_same_v<At<decltype(call_friction_bound), int>, Real>) return Fault::friction_bound;
      if (!HasDirection<At<decltype(call_friction_directions), int>, Real, T::dof, dim>::value &&
          !std::is_same_v<At<decltype(call_friction_directions), int>, Directions<Real, T::dof, dim>>)
        return Fault::friction_directions;
    }
    if (T::bilaterals > 0 && !(HasDirection<At<decltype(call_bilateral), int>, Real, T::dof, 1>::value &&
                               HasPosition<At<decltype(call_bilateral), int>, Real>::value))
      return Fault::bilateral;
    if ((has_bend || (T::bilaterals > 0 && NamesBend<Model>::value)) && !std::is_same_v<Bend, Real>) return Fault::bend;
    if ((has_wrap || NamesWrap<Model>::value) && !is_matrix<Wrap, T::dof, 1>) return Fault::wrap;
    if ((has_period || NamesPeriod<Model>::value) && !std::is_same_v<Period, Real>) return Fault::period;
    return Fault::none;
  }
  static constexpr Fault fault = find();
  static constexpr bool met = fault == Fault::none;
};

}  // namespace moreau
