// Which kinds of contacts (midpoint.hpp) a stepper drives the step with: the only place that tells solvers apart.
//
//   First   tried first: DirectContacts for solvers that solve few planar contacts in closed form, in either timing;
//           MaskedContacts for the prox sweeps and Newton in constant time
//   Rest    for what First leaves, or for every step: ActiveContacts with the solver and its workspace, which a stepper
//           with ClosedForms does not keep
//
// The solver a stepper takes when none is named: planar friction up to 8 contacts Exact, up to 16 prox iteration with
// Lemke behind it, above that and in space the prox iteration alone.
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

// The solver of a stepper where none is named.
template <class Model>
using default_solver =
    std::conditional_t<Traits<Model>::tangents == 2 ||
                           (Traits<Model>::frictions > 0 && Traits<Model>::friction_dim == 2) ||
                           (Traits<Model>::contacts > 16),
                       Psor, std::conditional_t<(Traits<Model>::contacts > 8), Cascade<Psor, Lemke>, Exact>>;

namespace detail {

// Solvers that begin with the closed forms of few contacts. Lemke and Psor are what their names say, and nothing else.
template <class Solver>
constexpr bool tries_few_first = false;
template <>
inline constexpr bool tries_few_first<Exact> = true;
template <>
inline constexpr bool tries_few_first<ClosedForms> = true;
template <class First, class... Rest>
inline constexpr bool tries_few_first<Cascade<First, Rest...>> = tries_few_first<First>;

template <class Model, class Solver, bool constant, bool met = RequireModel<Model>::met>
struct ContactsFor {
  using Flow = std::conditional_t<(constant && Traits<Model>::contacts > 0), Branchless, Branching>;
  static constexpr bool keeps_workspace = !std::is_same_v<Solver, ClosedForms>;
  static constexpr bool has_few = tries_few_first<Solver> && has_few_contacts<Model>;
  static constexpr bool has_all = constant && solves_all<Solver>;
  static constexpr bool has_first = has_few || has_all;
  static constexpr int closed_in_constant_time =
      has_all || Traits<Model>::contacts == 0 ? Traits<Model>::contacts : closed_at_once<Model>;
  static constexpr bool has_rest =
      keeps_workspace || (has_few && Traits<Model>::contacts > 0 && Traits<Model>::bilaterals == 0);

  using First = std::conditional_t<has_all, MaskedContacts<Model, Solver>, DirectContacts<Model, Flow>>;
  using Few = std::conditional_t<has_few, DirectWorkspace<Model, Flow>, Nothing>;
  using Work = std::conditional_t<keeps_workspace, StepWorkspace<Model, Solver>, Nothing>;
};

// A model that breaks the contract has been told so.
template <class Model, class Solver, bool constant>
struct ContactsFor<Model, Solver, constant, false> {
  static constexpr bool keeps_workspace = true, has_few = false, has_all = false, has_first = true, has_rest = true;
  static constexpr int closed_in_constant_time = 0;
  using Few = Nothing;
  using Work = Nothing;
};

}  // namespace detail
}  // namespace moreau
