// Check of the unit vectors and reactions that the parts of a mechanism return. Wrong vectors scale forces or create
// momentum, although the gap and its gradient can be consistent.
//
//   contact    |n| = 1, or n = 0 for a purely rotational contact
//   friction   |force on B| = 1, or 0 for a moment
//   all        the forces on A and B are equal and opposite, unless A or B is the ground
//
// Moments are not compared, because the parts of gears and belts load bearings that the list does not contain.
#pragma once

#include "moreau/check/findings.hpp"
#include "moreau/mechanism/parts_list.hpp"

namespace moreau {
namespace detail {

// Adds the findings of one part to a report.
template <class Part, class Real>
class PartChecker {
 public:
  PartChecker(int part, CheckReport<Real>& report) : part_(part), report_(report) {}

  void check_unit(int k, Point<Real> direction) {
    const Real square = dot(direction, direction);
    const Real deviation = square == Real(0) ? Real(0) : absolute(square - Real(1));
    report_.add({Member::part_units, part_, k, deviation, Real(1e-3)});  // as is_unit of joints/plane.hpp
  }
  void check_reaction(int k, Point<Real> on_A, Point<Real> on_B) {
    if constexpr (Part::body_A != ground && Part::body_B != ground) {
      const Point<Real> sum = on_A + on_B;
      const Real size = absolute(on_A.x) + absolute(on_A.y) + absolute(on_B.x) + absolute(on_B.y);
      report_.add(
          {Member::part_reaction, part_, k, absolute(sum.x) + absolute(sum.y), Real(64) * epsilon<Real> * size});
    }
  }

 private:
  int part_;
  CheckReport<Real>& report_;
};

// Checks the parts of a mechanism at (q, u, t).
template <class Model, class Q, class Real>
void check_parts(const Model& model, const Q& q, const Q& u, Real t, CheckReport<Real>& report) {
  using List = typename Model::List;
  const auto a = model.at(q, t);
  List::for_each(model, [&](auto i, const auto& part) {
    using Part = std::decay_t<decltype(part)>;
    if constexpr (is_joint<Part> || detected<action_in, Part>) {
      PartChecker<Part, Real> checker(i, report);
      const Frame<Real>&A = frame_of<Part::body_A>(a), &B = frame_of<Part::body_B>(a);
      for (int k = 0; k < rows_of<contacts_in, Part>; ++k)
        checker.check_unit(k, a.contact[std::size_t(List::template rows_before<contacts_in, i> + k)].n);
      if constexpr (brings<bilaterals_in, Part>)
        for (int k = 0; k < Part::bilaterals; ++k) {
          const JointRow<Real> row = part.bilateral(k, A, B, t);
          checker.check_reaction(k, row.A.force, row.B.force);
        }
      if constexpr (brings<frictions_in, Part>)
        for (int k = 0; k < Part::frictions; ++k) {
          const FrictionRow<Real> row = part.friction(k, A, B);
          checker.check_unit(k, row.B.force);
          checker.check_reaction(k, row.A.force, row.B.force);
        }
      if constexpr (detected<action_in, Part>) {
        const Action<Real> action = part.action(state_of<Part::body_A>(a, u), state_of<Part::body_B>(a, u), t);
        checker.check_reaction(0, action.A.force, action.B.force);
      }
    }
  });
}

}  // namespace detail
}  // namespace moreau
