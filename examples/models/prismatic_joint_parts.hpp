// Prismatic joint of prismatic_joint.hpp as a parts list: one body, a guide with play, gravity and a pulling force.
//
// The slider has no width (b = 0). Contacts: 0, 1 left and right end above the axis; 2, 3 left and right end below.
#pragma once
#include <moreau/mechanism.hpp>

#include "prismatic_joint.hpp"

namespace models {

template <class R>
struct PrismaticJointParts {
  using Real = R;
  enum Names { slider, bodies };
  static constexpr int tangents = 0;

  moreau::Body<R> body[bodies];
  moreau::PrismaticClearance<R, moreau::ground, slider> rod;
  moreau::Pull<R, moreau::ground, slider> pull;
  moreau::Gravity<R> gravity;
  auto parts() const { return std::tie(rod, pull, gravity); }

  PrismaticJointParts(const PrismaticJoint<R>& d = {}) {
    body[slider] = {d.m, d.J};
    rod.a = d.l;
    rod.play = d.c;
    rod.law.eps_N = d.eps_N;
    pull.force.x = d.f_x;
    pull.on_B.y = -d.s_f;
    gravity.g.y = -d.gravity;
  }
};

template <class R>
using PrismaticJointFromParts = moreau::Mechanism<PrismaticJointParts<R>>;

}  // namespace models
