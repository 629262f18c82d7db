// Output of one joint in one step: gap, percussion, load and dissipated energy.
//
//   const auto before = machine.state;   machine.step(dt);
//   const auto out = joint_output(machine.model, &Parts::guide, before, machine.state);
//   name(configuration(machine.model.guide, out))   ->   "corner 1"
//
//   P = sum of the percussions on B,  force = P / dt,  dissipated = - P . (gamma_A + gamma_E) / 2
//
// For constant M, the dissipated energy is exactly the kinetic energy removed by the percussions. For an ideal joint
// that is not driven, it consists of discretisation error only; for a joint of the spanning tree of a TreeMechanism it
// is 0, and the load follows from the motion of the bodies (tree_loads.hpp). The output is a function of the model and
// two states; the states store no additional data for it.
//
// A part is selected in one of three ways:
//
//   joint_output(model, &Parts::guide, ...)     by its name
//   joint_output(model, &Parts::feet, 2, ...)   as an element of an array of parts
//   joint_output(model, part, ...)              by its type, which must occur once in parts(); `part` can be a copy
//
// All real numbers of the output are NaN if the part is not in parts(), if it is invalid (valid() == false), or if the
// two states do not enclose exactly one step. Exception: before the first step, g_N, play_used and leans are finite.
#pragma once

#include <limits>

#include "moreau/mechanism/mechanism.hpp"
#include "moreau/mechanism/tree_loads.hpp"
#include "moreau/model/state.hpp"
#include "moreau/model/step_motion.hpp"
#include "moreau/model/time.hpp"

namespace moreau {

// Output of one joint.
template <class Real>
struct JointOutput {
  Real g_N = Real(0);        // smallest gap at the midpoint, m
  Real play_used = Real(0);  // eccentricity ratio: 0 centred, 1 in contact; 0 for a joint without play
  unsigned closed = 0;       // bit mask; bit k is set if contact k of the joint is closed
  Point<Real> leans;         // -n of the contact with the smallest gap, in A; for a pin (cos, sin) of the contact angle
  Point<Real> P;             // percussion on B, N s
  Wrench<Real> load;         // mean over the step, on B and about its centre of mass, N and N m
  Real dissipated = Real(0);  // dissipated energy, J
};

namespace detail {

// Output of the joints of a geometry, here of the plane.
template <class Geometry>
struct JointOutputOf {
  using Real = typename Geometry::Real;
  using type = JointOutput<Real>;

  static constexpr type of_no_joint() {
    constexpr Real nan = std::numeric_limits<Real>::quiet_NaN();
    return {nan, nan, 0, {nan, nan}, {nan, nan}, {{nan, nan}, nan}, nan};
  }
  static void add_moment(type& out, const typename Geometry::Frame&, Real moment) { out.load.moment += moment; }
};
template <class Model>
using OutputOf = JointOutputOf<typename Model::List::Geometry>;

// Returns w^T u of a row that acts on both bodies.
template <int A, int B, class At, class Real, int dof, class W>
Real row_velocity([[maybe_unused]] const At& a, const Vector<Real, dof>& u, const W& on_A, const W& on_B) {
  return dot(generalized<A, B, Vector<Real, dof>>(a, on_A, on_B), u);
}

// Accumulates the output of one joint over its percussions in one step.
template <class Model, class Part>
class JointAccount {
  using Real = typename Model::Real;
  using List = typename Model::List;
  using Geometry = typename List::Geometry;
  using Output = typename OutputOf<Model>::type;

 public:
  JointAccount(const Model& model, const State<Model>& before, const State<Model>& after)
      : model_(model),
        before_(before),
        after_(after),
        motion_(model, before, after),
        mean_(Real(0.5) * (motion_.u_A + motion_.u_E)),
        a_(model.at(motion_.q_M, model_time(model, before.clock.counted_in(after.clock.dt)))),
        A_(frame_of<Part::body_A>(a_)),
        B_(frame_of<Part::body_B>(a_)) {}

  // Returns the output of `joint`, part i in parts().
  template <int i>
  Output of(const Part& joint) {
    if constexpr (brings<contacts_in, Part>)
      for (int k = 0; k < Part::contacts; ++k) add_contact(joint, List::template rows_before<contacts_in, i>, k);
    if constexpr (brings<contacts_in, Part> && detected<play_in, Part>)
      if (joint.play > Real(0)) out_.play_used = Real(1) - out_.g_N / joint.play;
    constexpr int rows = first_bilateral<i + 1> - first_bilateral<i>;
    if constexpr (brings<bilaterals_in, Part> && rows == 0)
      add_joint_of_tree<i>();
    else if constexpr (brings<bilaterals_in, Part>)
      for (int k = 0; k < Part::bilaterals; ++k) add_row(joint, first_bilateral<i> + k, k);
    if constexpr (brings<frictions_in, Part>)
      for (int k = 0; k < Part::frictions; ++k) {
        const auto row = joint.friction(k, A_, B_);
        add_percussion(after_.P_F.coeff(0, List::template rows_before<frictions_in, i> + k), row.A, row.B, Real(0));
      }
    return out_;
  }

 private:
  template <int i>
  static constexpr int first_bilateral = List::template rows_before<bilaterals_in, i>;

