// Conversion of a mechanism in joint coordinates: its rows, states and masses in the coordinates of its bodies.
// Measures that do not depend on the choice of coordinates use them (step/joint_error.hpp, check/step_size.hpp).
//
//   w = (wrench on body 0, wrench on body 1, ...),   q = (x, y, phi of body 0, ...),   M = diag(m, m, J, ...)
#pragma once

#include "moreau/mechanism/tree_mechanism.hpp"

namespace moreau {
namespace detail {

template <class Parts>
struct TreeMeasures {
  using List = TreeList<Parts>;
  using Model = TreeMechanism<Parts>;
  using Real = typename List::Real;
  static constexpr bool of_bodies = true;
  using Geometry = typename List::Geometry;
  static constexpr int coordinates = Geometry::coordinates;
  static constexpr bool is_angle(int d) { return Geometry::is_angle(d % coordinates); }
  using V = Vector<Real, coordinates * List::bodies>;
  struct Motion {
    V q, u;
  };

  static Motion motion(const Model& model, const typename Model::Q& q, const typename Model::Q& u, Real t) {
    const auto states = model.body_states(q, u, t);
    Motion all;
    for (int b = 0; b < List::bodies; ++b) Geometry::set_state(states[std::size_t(b)], all.q, all.u, coordinates * b);
    return all;
  }
  template <class Mass>
  static V mass(const Model& model, const Mass&) {
    V m;
    for (int d = 0; d < coordinates * List::bodies; ++d)
      m.coeffRef(d) = Geometry::inertia(model.body[d / coordinates], d % coordinates);
    return m;
  }
  static V bilateral(const Model& model, int j, const typename Model::Q& q, Real t) {
    const auto a = model.at(q, t);
    V w = V::Zero();
    List::template find<bilaterals_in>(model, j, [&](const auto& part, int k) {
      using Part = std::decay_t<decltype(part)>;
      const auto row = part.bilateral(k, frame_of<Part::body_A>(a), frame_of<Part::body_B>(a), t);
      add<Part::body_A>(w, row.A);
      add<Part::body_B>(w, row.B);
    });
    return w;
  }
  static V normal(const Model& model, int i, const typename Model::Q& q, Real t) {
    const auto a = model.at(q, t);
    V w = V::Zero();
    List::template find<contacts_in>(model, i, [&](const auto& part, int k) {
      using Part = std::decay_t<decltype(part)>;
      const auto &A = frame_of<Part::body_A>(a), &B = frame_of<Part::body_B>(a);
      const auto rows = Geometry::wrenches(part.contact(k, A, B), A, B);
      add<Part::body_A>(w, rows.N_A);
      add<Part::body_B>(w, rows.N_B);
    });
    return w;
  }
};

}  // namespace detail
}  // namespace moreau
