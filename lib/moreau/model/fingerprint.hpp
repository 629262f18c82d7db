// Fingerprint of a model: 32 bits that distinguish the saved states of different models with equal sizes.
//
//   FNV-1a over the sizes of the state, then over
//     identity                                  if the model or the parts list declares this text; otherwise over
//     the name of the struct                    without namespace and template arguments
//     of a mechanism: the name of the list, and the name and the bodies of each part, in the order of parts()
//
// The fingerprint is a compile-time constant and equal for all compilers and machines. Values of parameters do not
// change it. Two different models have equal fingerprints with a probability of 1 in 4e9.
#pragma once

#include <cstdint>

#include "moreau/model/traits.hpp"

namespace moreau {
namespace detail {

// Hash FNV-1a of 32 bits.
struct Fnv1a {
  std::uint32_t value = 0x811C9DC5u;

  constexpr void add_byte(std::uint32_t byte) { value = (value ^ byte) * 0x01000193u; }
  constexpr void add(int number) {
    for (int shift = 0; shift < 32; shift += 8) add_byte((static_cast<std::uint32_t>(number) >> shift) & 0xffu);
  }
  constexpr void add(const char* first, const char* last) {
    for (; first != last; ++first) add_byte(static_cast<unsigned char>(*first));
    add_byte(0);  // "ab", "c" differs from "a", "bc"
  }
};

constexpr const char* end_of(const char* text) {
  while (*text != '\0') ++text;
  return text;
}

constexpr bool in_identifier(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// Text of the compiler that ends with the name of T and a bracket. Namespaces and the text before them differ between
// compilers.
template <class T>
constexpr const char* text_with_name() {
#if defined(__GNUC__)
  return __PRETTY_FUNCTION__;
#else
  return "";
#endif
}

// Adds the name of T without namespace and template arguments.
template <class T>
constexpr void add_name(Fnv1a& hash) {
  const char *first = text_with_name<T>(), *last = end_of(first);
  if (first == last) return;
  --last;  // the closing bracket
  int depth = 0;
  while (last != first && (depth > 0 || last[-1] == '>')) {  // skips the template arguments
    --last;
    depth += (*last == '>') - (*last == '<');
  }
  const char* begin = last;
  while (begin != first && in_identifier(begin[-1])) --begin;
  hash.add(begin, last);
}

template <class Model>
using add_list_in = decltype(Model::List::add_names(std::declval<Fnv1a&>()));

template <class Model>
constexpr std::uint32_t fingerprint_of() {
  using T = Traits<Model>;
  Fnv1a hash;
  for (const int size : {T::dof, T::contacts, T::tangents, T::frictions, T::friction_dim, T::bilaterals})
    hash.add(size);
  if constexpr (detected<member::Identity::value, Model>) {
    hash.add(Model::identity, end_of(Model::identity));
  } else {
    add_name<Model>(hash);
    if constexpr (detected<add_list_in, Model>) Model::List::add_names(hash);
  }
  return hash.value;
}

template <class Model>
inline constexpr std::uint32_t fingerprint = fingerprint_of<Model>();

}  // namespace detail
}  // namespace moreau
