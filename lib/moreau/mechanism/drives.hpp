// Drives: ideal joints that prescribe the relative motion of two bodies.
//
//   Drive         x = phi_B - phi_A              rotation of B relative to A
//   LinearDrive   x = axis . (p_B - p_A)         translation of a point of B along an axis of A
//
// The drive law (member `law`) is a function of time or a command:
//
//   function of time    w^T u_E + zeta_E = 0 with zeta_E = -x'(t_E),  g = x - x(t);  zeta = -x'(t)
//   command             w^T u_E + zeta_E = 0 with zeta_E = -x'_E(x_A, x'_A, command, dt),  g = 0
//
// With the speed of the midpoint, -x'(t_M), all velocities and loads that depend on a drive with a varying speed would
// have errors of first order. A step evaluates the function at t_M and at t_M + dt/2, which can exceed the period of
// the model.
//
// A command can change between any two steps. Position and speed of a commanded drive are those of q and u, so a copy
// of the state contains them. The position is continuous for every sequence of commands, and the speed changes by at
// most acceleration dt per step. One step advances x by dt (x'_A + x'_E) / 2:
//
//   CommandedSpeed      x'_E = speed, limited to x'_A +- acceleration dt
//   CommandedPosition   x'_E = y / (n + 1),  y = 2 (position - x_A) / dt - x'_A,
//                       n = least integer with n (n + 1) >= |y| / (acceleration dt),
//                       limited to +-speed, then to x'_A +- acceleration dt
//
// y / (n + 1) is the speed from which n further steps of equal deceleration end at rest in `position`.
//
// The resolution of q limits the accuracy of a commanded drive: in float, 2e-7 rad for an angle near pi. For a rotation
// with an exact phase over hours, use a function of time and period().
#pragma once

#include <limits>

#include "moreau/math/angle.hpp"
#include "moreau/math/branching.hpp"
#include "moreau/math/detect.hpp"
#include "moreau/math/sqrt.hpp"
#include "moreau/mechanism/ideal_joints.hpp"

namespace moreau {

// Prescribed motion of a drive at time t: position, and its exact derivative.
template <class Real>
struct DriveAngle {
  Real angle = Real(0);  // rad; m for a LinearDrive
  Real speed = Real(0);  // rad/s; m/s for a LinearDrive
};

// Function of time: constant speed, and the angle `start` at t = 0. Both are fixed, because a change of the speed would
// displace the body at once by (new speed - old speed) t. For a variable speed, use CommandedSpeed.
template <class Real>
class ConstantSpeed {
 public:
  ConstantSpeed() = default;
  constexpr explicit ConstantSpeed(Real speed, Real start = Real(0)) : speed_(speed), start_(start) {}
  DriveAngle<Real> operator()(Real t) const { return {start_ + speed_ * t, speed_}; }

 private:
  Real speed_ = Real(0), start_ = Real(0);  // rad/s, rad
};

namespace detail {

// Returns x limited to low..high. If low > high, the result is high.
template <class Real>
Real limited(Real x, Real low, Real high) {
  return Branchless::smaller(Branchless::larger(x, low), high);
}

// Returns the least integer >= x for 0 <= x <= 2^22, a number >= x for larger x, and NaN for NaN. The sum with `shift`
// rounds x to an integer; a conversion to int is undefined for NaN.
template <class Real>
Real rounded_up(Real x) {
  constexpr Real shift = Real(1.5) / std::numeric_limits<Real>::epsilon();
  const Real nearest = (x + shift) - shift;
  return Branchless::larger(x, Branchless::select_if_less(nearest, x, nearest + Real(1), nearest));
}

}  // namespace detail

// Command of a speed.
template <class Real>
struct CommandedSpeed {
  Real speed = Real(0);                                  // rad/s or m/s, can change between steps
  Real acceleration = std::numeric_limits<Real>::max();  // upper limit, rad/s^2 or m/s^2; the default permits jumps

