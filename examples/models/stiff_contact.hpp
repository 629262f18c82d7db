// Spring-damper contact for a joint with play, as in multibody codes without contact laws: a force part with the
// geometry of the joint and forces in place of percussions (Lankarani and Nikravesh).
//
//   f_N = K d^1.5 (1 + 3 (1 - eps^2) / 4  d' / v_0),   d = -g_N > 0,  v_0 = -g_N' at first contact
//   f_T = mu f_N min(v_T / v_stick, 1)
//
// v_0 is stored: call watch() with the state before every step.
#pragma once
#include <array>

#include <moreau/mechanism.hpp>

namespace models {

template <class R, class Joint>
struct StiffContact {
  static constexpr int body_A = Joint::body_A, body_B = Joint::body_B;
  using BodyState = moreau::BodyState<R>;
  using Point = moreau::Point<R>;

  Joint joint;
  R K{6.6e10};                                        // N/m^1.5: steel on steel
  R v_stick{1e-2};                                    // m/s
  std::array<R, std::size_t(Joint::contacts)> v_0{};  // m/s
  std::array<bool, std::size_t(Joint::contacts)> touching{};

  void watch(const BodyState& a, const BodyState& b) {
    for (int k = 0; k < Joint::contacts; ++k) {
      const auto c = joint.contact(k, a.frame, b.frame);
      const R approach = -moreau::dot(c.n, b.velocity_of(c.p) - a.velocity_of(c.p));
      const std::size_t i = std::size_t(k);
      if (c.g_N < R(0) && !touching[i]) v_0[i] = approach > R(1e-3) ? approach : R(1e-3);
      touching[i] = c.g_N < R(0);
    }
  }

  moreau::Action<R> action(const BodyState& a, const BodyState& b, R) const {
    moreau::Action<R> sum{};
    for (int k = 0; k < Joint::contacts; ++k) {
      const auto c = joint.contact(k, a.frame, b.frame);
      if (!(c.g_N < R(0))) continue;
      const Point t = -moreau::quarter_turn(c.n), v = b.velocity_of(c.p) - a.velocity_of(c.p);
      const R d = -c.g_N, v_n = v_0[std::size_t(k)] > R(0) ? v_0[std::size_t(k)] : R(1e-3);
      const R damped = R(1) - R(0.75) * (R(1) - joint.law.eps_N * joint.law.eps_N) * moreau::dot(c.n, v) / v_n;
      const R f_N = damped > R(0) ? K * d * moreau::sqrt(d) * damped : R(0);
      const R share = moreau::dot(t, v) / v_stick;
      const R f_T = -joint.law.mu * f_N * (share > R(1) ? R(1) : (share < R(-1) ? R(-1) : share));
      const Point f = f_N * c.n + f_T * t;
      add(sum.A, wrench_at(a.frame, c.p, -f));
      add(sum.B, wrench_at(b.frame, c.p, f));
    }
    return sum;
  }

 private:
  static void add(moreau::Wrench<R>& sum, const moreau::Wrench<R>& w) {
    sum.force = sum.force + w.force;
    sum.moment += w.moment;
  }
};

}  // namespace models
