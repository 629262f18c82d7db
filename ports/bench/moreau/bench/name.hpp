// Names and units of the variables of a bench at compile time: text of fixed capacity, and the name of a member as the
// compiler spells it.
//
//   spelled<&Motor<double, -1, 0>::torque>()  ->  "torque"      the program names the member once
//
// Works with g++, clang++ and compilers with their front ends; a static_assert rejects all others.
#pragma once

namespace moreau::bench {

struct Name {
  static constexpr int room = 63;
  char text[room + 1] = {};
  int length = 0;
  bool too_long = false;

  constexpr Name() = default;
  constexpr Name(const char* from) { append(from); }

  constexpr void append(const char* from, int count = 1 << 20) {
    for (int i = 0; i < count && from[i] != 0; ++i) {
      if (length == room) {
        too_long = true;
        return;
      }
      text[length++] = from[i];
    }
  }
  constexpr Name with(const char* tail) const {
    Name longer = *this;
    longer.append(tail);
    return longer;
  }
  constexpr bool is(const char* other) const {
    int i = 0;
    while (text[i] != 0 && text[i] == other[i]) ++i;
    return text[i] == other[i];
  }

  // True for identifiers separated by dots, as C, C++ and "structured" names of an FMU allow them.
  constexpr bool well_formed() const {
    bool begins = true;
    for (int i = 0; i < length; ++i) {
      const char c = text[i];
      const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_', digit = c >= '0' && c <= '9';
      if (begins ? !letter : !(letter || digit || c == '.')) return false;
      begins = c == '.';
    }
    return length > 0 && !begins && !too_long;
  }
};

namespace detail {

template <auto entity>
constexpr Name spelled() {
#if defined(__GNUC__) || defined(__clang__)
  const char* text = __PRETTY_FUNCTION__;  // "... [with auto entity = &Motor<double, -1, 0>::torque]"
  int end = 0;
  while (text[end] != 0) ++end;
  while (end > 0 && text[end - 1] != ']') --end;
  --end;
  int begin = end;
  const auto of_a_name = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  while (begin > 0 && of_a_name(text[begin - 1])) --begin;
  Name name;
  name.append(text + begin, end - begin);
  return name;
#else
  static_assert(sizeof(char) == 0, "bench: this compiler does not provide the names of members: use g++ or clang++");
  return Name{};
#endif
}

}  // namespace detail
}  // namespace moreau::bench
