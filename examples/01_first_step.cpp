// The smallest mechanism with play: a force-driven block on a slide, with 1 mm of clearance to a stop on either side.
// Runs on: host, target
#include <moreau/moreau.hpp>
#include <moreau/port/console.hpp>

struct Block {
  using Real = float;
  static constexpr int dof = 1, contacts = 2;  // one coordinate x; left stop, right stop
  using Vector = moreau::Vector<Real, 1>;
  Real drive = 0;  // N, set by the controller between steps
  moreau::Matrix<Real, 1, 1> mass(const Vector&, Real) const { return moreau::Matrix<Real, 1, 1>(0.2f); }  // kg
  Vector force(const Vector&, const Vector&, Real) const { return Vector(drive); }                         // N
  Real gap(int i, const Vector& q, Real) const { return i == 0 ? q(0) + 1e-3f : 1e-3f - q(0); }            // m
  moreau::Directions<Real, 1> directions(int i, const Vector&, Real) const {
    moreau::Directions<Real, 1> d;
    d.w_N(0) = i == 0 ? 1.0f : -1.0f;  // d gap / d q
    return d;
  }
  moreau::ContactLaw<Real> law(int) const { return {0.3f, 0, 0}; }  // eps_N, eps_T, mu
};

int main() {
  moreau::Stepper play{Block{}, moreau::State<Block>{}};
  for (int n = 0; n < 2000; ++n) {               // 0.2 s at 10 kHz
    play.model.drive = n < 1000 ? 1.0f : -1.0f;  // N: push right, then left
    const auto report = play.step(1e-4f);        // s
    if (report.status != moreau::Status::ok) {
      moreau::port::print("step ", n, ": ", moreau::name(report.status));
      return 1;
    }
    if (n % 200 == 199)
      moreau::port::print("t ", play.state.time(), " s  x ", play.state.q(0), " m  force at the right stop ",
                          play.contact(1).force_N, " N");
  }
}
