// Compile-time detection of optional members of a user's type. A missing member does not cause a compile error.
//
//   template <class M> using dof_of = decltype(Int<int(M::dof)>());
//   template <class M, class... X> using gap_of = decltype(const_object<M>().gap(std::declval<X>()...));
//
//   detected<dof_of, M>           true if the alias is valid for M
//   value_or<dof_of, M, 1>        the value of the constant, or 1 if the alias is invalid
//   Detected<gap_of, M, int>      the type of the alias, or Missing
//   yields<Real, gap_of, M, int>  true if the alias is valid and its type is exactly Real
//
// The alias of a constant requires decltype. With decltype, a non-constant member (`int dof = 2;`) makes the alias
// invalid. With a plain Int<int(M::dof)>, g++ reports a compile error for this member.
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

// Result types of the aliases of constants.
template <int value>
using Int = std::integral_constant<int, value>;
template <bool value>
using Bool = std::bool_constant<value>;

template <template <class...> class Op, class M, auto fallback>
inline constexpr auto value_or =
    std::conditional_t<detected<Op, M>, Detected<Op, M>, std::integral_constant<decltype(fallback), fallback>>::value;

// True if `template <class M> using pointer = decltype(&M::gap)` is a pointer to a member function. This requires
// exactly one function of that name, with any arguments. Overloads and data members give false.
template <template <class...> class Pointer, class M>
inline constexpr bool names_function = std::is_member_function_pointer_v<Detected<Pointer, M>>;

template <class... T>
struct TypeList {};

// Counterpart of std::declval for a const M; declared only.
template <class M>
const M& const_object();

}  // namespace detail
}  // namespace moreau
