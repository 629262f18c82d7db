// Decisions, written once for steps that branch and for steps whose instruction count must not depend on the data.
//
// A formula is a template over Choice:
//
//   Branch   a condition is a bool;  && and || jump;  leave(c) is c: a formula ends where its answer is known
//   Select   a condition is a SignMask;  both sides are computed, choose() moves;  leave(c) is false: it goes on to its end
//
// Both do the same operations on the numbers that count, so they give the same bits.
//
// A SignMask is an integer whose sign bit is the truth: a < b is the sign of a - b (exact, with gradual underflow). Against
// comparisons and bools that saves 3 of 6 instructions per condition on Cortex-M4F. A NaN makes a SignMask arbitrary and a
// comparison false: it stays in the result, where the step finds it in a sum.
//
// A move works on a local copy: what assembly writes into a member of an object would stay in memory, and with it the object.
//
// Where an FPU computes the scalar, choices are conditional moves that no compiler can turn into a branch (GCC does,
// where one condition chooses several numbers). Several choices by one condition share its test: overwrite() with two
// numbers is 4 instructions, twice choose() would be 6.
#pragma once

#include "moreau/math/bits.hpp"
#include "moreau/math/compiler.hpp"
#include "moreau/math/kernels.hpp"

namespace moreau {
namespace detail {

struct SignMask {
  std::int32_t bits;  // true where negative

  friend constexpr SignMask operator&&(SignMask a, SignMask b) { return {a.bits & b.bits}; }
  friend constexpr SignMask operator||(SignMask a, SignMask b) { return {a.bits | b.bits}; }
  friend constexpr SignMask operator!(SignMask a) { return {~a.bits}; }
};

MOREAU_ALWAYS_INLINE SignMask sign_of(float x) { return {static_cast<std::int32_t>(to_bits(x))}; }
MOREAU_ALWAYS_INLINE SignMask sign_of(double x) { return {static_cast<std::int32_t>(to_bits(x) >> 32)}; }

struct Branch {
  static constexpr bool selects = false;
  using Condition = bool;

  static constexpr bool of(bool c) { return c; }
  static constexpr bool of(SignMask c) { return c.bits < 0; }
  static constexpr bool leave(bool c) { return c; }
  static constexpr bool jump(bool c) { return c; }
  static constexpr unsigned bit(bool c) { return c ? 1u : 0u; }

  template <class Real>
  static bool less(Real a, Real b) {
    return a < b;
  }
  template <class Real>
  static bool at_most(Real a, Real b) {  // of a NaN: no
    return a <= b;
  }
  template <class Real>
  static bool positive(Real x) {
    return x > Real(0);
  }
  template <class Real>
  static bool negative(Real x) {
    return x < Real(0);
  }
  template <class Real>
  static bool finite(Real x) {
    return finite_probe(x) == Real(0);
  }
  template <class Any>
  static void overwrite(bool c, Any& x, const Any& a) {
    if (c) x = a;
  }
  template <class Real>
  static void overwrite(bool c, Real& x, Real a, Real& y, Real b) {
    if (c) {
      x = a;
      y = b;
    }
  }
  // x = a where p < q
  template <class Real>
  static void overwrite_if_less(Real p, Real q, Real& x, Real a) {
    if (p < q) x = a;
  }
  template <class Real>
  static Real larger(Real a, Real b) {
    return a < b ? b : a;
  }
  template <class Real>
  static Real smaller(Real a, Real b) {
    return b < a ? b : a;
  }
};

struct Select {
  static constexpr bool selects = true;
  using Condition = SignMask;

  static constexpr SignMask of(bool c) { return {-std::int32_t(c)}; }
  static constexpr SignMask of(SignMask c) { return c; }
  static constexpr bool leave(SignMask) { return false; }
  static constexpr bool jump(SignMask c) { return c.bits < 0; }  // leaves constant time: for what a report counts
  static constexpr unsigned bit(SignMask c) { return unsigned(c.bits) >> 31; }

