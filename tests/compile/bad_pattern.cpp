// Non-static pattern, which would be ignored.
// Expected message: Model needs: static constexpr bool mass_pattern(int i, int j);
#include "ball.hpp"

namespace {
struct Model : Ball<double> {
#ifdef MISTAKE
  bool mass_pattern(int i, int j) const { return i == j; }
#else
  static constexpr bool mass_pattern(int i, int j) { return i == j; }
#endif
};
}  // namespace

bool use_model();
bool use_model() { return used<Model>(); }
