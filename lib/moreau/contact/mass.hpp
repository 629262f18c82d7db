// Effective inverse mass matrix: M^-1 (math/cholesky.hpp), reduced by the constraints of the ideal joints. The columns
// of B are the constraint directions.
//
//   u_E = u_A + M^-1 (h dt + W P + B P_B),   B^T u_E + zeta_B = 0
//   =>  effective inverse mass  M^-1 - Y S^-1 Y^T,   Y = M^-1 B,  S = B^T Y
//
// EffectiveMass combines a factorised mass matrix with JointRows or NoJoints. An impulse b changes the velocity by
//
//   unconstrained_change(b)     M^-1 b, without joints
//   constrained_change(b, P_B)  (M^-1 - Y S^-1 Y^T) b, with the joint percussions P_B
//   constrain(u)                projects u onto the joint constraints; returns P_B
//
// A velocity that satisfies B(q_M)^T u + zeta_B = 0 violates the constraint at q_E. Projecting it in every step would
// remove the fraction (dt omega)^2 / 2 of the energy per step. A model with bias_acceleration = (dB/dt)^T u satisfies
//
//   B^T u_E + zeta_B + dt/2 bias_acceleration(u_A) = 0,     hence B(q_E)^T u_E + zeta_B = O(dt^2)
//
// with impulses along B(q_M). Without contacts and velocity-dependent forces, this scheme is second-order accurate. For
// commanded drives, a model with zeta_E prescribes the velocity at the end of the step: B^T u_E + zeta_E = 0.
//
// If rows are linearly dependent, S is singular and the step fails with constraints_dependent.
//
// StepMass is the inverse mass of one step. Its storage belongs to the stepper:
//
//   ideal joints                   WorkspaceMass, the storage of ActiveContacts (step/active_contacts.hpp)
//   direct solution, constant M    M^-1, computed once
//   direct solution, varying M     none; M is factored in registers
//
// If a constant M has changed, the cached storage factors it again, and renewed() returns true.
#pragma once

#include <cstddef>

#include "moreau/math/cholesky.hpp"
#include "moreau/math/compiler.hpp"
#include "moreau/model/evaluation.hpp"
#include "moreau/model/traits.hpp"

namespace moreau {
namespace detail {

// Largest number of joint rows with unrolled loops. More rows would make the code too large.
constexpr int written_out_rows = 12;

// Rows of the ideal joints and the factors of S.
//
// If M is diagonal, Model::touches(row, coordinate) declares the nonzero entries of a row. S_ij = 0 for rows without a
// common coordinate. The unrolled loops skip these zeros, which halves the arithmetic of a four-bar linkage or a
// slider-crank.
template <class Model>
class JointRows {
 public:
  static constexpr int rows = Traits<Model>::bilaterals, dof = Traits<Model>::dof;
  using Real = typename Traits<Model>::Real;
  using Q = Vector<Real, dof>;
  using Multipliers = Vector<Real, rows>;

  // Evaluates the rows and factors S. With bias_acceleration or zeta_E, the velocity constraint is imposed `ahead`
  // seconds later than the time at which the rows are evaluated: dt / 2 in a step, 0 for an initial state. Returns
  // false if the rows are linearly dependent.
  template <class Inertia>
  [[nodiscard]] bool factor_rows(const Evaluation<Model>& at, const Inertia& inertia, const Q& u, Real ahead) {
    Matrix<Real, rows, rows> S;
    each_row([&](auto i) {
      const Bilateral<Real, dof> row = at.bilateral(i);
      zeta_.coeffRef(i) = row.zeta;
      if constexpr (Contract<Model>::has_zeta_E) {
        if (ahead > Real(0)) zeta_.coeffRef(i) = at.zeta_E(i, u, ahead + ahead);
      } else if constexpr (Contract<Model>::has_bias_acceleration) {
        zeta_.coeffRef(i) += ahead * at.bias_acceleration(i, u);
      }
      if constexpr (sparse) {
        on_touched(i, [&](auto d) {
          B_[std::size_t(i)].coeffRef(d) = row.w.coeff(d);
          Y_[std::size_t(i)].coeffRef(d) = row.w.coeff(d) * inertia.inverse(d);
        });
      } else {
        B_[std::size_t(i)] = row.w;
        Y_[std::size_t(i)] = inertia.solve(row.w);
      }
      if constexpr (sparse)
        written_out<0, i + 1>(
            [&](auto j) { S.coeffRef(i, j) = row_velocity<Touched<decltype(j)>>(i, Y_[std::size_t(j)], Real(0)); });
      else
        for (int j = 0; j <= i; ++j) S.coeffRef(i, j) = dot(B_[std::size_t(i)], Y_[std::size_t(j)]);
    });
    return S_.factor(S);
  }

