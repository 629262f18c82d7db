// Storage of DirectContacts in the stepper (direct_contacts.hpp), and the size limits of the direct solution.
#pragma once

#include "moreau/contact/contact_table.hpp"
#include "moreau/model/state.hpp"
#include "moreau/solve/nested_elimination.hpp"

namespace moreau {
namespace detail {

// True for planar models within the size limits of the direct solution, without drift().
template <class Model>
constexpr bool supports_direct = (!Contract<Model>::has_drift && Traits<Model>::tangents < 2 &&
                                  Traits<Model>::frictions <= most_nested &&
                                  (Traits<Model>::frictions == 0 || Traits<Model>::friction_dim == 1) &&
                                  Traits<Model>::bilaterals <= written_out_rows && Traits<Model>::contacts <= 8 &&
                                  Traits<Model>::dof <= unroll_limit);

// True for models with friction elements or closed_at_once > 2, which are solved by nested elimination
// (nested_contacts.hpp).
template <class Model>
constexpr bool is_nested = Traits<Model>::frictions > 0 || closed_at_once<Model> > 2;

// True if every contact of the model has a slot of its own in NestedContacts.
template <class Model>
constexpr bool has_fixed_slots = (is_nested<Model> && Traits<Model>::contacts <= closed_at_once<Model>);

// Empty storage.
struct NoStorage {};

// True if the directions and law parameters of all contacts are stored. In constant time, functions of the model are
// called with compile-time contact indices only, unless the model declares `uniform_contacts`. The rows of all contacts
// must therefore be stored before two of them are selected. With second_order, a single contact is not stored, because
// the rotation of its directions can require an evaluation of the model at the end of the step.
template <class Model, class Flow>
constexpr bool stores_rows = (Flow::branchless && !uniform_contacts<Model> && !tables_contacts<Model> &&
                              !has_fixed_slots<Model> && (Traits<Model>::contacts > 1 || !Traits<Model>::second_order));

// Storage of DirectContacts in the stepper. It includes the midpoint gaps of second_order, which are accessed with
// run-time indices. As members of DirectContacts, they would prevent the compiler from holding DirectContacts in
// registers, at a cost of 350 instructions on a Cortex-M4F with GCC 12.
template <class Model, class Flow>
struct DirectWorkspace : MidpointGaps<Model> {
  using Real = typename Traits<Model>::Real;
  std::conditional_t<(Traits<Model>::bilaterals > 0), NoStorage, DirectMass<Model>> mass;
  using Stored =
      std::conditional_t<stores_rows<Model, Flow>, StoredContact<Model>[Traits<Model>::contacts + 1], NoStorage>;
  std::conditional_t<tables_contacts<Model>, ContactTable<Model>, Stored> rows;

  // Stores the constant mass or the contact table. Returns false if M is not positive definite or not constant.
  MOREAU_COLD MOREAU_NOINLINE MOREAU_FLATTEN bool keep(const Model& model, const State<Model>& state) {
    const Real t = reduced(model, state.time());
    if constexpr (tables_contacts<Model>)
      return rows.fill(model, state.q, t, mass);
    else
      return mass.factor(Evaluation<Model>(model, state.q, t).mass());
  }
};

}  // namespace detail
}  // namespace moreau
