// One or two closed planar contacts in closed form, over Choice (math/choice.hpp). One:
//
//   n = NT c_T - TT c_N,  t = NT c_N - NN c_T,  det = NN TT - NT^2          (P = (n, t) / det makes xi_N = xi_T = 0)
//
//   open           c_N >= 0
//   stick          |t| < mu n            P_N = n / det,                     P_T = t / det
//   slip           t >= mu n: d = mu,    P_N = -c_N / (NN + d NT),          P_T = d P_N
//                  t <= -mu n: d = -mu
//
// The three cases of t exclude each other wherever n > 0, and each implies the signs its mode asks for: no guess, no
// order in which modes are tried, one division. NN, NT, TT: the contact's entries of G.
//
// Two, both slipping against the tangential velocity they would have without contact (drags d, e):
//
//   (NN + d NT)_pp P + (NN + e NT)_pq Q + c_N,p = 0,   (NN + d TN)_qp P + (NN + e NT)_qq Q + c_N,q = 0
//
// by Cramer's rule, which is right unless a slip reverses within the step; where a percussion comes out negative, that
// contact opens and the other one carries all. The signs that an answer implies are looked at by weigh().
//
// A contact that is not there is one with G_NN = 1 and c_N = 1: it opens.
#pragma once

#include "moreau/contact/closed_contact.hpp"
#include "moreau/contact/judge.hpp"

