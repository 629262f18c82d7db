// The closed forms without a branch: every candidate is computed, selects choose. The same operations in the same order
// as closed_form.hpp, so the same bits; the cost does not depend on the data.
//
// Conditions are integers whose sign bit is the truth: a < b is the sign of a - b (exact, with gradual underflow).
// Against comparisons and bools that saves 3 of 6 instructions per condition on M4F. A NaN makes a condition arbitrary;
// it stays in u_E, where the step finds it.
//
// A contact that is not there is one with G_NN = 1 and c_N = 1: it opens.
#pragma once

#include "moreau/contact/quick_judge.hpp"

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
// condition ? a : b. Where an FPU computes it, as three instructions no compiler can turn into a branch (GCC does,
// where one condition chooses several numbers).
template <class Real>
[[gnu::always_inline]] inline Real choose(Mask condition, Real a, Real b) {
#if defined(__GNUC__) && defined(__ARM_FP) && !defined(__SOFTFP__)
  if constexpr (sizeof(Real) == 4) {
    asm("cmp %2, #0\n\tit ge\n\tvmovge.f32 %0, %1" : "+t"(a) : "t"(b), "r"(condition) : "cc");
    return a;
  }
#if __ARM_FP & 8
  asm("cmp %2, #0\n\tit ge\n\tvmovge.f64 %P0, %P1" : "+w"(a) : "w"(b), "r"(condition) : "cc");
  return a;
#endif
#endif
  return condition < 0 ? a : b;
}
template <class Real>
[[gnu::always_inline]] inline Real masked_larger(Real a, Real b) {
  return choose(less(a, b), b, a);
}

// One contact of a pair in a candidate answer.
template <class Real>
struct Masked {
  Real P_N, P_T;
  Mask open, stick;
};

template <class Real>
[[gnu::always_inline]] inline Masked<Real> masked_form(const PlanarContact<Real>& p, Mask& fits) {
  const Real n = p.NT * p.c_T - p.TT * p.c_N, t = p.NT * p.c_N - p.NN * p.c_T;
  const Mask open = ~sign_of(p.c_N + Real(0)), stick = less(magnitude(t), p.mu * n);
  const Real drag = choose(positive(t), p.mu, -p.mu);
  const Real denominator = choose(stick, p.NN * p.TT - p.NT * p.NT, p.NN + drag * p.NT);
  const Real P = choose(stick, n, -p.c_N) / denominator;
  const Real P_N = choose(open, Real(0), P), P_T = choose(open, Real(0), choose(stick, t / denominator, drag * P));
  const Real xi_T = (p.c_T + p.NT * P_N) + p.TT * P_T;
  fits = open | (positive(P_N) & (stick | ~positive(xi_T * drag)));
  return {P_N, P_T, open, stick & ~open};
}

// Both slip.
template <class Real>
[[gnu::always_inline]] inline Mask masked_slip(const PlanarContact<Real>& p, const PlanarContact<Real>& q,
                                               const Coupling<Real>& x, Masked<Real>& a, Masked<Real>& b) {
  const Real d = choose(positive(p.c_T), -p.mu, p.mu), e = choose(positive(q.c_T), -q.mu, q.mu);
  const Real pp = p.NN + d * p.NT, pq = x.NN + e * x.NT, qp = x.NN + d * x.TN, qq = q.NN + e * q.NT;
  const Real det = pp * qq - pq * qp;
  const Real n = pq * q.c_N - qq * p.c_N, m = qp * p.c_N - pp * q.c_N;
  const Real P = n / det, Q = m / det, S = d * P, R = e * Q;
  const Real xi_T = (((p.c_T + p.NT * P) + p.TT * S) + x.TN * Q) + x.TT * R;
  const Real eta_T = (((q.c_T + x.NT * P) + x.TT * S) + q.NT * Q) + q.TT * R;
  a = {P, S, 0, 0};
  b = {Q, R, 0, 0};
  return positive(n) & positive(m) & positive(det) & ~positive(xi_T * d) & ~positive(eta_T * e);
}

template <class Real>
[[gnu::always_inline]] inline Masked<Real> choose(Mask c, const Masked<Real>& a, const Masked<Real>& b) {
  const Mask all = c >> 31;
  return {choose(c, a.P_N, b.P_N), choose(c, a.P_T, b.P_T), (all & a.open) | (~all & b.open),
          (all & a.stick) | (~all & b.stick)};
}

