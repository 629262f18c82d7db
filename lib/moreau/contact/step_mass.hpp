// M^-1 as a step without ideal joints uses it: kept from the first step on where M is constant, factored in registers
// where it is not.
#pragma once

#include "moreau/math/inverse.hpp"
#include "moreau/math/sparse_cholesky.hpp"
#include "moreau/model/evaluation.hpp"
#include "moreau/model/structure.hpp"

namespace moreau {

template <class Model, bool constant = Traits<Model>::constant_mass>
class StepMass {
 public:
  using Real = typename Traits<Model>::Real;
  static constexpr int dof = Traits<Model>::dof;
  struct Kept {};

  StepMass(const Kept&, const Evaluation<Model>& at) : positive_(factors_.factor(at.mass())) {}
  bool positive() const { return positive_; }
  template <class Sparsity = AllEntries>
  [[gnu::always_inline]] Vector<Real, dof> solve(const Vector<Real, dof>& b) const {
    return factors_.solve(b);
  }

 private:
  SparseCholesky<Real, MassPattern<Model>> factors_;
  bool positive_;
};

template <class Model>
class StepMass<Model, true> {
 public:
  using Real = typename Traits<Model>::Real;
  static constexpr int dof = Traits<Model>::dof;
  using Kept = Inverse<Real, dof>;

  StepMass(const Kept& kept, const Evaluation<Model>&) : inverse_(kept) {}
  static constexpr bool positive() { return true; }
  template <class Sparsity = AllEntries>
  [[gnu::always_inline]] Vector<Real, dof> solve(const Vector<Real, dof>& b) const {
    return inverse_.template solve<Sparsity>(b);
  }

 private:
  const Kept& inverse_;
};

}  // namespace moreau