  CommandedSpeed() = default;
  constexpr CommandedSpeed(Real commanded) : speed(commanded) {}  // law = {60}
  // The second number of ConstantSpeed is an angle, so a second number here would be ambiguous.
  template <class Second>
  constexpr CommandedSpeed(Real, Second) {
    static_assert(sizeof(Second) == 0,
                  "CommandedSpeed takes one number, the speed: assign acceleration by name, or take "
                  "ConstantSpeed(speed, start) for a speed and a start angle that never change");
  }

  constexpr bool valid() const {
    return speed >= -std::numeric_limits<Real>::max() && speed <= std::numeric_limits<Real>::max() &&
           acceleration > Real(0);
  }
  // Returns the speed at the end of a step of dt from position x_A and speed v_A.
  Real end_speed(Real, Real v_A, Real dt) const {
    return detail::limited(speed, v_A - acceleration * dt, v_A + acceleration * dt);
  }
  constexpr Real start_speed() const { return speed; }  // used by close_joints
};

// Command of a position, approached without overshoot.
template <class Real>
struct CommandedPosition {
  static constexpr bool counts_turns = true;

  Real position = Real(0);      // rad or m, can change between steps
  Real speed = Real(0);         // upper limit, rad/s or m/s
  Real acceleration = Real(0);  // upper limit, rad/s^2 or m/s^2

  constexpr bool valid() const {
    constexpr Real largest = std::numeric_limits<Real>::max();
    return position >= -largest && position <= largest && speed > Real(0) && acceleration > Real(0) &&
           acceleration <= largest;
  }
  // Returns the speed at the end of a step of dt from position x_A and speed v_A.
  Real end_speed(Real x_A, Real v_A, Real dt) const {
    using detail::absolute, detail::limited;
    const Real distance = position - x_A, change = acceleration * dt, y = Real(2) * distance / dt - v_A;
    const Real n = detail::rounded_up((moreau::sqrt(Real(1) + Real(4) * absolute(y) / change) - Real(1)) / Real(2));
    const Real v = limited(limited(y / (n + Real(1)), -speed, speed), v_A - change, v_A + change);
    // At rest within the rounding errors of q.
    const Real resolution = Real(4) * std::numeric_limits<Real>::epsilon() * (Real(1) + absolute(position));
    const Real moving = detail::Branchless::select_if_less(change, absolute(v_A), v, Real(0));
    return detail::Branchless::select_if_less(resolution, absolute(distance), v, moving);
  }
  constexpr Real start_speed() const { return Real(0); }  // used by close_joints
};

namespace detail {

template <class Law, class Real>
using end_speed_in = decltype(const_object<Law>().end_speed(Real{}, Real{}, Real{}));
template <class Law, class Real>
inline constexpr bool is_command = detected<end_speed_in, Law, Real>;
template <class Law>
using law_valid_in = decltype(bool(const_object<Law>().valid()));
template <class Law>
using law_counts_turns_in = Bool<bool(Law::counts_turns)>;
template <class Law>
inline constexpr bool is_constant_speed = false;
template <class Real>
inline constexpr bool is_constant_speed<ConstantSpeed<Real>> = true;

// Law of a drive, common to both kinds of motion x.
template <class Real, class Law>
struct DriveLaw {
  static constexpr bool is_commanded = is_command<Law, Real>;
  static constexpr bool varies = !is_constant_speed<Law>;  // otherwise zeta_E = zeta

  static bool valid([[maybe_unused]] const Law& law) {
    if constexpr (detected<law_valid_in, Law>)
      return law.valid();
    else
      return true;
  }
  // Completes a row with the gradient of x.
  template <class Row>
  static Row row(const Law& law, const Row& of, [[maybe_unused]] Real x, [[maybe_unused]] Real t) {
    if constexpr (is_commanded) {
      return {of.A, of.B, -law.start_speed(), Real(0)};
    } else {
      const DriveAngle<Real> target = law(t);
      return {of.A, of.B, -target.speed, x - target.angle};
    }
  }
  // Returns zeta_E from the position and speed of x at the midpoint, the bias acceleration of the row and t_M.
  static Real zeta_E(const Law& law, [[maybe_unused]] Real x_M, [[maybe_unused]] Real v_M, Real bias,
                     [[maybe_unused]] Real t_M, Real dt) {
    const Real half = dt * Real(0.5);
    if constexpr (is_commanded)
      return half * bias - law.end_speed(x_M - half * v_M, v_M - half * bias, dt);
    else
      return half * bias - law(t_M + half).speed;
  }
};

}  // namespace detail

// Prescribed rotation of B relative to A. Law: CommandedSpeed, CommandedPosition, or any struct with
// DriveAngle<Real> operator()(Real t) const.
template <class Real, int A, int B, class Law = CommandedSpeed<Real>>
struct Drive {
  static constexpr int body_A = A, body_B = B, bilaterals = 1;
  static constexpr bool counts_turns = detail::value_or<detail::law_counts_turns_in, Law, false>;
  static constexpr Touches touches(int) { return {false, false, true}; }
  using Rule = detail::DriveLaw<Real, Law>;
  static constexpr bool commanded = Rule::is_commanded;

