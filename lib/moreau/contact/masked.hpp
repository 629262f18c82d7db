// The closed forms without a branch: every candidate is computed, selects choose. The same operations in the same order
// as closed_form.hpp, so the same bits; the cost does not depend on the data.
//
// A contact that is not there is one with G_NN = 1 and c_N = 1: it opens.
#pragma once

#include "moreau/contact/quick_judge.hpp"
#include "moreau/math/mask.hpp"

namespace moreau {

// One contact in a candidate answer.
template <class Real>
struct Masked {
  Real P_N, P_T;
  Mask open, stick;
};

template <class Real>
[[gnu::always_inline]] inline Masked<Real> masked_form(const PlanarContact<Real>& p) {
  const Real n = p.NT * p.c_T - p.TT * p.c_N, t = p.NT * p.c_N - p.NN * p.c_T;
  const Mask open = ~sign_of(p.c_N + Real(0)), stick = less(absolute(t), p.mu * n);
  const Real drag = choose(positive(t), p.mu, -p.mu);
  Real numerator = -p.c_N, denominator = p.NN + drag * p.NT;
  overwrite(stick, numerator, n, denominator, p.NN * p.TT - p.NT * p.NT);
  Real P_N = numerator / denominator, P_T = drag * P_N;
  overwrite(stick, P_T, t / denominator);
  overwrite(open, P_N, Real(0), P_T, Real(0));
  return {P_N, P_T, open, stick & ~open};
}

// The answer of two contacts: both slip, or one carries all.
template <class Real>
[[gnu::always_inline]] inline void masked_pair(const PlanarContact<Real>& p, const PlanarContact<Real>& q,
                                               const Coupling<Real>& x, Masked<Real>& a, Masked<Real>& b) {
  const Real d = choose(positive(p.c_T), -p.mu, p.mu), e = choose(positive(q.c_T), -q.mu, q.mu);
  const Real pp = p.NN + d * p.NT, pq = x.NN + e * x.NT, qp = x.NN + d * x.TN, qq = q.NN + e * q.NT;
  const Real det = pp * qq - pq * qp;
  const Real n = pq * q.c_N - qq * p.c_N, m = qp * p.c_N - pp * q.c_N;
  const Mask p_closes = sign_of(p.c_N + Real(0)), q_closes = sign_of(q.c_N + Real(0));
  const Mask both = positive(n) & positive(m) & positive(det) & (p_closes | q_closes);
  const Mask first = p_closes & ~positive(m);
  PlanarContact<Real> alone = q;
  overwrite(first, alone.NN, p.NN, alone.NT, p.NT);
  overwrite(first, alone.TT, p.TT, alone.mu, p.mu);
  overwrite(first, alone.c_N, p.c_N, alone.c_T, p.c_T);
  const Masked<Real> carries_all = masked_form(alone);
  const Real P = n / det, Q = m / det;
  a = b = carries_all;
  overwrite(~first, a.P_N, Real(0), a.P_T, Real(0));
  overwrite(first, b.P_N, Real(0), b.P_T, Real(0));
  overwrite(both, a.P_N, P, a.P_T, d * P);
  overwrite(both, b.P_N, Q, b.P_T, e * Q);
  const Mask one = ~(both >> 31), of_p = first >> 31;
  a.open = one & (~of_p | a.open);
  b.open = one & (of_p | b.open);
  a.stick &= one & of_p;
  b.stick &= one & ~of_p;
}

// What the judge would say (quick_judge.hpp).
template <class Real>
struct MaskedVerdict {
  Real residual, relative;
  Mask refused;
  int fallbacks;
};

// The violation of one row, if it counts.
template <class Real>
[[gnu::always_inline]] inline MaskedVerdict<Real> masked_row(Mask counts, Real xi, Real c_max, Real v,
                                                             const Judge<Real>& judge) {
  const Real e = choose(counts, absolute(xi), Real(0));
  return {e, e / (v + std::numeric_limits<Real>::min()), less(judge.rtol * masked_smaller(c_max, v), e), 0};
}
template <class Real>
[[gnu::always_inline]] inline MaskedVerdict<Real> worse(const MaskedVerdict<Real>& a, const MaskedVerdict<Real>& b) {
  return {masked_larger(a.residual, b.residual), masked_larger(a.relative, b.relative), a.refused | b.refused, 0};
}

// Signs that the answer of one contact implies, and its share of the verdict.
template <class Real>
[[gnu::always_inline]] inline MaskedVerdict<Real> masked_weigh(const PlanarContact<Real>& p, const Masked<Real>& a,
                                                               Real xi_N, Real xi_T, Real c_max,
                                                               const Judge<Real>& judge, ContactResult<Real>& out) {
  const Real v_N = absolute(p.c_N) + p.NN * a.P_N, v_T = absolute(p.c_T) + absolute(p.TT * a.P_T);
  MaskedVerdict<Real> verdict =
      worse(masked_row(~a.open, xi_N, c_max, v_N, judge), masked_row(a.stick, xi_T, c_max, v_T, judge));
  const Mask opens = a.open & ~sign_of(xi_N + Real(0));
  const Mask closes = ~a.open & positive(a.P_N) & (a.stick | ~positive(xi_T * a.P_T));
  verdict.refused |= ~(opens | closes);
  const Real s = masked_larger(p.NN, p.TT), sP = s * a.P_N;
  const Mask constraint_N = less(judge.sigma_margin * v_N, sP - xi_N) & ~a.open;
  const Mask constraint_T = less(absolute(s * a.P_T - xi_T), p.mu * sP - judge.sigma_margin * v_T) & a.stick;
  out = {a.P_N, a.P_T, std::uint8_t(1 + (constraint_N >> 31)), std::uint8_t(1 + (constraint_T >> 31)), a.stick < 0};
  return verdict;
}

}  // namespace moreau
