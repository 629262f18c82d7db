// Model whose function without clearance has a wrong parameter: gaps would not be magnified, without a message.
// Expected message: A picture's gaps need: Vector<Real, dof> nominal(const Vector<Real, dof>& q) const;
#include <moreau/workstation/pose_source.hpp>

#include "ball.hpp"

struct Drawn : Ball<double> {
  using Q = moreau::Vector<double, Ball<double>::dof>;
  template <class Picture>
  void shapes(Picture& draw) const {
    draw.bodies({"ball"});
  }
  std::array<moreau::Frame<double>, 1> poses(const Q& q) const { return {moreau::Frame<double>::at({0, q(0)}, 0)}; }
#ifdef MISTAKE
  Q nominal(const Q& q, int) const { return q; }
#else
  Q nominal(const Q& q) const { return q; }
#endif
};

bool draw();
bool draw() {
  const Drawn ball;
  return moreau::workstation::PoseSource<Drawn>{ball}.magnifies;
}
