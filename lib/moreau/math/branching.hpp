// Conditional assignment with branches or with masks. In a template over the policy Flow, the statement
//
//   if (a < b) c = a; else c = b;
//
// becomes
//
//   c = select<Flow>(Flow::less(a, b), a, b);
//
//   Branching    A condition is a bool. The compiled code contains the if above.
//   Branchless   A condition is a Mask. Both values are computed, and a conditional move selects one of them.
//   Mask         An integer whose sign bit is the truth value.
//
//   condition(c)           converts a bool or a Mask to a condition
//   select(c, a, b)        c ? a : b
//   select_or_zero(c, x)   c ? x : 0
//   assign_if(c, x, a)     if (c) x = a
//   may_exit(c)            c with Branching, false with Branchless; for early exits, if (Flow::may_exit(c)) return x
//   declassify(c)          c as a bool, for the counters of a report; a branch on it does not run in constant time
//   as_bit(c)              1 if c is true, otherwise 0
//
// With Branchless the instruction count does not depend on the data. Both policies apply the same operations to the
// selected values, so their results are bit-identical.
//
// The Mask of a < b is the sign bit of a - b; with gradual underflow this sign is always correct. On Cortex-M4F a
// condition takes 3 instructions as a Mask and 6 as a bool. If an operand is NaN, a Mask is arbitrary and a comparison
// is false. The NaN propagates to the result of the step, where the finiteness test detects it.
//
// assign_if() copies its target to a local variable first. Otherwise the inline assembly would force the target, and
// the object that contains it, into memory.
//
// If the FPU supports the scalar type, assign_if() is a conditional move in inline assembly or intrinsics. GCC compiles
// a plain conditional operator to a branch if one condition selects several numbers. One assign_if() of two numbers
// tests the condition once and takes 4 instructions; two calls take 6.
#pragma once

#include "moreau/math/bits.hpp"
#include "moreau/math/compiler.hpp"
#include "moreau/math/kernels.hpp"

namespace moreau {
namespace detail {

// Truth value of a condition: true if `bits` is negative.
struct Mask {
  std::int32_t bits;

  friend constexpr Mask operator&&(Mask a, Mask b) { return {a.bits & b.bits}; }
  friend constexpr Mask operator||(Mask a, Mask b) { return {a.bits | b.bits}; }
  friend constexpr Mask operator!(Mask a) { return {~a.bits}; }
};

// Returns the sign bit of x as a Mask.
MOREAU_ALWAYS_INLINE Mask sign_of(float x) { return {static_cast<std::int32_t>(to_bits(x))}; }
MOREAU_ALWAYS_INLINE Mask sign_of(double x) { return {static_cast<std::int32_t>(to_bits(x) >> 32)}; }

// Policy with conditions of type bool, with branches and early exits.
struct Branching {
  static constexpr bool branchless = false;
  using Condition = bool;

  static constexpr bool condition(bool c) { return c; }
  static constexpr bool condition(Mask c) { return c.bits < 0; }
  static constexpr bool may_exit(bool c) { return c; }
  static constexpr bool declassify(bool c) { return c; }
  static constexpr unsigned as_bit(bool c) { return c ? 1u : 0u; }

