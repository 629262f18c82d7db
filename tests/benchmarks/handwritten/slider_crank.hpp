// The step of the slider-crank, hand-written for this mechanism only: a reference for the cost of the library's step.
// Crank and rod form a 2x2 block of M, the slider's rotation is decoupled; the four gaps depend on height, tilt and
// width of the slider.
//
// One corner is solved with slip in either direction, two corners with the directions of the free slip. Sticking, and
// cases that those directions do not solve, are only counted.
#pragma once
#include "models/slider_crank.hpp"

namespace counting {

template <class Real>
struct HandSliderCrank {
  Real q[3], u[3], P_N[4], P_T[4];
  unsigned steps = 0, unsolved = 0;

  explicit HandSliderCrank(const models::SliderCrank<Real>& m, Real a_dt) : dt(a_dt), half_dt(a_dt / 2) {
    for (int i = 0; i < 3; ++i) {
      q[i] = m.start().q(i);
      u[i] = m.start().u(i);
    }
    M00 = m.J_1 + (m.m_1 / 4 + m.m_2 + m.m_3) * m.l_1 * m.l_1;
    M11 = m.J_2 + (m.m_2 / 4 + m.m_3) * m.l_2 * m.l_2;
    k01 = (m.m_2 / 2 + m.m_3) * m.l_1 * m.l_2;
    per_J_3 = 1 / m.J_3;
    weight_1 = (m.m_1 / 2 + m.m_2 + m.m_3) * m.gravity * m.l_1;
    weight_2 = (m.m_2 / 2 + m.m_3) * m.gravity * m.l_2;
    l_1 = m.l_1;
    l_2 = m.l_2;
    a = m.a;
    b = m.b;
    height = m.play + m.b;
    eps = m.eps_N;
    mu = m.mu;
  }

  void step() {
    const Real q0 = q[0] + half_dt * u[0], q1 = q[1] + half_dt * u[1], q2 = q[2] + half_dt * u[2];
    const auto one = moreau::sincos(q0), two = moreau::sincos(q1), three = moreau::sincos(q2);
    const Real M01 = k01 * (two.cos * one.cos + two.sin * one.sin);
    const Real k = k01 * (two.sin * one.cos - two.cos * one.sin);
    const Real h0 = k * u[1] * u[1] - weight_1 * one.cos, h1 = -k * u[0] * u[0] - weight_2 * two.cos;
    const Real per_det = 1 / (M00 * M11 - M01 * M01);
    I00 = M11 * per_det;
    I01 = -M01 * per_det;
    I11 = M00 * per_det;
    Real v[3] = {u[0] + dt * (I00 * h0 + I01 * h1), u[1] + dt * (I01 * h0 + I11 * h1), u[2]};
    const Real y = l_1 * one.sin + l_2 * two.sin, tilt = a * three.sin;
    const Real room = height - b * three.cos;
    const Real g[4] = {room - y + tilt, room - y - tilt, room + y - tilt, room + y + tilt};
    for (int i = 0; i < 4; ++i) P_N[i] = P_T[i] = Real(0);
    int closed[4], k_closed = 0;
    for (int i = 0; i < 4; ++i)
      if (g[i] <= Real(0)) closed[k_closed++] = i;
    if (k_closed > 0) {
      Row row[2];
      for (int c = 0; c < (k_closed < 2 ? 1 : 2); ++c) {
        const int i = closed[c];
        const Real up = i < 2 ? Real(1) : Real(-1), x = i % 2 == 1 ? a : -a, y_c = up * b;
        Row& r = row[c];
        r.w[0] = -up * l_1 * one.cos;
        r.w[1] = -up * l_2 * two.cos;
        r.w[2] = b * three.sin - up * x * three.cos;
        const Real t0 = -l_1 * one.sin, t1 = -l_2 * two.sin, t2 = -x * three.sin - y_c * three.cos;
        const Real slip = t0 * v[0] + t1 * v[1] + t2 * v[2];
        const Real drag = slip > 0 ? -mu : mu;
        const Real free = r.w[0] * v[0] + r.w[1] * v[1] + r.w[2] * v[2];
        r.c = free + eps * (r.w[0] * u[0] + r.w[1] * u[1] + r.w[2] * u[2]);
        const Real d0 = r.w[0] + drag * t0, d1 = r.w[1] + drag * t1, d2 = r.w[2] + drag * t2;
        r.z[0] = I00 * d0 + I01 * d1;
        r.z[1] = I01 * d0 + I11 * d1;
        r.z[2] = per_J_3 * d2;
        r.drag = drag;
        r.G = r.w[0] * r.z[0] + r.w[1] * r.z[1] + r.w[2] * r.z[2];
      }
      if (k_closed == 1) {
        if (row[0].c < 0) carry(closed[0], row[0], -row[0].c / row[0].G, v);
      } else {
        const Row &r = row[0], &s = row[1];
        const Real rs = r.w[0] * s.z[0] + r.w[1] * s.z[1] + r.w[2] * s.z[2];
        const Real sr = s.w[0] * r.z[0] + s.w[1] * r.z[1] + s.w[2] * r.z[2];
        const Real det = r.G * s.G - rs * sr;
        const Real n0 = rs * s.c - s.G * r.c, n1 = sr * r.c - r.G * s.c;
        if (n0 >= 0 && n1 >= 0 && det > 0) {
          carry(closed[0], r, n0 / det, v);
          carry(closed[1], s, n1 / det, v);
        } else if (r.c < 0 && sr * r.c <= r.G * s.c) {
          carry(closed[0], r, -r.c / r.G, v);
        } else if (s.c < 0 && rs * s.c <= s.G * r.c) {
          carry(closed[1], s, -s.c / s.G, v);
        } else if (r.c < 0 || s.c < 0 || k_closed > 2) {
          ++unsolved;
        }
      }
    }
    q[0] = q0 + half_dt * v[0];
    q[1] = q1 + half_dt * v[1];
    q[2] = q2 + half_dt * v[2];
    for (int i = 0; i < 3; ++i) u[i] = v[i];
    ++steps;
  }

 private:
  struct Row {
    Real w[3], z[3], c, drag, G;
  };
  void carry(int i, const Row& r, Real N, Real* v) {
    for (int j = 0; j < 3; ++j) v[j] += r.z[j] * N;
    P_N[i] = N;
    P_T[i] = r.drag * N;
  }
  Real dt, half_dt, M00, M11, k01, per_J_3, weight_1, weight_2, l_1, l_2, a, b, height, eps, mu;
  Real I00, I01, I11;
};

}  // namespace counting
