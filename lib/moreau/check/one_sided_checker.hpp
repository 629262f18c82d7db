// Check of one-sided springs and bump stops, which act only in a part of the motion. With the direction w of the travel
// d and G = w^T (M^-1 - Y S^-1 Y^T) w, the inverse effective mass with the ideal joints:
//
//   dt sqrt(stiffness G) < 2,   dt damping G < 2        with options.dt, also while the part does not act
//   stiffness d G <= 2 |a|                              BumpStop in an initial state
//
// a is the acceleration along w at rest without the stop. In equilibrium, stiffness d G = |a|. A stop that is
// compressed beyond twice its equilibrium ejects the body. Its normal then usually points to the wrong side, so that
// the body starts behind the line.
#pragma once

#include <type_traits>

#include "moreau/check/findings.hpp"
#include "moreau/check/parts_checker.hpp"
#include "moreau/contact/mass.hpp"
#include "moreau/math/sqrt.hpp"
#include "moreau/mechanism/one_sided_forces.hpp"
#include "moreau/model/evaluation.hpp"

namespace moreau {
namespace detail {

// Returns the part with stiffness 1, without damping and with a travel of 1 m or 1 rad. Its action is then w.
template <class Real, int A, int B>
BumpStop<Real, A, B> engaged(BumpStop<Real, A, B> part, const Frame<Real>& frame_A, const Frame<Real>& frame_B) {
  const Real distance = dot(frame_A.turn(part.normal), frame_B.world(part.on_B) - frame_A.world(part.on_A));
  part.on_A = part.on_A + (Real(1) + distance - part.radius) * part.normal;
  part.stiffness = Real(1), part.damping = Real(0);
  return part;
}
template <class Real, int A, int B>
OneSidedSpring<Real, A, B> engaged(OneSidedSpring<Real, A, B> part, const Frame<Real>& frame_A,
                                   const Frame<Real>& frame_B) {
  const Point<Real> d = frame_B.world(part.on_B) - frame_A.world(part.on_A);
  part.longest = sqrt(dot(d, d)) - Real(1), part.shortest = Real(0);
  part.stiffness = Real(1), part.damping = Real(0);
  return part;
}
template <class Real, int A, int B>
OneSidedTorsionSpring<Real, A, B> engaged(OneSidedTorsionSpring<Real, A, B> part, const Frame<Real>& frame_A,
                                          const Frame<Real>& frame_B) {
  part.upper = frame_B.phi - frame_A.phi - Real(1), part.lower = -std::numeric_limits<Real>::max();
  part.stiffness = Real(1), part.damping = Real(0);
  return part;
}
template <class Part, class Real>
using engaged_in = decltype(engaged(const_object<Part>(), Frame<Real>{}, Frame<Real>{}));

// Returns the travel d of a bump stop; 0 for any other part.
template <class Part, class Real>
Real compression(const Part&, const Frame<Real>&, const Frame<Real>&) {
  return Real(0);
}
template <class Real, int A, int B>
Real compression(const BumpStop<Real, A, B>& part, const Frame<Real>& frame_A, const Frame<Real>& frame_B) {
  const Real distance = dot(frame_A.turn(part.normal), frame_B.world(part.on_B) - frame_A.world(part.on_A));
  return larger(Real(0), part.radius - distance);
}

// Calls f(position in parts(), part, w, travel) for each one-sided part.
template <class Model, class Q, class Real, class F>
void for_each_one_sided(const Model& model, const Q& q, Real t, const F& f) {
  const auto a = model.at(q, t);
  Model::List::for_each(model, [&](auto i, const auto& part) {
    using Part = std::decay_t<decltype(part)>;
    if constexpr (detected<engaged_in, Part, Real>) {
      const Frame<Real> A = frame_of<Part::body_A>(a), B = frame_of<Part::body_B>(a);
      const Action<Real> unit =
          engaged(part, A, B)
              .action(state_of<Part::body_A>(a, Q(Q::Zero())), state_of<Part::body_B>(a, Q(Q::Zero())), t);
      f(int(i), part, generalized<Part::body_A, Part::body_B, Q>(a, unit.A, unit.B), compression(part, A, B));
    }
  });
}

// Adds the stability limits of one-sided parts to the report.
template <class Model, class Q, class Real>
void check_one_sided_limits(const Model& model, const Q& q, Real t, const CheckOptions<Real>& options,
                            CheckReport<Real>& report) {
  const Evaluation<Model> at(model, q, t);
  EffectiveMass<Model, FactorsOf<Model>> mass;
  if (!(options.dt > Real(0)) || !mass.factor(at.mass()) || !mass.factor_joints(at)) return;
  for_each_one_sided(model, q, t, [&](int, const auto& part, const Q& w, Real) {
    typename EffectiveMass<Model, FactorsOf<Model>>::Multipliers unused;
    const Q change = mass.constrained_change(w, unused);
    const Real G = dot(w, change);
    int stiffest = 0;
    for (int d = 1; d < Traits<Model>::dof; ++d)
      if (absolute(change(d)) > absolute(change(stiffest))) stiffest = d;
    report.add({Member::stiffness, 0, stiffest, options.dt * sqrt(part.stiffness * G), Real(2)});
    report.add({Member::damping, 0, stiffest, options.dt * part.damping * G, Real(2)});
  });
}

// Reports bump stops that are compressed beyond twice their equilibrium.
template <class Model, class Q, class Real>
void check_compressed_stops(const Model& model, const Q& q, Real t, Real rounding, CheckReport<Real>& report) {
  const Evaluation<Model> at(model, q, t);
  EffectiveMass<Model, FactorsOf<Model>> mass;
  if (!mass.factor(at.mass()) || !mass.factor_joints(at)) return;
  for_each_one_sided(model, q, t, [&](int i, const auto& part, const Q& w, Real travel) {
    typename EffectiveMass<Model, FactorsOf<Model>>::Multipliers unused;
    const Real G = dot(w, mass.constrained_change(w, unused)), ejected = part.stiffness * travel * G;
    const Real total = dot(w, mass.constrained_change(at.force(Q(Q::Zero())), unused));
    // Rounding errors of d, and of G if joints hold the body.
    const Real noise = part.stiffness * rounding * (G + travel * dot(w, mass.unconstrained_change(w)));
    report.add({Member::start_stop, i, -1, ejected, 2 * absolute(total - ejected) + noise});
  });
}

}  // namespace detail
}  // namespace moreau
