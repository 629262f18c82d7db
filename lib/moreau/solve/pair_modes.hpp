// Two closed planar contacts of which at least one sticks: a slider that is held, or jammed between two corners.
//
//   stick   xi_N = 0,  xi_T = 0            |P_T| <= mu P_N
//   slip    xi_N = 0,  P_T = d P_N         d xi_T <= 0,  d = +-mu
//
// Starts from both sticking and follows what the answer speaks for - a friction beyond its cone slips against it, a
// slip against its own friction sticks - at most `rounds` times. One contact that opens is not looked for here: a
// contact alone is a case of few.hpp.
//
// Two corners of one face share their tangent: then only the sum of their friction is determined, and it is split in
// proportion to mu P_N, the split that sticks whenever any split does.
#pragma once

#include "moreau/solve/few.hpp"

namespace moreau {
namespace detail {

template <class Real>
class PairModes {
 public:
  PairModes(const PlanarContact<Real>& p, const PlanarContact<Real>& q, const Coupling<Real>& x)
      : G_{{p.NN, p.NT, x.NN, x.NT}, {p.NT, p.TT, x.TN, x.TT}, {x.NN, x.TN, q.NN, q.NT}, {x.NT, x.TT, q.NT, q.TT}},
        c_{p.c_N, p.c_T, q.c_N, q.c_T},
        mu_{p.mu, q.mu} {}

  // False where no set of modes agrees with its own answer.
  bool solve(const Judge<Real>& judge, ContactResult<Real>& a, ContactResult<Real>& b,
             FewVerdict<Branch, Real>& verdict) {
    for (int i = 0; i < 2; ++i) set_slip(i, !(mu_[i] > Real(0)), Real(0));
    for (int round = 0; round < rounds; ++round) {
      if (!equations() || !(P_[0] > Real(0) && P_[2] > Real(0))) return false;
      if (!revise()) {
        weigh(0, judge, a, verdict);
        weigh(1, judge, b, verdict);
        return true;
      }
    }
    return false;
  }

 private:
  static constexpr int rounds = 6;

  void set_slip(int i, bool slips, Real drag) {
    slips_[i] = slips;
    drag_[i] = drag;
  }

  Real xi(int r) const {
    Real sum = c_[r];
    for (int j = 0; j < 4; ++j) sum += G_[r][j] * P_[j];
    return sum;
  }

  Real added_up_from(int r) const {
    Real sum = absolute(c_[r]);
    for (int j = 0; j < 4; ++j) sum += absolute(G_[r][j] * P_[j]);
    return sum;
  }

  // The modes that the answer implies; false where they are the present ones.
  bool revise() {
    bool changed = false;
    for (int i = 0; i < 2; ++i) {
      const Real P_N = P_[2 * i], P_T = P_[2 * i + 1], limit = mu_[i] * P_N;
      if (!slips_[i] && !(absolute(P_T) <= limit)) {
        set_slip(i, true, P_T > Real(0) ? mu_[i] : -mu_[i]);
        changed = true;
      } else if (slips_[i] && drag_[i] * xi(2 * i + 1) > Real(0)) {
        set_slip(i, false, Real(0));
        changed = true;
      }
    }
    return changed;
  }

  // G P + c = 0, with P_T = d P_N in place of the tangential rows that slip. The pivots of G are positive wherever
  // the contacts are independent; no row is exchanged.
  bool equations() {
    Real A[4][5];
    for (int r = 0; r < 4; ++r) {
      const bool drags = r % 2 == 1 && slips_[r / 2];
      for (int j = 0; j < 4; ++j)
        A[r][j] = drags ? (j == r ? Real(1) : (j == r - 1 ? -drag_[r / 2] : Real(0))) : G_[r][j];
      A[r][4] = drags ? Real(0) : -c_[r];
    }
    const bool shared = !slips_[0] && !slips_[1];
    int last = 4;
    for (int j = 0; j < last; ++j) {
      if (!(A[j][j] > smallest_pivot * (j % 2 == 1 && slips_[j / 2] ? Real(1) : G_[j][j]))) {
        if (j != 3 || !shared) return false;
        last = 3;  // the second tangent is the first one over again
        break;
      }
      for (int r = j + 1; r < 4; ++r) {
        const Real f = A[r][j] / A[j][j];
        for (int l = j + 1; l < 5; ++l) A[r][l] -= f * A[j][l];
      }
    }
    P_[3] = Real(0);
    for (int r = last - 1; r >= 0; --r) {
      Real sum = A[r][4];
      for (int j = r + 1; j < last; ++j) sum -= A[r][j] * P_[j];
      P_[r] = sum / A[r][r];
    }
    return last == 4 || split();
  }

  bool split() {
    const Real ratio = G_[1][3] / G_[1][1], share = mu_[1] * P_[2];
    const Real total = mu_[0] * P_[0] + absolute(ratio) * share, S = P_[1];
    if (!(total > Real(0))) return false;
    P_[1] = S / total * (mu_[0] * P_[0]);
    P_[3] = S / total * (ratio < Real(0) ? -share : share);
    return true;
  }

  void weigh(int i, const Judge<Real>& judge, ContactResult<Real>& out, FewVerdict<Branch, Real>& verdict) const {
    const int n = 2 * i, t = n + 1;
    const auto c_max = [this] {
      return larger(larger(absolute(c_[0]), absolute(c_[2])), larger(absolute(c_[1]), absolute(c_[3])));
    };
    const Real xi_N = xi(n), xi_T = xi(t), s = larger(G_[n][n], G_[t][t]);
    const Real v_N = added_up_from(n), v_T = added_up_from(t);
    out = {P_[n], P_[t], 1, 1};
    verdict = worse(verdict, weigh_row<Branch>(true, xi_N, absolute(c_[n]), c_max, v_N, judge));
    out.sigma_N = sigma_N<Branch>(true, s * P_[n], xi_N, judge.sigma_margin * v_N);
    if (slips_[i]) return;
    verdict = worse(verdict, weigh_row<Branch>(true, xi_T, absolute(c_[t]), c_max, v_T, judge));
    out.sigma_T = sigma_T<Branch>(true, absolute(s * P_[t] - xi_T), mu_[i] * (s * P_[n]), judge.sigma_margin * v_T);
  }

  // Of a diagonal of G: below, what elimination has left is rounding.
  static constexpr Real smallest_pivot = Real(64) * epsilon<Real>;

  Real G_[4][4], c_[4], mu_[2];
  bool slips_[2];
  Real drag_[2], P_[4];
};

// The pair in a place of its own: a step keeps it in its workspace, so that its numbers stay in registers wherever
// nothing sticks.
template <class Real>
struct StickingPair {
  PlanarContact<Real> p, q;
  Coupling<Real> x;
  ContactResult<Real> a, b;
  FewVerdict<Branch, Real> verdict;

  // False where no answer is found that the judge would call ok.
  MOREAU_NOINLINE MOREAU_COLD bool solve(const Judge<Real>& judge) {
    a = b = {};
    verdict = {};
    return PairModes<Real>(p, q, x).solve(judge, a, b, verdict) && !verdict.refused;
  }
};

}  // namespace detail
}  // namespace moreau
