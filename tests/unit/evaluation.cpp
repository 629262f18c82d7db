// Models with and without shared terms, at(q, t): both forms of a mechanism move bit-identically.
#include "support/test.hpp"

#include <moreau/moreau.hpp>

#include "support/saved.hpp"

namespace {

// Rod of length 2 a over a moving table: q = (y, phi), both ends can touch, dry friction in the hinge of phi.
template <class R>
struct Rod {
  using Real = R;
  static constexpr int dof = 2, contacts = 2, frictions = 1;
  using Q = moreau::Vector<Real, 2>;
  Real a{0.5}, m{1.25}, J{0.125};

  moreau::Matrix<Real, 2, 2> mass(const Q&, Real) const {
    moreau::Matrix<Real, 2, 2> M = moreau::Matrix<Real, 2, 2>::Zero();
    M(0, 0) = m;
    M(1, 1) = J;
    return M;
  }
  Q force(const Q&, const Q& u, Real) const { return Q(Real(-9.81) * m, Real(-0.125) * u(1)); }
  Real gap(int i, const Q& q, Real t) const { return q(0) + side(i) * a * moreau::sin(q(1)) - Real(0.0625) * t; }
  moreau::Directions<Real, 2> directions(int i, const Q& q, Real) const {
    moreau::Directions<Real, 2> d;
    d.w_N = Q(Real(1), side(i) * a * moreau::cos(q(1)));
    d.zeta_N = Real(-0.0625);
    return d;
  }
  moreau::ContactLaw<Real> law(int) const { return {Real(0.5), Real(0), Real(0)}; }
  Real friction_bound(int, const Q&, Real) const { return Real(0.25); }
  moreau::FrictionDirections<Real, 2> friction_directions(int, const Q&, Real) const {
    moreau::FrictionDirections<Real, 2> d;
    d.w(1, 0) = Real(1);
    return d;
  }
  static Real side(int i) { return i == 0 ? Real(-1) : Real(1); }
};

template <class R>
struct SharingRod {
  using Real = R;
  static constexpr int dof = 2, contacts = 2, frictions = 1;
  using Q = moreau::Vector<Real, 2>;
  Rod<R> rod;
  mutable int shared = 0;  // number of calls of at()

  struct At {
    Q q;
    Real t, sin, cos;
  };
  At at(const Q& q, Real t) const {
    ++shared;
    return {q, t, moreau::sin(q(1)), moreau::cos(q(1))};
  }
  moreau::Matrix<Real, 2, 2> mass(const At& s) const { return rod.mass(s.q, s.t); }
  Q force(const At& s, const Q& u) const { return rod.force(s.q, u, s.t); }
  Real gap(int i, const At& s) const { return s.q(0) + rod.side(i) * rod.a * s.sin - Real(0.0625) * s.t; }
  moreau::Directions<Real, 2> directions(int i, const At& s) const {
    moreau::Directions<Real, 2> d;
    d.w_N = Q(Real(1), rod.side(i) * rod.a * s.cos);
    d.zeta_N = Real(-0.0625);
    return d;
  }
  moreau::ContactLaw<Real> law(int i) const { return rod.law(i); }
  Real friction_bound(int j, const At& s) const { return rod.friction_bound(j, s.q, s.t); }
  moreau::FrictionDirections<Real, 2> friction_directions(int j, const At& s) const {
    return rod.friction_directions(j, s.q, s.t);
  }
};

template <class Model>
moreau::State<Model> start() {
  moreau::State<Model> state;
  state.q = {Real(0.75), Real(0.25)};
  state.u = {Real(-1), Real(3)};
  return state;
}

}  // namespace

void test_both_forms_are_bit_identical(void) {
  moreau::Stepper<Rod<Real>> plain(Rod<Real>{}, start<Rod<Real>>());
  moreau::Stepper<SharingRod<Real>> sharing(SharingRod<Real>{}, start<SharingRod<Real>>());
  int closed = 0;
  for (int i = 0; i < 2000; ++i) {
    const auto a = plain.step(Real(1e-3)), b = sharing.step(Real(1e-3));
    CHECK(a.advanced() && b.advanced());
    CHECK_EQUAL(a.active, b.active);
    closed += a.active;
    CHECK(plain.state.q == sharing.state.q && plain.state.u == sharing.state.u);
    CHECK(plain.state.P_N == sharing.state.P_N && plain.state.P_F == sharing.state.P_F);
  }
  CHECK(closed > 100);  // the rod reached the table
}

void test_at_is_called_once_per_step(void) {
  moreau::Stepper<SharingRod<Real>> sharing(SharingRod<Real>{}, start<SharingRod<Real>>());
  sharing.model.shared = 0;  // the stepper has evaluated the start state
  for (int i = 0; i < 100; ++i) CHECK(sharing.step(Real(1e-3)).advanced());
  CHECK_EQUAL(100, sharing.model.shared);
}

TEST_MAIN({
  TEST(test_both_forms_are_bit_identical);
  TEST(test_at_is_called_once_per_step);
})
