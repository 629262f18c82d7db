// Coordinates and velocities of a mechanism by name.
//
//   start.q(Model::angle_of<Parts::crank>) = 0.3;       angle of a body, rad
//   start.u(Model::angle_of<Parts::crank>) = 150;       its angular velocity, rad/s
//   start.q(Model::slide_of<Parts::slider>)             translation along the inboard Prismatic, m
//   start.q(Model::x_of<Parts::block>)                  position of a free body, m; y_of likewise
//
// q[j] is coordinate number j, for loops over all coordinates. q(j) with an integer and q << a, b, c are rejected at
// compile time, because the index of an angle is not 3 * body + 2, as it is in the coordinates of the bodies.
#pragma once

#include "moreau/math/types.hpp"

namespace moreau {

// Number of a coordinate. The models of mechanisms have constants of this type. The type is an unscoped enumeration,
// because it must convert to an integer, the only index type of Eigen's vectors.
enum Coordinate : int {};

namespace detail {

template <class>
inline constexpr bool refused = false;

// q or u of a mechanism in joint coordinates.
template <class Real, int n>
struct JointVector : Vector<Real, n> {
  using Base = Vector<Real, n>;

  JointVector() = default;
  template <class Other>
  JointVector(const Eigen::MatrixBase<Other>& other) : Base(other) {}
  template <class Other>
  JointVector& operator=(const Eigen::MatrixBase<Other>& other) {
    constexpr int size = Other::SizeAtCompileTime;  // negative: known at run time only
    static_assert(size == n || size < 0,
                  "State of a mechanism: q and u have one entry per joint coordinate, not x, y and phi of each body; "
                  "model.set_bodies() sets them from poses and velocities of all bodies");
    Base::operator=(other);
    return *this;
  }

  Real& operator()(Coordinate c) { return this->coeffRef(c); }
  Real operator()(Coordinate c) const { return this->coeff(c); }

  template <class Index>
  Real& operator()(const Index&) {
    static_assert(refused<Index>,
                  "State of a mechanism: write q(Model::angle_of<Parts::body>) (slide_of, x_of, y_of), or "
                  "model.body_state(state, body); q[j] is coordinate number j");
    return this->coeffRef(0);
  }
  template <class Index>
  Real operator()(const Index&) const {
    static_assert(refused<Index>,
                  "State of a mechanism: write q(Model::angle_of<Parts::body>) (slide_of, x_of, y_of), or "
                  "model.body_state(state, body); q[j] is coordinate number j");
    return Real(0);
  }
  template <class Value>
  Eigen::CommaInitializer<Base> operator<<(const Value&) {
    static_assert(refused<Value>,
                  "State of a mechanism: q << x, y, phi is replaced by q(Model::angle_of<Parts::body>) "
                  "= ... (slide_of, x_of, y_of), or by model.set_bodies()");
    return Base::operator<<(Real(0));
  }
};

}  // namespace detail
}  // namespace moreau
