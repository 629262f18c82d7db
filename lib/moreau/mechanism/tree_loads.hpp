// Load of a joint of the spanning tree in one step, by inverse dynamics (Newton-Euler).
//
//   F = sum of F_c                                                over body b and all its descendants c
//   N = sum of N_c + (r_c - base_b) x F_c                         over the same bodies
//
//   F_c = m (v_E - v_A) - f dt - P,   N_c = J (omega_E - omega_A) - m_f dt - m_P
//
// f and P are the applied forces and the percussions on body c; m_f and m_P are their moments.
//
// In space, J (omega_E - omega_A) is the change of the angular momentum about the centre of mass, in the world.
//
// F and N are the percussion of the inboard joint on body b and its moment about base_b, the point of this joint. The
// change of the velocities of a body follows from u and from its bias acceleration a (tree_kinematics.hpp):
//
//   v_E - v_A = v(u_E - u_A) + dt a(u_M),   v(u): velocity at u and q_M,   u_M = (u_A + u_E) / 2
//
// f is evaluated at q_M and u_M. The percussions are those of contacts, friction and the rows of all other joints.
#pragma once

#include "moreau/mechanism/mechanism.hpp"
#include "moreau/model/state.hpp"
#include "moreau/model/step_motion.hpp"

namespace moreau {
namespace detail {

template <class Parts>
class TreeLoads {
  using Model = Mechanism<Parts>;
  using State = moreau::State<Model>;
  using Tree = typename Model::Tree;
  using List = typename Model::List;
  using Geometry = typename Model::Geometry;
  using Real = typename Model::Real;
  using At = typename Model::At;
  using Wrench = typename Geometry::Wrench;  // forces and moments in the world

 public:
  // `a` is the model at the midpoint of the step from `before` to `after`.
  TreeLoads(const Mechanism<Parts>& model, const At& a, const State& before, const State& after) : a_(a) {
    const Real dt = after.clock.dt;
    const StepMotion<Model> motion(model, before, after);
    const auto du = typename Model::Q(motion.u_E - motion.u_A),
               mean = typename Model::Q(Real(0.5) * (motion.u_E + motion.u_A));
    typename Tree::RawWrench acting[Tree::bodies];
    model.set_actions(a, mean, acting);
    for_each_constant<Tree::bodies>([&](auto b) {
      const Wrench change = Tree::template change_of_momentum<b>(model, a, du, mean, dt);
      const Wrench action = Tree::template in_world<b>(a, acting[b]);
      missing_[b] = Wrench{change.force - dt * action.force, change.moment - dt * action.moment};
    });
    List::for_each(model, [&](auto i, const auto& part) { subtract_percussions<i>(part, after); });
  }

  // Returns the percussion on body_B of part i, a joint of the tree, and its moment about the centre of this body.
  template <int i>
  Wrench on_body_B() const {
    using Part = typename List::template Part<i>;
    constexpr int outer = body_of(i, 0);
    const auto base = Tree::template base<outer>(a_);
    Wrench sum{};
    for_each_constant<Tree::bodies>([&](auto b) {
      if constexpr (Tree::tree.is_on_path(outer, b)) {
        const Wrench on_b = missing_[b];
        sum.force = sum.force + on_b.force;
        sum.moment = sum.moment + (on_b.moment + cross(Tree::template frame<b>(a_).r - base, on_b.force));
      }
    });
    if constexpr (Tree::tree.reversed[outer]) sum = -sum;
    sum.moment = sum.moment + cross(base - Tree::template frame<Part::body_B>(a_).r, sum.force);
    return sum;
  }

 private:
  // Returns the body whose inboard joint is part i.
  static constexpr int body_of(int i, int b) { return Tree::tree.part[b] == i ? b : body_of(i, b + 1); }

  template <int body>
  void subtract([[maybe_unused]] Real percussion, [[maybe_unused]] const Wrench& row) {
    if constexpr (body != ground) {
      const Wrench of_row = Tree::template in_world<body>(a_, row), before = missing_[body];
      missing_[body] = Wrench{before.force - percussion * of_row.force, before.moment - percussion * of_row.moment};
    }
  }
  template <int i, class Part>
  void subtract_percussions([[maybe_unused]] const Part& part, [[maybe_unused]] const State& after) {
    if constexpr (is_joint<Part>) {
      [[maybe_unused]] const auto subtract_row = [&](Real percussion, const Wrench& A, const Wrench& B) {
        subtract<Part::body_A>(percussion, A);
        subtract<Part::body_B>(percussion, B);
      };
      const typename Geometry::Frame A = frame_of<Part::body_A>(a_), B = frame_of<Part::body_B>(a_);
      if constexpr (brings<contacts_in, Part>)
        for (int k = 0; k < Part::contacts; ++k) {
          const int row = List::template rows_before<contacts_in, i> + k;
          const auto rows = Geometry::wrenches(part.contact(k, A, B), A, B);
          subtract_row(after.P_N.coeff(row), rows.N_A, rows.N_B);
          for (int t = 0; t < Model::tangents; ++t)
            subtract_row(after.P_T.coeff(t, row), Geometry::tangent_A(rows, t), Geometry::tangent_B(rows, t));
        }
      if constexpr (brings<bilaterals_in, Part> && !Tree::tree.contains(i))
        for (int k = 0; k < Part::bilaterals; ++k) {
          const auto row = part.bilateral(k, A, B, a_.t);
          subtract_row(after.P_B.coeff(List::template rows_before<bilaterals_in, i> + k), row.A, row.B);
        }
      if constexpr (brings<frictions_in, Part>)
        for (int k = 0; k < Part::frictions; ++k) {
          const auto row = part.friction(k, A, B);
          subtract_row(after.P_F.coeff(0, List::template rows_before<frictions_in, i> + k), row.A, row.B);
        }
    }
  }

  const At& a_;
  typename Tree::RawWrench missing_[Tree::bodies];  // change of momentum minus all known impulses
};

}  // namespace detail
}  // namespace moreau
