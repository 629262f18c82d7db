// Switches that tests/mutation/mutate.py inserts into a copy of lib/: each numbered switch selects between an
// expression and its changed form. The environment variable MOREAU_MUTANT closes one switch when the program starts. A
// program that ends without an error writes the numbers of the switches that it has executed to the file
// MOREAU_REACHED. Expressions evaluated by the compiler are not changed.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <type_traits>

namespace mutation {

struct Switches {
  static constexpr int most = 8192;
  int closed = -1;
  unsigned char reached[most] = {};  // 1: it could be closed; 2: the change would not compile here

  Switches() {
    if (const char* number = std::getenv("MOREAU_MUTANT")) closed = std::atoi(number);
  }
  Switches(const Switches&) = delete;
  ~Switches() {
    const char* path = std::getenv("MOREAU_REACHED");
    std::FILE* file = path ? std::fopen(path, "w") : nullptr;
    if (!file) return;
    for (int i = 0; i < most; ++i)
      if (reached[i]) std::fprintf(file, "%d %d\n", i, int(reached[i]));
    std::fclose(file);
  }
  bool ask(int number, unsigned char answer) {
    if (reached[number] < answer) reached[number] = answer;
    return closed == number;
  }
};
inline Switches switches;

constexpr bool on(int number) {
  if (__builtin_is_constant_evaluated()) return false;
  return switches.ask(number, 1);
}
constexpr void refuse(int number) {
  if (!__builtin_is_constant_evaluated()) switches.ask(number, 2);
}

// Value of an expression; of an Eigen expression, a matrix.
template <class T, class = void>
struct ValueOf {
  using type = std::decay_t<T>;
};
template <class T>
struct ValueOf<T, std::void_t<typename std::decay_t<T>::PlainObject>> {
  using type = typename std::decay_t<T>::PlainObject;
};
template <class T>
using Value = typename ValueOf<T>::type;

// a + b with a change: a + Other<17, std::minus<>>() + b. All operators equal the original one, so the precedence
// is unchanged.
template <int number, class Changed>
struct Other {};
template <class A>
struct Left {
  const A& a;

  template <class Original, class B>
  constexpr auto with(Original original, const B& b) const {
    return Value<decltype(original(a, b))>(original(a, b));
  }
};
template <int number, class Changed, class A, class Rest>
struct Switched {  // Rest: the operation while the switch is open
  const A& a;
  Rest rest;

  template <class Original, class B>
  constexpr auto with(Original original, const B& b) const {
    using Result = Value<decltype(original(a, b))>;
    if constexpr (std::is_invocable_v<Changed, const A&, const B&>) {
      if (on(number)) return Result(Changed()(a, b));
    } else {
      refuse(number);
    }
    return Result(rest.with(original, b));
  }
};
#define MOREAU_MUTATION_OPERATOR(op, Original)                                                      \
  template <int number, class Changed, class A>                                                     \
  constexpr Switched<number, Changed, A, Left<A>> operator op(const A& a, Other<number, Changed>) { \
    return {a, {a}};                                                                                \
  }                                                                                                 \
  template <int before, class Before, class A, class Rest, int number, class Changed>               \
  constexpr auto operator op(Switched<before, Before, A, Rest> left, Other<number, Changed>) {      \
    return Switched<number, Changed, A, Switched<before, Before, A, Rest>>{left.a, left};           \
  }                                                                                                 \
  template <int number, class Changed, class A, class Rest, class B>                                \
  constexpr auto operator op(Switched<number, Changed, A, Rest> left, const B& b) {                 \
    return left.with(Original(), b);                                                                \
  }
MOREAU_MUTATION_OPERATOR(+, std::plus<>)
MOREAU_MUTATION_OPERATOR(-, std::minus<>)
MOREAU_MUTATION_OPERATOR(*, std::multiplies<>)
MOREAU_MUTATION_OPERATOR(/, std::divides<>)
MOREAU_MUTATION_OPERATOR(<, std::less<>)
MOREAU_MUTATION_OPERATOR(<=, std::less_equal<>)
MOREAU_MUTATION_OPERATOR(>, std::greater<>)
MOREAU_MUTATION_OPERATOR(>=, std::greater_equal<>)
MOREAU_MUTATION_OPERATOR(==, std::equal_to<>)
MOREAU_MUTATION_OPERATOR(!=, std::not_equal_to<>)
MOREAU_MUTATION_OPERATOR(|, std::bit_or<>)
MOREAU_MUTATION_OPERATOR(&, std::bit_and<>)
#undef MOREAU_MUTATION_OPERATOR

// x += E with a change: x += Negated<17>() += E. The inner assignment applies to all of E.
template <int number>
struct Negated {};
template <int number, class B>
constexpr auto operator+=(Negated<number>, const B& b) {
  using Result = Value<decltype(-b)>;
  return on(number) ? Result(-b) : Result(b);
}
template <int number, class B>
constexpr auto operator-=(Negated<number> sign, const B& b) {
  return sign += b;
}

// if (E): if (Not<17>() ^= E)
template <int number>
struct Not {};
template <int number, class B>
constexpr bool operator^=(Not<number>, const B& b) {
  return on(number) != static_cast<bool>(b);
}

// -x: Minus<17>()->*x; ++i: Increment<17>()->*i. ->* has nearly the precedence of a prefix sign.
template <int number>
struct Minus {};
template <int number, class B>
constexpr auto operator->*(Minus<number>, const B& b) {
  using Result = Value<decltype(-b)>;
  return on(number) ? Result(b) : Result(-b);
}
template <int number>
struct Increment {};
template <int number, class B>
constexpr B& operator->*(Increment<number>, B& b) {
  return on(number) ? --b : ++b;
}

}  // namespace mutation
