// Check of a run for changes of the geometry that the steps do not account for.
//
//   gap_moved         g_N(q, t) at the same q and t changes between two steps: the program has changed the model
//   bilateral_moved   the same for g of the ideal joints
//   body_moved        the same for the pose of a body in joint coordinates: the program has moved a joint of the tree
//   gap_jump          g_N jumps through 0 within a step, by more than eight allowed penetrations: the contact changes
//                     its surface
//   parameters        the program has set a parameter out of its range; steps test only some of the parameters
//   part_range        a part leaves its range, such as a slider that leaves its guide
//   resolution        the coordinates are too large for the play: in float, a mechanism far from the origin, or an
//                     angle that is not wrapped (check/step_size.hpp)
//   joint_error       the ideal joints do not close: a linkage beyond its reach, or a drive law that jumps
//                     (step/joint_error.hpp)
//   stiffness         a spring is too stiff for dt, for example because the program has changed a parameter
//   damping           the same for a damper (check/explicit_forces.hpp)
//   stalled           q of a coordinate does not change for half of its path, because dt u is below its resolution
//   joint_turn        a joint direction turns by more than 0.3 rad within a step: dt is too long
//
// A step returns `ok` in all these cases. If the program moves a surface, the step assumes that the surface has zero
// velocity. An impact then depends on the velocity of the body alone, and position correction moves the body without
// work. Put a prescribed motion into gap and zeta, or into a `Drive`. If the program moves an ideal joint, its body
// moves over any distance without velocity, at once or when the next step closes the joint. If a contact changes its
// surface between two midpoints, for example to the next tooth of a ratchet, the step does not detect the change. Use
// one contact index for each surface.
//
//   moreau::RunChecker watch{machine};                   // before the first step
//   ... machine.step(dt);  watch.look();                 // after each step; or moreau::run(machine, dt, steps, watch)
//   if (!watch.report().ok()) ...                        // member, contact or row, and distance in m or rad
//
// The check evaluates the model many times per step. Use it in tests and simulations, not in a controller.
#pragma once

#include "moreau/check/contact_checker.hpp"
#include "moreau/check/explicit_forces.hpp"
#include "moreau/check/parts_checker.hpp"
#include "moreau/check/step_size.hpp"
#include "moreau/contact/contacts_by_gap.hpp"
#include "moreau/model/evaluation.hpp"
#include "moreau/model/state.hpp"
#include "moreau/model/step_motion.hpp"
#include "moreau/model/time.hpp"
#include "moreau/step/joint_error.hpp"
#include "moreau/step/report.hpp"

namespace moreau {
namespace detail {

// Poses of the bodies of a mechanism at the same q and t, before and after a change of the model.
template <class Model, bool = is_planar_mechanism<Model>>
struct RememberedPoses {
  static constexpr int bodies = 0;
  void remember(const Model&, const State<Model>&) {}
  typename Traits<Model>::Real largest_change(const RememberedPoses&, int) const { return {}; }
};
template <class Model>
struct RememberedPoses<Model, true> {
  static constexpr int bodies = Model::List::bodies;
  typename Model::Bodies body;
  void remember(const Model& model, const State<Model>& state) { body = model.body_states(state); }
  // Returns the largest change of x, y and phi of body b.
  auto largest_change(const RememberedPoses& then, int b) const {
    const auto &now = body[std::size_t(b)].frame, &was = then.body[std::size_t(b)].frame;
    return larger(larger(absolute(now.r.x - was.r.x), absolute(now.r.y - was.r.y)), absolute(now.phi - was.phi));
  }
};

}  // namespace detail

// Checker of the steps of one stepper. The stepper must outlive it.
template <class Stepper>
class RunChecker {
  using Model = typename Stepper::Model;
  using T = Traits<Model>;
  using Member = detail::Member;

 public:
  using Real = typename T::Real;
  using Q = Vector<Real, T::dof>;

  explicit RunChecker(const Stepper& stepper, const CheckOptions<Real>& options = {})
      : stepper_(stepper),
        allowed_(detail::rounding_of_gaps(options.length)),
        step_q_(options.step_q),
        before_(stepper.state) {
    remember();
  }

