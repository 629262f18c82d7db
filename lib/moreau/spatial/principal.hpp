// Bodies from inertia tensors in any axes, such as those of a CAD program.
//
//   J = V diag(J_1, J_2, J_3) V^T     Jacobi rotations; the columns of V are the principal axes, right-handed
//
//   const auto [body, turn] = principal(m, J);        turn: orientation of the principal axes in the given ones
//   point of the given axes  ->  turn.frame().turn_back(point) in the frame of the body
//
// If two principal moments are equal up to rounding error, the axis of symmetry becomes z.
#pragma once

#include "moreau/math/types.hpp"
#include "moreau/spatial/poses.hpp"

namespace moreau {
namespace spatial {

// Body with principal axes, and the orientation of these axes in the given ones.
template <class Real>
struct PrincipalBody {
  Body<Real> body;
  Pose<Real> turn;

  // Returns a point or direction of the given axes in the frame of the body.
  constexpr Point<Real> in_body(Point<Real> given) const { return turn.frame().turn_back(given); }
};

// Returns the body of mass m with the inertia tensor J about its centre of mass.
template <class Real>
PrincipalBody<Real> principal(Real m, const Matrix<Real, 3, 3>& J) {
  constexpr int sweeps = 8;  // quadratic convergence: four reduce the error to rounding error
  Matrix<Real, 3, 3> D = J, V = Matrix<Real, 3, 3>::Identity();
  for (int sweep = 0; sweep < sweeps; ++sweep)
    for (int i = 0; i < 2; ++i)
      for (int j = i + 1; j < 3; ++j) {
        if (D(i, j) == Real(0)) continue;
        const Real ratio = (D(j, j) - D(i, i)) / (Real(2) * D(i, j));
        const Real t = (ratio < Real(0) ? Real(-1) : Real(1)) /
                       (moreau::detail::absolute(ratio) + moreau::sqrt(ratio * ratio + Real(1)));
        const Real c = Real(1) / moreau::sqrt(t * t + Real(1)), s = t * c;
        Matrix<Real, 3, 3> turn = Matrix<Real, 3, 3>::Identity();
        turn(i, i) = turn(j, j) = c;
        turn(i, j) = s, turn(j, i) = -s;
        D = (turn.transpose() * D * turn).eval();
        V = (V * turn).eval();
      }
  // Select as z the axis whose moment differs most from the other two.
  const auto apart = [&](int a, int b) { return moreau::detail::absolute(D(a, a) - D(b, b)); };
  int z = 2;
  if (apart(1, 2) <= apart(0, 1) && apart(1, 2) <= apart(0, 2))
    z = 0;
  else if (apart(0, 2) <= apart(0, 1))
    z = 1;
  const int x = (z + 1) % 3, y = (z + 2) % 3;  // cyclic: right-handed
  const auto axis = [&](int k) { return Point<Real>{V(0, k), V(1, k), V(2, k)}; };
  const Frame<Real> axes{{}, axis(x), axis(y), axis(z)};
  return {{m, {D(x, x), D(y, y), D(z, z)}}, {{}, detail::quaternion_of_axes(axes)}};
}

}  // namespace spatial
}  // namespace moreau
