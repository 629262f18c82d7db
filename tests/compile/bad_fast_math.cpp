// Options that remove every test for NaN: each step would be ok, with NaN in its state. (-Wno-error: clang 19 warns of
// -Ofast.)
// Expected message: moreau needs IEEE arithmetic
// With: -ffast-math
// With: -Ofast -Wno-error
// With: -ffinite-math-only
#include "ball.hpp"

bool use_model();
bool use_model() { return used<Ball<double>>(); }
