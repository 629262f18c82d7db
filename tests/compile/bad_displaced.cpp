// A model with drift whose position correction would move q by u dt.
// Expected message: Model needs: drift and displaced, both or none
#include "ball.hpp"

namespace {
struct Model : Ball<double> {
  void drift(Q& q, Q& u, Real h) const { q += h * u; }
#ifndef MISTAKE
  Q displaced(const Q& q, const Q& d) const { return q + d; }
#endif
};
}  // namespace

bool use_model();
bool use_model() { return used<Model>(); }
