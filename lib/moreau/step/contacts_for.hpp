// Selection of the contact container (midpoint.hpp) for a model, solver and timing mode.
//
//   First      DirectContacts or NestedContacts for solvers that begin with the direct solution;
//              MaskedContacts for Sweeps, Psor and Newton in constant time
//   fallback   ActiveContacts with the solver and its workspace, if First rejects a step or is absent
//
// A stepper with ClosedForms has no workspace; its fallback runs on the stack.
//
// Default solver:
//
//   planar, up to 8 contacts    Exact
//   planar, up to 16 contacts   Psor, followed by Lemke
//   all other models            Psor
#pragma once

#include "moreau/model/traits.hpp"
#include "moreau/solve/cascade.hpp"
#include "moreau/solve/closed_forms.hpp"
#include "moreau/solve/exact.hpp"
#include "moreau/solve/psor.hpp"
#include "moreau/step/active_contacts.hpp"
#include "moreau/step/direct_contacts.hpp"
#include "moreau/step/masked_contacts.hpp"
#include "moreau/step/nested_contacts.hpp"

namespace moreau {

// Default solver of a stepper.
template <class Model>
using default_solver =
    std::conditional_t<Traits<Model>::tangents == 2 ||
                           (Traits<Model>::frictions > 0 && Traits<Model>::friction_dim == 2) ||
                           (Traits<Model>::contacts > 16),
                       Psor, std::conditional_t<(Traits<Model>::contacts > 8), Cascade<Psor, Lemke>, Exact>>;

namespace detail {

// True unless T is NoStorage, the placeholder for an absent contact container or workspace.
template <class T>
constexpr bool exists = !std::is_same_v<T, NoStorage>;

// Contact containers and storage of a stepper.
template <class Model, class Solver, bool constant, bool met = RequireModel<Model>::met>
struct ContactsFor {
  using Flow =
      std::conditional_t<(constant && Traits<Model>::contacts + Traits<Model>::frictions > 0), Branchless, Branching>;
  static constexpr bool masked = constant && solves_all<Solver>;
  static constexpr bool direct = starts_direct<Solver> && supports_direct<Model>;
  static constexpr int closed_in_constant_time = masked                         ? max_closed<Model>
                                                 : Traits<Model>::contacts == 0 ? 0
                                                                                : closed_at_once<Model>;

  using Direct = std::conditional_t<is_nested<Model>, NestedContacts<Model, Flow>, DirectContacts<Model, Flow>>;
  using First =
      std::conditional_t<masked, MaskedContacts<Model, Solver>, std::conditional_t<direct, Direct, NoStorage>>;
  using DirectStorage = std::conditional_t<direct, DirectWorkspace<Model, Flow>, NoStorage>;
  using Work = std::conditional_t<std::is_same_v<Solver, ClosedForms>, NoStorage, StepWorkspace<Model, Solver>>;

  // ClosedForms supports only models of the direct solution without ideal joints, because its fallback on the stack has
  // no storage for joints.
  static constexpr bool supports_fallback =
      exists<Work> || (direct && Traits<Model>::contacts > 0 && Traits<Model>::bilaterals == 0);
};

// Placeholder for models that violate the contract; RequireModel has reported the violation.
template <class Model, class Solver, bool constant>
struct ContactsFor<Model, Solver, constant, false> {
  using Flow = Branching;
  static constexpr bool direct = false, masked = false, supports_fallback = true;
  static constexpr int closed_in_constant_time = 0;
  using First = Model;  // any complete type; not used
  using DirectStorage = NoStorage;
  using Work = StepWorkspace<Model, Solver>*;
};

}  // namespace detail
}  // namespace moreau
