// What one joint did in one step, by its name in the parts list.
//
//   const auto before = machine.state;   machine.step(dt);
//   const auto out = joint_output(machine.model, machine.model.guide, before, machine.state);
//   name(configuration(machine.model.guide, out))   ->   "corner 1"
//
//   P = sum of its percussions on B,  force = P / dt,  dissipated = - P . (gamma_A + gamma_E) / 2
//
// The dissipated energy is exact: with a constant M it is what these percussions take out of the kinetic energy. An
// ideal joint that is not driven dissipates nothing but the step's own error. A pure function of two states; nothing is
// stored for it.
#pragma once

#include "moreau/mechanism/mechanism.hpp"
#include "moreau/model/model_time.hpp"
#include "moreau/model/state.hpp"

namespace moreau {

template <class Real>
struct JointOutput {
  Real g_N = Real(0);         // m, the smallest gap at the step's midpoint
  Real play_used = Real(0);   // 0 centred, 1 in contact; 0 for a joint without play
  unsigned closed = 0;        // contact k of the joint: bit k
  Point<Real> leans;          // where B leans on A at the smallest gap: (cos, sin) of the angle, seen from A
  Point<Real> P;              // N s, on B
  Wrench<Real> load;          // N and N m about B's centre of mass, mean over the step
  Real dissipated = Real(0);  // J
};

namespace detail {

template <class Real, class Model, class Part>
class JointAccount {
 public:
  JointAccount(const State<Model>& before, const State<Model>& after)
      : mean_(Real(0.5) * (before.u + after.u)), dt_(after.clock.dt) {}

  // A percussion along a row that sees both bodies.
  void book(Real percussion, const Wrench<Real>& on_A, const Wrench<Real>& on_B, Real zeta, JointOutput<Real>& out) {
    Vector<Real, Model::dof> w = Vector<Real, Model::dof>::Zero();
    add<Part::body_A>(w, on_A);
    add<Part::body_B>(w, on_B);
    out.P = out.P + percussion * on_B.force;
    out.load.force = out.load.force + (percussion / dt_) * on_B.force;
    out.load.moment += (percussion / dt_) * on_B.moment;
    out.dissipated -= percussion * (dot(w, mean_) + zeta);
  }

 private:
  Vector<Real, Model::dof> mean_;
  Real dt_;
};

}  // namespace detail

template <class Parts, class Part>
JointOutput<typename Parts::Real> joint_output(const Mechanism<Parts>& model, const Part& joint,
                                               const State<Mechanism<Parts>>& before,
                                               const State<Mechanism<Parts>>& after) {
  using Model = Mechanism<Parts>;
  using List = typename Model::List;
  using Real = typename Parts::Real;
  const Real dt = after.clock.dt;
  const Vector<Real, Model::dof> q_M = before.q + dt / 2 * before.u;
  const auto a = model.at(q_M, model_time(model, before.clock.counted_in(dt)));
  const Frame<Real>&A = model.frame_A(a, joint), &B = model.frame_B(a, joint);
  detail::JointAccount<Real, Model, Part> account(before, after);
  JointOutput<Real> out;
  List::for_each(model, [&](auto i, const auto& part) {
    if constexpr (std::is_same_v<std::decay_t<decltype(part)>, Part>) {
      if (&part != &joint) return;
      if constexpr (detail::PartContacts<Part>::value > 0) {
        for (int k = 0; k < Part::contacts; ++k) {
          const int id = List::template first_contact<i> + k;
          const JointContact<Real>& c = a.contact[std::size_t(id)];
          const ContactRows<Real> rows = contact_rows(c, A, B);
          if (k == 0 || c.g_N < out.g_N) {
            out.g_N = c.g_N;
            out.leans = A.turn_back(-c.n);
          }
          if (c.g_N <= Real(0)) out.closed |= 1u << k;
          account.book(after.P_N.coeff(id), rows.N_A, rows.N_B, Real(0), out);
          if constexpr (Model::tangents == 1) account.book(after.P_T.coeff(0, id), rows.T_A, rows.T_B, Real(0), out);
        }
        if constexpr (detail::PartPlay<Part>::value)
          if (joint.play > Real(0)) out.play_used = Real(1) - out.g_N / joint.play;
      }
      if constexpr (detail::PartBilaterals<Part>::value > 0)
        for (int k = 0; k < Part::bilaterals; ++k) {
          const JointRow<Real> row = joint.bilateral(k, A, B, a.t);
          account.book(after.P_B.coeff(List::template rows_before<detail::PartBilaterals, i> + k), row.A, row.B,
                       row.zeta, out);
        }
      if constexpr (detail::PartFrictions<Part>::value > 0)
        for (int k = 0; k < Part::frictions; ++k) {
          const FrictionRow<Real> row = joint.friction(k, A, B);
          account.book(after.P_F.coeff(0, List::template rows_before<detail::PartFrictions, i> + k), row.A, row.B,
                       Real(0), out);
        }
    }
  });
  return out;
}

// How a joint with play leans at the midpoint of a step, by the names its header has for that.
template <class Joint, class Real>
constexpr auto configuration(const Joint& joint, const JointOutput<Real>& out) {
  if constexpr (Joint::contacts == 1) {
    JointContact<Real> contact;
    contact.g_N = out.g_N;
    return configuration(joint, contact);
  } else {
    return configuration(joint, out.closed);
  }
}

}  // namespace moreau
