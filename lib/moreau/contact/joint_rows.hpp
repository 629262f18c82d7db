// Rows of the ideal joints, B^T u + zeta_B = 0, and the factors of S = B^T M^-1 B (contact/mass.hpp).
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
#pragma once

#include <array>
#include <cstddef>

#include "moreau/math/cholesky.hpp"
#include "moreau/math/compiler.hpp"
#include "moreau/model/evaluation.hpp"
#include "moreau/model/traits.hpp"

namespace moreau {
namespace detail {

// True if the model has ideal joints and friction rows.
template <class Model>
constexpr bool can_prescribe_sliding = (Traits<Model>::bilaterals > 0 &&
                                        Traits<Model>::contacts * Traits<Model>::tangents + Traits<Model>::frictions >
                                            0);

// Largest number of joint rows with unrolled loops. More rows would make the code too large.
constexpr int written_out_rows = 12;

// True if the factors of S are unrolled: their number of nonzero entries is at most that of 12 coupled rows. In space,
// two joints that share no body have up to 12 rows without common coordinates.
template <class Coupled, int rows>
constexpr bool writes_out_factors() {
  constexpr int most = written_out_rows * (written_out_rows - 1) / 2;
  if constexpr (rows <= written_out_rows || rows > 2 * written_out_rows) {
    return rows <= written_out_rows;
  } else {
    const auto L = filled<Coupled, rows>();
    int entries = 0;
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < i; ++j) entries += L[std::size_t(i)][std::size_t(j)] ? 1 : 0;
    return entries <= most;
  }
}

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
      if constexpr (has_shift) shift_.coeffRef(i) = ahead * at.bias_acceleration(i, u);
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
      diagonal_.coeffRef(i) = S.coeff(i, i);
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
    P_B = S_.template solve<CoupledTo<Sparsity>>(gamma);
    add(u, P_B);
  }

  // Sets the scale of the rounding errors of each row's velocity after apply(u, P_B, true).
  void set_scales(const Q& u, const Multipliers& P_B) {
    each_row([&](auto i) {
      if (!is_in<NearFriction>(i)) return;
      Real sum = absolute(P_B.coeff(i)) * diagonal_.coeff(i);
      on_touched(i, [&](auto d) { sum += absolute(B_[std::size_t(i)].coeff(d) * u.coeff(d)); });
      scale_.coeffRef(i) = sum;
    });
  }
  // Measures a friction row w (prescribed_sliding.hpp). P_B: joint percussions due to a unit percussion along w.
  // response: scale of the rounding errors of w^T (M^-1 - Y S^-1 Y^T) w. velocity: that of w^T u, from set_scales().
  // shift: part of w^T u due to bias_acceleration.
  template <class Sparsity>
  void measure_row(const Multipliers& P_B, Real& response, Real& velocity, Real& shift) const {
    response = velocity = shift = Real(0);
    each_row([&](auto i) {
      if constexpr (has_shift) shift += P_B.coeff(i) * shift_.coeff(i);
      if (!is_in<NearFriction>(i) || !is_in<CoupledTo<Sparsity>>(i)) return;
      const Real p = absolute(P_B.coeff(i));
      response += p * (p * diagonal_.coeff(i));
      velocity += p * scale_.coeff(i);
    });
  }

  // Projects q once in the metric of M: g + w^T dq = 0.
  void project(Q& q, const Evaluation<Model>& at) const {
    Multipliers g;
    each_row([&](auto i) { g.coeffRef(i) = -at.bilateral(i).g; });
    add(q, S_.solve(g));
  }

 private:
  static constexpr bool sparse = Traits<Model>::diagonal_mass;
  static constexpr bool has_shift = Contract<Model>::has_bias_acceleration && can_prescribe_sliding<Model>;
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
  template <class Sparsity>
  struct CoupledTo {  // rows with an entry where Sparsity has one
    static constexpr bool entry(int i) {
      if constexpr (sparse)
        for (int d = 0; d < dof; ++d)
          if (Sparsity::entry(d) && touches(i, d)) return true;
      return !sparse;
    }
  };
  struct NearFriction {  // rows with an entry at a body with friction
    static constexpr bool entry(int i) {
      return Traits<Model>::frictions > 0 || CoupledTo<DirectionPattern<Model, -1, 1>>::entry(i);
    }
  };
  // Returns Set::entry(row), evaluated at compile time for a sparse row.
  template <class Set, class Row>
  static constexpr bool is_in([[maybe_unused]] Row row) {
    if constexpr (sparse) {
      constexpr bool found = Set::entry(Row::value);
      return found;
    } else {
      return Set::entry(row);
    }
  }
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
  Multipliers shift_, diagonal_, scale_;  // part of zeta_ due to bias_acceleration; S_ii; set_scales()
  std::conditional_t<(sparse && writes_out_factors<Coupled, rows>()), SparseCholesky<Real, rows, Coupled>,
                     Cholesky<Real, rows>>
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

}  // namespace detail
}  // namespace moreau
