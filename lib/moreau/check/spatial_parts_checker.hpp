// Check of the parts of a mechanism in space: unit vectors and reactions that parts return, and values in their ranges
// that have no effect or a wrong one. parts_checker.hpp and part_values.hpp are the same for the plane.
//
//   part_units      contact: |n| = |t| = 1, n . t = 0;  friction: |force on B| = 1, or 0 for a moment
//   part_reaction   the forces on A and B are equal and opposite, and so are their moments about one point. A wrench on
//                   the ground may be 0
//   part_values     a spring without stiffness and damping
//   part_size       a radius, a ring or a half length of a part, or the radius of gyration of a body, is above 3
//                   options.length
//   part_equal      two parts of one type with identical values
//
// The moments of an open joint differ by its position error times the force; check a joint in a closed configuration.
#pragma once

#include "moreau/check/part_values.hpp"

namespace moreau {
namespace detail {

template <class Part>
using spring_in = decltype(const_object<Part>().stiffness + const_object<Part>().length + const_object<Part>().damping);
template <class Part>
using torsion_spring_in =
    decltype(const_object<Part>().stiffness + const_object<Part>().angle + const_object<Part>().damping);
template <class Part>
using ring_in = decltype(const_object<Part>().ring);
template <class Part>
using half_box_in = decltype(const_object<Part>().half.z);
template <class Part>
using half_lengths_in = decltype(const_object<Part>().half_A + const_object<Part>().half_B);

// Returns true if a spring in space has a place or an angle, but no stiffness and no damping.
template <class Part>
bool lacks_spatial_values([[maybe_unused]] const Part& part) {
  if constexpr (detected<spring_in, Part>)
    return dot(part.on_A, part.on_A) + dot(part.on_B, part.on_B) + absolute(part.length) > 0 && part.stiffness == 0 &&
           part.damping == 0;
  else if constexpr (detected<torsion_spring_in, Part>)
    return part.angle != 0 && part.stiffness == 0 && part.damping == 0;
  else
    return false;
}

// Returns the largest length that a part in space defines.
template <class Real, class Part>
Real spatial_length_of([[maybe_unused]] const Part& part) {
  Real length = Real(0);
  const auto add = [&length](Real x) { length = larger(length, absolute(x)); };
  if constexpr (detected<radius_in, Part>) add(part.radius);
  if constexpr (detected<ring_in, Part>) add(part.ring);
  if constexpr (detected<half_lengths_in, Part>) add(part.half_A), add(part.half_B);
  if constexpr (detected<half_box_in, Part>) add(part.half.x), add(part.half.y), add(part.half.z);
  return length;
}

// Adds the findings of one part in space to a report.
template <class Part, class Geometry, class Real>
class SpatialPartChecker {
  using Point = typename Geometry::Point;
  using Frame = typename Geometry::Frame;

 public:
  SpatialPartChecker(int part, const Frame& A, const Frame& B, CheckReport<Real>& report)
      : part_(part), A_(A), B_(B), report_(report) {}

  void check_directions(int k, Point n, Point t) {
    add_unit(k, dot(n, n));
    add_unit(k, dot(t, t));
    report_.add({Member::part_units, part_, k, absolute(dot(n, t)), within});
  }
  void check_friction(int k, Point force) {
    if (dot(force, force) > Real(0)) add_unit(k, dot(force, force));
  }
  // `open`: position error of the joint.
  template <class Wrench>
  void check_reaction(int k, const Wrench& A, const Wrench& B, Real open = Real(0)) {
    const auto is_zero = [](const Wrench& w) { return size(w.force) + size(w.moment) == Real(0); };
    if ((Part::body_A == ground && is_zero(A)) || (Part::body_B == ground && is_zero(B))) return;
    constexpr Real roundings = Real(64) * epsilon<Real>;
    const Real forces = size(A.force) + size(B.force);
    report_.add({Member::part_reaction, part_, k, size(A.force + B.force), roundings * forces});
    const Point moment =
        A_.turn(A.moment) + B_.turn(B.moment) + cross(A_.r, A.force) + cross(B_.r, B.force);  // about the origin
    const Real terms = size(A.moment) + size(B.moment) + (size(A_.r) + size(B_.r)) * forces;
    report_.add({Member::part_reaction, part_, k, size(moment), roundings * terms + Real(2) * open * forces});
  }

