// The inverse mass that contacts feel: M^-1, less what the ideal joints (bilateral rows B) hold fast.
//
//   u_E = u_A + M^-1 (h dt + W P + B P_B),   B^T u_E + zeta_B = 0
//   =>  effective inverse mass  M^-1 - Y S^-1 Y^T,   Y = M^-1 B,  S = B^T Y
//
// Joints that bend: a velocity that obeys B(q_M) does not obey B(q_E), and projecting it in every step takes energy
// out, (dt omega)^2 / 2 of it each time. A model that gives bend = (dB/dt)^T u is held to
//
//   B^T u_E + zeta_B + dt/2 bend(u_A) = 0                     B(q_E)^T u_E + zeta_B = 0 but for dt^2
//
// with impulses along B(q_M): symmetric in time, and of second order where nothing is in contact.
//
// A dependent set of rows has a singular S: the step returns constraints_dependent and chooses none of them.
#pragma once

#include "moreau/contact/diagonal_mass.hpp"
#include "moreau/math/cholesky.hpp"
#include "moreau/model/evaluation.hpp"

namespace moreau {

template <class Model, int bilaterals = Traits<Model>::bilaterals, bool diagonal = Traits<Model>::diagonal_mass>
class EffectiveMass {
 public:
  using Real = typename Traits<Model>::Real;
  static constexpr int dof = Traits<Model>::dof;
  using Q = Vector<Real, dof>;
  using Multipliers = Vector<Real, bilaterals>;

  [[nodiscard]] bool factor(const Matrix<Real, dof, dof>& M) { return M_.factor(M); }

  // With `ahead` (s) the rows are those of that much later, if the model has bend().
  [[nodiscard]] bool constrain(const Evaluation<Model>& at, const Q& u = Q::Zero(), Real ahead = Real(0)) {
    Matrix<Real, bilaterals, bilaterals> S;
    for (int i = 0; i < bilaterals; ++i) {
      const Bilateral<Real, dof> row = at.bilateral(i);
      B_[std::size_t(i)] = row.w;
      zeta_.coeffRef(i) = row.zeta;
      if constexpr (Contract<Model>::has_bend) zeta_.coeffRef(i) += ahead * at.bend(i, u);
      Y_[std::size_t(i)] = M_.solve(row.w);
      for (int j = 0; j <= i; ++j) S.coeffRef(i, j) = dot(B_[std::size_t(i)], Y_[std::size_t(j)]);
    }
    return S_.factor(S);
  }

  // M^-1 b, joints ignored; only what Sparsity has an entry for is looked at.
  template <class Sparsity = AllEntries>
  Q free(const Q& b) const {
    Q known;
    for_each_index<dof>([&](auto d) { known.coeffRef(d) = Sparsity::entry(d) ? b.coeff(d) : Real(0); });
    return M_.solve(known);
  }

  // P_B that makes B^T (u + Y P_B) + zeta = 0.
  template <class Sparsity = AllEntries>
  Multipliers hold(const Q& u, bool with_zeta) const {
    Multipliers gamma;
    for (int i = 0; i < bilaterals; ++i)
      gamma.coeffRef(i) = -(dot(B_[std::size_t(i)], u) + (with_zeta ? zeta_.coeff(i) : Real(0)));
    return S_.solve(gamma);
  }
  void add(Q& u, const Multipliers& P_B) const {
    for (int i = 0; i < bilaterals; ++i) add_scaled(u, P_B.coeff(i), Y_[std::size_t(i)]);
  }

  // One step of the position projection in the metric of M: q is moved so that g + w^T dq = 0.
  void project(Q& q, const Evaluation<Model>& at) const {
    Multipliers g;
    for (int i = 0; i < bilaterals; ++i) g.coeffRef(i) = -at.bilateral(i).g;
    add(q, S_.solve(g));
  }

 private:
  Cholesky<Real, dof> M_;
  std::array<Q, std::size_t(bilaterals)> B_, Y_;
  Multipliers zeta_;
  Cholesky<Real, bilaterals> S_;
};

// Without ideal joints nothing of this remains but M^-1.
template <class Model>
class EffectiveMass<Model, 0, false> {
 public:
  using Real = typename Traits<Model>::Real;
  static constexpr int dof = Traits<Model>::dof;
  [[nodiscard]] bool factor(const Matrix<Real, dof, dof>& M) { return M_.factor(M); }
  Vector<Real, dof> free(const Vector<Real, dof>& b) const { return M_.solve(b); }

 private:
  Cholesky<Real, dof> M_;
};

template <class Model, int bilaterals>
class EffectiveMass<Model, bilaterals, true> : public DiagonalMass<Model, bilaterals> {};

}  // namespace moreau
