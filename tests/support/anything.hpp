// Random models that use every optional member of the model interface.
#pragma once
#include <moreau/moreau.hpp>

#include "support/bits_hash.hpp"
#include "support/test.hpp"

namespace test {

// Model with random values in all members. The directions of open contacts are non-finite. All laws are in range,
// because a stepper checks them on construction.
template <int tangent_count, int friction_dimension>
struct Anything {
  using Real = ::Real;
  static constexpr int dof = 5, contacts = 4, tangents = tangent_count;
  static constexpr int frictions = 2, friction_dim = friction_dimension, bilaterals = 1;
  using Q = moreau::Vector<Real, dof>;
  moreau::Matrix<Real, dof, dof> M;
  Q h;
  Real gaps[contacts], depths[contacts], bound[frictions];
  moreau::Directions<Real, dof, tangents> d[contacts];
  moreau::ContactLaw<Real> laws[contacts];
  moreau::FrictionDirections<Real, dof, friction_dim> rubbing[frictions];
  moreau::Bilateral<Real, dof> joint;

  explicit Anything(test::Random& random) {
    const auto number = [&] { return random.between(Real(-1), Real(1)); };
    const auto fill = [&](auto& x) {
      for (int j = 0; j < x.size(); ++j) x.coeffRef(j) = number();
    };
    M.setZero();
    for (int i = 0; i < dof; ++i) {
      M(i, i) = Real(1) + random.between(Real(0), Real(2));
      for (int j = 0; j < i; ++j) M(i, j) = M(j, i) = Real(0.2) * number();
    }
    fill(h);
    for (int i = 0; i < contacts; ++i) {
      gaps[i] = Real(1e-3) * number();
      depths[i] = random.between(Real(0), Real(1e-3));
      fill(d[i].w_N);
      fill(d[i].w_T);
      d[i].zeta_N = number();
      laws[i] = {random.between(Real(0), Real(1)), tangents == 0 ? Real(0) : random.between(Real(0), Real(0.2)),
                 i == 1 || tangents == 0 ? Real(0) : random.between(Real(0), Real(0.6))};
      if (i == 2) d[i].w_T.setZero();  // friction with a zero direction
      if (i == 3 && tangents == 2) d[i].w_T.col(tangents / 2).setZero();
      if (gaps[i] > Real(0)) d[i].w_N.setConstant(std::numeric_limits<Real>::quiet_NaN()), d[i].w_T = -d[i].w_T / 0;
    }
    for (int j = 0; j < frictions; ++j) {
      fill(rubbing[j].w);
      bound[j] = j == 1 ? Real(0) : random.between(Real(0), Real(300));
    }
    fill(joint.w);
    joint.zeta = Real(0.1) * number();
  }
  moreau::Matrix<Real, dof, dof> mass(const Q&, Real) const { return M; }
  Q force(const Q&, const Q&, Real) const { return h; }
  Real gap(int i, const Q&, Real) const { return gaps[i]; }
  moreau::Directions<Real, dof, tangents> directions(int i, const Q&, Real) const { return d[i]; }
  moreau::ContactLaw<Real> law(int i) const { return laws[i]; }
  template <int t = tangents, std::enable_if_t<(t > 0), int> = 0>  // frictionless models have no mu
  Real mu(int i, Real v) const {
    return laws[i].mu / (Real(1) + v);
  }
  Real friction_bound(int j, const Q&, Real) const { return bound[j]; }
  moreau::FrictionDirections<Real, dof, friction_dim> friction_directions(int j, const Q&, Real) const {
    return rubbing[j];
  }
  moreau::Bilateral<Real, dof> bilateral(int, const Q&, Real) const { return joint; }
};

// Variant with position correction, which requires finite directions for all contacts.
template <int tangents, int friction_dim>
struct AnythingCorrected : Anything<tangents, friction_dim> {
  using Base = Anything<tangents, friction_dim>;
  explicit AnythingCorrected(test::Random& random) : Base(random) {
    for (auto& direction : this->d)
      for (int j = 0; j < Base::dof; ++j) direction.w_N(j) = random.between(Real(-1), Real(1));
  }
  Real allowed_penetration(int i) const { return this->depths[i]; }
};

}  // namespace test
