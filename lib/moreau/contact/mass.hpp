// Effective inverse mass matrix: M^-1 (math/cholesky.hpp), reduced by the constraints of the ideal joints. The columns
// of B are the constraint directions.
//
//   u_E = u_A + M^-1 (h dt + W P + B P_B),   B^T u_E + zeta_B = 0
//   =>  effective inverse mass  M^-1 - Y S^-1 Y^T,   Y = M^-1 B,  S = B^T Y
//
// EffectiveMass combines a factorised mass matrix with JointRows or NoJoints. Functions of an impulse b or velocity u:
//
//   unconstrained_change(b)     M^-1 b, without joints
//   constrained_change(b, P_B)  (M^-1 - Y S^-1 Y^T) b, with the joint percussions P_B
//   constrain(u)                projects u onto the joint constraints; returns P_B
//   project_velocity(u)         projects u alone
//   measure_row(P_B, ...)       data of a friction row (contact/prescribed_sliding.hpp)
//
// StepMass is the inverse mass of one step. Its storage belongs to the stepper:
//
//   ideal joints                   WorkspaceMass, the storage of ActiveContacts (step/active_contacts.hpp)
//   direct solution, constant M    M^-1, computed once
//   direct solution, varying M     none; M is factored in registers
//
// If a constant M has changed, the cached storage factors it again, and renewed() returns true.
#pragma once

#include "moreau/contact/joint_rows.hpp"
#include "moreau/math/cholesky.hpp"
#include "moreau/model/evaluation.hpp"
#include "moreau/model/traits.hpp"

namespace moreau {
namespace detail {

// Empty storage: every step factors M in registers.
struct InRegisters {};

// Inverse mass matrix, reduced by the constraints of the ideal joints.
template <class Model, class Inertia, class Joints = JointsOf<Model>>
class EffectiveMass : public Inertia, public Joints {
 public:
  using Real = typename Traits<Model>::Real;
  using Q = Vector<Real, Traits<Model>::dof>;
  using Multipliers = typename Joints::Multipliers;

  EffectiveMass() = default;
  explicit EffectiveMass(const InRegisters&) {}

  Inertia& inertia() { return *this; }
  // Factors the rows of the joints, see JointRows::factor_rows. Returns false if they are linearly dependent.
  [[nodiscard]] bool factor_joints(const Evaluation<Model>& at, const Q& u = Q::Zero(), Real ahead = Real(0)) {
    return Joints::factor_rows(at, inertia(), u, ahead);
  }

  Q unconstrained_change(const Q& b) const { return Inertia::solve(b); }
  Multipliers constrain(Q& u) {
    Multipliers P_B;
    if constexpr (can_prescribe_sliding<Model>) {
      const Q before = u;
      Joints::apply(u, P_B, true);
      Joints::set_scales(before, P_B);
    } else {
      Joints::apply(u, P_B, true);
    }
    return P_B;
  }
  // Projects u without storing the scales of rounding errors.
  void project_velocity(Q& u) const {
    Multipliers unused;
    Joints::apply(u, unused, true);
  }
  template <class Sparsity = AllEntries>
  Q constrained_change(const Q& b, Multipliers& P_B) const {
    Q change = Inertia::template solve<Sparsity>(b);
    Joints::template apply<Sparsity>(change, P_B, false);
    return change;
  }
};

// Entries of M that a factorisation reads.
template <class Model>
struct ReadEntries {
  static constexpr int n = Traits<Model>::dof;
  static constexpr bool diagonal = Traits<Model>::diagonal_mass;
  static constexpr bool entry(int i, int j) { return i == j || (!diagonal && MassPattern<Model>::entry(i, j)); }
};

// Types of the factorised mass matrix of a model: factors in storage, entries of M^-1, factors in registers, and a
// cache for constant M.
template <class Model, class Real = typename Traits<Model>::Real, int dof = Traits<Model>::dof>
using FactorsOf =
    std::conditional_t<Traits<Model>::diagonal_mass, DiagonalInverse<Real, dof>,
                       std::conditional_t<MassPattern<Model>::declared && dof <= unroll_limit,
                                          SparseCholesky<Real, dof, MassPattern<Model>>, Cholesky<Real, dof>>>;
template <class Model>
using InverseOf = Inverse<typename Traits<Model>::Real, Traits<Model>::dof>;
template <class Model>
using RegistersOf = SparseCholesky<typename Traits<Model>::Real, Traits<Model>::dof, MassPattern<Model>>;
template <class Model, class Inertia>
using CachedOf = std::conditional_t<Traits<Model>::constant_mass,
                                    Cached<typename Traits<Model>::Real, ReadEntries<Model>, Inertia>, Inertia>;

// Storage types of ActiveContacts, of a contact table (contact/contact_table.hpp), and of the direct solution without
// ideal joints. A contact table detects changes of the model, so its mass has no cache.
template <class Model>
using WorkspaceMass = EffectiveMass<Model, CachedOf<Model, FactorsOf<Model>>>;
template <class Model>
using TableMass = EffectiveMass<Model, InverseOf<Model>>;
template <class Model>
using DirectMass = std::conditional_t<!Traits<Model>::constant_mass, InRegisters,
                                      std::conditional_t<tables_contacts<Model>, TableMass<Model>,
                                                         EffectiveMass<Model, CachedOf<Model, InverseOf<Model>>>>>;

// Inverse mass matrix of one step. If `seldom` is true, the evaluation and factorisation of M are not inlined, for
// rarely executed steps.
template <class Model,
          class Storage_ = std::conditional_t<(Traits<Model>::bilaterals > 0), WorkspaceMass<Model>, DirectMass<Model>>,
          bool seldom = false>
class StepMass {
  static constexpr bool constant = Traits<Model>::constant_mass;
  static constexpr bool in_registers = std::is_same_v<Storage_, InRegisters>;
  static constexpr bool is_direct = std::is_same_v<Storage_, DirectMass<Model>>;
  static constexpr bool tabled = std::is_same_v<Storage_, TableMass<Model>>;

