// Load of a joint of the spanning tree in one step, by inverse dynamics (Newton-Euler).
//
//   F   = sum of m (v_E - v_A) - f dt - forces of the percussions          over b and all bodies beyond it
//   N   = sum of J (omega_E - omega_A) - moments + (r - base_b) x (the same)
//
// F and N are the percussion of the inboard joint on body b and its moment about the base of b. The change of the
// velocities of a body follows from u and from its bias acceleration a (tree_kinematics.hpp):
//
//   v_E - v_A = v(u_E - u_A) + dt a(u_M),   v(u): velocity at u and q_M,   u_M = (u_A + u_E) / 2
//
// f is evaluated at q_M and u_M. The percussions are those of contacts, friction and the rows of all other joints.
#pragma once

#include "moreau/mechanism/mechanism.hpp"
#include "moreau/model/state.hpp"

namespace moreau {
namespace detail {

template <class Parts>
class TreeLoads {
  using State = moreau::State<Mechanism<Parts>>;
  using Model = TreeMechanism<Parts>;
  using Tree = typename Model::Tree;
  using List = typename Model::List;
  using Real = typename Model::Real;
  using At = typename Model::At;
  using P = Point<Real>;
  using Q = typename Model::Q;

 public:
  // `a` is the model at the midpoint of the step from `before` to `after`.
  TreeLoads(const TreeMechanism<Parts>& model, const TreeAt<Parts>& a, const State& before, const State& after)
      : a_(a) {
    const Real dt = after.clock.dt;
    const Q du = after.u - before.u, mean = Real(0.5) * (after.u + before.u);
    RawWrench<Real> acting[Tree::bodies];
    model.set_actions(a, mean, acting);
    for_each_constant<Tree::bodies>([&](auto b) {
      const Body<Real>& body = model.body[b];
      const P dv = Tree::template velocity<b>(a, du) + dt * Tree::template acceleration<b>(a, mean);
      missing_[b] = Wrench<Real>{body.m * dv - dt * P(acting[b].force),
                                 body.J * Tree::template omega<b>(du) - dt * acting[b].moment};
    });
    List::for_each(model, [&](auto i, const auto& part) { subtract_percussions<i>(part, after); });
  }

  // Returns the percussion on body_B of part i, a joint of the tree, and its moment about the centre of this body.
  template <int i>
  Wrench<Real> on_body_B() const {
    using Part = typename List::template Part<i>;
    constexpr int outer = body_of(i, 0);
    P base = a_.r[outer];
    if constexpr (Tree::has_arm(outer)) base = base - P(a_.C[outer]);
    Wrench<Real> sum{};
    for_each_constant<Tree::bodies>([&](auto b) {
      if constexpr (Tree::tree.is_on_path(outer, b)) {
        const Wrench<Real> on_b = missing_[b];
        sum.force = sum.force + on_b.force;
        sum.moment += on_b.moment + cross(P(a_.r[b]) - base, on_b.force);
      }
    });
    if constexpr (Tree::tree.reversed[outer]) sum = -sum;
    sum.moment += cross(base - Tree::template frame<Part::body_B>(a_).r, sum.force);
    return sum;
  }

 private:
  // Returns the body whose inboard joint is part i.
  static constexpr int body_of(int i, int b) { return Tree::tree.part[b] == i ? b : body_of(i, b + 1); }

  template <int body>
  void subtract([[maybe_unused]] Real percussion, [[maybe_unused]] const Wrench<Real>& row) {
    if constexpr (body != ground) {
      missing_[body] = Wrench<Real>{P(missing_[body].force) - percussion * row.force,
                                    missing_[body].moment - percussion * row.moment};
    }
  }
  template <int i, class Part>
  void subtract_percussions([[maybe_unused]] const Part& part, [[maybe_unused]] const State& after) {
    if constexpr (is_joint<Part>) {
      [[maybe_unused]] const auto subtract_row = [&](Real percussion, const Wrench<Real>& A, const Wrench<Real>& B) {
        subtract<Part::body_A>(percussion, A);
        subtract<Part::body_B>(percussion, B);
      };
      const Frame<Real> A = frame_of<Part::body_A>(a_), B = frame_of<Part::body_B>(a_);
      if constexpr (brings<contacts_in, Part>)
        for (int k = 0; k < Part::contacts; ++k) {
          const int row = List::template rows_before<contacts_in, i> + k;
          const ContactWrenches<Real> rows = contact_wrenches(part.contact(k, A, B), A, B);
          subtract_row(after.P_N.coeff(row), rows.N_A, rows.N_B);
          if constexpr (Model::tangents == 1) subtract_row(after.P_T.coeff(0, row), rows.T_A, rows.T_B);
        }
      if constexpr (brings<bilaterals_in, Part> && !Tree::tree.contains(i))
        for (int k = 0; k < Part::bilaterals; ++k) {
          const JointRow<Real> row = part.bilateral(k, A, B, a_.t);
          subtract_row(after.P_B.coeff(List::template rows_before<bilaterals_in, i> + k), row.A, row.B);
        }
      if constexpr (brings<frictions_in, Part>)
        for (int k = 0; k < Part::frictions; ++k) {
          const FrictionRow<Real> row = part.friction(k, A, B);
          subtract_row(after.P_F.coeff(0, List::template rows_before<frictions_in, i> + k), row.A, row.B);
        }
    }
  }

  const At& a_;
  RawWrench<Real> missing_[Tree::bodies];  // change of momentum minus all known impulses
};

}  // namespace detail
}  // namespace moreau
