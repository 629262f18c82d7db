// Check of the unit vectors and reactions that the parts of a mechanism return. Wrong vectors scale forces or create
// momentum even if the gap and its gradient are consistent.
//
//   contact    |n| = 1, or n = 0 for a purely rotational contact
//   friction   |force on B| = 1, or 0 for a moment
//   all        the forces on A and B are equal and opposite, and so are their moments about one point. A wrench on
//              the ground may be 0
//   range      within_range() of the part is true, if the part has this function
//   inertia    of a body in space: no principal moment of inertia exceeds the sum of the other two
//
// The moments of an open joint differ by its position error times the force; check a joint in a closed configuration.
// A part that exerts a moment without a force on A or B is not compared. The reactions of gears, belts or a rack and
// pinion can act on bearings that the list does not contain.
#pragma once

#include "moreau/check/findings.hpp"
#include "moreau/mechanism/parts_list.hpp"
#include "moreau/step/cause.hpp"

namespace moreau {
namespace detail {

template <class Model>
using list_in = decltype(Model::List::repeated_part(const_object<Model>()));
template <class Model>
inline constexpr bool is_mechanism = detected<list_in, Model>;

// True for a mechanism in the plane.
template <class Model>
using planar_in = std::enable_if_t<Model::List::Geometry::planar>;
template <class Model>
inline constexpr bool is_planar_mechanism = is_mechanism<Model> ? detected<planar_in, Model> : false;

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
  void check_reaction(int k, const Wrench<Real>& A, const Frame<Real>& frame_A, const Wrench<Real>& B,
                      const Frame<Real>& frame_B, Real open = Real(0)) {
    constexpr Real roundings = Real(64) * epsilon<Real>;
    const bool bearing_takes_it = is_moment(A) || is_moment(B);
    const bool ground_omitted = (Part::body_A == ground && is_zero(A)) || (Part::body_B == ground && is_zero(B));
    if (ground_omitted || bearing_takes_it) return;
    const Point<Real> sum = A.force + B.force;
    report_.add({Member::part_reaction, part_, k, size(sum), roundings * (size(A.force) + size(B.force))});
    const Point<Real> arm = frame_A.r - frame_B.r;
    const Real moment = A.moment + B.moment + arm.x * A.force.y - arm.y * A.force.x;  // about the origin of B
    const Real terms =
        absolute(A.moment) + absolute(B.moment) + (size(frame_A.r) + size(frame_B.r)) * (size(A.force) + size(B.force));
    report_.add({Member::part_reaction, part_, k, absolute(moment), roundings * terms + open * size(B.force)});
  }

 private:
  static Real size(Point<Real> force) { return absolute(force.x) + absolute(force.y); }
  static bool is_zero(const Wrench<Real>& w) { return size(w.force) == Real(0) && w.moment == Real(0); }
  static bool is_moment(const Wrench<Real>& w) { return size(w.force) == Real(0) && w.moment != Real(0); }

  int part_;
  CheckReport<Real>& report_;
};

// Reports a principal moment of inertia that exceeds the sum of the other two.
template <class Model, class Real>
void check_inertia(const Model& model, CheckReport<Real>& report) {
  constexpr Real tolerance = Real(1e-3);  // for moments given to three digits
  for (int b = 0; b < Model::List::bodies; ++b) {
    const auto J = model.body[b].J;
    const Real largest = Branching::larger(J.x, Branching::larger(J.y, J.z));
    report.add({Member::body_inertia, b, 0, Real(2) * largest - (J.x + J.y + J.z), tolerance * largest});
  }
}

// Reports the first parameter of the model that is out of range, with the cause and index that the report of a step
// contains.
template <class Model, class Real>
void check_parameters(const Model& model, CheckReport<Real>& report) {
  const Origin bad = out_of_range(model);
  report.add({Member::parameters, bad.index, int(bad.cause), bad.cause == Cause::none ? Real(0) : Real(1), Real(0)});
  if constexpr (is_mechanism<Model> && !is_planar_mechanism<Model>) check_inertia(model, report);
}

// Reports a part whose configuration is outside its range, such as a slider outside its guide.
template <class Model, class Q, class Real>
void check_ranges(const Model& model, const Q& q, Real t, CheckReport<Real>& report) {
  const int part = Model::List::part_out_of_range(model, model.at(q, t));
  report.add({Member::part_range, part < 0 ? 0 : part, 0, part < 0 ? Real(0) : Real(1), Real(0)});
}

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
      if constexpr (brings<contacts_in, Part>)
        for (int k = 0; k < Part::contacts; ++k) checker.check_unit(k, part.contact(k, A, B).n);
      if constexpr (brings<bilaterals_in, Part>)
        for (int k = 0; k < Part::bilaterals; ++k) {
          const JointRow<Real> row = part.bilateral(k, A, B, t);
          Real open = Real(0);  // the points of action of an open joint differ by its position errors
          for (int j = 0; j < Part::bilaterals; ++j) open += absolute(part.bilateral(j, A, B, t).g);
          checker.check_reaction(k, row.A, A, row.B, B, open);
        }
      if constexpr (brings<frictions_in, Part>)
        for (int k = 0; k < Part::frictions; ++k) {
          const FrictionRow<Real> row = part.friction(k, A, B);
          checker.check_unit(k, row.B.force);
          checker.check_reaction(k, row.A, A, row.B, B);
        }
      if constexpr (detected<action_in, Part>) {
        const Action<Real> action = part.action(state_of<Part::body_A>(a, u), state_of<Part::body_B>(a, u), t);
        checker.check_reaction(0, action.A, A, action.B, B);
      }
    }
  });
}

}  // namespace detail
}  // namespace moreau
