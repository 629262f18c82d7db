// The least a user's program does: one falling mass, one step.
#include <moreau/moreau.hpp>

struct Mass {
  using Real = double;
  static constexpr int dof = 1, contacts = 1;
  using Vector = moreau::Vector<Real, 1>;
  moreau::Matrix<Real, 1, 1> mass(const Vector&, Real) const { return moreau::Matrix<Real, 1, 1>(2.0); }
  Vector force(const Vector&, const Vector&, Real) const { return Vector(-19.62); }
  Real gap(int, const Vector& q, Real) const { return q(0); }
  moreau::Directions<Real, 1> directions(int, const Vector&, Real) const {
    moreau::Directions<Real, 1> d;
    d.w_N(0) = 1;
    return d;
  }
  moreau::ContactLaw<Real> law(int) const { return {0, 0, 0}; }
};

int main() {
  moreau::State<Mass> start;
  start.q(0) = 1;
  moreau::Stepper falling{Mass{}, start};
  const bool advanced = falling.step(0.5).advanced();
  return advanced && falling.state.u(0) == -9.81 / 2 ? 0 : 1;
}
