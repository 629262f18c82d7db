// RequireModel<Model> checks at compile time that a model satisfies the contract (contract.hpp), before any other
// template is instantiated with the model. The error message is the Sentence of the first fault and contains the
// required signature.
#pragma once

#include "moreau/model/contract.hpp"

namespace moreau {
namespace detail {
namespace member {

// clang-format off
// Parts list of a mechanism (mechanism/parts.hpp), passed in place of a model.
struct PartsInstead : Constant<PartsInstead> {
  template <class Parts> using parts = decltype(Parts::bodies, const_object<Parts>().parts());
  template <class M> static constexpr bool fits() { return !detected<parts, M> || detected<Dof::value, M>; }
  template <Fault fault> struct Sentence { static_assert(fault == Fault::none, "Model needs: Mechanism<Parts> instead of Parts;   // a parts list is not a model"); };
};

// Former or misspelled name of a member. `old` is well-formed if the model has a constant or a function of this name.
// Compilation then fails unless the model also has the correct member. To rename a member: rename its struct, then add
// a struct with its old name here and to the list.
template <class Self, class Right> struct Renamed : Member {
  template <class M> static constexpr bool fits() { return !detected<Self::template old, M> || detected<Right::template name, M>; }
};
template <class T> using OldConstant = std::enable_if_t<std::is_integral_v<T>>;
template <class Pointer> using OldFunction = std::enable_if_t<std::is_member_function_pointer_v<Pointer>>;

struct Tangent : Renamed<Tangent, Tangents> {
  template <class M> using old = OldConstant<decltype(M::tangent)>;
  template <Fault fault> struct Sentence { static_assert(fault == Fault::none, "Model declares `tangent`: the member is called tangents"); };
};
struct Friction : Renamed<Friction, Frictions> {
  template <class M> using old = OldConstant<decltype(M::friction)>;
  template <Fault fault> struct Sentence { static_assert(fault == Fault::none, "Model declares `friction`: the member is called frictions"); };
};
struct FrictionDims : Renamed<FrictionDims, FrictionDim> {
  template <class M> using old = OldConstant<decltype(M::friction_dims)>;
  template <Fault fault> struct Sentence { static_assert(fault == Fault::none, "Model declares `friction_dims`: the member is called friction_dim"); };
};
struct BilateralRows : Renamed<BilateralRows, Bilaterals> {
  template <class M> using old = OldConstant<decltype(M::bilateral_rows)>;
  template <Fault fault> struct Sentence { static_assert(fault == Fault::none, "Model declares `bilateral_rows`: the member is called bilaterals"); };
};
struct Projection : Renamed<Projection, Projections> {
  template <class M> using old = OldConstant<decltype(M::projection)>;
  template <Fault fault> struct Sentence { static_assert(fault == Fault::none, "Model declares `projection`: the member is called projections"); };
};
struct MassConstant : Renamed<MassConstant, ConstantMass> {
  template <class M> using old = OldConstant<decltype(M::mass_constant)>;
  template <Fault fault> struct Sentence { static_assert(fault == Fault::none, "Model declares `mass_constant`: the member is called constant_mass"); };
};
struct MassDiagonal : Renamed<MassDiagonal, DiagonalMass> {
  template <class M> using old = OldConstant<decltype(M::mass_diagonal)>;
  template <Fault fault> struct Sentence { static_assert(fault == Fault::none, "Model declares `mass_diagonal`: the member is called diagonal_mass"); };
};
struct SymmetricStep : Renamed<SymmetricStep, SymmetricSteps> {
  template <class M> using old = OldConstant<decltype(M::symmetric_step)>;
  template <Fault fault> struct Sentence { static_assert(fault == Fault::none, "Model declares `symmetric_step`: the member is called symmetric_steps"); };
};
struct PersistentContacts : Renamed<PersistentContacts, SecondOrder> {
  template <class M> using old = OldConstant<decltype(M::persistent_contacts)>;
  template <Fault fault> struct Sentence { static_assert(fault == Fault::none, "Model declares `persistent_contacts`: with second_order = true, contacts at rest stay closed"); };
};
struct LastingContacts : Renamed<LastingContacts, SecondOrder> {
  template <class M> using old = OldConstant<decltype(M::lasting_contacts)>;
  template <Fault fault> struct Sentence { static_assert(fault == Fault::none, "Model declares `lasting_contacts`: with second_order = true, contacts at rest stay closed"); };
};
// `depth` counts as a former name only in the form depth(int) with a result convertible to Real. Other functions of
// this name are valid.
struct Depth : Renamed<Depth, AllowedPenetration> {
  template <class M> using old = std::enable_if_t<std::is_convertible_v<decltype(const_object<M>().depth(int{})), typename M::Real>>;
  template <Fault fault> struct Sentence { static_assert(fault == Fault::none, "Model declares `depth`: the member is called allowed_penetration"); };
};
struct Bend : Renamed<Bend, BiasAcceleration> {
  template <class M> using old = OldFunction<std::enable_if_t<(Traits<M>::bilaterals > 0), decltype(&M::bend)>>;
  template <Fault fault> struct Sentence { static_assert(fault == Fault::none, "Model declares `bend`: the member is called bias_acceleration"); };
};
// Misspelled optional members. C++17 cannot list the members of a struct, so only these spellings are detected.
struct FrictionDimension : Renamed<FrictionDimension, FrictionDim> {
  template <class M> using old = OldConstant<decltype(M::friction_dimension)>;
  template <Fault fault> struct Sentence { static_assert(fault == Fault::none, "Model declares `friction_dimension`: the member is called friction_dim"); };
};
struct ConstMass : Renamed<ConstMass, ConstantMass> {
  template <class M> using old = OldConstant<decltype(M::const_mass)>;
  template <Fault fault> struct Sentence { static_assert(fault == Fault::none, "Model declares `const_mass`: the member is called constant_mass"); };
};
struct ConstantDirection : Renamed<ConstantDirection, ConstantDirections> {
  template <class M> using old = OldConstant<decltype(M::constant_direction)>;
  template <Fault fault> struct Sentence { static_assert(fault == Fault::none, "Model declares `constant_direction`: the member is called constant_directions"); };
};
struct UniformContact : Renamed<UniformContact, UniformContacts> {
  template <class M> using old = OldConstant<decltype(M::uniform_contact)>;
  template <Fault fault> struct Sentence { static_assert(fault == Fault::none, "Model declares `uniform_contact`: the member is called uniform_contacts"); };
};
struct AllowedPenetrations : Renamed<AllowedPenetrations, AllowedPenetration> {
  template <class M> using old = OldFunction<decltype(&M::allowed_penetrations)>;
  template <Fault fault> struct Sentence { static_assert(fault == Fault::none, "Model declares `allowed_penetrations`: the member is called allowed_penetration"); };
};
struct BiasAccelerations : Renamed<BiasAccelerations, BiasAcceleration> {
  template <class M> using old = OldFunction<decltype(&M::bias_accelerations)>;
  template <Fault fault> struct Sentence { static_assert(fault == Fault::none, "Model declares `bias_accelerations`: the member is called bias_acceleration"); };
};
struct Wraps : Renamed<Wraps, Wrap> {
  template <class M> using old = OldFunction<decltype(&M::wraps)>;
  template <Fault fault> struct Sentence { static_assert(fault == Fault::none, "Model declares `wraps`: the member is called wrap"); };
};
struct Periods : Renamed<Periods, Period> {
  template <class M> using old = OldFunction<decltype(&M::periods)>;
  template <Fault fault> struct Sentence { static_assert(fault == Fault::none, "Model declares `periods`: the member is called period"); };
};
// clang-format on

// All checks, in order of execution.
using All =
    TypeList<PartsInstead, Scalar, Dof, Contacts, Tangent, Friction, FrictionDims, BilateralRows, Projection,
             MassConstant, MassDiagonal, SymmetricStep, PersistentContacts, LastingContacts, Depth, Bend,
             FrictionDimension, ConstMass, ConstantDirection, UniformContact, AllowedPenetrations, BiasAccelerations,
             Wraps, Periods, Tangents, MuWithTangents, Frictions, FrictionDim, Bilaterals, Projections, ClosedAtOnce,
             MaxClosed, ConstantMass, DiagonalMass, SymmetricSteps, UniformContacts, MassPattern, DirectionPattern,
             Touches, PredictedForce, SecondOrder, PredictedGaps, ConstantDirections, Identity, At, Mass, Force, Gap,
             Directions, Law, Mu, AllowedPenetration, PlayOf, FrictionBound, FrictionDirections, DeclaredFrictions,
             Bilateral, BiasAcceleration, ContactBiasAcceleration, FrictionBiasAcceleration, EndZeta,
             DeclaredBilaterals, Drift, Displaced, DriftAndDisplaced, Wrap, Period, Potential>;

}  // namespace member

// First member that violates the contract, and the kind of violation.
template <class Member_, Fault fault_>
struct Found {
  using Member = Member_;
  static constexpr Fault fault = fault_;
};
template <class M, class First, class... Rest>
constexpr auto first_fault(TypeList<First, Rest...>) {
  if constexpr (!First::template fits<M>())
    return Found<First, First::template reason<M>()>{};
  else if constexpr (sizeof...(Rest) > 0)
    return first_fault<M>(TypeList<Rest...>{});
  else
    return Found<First, Fault::none>{};
}
template <class M>
using FirstFault = decltype(first_fault<M>(member::All{}));

template <class Model>
struct RequireModel : FirstFault<Model>::Member::template Sentence<FirstFault<Model>::fault> {
  using Real = typename Traits<Model>::Real;  // any use of Real checks the model
  static constexpr bool met = FirstFault<Model>::fault == Fault::none;
};

}  // namespace detail
}  // namespace moreau