  // Compares the state and the model with those of the last call. If more than one step lies between, only the changes
  // of the model are checked.
  void look() {
    const auto at = [this](const Q& q, Real t) { return detail::Evaluation<Model>(stepper_.model, q, t); };
    const Real t_A = detail::reduced(stepper_.model, before_.clock);
    const auto here = at(before_.q, t_A);
    for (int i = 0; i < T::contacts; ++i) compare(Member::gap_moved, i, gap_of(here, i), gap_[std::size_t(i)]);
    for (int j = 0; j < T::bilaterals; ++j) compare(Member::bilateral_moved, j, g_of(here, j), g_[std::size_t(j)]);
    detail::RememberedPoses<Model> poses;
    poses.remember(stepper_.model, before_);
    for (int b = 0; b < poses.bodies; ++b) compare(Member::body_moved, b, poses.largest_change(poses_, b), Real(0));
    const State<Model>& after = stepper_.state;
    if (T::contacts > 0 && detail::one_step(before_.clock, after.clock)) {
      const Real dt = after.clock.dt;
      const detail::StepMotion<Model> motion(stepper_.model, before_, after);
      const Q &q_M = motion.q_M, &q_E = motion.q_E;  // before correction and wrapping
      for (int i = 0; i < T::contacts; ++i)
        report_.add({Member::gap_jump, i, -1,
                     detail::largest_jump<Real>(samples,
                                                [&](Real s) {
                                                  const Q q = s < Real(0.5) ? Q(before_.q + 2 * s * (q_M - before_.q))
                                                                            : Q(q_M + (2 * s - 1) * (q_E - q_M));
                                                  return gap_of(at(q, t_A + s * dt), i);
                                                }),
                     allowed_jump(i)});
    }
    if (T::bilaterals > 0 && detail::one_step(before_.clock, after.clock)) {
      const auto joints = detail::joint_error(stepper_.model, before_, after);
      report_.add({Member::joint_error, joints.row, -1, joints.error, joints.limit * joints.motion});
      report_.add({Member::joint_turn, joints.turned_row, -1, joints.turn, joints.turn_limit});
    }
    if constexpr (T::contacts > 0 && detail::Contract<Model>::has_play) {
      const Real t_E = detail::reduced(stepper_.model, after.clock);
      for (int i = 0; i < T::contacts; ++i)
        if (const Real play = stepper_.model.play_of(i); play > Real(0))
          detail::check_resolution(stepper_.model, after.q, t_E, i, play / 10, report_);
    }
    if (detail::one_step(before_.clock, after.clock)) {
      const Real t_E = detail::reduced(stepper_.model, after.clock);
      stability_.look(stepper_.model, after.q, after.u, t_E, after.clock.dt, step_q_, report_);
      compare_advance(after);
    }
    detail::check_parameters(stepper_.model, report_);
    if constexpr (detail::is_mechanism<Model>)
      detail::check_ranges(stepper_.model, after.q, detail::reduced(stepper_.model, after.clock), report_);
    before_ = after;
    remember();
  }
  // Recorder of moreau::run.
  void operator()(const State<Model>&, const StepReport<Real>&) { look(); }

  const CheckReport<Real>& report() const { return report_; }

 private:
  static constexpr int samples = 16;  // per step; a contact closed for a shorter part of a step can remain undetected

  static Real gap_of([[maybe_unused]] const detail::Evaluation<Model>& at, [[maybe_unused]] int i) {
    if constexpr (T::contacts > 0)
      return at.gap(i);
    else
      return Real(0);
  }
  static Real g_of([[maybe_unused]] const detail::Evaluation<Model>& at, [[maybe_unused]] int j) {
    if constexpr (T::bilaterals > 0)
      return at.bilateral(j).g;
    else
      return Real(0);
  }
  // A contact that leaves its surface over an edge jumps by its penetration, for example at the tip of a tooth.
  Real allowed_jump([[maybe_unused]] int i) const {
    if constexpr (detail::Contract<Model>::has_allowed_penetration)
      return allowed_ + Real(detail::rounding_depths) * stepper_.model.allowed_penetration(i);
    else
      return allowed_;
  }
  // Compares the displacements by dt (u_A + u_E) / 2 of all steps with those of the steps in which q does not change.
  void compare_advance(const State<Model>& after) {
    constexpr Real spacings = Real(100) * detail::epsilon<Real>;
    for (int d = 0; d < T::dof; ++d) {
      const Real by_velocity = after.clock.dt / 2 * (before_.u[d] + after.u[d]);
      path_(d) += detail::absolute(by_velocity);
      if (after.q[d] == before_.q[d]) omitted_(d) += by_velocity;
      const Real rounding = allowed_ + spacings * detail::absolute(after.q[d]);
      report_.add({Member::stalled, 0, d, detail::absolute(omitted_(d)), path_(d) / 2 + rounding});
    }
  }
  void compare(Member member, int index, Real now, Real then) {
    report_.add({member, index, -1, detail::absolute(now - then), allowed_});
  }
  void remember() {
    const detail::Evaluation<Model> at(stepper_.model, before_.q, detail::reduced(stepper_.model, before_.clock));
    for (int i = 0; i < T::contacts; ++i) gap_[std::size_t(i)] = gap_of(at, i);
    for (int j = 0; j < T::bilaterals; ++j) g_[std::size_t(j)] = g_of(at, j);
    poses_.remember(stepper_.model, before_);
  }

  const Stepper& stepper_;
  const Real allowed_, step_q_;  // m or rad
  detail::StabilityProbe<Model> stability_;
  Q path_ = Q::Zero(), omitted_ = Q::Zero();  // sums over all steps, m or rad
  State<Model> before_;
  detail::RememberedPoses<Model> poses_;
  std::array<Real, std::size_t(T::contacts)> gap_{};
  std::array<Real, std::size_t(T::bilaterals)> g_{};
  CheckReport<Real> report_;
};

}  // namespace moreau
