// The sizes a model declares, with the defaults of those it may leave out.
//
//   required   using Real = float or double;   static constexpr int dof, contacts;
//   optional   tangents (1)              0 frictionless, 1 planar, 2 spatial contacts
//              frictions (0)             dry-friction elements with a bound of their own,
//              friction_dim (1)          1 or 2 directions each
//              bilaterals (0)            ideal joints kept as constraints
//              projections (1)           rounds of the position projection
//              constant_mass (false)     M never changes, it is factored once, when the stepper is made
//              diagonal_mass (false)     M is diagonal, and touches(row, coordinate) says at compile time which
//                                        coordinates a bilateral row can have entries at
//              symmetric_steps (false)   a smooth step back undoes a smooth step: forces of position and time alone;
//                                        M, all directions w and zeta, and mu constant; no friction in two dimensions.
//                                        The error then expands in dt^2, and adaptive runs use it
#pragma once

#include <type_traits>

namespace moreau {
namespace detail {

template <class M, class = void>
struct RealOf {
  using type = double;  // only reached by a model that fails the contract anyway
};
template <class M>
struct RealOf<M, std::void_t<typename M::Real>> {
  using type = typename M::Real;
};

// One struct per size: its value, or the default where the model does not declare it.
template <class M, class = void>
struct Dof : std::integral_constant<int, 1> {};
template <class M>
struct Dof<M, std::void_t<decltype(M::dof)>> : std::integral_constant<int, int(M::dof)> {};

template <class M, class = void>
struct Contacts : std::integral_constant<int, 0> {};
template <class M>
struct Contacts<M, std::void_t<decltype(M::contacts)>> : std::integral_constant<int, int(M::contacts)> {};

template <class M, class = void>
struct Tangents : std::integral_constant<int, 1> {};
template <class M>
struct Tangents<M, std::void_t<decltype(M::tangents)>> : std::integral_constant<int, int(M::tangents)> {};

template <class M, class = void>
struct Frictions : std::integral_constant<int, 0> {};
template <class M>
struct Frictions<M, std::void_t<decltype(M::frictions)>> : std::integral_constant<int, int(M::frictions)> {};

template <class M, class = void>
struct FrictionDim : std::integral_constant<int, 1> {};
template <class M>
struct FrictionDim<M, std::void_t<decltype(M::friction_dim)>> : std::integral_constant<int, int(M::friction_dim)> {};

template <class M, class = void>
struct Bilaterals : std::integral_constant<int, 0> {};
template <class M>
struct Bilaterals<M, std::void_t<decltype(M::bilaterals)>> : std::integral_constant<int, int(M::bilaterals)> {};

template <class M, class = void>
struct ConstantMass : std::false_type {};
template <class M>
struct ConstantMass<M, std::void_t<decltype(M::constant_mass)>> : std::bool_constant<bool(M::constant_mass)> {};

template <class M, class = void>
struct DiagonalMass : std::false_type {};
template <class M>
struct DiagonalMass<M, std::void_t<decltype(M::diagonal_mass)>> : std::bool_constant<bool(M::diagonal_mass)> {};

template <class M, class = void>
struct Projections : std::integral_constant<int, 1> {};
template <class M>
struct Projections<M, std::void_t<decltype(M::projections)>> : std::integral_constant<int, int(M::projections)> {};

template <class M, class = void>
struct SymmetricSteps : std::false_type {};
template <class M>
struct SymmetricSteps<M, std::void_t<decltype(M::symmetric_steps)>> : std::bool_constant<bool(M::symmetric_steps)> {};

}  // namespace detail

template <class Model>
struct Traits {
  using Real = typename detail::RealOf<Model>::type;
  static constexpr int dof = detail::Dof<Model>::value;
  static constexpr int contacts = detail::Contacts<Model>::value;
  static constexpr int tangents = detail::Tangents<Model>::value;
  static constexpr int frictions = detail::Frictions<Model>::value;
  static constexpr int friction_dim = detail::FrictionDim<Model>::value;
  static constexpr int bilaterals = detail::Bilaterals<Model>::value;
  static constexpr bool constant_mass = detail::ConstantMass<Model>::value;
  static constexpr bool diagonal_mass = detail::DiagonalMass<Model>::value;
  static constexpr int projections = detail::Projections<Model>::value;
  static constexpr bool symmetric_steps = detail::SymmetricSteps<Model>::value;
};

}  // namespace moreau
