// Selection of the kind of contacts (midpoint.hpp) for a model, solver and timing.
//
//   First      DirectContacts for solvers that start with the direct solution, in either timing;
//              MaskedContacts for Sweeps, Psor and Newton in constant time
//   fallback   ActiveContacts with the solver and its workspace, if First rejects a step or does not exist
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

namespace moreau {

// Default solver of a stepper.
template <class Model>
using default_solver =
    std::conditional_t<Traits<Model>::tangents == 2 ||
                           (Traits<Model>::frictions > 0 && Traits<Model>::friction_dim == 2) ||
                           (Traits<Model>::contacts > 16),
                       Psor, std::conditional_t<(Traits<Model>::contacts > 8), Cascade<Psor, Lemke>, Exact>>;

namespace detail {

// True for solvers that start with the direct solution of one or two contacts.
template <class Solver>
constexpr bool starts_direct = false;
template <>
inline constexpr bool starts_direct<Exact> = true;
template <>
inline constexpr bool starts_direct<ClosedForms> = true;
template <class First, class... Rest>
inline constexpr bool starts_direct<Cascade<First, Rest...>> = starts_direct<First>;

// Kinds of contacts and storage of a stepper.
template <class Model, class Solver, bool constant, bool met = RequireModel<Model>::met>
struct ContactsFor {
  using Flow = std::conditional_t<(constant && Traits<Model>::contacts > 0), Branchless, Branching>;
  static constexpr bool keeps_workspace = !std::is_same_v<Solver, ClosedForms>;
  static constexpr bool has_direct = starts_direct<Solver> && supports_direct<Model>;
  static constexpr bool has_all = constant && solves_all<Solver>;
  static constexpr bool has_first = has_direct || has_all;
  static constexpr int closed_in_constant_time =
      has_all || Traits<Model>::contacts == 0 ? Traits<Model>::contacts : closed_at_once<Model>;
  static constexpr bool has_rest =
      keeps_workspace || (has_direct && Traits<Model>::contacts > 0 && Traits<Model>::bilaterals == 0);

  using First = std::conditional_t<has_all, MaskedContacts<Model, Solver>, DirectContacts<Model, Flow>>;
  using DirectStorage = std::conditional_t<has_direct, DirectWorkspace<Model, Flow>, NoStorage>;
  using Work = std::conditional_t<keeps_workspace, StepWorkspace<Model, Solver>, NoStorage>;
};

// Placeholder for models that violate the contract; RequireModel has reported the violation.
template <class Model, class Solver, bool constant>
struct ContactsFor<Model, Solver, constant, false> {
  static constexpr bool keeps_workspace = true, has_direct = false, has_all = false, has_first = true, has_rest = true;
  static constexpr int closed_in_constant_time = 0;
  using DirectStorage = NoStorage;
  using Work = NoStorage;
};

}  // namespace detail
}  // namespace moreau
