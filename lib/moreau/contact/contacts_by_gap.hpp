// Rule of the papers for the contacts of one step: contact i is closed if and only if g_N,i(q_M, t_M) <= 0, and
// xi_N = gamma_E + eps gamma_A. Models that declare second_order have another rule with the same interface
// (contact/impact_instants.hpp).
#pragma once

#include "moreau/contact/active_set.hpp"
#include "moreau/math/branching.hpp"
#include "moreau/model/evaluation.hpp"
#include "moreau/model/state.hpp"

namespace moreau {
namespace detail {

// Separation that can result from rounding, in multiples of allowed_penetration(). One multiple exceeds the rounding
// error of a gap; eight are 1.6 % of the clearance of a joint.
constexpr int rounding_depths = 8;

struct NoEnd {};      // placeholder of a step that does not evaluate the model at its end
struct NoChanges {};  // placeholder of a model without second_order, which stores no changes of u

// Gaps at the midpoint and, in constant time, separations that can result from rounding, in m, for models that declare
// second_order. They are read with run-time indices.
template <class Model, bool needed = Traits<Model>::second_order>
struct MidpointGaps {
  Vector<typename Traits<Model>::Real, Traits<Model>::contacts> gap, rounding;
};
template <class Model>
struct MidpointGaps<Model, false> {};

// True if the step evaluates the directions a second time at the end of the step: those of the contacts
// (contact_rotation_from_end), or those of the contacts or the friction elements (rotation_from_end).
template <class Model>
constexpr bool contact_rotation_from_end =
    Traits<Model>::contacts > 0 && !Traits<Model>::constant_directions && !Contract<Model>::has_contact_bias;
template <class Model>
constexpr bool rotation_from_end = contact_rotation_from_end<Model> ||
                                   (Traits<Model>::frictions > 0 && !Contract<Model>::has_friction_bias);

// True if the position correction of DirectContacts extrapolates the gaps from the midpoint.
template <class Model>
constexpr bool extrapolates_gaps = (Traits<Model>::second_order && Contract<Model>::has_contact_bias &&
                                    Traits<Model>::contacts > 0 && Traits<Model>::bilaterals == 0 &&
                                    Traits<Model>::frictions == 0 && closed_at_once<Model> <= 2);

template <class C, class Model>
class ContactsByGap {
 public:
  static constexpr bool at_instants = false;
  ContactsByGap(const State<Model>&, MidpointGaps<Model>&) {}

  // Returns true if contact i is closed at any gap.
  static constexpr auto carried(int) { return C::condition(false); }
  static constexpr auto reaches(const Evaluation<Model>&, int, typename Traits<Model>::Real) {
    return C::condition(false);
  }
  static constexpr void set_gap(const Model&, int, typename Traits<Model>::Real) {}
  static constexpr NoChanges previous() { return {}; }
  template <class Q>
  static constexpr void set_velocity(const Q&) {}
  template <class Q>
  static constexpr void move(Q&) {}
  static constexpr void clear() {}
  static constexpr NoEnd end_of_step(const Model&, const Vector<typename Traits<Model>::Real, Traits<Model>::dof>&) {
    return {};
  }
  static constexpr auto separated(const Model&, int, typename Traits<Model>::Real, typename Traits<Model>::Real) {
    return C::condition(false);
  }
  static void store(State<Model>&) {}
  // Clears the data of second_order in the state. Adaptive runs do not use them.
  static void store(typename C::Condition, State<Model>& state) { static_cast<SmoothMemoryOf<Model>&>(state) = {}; }
};

}  // namespace detail
}  // namespace moreau
