// Findings, options and difference quotients of the model checker.
//
//   f'(0) = (8 (f(h) - f(-h)) - (f(2 h) - f(-2 h))) / (12 h) + O(h^4)
//
// The step sizes balance the truncation error, of order (h / size of the mechanism)^4, and the rounding error, of order
// epsilon f / h.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "moreau/math/kernels.hpp"

namespace moreau {
namespace detail {

// Subject of a finding: a member of the model, a declaration of its structure, or the initial state.
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
  contact_bias_acceleration,
  friction_bias_acceleration,
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
  step_size,
  parts,
  start_finite,
  start_overlap,
  start_joints,
  start_speeds,
  gap_bent,
  mass_ratio,
  gap_jump,
  w_T_scale,
  bilateral_dependent,
  start_dependent,
  part_units,
  part_reaction,
  gap_moved,
  bilateral_moved,
  friction_w_zero,
  touches,
  part_range,
  parameters,
  play,
  pure,
  part_values,
  part_equal,
  part_curve,
  joint_error,
  resolution,
  start_stop,
  part_size,
  joint_turn,
  potential,
  stalled,
  body_moved,
  body_inertia
};

constexpr int members = 65;

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
                                          "contact_bias_acceleration",
                                          "friction_bias_acceleration",
                                          "wrap",
                                          "period",
                                          "force (inertial forces of a q-dependent mass)",
                                          "law (eps_T without friction: mu = 0)",
                                          "directions: w_T (a column is zero, with mu)",
                                          "symmetric_steps",
                                          "constant_mass",
                                          "constant_directions",
                                          "diagonal_mass",
                                          "mass_pattern",
                                          "direction_pattern",
                                          "stiffness: dt omega",
                                          "damping: dt d/m",
                                          "step size: gap velocity dt / play",
                                          "parts (repeated in parts())",
                                          "start (finite)",
                                          "start (penetration of a contact)",
                                          "start (g of an ideal joint)",
                                          "start (speed of an ideal joint)",
                                          "gap (kink: w_N not compared)",
                                          "mass (ratio of joined bodies: rounding errors)",
                                          "gap (jump: the contact changes its surface)",
                                          "directions: w_T (scale, compared with w_N)",
                                          "bilateral (row depends on the rows before: redundant joint or dead centre)",
                                          "start (row depends on the rows before: redundant joint or dead centre)",
                                          "part (normal or direction of friction is not a unit vector)",
                                          "part (forces or moments on A and B are not opposite)",
                                          "gap (changed by the program, without velocity)",
                                          "bilateral (g changed by the program, without velocity)",
                                          "friction_directions: w (a column is zero, with a bound)",
                                          "touches (an entry of a row is not 0)",
                                          "part (configuration outside its range)",
                                          "parameters (out of range)",
                                          "play_of (negative, NaN, or of the size of the mechanism)",
                                          "pure (two calls with the same arguments return different values)",
                                          "part (without effect, or a value is missing)",
                                          "part (equal to another part: it acts twice)",
                                          "part (curve not closed, not positive, or with a wrong slope)",
                                          "joint (position error beyond the motion of a step: open or displaced)",
                                          "gap (resolution of the coordinates: too far from 0, or an unwrapped angle)",
                                          "start (compressed bump stop: its normal points to the wrong side)",
                                          "part or body (larger than the mechanism: a wrong unit)",
                                          "joint (turn within a step: dt is too long)",
                                          "potential (the forces are its gradient: wrong sign)",
                                          "coordinate (does not advance with its velocity: resolution of q)",
                                          "body (pose changed by the program, without velocity)",
                                          "body (a moment of inertia exceeds the sum of the others)"};
  return names[static_cast<int>(member)];
}

}  // namespace detail
using detail::name;

// Most severe finding of each member.
template <class Real>
class CheckReport {
 public:
  using Member = detail::Member;  // subject of a finding; name(member) returns its description

