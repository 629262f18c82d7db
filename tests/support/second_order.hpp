// The same model with steps of first and of second order (contact/impact_instants.hpp).
#pragma once

namespace test {

// Model or parts list without `second_order`.
template <class Base>
using First = Base;
// Model or parts list that declares `second_order`.
template <class Base>
struct Second : Base {
  static constexpr bool second_order = true;
  Second() = default;
  explicit Second(const Base& base) : Base(base) {}
};

// Model or parts list that also declares `predicted_gaps` (contact/predicted_gaps.hpp).
template <class Base>
struct Predicted : Second<Base> {
  static constexpr bool predicted_gaps = true;
  using Second<Base>::Second;
};

}  // namespace test
