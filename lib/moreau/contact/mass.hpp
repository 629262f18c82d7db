// The inverse mass that contacts act on: M^-1 (an inertia of math/cholesky.hpp), reduced by the ideal joints (bilateral
// rows B).
//
//   u_E = u_A + M^-1 (h dt + W P + B P_B),   B^T u_E + zeta_B = 0
//   =>  effective inverse mass  M^-1 - Y S^-1 Y^T,   Y = M^-1 B,  S = B^T Y
//
// EffectiveMass is an inertia with joints: JointRows, or NoJoints. An impulse b changes the velocity by
//
//   unconstrained_change(b)     M^-1 b, without joints
//   constrained_change(b, P_B)  (M^-1 - Y S^-1 Y^T) b, with the joint percussions P_B
//   constrain(u)                makes u obey the joints; returns P_B
//
// A velocity that obeys B(q_M) does not obey B(q_E). Projecting it in every step removes energy, (dt omega)^2 / 2 of it
// each time. A model with bias_acceleration = (dB/dt)^T u obeys instead
//
//   B^T u_E + zeta_B + dt/2 bias_acceleration(u_A) = 0                     B(q_E)^T u_E + zeta_B = 0 but for dt^2
//
// with impulses along B(q_M): symmetric in time, and of second order without contacts.
//
// Linearly dependent rows have a singular S: the step fails with constraints_dependent.
//
// StepMass: the inverse mass of one step, by reference to the stepper's storage:
//
//   ideal joints                 WorkspaceMass, the storage of the general step
//   few contacts, constant M     M^-1 itself, computed once
//   few contacts, varying M      none: M is factored in registers
//
// Cached storage detects a changed M and factors it again (renewed).
#pragma once

#include <cstddef>

#include "moreau/math/cholesky.hpp"
#include "moreau/math/compiler.hpp"
#include "moreau/model/evaluation.hpp"
#include "moreau/model/traits.hpp"

namespace moreau {
namespace detail {

// Above this number of rows the code of written-out rows grows too large.
constexpr int written_out_rows = 12;

// Rows of the ideal joints. If M is diagonal, a row touches few coordinates, Model::touches(row, coordinate), and
// S_ij = 0 for rows without a common coordinate: all loops are written out without these zeros, half of the arithmetic
// of a four-bar or a slider-crank.
template <class Model>
class JointRows {
 public:
  static constexpr int rows = Traits<Model>::bilaterals, dof = Traits<Model>::dof;
  using Real = typename Traits<Model>::Real;
  using Q = Vector<Real, dof>;
  using Multipliers = Vector<Real, rows>;

