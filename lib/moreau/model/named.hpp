// Optional members by name: a model that has a function called `wrap` means it. If it cannot be called as the contract
// says (const forgotten, another type of argument), that is a mistake to be told and not a member to be passed over.
//
// Data of the same name do not count: many models keep a number `mu`. Nor do overloads: which one is meant is unclear.
#pragma once

#include <type_traits>

namespace moreau {
namespace detail {

template <class M, class = void>
struct NamesAt : std::false_type {};
template <class M>
struct NamesAt<M, std::void_t<decltype(&M::at)>> : std::is_member_function_pointer<decltype(&M::at)> {};

template <class M, class = void>
struct NamesMu : std::false_type {};
template <class M>
struct NamesMu<M, std::void_t<decltype(&M::mu)>> : std::is_member_function_pointer<decltype(&M::mu)> {};

template <class M, class = void>
struct NamesDepth : std::false_type {};
template <class M>
struct NamesDepth<M, std::void_t<decltype(&M::depth)>> : std::is_member_function_pointer<decltype(&M::depth)> {};

template <class M, class = void>
struct NamesBend : std::false_type {};
template <class M>
struct NamesBend<M, std::void_t<decltype(&M::bend)>> : std::is_member_function_pointer<decltype(&M::bend)> {};

template <class M, class = void>
struct NamesWrap : std::false_type {};
template <class M>
struct NamesWrap<M, std::void_t<decltype(&M::wrap)>> : std::is_member_function_pointer<decltype(&M::wrap)> {};

template <class M, class = void>
struct NamesPeriod : std::false_type {};
template <class M>
struct NamesPeriod<M, std::void_t<decltype(&M::period)>> : std::is_member_function_pointer<decltype(&M::period)> {};

}  // namespace detail
}  // namespace moreau
