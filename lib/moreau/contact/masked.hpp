// The closed forms without a branch: every candidate is computed, selects choose. The same operations in the same order
// as closed_form.hpp and quick_judge.hpp, so the same bits; the cost does not depend on the data.
//
// A contact that is not there is one with G_NN = 1 and c_N = 1: it opens.
#pragma once

#include "moreau/contact/quick_judge.hpp"

namespace moreau {

// One contact of a pair in a candidate answer.
template <class Real>
struct Masked {
  Real P_N, P_T, drag;
  bool open, stick, fits;  // fits: the answer does not contradict its mode
};

template <class Real>
[[gnu::always_inline]] inline Masked<Real> masked_form(const PlanarContact<Real>& p) {
  const Real n = p.NT * p.c_T - p.TT * p.c_N, t = p.NT * p.c_N - p.NN * p.c_T;
  const Real limit = p.mu * n;
  const bool open = p.c_N >= Real(0), stick = (t < limit) & (-t < limit);
  const Real drag = select(t > Real(0), p.mu, -p.mu);
  const Real det = p.NN * p.TT - p.NT * p.NT;
  const Real denominator = select(stick, det, p.NN + drag * p.NT);
  const Real P = select(stick, n, -p.c_N) / denominator;
  const Real P_N = select(open, Real(0), P), P_T = select(open, Real(0), select(stick, t / denominator, drag * P));
  const Real xi_T = (p.c_T + p.NT * P_N) + p.TT * P_T;
  return {P_N, P_T, drag, open, stick, open | ((P_N > Real(0)) & (stick | !(xi_T * drag > Real(0))))};
}

// Both slip. `fits` of the first answer speaks for both.
template <class Real>
[[gnu::always_inline]] inline void masked_slip(const PlanarContact<Real>& p, const PlanarContact<Real>& q,
                                               const Coupling<Real>& x, Masked<Real>& a, Masked<Real>& b) {
  const Real d = select(p.c_T > Real(0), -p.mu, p.mu), e = select(q.c_T > Real(0), -q.mu, q.mu);
  const Real pp = p.NN + d * p.NT, pq = x.NN + e * x.NT, qp = x.NN + d * x.TN, qq = q.NN + e * q.NT;
  const Real det = pp * qq - pq * qp;
  const Real n = pq * q.c_N - qq * p.c_N, m = qp * p.c_N - pp * q.c_N;
  const Real P = n / det, Q = m / det, S = d * P, R = e * Q;
  const Real xi_T = (((p.c_T + p.NT * P) + p.TT * S) + x.TN * Q) + x.TT * R;
  const Real eta_T = (((q.c_T + x.NT * P) + x.TT * S) + q.NT * Q) + q.TT * R;
  const bool fits = (n > Real(0)) & (m > Real(0)) & (det > Real(0)) & !(xi_T * d > Real(0)) & !(eta_T * e > Real(0));
  a = {P, S, d, false, false, fits};
  b = {Q, R, e, false, false, fits};
}

template <class Real>
[[gnu::always_inline]] inline Masked<Real> select(bool condition, const Masked<Real>& a, const Masked<Real>& b) {
  return {select(condition, a.P_N, b.P_N),
          select(condition, a.P_T, b.P_T),
          Real(0),
          bool((condition & a.open) | (!condition & b.open)),
          bool((condition & a.stick) | (!condition & b.stick)),
          true};
}

// The answer of two contacts: both slip, or one carries all. False where neither fits.
template <class Real>
[[gnu::always_inline]] inline bool masked_pair(const PlanarContact<Real>& p, const PlanarContact<Real>& q,
                                               const Coupling<Real>& x, Masked<Real>& a, Masked<Real>& b) {
  const Masked<Real> alone_a = masked_form(p), alone_b = masked_form(q);
  Masked<Real> slip_a, slip_b;
  masked_slip(p, q, x, slip_a, slip_b);
  const Masked<Real> none{Real(0), Real(0), Real(0), true, false, true};
  const bool rest = alone_a.open & alone_b.open;
  const bool both = slip_a.fits & !rest;
  const bool first = alone_a.fits & ((q.c_N + x.NN * alone_a.P_N) + x.TN * alone_a.P_T >= Real(0));
  const bool second = alone_b.fits & ((p.c_N + x.NN * alone_b.P_N) + x.NT * alone_b.P_T >= Real(0));
  a = select(both, slip_a, select(first, alone_a, none));
  b = select(both, slip_b, select(first, none, alone_b));
  return both | first | second;
}

// What the judge would say about one contact of the pair; from_*: what the other contact adds to xi.
template <class Real>
struct MaskedVerdict {
  Real residual = Real(0), relative = Real(0);
  bool ok = true;

  [[gnu::always_inline]] void weigh(Real e, Real c, Real v, const Judge<Real>& judge) {
    ok = ok & (((e < judge.rtol * v) & (v < judge.cancellation * magnitude(c))) | (e == Real(0)));
    residual = select(residual < e, e, residual);
    const Real ratio = e / select(e > Real(0), v, Real(1));
    relative = select(relative < ratio, ratio, relative);
  }
};

template <class Real>
[[gnu::always_inline]] inline ContactResult<Real> masked_weigh(const PlanarContact<Real>& p, const Masked<Real>& a,
                                                               Real from_NN, Real from_NT, Real from_TN, Real from_TT,
                                                               Real other_c, const Judge<Real>& judge,
                                                               MaskedVerdict<Real>& verdict) {
  const Real NN = p.NN * a.P_N, NT = p.NT * a.P_T, TN = p.NT * a.P_N, TT = p.TT * a.P_T;
  const Real xi_N = ((p.c_N + NN) + NT) + (from_NN + from_NT);
  const Real v_N = ((magnitude(p.c_N) + NN) + magnitude(NT)) + (magnitude(from_NN) + magnitude(from_NT));
  const Real c_N = magnitude(p.c_N), c = select(c_N < magnitude(other_c), magnitude(other_c), c_N);
  verdict.weigh(select(a.open, Real(0), magnitude(xi_N)), c, v_N, judge);
  const Real xi_T = ((p.c_T + TN) + TT) + (from_TN + from_TT);
  const Real v_T = ((magnitude(p.c_T) + magnitude(TN)) + magnitude(TT)) + (magnitude(from_TN) + magnitude(from_TT));
  verdict.weigh(select(a.stick & !a.open, magnitude(xi_T), Real(0)), p.c_T, v_T, judge);
  const Real s = select(p.NN < p.TT, p.TT, p.NN);
  const bool constraint_N = s * a.P_N - xi_N > judge.sigma_margin * v_N;
  const bool constraint_T = magnitude(s * a.P_T - xi_T) < p.mu * (s * a.P_N) - judge.sigma_margin * v_T;
  return {a.P_N, a.P_T, std::uint8_t(!(constraint_N & !a.open)), std::uint8_t(!(constraint_T & a.stick & !a.open)),
          bool(a.stick & !a.open)};
}

}  // namespace moreau