  // Deviation of one member from its correct value.
  struct Finding {
    Member member = Member::mass_symmetry;
    // Index of the contact, friction element, ideal joint row, or row of M. For wrap, period and symmetric_steps, the
    // compared function: 0 gap, 1 mass, 2 force, 3 directions of a contact, 4 mu of a contact, 5 directions of a
    // friction element, 6 row of an ideal joint. For mass_ratio: the row of an ideal joint, or the contact. For parts,
    // part_units, part_reaction, part_range, part_values, part_size, part_equal, part_curve and start_stop: the
    // position in parts(); -1 for part_size of a body. For parameters: StartReport::index. For pure: the function, as
    // for wrap. For joint_error and joint_turn: the row of an ideal joint. For body_moved and body_inertia: the body.
    int index = 0;
    // Coordinate of q; -1 for a whole vector. For stiffness and damping: the coordinate with the largest motion. For
    // wrap, period and symmetric_steps with index 0 or 3 to 6: the index of the contact, element or row. For
    // mass_ratio: the light body. For part_size: the body, or -1. For part_units and part_reaction: the number of the
    // contact or row in the part. For parameters: the cause, as in Cause(coordinate). For part_equal: the position of
    // the other part. For part_curve: the number of the angle, or -1 for a curve that is not closed.
    int coordinate = 0;
    Real deviation = Real(0);  // magnitude of the difference from the correct value
    Real allowed = Real(0);    // largest permitted deviation, from tolerance and rounding

    // Returns true if the deviation is at most the allowed one; false for NaN.
    constexpr bool ok() const { return deviation <= allowed; }
    // Returns deviation / allowed, or 0 if ok. Orders findings of different units.
    constexpr Real severity() const {
      if (ok()) return Real(0);
      if (!(deviation > allowed)) return std::numeric_limits<Real>::infinity();
      return deviation / (allowed > Real(0) ? allowed : detail::epsilon<Real>);
    }
  };

  // Adds a finding. Each member keeps its most severe finding.
  void add(const Finding& finding) {
    Finding& worst_yet = worst_[static_cast<std::size_t>(finding.member)];
    if (!looked_at(finding.member) || !(finding.severity() <= worst_yet.severity())) worst_yet = finding;
    looked_at_[static_cast<std::size_t>(finding.member)] = any_ = true;
  }

  // Returns true if this member was checked.
  bool looked_at(Member member) const { return looked_at_[static_cast<std::size_t>(member)]; }
  const Finding& worst_of(Member member) const { return worst_[static_cast<std::size_t>(member)]; }

  // Returns the most severe finding. If all findings are ok, it is an arbitrary one.
  const Finding& worst() const {
    const Finding* worst_yet = &worst_[0];
    for (const Finding& finding : worst_)
      if (!(finding.severity() <= worst_yet->severity())) worst_yet = &finding;
    return *worst_yet;
  }
  // Returns true if at least one member was checked and all findings are ok.
  bool ok() const { return any_ && worst().ok(); }

 private:
  std::array<Finding, detail::members> worst_{};
  bool looked_at_[detail::members] = {}, any_ = false;
};

// Step sizes and tolerances of the checks.
template <class Real>
struct CheckOptions {
  // Step size of differences in q, m or rad. Small compared with all lengths, including clearances. Default: 1e-4
  // (float: 1e-2).
  Real step_q = sizeof(Real) == 8 ? Real(1e-4) : Real(1e-2);

  // Step size of differences in t, s. Small compared with the time scale of prescribed motions. Default: 1e-5 (float:
  // 1e-3).
  Real step_t = sizeof(Real) == 8 ? Real(1e-5) : Real(1e-3);

  // Size of the mechanism, m. It scales the rounding error of gaps and the distance between compared configurations.
  // Default: 1.
  Real length = Real(1);

  // Tolerance relative to the largest entry. Default: 1e-6 (float: 1e-2).
  Real tolerance = sizeof(Real) == 8 ? Real(1e-6) : Real(1e-2);

  // Step size of the simulation, s. Default: 0, which omits the stability test of explicit forces and the comparison of
  // dt with the play.
  Real dt = Real(0);

  // Distance over which each coordinate is scanned for a jump of a gap, m or rad. For a hand-derived ratchet, set it to
  // one tooth; for PointOnPolygon, set it below half of the thickness of a tooth. A jump deep inside a body, or at the
  // end of a surface, is reported as well. 0 omits the test. Default: 1e-3.
  Real scan = Real(1e-3);

  // Test of the inertial forces in `force`. Set it to false if `force` is linearised or has other terms that are even
  // in u, such as the thrust of a propeller. Default: true.
  bool inertial_forces = true;
};

namespace detail {

// Returns f'(0) by the formula above.
template <class Value, class Real, class F>
Value difference(Real h, const F& f) {
  return (Real(8) * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (Real(12) * h);
}

}  // namespace detail
}  // namespace moreau
