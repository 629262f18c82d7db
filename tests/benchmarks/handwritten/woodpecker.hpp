// The step of the woodpecker toy, hand-written for this mechanism only: a reference for the cost of the library's
// step. All constants are precomputed; gravity accelerates all coordinates as in free fall (M^-1 h = (-g, 0, 0)); the
// two edges of the sleeve have equal directions up to the sign.
//
// It solves only the cases of its trajectory and checks nothing: two simultaneous contacts are only counted.
#pragma once
#include "models/woodpecker.hpp"

namespace counting {

template <class Real>
struct HandWoodpecker {
  Real q[3], u[3], P_N[3], P_T[3];
  unsigned steps = 0, unsolved = 0;

  explicit HandWoodpecker(const models::Woodpecker<Real>& model, Real dt) {
    moreau::detail::Cholesky<Real, 3> M;
    (void)M.factor(model.mass(moreau::Vector<Real, 3>::Zero(), Real(0)));
    const auto spring = M.solve(moreau::Vector<Real, 3>(Real(0), Real(-1), Real(1)));
    for (int i = 0; i < 3; ++i) {
      q[i] = model.start().q(i);
      u[i] = model.start().u(i);
      P_N[i] = P_T[i] = Real(0);
      kick[i] = spring(i) * model.c_phi * dt;
    }
    half_dt = dt / 2;
    fall = model.gravity * dt;
    beak = model.l_M + model.l_G - model.l_S - model.r_O;
    h_S = model.h_S;
    h_M = model.h_M;
    play = model.r_M - model.r_O;
    for (int i = 0; i < 3; ++i) {
      const auto d = model.directions(i, moreau::Vector<Real, 3>::Zero(), Real(0));
      const moreau::Vector<Real, 3> w_T = d.w_T.col(0), n = M.solve(d.w_N), t = M.solve(w_T);
      Contact& c = contact[i];
      for (int j = 0; j < 3; ++j) {
        c.n[j] = n(j);
        c.t[j] = t(j);
      }
      c.arm_N = i == 0 ? d.w_N(2) : d.w_N(1);
      c.arm_T = i == 0 ? d.w_T(2) : d.w_T(1);
      c.l_M = i == 0 ? d.w_T(1) : Real(0);
      c.one_plus_eps = Real(1) + model.law(i).eps_N;
      c.mu = model.mu;
      c.NN = moreau::dot(d.w_N, n);
      c.NT = moreau::dot(d.w_N, t);
      c.TT = moreau::dot(w_T, t);
      c.stick = Real(1) / (c.NN * c.TT - c.NT * c.NT);
      c.plus = Real(-1) / (c.NN - c.mu * c.NT);
      c.minus = Real(-1) / (c.NN + c.mu * c.NT);
    }
  }

  void step() {
    const Real a = q[1] + half_dt * u[1], b = q[2] + half_dt * u[2];
    const Real twist = a - b;
    Real v[3] = {u[0] - fall + kick[0] * twist, u[1] + kick[1] * twist, u[2] + kick[2] * twist};
    const Real edge = h_M * a;
    const bool closed[3] = {beak - h_S * b <= Real(0), play + edge <= Real(0), play - edge <= Real(0)};
    for (int i = 0; i < 3; ++i) P_N[i] = P_T[i] = Real(0);
    if (closed[0] || closed[1] || closed[2]) {
      if (closed[0] + closed[1] + closed[2] > 1) ++unsolved;
      const int i = closed[0] ? 0 : (closed[1] ? 1 : 2);
      const int j = closed[0] ? 2 : 1;
      const Contact& c = contact[i];
      const Real c_N = c.arm_N * (v[j] + (c.one_plus_eps - Real(1)) * u[j]);
      if (c_N < Real(0)) {
        Real c_T = v[0] + c.arm_T * v[j];
        if (i == 0) c_T += c.l_M * v[1];
        Real N = (c.NT * c_T - c.TT * c_N) * c.stick, T = (c.NT * c_N - c.NN * c_T) * c.stick;
        if (T > c.mu * N) {
          N = c_N * c.minus;
          T = c.mu * N;
        } else if (T < -c.mu * N) {
          N = c_N * c.plus;
          T = -c.mu * N;
        }
        for (int m = 0; m < 3; ++m) v[m] += c.n[m] * N + c.t[m] * T;
        P_N[i] = N;
        P_T[i] = T;
      }
    }
    q[0] += half_dt * (u[0] + v[0]);
    q[1] = a + half_dt * v[1];
    q[2] = b + half_dt * v[2];
    for (int m = 0; m < 3; ++m) u[m] = v[m];
    ++steps;
  }

 private:
  struct Contact {
    Real n[3], t[3], arm_N, arm_T, l_M, one_plus_eps, mu, NN, NT, TT, stick, plus, minus;
  };
  Real kick[3], half_dt, fall, beak, h_S, h_M, play;
  Contact contact[3];
};

}  // namespace counting
