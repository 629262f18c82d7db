// The inverse mass that contacts feel: M^-1, less what the ideal joints (bilateral rows B) hold fast.
//
//   u_E = u_A + M^-1 (h dt + W P + B P_B),   B^T u_E + zeta_B = 0
//   =>  effective inverse mass  M^-1 - Y S^-1 Y^T,   Y = M^-1 B,  S = B^T Y
//
// Joints that bias_acceleration: a velocity that obeys B(q_M) does not obey B(q_E), and projecting it in every step takes energy
// out, (dt omega)^2 / 2 of it each time. A model that gives bias_acceleration = (dB/dt)^T u is held to
//
//   B^T u_E + zeta_B + dt/2 bias_acceleration(u_A) = 0                     B(q_E)^T u_E + zeta_B = 0 but for dt^2
//
// with impulses along B(q_M): symmetric in time, and of second order where nothing is in contact.
//
// A dependent set of rows has a singular S: the step says constraints_dependent and does not choose among them.
//
// DiagonalMass: the same of a model in maximal coordinates: M is diagonal, and a bilateral row touches few of them.
//
//   M^-1 = diag(1 / m),   Y = M^-1 B,   S = B^T Y:  S_ij = 0 where rows i and j touch no coordinate in common
//
// What a row touches is known at compile time (Model::touches(row, coordinate)), so for a four-bar or a slider-crank
// half of the arithmetic is left out, and no loop remains. With more rows than `written_out_rows` the code would grow
// without end: then S is factored densely.
//
// StepMass: as a step of few contacts uses it. M^-1 is kept from the start on where M is constant, factored in registers
// where it is not; behind ideal joints it is the effective one, in the room of the general step. What is kept knows its M:
// after a change of M (Stepper::mass_changed) the next step has others; anew() tells.
//
//   free(b)         M^-1 b, joints ignored
//   hold(u)         makes u obey the joints by their percussions P_B
//   solve(w, P_B)   what a unit percussion along w does to u, and to the percussions of the joints
#pragma once

#include <cstddef>

#include "moreau/math/cholesky.hpp"
#include "moreau/math/compiler.hpp"
#include "moreau/model/evaluation.hpp"
#include "moreau/model/traits.hpp"

namespace moreau {
namespace detail {

constexpr int written_out_rows = 12;

template <class Model, int bilaterals>
class DiagonalMass : public DiagonalInverse<typename Traits<Model>::Real, Traits<Model>::dof> {
 public:
  using Real = typename Traits<Model>::Real;
  static constexpr int dof = Traits<Model>::dof;
  using Q = Vector<Real, dof>;
  using Multipliers = Vector<Real, bilaterals>;

  [[nodiscard]] bool constrain(const Evaluation<Model>& at, const Q& u = Q::Zero(), Real ahead = Real(0)) {
    Matrix<Real, bilaterals, bilaterals> S;
    each_row([&](auto i) {
      const auto row = at.bilateral(i);
      zeta_.coeffRef(i) = row.zeta;
      if constexpr (Contract<Model>::has_bias_acceleration) zeta_.coeffRef(i) += ahead * at.bias_acceleration(i, u);
      on_touched<i>([&](auto d) {
        B_.coeffRef(d, i) = row.w.coeff(d);
        Y_.coeffRef(d, i) = row.w.coeff(d) * this->inverse(d);
      });
      written_out<0, i + 1>([&](auto j) {
        Real sum = Real(0);
        written_out<0, dof>([&](auto d) {
          if constexpr (touches(i, d) && touches(j, d)) sum += B_.coeff(d, i) * Y_.coeff(d, j);
        });
        S.coeffRef(i, j) = sum;
      });
    });
    return S_.factor(S);
  }

  // P_B that makes B^T (u + Y P_B) + zeta = 0, for a u with entries only at Sparsity::entry(d).
  template <class Sparsity = AllEntries>
  Multipliers hold(const Q& u, bool with_zeta) const {
    Multipliers gamma;
    each_row([&](auto i) {
      Real sum = with_zeta ? zeta_.coeff(i) : Real(0);
      on_touched<i>([&](auto d) {
        if constexpr (Sparsity::entry(d)) sum += B_.coeff(d, i) * u.coeff(d);
      });
      gamma.coeffRef(i) = -sum;
    });
    return S_.solve(gamma);
  }
  void add(Q& u, const Multipliers& P_B) const {
    each_row([&](auto i) { on_touched<i>([&](auto d) { u.coeffRef(d) += P_B.coeff(i) * Y_.coeff(d, i); }); });
  }