  Law law{};

  bool valid() const { return Rule::valid(law); }
  JointRow<Real> bilateral(int, const Frame<Real>& frame_A, const Frame<Real>& frame_B, Real t) const {
    JointRow<Real> row = Rule::row(law, JointRow<Real>{{{}, Real(-1)}, {{}, Real(1)}}, frame_B.phi - frame_A.phi, t);
    if constexpr (!Rule::is_commanded) row.g = wrap_angle(row.g);
    return row;
  }
  template <bool varies = Rule::varies, std::enable_if_t<varies, int> = 0>
  Real zeta_E(int, const BodyState<Real>& state_A, const BodyState<Real>& state_B, Real t, Real dt) const {
    return Rule::zeta_E(law, state_B.frame.phi - state_A.frame.phi, state_B.omega - state_A.omega, Real(0), t, dt);
  }
};

// Prescribed translation of a point of B along an axis of A. The drive leaves the rotation and the motion across the
// axis free; a Prismatic joint guides them. Law: as for Drive.
template <class Real, int A, int B, class Law = CommandedSpeed<Real>>
struct LinearDrive {
  static constexpr int body_A = A, body_B = B, bilaterals = 1;
  using Rule = detail::DriveLaw<Real, Law>;
  static constexpr bool commanded = Rule::is_commanded;

  Point<Real> on_A;                    // origin of the position in A, m
  Point<Real> axis{Real(1), Real(0)};  // direction of motion in A, a unit vector
  Point<Real> on_B;                    // driven point in B, m
  Law law{};

  bool valid() const { return detail::is_unit(axis) && Rule::valid(law); }
  JointRow<Real> bilateral(int, const Frame<Real>& frame_A, const Frame<Real>& frame_B, Real t) const {
    const JointRow<Real> row =
        detail::distance_row(frame_A, frame_B, frame_A.world(on_A), frame_B.world(on_B), frame_A.turn(axis));
    return Rule::row(law, row, row.g, t);
  }
  Real bias_acceleration(int, const BodyState<Real>& state_A, const BodyState<Real>& state_B) const {
    const Point<Real> p_A = state_A.frame.world(on_A), p_B = state_B.frame.world(on_B);
    const Point<Real> along = state_A.frame.turn(axis);
    const Real crossing_speed = dot(quarter_turn(along), state_B.velocity_of(p_B) - state_A.velocity_of(p_A));
    return dot(along, detail::centripetal(state_B, p_B) - detail::centripetal(state_A, p_A)) +
           Real(2) * state_A.omega * crossing_speed - (state_A.omega * state_A.omega) * dot(along, p_B - p_A);
  }
  template <bool varies = Rule::varies, std::enable_if_t<varies, int> = 0>
  Real zeta_E(int k, const BodyState<Real>& state_A, const BodyState<Real>& state_B, Real t, Real dt) const {
    const Point<Real> p_B = state_B.frame.world(on_B);
    const JointRow<Real> row =
        detail::distance_row(state_A.frame, state_B.frame, state_A.frame.world(on_A), p_B, state_A.frame.turn(axis));
    const Real speed = dot(row.B.force, state_B.velocity_of(p_B) - state_A.velocity_of(p_B));
    return Rule::zeta_E(law, row.g, speed, bias_acceleration(k, state_A, state_B), t, dt);
  }
};

}  // namespace moreau
