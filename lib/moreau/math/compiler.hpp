// Compiler and machine extensions beyond C++17: attributes, pragmas, builtins, intrinsics and inline assembly. All
// other headers are plain C++, except for the type names in model/fingerprint.hpp and the pragma FP_CONTRACT in
// math/types.hpp.
//
// g++, clang++ and armclang (__GNUC__) provide all extensions, MSVC the attributes and the square root. With another
// compiler, or with MOREAU_NO_EXTENSIONS, attributes and pragmas are empty and functions are plain C++. The results are
// bit-identical in all cases. The instruction counts differ, and constant time is not guaranteed without extensions. A
// build can define each attribute macro itself, for example -DMOREAU_FLATTEN= for faster compilation.
#pragma once

#include <cstdint>
#include <cstring>

#if defined(__GNUC__) && !defined(MOREAU_NO_EXTENSIONS)
#define MOREAU_GNU 1
#else
#define MOREAU_GNU 0
#endif
#if defined(_MSC_VER) && !MOREAU_GNU && !defined(MOREAU_NO_EXTENSIONS)
#define MOREAU_MSVC 1
#else
#define MOREAU_MSVC 0
#endif
#if (MOREAU_GNU && defined(__SSE2__)) || (MOREAU_MSVC && defined(_M_X64))
#define MOREAU_SSE2 1
#else
#define MOREAU_SSE2 0
#endif
#if MOREAU_GNU && defined(__arm__) && defined(__ARM_FP) && !defined(__SOFTFP__)
#define MOREAU_ARM_FPU __ARM_FP  // 4: float, 8: double, 12: both
#else
#define MOREAU_ARM_FPU 0
#endif
#if MOREAU_SSE2
#include <emmintrin.h>
#endif

// ---- attributes, in front of a declaration --------------------------------------------------------------------------
#ifndef MOREAU_ALWAYS_INLINE  // replaces the keyword inline
#if MOREAU_GNU
#define MOREAU_ALWAYS_INLINE [[gnu::always_inline]] inline
#elif MOREAU_MSVC
#define MOREAU_ALWAYS_INLINE [[msvc::forceinline]] inline
#else
#define MOREAU_ALWAYS_INLINE inline
#endif
#endif
#ifndef MOREAU_FLATTEN  // inlines every call in the function
#if MOREAU_GNU
#define MOREAU_FLATTEN [[gnu::flatten]]
#elif MOREAU_MSVC
#define MOREAU_FLATTEN [[msvc::flatten]]
#else
#define MOREAU_FLATTEN
#endif
#endif
#ifndef MOREAU_NOINLINE  // keeps code and stack of the function out of its callers
#if MOREAU_GNU
#define MOREAU_NOINLINE [[gnu::noinline]]
#elif MOREAU_MSVC
#define MOREAU_NOINLINE [[msvc::noinline]]
#else
#define MOREAU_NOINLINE
#endif
#endif
#ifndef MOREAU_COLD  // marks a rarely executed function
#if MOREAU_GNU
#define MOREAU_COLD [[gnu::cold]]
#else
#define MOREAU_COLD
#endif
#endif

// ---- pragmas that suppress warnings about shadowed names and incomplete initialiser lists ---------------------------
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

// Returns the number of zero bits below the lowest set bit of x; x != 0.
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

// Adds one word, or the `words` words at `bytes`, to a checksum. The sum is rotated before each addition, so the result
// depends on the order of the words. Thumb-2 loads eight words with one instruction. On Cortex-M4, 17 words take 24
// instructions instead of at least 33 with single loads.
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

// Returns |x| without a libm call.
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

// Prevents the compiler from removing the computation of an otherwise unused object in measurements. Has no effect in
// plain C++.
template <class T>
MOREAU_ALWAYS_INLINE void keep([[maybe_unused]] const T& object) {
#if MOREAU_GNU
  asm("" : : "g"(&object) : "memory");
#endif
}

// Returns true if the condition is a compile-time constant for the optimiser.
MOREAU_ALWAYS_INLINE bool is_known([[maybe_unused]] bool condition) {
#if MOREAU_GNU
  return __builtin_constant_p(condition);
#else
  return false;
#endif
}

// If has_sqrt<Real> is true, set_sqrt(root, x) sets root to the correctly rounded sqrt(x) with one instruction. A
// compiler builtin would add a libm call that sets errno.
//
// If has_conditional_move<Real> is true, these functions execute without a branch:
//
//   move_if(c, x, a)           x = a if c < 0
//   move_if_less(p, q, x, a)   x = a if p < q
//   negate_if(c, x)            x = -x if c < 0
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
#if MOREAU_SSE2 || (MOREAU_GNU && defined(__aarch64__))
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

#if MOREAU_SSE2
inline void set_sqrt(float& root, float x) { root = _mm_cvtss_f32(_mm_sqrt_ss(_mm_set_ss(x))); }
inline void set_sqrt(double& root, double x) { root = _mm_cvtsd_f64(_mm_sqrt_sd(_mm_set_sd(x), _mm_set_sd(x))); }
#endif
#if MOREAU_GNU && defined(__SSE2__)
// SSE2 has no conditional move of floating-point numbers, so a mask of all ones or all zeros combines x and a. The
// empty asm hides the origin of c; otherwise the compiler recognises the condition and branches.
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
// The asm statements below change the condition flags of the CPU or FPU. clang never separates a comparison from the
// conditional move that uses its result. g++ can schedule an asm statement between them unless its clobber list names
// the FPU flags (vfpcc) in addition to cc.
#if MOREAU_ARM_FPU && defined(__clang__)
#define MOREAU_FLAGS_OF_FPU "cc"
#elif MOREAU_ARM_FPU
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
