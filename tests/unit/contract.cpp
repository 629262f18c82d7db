// The model contract at compile time: the first error of each of these models. The tests in tests/compile check the
// messages.
#include <moreau/model/contract.hpp>
#include <moreau/model/require.hpp>

#include "models/slider_crank.hpp"
#include "models/woodpecker.hpp"
#include "support/test.hpp"

namespace {

using moreau::detail::Fault;
using moreau::detail::FirstFault;
namespace member = moreau::detail::member;
template <class Model>
constexpr bool meets = FirstFault<Model>::fault == Fault::none;
template <class Model, class Member, Fault fault = Fault::signature>
constexpr bool lacks = std::is_same_v<FirstFault<Model>, moreau::detail::Found<Member, fault>>;

using Q = moreau::Vector<Real, 2>;
using Mass = moreau::Matrix<Real, 2, 2>;
using Planar = moreau::Directions<Real, 2>;
using Law = moreau::ContactLaw<Real>;

// Valid model with all members. The models below hide one member of it.
struct Right {
  using Real = ::Real;
  static constexpr int dof = 2, contacts = 1, frictions = 1, bilaterals = 1;
  Mass mass(const Q&, Real) const { return Mass::Identity(); }
  Q force(const Q&, const Q&, Real) const { return Q::Zero(); }
  Real gap(int, const Q&, Real) const { return 1; }
  Planar directions(int, const Q&, Real) const { return {}; }
  Law law(int) const { return {}; }
  Real mu(int, Real) const { return 0; }
  Real allowed_penetration(int) const { return 0; }
  Real friction_bound(int, const Q&, Real) const { return 0; }
  moreau::FrictionDirections<Real, 2> friction_directions(int, const Q&, Real) const { return {}; }
  moreau::Bilateral<Real, 2> bilateral(int, const Q&, Real) const { return {}; }
  Real bias_acceleration(int, const Q&, const Q&, Real) const { return 0; }
  moreau::ContactBias<Real> contact_bias_acceleration(int, const Q&, const Q&, Real) const { return {}; }
  Real friction_bias_acceleration(int, const Q&, const Q&, Real) const { return 0; }
  Q wrap(const Q& q) const { return q; }
  Real period() const { return 1; }
};
static_assert(meets<Right>);
static_assert(meets<models::Woodpecker<float>> && meets<models::SliderCrank<double>>);

// Valid model with shared terms.
struct Shared {
  using Real = ::Real;
  static constexpr int dof = 2, contacts = 1;
  struct A {};
  A at(const Q&, Real) const { return {}; }
  Mass mass(const A&) const { return Mass::Identity(); }
  Q force(const A&, const Q&) const { return Q::Zero(); }
  Real gap(int, const A&) const { return 1; }
  Planar directions(int, const A&) const { return {}; }
  Law law(int) const { return {}; }
};
static_assert(meets<Shared> && moreau::detail::Contract<Shared>::shares && !moreau::detail::Contract<Right>::shares);

// Sizes.
struct NoReal {
  static constexpr int dof = 2, contacts = 0;
};
struct IntReal : NoReal {
  using Real = int;
};
struct NoDof {
  using Real = ::Real;
  static constexpr int contacts = 0;
};
struct ZeroDof : Right {
  static constexpr int dof = 0;
};
struct OneDof {
  using Real = ::Real;
  using V = moreau::Vector<Real, 1>;
  static constexpr int dof = 1, contacts = 0;
  V mass(const V&, Real) const { return V(Real(1)); }  // a 1 x 1 type is both vector and matrix
  V force(const V&, const V&, Real) const { return V(Real(0)); }
};
struct NoContacts {
  using Real = ::Real;
  static constexpr int dof = 2;
};
struct NegativeContacts : Right {
  static constexpr int contacts = -1;
};
struct ThreeTangents : Right {
  static constexpr int tangents = 3;
};
struct NegativeFrictions : Right {
  static constexpr int frictions = -1;
};
struct TooManyBilaterals : Right {
  static constexpr int bilaterals = 3;
};
static_assert(lacks<NoReal, member::Scalar> && lacks<IntReal, member::Scalar>);
static_assert(lacks<NoDof, member::Dof> && lacks<ZeroDof, member::Dof> && meets<OneDof>);
static_assert(lacks<NoContacts, member::Contacts> && lacks<NegativeContacts, member::Contacts>);
static_assert(lacks<ThreeTangents, member::Tangents>);
static_assert(lacks<NegativeFrictions, member::Frictions>);
static_assert(lacks<TooManyBilaterals, member::Bilaterals>);

// Required members: hidden by data, not const, or of another type.
struct NoMass : Right {
  int mass = 0;
};
struct WrongMass : Right {
  moreau::Matrix<Real, 3, 3> mass(const Q&, Real) const { return {}; }
};
struct ForceNotConst : Right {
  Q force(const Q&, const Q&, Real) { return Q::Zero(); }
};
struct GapOfAnotherScalar : Right {
  using Other = std::conditional_t<sizeof(Real) == 4, double, float>;
  Other gap(int, const Q&, Real) const { return 1; }
};
struct SpatialDirections : Right {
  moreau::Directions<Real, 2, 2> directions(int, const Q&, Real) const { return {}; }
};
struct LawWithoutContact : Right {
  Law law() const { return {}; }
};
struct BoundIsInt : Right {
  int friction_bound(int, const Q&, Real) const { return 0; }
};
struct DirectionIsVector : Right {
  Q friction_directions(int, const Q&, Real) const { return Q::Zero(); }
};
struct BilateralWithoutPosition : Right {
  moreau::FrictionDirections<Real, 2> bilateral(int, const Q&, Real) const { return {}; }
};
static_assert(lacks<NoMass, member::Mass> && lacks<WrongMass, member::Mass>);
static_assert(lacks<ForceNotConst, member::Force>);
static_assert(lacks<GapOfAnotherScalar, member::Gap>);
static_assert(lacks<SpatialDirections, member::Directions>);
static_assert(lacks<LawWithoutContact, member::Law>);
static_assert(lacks<BoundIsInt, member::FrictionBound>);
static_assert(lacks<DirectionIsVector, member::FrictionDirections>);
static_assert(lacks<BilateralWithoutPosition, member::Bilateral>);

// Models with shared terms have messages of their own.
struct SharedWithoutMass : Shared {
  int mass = 0;
};
struct SharedForceNotConst : Shared {
  Q force(const A&, const Q&) { return Q::Zero(); }
};
static_assert(lacks<SharedWithoutMass, member::Mass, Fault::shared_signature>);
static_assert(lacks<SharedForceNotConst, member::Force, Fault::shared_signature>);

// Optional members with a matching name must have the right signature; otherwise they would be ignored silently.
struct AtNotConst : Shared {
  A at(const Q&, Real) { return {}; }
};
struct MuOfOneArgument : Right {
  Real mu(int) const { return 0; }
};
struct DepthNotConst : Right {
  Real allowed_penetration(int) { return 0; }
};
struct BiasAccelerationWithoutVelocity : Right {
  Real bias_acceleration(int, const Q&, Real) const { return 0; }
};
struct ContactBiasOfTheNormal : Right {
  Real contact_bias_acceleration(int, const Q&, const Q&, Real) const { return 0; }
};
struct FrictionBiasWithoutVelocity : Right {
  Real friction_bias_acceleration(int, const Q&, Real) const { return 0; }
};
struct WrapInPlace : Right {
  void wrap(Q&) const {}
};
struct PeriodNotConst : Right {
  Real period() { return 1; }
};
static_assert(lacks<AtNotConst, member::At>);
static_assert(lacks<MuOfOneArgument, member::Mu>);
static_assert(lacks<DepthNotConst, member::AllowedPenetration>);
static_assert(lacks<BiasAccelerationWithoutVelocity, member::BiasAcceleration>);
static_assert(lacks<ContactBiasOfTheNormal, member::ContactBiasAcceleration>);
static_assert(lacks<FrictionBiasWithoutVelocity, member::FrictionBiasAcceleration>);
static_assert(lacks<WrapInPlace, member::Wrap>);
static_assert(lacks<PeriodNotConst, member::Period>);

// A constant that is not static, a typing error, a function without its count: all would be ignored silently.
struct TangentsNotStatic : Right {
  int tangents = 2;
};
struct ConstantMassNotStatic : Right {
  bool constant_mass = true;
};
struct PatternNotStatic : Right {
  bool mass_pattern(int, int) const { return true; }
};
struct ClosesFive : Right {
  static constexpr int closed_at_once = 5;
};
struct NoRows : Right {
  static constexpr int max_closed = 0;
};
struct DiagonalWithoutTouches : Right {
  static constexpr bool diagonal_mass = true;
};
struct OneTangent : Right {
  static constexpr int tangent = 2;
};
struct FrictionIsANumber : Right {
  static constexpr double friction = 0.3, tangent = 1;
};
static_assert(lacks<TangentsNotStatic, member::Tangents> && lacks<ClosesFive, member::ClosedAtOnce>);
static_assert(lacks<NoRows, member::MaxClosed>);
static_assert(lacks<ConstantMassNotStatic, member::ConstantMass>);
static_assert(lacks<PatternNotStatic, member::MassPattern> && lacks<DiagonalWithoutTouches, member::Touches>);
static_assert(lacks<OneTangent, member::Tangent> && meets<FrictionIsANumber>);

struct Undeclared {
  using Real = ::Real;
  static constexpr int dof = 2, contacts = 0;
  Mass mass(const Q&, Real) const { return Mass::Identity(); }
  Q force(const Q&, const Q&, Real) const { return Q::Zero(); }
};
struct BilateralsUndeclared : Undeclared {
  moreau::Bilateral<Real, 2> bilateral(int, const Q&, Real) const { return {}; }
};
struct FrictionsUndeclared : Undeclared {
  Real friction_bound(int, const Q&, Real) const { return 0; }
};
struct FrictionsOverloaded : Undeclared {
  moreau::FrictionDirections<Real, 2> friction_directions(int, const Q&, Real) const { return {}; }
  moreau::FrictionDirections<Real, 2> friction_directions(int) const { return {}; }
};
struct BilateralsZero : BilateralsUndeclared {
  static constexpr int bilaterals = 0;
};
struct FrictionsZero : FrictionsUndeclared {
  static constexpr int frictions = 0;
};
static_assert(meets<Undeclared> && lacks<BilateralsUndeclared, member::DeclaredBilaterals>);
static_assert(lacks<FrictionsUndeclared, member::DeclaredFrictions> &&
              lacks<FrictionsOverloaded, member::DeclaredFrictions>);
static_assert(meets<BilateralsZero> && meets<FrictionsZero>);

// Expressions refer to objects that no longer exist when they are evaluated.
struct MassIsExpression : Right {
  auto mass(const Q&, Real) const {
    const Mass I = Mass::Identity();
    return 2 * I;
  }
};
struct ForceIsExpression : Right {
  auto force(const Q& q, const Q& u, Real) const { return q + u; }
};
struct WrapIsExpression : Right {
  auto wrap(const Q& q) const { return q.head(2); }
};
struct AtIsExpression : Right {
  auto at(const Q& q, Real) const { return 2 * q; }
};
struct BilateralHasExpression : Right {
  auto bilateral(int, const Q& q, Real) const {
    struct Row {
      decltype(-q) w;
      Real zeta, g;
    };
    return Row{-q, 0, 0};
  }
};
struct FrictionHasExpression : Right {
  auto friction_directions(int, const Q& q, Real) const {
    struct Row {
      decltype(-q) w;
      Real zeta;
    };
    return Row{-q, 0};
  }
};
static_assert(lacks<MassIsExpression, member::Mass, Fault::expression>);
static_assert(lacks<ForceIsExpression, member::Force, Fault::expression>);
static_assert(lacks<WrapIsExpression, member::Wrap, Fault::expression>);
static_assert(lacks<AtIsExpression, member::At, Fault::expression>);
static_assert(lacks<BilateralHasExpression, member::Bilateral, Fault::expression>);
static_assert(lacks<FrictionHasExpression, member::FrictionDirections, Fault::expression>);

// Declared entries: those of one contact, and of any.
struct Patterned : Right {
  static constexpr int contacts = 2;
  static constexpr bool direction_pattern(int i, int row, int j) { return row == 0 && i == j; }
};
static_assert(meets<Patterned>);
template <int contact, int row>
using Entries = moreau::detail::DirectionPattern<Patterned, contact, row>;
static_assert(Entries<0, 0>::entry(0) && !Entries<0, 0>::entry(1) && !Entries<1, 0>::entry(0));
static_assert(Entries<-1, 0>::entry(0) && Entries<-1, 0>::entry(1) && !Entries<-1, 0>::entry(2));
static_assert(!Entries<-1, 1>::entry(0));

// Data members with the name of an optional function are ignored.
struct MuIsANumber : Right {
  Real mu = 0, depth = 0, period = 0, wrap = 0;
};
static_assert(meets<MuIsANumber>);
static_assert(!moreau::detail::Contract<MuIsANumber>::has_mu && !moreau::detail::Contract<MuIsANumber>::has_wrap);

// Old names of member functions are rejected; data members with the name of an old function are not.
struct Deep : member::Renamed<Deep, member::AllowedPenetration> {
  template <class M>
  using old = member::OldFunction<decltype(&M::deep)>;
};
struct DeepModel : Undeclared {
  Real deep(int) const { return 0; }
};
struct BothDepths : DeepModel {
  Real allowed_penetration(int) const { return 0; }
};
struct DeepIsANumber : Undeclared {
  Real deep = 0;
};
static_assert(!Deep::fits<DeepModel>() && Deep::fits<BothDepths>() && Deep::fits<DeepIsANumber>());

}  // namespace