 private:
  static constexpr Real within = Real(1e-3);  // as is_unit of joints/plane.hpp
  static Real size(Point p) { return absolute(p.x) + absolute(p.y) + absolute(p.z); }
  void add_unit(int k, Real square) { report_.add({Member::part_units, part_, k, absolute(square - Real(1)), within}); }

  int part_;
  const Frame &A_, &B_;
  CheckReport<Real>& report_;
};

// Checks the vectors that the parts of a mechanism in space return at (q, u, t).
template <class Model, class Q, class Real>
void check_spatial_parts(const Model& model, const Q& q, const Q& u, Real t, CheckReport<Real>& report) {
  using List = typename Model::List;
  const auto states = model.body_states(q, u, t);
  const auto state_of_body = [&](int body) {
    return body == ground ? typename List::Geometry::BodyState{} : states[std::size_t(body)];
  };
  List::for_each(model, [&](auto i, const auto& part) {
    using Part = std::decay_t<decltype(part)>;
    if constexpr (is_joint<Part> || detected<action_in, Part>) {
      const auto state_A = state_of_body(Part::body_A), state_B = state_of_body(Part::body_B);
      const auto &A = state_A.frame, &B = state_B.frame;
      SpatialPartChecker<Part, typename List::Geometry, Real> checker(i, A, B, report);
      if constexpr (brings<contacts_in, Part>)
        for (int k = 0; k < Part::contacts; ++k) {
          const auto contact = part.contact(k, A, B);
          checker.check_directions(k, contact.n, contact.t);
        }
      if constexpr (brings<bilaterals_in, Part>) {
        Real open = Real(0);
        for (int k = 0; k < Part::bilaterals; ++k) open += absolute(part.bilateral(k, A, B, t).g);
        for (int k = 0; k < Part::bilaterals; ++k) {
          const auto row = part.bilateral(k, A, B, t);
          checker.check_reaction(k, row.A, row.B, open);
        }
      }
      if constexpr (brings<frictions_in, Part>)
        for (int k = 0; k < Part::frictions; ++k) {
          const auto row = part.friction(k, A, B);
          checker.check_friction(k, row.B.force);
          checker.check_reaction(k, row.A, row.B);
        }
      if constexpr (detected<action_in, Part>) {
        const auto action = part.action(state_A, state_B, t);
        checker.check_reaction(0, action.A, action.B);
      }
    }
  });
}

// Checks the values of the parts of a mechanism in space.
template <class Model, class Real>
void check_spatial_part_values(const Model& model, const CheckOptions<Real>& options, CheckReport<Real>& report) {
  using List = typename Model::List;
  const Real largest = 3 * options.length;
  for (int b = 0; b < List::bodies; ++b) {
    const auto& body = model.body[b];
    const Real J = larger(body.J.x, larger(body.J.y, body.J.z));
    if (body.m > Real(0) && J > Real(0)) report.add({Member::part_size, -1, b, sqrt(J / body.m), largest});
  }
  List::for_each(model, [&](auto i, const auto& part) {
    using Part = std::decay_t<decltype(part)>;
    report.add({Member::part_values, i, 0, lacks_spatial_values(part) ? Real(1) : Real(0), Real(0)});
    report.add({Member::part_values, i, 1, ramp_stalls(part, options.dt) ? Real(1) : Real(0), Real(0)});
    report.add({Member::part_size, i, -1, spatial_length_of<Real>(part), largest});
    List::for_each(model, [&]([[maybe_unused]] auto j, [[maybe_unused]] const auto& other) {
      if constexpr (std::is_same_v<std::decay_t<decltype(other)>, Part>)
        if (int(j) < int(i) && &part != &other)
          report.add({Member::part_equal, i, int(j), are_equal(part, other) ? Real(1) : Real(0), Real(0)});
    });
  });
}

}  // namespace detail
}  // namespace moreau
