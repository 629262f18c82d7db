// A tree of links, for tests of mechanisms from parts.
#pragma once
#include <moreau/mechanism.hpp>

#include "support/test.hpp"

namespace test {

// Links joined in a fork: two links on one arm, one of them with a welded mass.
struct Fork {
  using Real = ::Real;
  enum Names { tip, left, arm, right, bodies };
  moreau::Body<Real> body[bodies] = {
      {Real(0.1), Real(1e-5)}, {Real(0.2), Real(7e-4)}, {Real(0.3), Real(1e-3)}, {Real(0.2), Real(7e-4)}};
  moreau::Revolute<Real, moreau::ground, arm> pin{{}, {Real(-0.1), Real(0)}};
  moreau::Revolute<Real, left, arm> left_pin{{Real(-0.1), Real(0)}, {Real(0.1), Real(0)}};
  moreau::Revolute<Real, arm, right> right_pin{{Real(0.1), Real(0.05)}, {Real(-0.1), Real(0)}};
  moreau::Weld<Real, left, tip> weld{{Real(0.1), Real(0)}, {}, {Real(0.6), Real(0.8)}};
  moreau::Gravity<Real> gravity;
  auto parts() const { return std::tie(pin, left_pin, right_pin, weld, gravity); }
};

}  // namespace test