void test_optional_members_are_detected(void) {
  CHECK(moreau::detail::Contract<Right>::has_mu && moreau::detail::Contract<Right>::has_allowed_penetration &&
        moreau::detail::Contract<Right>::has_bias_acceleration);
  CHECK(moreau::detail::Contract<Right>::has_contact_bias && moreau::detail::Contract<Right>::has_friction_bias);
  CHECK(!moreau::detail::Contract<Shared>::has_contact_bias && !moreau::detail::Contract<Shared>::has_friction_bias);
  CHECK(moreau::detail::Contract<Right>::has_wrap && moreau::detail::Contract<Right>::has_period);
  CHECK(!moreau::detail::Contract<Shared>::has_mu && !moreau::detail::Contract<Shared>::has_wrap);
  CHECK(!moreau::detail::Contract<Shared>::has_bias_acceleration && !moreau::detail::Contract<Shared>::has_period);
}

void test_omitted_sizes_have_defaults(void) {
  using T = moreau::Traits<Shared>;
  CHECK_EQUAL(2, +T::dof);
  CHECK_EQUAL(1, +T::contacts);
  CHECK_EQUAL(1, +T::tangents);
  CHECK_EQUAL(0, +T::frictions);
  CHECK_EQUAL(1, +T::friction_dim);
  CHECK_EQUAL(0, +T::bilaterals);
  CHECK(!T::constant_mass);
}

TEST_MAIN({
  TEST(test_optional_members_are_detected);
  TEST(test_omitted_sizes_have_defaults);
})
