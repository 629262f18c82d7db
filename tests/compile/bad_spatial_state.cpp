// Coordinates of a mechanism in space by their number.
// Expected message: State of a mechanism in space: write model.place(state, body, r, quaternion)
#include <moreau/spatial.hpp>

namespace {
struct Parts {
  using Real = double;
  enum Names { box, bodies };
  moreau::spatial::Body<double> body[bodies] = {{1, {1, 1, 1}}};
  moreau::spatial::Gravity<double> gravity;
  auto parts() const { return std::tie(gravity); }
};
}  // namespace

double place();
double place() {
  const moreau::Mechanism<Parts> model;
  moreau::State<moreau::Mechanism<Parts>> start;
#ifdef MISTAKE
  start.q(3) = 0.1;
#else
  model.place(start, Parts::box, {}, moreau::spatial::rotation(moreau::spatial::Point<double>{1, 0, 0}, 0.4));
#endif
  return model.pose(start, Parts::box).q.w;
}
