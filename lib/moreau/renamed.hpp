// Former names of functions. A call fails to compile, with a message that gives the current name.
#pragma once

#include <cstddef>

namespace moreau {
namespace detail {

template <class>
inline constexpr bool no = false;  // false, but dependent on a type

}  // namespace detail

template <class Real, std::size_t n>
constexpr void choose(bool, const Real (&)[n], const Real (&)[n]) {
  static_assert(detail::no<Real>, "moreau::choose has been renamed moreau::select");
}

template <class Problem, class... Arguments>
constexpr int weigh(const Problem&, Arguments&&...) {
  static_assert(detail::no<Problem>, "moreau::weigh has been renamed moreau::evaluate");
  return 0;
}

}  // namespace moreau
