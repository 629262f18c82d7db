// Part of a mechanism to which the cause and the index of a report refer.
//
//   const auto report = machine.step(dt);
//   const auto joint = part_of(machine.model, report.cause, report.index);   // position in parts(), row, bodies
//
// The indices of contacts, rows of ideal joints and friction rows count over all parts, in the order of parts(). The
// same indices are used in StepReport, StartReport, CloseReport::row and the findings of the checks.
#pragma once

#include "moreau/mechanism/parts_list.hpp"
#include "moreau/model/status.hpp"

namespace moreau {

// Part of a mechanism that owns a contact, a row of an ideal joint or a friction row.
struct PartOf {
  int part = -1;                         // position in parts(); -1: none
  int row = 0;                           // number of the contact or row within the part
  int body_A = ground, body_B = ground;  // bodies of the part
};

// Returns the part to which a cause and its index refer. The index denotes a contact (for example with Cause::gap), a
// row of the ideal joints (Cause::bilateral), a friction row (Cause::friction_bound) or a part (Cause::part).
template <class Model, class List = typename Model::List>
PartOf part_of(const Model& model, Cause cause, int index) {
  PartOf owner;
  List::for_each(model, [&](auto i, const auto& part) {
    using Part = std::decay_t<decltype(part)>;
    int first = i, rows = 0;
    switch (cause) {
      case Cause::part:
        rows = 1;
        break;
      case Cause::gap:
      case Cause::directions:
      case Cause::law:
      case Cause::allowed_penetration:
        first = List::template rows_before<detail::contacts_in, i>;
        rows = List::template rows_before<detail::contacts_in, i + 1> - first;
        break;
      case Cause::bilateral:
        first = List::template rows_before<detail::bilaterals_in, i>;
        rows = List::template rows_before<detail::bilaterals_in, i + 1> - first;
        break;
      case Cause::friction_bound:
      case Cause::friction_directions:
        first = List::template rows_before<detail::frictions_in, i>;
        rows = List::template rows_before<detail::frictions_in, i + 1> - first;
        break;
      default:
        break;
    }
    if (index >= first && index < first + rows)
      owner = {i, index - first, detail::value_or<detail::body_A_in, Part, ground>,
               detail::value_or<detail::body_B_in, Part, ground>};
  });
  return owner;
}

}  // namespace moreau