  void add_contact(const Part& joint, int first, int k) {
    const auto c = joint.contact(k, A_, B_);
    const auto rows = Geometry::wrenches(c, A_, B_);
    if (k == 0 || c.g_N < out_.g_N) {
      out_.g_N = c.g_N;
      out_.leans = A_.turn_back(-c.n);
    }
    if (c.g_N <= Real(0) || after_.P_N.coeff(first + k) > Real(0) || after_.rests(first + k)) out_.closed |= 1u << k;
    add_percussion(after_.P_N.coeff(first + k), rows.N_A, rows.N_B, Real(0));
    for (int t = 0; t < Model::tangents; ++t)
      add_percussion(after_.P_T.coeff(t, first + k), Geometry::tangent_A(rows, t), Geometry::tangent_B(rows, t),
                     Real(0));
  }

  // Adds row j of the ideal joints, row k of this joint.
  void add_row(const Part& joint, int j, int k) {
    const auto row = joint.bilateral(k, A_, B_, a_.t);
    Real zeta = row.zeta;
    if constexpr (detected<zeta_E_in, Part, typename List::Geometry> && value_or<commanded_in, Part, true>)
      zeta = model_.zeta_E(j, a_, motion_.u_A, after_.clock.dt);
    add_percussion(after_.P_B.coeff(j), row.A, row.B, zeta);
  }
  // Sets percussion and load of a joint of the spanning tree.
  template <int i>
  void add_joint_of_tree() {
    const auto on_B = TreeLoads(model_, a_, before_, after_).template on_body_B<i>();
    const Real per_dt = Real(1) / after_.clock.dt;
    out_.P = on_B.force;
    out_.load = {per_dt * on_B.force, per_dt * on_B.moment};
  }

  // Adds the percussion P of a row that acts on both bodies.
  void add_percussion(Real P, const typename Geometry::Wrench& on_A, const typename Geometry::Wrench& on_B, Real zeta) {
    out_.P = out_.P + P * on_B.force;
    out_.load.force = out_.load.force + (P / after_.clock.dt) * on_B.force;
    OutputOf<Model>::add_moment(out_, B_, (P / after_.clock.dt) * on_B.moment);
    out_.dissipated -= P * (row_velocity<Part::body_A, Part::body_B>(a_, mean_, on_A, on_B) + zeta);
  }

  const Model& model_;
  const State<Model>&before_, &after_;
  const StepMotion<Model> motion_;
  const Vector<Real, Model::dof> mean_;
  typename Model::At a_;
  const typename Geometry::Frame A_, B_;
  Output out_;
};

// Returns the output of the part at this address or, for nullptr, of the only part of its type.
template <class Model, class Part>
auto output_of(const Model& model, const Part* joint, const State<Model>& before, const State<Model>& after) {
  auto out = OutputOf<Model>::of_no_joint();
  const bool no_step_yet = after.clock.dt == 0 && before.clock.dt == 0 && before.time() == after.time();
  if (!one_step(before.clock, after.clock) && !no_step_yet) return out;
  Model::List::for_each(model, [&](auto i, const auto& part) {
    if constexpr (std::is_same_v<std::decay_t<decltype(part)>, Part>)
      if ((joint == nullptr || &part == joint) && is_valid(part))
        out = JointAccount<Model, Part>(model, before, after).template of<decltype(i)::value>(part);
  });
  return out;
}

template <class Model, class Part, class List = typename Model::List>
inline constexpr int parts_like = List::template count<Part>(typename List::Indices{});

}  // namespace detail

// Returns the output of a part by its name.
template <class Model, class Owner, class Part>
auto joint_output(const Model& model, Part Owner::*joint, const State<Model>& before, const State<Model>& after) {
  static_assert(detail::parts_like<Model, Part> > 0, "joint_output: no part of this type in parts()");
  return detail::output_of(model, &(model.*joint), before, after);
}

// Returns the output of element k of an array of parts.
template <class Model, class Owner, class Part, std::size_t n>
auto joint_output(const Model& model, Part (Owner::*joints)[n], int k, const State<Model>& before,
                  const State<Model>& after) {
  static_assert(detail::parts_like<Model, Part> > 0, "joint_output: no part of this type in parts()");
  if (k < 0 || k >= int(n)) return detail::OutputOf<Model>::of_no_joint();
  return detail::output_of(model, &(model.*joints)[k], before, after);
}

// Returns the output of the only part of this type.
template <class Model, class Part, std::enable_if_t<!std::is_member_pointer_v<Part>, int> = 0>
auto joint_output(const Model& model, const Part&, const State<Model>& before, const State<Model>& after) {
  static_assert(detail::parts_like<Model, Part> == 1,
                "joint_output: no part of this type in parts(), or several; select one by name, as in "
                "joint_output(model, &Parts::guide, before, after)");
  return detail::output_of<Model, Part>(model, nullptr, before, after);
}

// Returns the contact configuration of a joint at the midpoint of a step, a value of the enumeration in the header of
// the joint.
template <class Joint, class Real>
constexpr auto configuration(const Joint& joint, const JointOutput<Real>& out) {
  if constexpr (Joint::contacts == 1) {
    JointContact<Real> contact;
    contact.g_N = out.closed != 0 && out.g_N > Real(0) ? Real(0) : out.g_N;  // a contact at rest may be separated
    return configuration(joint, contact);
  } else {
    return configuration(joint, out.closed);
  }
}

}  // namespace moreau
