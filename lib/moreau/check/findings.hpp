// What the model checker found: the worst deviation of each member of a model, and of all.
//
// Slopes of functions by differences, and how finely the model checker takes them.
//
//   f'(0) = (8 (f(h) - f(-h)) - (f(2 h) - f(-2 h))) / (12 h) + O(h^4)
//
// The steps trade the error of the formula, (h / size of the mechanism)^4, for the rounding of f, epsilon f / h.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "moreau/math/kernels.hpp"

namespace moreau {
namespace detail {

// What a finding is about: a member of the model, a declaration of its structure, or the start.
enum class Member {
  mass_symmetry,
  mass_definite,
  force,
  gap,
  w_N,
  zeta_N,
  w_T,
  zeta_T,
  law,
  mu,
  allowed_penetration,
  friction_bound,
  friction_directions,
  bilateral_w,
  bilateral_zeta,
  bias_acceleration,
  wrap,
  period,
  inertial_forces,
  eps_T_unused,
  w_T_zero,
  symmetric_steps,
  constant_mass,
  constant_directions,
  diagonal_mass,
  mass_pattern,
  direction_pattern,
  stiffness,
  damping,
  parts,
  start_finite,
  start_overlap,
  start_joints,
  start_speeds,
  gap_bent
};

constexpr int members = 35;

constexpr const char* name(Member member) {
  constexpr const char* names[members] = {"mass (symmetry)",
                                          "mass (positive definite)",
                                          "force",
                                          "gap",
                                          "directions: w_N",
                                          "directions: zeta_N",
                                          "directions: w_T",
                                          "directions: zeta_T",
                                          "law",
                                          "mu",
                                          "allowed_penetration",
                                          "friction_bound",
                                          "friction_directions",
                                          "bilateral: w",
                                          "bilateral: zeta",
                                          "bias_acceleration",
                                          "wrap",
                                          "period",
                                          "force (inertial forces of a mass that depends on q)",
                                          "law (eps_T without friction: mu is 0)",
                                          "directions: w_T (zero, with mu)",
                                          "symmetric_steps",
                                          "constant_mass",
                                          "constant_directions",
                                          "diagonal_mass",
                                          "mass_pattern",
                                          "direction_pattern",
                                          "stiffness: dt omega",
                                          "damping: dt d/m",
                                          "parts (one stands twice in parts())",
                                          "start (finite)",
                                          "start (overlap of a contact)",
                                          "start (g of an ideal joint)",
                                          "start (speed of an ideal joint)",
                                          "gap (bent here: w_N is not compared)"};
  return names[static_cast<int>(member)];
}

}  // namespace detail
using detail::name;

// The worst finding of each member.
template <class Real>
class CheckReport {
 public:
  using Member = detail::Member;  // what a finding is about; name(member) has it in words

  // The worst deviation of one member.
  struct Finding {
    Member member = Member::mass_symmetry;
    // contact, friction element, joint, row of M; of wrap, period and symmetric_steps: 0 gap, 1 mass, 2 force,
    // 3 directions of a contact, 4 its mu, 5 directions of a friction element, 6 of an ideal joint
    int index = 0;
    int coordinate = 0;  // of q; of stiffness and damping the one that moves most; where index is 0 or 3 to 6 of those
                         // three: which one; -1: the vector as a whole
    Real deviation = Real(0);  // between what the model says and what it should say
    Real allowed = Real(0);    // by rounding and tolerance

    // A deviation that is a NaN is not ok.
    constexpr bool ok() const { return deviation <= allowed; }
    // How much worse than allowed: orders findings of different units.
    constexpr Real severity() const {
      if (ok()) return Real(0);
      if (!(deviation > allowed)) return std::numeric_limits<Real>::infinity();
      return deviation / (allowed > Real(0) ? allowed : detail::epsilon<Real>);
    }
  };

  void add(const Finding& finding) {
    Finding& worst_yet = worst_[static_cast<std::size_t>(finding.member)];
    if (!looked_at(finding.member) || !(finding.severity() <= worst_yet.severity())) worst_yet = finding;
    looked_at_ |= std::uint64_t(1) << static_cast<int>(finding.member);
  }

  bool looked_at(Member member) const { return (looked_at_ >> static_cast<int>(member) & 1) != 0; }
  const Finding& worst_of(Member member) const { return worst_[static_cast<std::size_t>(member)]; }

  // The member that is furthest out; any that was looked at where all are fine.
  const Finding& worst() const {
    const Finding* worst_yet = &worst_[0];
    for (const Finding& finding : worst_)
      if (!(finding.severity() <= worst_yet->severity())) worst_yet = &finding;
    return *worst_yet;
  }
  bool ok() const { return looked_at_ != 0 && worst().ok(); }

 private:
  std::array<Finding, detail::members> worst_{};
  std::uint64_t looked_at_ = 0;
};

// How finely the model checker looks, and what it tolerates.
template <class Real>
struct CheckOptions {
  Real step_q = sizeof(Real) == 8 ? Real(1e-4) : Real(1e-2);     // m or rad: small against all lengths, a play, too
  Real step_t = sizeof(Real) == 8 ? Real(1e-5) : Real(1e-3);     // s: small against the motion of the surroundings
  Real length = Real(1);                                         // m: what gaps are differences of
  Real tolerance = sizeof(Real) == 8 ? Real(1e-6) : Real(1e-2);  // of the largest entry
  Real dt = Real(0);  // s: the step that is meant; 0: how stiff explicit forces are is not looked at
  // false: force has a part even in u of another kind, such as the thrust of a propeller, or is linearised
  bool inertial_forces = true;
};

namespace detail {

template <class Value, class Real, class F>
Value difference(Real h, const F& f) {
  return (Real(8) * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (Real(12) * h);
}

}  // namespace detail
}  // namespace moreau