// The answer of two contacts: both slip, or one carries all. False where neither fits.
template <class Real>
[[gnu::always_inline]] inline Mask masked_pair(const PlanarContact<Real>& p, const PlanarContact<Real>& q,
                                               const Coupling<Real>& x, Masked<Real>& a, Masked<Real>& b) {
  Mask fits_a, fits_b;
  const Masked<Real> alone_a = masked_form(p, fits_a), alone_b = masked_form(q, fits_b);
  Masked<Real> slip_a, slip_b;
  const Mask both = masked_slip(p, q, x, slip_a, slip_b) & ~(alone_a.open & alone_b.open);
  const Mask first = fits_a & ~sign_of(((q.c_N + x.NN * alone_a.P_N) + x.TN * alone_a.P_T) + Real(0));
  const Mask second = fits_b & ~sign_of(((p.c_N + x.NN * alone_b.P_N) + x.NT * alone_b.P_T) + Real(0));
  const Masked<Real> none{Real(0), Real(0), -1, 0};
  a = choose(both, slip_a, choose(first, alone_a, none));
  b = choose(both, slip_b, choose(first, none, alone_b));
  return both | first | second;
}

// One contact of the pair before the judge's thresholds (quick_judge.hpp); from_*: what the other one adds to xi.
template <class Real>
struct MaskedVerdict {
  Real residual = Real(0), relative = Real(0);
  Mask refused = 0;

  [[gnu::always_inline]] void weigh(Real e, Real c_max, Real v, const Judge<Real>& judge) {
    refused |= less(judge.rtol * choose(less(c_max, v), c_max, v), e);
    residual = masked_larger(residual, e);
    relative = masked_larger(relative, e / (v + std::numeric_limits<Real>::min()));
  }
};

template <class Real>
[[gnu::always_inline]] inline ContactResult<Real> masked_verdict(const PlanarContact<Real>& p, const Masked<Real>& a,
                                                                 Real xi_N, Real xi_T, Real c_max,
                                                                 const Judge<Real>& judge,
                                                                 MaskedVerdict<Real>& verdict) {
  const Real v_N = magnitude(p.c_N) + p.NN * a.P_N, v_T = magnitude(p.c_T) + magnitude(p.TT * a.P_T);
  verdict.weigh(choose(a.open, Real(0), magnitude(xi_N)), c_max, v_N, judge);
  verdict.weigh(choose(a.stick, magnitude(xi_T), Real(0)), c_max, v_T, judge);
  const Real s = masked_larger(p.NN, p.TT), sP = s * a.P_N;
  const Mask constraint_N = less(judge.sigma_margin * v_N, sP - xi_N) & ~a.open;
  const Mask constraint_T = less(magnitude(s * a.P_T - xi_T), p.mu * sP - judge.sigma_margin * v_T) & a.stick;
  return {a.P_N, a.P_T, std::uint8_t(1 + (constraint_N >> 31)), std::uint8_t(1 + (constraint_T >> 31)), a.stick < 0};
}

template <class Real>
[[gnu::always_inline]] inline ContactResult<Real> masked_weigh(const PlanarContact<Real>& p, const Masked<Real>& a,
                                                               Real c_max, const Judge<Real>& judge,
                                                               MaskedVerdict<Real>& verdict) {
  return masked_verdict(p, a, (p.c_N + p.NN * a.P_N) + p.NT * a.P_T, (p.c_T + p.NT * a.P_N) + p.TT * a.P_T, c_max,
                        judge, verdict);
}

// from_*: what the other contact of a pair adds to xi.
template <class Real>
[[gnu::always_inline]] inline ContactResult<Real> masked_weigh(const PlanarContact<Real>& p, const Masked<Real>& a,
                                                               Real from_NN, Real from_NT, Real from_TN, Real from_TT,
                                                               Real c_max, const Judge<Real>& judge,
                                                               MaskedVerdict<Real>& verdict) {
  return masked_verdict(p, a, (((p.c_N + p.NN * a.P_N) + p.NT * a.P_T) + from_NN) + from_NT,
                        (((p.c_T + p.NT * a.P_N) + p.TT * a.P_T) + from_TN) + from_TT, c_max, judge, verdict);
}

}  // namespace moreau
