// Drives in space: ideal joints that prescribe the relative motion of two bodies.
//
//   Drive         rotation of normal_B about axis_A, measured from normal_A
//   LinearDrive   x = axis_A . (p_B - p_A)
//
// The laws are those of the plane (mechanism/drives.hpp): functions of time, and commands. If the law of a Drive is a
// function of time, its row is g = sin(angle - x(t)), which does not count turns. A Drive with CommandedPosition
// approaches the position, modulo a turn, by the shorter rotation. A hinge or a guide constrains the other directions.
#pragma once

#include "moreau/mechanism/drives.hpp"
#include "moreau/spatial/forces.hpp"
#include "moreau/spatial/ideal_joints.hpp"

namespace moreau {
namespace spatial {

// Prescribed rotation of B relative to A about an axis of A. Law: CommandedSpeed, CommandedPosition, or any struct with
// DriveAngle<Real> operator()(Real t) const.
template <class Real, int A, int B, class Law = CommandedSpeed<Real>>
struct Drive {
  static constexpr int body_A = A, body_B = B, bilaterals = 1;
  static constexpr Touches touches(int) { return detail::moment_touches(); }
  using Rule = moreau::detail::DriveLaw<Real, Law>;
  static constexpr bool commanded = Rule::is_commanded;
  static constexpr bool has_position = moreau::detail::value_or<moreau::detail::law_counts_turns_in, Law, false>;

  Point<Real> axis_A{Real(0), Real(0), Real(1)};    // axis in A, a unit vector
  Point<Real> normal_A{Real(1), Real(0), Real(0)};  // a unit vector of A perpendicular to axis_A
  Point<Real> normal_B{Real(1), Real(0), Real(0)};  // the driven direction of B
  Law law{};

  bool valid() const {
    return detail::is_unit(axis_A) && detail::is_normal(axis_A, normal_A) && detail::is_unit(normal_B) &&
           Rule::valid(law);
  }
  JointRow<Real> bilateral(int, const Frame<Real>& frame_A, const Frame<Real>& frame_B, Real t) const {
    const Point<Real> axis = frame_A.turn(axis_A);
    JointRow<Real> row =
        Rule::row(law, JointRow<Real>{wrench_of_moment(frame_A, -axis), wrench_of_moment(frame_B, axis)}, Real(0), t);
    if constexpr (!Rule::is_commanded) row.g = off(frame_A, frame_B, target_at(t)).sine;
    return row;
  }
  bool reversed(int, const Frame<Real>& frame_A, const Frame<Real>& frame_B) const {
    return !Rule::is_commanded && off(frame_A, frame_B, target_at(Real(0))).cosine < Real(0);
  }
  Real bias_acceleration(int, const BodyState<Real>& state_A, const BodyState<Real>& state_B) const {
    const Point<Real> axis = state_A.frame.turn(axis_A);
    return dot(cross(state_A.omega, axis), state_B.omega) + dot(axis, state_B.alpha - state_A.alpha);
  }
  template <bool varies = Rule::varies, std::enable_if_t<varies, int> = 0>
  Real zeta_E(int k, const BodyState<Real>& state_A, const BodyState<Real>& state_B, Real t, Real dt) const {
    const Real speed = dot(state_A.frame.turn(axis_A), state_B.omega - state_A.omega);
    return Rule::zeta_E(law, position(state_A.frame, state_B.frame), speed, bias_acceleration(k, state_A, state_B), t,
                        dt);
  }

 private:
  struct Off {
    Real sine, cosine;
  };
  Real target_at([[maybe_unused]] Real t) const {
    if constexpr (Rule::is_commanded)
      return Real(0);
    else
      return law(t).angle;
  }
  // Returns sine and cosine of the angle from the target to normal_B.
  Off off(const Frame<Real>& frame_A, const Frame<Real>& frame_B, Real target) const {
    const SinCos<Real> s = sincos(target);
    const Point<Real> third = cross(axis_A, normal_A), driven = frame_A.turn_back(frame_B.turn(normal_B));
    const Real x = dot(normal_A, driven), y = dot(third, driven);
    return {s.cos * y - s.sin * x, s.cos * x + s.sin * y};
  }
  // Returns the angle of normal_B that is nearest to a commanded position; 0 for other laws.
  Real position([[maybe_unused]] const Frame<Real>& frame_A, [[maybe_unused]] const Frame<Real>& frame_B) const {
    if constexpr (has_position) {
      const Off to = off(frame_A, frame_B, law.position);
      const Real least = std::numeric_limits<Real>::epsilon();  // half a turn is an error, not 0
      const Real sine =
          moreau::detail::Branchless::select_if_less(Real(0), moreau::detail::absolute(to.sine), to.sine, least);
      return law.position + detail::angle_of(sine, to.cosine);
    } else {
      return Real(0);
    }
  }
};

// Prescribed translation of a point of B along an axis of A. Law: as for Drive, and CommandedPosition.
template <class Real, int A, int B, class Law = CommandedSpeed<Real>>
struct LinearDrive {
  static constexpr int body_A = A, body_B = B, bilaterals = 1;
  using Rule = moreau::detail::DriveLaw<Real, Law>;
  static constexpr bool commanded = Rule::is_commanded;

  Point<Real> on_A;                               // origin of the position in A, m
  Point<Real> axis_A{Real(0), Real(0), Real(1)};  // direction of motion in A, a unit vector
  Point<Real> on_B;                               // driven point in B, m
  Law law{};

  bool valid() const { return detail::is_unit(axis_A) && Rule::valid(law); }
  JointRow<Real> bilateral(int, const Frame<Real>& frame_A, const Frame<Real>& frame_B, Real t) const {
    const JointRow<Real> row = distance(frame_A, frame_B);
    return Rule::row(law, row, row.g, t);
  }
  Real bias_acceleration(int, const BodyState<Real>& state_A, const BodyState<Real>& state_B) const {
    return detail::distance_bias(state_A, state_B, state_B.frame.world(on_B), state_A.frame.turn(axis_A));
  }
  template <bool varies = Rule::varies, std::enable_if_t<varies, int> = 0>
  Real zeta_E(int k, const BodyState<Real>& state_A, const BodyState<Real>& state_B, Real t, Real dt) const {
    const Point<Real> p = state_B.frame.world(on_B);
    const Real speed = dot(state_A.frame.turn(axis_A), state_B.velocity_of(p) - state_A.velocity_of(p));
    return Rule::zeta_E(law, distance(state_A.frame, state_B.frame).g, speed, bias_acceleration(k, state_A, state_B), t,
                        dt);
  }

 private:
  JointRow<Real> distance(const Frame<Real>& frame_A, const Frame<Real>& frame_B) const {
    return detail::distance_row(frame_A, frame_B, frame_A.world(on_A), frame_B.world(on_B), frame_A.turn(axis_A));
  }
};

}  // namespace spatial
}  // namespace moreau