namespace moreau {
namespace detail {

template <class Choice, class Real>
struct FewAnswer {
  Real P_N, P_T;  // N s
  typename Choice::Condition open, stick;
};

template <class Choice, class Real>
MOREAU_ALWAYS_INLINE FewAnswer<Choice, Real> one_contact(const PlanarContact<Real>& p) {
  const auto open = !Choice::negative(p.c_N);
  if (Choice::leave(open)) return {Real(0), Real(0), open, Choice::of(false)};
  const Real n = p.NT * p.c_T - p.TT * p.c_N, t = p.NT * p.c_N - p.NN * p.c_T;
  const auto stick = Choice::less(absolute(t), p.mu * n);
  Real drag = Real(0), numerator = n, denominator = p.NN * p.TT - p.NT * p.NT;
  if (!Choice::leave(stick)) {
    drag = choose<Choice>(Choice::positive(t), p.mu, -p.mu);
    Choice::overwrite(!stick, numerator, -p.c_N, denominator, p.NN + drag * p.NT);
  }
  Real P_N = numerator / denominator, P_T = drag * P_N;
  Choice::overwrite(stick, P_T, t / denominator);
  Choice::overwrite(open, P_N, Real(0), P_T, Real(0));
  return {P_N, P_T, open, stick && !open};
}

// Both slip, or one carries all.
template <class Choice, class Real>
MOREAU_ALWAYS_INLINE void two_contacts(const PlanarContact<Real>& p, const PlanarContact<Real>& q,
                                       const Coupling<Real>& x, FewAnswer<Choice, Real>& a,
                                       FewAnswer<Choice, Real>& b) {
  const auto yes = Choice::of(true), no = Choice::of(false);
  const auto p_closes = Choice::negative(p.c_N), q_closes = Choice::negative(q.c_N);
  a = b = {Real(0), Real(0), yes, no};
  if (Choice::leave(!(p_closes || q_closes))) return;
  const Real d = choose<Choice>(Choice::positive(p.c_T), -p.mu, p.mu);
  const Real e = choose<Choice>(Choice::positive(q.c_T), -q.mu, q.mu);
  const Real pp = p.NN + d * p.NT, pq = x.NN + e * x.NT, qp = x.NN + d * x.TN, qq = q.NN + e * q.NT;
  const Real det = pp * qq - pq * qp;
  const Real n = pq * q.c_N - qq * p.c_N, m = qp * p.c_N - pp * q.c_N;
  const auto both = Choice::positive(n) && Choice::positive(m) && Choice::positive(det) && (p_closes || q_closes);
  const Real P = n / det, Q = m / det;
  if (Choice::leave(both)) {
    a = {P, d * P, no, no};
    b = {Q, e * Q, no, no};
    return;
  }
  const auto first = p_closes && !Choice::positive(m);
  const FewAnswer<Choice, Real> alone =
      Choice::either(first, p, q, [](const auto& c) { return one_contact<Choice>(c); });
  if (Choice::leave(first)) {
    a = alone;
  } else if (Choice::leave(!first)) {
    b = alone;
  } else {
    a = b = alone;
    Choice::overwrite(!first, a.P_N, Real(0), a.P_T, Real(0));
    Choice::overwrite(first, b.P_N, Real(0), b.P_T, Real(0));
    Choice::overwrite(both, a.P_N, P, a.P_T, d * P);
    Choice::overwrite(both, b.P_N, Q, b.P_T, e * Q);
    a.open = !both && (!first || a.open);
    b.open = !both && (first || b.open);
    a.stick = a.stick && !both && first;
    b.stick = b.stick && !both && !first;
  }
}

// A bound of the judge's verdict (contact/judge.hpp) on one or two contacts, in registers. Only an answer that it would
// call ok is not refused:
//
//   e_N <= |xi_N| for P_N > 0,   e_T <= |xi_T| for a percussion inside the cone,   e_T = 0 for P_T = d P_N, d xi_T <= 0
//
// A row is accepted when e <= rtol times the smaller of |c| + |G_ii P_i| <= v_i and the largest |c| at hand: at least
// as strict as the judge. `relative` is e over the former, so never less than the judge's.
template <class Choice, class Real>
struct FewVerdict {
  Real residual = Real(0), relative = Real(0);
  typename Choice::Condition refused = Choice::of(false);
};

// The violation of one row, if it counts. c: its own |c|, with which Branch mostly gets away; c_max(): the largest one.
template <class Choice, class Real, class CMax>
MOREAU_ALWAYS_INLINE FewVerdict<Choice, Real> weigh_row(typename Choice::Condition counts, Real xi, Real c,
                                                        const CMax& c_max, Real v, const Judge<Real>& judge) {
  const Real e = only_if<Choice>(counts, absolute(xi)), relative = e / (v + std::numeric_limits<Real>::min());
  if (Choice::leave(Choice::at_most(e, judge.rtol * c))) return {e, relative, Choice::of(false)};
  return {e, relative, !Choice::at_most(e, judge.rtol * Choice::smaller(c_max(), v))};
}
template <class Choice, class Real>
MOREAU_ALWAYS_INLINE FewVerdict<Choice, Real> worse(const FewVerdict<Choice, Real>& a,
                                                    const FewVerdict<Choice, Real>& b) {
  return {Choice::larger(a.residual, b.residual), Choice::larger(a.relative, b.relative), a.refused || b.refused};
}

// One contact of an answer: its share of the verdict, the signs its mode implies, its sigma.
template <class Choice, class Real, class CMax>
MOREAU_ALWAYS_INLINE FewVerdict<Choice, Real> weigh(const PlanarContact<Real>& p, const FewAnswer<Choice, Real>& a,
                                                    Real xi_N, Real xi_T, const CMax& c_max, const Judge<Real>& judge,
                                                    ContactResult<Real>& out) {
  if (Choice::leave(a.open)) return {Real(0), Real(0), Choice::negative(xi_N)};
  const Real NN_P = p.NN * a.P_N, v_N = absolute(p.c_N) + NN_P, noise = judge.sigma_margin * v_N;
  const auto s = [&p] { return Choice::larger(p.NN, p.TT); };
  FewVerdict<Choice, Real> verdict = weigh_row<Choice>(!a.open, xi_N, absolute(p.c_N), c_max, v_N, judge);
  std::uint8_t sigma_T_of_p = 1, sigma_N_of_p = sigma_N<Choice>(Choice::of(true), NN_P, xi_N, noise);
  if (!Choice::leave(Choice::of(sigma_N_of_p == 0))) sigma_N_of_p = sigma_N<Choice>(!a.open, s() * a.P_N, xi_N, noise);
  if (!Choice::leave(!a.stick)) {
    const Real v_T = absolute(p.c_T) + absolute(p.TT * a.P_T);
    verdict = worse(verdict, weigh_row<Choice>(a.stick, xi_T, absolute(p.c_T), c_max, v_T, judge));
    sigma_T_of_p =
        sigma_T<Choice>(a.stick, absolute(s() * a.P_T - xi_T), p.mu * (s() * a.P_N), judge.sigma_margin * v_T);
  }
  const auto opens = a.open && !Choice::negative(xi_N);
  const auto closes = !a.open && Choice::positive(a.P_N) && (a.stick || !Choice::positive(xi_T * a.P_T));
  verdict.refused = verdict.refused || !(opens || closes);
  out = {a.P_N, a.P_T, sigma_N_of_p, sigma_T_of_p};
  return verdict;
}

}  // namespace detail
}  // namespace moreau
