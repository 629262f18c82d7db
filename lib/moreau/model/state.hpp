// State of a simulation: all data that a step reads besides the model, the options and dt.
//
// A copy of a state saves it; assigning the copy restores it. The user sets q, u and the time. P and sigma are results
// of the last step and the warm start of the next step. A contact that is not active has P = 0 and sigma = 1.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "moreau/model/directions.hpp"
#include "moreau/model/require.hpp"
#include "moreau/model/status.hpp"
#include "moreau/model/time.hpp"

namespace moreau {
namespace detail {

template <int n>
using Sigma = std::array<std::uint8_t, std::size_t(n)>;  // per contact law: 1 impressed, 0 constraint (SLG08 section 4)

// Data of one step for the next step of a model that declares second_order (contact/impact_instants.hpp).
template <class Real, int dof, int contacts>
struct SmoothMemory {
  Vector<Real, dof> du_held = Vector<Real, dof>::Zero();      // m/s, rad/s, change of u by contacts
  std::uint8_t impact = 0;                                    // 1: this change contains an impact
  std::array<std::uint32_t, (contacts + 31) / 32> resting{};  // one bit per contact: at rest, with a percussion

  bool rests(int i) const { return (resting[std::size_t(i) / 32] >> i % 32 & 1u) != 0; }
};
template <class Real>
struct SmoothMemory<Real, 0, 0> {
  static constexpr bool rests(int) { return false; }
};
template <class Model>
using SmoothMemoryOf =
    std::conditional_t<Traits<Model>::second_order,
                       SmoothMemory<typename Traits<Model>::Real, Traits<Model>::dof, Traits<Model>::contacts>,
                       SmoothMemory<typename Traits<Model>::Real, 0, 0>>;

// Type of q and u: that of the model, with names for its entries, or a vector.
template <class Model>
using StateVector_in = typename Model::StateVector;
template <class Model, class = void>
struct StateVectorOf {
  using type = Vector<typename Traits<Model>::Real, Traits<Model>::dof>;
};
template <class Model>
struct StateVectorOf<Model, std::enable_if_t<detected<StateVector_in, Model>>> {
  using type = typename Model::StateVector;
};

}  // namespace detail

// State of a model. The data of second_order are a base class, because an empty base takes no storage.
template <class Model>
struct State : detail::SmoothMemoryOf<Model> {
  using Real = typename detail::RequireModel<Model>::Real;  // checks the model first
  static constexpr int dof = Traits<Model>::dof;
  static constexpr int contacts = Traits<Model>::contacts;
  static constexpr int tangents = Traits<Model>::tangents;
  static constexpr int frictions = Traits<Model>::frictions;
  static constexpr int friction_dim = Traits<Model>::friction_dim;
  static constexpr int bilaterals = Traits<Model>::bilaterals;

  using StateVector = typename detail::StateVectorOf<Model>::type;
  StateVector q = Vector<Real, dof>::Zero();  // m, rad; default 0
  StateVector u = Vector<Real, dof>::Zero();  // m/s, rad/s; default 0
  detail::Time<Real> clock;                   // s, counted in steps; default 0

  Vector<Real, contacts> P_N = Vector<Real, contacts>::Zero();                                // N s, normal
  Matrix<Real, tangents, contacts> P_T = Matrix<Real, tangents, contacts>::Zero();            // N s, tangential
  Matrix<Real, friction_dim, frictions> P_F = Matrix<Real, friction_dim, frictions>::Zero();  // N s, friction elements
  Vector<Real, bilaterals> P_B = Vector<Real, bilaterals>::Zero();                            // N s, ideal joints

  // 1 impressed, 0 constraint, per contact and friction element.
  detail::Sigma<contacts> sigma_N = impressed<contacts>();
  detail::Sigma<contacts> sigma_T = impressed<contacts>();
  detail::Sigma<frictions> sigma_F = impressed<frictions>();

  Real time() const { return clock(); }  // s
  void set_time(Real t) { clock = detail::Time<Real>(t); }

  // Number of bytes of save() and restore() (model/bytes.hpp).
  static constexpr std::size_t bytes =
      16 + sizeof(std::int64_t) + 4 + std::size_t(2 * contacts + frictions) +
      sizeof(Real) * std::size_t(2 * dof + 2 + contacts * (1 + tangents) + frictions * friction_dim + bilaterals) +
      (Traits<Model>::second_order ? sizeof(Real) * std::size_t(dof) + 1 + 4 * std::size_t((contacts + 31) / 32) : 0);
  void save(std::uint8_t* out) const;
  [[nodiscard]] Status restore(const std::uint8_t* in, std::size_t size);

 private:
  template <int n>
  static detail::Sigma<n> impressed() {
    detail::Sigma<n> all{};
    for (auto& one : all) one = 1;
    return all;
  }
};

}  // namespace moreau