  template <class Real>
  MOREAU_ALWAYS_INLINE static SignMask less(Real a, Real b) {
    return sign_of(a - b);
  }
  template <class Real>
  MOREAU_ALWAYS_INLINE static SignMask at_most(Real a, Real b) {
    return !less(b, a);
  }
  template <class Real>
  MOREAU_ALWAYS_INLINE static SignMask positive(Real x) {
    return sign_of(Real(0) - x);
  }
  template <class Real>
  MOREAU_ALWAYS_INLINE static SignMask negative(Real x) {
    return sign_of(x + Real(0));  // -0 + 0 = +0
  }
  template <class Real>
  MOREAU_ALWAYS_INLINE static SignMask finite(Real x) {
    return {static_cast<std::int32_t>(((to_bits(x) & ~sign_bit<Real>)-infinity_bits<Real>) >> (8 * sizeof(Real) - 32))};
  }
  template <class Real, std::enable_if_t<std::is_floating_point_v<Real>, int> = 0>
  MOREAU_ALWAYS_INLINE static void overwrite(SignMask c, Real& x, Real a) {
    if constexpr (cpu::has_conditional_move<Real>) {
      Real moved = x;
      cpu::move_if(c.bits, moved, a);
      x = moved;
    } else {
      x = c.bits < 0 ? a : x;
    }
  }
  template <class Real>
  MOREAU_ALWAYS_INLINE static void overwrite(SignMask c, Real& x, Real a, Real& y, Real b) {
    if constexpr (cpu::has_conditional_move<Real>) {
      Real moved_x = x, moved_y = y;
      cpu::move_if(c.bits, moved_x, a, moved_y, b);
      x = moved_x;
      y = moved_y;
    } else {
      x = c.bits < 0 ? a : x;
      y = c.bits < 0 ? b : y;
    }
  }
  template <class Real, int n>
  MOREAU_ALWAYS_INLINE static void overwrite(SignMask c, Vector<Real, n>& x, const Vector<Real, n>& a) {
    for_each_index<n>([&](auto j) {
      Real x_j = x.coeff(j);
      overwrite(c, x_j, Real(a.coeff(j)));
      x.coeffRef(j) = x_j;
    });
  }
  template <class Word, std::enable_if_t<std::is_unsigned_v<Word> && sizeof(Word) == 4, int> = 0>
  MOREAU_ALWAYS_INLINE static void overwrite(SignMask c, Word& x, Word a) {
    const auto all = static_cast<Word>(c.bits >> 31);
    x = (x & ~all) | (a & all);
  }
  MOREAU_ALWAYS_INLINE static void overwrite(SignMask c, std::int64_t& x, std::int64_t a) {
    const std::int64_t all = c.bits >> 31;
    x = (x & ~all) | (a & all);
  }
  MOREAU_ALWAYS_INLINE static void overwrite(SignMask c, std::uint8_t& x, std::uint8_t a) {
    const auto all = static_cast<std::uint8_t>(c.bits >> 31);
    x = static_cast<std::uint8_t>((x & ~all) | (a & all));
  }
  // p < q ? a : b, also of a NaN. For a condition that nothing else asks for: an instruction less than by a mask.
  template <class Real>
  MOREAU_ALWAYS_INLINE static Real if_less(Real p, Real q, Real a, Real b) {
    if constexpr (cpu::has_conditional_move<Real>) return cpu::move_if_less(p, q, b, a), b;
    return p < q ? a : b;
  }
  template <class Real>
  MOREAU_ALWAYS_INLINE static void overwrite_if_less(Real p, Real q, Real& x, Real a) {
    x = if_less(p, q, a, x);
  }
  template <class Real>
  MOREAU_ALWAYS_INLINE static Real larger(Real a, Real b) {
    return if_less(a, b, b, a);
  }
  template <class Real>
  MOREAU_ALWAYS_INLINE static Real smaller(Real a, Real b) {
    return if_less(b, a, b, a);
  }
};

// Bit i of bits.
template <class Choice>
MOREAU_ALWAYS_INLINE typename Choice::Condition bit_of(unsigned bits, int i) {
  return Choice::of(SignMask{static_cast<std::int32_t>(bits << (31 - i))});
}

// f(0), ..., f(count - 1) of at most n, or of all n: constant indices save instructions, one loop saves text.
template <class Choice, int n, class F>
MOREAU_ALWAYS_INLINE void each([[maybe_unused]] int count, const F& f) {
  if constexpr (Choice::selects) {
    for_each_index<n>(f);
  } else {
    for (int i = 0; i < count; ++i) f(i);
  }
}

// c ? a : b
template <class Choice, class Any>
MOREAU_ALWAYS_INLINE Any choose(typename Choice::Condition c, const Any& a, Any b) {
  Choice::overwrite(c, b, a);
  return b;
}

// c ? x : 0
template <class Choice, class Any>
MOREAU_ALWAYS_INLINE Any only_if(typename Choice::Condition c, const Any& x) {
  if constexpr (std::is_floating_point_v<Any>)
    return choose<Choice>(c, x, Any(0));
  else
    return choose<Choice>(c, x, Any(Any::Zero()));
}

// a / b where b > 0, 0 elsewhere.
template <class Choice, class Real>
MOREAU_ALWAYS_INLINE Real over_positive(Real a, Real b) {
  const auto there = Choice::positive(b);
  return only_if<Choice>(there, a / choose<Choice>(there, b, Real(1)));
}

// x, or -x where `sign` has its sign bit set.
template <class Real>
MOREAU_ALWAYS_INLINE Real negated_with(Real sign, Real x) {
  if constexpr (cpu::has_conditional_move<Real>)
    return cpu::negate_if(sign_of(sign).bits, x), x;
  else
    return from_bits<Real>(to_bits(x) ^ (to_bits(sign) & sign_bit<Real>));
}

// Sets sum_j to 0 where abs(sum_j) <= 4 eps magnitudes_j: what is left is cancellation noise. Written so that an infinity
// stays, and a number whose magnitude is none.
template <class Choice, class Real, int n>
MOREAU_ALWAYS_INLINE void clear_cancelled(Vector<Real, n>& sum, const Vector<Real, n>& magnitudes) {
  constexpr Real eps = std::numeric_limits<Real>::epsilon(), per_leftover = (Real(1) - eps) / (Real(4) * eps);
  for_each_index<n>([&](auto j) {
    Real x = sum.coeff(j);
    Choice::overwrite_if_less(absolute(x) * per_leftover, magnitudes.coeff(j), x, Real(0));
    sum.coeffRef(j) = x;
  });
}

}  // namespace detail
}  // namespace moreau