  // One round of the position projection in the metric of M: q is moved so that g + w^T dq = 0.
  void project(Q& q, const Evaluation<Model>& at) const {
    Multipliers g;
    each_row([&](auto i) { g.coeffRef(i) = -at.bilateral(i).g; });
    add(q, S_.solve(g));
  }

 private:
  static constexpr bool touches(int row, int d) { return Model::touches(row, d); }
  struct Pattern {
    static constexpr int n = bilaterals;
    static constexpr bool entry(int i, int j) {
      for (int d = 0; d < dof; ++d)
        if (touches(i, d) && touches(j, d)) return true;
      return false;
    }
  };
  template <class F>
  MOREAU_ALWAYS_INLINE static void each_row(F&& f) {
    written_out<0, bilaterals>(f);
  }
  template <int row, class F>
  MOREAU_ALWAYS_INLINE static void on_touched(F&& f) {
    written_out<0, dof>([&](auto d) {
      if constexpr (touches(row, d)) f(d);
    });
  }

  Matrix<Real, dof, bilaterals> B_, Y_;  // only what a row touches is ever written or read
  Multipliers zeta_;
  std::conditional_t<(bilaterals <= written_out_rows), SparseCholesky<Real, Pattern>, Cholesky<Real, bilaterals>> S_;
};

template <class Model>
class DiagonalMass<Model, 0> : public DiagonalInverse<typename Traits<Model>::Real, Traits<Model>::dof> {};

template <class Model, int bilaterals = Traits<Model>::bilaterals, bool diagonal = Traits<Model>::diagonal_mass>
class EffectiveMass {
 public:
  using Real = typename Traits<Model>::Real;
  static constexpr int dof = Traits<Model>::dof;
  using Q = Vector<Real, dof>;
  using Multipliers = Vector<Real, bilaterals>;

  [[nodiscard]] bool factor(const Matrix<Real, dof, dof>& M) { return M_.factor(M); }

