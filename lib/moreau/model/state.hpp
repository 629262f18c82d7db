// Everything a step depends on besides the model, the options and dt: a value.
//
// Copying a state saves it, assigning it restores it. Positions and velocities are the user's; percussions and sigma
// are outputs of the last step (and its warm start for the next one): zero percussion, sigma 1, for what is not in
// contact.
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
using Sigma = std::array<std::uint8_t, std::size_t(n)>;  // per law: 1 impressed, 0 constraint (SLG08 section 4)

}  // namespace detail

template <class Model>
struct State {
  using Real = typename detail::RequireModel<Model>::Real;  // first of all checks the model
  static constexpr int dof = Traits<Model>::dof;
  static constexpr int contacts = Traits<Model>::contacts;
  static constexpr int tangents = Traits<Model>::tangents;
  static constexpr int frictions = Traits<Model>::frictions;
  static constexpr int friction_dim = Traits<Model>::friction_dim;
  static constexpr int bilaterals = Traits<Model>::bilaterals;

  Vector<Real, dof> q = Vector<Real, dof>::Zero();  // m, rad
  Vector<Real, dof> u = Vector<Real, dof>::Zero();  // m/s, rad/s
  Time<Real> clock;                                 // s, counted in steps

  Vector<Real, contacts> P_N = Vector<Real, contacts>::Zero();                                // N s
  Matrix<Real, tangents, contacts> P_T = Matrix<Real, tangents, contacts>::Zero();            // N s
  Matrix<Real, friction_dim, frictions> P_F = Matrix<Real, friction_dim, frictions>::Zero();  // N s
  Vector<Real, bilaterals> P_B = Vector<Real, bilaterals>::Zero();                            // N s

  detail::Sigma<contacts> sigma_N = impressed<contacts>();
  detail::Sigma<contacts> sigma_T = impressed<contacts>();
  detail::Sigma<frictions> sigma_F = impressed<frictions>();

  Real time() const { return clock(); }  // s
  void set_time(Real t) { clock = Time<Real>(t); }

  // As plain bytes (model/bytes.hpp): the size, and save / restore of exactly that many.
  static constexpr std::size_t bytes =
      12 + sizeof(std::int64_t) + 4 + std::size_t(2 * contacts + frictions) +
      sizeof(Real) * std::size_t(2 * dof + 2 + contacts * (1 + tangents) + frictions * friction_dim + bilaterals);
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
