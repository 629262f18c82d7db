// Everything the library takes from a compiler or a machine beyond C++17: attributes, pragmas, builtins, intrinsics,
// inline assembly. The rest of lib/ is plain C++.
//
// g++, clang++ and armclang (__GNUC__) have all of it. Elsewhere, and under MOREAU_NO_EXTENSIONS, attributes and
// pragmas are empty and functions are plain C++ with the same value: bits do not depend on this header, instruction
// counts do. A build may define each attribute itself, e.g. -DMOREAU_FLATTEN= for builds that are not for speed.
#pragma once

#include <cstdint>
#include <cstring>

#if defined(__GNUC__) && !defined(MOREAU_NO_EXTENSIONS)
#define MOREAU_GNU 1
#else
#define MOREAU_GNU 0
#endif
#if MOREAU_GNU && defined(__arm__) && defined(__ARM_FP) && !defined(__SOFTFP__)
#define MOREAU_ARM_FPU __ARM_FP  // 4: float, 8: double, 12: both
#else
#define MOREAU_ARM_FPU 0
#endif
#if MOREAU_GNU && defined(__SSE2__)
#include <emmintrin.h>
#endif

// ---- attributes, each in front of a declaration --------------------------------------------------------------------
#ifndef MOREAU_ALWAYS_INLINE  // takes the place of the word inline
#if MOREAU_GNU
#define MOREAU_ALWAYS_INLINE [[gnu::always_inline]] inline
#else
#define MOREAU_ALWAYS_INLINE inline
#endif
#endif
#ifndef MOREAU_FLATTEN  // every call inside is inlined
#if MOREAU_GNU
#define MOREAU_FLATTEN [[gnu::flatten]]
#else
#define MOREAU_FLATTEN
#endif
#endif
#ifndef MOREAU_NOINLINE  // its text and its stack stay out of its callers
#if MOREAU_GNU
#define MOREAU_NOINLINE [[gnu::noinline]]
#else
#define MOREAU_NOINLINE
#endif
#endif
#ifndef MOREAU_COLD  // seldom runs
#if MOREAU_GNU
#define MOREAU_COLD [[gnu::cold]]
#else
#define MOREAU_COLD
#endif
#endif

// ---- pragmas: between these a name may hide another, or a list leave members out -----------------------
#if MOREAU_GNU
#define MOREAU_SHADOWING_BEGIN _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wshadow\"")
#define MOREAU_SHADOWING_END _Pragma("GCC diagnostic pop")
#define MOREAU_FEWER_BRACES_BEGIN                                                                   \
  _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wmissing-field-initializers\"") \
      _Pragma("GCC diagnostic ignored \"-Wmissing-braces\"")
#define MOREAU_FEWER_BRACES_END _Pragma("GCC diagnostic pop")
#else
#define MOREAU_SHADOWING_BEGIN
#define MOREAU_SHADOWING_END
#define MOREAU_FEWER_BRACES_BEGIN
#define MOREAU_FEWER_BRACES_END
#endif

