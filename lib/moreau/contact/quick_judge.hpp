// What the judge would say about one or two closed planar contacts, asked in registers. It only says `ok`, and only
// where the judge (judge.hpp) would say so; whatever it does not accept, the judge gets to see.
//
//   e_N <= |xi_N| for P_N > 0,   e_T <= |xi_T| for a percussion inside the cone,   e_T = 0 for P_T = d P_N, d xi_T <= 0
//
// A row is accepted when e <= rtol times the smaller of |c| + |G_ii P_i| <= v_i and the largest |c| at hand: at least
// as strict as the judge, whose thresholds these are. `relative` is e over the former, so never less than the judge's.
#pragma once

#include "moreau/contact/closed_form.hpp"
#include "moreau/contact/judge.hpp"

namespace moreau {

template <class Real>
[[gnu::always_inline]] inline Real smaller(Real a, Real b) {
  return b < a ? b : a;
}

template <class Real>
struct ContactResult {
  Real P_N = Real(0), P_T = Real(0);
  std::uint8_t sigma_N = 1, sigma_T = 1;
  bool stick = false;
};

template <class Real>
struct QuickVerdict {
  Real residual = Real(0), relative = Real(0);
  bool ok = true;

  [[gnu::always_inline]] void weigh(Real e, Real c_max, Real v, const Judge<Real>& judge) {
    ok = ok && e <= judge.rtol * smaller(c_max, v);
    residual = larger(residual, e);
    relative = larger(relative, e / (v + std::numeric_limits<Real>::min()));
  }
};

// sigma_T of a sticking contact: constraint unless within the margin of the cone.
template <class Real>
[[gnu::always_inline]] inline std::uint8_t stick_sigma(const PlanarContact<Real>& p, Real P_N, Real P_T, Real xi_T,
                                                       Real v_T, const Judge<Real>& judge) {
  const Real s = larger(p.NN, p.TT);
  return absolute(s * P_T - xi_T) < p.mu * (s * P_N) - judge.sigma_margin * v_T ? 0 : 1;
}

// One closed contact that carries all. False where the answer contradicts its mode. `c_other`: the largest |c| of what
// it leaves open.
template <class Real>
[[gnu::always_inline]] inline bool solve_one(const PlanarContact<Real>& p, Real c_other, const Judge<Real>& judge,
                                             ContactResult<Real>& out, QuickVerdict<Real>& verdict) {
  const PlanarAnswer<Real> a = closed_form(p);
  out.P_N = a.P_N;
  out.P_T = a.P_T;
  if (a.open) return true;
  const Real NN = p.NN * a.P_N, NT = p.NT * a.P_T, TN = p.NT * a.P_N, TT = p.TT * a.P_T;
  const Real xi_N = (p.c_N + NN) + NT, xi_T = (p.c_T + TN) + TT, v_N = NN - p.c_N;  // c_N < 0 < P_N
  verdict.residual = absolute(xi_N);
  verdict.relative = verdict.residual / (v_N + std::numeric_limits<Real>::min());
  verdict.ok = verdict.residual <= judge.rtol * -p.c_N ||  // the rule above in short
               verdict.residual <= judge.rtol * smaller(larger(absolute(p.c_T), c_other), v_N);
  const Real noise = judge.sigma_margin * v_N;
  out.sigma_N = noise < NN - xi_N || noise < larger(p.NN, p.TT) * a.P_N - xi_N ? 0 : 1;
  out.stick = a.stick;
  if (a.stick) {
    const Real v_T = absolute(p.c_T) + absolute(TT);
    verdict.weigh(absolute(xi_T), larger(larger(-p.c_N, absolute(p.c_T)), c_other), v_T, judge);
    out.sigma_T = stick_sigma(p, a.P_N, a.P_T, xi_T, v_T, judge);
    return a.P_N > Real(0);
  }
  return a.P_N > Real(0) && !(xi_T * a.P_T > Real(0));
}

// The normal of one of two closed contacts. `from_N`, `from_T`: what the other one adds to xi_N.
template <class Real>
[[gnu::always_inline]] inline void weigh_normal(const PlanarContact<Real>& p, ContactResult<Real>& out, Real from_N,
                                                Real from_T, Real c_max, const Judge<Real>& judge,
                                                QuickVerdict<Real>& verdict) {
  const Real NN = p.NN * out.P_N, NT = p.NT * out.P_T;
  const Real xi = (((p.c_N + NN) + NT) + from_N) + from_T, v = absolute(p.c_N) + NN;
  verdict.weigh(absolute(xi), c_max, v, judge);
  out.sigma_N = judge.sigma_margin * v < larger(p.NN, p.TT) * out.P_N - xi ? 0 : 1;
}

// Two closed contacts of which `slip_form` has found both to slip. False where a slip contradicts itself.
template <class Real>
[[gnu::always_inline]] inline bool slip_both(const PlanarContact<Real>& p, const PlanarContact<Real>& q,
                                             const Coupling<Real>& x, const SlipAnswer<Real>& s,
                                             const Judge<Real>& judge, ContactResult<Real>& a, ContactResult<Real>& b,
                                             QuickVerdict<Real>& verdict) {
  a.P_N = s.P_N[0];
  b.P_N = s.P_N[1];
  a.P_T = s.drag[0] * a.P_N;
  b.P_T = s.drag[1] * b.P_N;
  const Real xi_T = (((p.c_T + p.NT * a.P_N) + p.TT * a.P_T) + x.TN * b.P_N) + x.TT * b.P_T;
  const Real eta_T = (((q.c_T + q.NT * b.P_N) + q.TT * b.P_T) + x.NT * a.P_N) + x.TT * a.P_T;
  if (xi_T * a.P_T > Real(0) || eta_T * b.P_T > Real(0)) return false;
  const Real c_max = larger(larger(absolute(p.c_N), absolute(q.c_N)), larger(absolute(p.c_T), absolute(q.c_T)));
  weigh_normal(p, a, x.NN * b.P_N, x.NT * b.P_T, c_max, judge, verdict);
  weigh_normal(q, b, x.NN * a.P_N, x.TN * a.P_T, c_max, judge, verdict);
  return true;
}

}  // namespace moreau
