// Constants of a model: detection, defaults and compile-time checks. Traits<Model> provides their values. lib/MODEL.md
// describes each constant. All constants of a model are static and constexpr.
//
// One struct per constant:
//
//   value        the alias that detects the constant (math/detect.hpp)
//   name         an alias that is valid for any member of that name, static or not
//   fits         false: the model does not compile (model/require.hpp)
//   Sentence     the compiler message
//
// A wrong pattern gives wrong results: the step treats entries outside the pattern as zero and ignores the values of
// the model. The model checker (check/structure_checker.hpp) compares pattern and entries.
#pragma once

#include "moreau/math/detect.hpp"

namespace moreau {
template <class Model>
struct Traits;

namespace detail {

// Reason for a failed check.
//
//   signature          wrong signature
//   shared_signature   wrong signature in a model that shares terms (model/contract.hpp)
//   expression         the result is an Eigen expression, which refers to objects whose lifetime has ended
enum class Fault { none, signature, shared_signature, expression };

namespace member {

// clang-format off
struct Member {
  template <class M> static constexpr Fault reason() { return Fault::signature; }
};

template <class Self, int fallback = 0> struct Constant : Member {
  // Returns the value, or the default.
  template <class M> static constexpr int of() { return value_or<Self::template value, M, fallback>; }
  // Returns false if the member is declared but not constant (`int tangents = 2;`). Such a member would be ignored
  // without a message.
  template <class M> static constexpr bool fits() { return detected<Self::template value, M> || !detected<Self::template name, M>; }
  template <class M> static constexpr bool within(int least, int most) { return fits<M>() && of<M>() >= least && of<M>() <= most; }
};

struct Scalar : Constant<Scalar> {
  template <class M> using type = typename M::Real;
  template <class M> static constexpr bool fits() { return yields<float, type, M> || yields<double, type, M>; }
  template <Fault fault> struct Sentence { static_assert(fault == Fault::none, "Model needs: using Real = float;   // or double: the scalar of the model"); };
};
struct Dof : Constant<Dof, 1> {
  template <class M> using value = decltype(Int<int(M::dof)>());
  template <class M> static constexpr bool fits() { return detected<value, M> && of<M>() >= 1; }
  template <Fault fault> struct Sentence { static_assert(fault == Fault::none, "Model needs: static constexpr int dof = ...;   // degrees of freedom, at least 1"); };
};
struct Contacts : Constant<Contacts> {
  template <class M> using value = decltype(Int<int(M::contacts)>());
  template <class M> static constexpr bool fits() { return detected<value, M> && of<M>() >= 0; }
  template <Fault fault> struct Sentence { static_assert(fault == Fault::none, "Model needs: static constexpr int contacts = ...;   // possible contacts, 0 or more"); };
};
struct Tangents : Constant<Tangents, 1> {
  template <class M> using value = decltype(Int<int(M::tangents)>());
  template <class M> using name = decltype(M::tangents);
  template <class M> static constexpr bool fits() { return within<M>(0, 2); }
  template <Fault fault> struct Sentence { static_assert(fault == Fault::none, "Model needs: static constexpr int tangents = 0, 1 or 2;   // frictionless, planar, spatial"); };
};
struct Frictions : Constant<Frictions> {
  template <class M> using value = decltype(Int<int(M::frictions)>());
  template <class M> using name = decltype(M::frictions);
  template <class M> static constexpr bool fits() { return Constant::fits<M>() && of<M>() >= 0; }
  template <Fault fault> struct Sentence { static_assert(fault == Fault::none, "Model needs: static constexpr int frictions = ...;   // 0 or more, with friction_dim 1 or 2"); };
};
struct FrictionDim : Constant<FrictionDim, 1> {
  template <class M> using value = decltype(Int<int(M::friction_dim)>());
  template <class M> using name = decltype(M::friction_dim);
  template <class M> static constexpr bool fits() { return within<M>(1, 2); }
  template <Fault fault> using Sentence = Frictions::Sentence<fault>;
};
struct Bilaterals : Constant<Bilaterals> {
  template <class M> using value = decltype(Int<int(M::bilaterals)>());
  template <class M> using name = decltype(M::bilaterals);
  template <class M> static constexpr bool fits() { return within<M>(0, Dof::of<M>()); }
  template <Fault fault> struct Sentence { static_assert(fault == Fault::none, "Model needs: static constexpr int bilaterals = ...;   // ideal joint rows, 0 to dof"); };
};
struct Projections : Constant<Projections, 1> {
  template <class M> using value = decltype(Int<int(M::projections)>());
  template <class M> using name = decltype(M::projections);
  template <class M> static constexpr bool fits() { return Constant::fits<M>() && of<M>() >= 0; }
  template <Fault fault> struct Sentence { static_assert(fault == Fault::none, "Model needs: static constexpr int projections = ...;   // rounds of the position projection; or no projections at all"); };
};
struct ClosedAtOnce : Constant<ClosedAtOnce, 2> {
  template <class M> using value = decltype(Int<int(M::closed_at_once)>());
  template <class M> using name = decltype(M::closed_at_once);
  template <class M> static constexpr bool fits() { return within<M>(1, 4); }
  template <Fault fault> struct Sentence { static_assert(fault == Fault::none, "Model needs: static constexpr int closed_at_once = 1, 2, 3 or 4;   // closed contacts that the direct solution covers; or no closed_at_once at all"); };
};
struct MaxClosed : Constant<MaxClosed> {
  template <class M> using value = decltype(Int<int(M::max_closed)>());
  template <class M> using name = decltype(M::max_closed);
  template <class M> static constexpr bool fits() { return !detected<name, M> || within<M>(1, Contacts::of<M>()); }
  template <Fault fault> struct Sentence { static_assert(fault == Fault::none, "Model needs: static constexpr int max_closed = ...;   // contacts that have rows in constant time, 1 to contacts; or no max_closed at all"); };
};
struct ConstantMass : Constant<ConstantMass> {
  template <class M> using value = decltype(Int<int(M::constant_mass)>());
  template <class M> using name = decltype(M::constant_mass);
  template <Fault fault> struct Sentence { static_assert(fault == Fault::none, "Model needs: static constexpr bool constant_mass = true;   // M never changes; or no constant_mass at all"); };
};
struct DiagonalMass : Constant<DiagonalMass> {
  template <class M> using value = decltype(Int<int(M::diagonal_mass)>());
  template <class M> using name = decltype(M::diagonal_mass);
  template <Fault fault> struct Sentence { static_assert(fault == Fault::none, "Model needs: static constexpr bool diagonal_mass = true;   // with touches(row, coordinate); or no diagonal_mass at all"); };
};
struct SymmetricSteps : Constant<SymmetricSteps> {
  template <class M> using value = decltype(Int<int(M::symmetric_steps)>());
  template <class M> using name = decltype(M::symmetric_steps);
  template <Fault fault> struct Sentence { static_assert(fault == Fault::none, "Model needs: static constexpr bool symmetric_steps = true;   // steps without contacts are time-symmetric; or no symmetric_steps at all"); };
};
struct UniformContacts : Constant<UniformContacts> {
  template <class M> using value = decltype(Int<int(M::uniform_contacts)>());
  template <class M> using name = decltype(M::uniform_contacts);
  template <Fault fault> struct Sentence { static_assert(fault == Fault::none, "Model needs: static constexpr bool uniform_contacts = true;   // every contact costs the same; or no uniform_contacts at all"); };
};
struct MassPattern : Constant<MassPattern> {
  template <class M> using value = decltype(Int<int(M::mass_pattern(0, 0))>());
  template <class M> using name = decltype(&M::mass_pattern);
  template <Fault fault> struct Sentence { static_assert(fault == Fault::none, "Model needs: static constexpr bool mass_pattern(int i, int j);   // false: M(i, j) is always 0; or no mass_pattern at all"); };
};
struct DirectionPattern : Constant<DirectionPattern> {
  template <class M> using value = decltype(Int<int(M::direction_pattern(0, 0, 0))>());
  template <class M> using name = decltype(&M::direction_pattern);
  template <class M> static constexpr bool fits() { return Contacts::of<M>() == 0 || Constant::fits<M>(); }
  template <Fault fault> struct Sentence { static_assert(fault == Fault::none, "Model needs: static constexpr bool direction_pattern(int contact, int row, int j);   // false: entry j is always 0; or no direction_pattern at all"); };
};
struct Touches : Constant<Touches> {
  template <class M> using value = decltype(Int<int(M::touches(0, 0))>());
  template <class M> static constexpr bool fits() { return DiagonalMass::of<M>() == 0 || Bilaterals::of<M>() == 0 || detected<value, M>; }
  template <Fault fault> struct Sentence { static_assert(fault == Fault::none, "Model needs: static constexpr bool touches(int row, int j);   // false: entry j of a bilateral row is always 0; diagonal_mass needs it"); };
};
struct PredictedForce : Constant<PredictedForce> {
  template <class M> using value = decltype(Int<int(M::predicted_force)>());
  template <class M> using name = decltype(M::predicted_force);
  template <Fault fault> struct Sentence { static_assert(fault == Fault::none, "Model needs: static constexpr bool predicted_force = true;   // force at a predicted midpoint velocity; or no predicted_force at all"); };
};
struct SecondOrder : Constant<SecondOrder> {
  template <class M> using value = decltype(Int<int(M::second_order)>());
  template <class M> using name = decltype(M::second_order);
  template <Fault fault> struct Sentence { static_assert(fault == Fault::none, "Model needs: static constexpr bool second_order = true;   // impacts at their instants; or no second_order at all"); };
};
struct PredictedGaps : Constant<PredictedGaps> {
  template <class M> using value = decltype(Int<int(M::predicted_gaps)>());
  template <class M> using name = decltype(M::predicted_gaps);
  template <class M> static constexpr bool fits() { return Constant::fits<M>() && (of<M>() == 0 || SecondOrder::of<M>() != 0); }
  template <Fault fault> struct Sentence { static_assert(fault == Fault::none, "Model needs: static constexpr bool predicted_gaps = true;   // with second_order: contacts that close before the end of the step; or no predicted_gaps at all"); };
};
struct ConstantDirections : Constant<ConstantDirections> {
  template <class M> using value = decltype(Int<int(M::constant_directions)>());
  template <class M> using name = decltype(M::constant_directions);
  template <Fault fault> struct Sentence { static_assert(fault == Fault::none, "Model needs: static constexpr bool constant_directions = true;   // w and zeta of contacts never change; or no constant_directions at all"); };
};
struct Identity : Constant<Identity> {
  template <class M> using value = decltype(Int<int(M::identity[0])>());
  template <class M> using name = decltype(M::identity);
  template <Fault fault> struct Sentence { static_assert(fault == Fault::none, "Model needs: static constexpr const char* identity = ...;   // distinguishes its saved states; or no identity at all"); };
};
// clang-format on

}  // namespace member
}  // namespace detail

// Constants of a model, with defaults for those that the model does not declare.
template <class Model>
struct Traits {
  // Scalar of the model. Without Real, it is double and the check fails.
  using Real = std::conditional_t<detail::detected<detail::member::Scalar::type, Model>,
                                  detail::Detected<detail::member::Scalar::type, Model>, double>;
  // Degrees of freedom, at least 1.
  static constexpr int dof = detail::member::Dof::of<Model>();
  // Number of possible contacts, at least 0; default 0.
  static constexpr int contacts = detail::member::Contacts::of<Model>();
  // Tangential directions per contact: 0 frictionless, 1 planar (default), 2 spatial.
  static constexpr int tangents = detail::member::Tangents::of<Model>();
  // Number of friction elements, at least 0; default 0.
  static constexpr int frictions = detail::member::Frictions::of<Model>();
  // Dimension of a friction element, 1 (default) or 2.
  static constexpr int friction_dim = detail::member::FrictionDim::of<Model>();
  // Number of bilateral rows of ideal joints, 0 (default) to dof.
  static constexpr int bilaterals = detail::member::Bilaterals::of<Model>();
  // Number of position projections per step; default 1.
  static constexpr int projections = detail::member::Projections::of<Model>();
  // True if M is constant; default false.
  static constexpr bool constant_mass = detail::member::ConstantMass::of<Model>() != 0;
  // True if w and zeta of all contacts are constant; default false.
  static constexpr bool constant_directions = detail::member::ConstantDirections::of<Model>() != 0;
  // True if M is diagonal; default false. A model with bilateral rows must then declare touches().
  static constexpr bool diagonal_mass = detail::member::DiagonalMass::of<Model>() != 0;
  // True if steps without contacts are time-symmetric; adaptive runs then extrapolate in dt^2. Default false.
  static constexpr bool symmetric_steps = detail::member::SymmetricSteps::of<Model>() != 0;
  // True if impacts act at their instants within a step; default false.
  static constexpr bool second_order = detail::member::SecondOrder::of<Model>() != 0;
  // True if contacts close by the gap predicted for the end of the step; default false.
  static constexpr bool predicted_gaps = detail::member::PredictedGaps::of<Model>() != 0;
  // True if `force` is evaluated at a predicted velocity of the midpoint: always with second_order, otherwise default
  // false.
  static constexpr bool predicted_force = second_order || detail::member::PredictedForce::of<Model>() != 0;
};

namespace detail {

// Returns the largest number of closed contacts that the direct solution covers: 1, 2 (default), 3 or 4; at most all
// contacts.
template <class Model>
constexpr int closed_contacts() {
  const int most = member::ClosedAtOnce::of<Model>();
  return most < Traits<Model>::contacts ? most : (Traits<Model>::contacts < 1 ? 1 : Traits<Model>::contacts);
}
template <class Model>
constexpr int closed_at_once = closed_contacts<Model>();

// True if the model declares max_closed.
template <class Model>
constexpr bool declares_max_closed = detected<member::MaxClosed::value, Model>;
// Number of contacts that have rows in constant time with Sweeps, Psor and Newton; default all contacts.
template <class Model>
constexpr int max_closed = declares_max_closed<Model> ? member::MaxClosed::of<Model>() : Traits<Model>::contacts;

// True if `directions`, `law` and `mu` have the same cost for every contact; default false.
template <class Model>
constexpr bool uniform_contacts = member::UniformContacts::of<Model>() != 0;

// Entries of M that can differ from 0.
template <class Model>
struct MassPattern {
  static constexpr int n = Traits<Model>::dof;
  static constexpr bool declared = detected<member::MassPattern::value, Model>;
  static constexpr bool entry([[maybe_unused]] int i, [[maybe_unused]] int j) {
    if constexpr (declared)
      return Model::mass_pattern(i, j);
    else
      return true;
  }
};

// Entries of one direction of one contact that can differ from 0, as a table, because compilers do not always evaluate
// a function of the model at compile time. For contact = -1, an entry is included if it can differ from 0 for any
// contact.
template <class Model, int contact, int row>
struct DirectionPattern {
  static constexpr bool declared = detected<member::DirectionPattern::value, Model>;
  static constexpr bool entry([[maybe_unused]] int j) {
    if constexpr (declared)
      return table.at[j];
    else
      return true;
  }

 private:
  static constexpr int last = Traits<Model>::dof;  // entry `last` is zeta
  struct Table {
    bool at[last + 1] = {};
  };
  static constexpr Table make() {
    Table t;
    for (int i = 0; i < Traits<Model>::contacts; ++i)
      for (int j = 0; (contact < 0 || i == contact) && j <= last; ++j)
        t.at[j] = t.at[j] || Model::direction_pattern(i, row, j);
    return t;
  }
  static constexpr Table table = make();
};

}  // namespace detail
}  // namespace moreau