  // Returns the first row that depends linearly on the rows before it, after factor_rows has returned false.
  MOREAU_COLD MOREAU_NOINLINE int first_dependent_row() const {
    for (int i = 0; i < rows - 1; ++i) {
      Real S_ii = Real(0);
      for (int d = 0; d < dof; ++d)
        if (touches(i, d)) S_ii += B_[std::size_t(i)].coeff(d) * Y_[std::size_t(i)].coeff(d);
      if (!(S_.pivot(i) > Cholesky<Real, rows>::singular_pivot * S_ii)) return i;
    }
    return rows - 1;
  }

  // Adds Y P_B to u such that B^T (u + Y P_B) + zeta = 0, with zeta = 0 if !with_zeta. Requires u(d) = 0 wherever
  // Sparsity::entry(d) is false.
  template <class Sparsity = AllEntries>
  void apply(Q& u, Multipliers& P_B, bool with_zeta) const {
    Multipliers gamma;
    each_row([&](auto i) { gamma.coeffRef(i) = -row_velocity<Sparsity>(i, u, with_zeta ? zeta_.coeff(i) : Real(0)); });
    P_B = S_.solve(gamma);
    add(u, P_B);
  }

  // Projects q once in the metric of M: g + w^T dq = 0.
  void project(Q& q, const Evaluation<Model>& at) const {
    Multipliers g;
    each_row([&](auto i) { g.coeffRef(i) = -at.bilateral(i).g; });
    add(q, S_.solve(g));
  }

 private:
  static constexpr bool sparse = Traits<Model>::diagonal_mass;
  static constexpr bool touches([[maybe_unused]] int row, [[maybe_unused]] int d) {
    if constexpr (sparse)
      return Model::touches(row, d);
    else
      return true;
  }
  // Indices of the nonzero entries of a sparse row; all indices of a dense row.
  template <class Row>
  struct Touched : AllEntries {};
  template <int row>
  struct Touched<Index<row>> {
    static constexpr bool entry(int d) { return touches(row, d); }
  };
  struct Coupled {  // nonzero entries of S
    static constexpr bool entry(int i, int j) {
      for (int d = 0; d < dof; ++d)
        if (touches(i, d) && touches(j, d)) return true;
      return false;
    }
  };
  template <class F>
  MOREAU_ALWAYS_INLINE static void each_row(const F& f) {
    if constexpr (sparse)
      written_out<0, rows>(f);
    else
      for (int i = 0; i < rows; ++i) f(i);
  }
  template <class Row, class F>
  MOREAU_ALWAYS_INLINE static void on_touched(Row, const F& f) {
    if constexpr (sparse)
      written_out<0, dof>([&](auto d) {
        if constexpr (Touched<Row>::entry(d)) f(d);
      });
    else
      for_each_index<dof>(f);
  }
  void add(Q& u, const Multipliers& P_B) const {
    each_row(
        [&](auto i) { on_touched(i, [&](auto d) { u.coeffRef(d) += P_B.coeff(i) * Y_[std::size_t(i)].coeff(d); }); });
  }
  // Returns w_i^T u + offset. Sparse rows add the offset first, dense rows last.
  template <class Sparsity, class Row>
  MOREAU_ALWAYS_INLINE Real row_velocity(Row i, const Q& u, Real offset) const {
    if constexpr (!sparse) {
      return dot(B_[std::size_t(i)], u) + offset;
    } else {
      Real sum = offset;
      on_touched(i, [&](auto d) {
        if constexpr (Sparsity::entry(d)) sum += B_[std::size_t(i)].coeff(d) * u.coeff(d);
      });
      return sum;
    }
  }

  std::array<Q, std::size_t(rows)> B_, Y_;  // sparse rows: nonzero entries only
  Multipliers zeta_;
  std::conditional_t<(sparse && rows <= written_out_rows), SparseCholesky<Real, rows, Coupled>, Cholesky<Real, rows>>
      S_;
};

// Joint interface of models without ideal joints.
template <class Model>
class NoJoints {
 public:
  using Real = typename Traits<Model>::Real;
  using Q = Vector<Real, Traits<Model>::dof>;
  using Multipliers = Vector<Real, 0>;

  template <class Inertia>
  static bool factor_rows(const Evaluation<Model>&, const Inertia&, const Q&, Real) {
    return true;
  }
  template <class Sparsity = AllEntries>
  static void apply(Q&, Multipliers&, bool) {}
};

template <class Model>
using JointsOf = std::conditional_t<(Traits<Model>::bilaterals > 0), JointRows<Model>, NoJoints<Model>>;

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
  Multipliers constrain(Q& u) const {
    Multipliers P_B;
    Joints::apply(u, P_B, true);
    return P_B;
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
using FactorsOf = std::conditional_t<Traits<Model>::diagonal_mass, DiagonalInverse<Real, dof>, Cholesky<Real, dof>>;
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
  Multipliers constrain(Q& u) const { return mass_.constrain(u); }
  template <class Sparsity = AllEntries>
  Q constrained_change(const Q& b, Multipliers& P_B) const {
    return mass_.template constrained_change<Sparsity>(b, P_B);
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