  template <class Real>
  static bool less(Real a, Real b) {
    return a < b;
  }
  template <class Real>
  static bool at_most(Real a, Real b) {  // false for NaN
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
  static void assign_if(bool c, Any& x, const Any& a) {
    if (c) x = a;
  }
  template <class Real>
  static void assign_if(bool c, Real& x, Real a, Real& y, Real b) {
    if (c) {
      x = a;
      y = b;
    }
  }
  // if (p < q) x = a
  template <class Real>
  static void assign_if_less(Real p, Real q, Real& x, Real a) {
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

// Policy with conditions of type Mask, without branches and early exits.
struct Branchless {
  static constexpr bool branchless = true;
  using Condition = Mask;

  static constexpr Mask condition(bool c) { return {-std::int32_t(c)}; }
  static constexpr Mask condition(Mask c) { return c; }
  static constexpr bool may_exit(Mask) { return false; }
  static constexpr bool declassify(Mask c) { return c.bits < 0; }
  static constexpr unsigned as_bit(Mask c) { return unsigned(c.bits) >> 31; }

  template <class Real>
  MOREAU_ALWAYS_INLINE static Mask less(Real a, Real b) {
    return sign_of(a - b);
  }
  template <class Real>
  MOREAU_ALWAYS_INLINE static Mask at_most(Real a, Real b) {
    return !less(b, a);
  }
  template <class Real>
  MOREAU_ALWAYS_INLINE static Mask positive(Real x) {
    return sign_of(Real(0) - x);
  }
  template <class Real>
  MOREAU_ALWAYS_INLINE static Mask negative(Real x) {
    return sign_of(x + Real(0));  // -0 + 0 = +0
  }
  template <class Real>
  MOREAU_ALWAYS_INLINE static Mask finite(Real x) {
    return {static_cast<std::int32_t>(((to_bits(x) & ~sign_bit<Real>)-infinity_bits<Real>) >> (8 * sizeof(Real) - 32))};
  }
  template <class Real, std::enable_if_t<std::is_floating_point_v<Real>, int> = 0>
  MOREAU_ALWAYS_INLINE static void assign_if(Mask c, Real& x, Real a) {
    if constexpr (cpu::has_conditional_move<Real>) {
      Real moved = x;
      cpu::move_if(c.bits, moved, a);
      x = moved;
    } else {
      x = c.bits < 0 ? a : x;
    }
  }
  template <class Real>
  MOREAU_ALWAYS_INLINE static void assign_if(Mask c, Real& x, Real a, Real& y, Real b) {
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
  MOREAU_ALWAYS_INLINE static void assign_if(Mask c, Vector<Real, n>& x, const Vector<Real, n>& a) {
    for_each_index<n>([&](auto j) {
      Real x_j = x.coeff(j);
      assign_if(c, x_j, Real(a.coeff(j)));
      x.coeffRef(j) = x_j;
    });
  }
  template <class Word, std::enable_if_t<std::is_unsigned_v<Word> && sizeof(Word) == 4, int> = 0>
  MOREAU_ALWAYS_INLINE static void assign_if(Mask c, Word& x, Word a) {
    const auto all = static_cast<Word>(c.bits >> 31);
    x = (x & ~all) | (a & all);
  }
  MOREAU_ALWAYS_INLINE static void assign_if(Mask c, std::int64_t& x, std::int64_t a) {
    const std::int64_t all = c.bits >> 31;
    x = (x & ~all) | (a & all);
  }
  MOREAU_ALWAYS_INLINE static void assign_if(Mask c, std::uint8_t& x, std::uint8_t a) {
    const auto all = static_cast<std::uint8_t>(c.bits >> 31);
    x = static_cast<std::uint8_t>((x & ~all) | (a & all));
  }
  // Returns p < q ? a : b, with b if p or q is NaN. A single selection takes one instruction fewer than with a Mask.
  template <class Real>
  MOREAU_ALWAYS_INLINE static Real select_if_less(Real p, Real q, Real a, Real b) {
    if constexpr (cpu::has_conditional_move<Real>) return cpu::move_if_less(p, q, b, a), b;
    return p < q ? a : b;
  }
  template <class Real>
  MOREAU_ALWAYS_INLINE static void assign_if_less(Real p, Real q, Real& x, Real a) {
    x = select_if_less(p, q, a, x);
  }
  template <class Real>
  MOREAU_ALWAYS_INLINE static Real larger(Real a, Real b) {
    return select_if_less(a, b, b, a);
  }
  template <class Real>
  MOREAU_ALWAYS_INLINE static Real smaller(Real a, Real b) {
    return select_if_less(b, a, b, a);
  }
};

// Returns bit i of `bits` as a condition.
template <class Flow>
MOREAU_ALWAYS_INLINE typename Flow::Condition nth_bit(unsigned bits, int i) {
  return Flow::condition(Mask{static_cast<std::int32_t>(bits << (31 - i))});
}

// Calls f(0), ..., f(count - 1) with Branching and f(0), ..., f(n - 1) with Branchless; count <= n. Compile-time
// indices save instructions; a run-time loop saves code size.
template <class Flow, int n, class F>
MOREAU_ALWAYS_INLINE void each([[maybe_unused]] int count, const F& f) {
  if constexpr (Flow::branchless) {
    for_each_index<n>(f);
  } else {
    for (int i = 0; i < count; ++i) f(i);
  }
}

// Returns c ? a : b.
template <class Flow, class Any>
MOREAU_ALWAYS_INLINE Any select(typename Flow::Condition c, const Any& a, Any b) {
  Flow::assign_if(c, b, a);
  return b;
}

// Returns c ? x : 0.
template <class Flow, class Any>
MOREAU_ALWAYS_INLINE Any select_or_zero(typename Flow::Condition c, const Any& x) {
  if constexpr (std::is_floating_point_v<Any>)
    return select<Flow>(c, x, Any(0));
  else
    return select<Flow>(c, x, Any(Any::Zero()));
}

// Returns a / b if b > 0, otherwise 0.
template <class Flow, class Real>
MOREAU_ALWAYS_INLINE Real divide_or_zero(Real a, Real b) {
  const auto there = Flow::positive(b);
  return select_or_zero<Flow>(there, a / select<Flow>(there, b, Real(1)));
}

// Returns -x if the sign bit of `sign` is set, otherwise x.
template <class Real>
MOREAU_ALWAYS_INLINE Real flip_sign(Real sign, Real x) {
  if constexpr (cpu::has_conditional_move<Real>)
    return cpu::negate_if(sign_of(sign).bits, x), x;
  else
    return from_bits<Real>(to_bits(x) ^ (to_bits(sign) & sign_bit<Real>));
}

// Sets sum_j to 0 if abs(sum_j) <= 4 eps magnitudes_j, since such a sum consists of rounding errors. Infinite sums, and
// sums with a NaN magnitude, are unchanged.
template <class Flow, class Real, int n>
MOREAU_ALWAYS_INLINE void clear_cancelled(Vector<Real, n>& sum, const Vector<Real, n>& magnitudes) {
  constexpr Real eps = std::numeric_limits<Real>::epsilon(), per_leftover = (Real(1) - eps) / (Real(4) * eps);
  for_each_index<n>([&](auto j) {
    Real x = sum.coeff(j);
    Flow::assign_if_less(absolute(x) * per_leftover, magnitudes.coeff(j), x, Real(0));
    sum.coeffRef(j) = x;
  });
}

}  // namespace detail
}  // namespace moreau