  // With `ahead` (s) the rows are asked for as they will be that much later, if the model says how they bias_acceleration.
  [[nodiscard]] bool constrain(const Evaluation<Model>& at, const Q& u = Q::Zero(), Real ahead = Real(0)) {
    Matrix<Real, bilaterals, bilaterals> S;
    for (int i = 0; i < bilaterals; ++i) {
      const Bilateral<Real, dof> row = at.bilateral(i);
      B_[std::size_t(i)] = row.w;
      zeta_.coeffRef(i) = row.zeta;
      if constexpr (Contract<Model>::has_bias_acceleration) zeta_.coeffRef(i) += ahead * at.bias_acceleration(i, u);
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
class EffectiveMass<Model, 0, false> : public Cholesky<typename Traits<Model>::Real, Traits<Model>::dof> {
 public:
  using Q = Vector<typename Traits<Model>::Real, Traits<Model>::dof>;
  Q free(const Q& b) const { return this->solve(b); }
};

template <class Model, int bilaterals>
class EffectiveMass<Model, bilaterals, true> : public DiagonalMass<Model, bilaterals> {};

// The entries of M that are read.
template <class Model>
struct ReadEntries {
  static constexpr int n = Traits<Model>::dof;
  static constexpr bool diagonal = Traits<Model>::diagonal_mass;
  static constexpr bool entry(int i, int j) { return i == j || (!diagonal && MassPattern<Model>::entry(i, j)); }
};
template <class Model, class Factors>
using KeptMass = KeptFactors<typename Traits<Model>::Real, ReadEntries<Model>, Factors>;

// What a general step keeps in its workspace.
template <class Model>
using WorkspaceFactors =
    std::conditional_t<Traits<Model>::constant_mass, KeptMass<Model, EffectiveMass<Model>>, EffectiveMass<Model>>;

// What there is to say of joints where there are none.
template <class Model>
class WithoutJoints {
 public:
  using Real = typename Traits<Model>::Real;
  static constexpr int dof = Traits<Model>::dof;
  using Q = Vector<Real, dof>;
  using Multipliers = Vector<Real, 0>;
  static Multipliers hold(Q&) { return {}; }
};

template <class Model, bool constant = Traits<Model>::constant_mass, bool joints = (Traits<Model>::bilaterals > 0)>
class StepMass : public WithoutJoints<Model> {
 public:
  using Real = typename Traits<Model>::Real;
  using Q = typename WithoutJoints<Model>::Q;
  using Multipliers = typename WithoutJoints<Model>::Multipliers;
  struct Kept {};
  using Room = Kept;

  StepMass(const Kept&, const Evaluation<Model>& at, const Q&, Real)
      : positive_(factors_.template factor<Branchless>(at.mass(), pivots_)) {}
  Mask positive() const { return positive_; }  // arbitrary where M is no number: pivots() is none, either
  Real pivots() const { return pivots_; }
  static constexpr bool anew() { return false; }
  MOREAU_ALWAYS_INLINE Q free(const Q& b) const { return factors_.solve(b); }
  template <class Sparsity = AllEntries>
  MOREAU_ALWAYS_INLINE Q solve(const Q& w, Multipliers&) const {
    return factors_.solve(w);
  }

 private:
  SparseCholesky<Real, MassPattern<Model>> factors_;
  Real pivots_;  // their sum
  Mask positive_;
};

template <class Model>
class StepMass<Model, true, false> : public WithoutJoints<Model> {
 public:
  using Real = typename Traits<Model>::Real;
  using Q = typename WithoutJoints<Model>::Q;
  using Multipliers = typename WithoutJoints<Model>::Multipliers;
  using Inverse = detail::Inverse<Real, Traits<Model>::dof>;
  using Kept = std::conditional_t<tables_contacts<Model>, Inverse, KeptMass<Model, Inverse>>;
  using Room = Kept;
  explicit StepMass(const Inverse& of_M) : inverse_(of_M) {}
  StepMass(Kept& kept, const Evaluation<Model>& at, const Q&, Real) : inverse_(kept) {
    if constexpr (!tables_contacts<Model>) {
      const Matrix<Real, Traits<Model>::dof, Traits<Model>::dof> M = at.mass();
      anew_ = !kept.is_of(M);
      if (anew_) positive_ = kept.factor(M);
    }
  }
  bool positive() const { return positive_; }
  bool anew() const { return anew_; }
  MOREAU_ALWAYS_INLINE Q free(const Q& b) const { return inverse_.solve(b); }
  template <class Sparsity = AllEntries>
  MOREAU_ALWAYS_INLINE Q solve(const Q& w, Multipliers&) const {
    return inverse_.template solve<Sparsity>(w);
  }

 private:
  const Inverse& inverse_;
  bool positive_ = true, anew_ = false;
};

template <class Model, bool constant>
class StepMass<Model, constant, true> {
 public:
  using Real = typename Traits<Model>::Real;
  using Q = Vector<Real, Traits<Model>::dof>;
  using Multipliers = typename EffectiveMass<Model>::Multipliers;
  struct Kept {};
  using Room = WorkspaceFactors<Model>;

  // `ahead` (s): rows as they will be that much later (bias_acceleration).
  StepMass(Room& mass, const Evaluation<Model>& at, const Q& u_A, Real ahead) : mass_(mass) {
    if constexpr (constant) anew_ = !mass.is_of_mass(at);
    if (anew_) positive_ = mass.factor(at.mass());
    positive_ = mass_.constrain(at, u_A, ahead) && positive_;
  }
  bool positive() const { return positive_; }
  bool anew() const { return constant && anew_; }
  Q free(const Q& b) const { return mass_.free(b); }
  Multipliers hold(Q& u) const {
    Multipliers P_B = mass_.hold(u, true);
    mass_.add(u, P_B);
    return P_B;
  }
  template <class Sparsity = AllEntries>
  Q solve(const Q& w, Multipliers& P_B) const {
    Q z = mass_.template free<Sparsity>(w);
    P_B = mass_.template hold<Sparsity>(z, false);
    mass_.add(z, P_B);
    return z;
  }
  void project(Q& q, const Evaluation<Model>& at) const { mass_.project(q, at); }

 private:
  EffectiveMass<Model>& mass_;
  bool positive_ = true, anew_ = true;
};

}  // namespace detail
}  // namespace moreau
