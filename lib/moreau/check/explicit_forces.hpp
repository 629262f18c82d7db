// Stability limits of explicit springs and dampers in `force`, for a step of dt.
//
//   dt omega < 2,   omega^2 = largest eigenvalue of -M^-1 dh/dq
//   dt delta < 2,   delta   = largest eigenvalue of -M^-1 dh/du
//
// Beyond either limit the motion grows without bound. Steps still return ok, because no contact law is violated.
// Without predicted_force, the stricter combined limit of step/force.hpp governs stability; this check does not test
// the combined limit. The check requires CheckOptions::dt. Power iteration from a single start vector, with derivatives
// by central differences, estimates the eigenvalues. The result is a lower bound with an error of a few per cent. If
// the dominant eigenvalue is negative, as for an inverted pendulum, a second iteration with a shift by this eigenvalue
// follows.
#pragma once

#include "moreau/check/findings.hpp"
#include "moreau/contact/mass.hpp"
#include "moreau/math/cholesky.hpp"
#include "moreau/math/sqrt.hpp"
#include "moreau/model/evaluation.hpp"

namespace moreau {
namespace detail {

// Returns the largest eigenvalue of -M^-1 dh, or 0 if none is positive. slope(v) is the derivative of h along v.
template <class Real, int n, class Slope>
Real largest_rate(const Matrix<Real, n, n>& M, const Cholesky<Real, n>& factors, const Slope& slope,
                  Vector<Real, n>& v) {
  constexpr int rounds = 60;
  Real rate = Real(0), shift = Real(0);
  for (int pass = 0; pass < 2; ++pass) {
    for (int i = 0; i < n; ++i) v(i) = Real(1) - Real(i) / Real(2 * n);
    for (int round = 0; round < rounds; ++round) {
      const Vector<Real, n> dh = slope(v);
      Vector<Real, n> Mv = Vector<Real, n>::Zero();
      for (int j = 0; j < n; ++j) add_scaled(Mv, v(j), Vector<Real, n>(M.col(j)));
      rate = -dot(v, dh) / dot(v, Mv);
      Vector<Real, n> next = Real(-1) * factors.solve(dh);
      add_scaled(next, -shift, v);
      Real size = Real(0);
      for (int i = 0; i < n; ++i) size = larger(size, absolute(next(i)));
      if (!(size > Real(0))) return larger(rate, Real(0));
      v = next / size;
    }
    if (!(rate < Real(0))) return rate;
    shift = rate;
  }
  return larger(rate, Real(0));
}

// Power iteration over the steps of a run, one round per step, on the motions that the ideal joints permit. It detects
// springs and dampers that become too stiff for dt during the run.
template <class Model>
class StabilityProbe {
  using Real = typename Traits<Model>::Real;
  using Q = Vector<Real, Traits<Model>::dof>;
  using M = Matrix<Real, Traits<Model>::dof, Traits<Model>::dof>;

 public:
  // Executes one round at (q, u, t) and adds dt omega and dt delta to the report.
  void look(const Model& model, const Q& q, const Q& u, Real t, Real dt, Real h, CheckReport<Real>& report) {
    const Evaluation<Model> at(model, q, t);
    const M mass = at.mass();
    EffectiveMass<Model, FactorsOf<Model>> factors;
    if (!factors.factor(mass) || !factors.factor_joints(at)) return;
    const auto force = [&](const Q& there, const Q& speed) { return Evaluation<Model>(model, there, t).force(speed); };
    const auto moved = [&](const Q& d) { return displaced(model, q, d); };
    const auto round = [&](Q& v, const auto& slope) {
      v = permitted(v, mass, factors);
      const Q dh = slope(v);
      const Real rate = -dot(v, dh) / dot(v, Q(mass * v));
      typename EffectiveMass<Model, FactorsOf<Model>>::Multipliers unused;
      const Q next = factors.constrained_change(Q(-dh), unused);
      const Real size = next.cwiseAbs().maxCoeff();
      if (size > Real(0) && finite_probe(size) == Real(0)) v = next / size;
      return rate;
    };
    const Real square =
        round(v_q_, [&](const Q& v) { return Q((force(moved(h * v), u) - force(moved(-h * v), u)) / (2 * h)); });
    const Real delta =
        round(v_u_, [&](const Q& v) { return Q((force(q, u + h * v) - force(q, u - h * v)) / (2 * h)); });
    if (square > Real(0)) report.add({Member::stiffness, 0, -1, dt * sqrt(square), Real(2)});
    if (delta > Real(0)) report.add({Member::damping, 0, -1, dt * delta, Real(2)});
  }

 private:
  // Returns the projection of v onto the permitted motions, after the addition of a small fixed vector that excites
  // every direction.
  template <class Factors>
  static Q permitted(Q v, const M& mass, const Factors& factors) {
    constexpr Real excitation = Real(0.1);
    for (int d = 0; d < Traits<Model>::dof; ++d)
      v(d) += excitation * (Real(1) - Real(d) / Real(2 * Traits<Model>::dof));
    typename Factors::Multipliers unused;
    return factors.constrained_change(Q(mass * v), unused);
  }
  Q v_q_ = Q::Zero(), v_u_ = Q::Zero();
};

// Adds dt omega and dt delta at (q, u, t) to the report.
template <class Model, class Q, class Real>
void check_explicit_forces(const Model& model, const Q& q, const Q& u, Real t, const CheckOptions<Real>& options,
                           CheckReport<Real>& report) {
  constexpr int n = Traits<Model>::dof;
  const Matrix<Real, n, n> M = Evaluation<Model>(model, q, t).mass();
  Cholesky<Real, n> factors;
  if (!(options.dt > Real(0)) || !factors.factor(M)) return;
  const Real h = options.step_q;
  const auto add = [&](Member member, Real amount, const Q& v) {
    int stiffest = 0;
    for (int i = 1; i < n; ++i)
      if (absolute(v(i)) > absolute(v(stiffest))) stiffest = i;
    report.add({member, 0, stiffest, amount, Real(2)});
  };
  const auto force = [&](const Q& there, const Q& speed) { return Evaluation<Model>(model, there, t).force(speed); };
  const auto moved = [&](const Q& d) { return displaced(model, q, d); };
  Q v;
  const Real square = largest_rate<Real, n>(
      M, factors, [&](const Q& d) { return Q((force(moved(h * d), u) - force(moved(-h * d), u)) / (2 * h)); }, v);
  add(Member::stiffness, options.dt * sqrt(square), v);
  const Real delta = largest_rate<Real, n>(
      M, factors, [&](const Q& d) { return Q((force(q, u + h * d) - force(q, u - h * d)) / (2 * h)); }, v);
  add(Member::damping, options.dt * delta, v);
}

}  // namespace detail
}  // namespace moreau