namespace moreau::detail::cpu {

// Zero bits below the lowest one of x; x != 0.
MOREAU_ALWAYS_INLINE int count_trailing_zeros(std::uint32_t x) {
#if MOREAU_GNU
  return __builtin_ctz(x);
#else
  int zeros = 0;
  for (int half = 16; half > 0; half /= 2) {
    const bool empty = (x & ((std::uint32_t{1} << half) - 1)) == 0;
    zeros += empty ? half : 0;
    x >>= empty ? half : 0;
  }
  return zeros;
#endif
}

// A sum that tells words apart: rotated before each is added. Of `words` words at `bytes`: eight of them by one load
// (Cortex-M4: 24 instructions and cycles for 17 words, 33 and more by one load each).
MOREAU_ALWAYS_INLINE std::uint32_t rotated_sum(std::uint32_t sum, std::uint32_t word) {
  return (sum >> 5 | sum << 27) + word;
}
template <int words>
MOREAU_ALWAYS_INLINE std::uint32_t rotated_sum(std::uint32_t sum, const unsigned char* bytes) {
#if MOREAU_GNU && defined(__thumb2__)
  if constexpr (words >= 8) {
    const unsigned char* next = bytes;
    asm("ldmia %1!, {r2, r3, r4, r5, r6, r8, r12, lr}\n\t"
        "add %0, r2, %0, ror #5\n\tadd %0, r3, %0, ror #5\n\tadd %0, r4, %0, ror #5\n\tadd %0, r5, %0, ror #5\n\t"
        "add %0, r6, %0, ror #5\n\tadd %0, r8, %0, ror #5\n\tadd %0, r12, %0, ror #5\n\tadd %0, lr, %0, ror #5"
        : "+r"(sum), "+r"(next)
        : "m"(*reinterpret_cast<const unsigned char(*)[32]>(bytes))
        : "r2", "r3", "r4", "r5", "r6", "r8", "r12", "lr");
    return rotated_sum<words - 8>(sum, next);
  }
#endif
  if constexpr (words == 0) {
    return sum;
  } else {
    std::uint32_t word;
    std::memcpy(&word, bytes, 4);
    return rotated_sum<words - 1>(rotated_sum(sum, word), bytes + 4);
  }
}

// |x|, never a call of libm.
#if MOREAU_GNU
MOREAU_ALWAYS_INLINE float absolute(float x) { return __builtin_fabsf(x); }
MOREAU_ALWAYS_INLINE double absolute(double x) { return __builtin_fabs(x); }
#else
inline float absolute(float x) {
  std::uint32_t bits;
  std::memcpy(&bits, &x, sizeof x);
  bits &= ~(std::uint32_t{1} << 31);
  std::memcpy(&x, &bits, sizeof x);
  return x;
}
inline double absolute(double x) {
  std::uint64_t bits;
  std::memcpy(&bits, &x, sizeof x);
  bits &= ~(std::uint64_t{1} << 63);
  std::memcpy(&x, &bits, sizeof x);
  return x;
}
#endif

// The computation of an object that is never read stays: for measurements. Plain C++ has no such promise.
template <class T>
MOREAU_ALWAYS_INLINE void keep([[maybe_unused]] const T& object) {
#if MOREAU_GNU
  asm("" : : "g"(&object) : "memory");
#endif
}

// True where the compiler has computed the condition.
MOREAU_ALWAYS_INLINE bool is_known([[maybe_unused]] bool condition) {
#if MOREAU_GNU
  return __builtin_constant_p(condition);
#else
  return false;
#endif
}

// Where has_sqrt<Real>: root = sqrt(x), correctly rounded, one instruction. (Builtins add a call for errno.)
// Where has_conditional_move<Real>, without a branch that a compiler could put back:
//   move_if(c, x, a): x = a where c < 0;   move_if_less(p, q, x, a): x = a where p < q;
//   negate_if(c, x): x = -x where c < 0.
template <class Real>
constexpr bool has_conditional_move = false;
#if MOREAU_GNU && defined(__SSE2__)
template <>
inline constexpr bool has_conditional_move<float> = true;
template <>
inline constexpr bool has_conditional_move<double> = true;
#else
template <>
inline constexpr bool has_conditional_move<float> = (MOREAU_ARM_FPU & 4) != 0;
template <>
inline constexpr bool has_conditional_move<double> = (MOREAU_ARM_FPU & 8) != 0;
#endif
#if MOREAU_GNU && (defined(__SSE2__) || defined(__aarch64__))
template <class Real>
constexpr bool has_sqrt = true;
#else
template <class Real>
constexpr bool has_sqrt = has_conditional_move<Real>;
#endif
template <class... Any>
void set_sqrt(Any&&...) = delete;
template <class... Any>
void move_if(Any&&...) = delete;
template <class... Any>
void move_if_less(Any&&...) = delete;
template <class... Any>
void negate_if(Any&&...) = delete;

#if MOREAU_GNU && defined(__SSE2__)
inline void set_sqrt(float& root, float x) { root = _mm_cvtss_f32(_mm_sqrt_ss(_mm_set_ss(x))); }
inline void set_sqrt(double& root, double x) { root = _mm_cvtsd_f64(_mm_sqrt_sd(_mm_set_sd(x), _mm_set_sd(x))); }
// SSE2 has no conditional move of a float: x is masked out and a is masked in. The sign of c is all ones or zero; to the
// compiler it is any number, or it would find the condition again and jump.
MOREAU_ALWAYS_INLINE __m128i ones_where_negative(std::int32_t c) {
  c >>= 31;
  asm("" : "+r"(c));
  const __m128i low = _mm_cvtsi32_si128(c);
  return _mm_unpacklo_epi32(low, low);
}
MOREAU_ALWAYS_INLINE void move_where(__m128 ones, float& x, float a) {
  x = _mm_cvtss_f32(_mm_or_ps(_mm_and_ps(ones, _mm_set_ss(a)), _mm_andnot_ps(ones, _mm_set_ss(x))));
}
MOREAU_ALWAYS_INLINE void move_where(__m128d ones, double& x, double a) {
  x = _mm_cvtsd_f64(_mm_or_pd(_mm_and_pd(ones, _mm_set_sd(a)), _mm_andnot_pd(ones, _mm_set_sd(x))));
}
MOREAU_ALWAYS_INLINE void move_if(std::int32_t c, float& x, float a) {
  move_where(_mm_castsi128_ps(ones_where_negative(c)), x, a);
}
MOREAU_ALWAYS_INLINE void move_if(std::int32_t c, double& x, double a) {
  move_where(_mm_castsi128_pd(ones_where_negative(c)), x, a);
}
MOREAU_ALWAYS_INLINE void move_if(std::int32_t c, float& x, float a, float& y, float b) {
  const __m128 ones = _mm_castsi128_ps(ones_where_negative(c));
  move_where(ones, x, a);
  move_where(ones, y, b);
}
MOREAU_ALWAYS_INLINE void move_if(std::int32_t c, double& x, double a, double& y, double b) {
  const __m128d ones = _mm_castsi128_pd(ones_where_negative(c));
  move_where(ones, x, a);
  move_where(ones, y, b);
}
MOREAU_ALWAYS_INLINE void move_if_less(float p, float q, float& x, float a) {
  move_where(_mm_cmplt_ss(_mm_set_ss(p), _mm_set_ss(q)), x, a);
}
MOREAU_ALWAYS_INLINE void move_if_less(double p, double q, double& x, double a) {
  move_where(_mm_cmplt_sd(_mm_set_sd(p), _mm_set_sd(q)), x, a);
}
MOREAU_ALWAYS_INLINE void negate_if(std::int32_t c, float& x) {
  x = _mm_cvtss_f32(_mm_xor_ps(_mm_set_ss(x), _mm_and_ps(_mm_castsi128_ps(ones_where_negative(c)), _mm_set_ss(-0.0f))));
}
MOREAU_ALWAYS_INLINE void negate_if(std::int32_t c, double& x) {
  x = _mm_cvtsd_f64(_mm_xor_pd(_mm_set_sd(x), _mm_and_pd(_mm_castsi128_pd(ones_where_negative(c)), _mm_set_sd(-0.0))));
}
#elif MOREAU_GNU && defined(__aarch64__)
inline void set_sqrt(float& root, float x) { asm("fsqrt %s0, %s1" : "=w"(root) : "w"(x)); }
inline void set_sqrt(double& root, double x) { asm("fsqrt %d0, %d1" : "=w"(root) : "w"(x)); }
#endif
#if MOREAU_ARM_FPU && defined(__clang__)  // a comparison and the move of its flags stay together there
#define MOREAU_FLAGS_OF_FPU "cc"
#elif MOREAU_ARM_FPU  // g++ may move one of its own away from its comparison, across this one
#define MOREAU_FLAGS_OF_FPU "cc", "vfpcc"
#endif
#if MOREAU_ARM_FPU & 4
inline void set_sqrt(float& root, float x) { asm("vsqrt.f32 %0, %1" : "=t"(root) : "t"(x)); }
MOREAU_ALWAYS_INLINE void move_if(std::int32_t c, float& x, float a) {
  asm("cmp %2, #0\n\tit lt\n\tvmovlt.f32 %0, %1" : "+t"(x) : "t"(a), "r"(c) : "cc");
}
MOREAU_ALWAYS_INLINE void move_if(std::int32_t c, float& x, float a, float& y, float b) {
  asm("cmp %4, #0\n\titt lt\n\tvmovlt.f32 %0, %2\n\tvmovlt.f32 %1, %3"
      : "+&t"(x), "+&t"(y)
      : "t"(a), "t"(b), "r"(c)
      : "cc");
}
MOREAU_ALWAYS_INLINE void move_if_less(float p, float q, float& x, float a) {
  asm("vcmpe.f32 %1, %2\n\tvmrs APSR_nzcv, fpscr\n\tit mi\n\tvmovmi.f32 %0, %3"
      : "+t"(x)
      : "t"(p), "t"(q), "t"(a)
      : MOREAU_FLAGS_OF_FPU);
}
MOREAU_ALWAYS_INLINE void negate_if(std::int32_t c, float& x) {
  asm("cmp %1, #0\n\tit lt\n\tvneglt.f32 %0, %0" : "+t"(x) : "r"(c) : "cc");
}
#endif
#if MOREAU_ARM_FPU & 8
inline void set_sqrt(double& root, double x) { asm("vsqrt.f64 %P0, %P1" : "=w"(root) : "w"(x)); }
MOREAU_ALWAYS_INLINE void move_if(std::int32_t c, double& x, double a) {
  asm("cmp %2, #0\n\tit lt\n\tvmovlt.f64 %P0, %P1" : "+w"(x) : "w"(a), "r"(c) : "cc");
}
MOREAU_ALWAYS_INLINE void move_if(std::int32_t c, double& x, double a, double& y, double b) {
  asm("cmp %4, #0\n\titt lt\n\tvmovlt.f64 %P0, %P2\n\tvmovlt.f64 %P1, %P3"
      : "+&w"(x), "+&w"(y)
      : "w"(a), "w"(b), "r"(c)
      : "cc");
}
MOREAU_ALWAYS_INLINE void move_if_less(double p, double q, double& x, double a) {
  asm("vcmpe.f64 %P1, %P2\n\tvmrs APSR_nzcv, fpscr\n\tit mi\n\tvmovmi.f64 %P0, %P3"
      : "+w"(x)
      : "w"(p), "w"(q), "w"(a)
      : MOREAU_FLAGS_OF_FPU);
}
MOREAU_ALWAYS_INLINE void negate_if(std::int32_t c, double& x) {
  asm("cmp %1, #0\n\tit lt\n\tvneglt.f64 %P0, %P0" : "+w"(x) : "r"(c) : "cc");
}
#endif

}  // namespace moreau::detail::cpu
