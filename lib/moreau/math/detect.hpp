// Optional members of a user's type, detected at compile time. A missing member is a result, not an error.
//
//   template <class M> using dof_of = decltype(Int<int(M::dof)>());
//   template <class M, class... X> using gap_of = decltype(const_object<M>().gap(std::declval<X>()...));
//
//   detected<dof_of, M>           is the alias valid for M?
//   value_or<dof_of, M, 1>        its value, or 1 if it is not valid
//   Detected<gap_of, M, int>      the type it names, or Missing
//   yields<Real, gap_of, M, int>  is it valid, and exactly Real?
//
// The alias of a constant is a decltype. In it a member that is no constant (`int dof = 2;`) makes the alias invalid; in
// a plain Int<int(M::dof)> it is an error of g++.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

namespace moreau {
namespace detail {

struct Missing {};

template <class Void, template <class...> class Op, class... Args>
struct Detector {
  static constexpr bool found = false;
  using type = Missing;
};
template <template <class...> class Op, class... Args>
struct Detector<std::void_t<Op<Args...>>, Op, Args...> {
  static constexpr bool found = true;
  using type = Op<Args...>;
};

template <template <class...> class Op, class... Args>
inline constexpr bool detected = Detector<void, Op, Args...>::found;

template <template <class...> class Op, class... Args>
using Detected = typename Detector<void, Op, Args...>::type;

template <class Expected, template <class...> class Op, class... Args>
inline constexpr bool yields = std::is_same_v<Detected<Op, Args...>, Expected>;

// The type that the alias of a constant names.
template <int value>
using Int = std::integral_constant<int, value>;
template <bool value>
using Bool = std::bool_constant<value>;

template <template <class...> class Op, class M, auto fallback>
inline constexpr auto value_or =
    std::conditional_t<detected<Op, M>, Detected<Op, M>, std::integral_constant<decltype(fallback), fallback>>::value;

// True if `template <class M> using pointer = decltype(&M::gap)` is a member function: exactly one of that name,
// whatever its arguments. Data of that name do not count.
template <template <class...> class Pointer, class M>
inline constexpr bool names_function = std::is_member_function_pointer_v<Detected<Pointer, M>>;

template <class... T>
struct TypeList {};

template <class M>
const M& const_object();  // std::declval of a const M

}  // namespace detail
}  // namespace moreau
