// Check of bias accelerations by finite differences along the motion (q + h u, t + h) at constant u or, with drift(),
// along the free motion over h.
//
//   bias_acceleration            rate of w^T u                of ideal joints
//   contact_bias_acceleration    rates of gamma_N, gamma_T    of contacts, gamma = w^T u + zeta
//   friction_bias_acceleration   rate of w^T u + zeta         of friction elements
#pragma once

#include "moreau/check/findings.hpp"
#include "moreau/model/evaluation.hpp"

namespace moreau {
namespace detail {

// Checker of the bias accelerations at one configuration and velocity.
template <class Model>
class BiasChecker {
  using T = Traits<Model>;
  using Real = typename T::Real;
  using Q = Vector<Real, T::dof>;

 public:
  BiasChecker(const Model& model, const Q& q, const Q& u, Real t, const CheckOptions<Real>& options,
              CheckReport<Real>& report)
      : model_(model), at_(model, q, t), q_(q), u_(u), t_(t), options_(options), report_(report) {}

  void check_bilateral(int j) {
    if constexpr (Contract<Model>::has_bias_acceleration)
      compare(Member::bias_acceleration, j, 0, Real(0), at_.bias_acceleration(j, u_), dot(at_.bilateral(j).w, u_),
              [&](const Evaluation<Model>& there, const Q& u) { return dot(there.bilateral(j).w, u); });
  }

  // `error`: permitted relative error, in addition to options.tolerance.
  void check_contact(int i, Real error) {
    if constexpr (Contract<Model>::has_contact_bias) {
      const auto bias = at_.contact_bias_acceleration(i, u_);
      const auto gamma_N = [&](const Evaluation<Model>& there, const Q& u) {
        const auto d = there.directions(i);
        return dot(d.w_N, u) + d.zeta_N;
      };
      compare(Member::contact_bias_acceleration, i, 0, error, bias.N, gamma_N(at_, u_), gamma_N);
      for_each_index<T::tangents>([&](auto k) {
        const auto gamma_T = [&](const Evaluation<Model>& there, const Q& u) {
          const auto d = there.directions(i);
          return dot(Q(d.w_T.col(k)), u) + component(d.zeta_T, k);
        };
        compare(Member::contact_bias_acceleration, i, 1 + k, error, component(bias.T, k), gamma_T(at_, u_), gamma_T);
      });
    }
  }

  void check_friction(int j) {
    if constexpr (Contract<Model>::has_friction_bias) {
      const auto bias = at_.friction_bias_acceleration(j, u_);
      for_each_index<T::friction_dim>([&](auto k) {
        const auto gamma = [&](const Evaluation<Model>& there, const Q& u) {
          const auto d = there.friction_directions(j);
          return dot(Q(d.w.col(k)), u) + component(d.zeta, k);
        };
        compare(Member::friction_bias_acceleration, j, k, Real(0), component(bias, k), gamma(at_, u_), gamma);
      });
    }
  }

 private:
  // Compares `bias` with the finite difference of velocity(evaluation, u), whose value at (q, u, t) is `gamma`. If the
  // directions rotate considerably within options.step_t, as those of a pin in a small clearance, the difference
  // quotients of this step and of a smaller one differ. Twice their difference is permitted. This bound also covers a
  // jump, where the contact changes its surface, so this check does not report jumps.
  template <class Velocity>
  void compare(Member member, int index, int coordinate, Real error, Real bias, Real gamma, const Velocity& velocity) {
    const auto rate = [&](Real step) {
      return difference<Real>(step, [&](Real h) {
        Q there = q_;
        const Q speed = drifted(model_, there, u_, h);
        return velocity(Evaluation<Model>(model_, there, t_ + h), speed);
      });
    };
    const Real step = options_.step_t / 8, expected = rate(step);
    const Real noise =
        Real(8) * epsilon<Real> * absolute(gamma) / step + Real(2) * absolute(expected - rate(options_.step_t));
    const Real size = larger(absolute(bias), absolute(expected)) + options_.length;
    const Real allowed = (options_.tolerance + error) * size + noise;
    report_.add({member, index, coordinate, absolute(bias - expected), allowed});
  }

  const Model& model_;
  const Evaluation<Model> at_;
  const Q &q_, &u_;
  const Real t_;
  const CheckOptions<Real>& options_;
  CheckReport<Real>& report_;
};

}  // namespace detail
}  // namespace moreau
