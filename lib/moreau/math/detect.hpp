// Optional members of a user's type, found at compile time; a member that is not there is an answer and no error.
//
//   template <class M> using dof_of = Int<int(M::dof)>;     // an alias that exists for some M only
//   template <class M, class... X> using gap_of = decltype(const_object<M>().gap(std::declval<X>()...));
//
//   detected<dof_of, M>           does the alias exist?
//   value_or<dof_of, M, 1>        its value, or 1 where it does not exist
//   Detected<gap_of, M, int>      the type it stands for, Missing where it does not exist
//   yields<Real, gap_of, M, int>  does it exist, and is it exactly Real?
//
// With `using dof_of = Constant<sizeof(char[origin + int(M::dof)])>` a member that is there and is no constant (`int dof
// = 2;`) is not found; with Int<int(M::dof)> it is an error of g++.
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

// What an alias of a constant names.
template <int value>
using Int = std::integral_constant<int, value>;
template <bool value>
using Bool = std::bool_constant<value>;

inline constexpr int origin = 1 << 20;
template <std::size_t length>
using Constant = Int<int(length) - origin>;

template <template <class...> class Op, class M, auto fallback>
inline constexpr auto value_or =
    std::conditional_t<detected<Op, M>, Detected<Op, M>, std::integral_constant<decltype(fallback), fallback>>::value;

// With `template <class M> using pointer = decltype(&M::gap)`: a member function of that name, one and not several,
// whether or not it can be called as wanted. Data do not count.
template <template <class...> class Pointer, class M>
inline constexpr bool names_function = std::is_member_function_pointer_v<Detected<Pointer, M>>;

template <class M>
const M& const_object();  // std::declval of what a library holds of a user: a const object

}  // namespace detail
}  // namespace moreau
