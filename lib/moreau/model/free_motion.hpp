// Motion of a model whose velocities are not the rates of its coordinates, such as the angular velocities of bodies in
// space along their own axes. Such a model has both functions below; all other models have neither.
//
//   drift(q, u, h)      motion over the time h without forces, contacts and joints: changes q and u
//   displaced(q, d)     the configuration after a small displacement d = u h
//
//   without them        q moves to q + h u at constant u,   displaced(q, d) = q + d
//
// A step composes two drifts and one change of u at the midpoint (step/midpoint.hpp). The velocity after the first
// drift replaces u_A in forces, contacts and joints, because it refers to the configuration of the midpoint.
//
// Requirements: drift(q, u, -h) reverses drift(q, u, h). A small displacement of q does not change the u that drift()
// returns. The rows w of the model are the derivatives of g along displaced(): dg = w^T d.
#pragma once

#include "moreau/math/compiler.hpp"
#include "moreau/model/functions.hpp"

namespace moreau {
namespace detail {
namespace member {

// clang-format off
struct Drift : Function<Drift> {
  template <class M, class... X> using call = Bool<std::is_void_v<decltype(const_object<M>().drift(std::declval<X>()...))>>;
  template <class M> using name = decltype(&M::drift);
  template <class M> using Result = Detected<call, M, VectorOf<M>&, VectorOf<M>&, RealOf<M>>;
  template <class M> static constexpr bool fits() { return absent<M>() || std::is_same_v<Result<M>, Bool<true>>; }
  template <Fault fault> struct Sentence { static_assert(fault == Fault::none, "Model needs: void drift(Vector<Real, dof>& q, Vector<Real, dof>& u, Real h) const;   // motion over h without forces; or no drift at all"); };
};
struct Displaced : Function<Displaced> {
  template <class M, class... X> using call = decltype(const_object<M>().displaced(std::declval<X>()...));
  template <class M> using name = decltype(&M::displaced);
  template <class M> using Result = Returned<call, M, const VectorOf<M>&, const VectorOf<M>&>;
  template <class M> static constexpr bool is_expression() { return IsExpression<Result<M>>::value; }
  template <class M> static constexpr bool fits() { return absent<M>() || Plain<Result<M>, RealOf<M>, Traits<M>::dof, 1>::value; }
  template <Fault fault> struct Sentence {
    static_assert(fault != Fault::expression, "Model's displaced returns an Eigen expression: write the return type, Vector<Real, dof>");
    static_assert(fault != Fault::signature, "Model needs: Vector<Real, dof> displaced(const Vector<Real, dof>& q, const Vector<Real, dof>& d) const;   // q after a small displacement d = u h; or no displaced at all");
  };
};
struct DriftAndDisplaced : Member {
  template <class M> static constexpr bool fits() { return Drift::absent<M>() == Displaced::absent<M>(); }
  template <Fault fault> struct Sentence { static_assert(fault == Fault::none, "Model needs: drift and displaced, both or none   // its coordinates move by both in the same way"); };
};
// clang-format on

}  // namespace member

template <class Model>
inline constexpr bool has_drift = !is_missing<typename member::Drift::template Result<Model>>;

// Moves q by the free motion over h. Returns the velocity at its end: a reference to u for a model without drift().
template <class Model, class Q, class U, class Real>
MOREAU_ALWAYS_INLINE decltype(auto) drifted([[maybe_unused]] const Model& model, Q& q, const U& u, Real h) {
  if constexpr (has_drift<Model>) {
    Vector<Real, Traits<Model>::dof> v = u;
    model.drift(q, v, h);
    return v;
  } else {
    q += h * u;
    return u;
  }
}

// Displaces q. add(x) adds a small displacement to x: to q or, for a model with drift(), to d = 0 of displaced(q, d).
template <class Model, class Q, class Add>
MOREAU_ALWAYS_INLINE void displace([[maybe_unused]] const Model& model, Q& q, const Add& add) {
  if constexpr (has_drift<Model>) {
    Q d = Q::Zero();
    add(d);
    q = model.displaced(q, d);
  } else {
    add(q);
  }
}

// Returns the configuration after the displacement d.
template <class Model, class Q>
Q displaced(const Model& model, Q q, const Q& d) {
  displace(model, q, [&](Q& there) { there += d; });
  return q;
}

// Returns the configuration after a displacement of h along coordinate j.
template <class Model, class Q, class Real>
Q displaced_along(const Model& model, Q q, int j, Real h) {
  displace(model, q, [&](Q& there) { there(j) += h; });
  return q;
}

}  // namespace detail
}  // namespace moreau
