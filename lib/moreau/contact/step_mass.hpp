// The inverse mass that contacts feel, for steps of few contacts: M^-1 kept in the stepper where M is constant,
// factored in registers where it is not; behind ideal joints the effective one (effective_mass.hpp), in the general
// step's workspace.
//
//   free(b)         M^-1 b, joints ignored
//   hold(u)         makes u obey the joints by their percussions P_B
//   solve(w, P_B)   what a unit percussion along w does to u, and to the percussions of the joints
#pragma once

#include "moreau/contact/effective_mass.hpp"
#include "moreau/math/inverse.hpp"
#include "moreau/model/traits.hpp"

namespace moreau {

// hold() of a model without ideal joints: no percussions.
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

  StepMass(const Kept&, const Evaluation<Model>& at, const Q&, Real) : positive_(factors_.factor(at.mass())) {}
  bool positive() const { return positive_; }
  [[gnu::always_inline]] Q free(const Q& b) const { return factors_.solve(b); }
  template <class Sparsity = AllEntries>
  [[gnu::always_inline]] Q solve(const Q& w, Multipliers&) const {
    return factors_.solve(w);
  }

 private:
  SparseCholesky<Real, MassPattern<Model>> factors_;
  bool positive_;
};

template <class Model>
class StepMass<Model, true, false> : public WithoutJoints<Model> {
 public:
  using Real = typename Traits<Model>::Real;
  using Q = typename WithoutJoints<Model>::Q;
  using Multipliers = typename WithoutJoints<Model>::Multipliers;
  using Kept = Inverse<Real, Traits<Model>::dof>;
  using Room = const Kept;

  StepMass(const Kept& kept, const Evaluation<Model>&, const Q&, Real) : inverse_(kept) {}
  static constexpr bool positive() { return true; }
  [[gnu::always_inline]] Q free(const Q& b) const { return inverse_.solve(b); }
  template <class Sparsity = AllEntries>
  [[gnu::always_inline]] Q solve(const Q& w, Multipliers&) const {
    return inverse_.template solve<Sparsity>(w);
  }

 private:
  const Kept& inverse_;
};

template <class Model, bool constant>
class StepMass<Model, constant, true> {
 public:
  using Real = typename Traits<Model>::Real;
  using Q = Vector<Real, Traits<Model>::dof>;
  using Multipliers = typename EffectiveMass<Model>::Multipliers;
  struct Kept {};
  using Room = EffectiveMass<Model>;

  // `ahead` (s): the rows as they will be that much later (bend).
  StepMass(EffectiveMass<Model>& mass, const Evaluation<Model>& at, const Q& u_A, Real ahead) : mass_(mass) {
    if constexpr (!constant) positive_ = mass_.factor(at.mass());
    positive_ = mass_.constrain(at, u_A, ahead) && positive_;
  }
  bool positive() const { return positive_; }
  Q free(const Q& b) const { return mass_.free(b); }
  Multipliers hold(Q& u) const {
    const Multipliers P_B = mass_.hold(u, true);
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
  bool positive_ = true;
};

}  // namespace moreau
