// Planar gravity in a mechanism in space.
// Expected message: A field needs: Point<Real> field(const Body<Real>& body) const;
#include <moreau/spatial.hpp>

namespace {
struct Parts {
  using Real = double;
  enum Names { box, bodies };
  moreau::spatial::Body<double> body[bodies] = {{1, {1, 1, 1}}};
#ifdef MISTAKE
  moreau::Gravity<double> gravity;
#else
  moreau::spatial::Gravity<double> gravity;
#endif
  auto parts() const { return std::tie(gravity); }
};
}  // namespace

bool use_model();
bool use_model() { return moreau::Stepper{moreau::Mechanism<Parts>{}, {}}.step(1e-3).advanced(); }
