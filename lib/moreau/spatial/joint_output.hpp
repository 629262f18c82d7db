// Output of one joint in space in one step, returned by the functions joint_output() of mechanism/joint_output.hpp.
//
//   const auto out = joint_output(machine.model, &Parts::pin, before, machine.state);
//   out.load.force, out.load.moment     mean load on B in the world, about its centre of mass
#pragma once

#include "moreau/mechanism/joint_output.hpp"
#include "moreau/spatial/geometry.hpp"

namespace moreau {
namespace spatial {

// Force and moment in the world.
template <class Real>
struct Load {
  Point<Real> force;   // N
  Point<Real> moment;  // N m
};

// Output of one joint.
template <class Real>
struct JointOutput {
  Point<Real> P;        // percussion on B in the world, N s
  Load<Real> load;      // mean over the step, on B and about its centre of mass
  Point<Real> leans;    // -n of the contact with the smallest gap, in A
  unsigned closed = 0;  // bit mask; bit k is set if contact k of the joint is closed
  Real g_N = Real(0),
       play_used = Real(0);   // smallest gap at the midpoint, m; eccentricity ratio: 0 centred, 1 in contact
  Real dissipated = Real(0);  // dissipated energy, J
};

}  // namespace spatial

namespace detail {

template <class Real>
struct JointOutputOf<spatial::detail::SpaceGeometry<Real>> {
  using type = spatial::JointOutput<Real>;

  static constexpr type of_no_joint() {
    constexpr Real nan = std::numeric_limits<Real>::quiet_NaN();
    constexpr spatial::Point<Real> none{nan, nan, nan};
    return {none, {none, none}, none, 0, nan, nan, nan};
  }
  static void add_moment(type& out, const spatial::Frame<Real>& B, spatial::Point<Real> along_B) {
    out.load.moment = out.load.moment + B.turn(along_B);
  }
};

}  // namespace detail
}  // namespace moreau
