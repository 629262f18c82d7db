// Closed planar contacts in closed form. One:
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
// Two, both slipping against the tangential velocity they would have without contact (drags d_1, d_2):
//
//   a_ij = NN_ij + d_j NT_ij,   a P_N + c_N = 0   by Cramer's rule
//
// which is right unless a slip reverses within the step; the signs it implies are looked at afterwards. Where a
// percussion came out negative that contact opens and the other one is alone.
#pragma once

#include "moreau/math/kernels.hpp"
#include "moreau/math/select.hpp"

namespace moreau {

template <class Real>
struct PlanarContact {
  Real NN, NT, TT;  // kg^-1
  Real c_N, c_T;    // m/s
  Real mu;          // 0 where friction cannot act
};

template <class Real>
struct PlanarAnswer {
  Real P_N, P_T;  // N s
  bool open, stick;
  Real drag;  // P_T / P_N when slipping
};

template <class Real>
[[gnu::always_inline]] inline PlanarAnswer<Real> closed_form(const PlanarContact<Real>& p) {
  if (p.c_N >= Real(0)) return {Real(0), Real(0), true, false, Real(0)};
  const Real n = p.NT * p.c_T - p.TT * p.c_N, t = p.NT * p.c_N - p.NN * p.c_T;
  const Real limit = p.mu * n;
  if (t < limit && -t < limit) {
    const Real det = p.NN * p.TT - p.NT * p.NT;
    return {n / det, t / det, false, true, Real(0)};
  }
  const Real drag = t > Real(0) ? p.mu : -p.mu;
  const Real P_N = -p.c_N / (p.NN + drag * p.NT);
  return {P_N, drag * P_N, false, false, drag};
}

// What couples two contacts: the entries of G between the rows of the first and the columns of the second.
template <class Real>
struct Coupling {
  Real NN, NT, TN, TT;
};

template <class Real>
struct SlipAnswer {
  Real P_N[2], drag[2];
  bool found;         // both percussions positive
  bool second_opens;  // otherwise: the second one's is not, and the first closes by itself
};

template <class Real>
[[gnu::always_inline]] inline SlipAnswer<Real> slip_form(const PlanarContact<Real>& p, const PlanarContact<Real>& q,
                                                         const Coupling<Real>& x) {
  const Real d = p.c_T > Real(0) ? -p.mu : p.mu, e = q.c_T > Real(0) ? -q.mu : q.mu;
  const Real pp = p.NN + d * p.NT, pq = x.NN + e * x.NT, qp = x.NN + d * x.TN, qq = q.NN + e * q.NT;
  const Real det = pp * qq - pq * qp;
  const Real n = pq * q.c_N - qq * p.c_N, m = qp * p.c_N - pp * q.c_N;
  return {{n / det, m / det}, {d, e}, n > Real(0) && m > Real(0) && det > Real(0), p.c_N < Real(0) && m <= Real(0)};
}

}  // namespace moreau