  // Rows of the time `ahead` (s) later, if the model has bias_acceleration. False if they are dependent.
  template <class Inertia>
  [[nodiscard]] bool factor_rows(const Evaluation<Model>& at, const Inertia& inertia, const Q& u, Real ahead) {
    Matrix<Real, rows, rows> S;
    each_row([&](auto i) {
      const Bilateral<Real, dof> row = at.bilateral(i);
      zeta_.coeffRef(i) = row.zeta;
      if constexpr (Contract<Model>::has_bias_acceleration) zeta_.coeffRef(i) += ahead * at.bias_acceleration(i, u);
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

  // Adds Y P_B to u with B^T (u + Y P_B) + zeta = 0, of a u with entries at Sparsity::entry(d) only.
  template <class Sparsity = AllEntries>
  void apply(Q& u, Multipliers& P_B, bool with_zeta) const {
    Multipliers gamma;
    each_row([&](auto i) { gamma.coeffRef(i) = -row_velocity<Sparsity>(i, u, with_zeta ? zeta_.coeff(i) : Real(0)); });
    P_B = S_.solve(gamma);
    add(u, P_B);
  }

  // One position projection in the metric of M: g + w^T dq = 0.
  void project(Q& q, const Evaluation<Model>& at) const {
    Multipliers g;
    each_row([&](auto i) { g.coeffRef(i) = -at.bilateral(i).g; });
    add(q, S_.solve(g));
  }

 private:
  static constexpr bool sparse = Traits<Model>::diagonal_mass;
  static constexpr bool touches(int row, int d) { return Model::touches(row, d); }

  // Coordinates of one row: all of a dense row.
  template <class Row>
  struct Touched : AllEntries {};
  template <int row>
  struct Touched<Index<row>> {
    static constexpr bool entry(int d) { return touches(row, d); }
  };
  struct Coupled {  // the entries of S
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
  // w_i^T u + offset. Sparse rows begin with the offset, dense rows end with it.
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

  std::array<Q, std::size_t(rows)> B_, Y_;  // of sparse rows only what they touch
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

// Storage without a cache: every step factors M in registers.
struct InRegisters {};

// Inverse mass under ideal joints.
template <class Model, class Inertia, class Joints = JointsOf<Model>>
class EffectiveMass : public Inertia, public Joints {
 public:
  using Real = typename Traits<Model>::Real;
  using Q = Vector<Real, Traits<Model>::dof>;
  using Multipliers = typename Joints::Multipliers;

  EffectiveMass() = default;
  explicit EffectiveMass(const InRegisters&) {}

  Inertia& inertia() { return *this; }
  // Reads the rows of the joints, `ahead` (s) later. False if they are dependent.
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

// The entries of M that are read.
template <class Model>
struct ReadEntries {
  static constexpr int n = Traits<Model>::dof;
  static constexpr bool diagonal = Traits<Model>::diagonal_mass;
  static constexpr bool entry(int i, int j) { return i == j || (!diagonal && MassPattern<Model>::entry(i, j)); }
};

// Inertias by model: factored in every step, M^-1 entry by entry, in registers; cached if M is constant.
template <class Model, class Real = typename Traits<Model>::Real, int dof = Traits<Model>::dof>
using FactorsOf = std::conditional_t<Traits<Model>::diagonal_mass, DiagonalInverse<Real, dof>, Cholesky<Real, dof>>;
template <class Model>
using InverseOf = Inverse<typename Traits<Model>::Real, Traits<Model>::dof>;
template <class Model>
using RegistersOf = SparseCholesky<typename Traits<Model>::Real, Traits<Model>::dof, MassPattern<Model>>;
template <class Model, class Inertia>
using CachedOf = std::conditional_t<Traits<Model>::constant_mass,
                                    Cached<typename Traits<Model>::Real, ReadEntries<Model>, Inertia>, Inertia>;

// Storage of the general step, and of few contacts without ideal joints. A contact table (contact/contact_table.hpp)
// finds changes of the model itself.
template <class Model>
using WorkspaceMass = EffectiveMass<Model, CachedOf<Model, FactorsOf<Model>>>;
template <class Model>
using TableMass = EffectiveMass<Model, InverseOf<Model>>;
template <class Model>
using FewMass = std::conditional_t<!Traits<Model>::constant_mass, InRegisters,
                                   std::conditional_t<tables_contacts<Model>, TableMass<Model>,
                                                      EffectiveMass<Model, CachedOf<Model, InverseOf<Model>>>>>;

// Inverse mass of one step. seldom: M is evaluated and factored out of line, for rare steps.
template <class Model,
          class Storage_ = std::conditional_t<(Traits<Model>::bilaterals > 0), WorkspaceMass<Model>, FewMass<Model>>,
          bool seldom = false>
class StepMass {
  static constexpr bool constant = Traits<Model>::constant_mass;
  static constexpr bool in_registers = std::is_same_v<Storage_, InRegisters>;
  static constexpr bool in_few = std::is_same_v<Storage_, FewMass<Model>>;
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
      } else if constexpr (in_few && !tabled) {  // M in registers, evaluated once
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
  auto positive() const { return positive_; }            // and the joints are independent
  bool renewed() const { return constant && renewed_; }  // a constant M has changed
  Real pivots() const { return pivots_; }  // in registers, their sum: if it is not finite, positive() is arbitrary

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
