// Forces a step of dt cannot follow. The step is explicit in h(q_M, u_A, t_M), so that it grows without bound for
//
//   dt omega >= 2,   omega^2 the largest eigenvalue of  M^-1 K,   K = -dh/dq
//   dt delta >= 2,   delta   the largest eigenvalue of  M^-1 D,   D = -dh/du
//
// K and D are differences of the model's force; with ideal joints M^-1 is that of the motions they leave. Eigenvalues
// are estimated by power iteration and the Rayleigh quotient x^T K x / x^T M x, in a bounded number of iterations. Where
// the largest in magnitude is negative (a force that drives away), it is shifted to zero and the rest is looked at.
#pragma once

#include "moreau/check/differences.hpp"
#include "moreau/check/findings.hpp"
#include "moreau/math/cholesky.hpp"
#include "moreau/math/sqrt.hpp"
#include "moreau/model/evaluation.hpp"
#include "moreau/model/state.hpp"

namespace moreau {
namespace detail {

constexpr int power_iterations = 60;

// x -> M^-1 x, and with ideal joints x -> (M^-1 - M^-1 B (B^T M^-1 B)^-1 B^T M^-1) x.
template <class Model, class Real = typename Traits<Model>::Real>
class FreeMotions {
  static constexpr int dof = Traits<Model>::dof, joints = Traits<Model>::bilaterals;
  using Q = Vector<Real, dof>;

 public:
  explicit FreeMotions(const Evaluation<Model>& at) {
    sound_ = mass_.factor(at.mass());
    if constexpr (joints > 0) {
      Matrix<Real, joints, joints> G;
      for (int i = 0; i < joints; ++i) {
        B_[std::size_t(i)] = at.bilateral(i).w;
        Z_[std::size_t(i)] = mass_.solve(B_[std::size_t(i)]);
        for (int j = 0; j <= i; ++j) G(i, j) = G(j, i) = dot(B_[std::size_t(j)], Z_[std::size_t(i)]);
      }
      sound_ = rows_.factor(G) && sound_;
    }
  }
  bool sound() const { return sound_; }
  Q operator()(const Q& x) const {
    Q z = mass_.solve(x);
    if constexpr (joints > 0) {
      Vector<Real, joints> g;
      for (int i = 0; i < joints; ++i) g(i) = dot(B_[std::size_t(i)], z);
      const Vector<Real, joints> P = rows_.solve(g);
      for (int i = 0; i < joints; ++i) z -= P(i) * Z_[std::size_t(i)];
    }
    return z;
  }

 private:
  Cholesky<Real, dof> mass_;
  Cholesky<Real, joints> rows_;
  std::array<Q, std::size_t(joints)> B_, Z_;
  bool sound_ = false;
};

// The largest eigenvalue of F A and the coordinate that moves most with it.
template <class Free, class Real, int n>
Real largest_eigenvalue(const Free& free, const Matrix<Real, n, n>& M, const Matrix<Real, n, n>& A, int& coordinate) {
  Real shift = Real(0), value = Real(0);
  for (int turn = 0; turn < 2; ++turn) {
    Vector<Real, n> x;
    for (int k = 0; k < n; ++k) x(k) = Real(1) + Real(k % 3) / 4 + Real(k) / 16;  // not symmetric in any pair
    for (int i = 0; i < power_iterations; ++i) {
      x = free(Vector<Real, n>(A.lazyProduct(x) + shift * M.lazyProduct(x)));
      Real largest = Real(0);
      for (int k = 0; k < n; ++k) {
        if (absolute(x(k)) <= largest) continue;
        largest = absolute(x(k));
        coordinate = k;
      }
      if (!(largest > Real(0) && finite_probe(largest) == Real(0))) return Real(0);
      x /= largest;
    }
    value = dot(x, Vector<Real, n>(A.lazyProduct(x))) / dot(x, Vector<Real, n>(M.lazyProduct(x)));
    if (value >= Real(0)) return value;
    shift -= value;
  }
  return value;
}

template <class Model, class Real = typename Traits<Model>::Real, class Q = Vector<Real, Traits<Model>::dof>>
void look_at_stability(const Model& model, const Q& q, const Q& u, Real t, Real dt, const CheckOptions<Real>& options,
                       CheckReport<Real>& report) {
  constexpr int n = Traits<Model>::dof;
  const Evaluation<Model> at(model, q, t);
  const FreeMotions<Model> free(at);
  if (!free.sound()) return;  // which is a finding of its own
  Matrix<Real, n, n> K, D;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      K(i, j) = -difference(options.step_q, [&](Real h) {
        Q there = q;
        there(j) += h;
        return Evaluation<Model>(model, there, t).force(u)(i);
      });
      D(i, j) = -difference(options.step_q, [&](Real h) {
        Q faster = u;
        faster(j) += h;
        return at.force(faster)(i);
      });
    }
  const Matrix<Real, n, n> M = at.mass();
  int coordinate = 0;
  const Real stiffness = largest_eigenvalue(free, M, K, coordinate);
  report.add({Member::stiffness, 0, coordinate, stiffness > Real(0) ? dt * sqrt(stiffness) : Real(0), Real(2)});
  const Real damping = largest_eigenvalue(free, M, D, coordinate);
  report.add({Member::damping, 0, coordinate, damping > Real(0) ? dt * damping : Real(0), Real(2)});
}

// The overlap of a start beyond what a contact is meant to keep.
template <class Model, class Real = typename Traits<Model>::Real>
void look_at_start(const Model& model, const State<Model>& start, const CheckOptions<Real>& options,
                   CheckReport<Real>& report) {
  const Evaluation<Model> at(model, start.q, Real(start.time()));
  for (int i = 0; i < Traits<Model>::contacts; ++i) {
    Real kept = Real(0);
    if constexpr (Contract<Model>::has_depth) kept = model.depth(i);
    const Real gap = at.gap(i);
    report.add({Member::penetration, i, 0, gap < Real(0) ? -gap : finite_probe(gap), kept + options.overlap});
  }
}

}  // namespace detail
}  // namespace moreau
