// Conditions and choices without a branch, for steps whose instruction count must not depend on the data.
//
// A condition is an integer whose sign bit is the truth: a < b is the sign of a - b (exact, with gradual underflow).
// Against comparisons and bools that saves 3 of 6 instructions per condition on Cortex-M4F. A NaN makes a condition
// arbitrary; it stays in the result, where a step finds it.
//
// Where an FPU computes the scalar, choices are conditional moves that no compiler can turn into a branch (GCC does,
// where one condition chooses several numbers). Several choices by one condition share its test: overwrite() with two
// numbers is 4 instructions, twice choose() would be 6.
#pragma once

#include <cstdint>

#include "moreau/math/bits.hpp"
#include "moreau/math/kernels.hpp"

namespace moreau {

using Mask = std::int32_t;  // true where negative

[[gnu::always_inline]] inline Mask sign_of(float x) { return static_cast<Mask>(to_bits(x)); }
[[gnu::always_inline]] inline Mask sign_of(double x) { return static_cast<Mask>(to_bits(x) >> 32); }

template <class Real>
[[gnu::always_inline]] inline Mask less(Real a, Real b) {
  return sign_of(a - b);
}
template <class Real>
[[gnu::always_inline]] inline Mask positive(Real x) {
  return sign_of(Real(0) - x);
}

#if defined(__GNUC__) && defined(__arm__) && defined(__ARM_FP) && !defined(__SOFTFP__)
template <class Real>
constexpr bool has_conditional_move = sizeof(Real) == 4 || (__ARM_FP & 8) != 0;
namespace detail {

[[gnu::always_inline]] inline void move_if(Mask c, float& x, float a) {
  asm("cmp %2, #0\n\tit lt\n\tvmovlt.f32 %0, %1" : "+t"(x) : "t"(a), "r"(c) : "cc");
}
[[gnu::always_inline]] inline void move_if(Mask c, float& x, float a, float& y, float b) {
  asm("cmp %4, #0\n\titt lt\n\tvmovlt.f32 %0, %2\n\tvmovlt.f32 %1, %3"
      : "+&t"(x), "+&t"(y)
      : "t"(a), "t"(b), "r"(c)
      : "cc");
}
[[gnu::always_inline]] inline void raise(float& x, float a) {  // to a, where that is larger
  asm("vcmpe.f32 %0, %1\n\tvmrs APSR_nzcv, fpscr\n\tit mi\n\tvmovmi.f32 %0, %1" : "+t"(x) : "t"(a) : "cc");
}
[[gnu::always_inline]] inline void lower(float& x, float a) {  // to a, where that is smaller
  asm("vcmpe.f32 %1, %0\n\tvmrs APSR_nzcv, fpscr\n\tit mi\n\tvmovmi.f32 %0, %1" : "+t"(x) : "t"(a) : "cc");
}
[[gnu::always_inline]] inline void move_if(Mask c, double& x, double a) {
  asm("cmp %2, #0\n\tit lt\n\tvmovlt.f64 %P0, %P1" : "+w"(x) : "w"(a), "r"(c) : "cc");
}
[[gnu::always_inline]] inline void move_if(Mask c, double& x, double a, double& y, double b) {
  asm("cmp %4, #0\n\titt lt\n\tvmovlt.f64 %P0, %P2\n\tvmovlt.f64 %P1, %P3"
      : "+&w"(x), "+&w"(y)
      : "w"(a), "w"(b), "r"(c)
      : "cc");
}
[[gnu::always_inline]] inline void raise(double& x, double a) {
  asm("vcmpe.f64 %P0, %P1\n\tvmrs APSR_nzcv, fpscr\n\tit mi\n\tvmovmi.f64 %P0, %P1" : "+w"(x) : "w"(a) : "cc");
}
[[gnu::always_inline]] inline void lower(double& x, double a) {
  asm("vcmpe.f64 %P1, %P0\n\tvmrs APSR_nzcv, fpscr\n\tit mi\n\tvmovmi.f64 %P0, %P1" : "+w"(x) : "w"(a) : "cc");
}

}  // namespace detail
#else
template <class Real>
constexpr bool has_conditional_move = false;
namespace detail {
template <class... Any>
void move_if(Any&&...);
template <class... Any>
void raise(Any&&...);
template <class... Any>
void lower(Any&&...);
}  // namespace detail
#endif

// x = condition ? a : x
template <class Real>
[[gnu::always_inline]] inline void overwrite(Mask condition, Real& x, Real a) {
  if constexpr (has_conditional_move<Real>)
    detail::move_if(condition, x, a);
  else
    x = condition < 0 ? a : x;
}
// x = condition ? a : x,   y = condition ? b : y
template <class Real>
[[gnu::always_inline]] inline void overwrite(Mask condition, Real& x, Real a, Real& y, Real b) {
  if constexpr (has_conditional_move<Real>) {
    detail::move_if(condition, x, a, y, b);
  } else {
    x = condition < 0 ? a : x;
    y = condition < 0 ? b : y;
  }
}
// condition ? a : b
template <class Real>
[[gnu::always_inline]] inline Real choose(Mask condition, Real a, Real b) {
  overwrite(condition, b, a);
  return b;
}
// The same as larger().
template <class Real>
[[gnu::always_inline]] inline Real masked_larger(Real a, Real b) {
  if constexpr (has_conditional_move<Real>)
    detail::raise(a, b);
  else
    a = a < b ? b : a;
  return a;
}
// The same as smaller().
template <class Real>
[[gnu::always_inline]] inline Real masked_smaller(Real a, Real b) {
  if constexpr (has_conditional_move<Real>)
    detail::lower(a, b);
  else
    a = b < a ? b : a;
  return a;
}

}  // namespace moreau