 public:
  using Storage = Storage_;
  using Real = typename Traits<Model>::Real;
  using Q = Vector<Real, Traits<Model>::dof>;
  using Multipliers = typename JointsOf<Model>::Multipliers;

  StepMass(Storage& storage, const Evaluation<Model>& at, const Q& u_A, Real half) : mass_(storage) {
    if constexpr (in_registers) {
      positive_ = mass_.template factor<Branchless>(at.mass(), pivots_);
    } else {
      if constexpr (seldom) {
        factored_ = factor_seldom(mass_.inertia(), at.seldom_mass());
      } else if constexpr (is_direct && !tabled) {  // M in registers, evaluated once
        const auto M = at.mass();
        renewed_ = !mass_.is_of(M);
        if (renewed_) factored_ = mass_.factor(M);
      } else if constexpr (!tabled) {
        if constexpr (constant) renewed_ = !mass_.is_of_mass(at);
        if (renewed_) factored_ = mass_.factor(at.mass());
      }
      positive_ = mass_.factor_joints(at, u_A, half) && factored_;
    }
  }
  bool factored() const { return factored_; }            // M is positive definite
  auto positive() const { return positive_; }            // M is positive definite and the joint rows are independent
  bool renewed() const { return constant && renewed_; }  // a constant M has changed
  int first_dependent_row() const { return mass_.first_dependent_row(); }
  Real pivots() const { return pivots_; }  // sum of the pivots in registers; if non-finite, positive() is arbitrary

  Q unconstrained_change(const Q& b) const { return mass_.unconstrained_change(b); }
  Multipliers constrain(Q& u) { return mass_.constrain(u); }
  void project_velocity(Q& u) const { mass_.project_velocity(u); }
  template <class Sparsity = AllEntries>
  Q constrained_change(const Q& b, Multipliers& P_B) const {
    return mass_.template constrained_change<Sparsity>(b, P_B);
  }
  template <class Sparsity, class... Numbers>
  void measure_row(const Multipliers& P_B, Numbers&... numbers) const {
    mass_.template measure_row<Sparsity>(P_B, numbers...);
  }
  void project(Q& q, const Evaluation<Model>& at) const { mass_.project(q, at); }

 private:
  std::conditional_t<in_registers, EffectiveMass<Model, RegistersOf<Model>>, Storage&> mass_;
  Real pivots_ = Real(0);  // in registers only
  std::conditional_t<in_registers, Mask, bool> positive_;
  bool factored_ = true, renewed_ = !constant;
};

}  // namespace detail
}  // namespace moreau
