// The earlier name of select for several numbers.
// Expected message: moreau::choose has been renamed moreau::select
#include <moreau/moreau.hpp>

double selected(bool c);
double selected(bool c) {
#ifdef MISTAKE
  moreau::choose(c, {1.0, 2.0}, {3.0, 4.0});
#endif
  return moreau::select(c, {1.0, 2.0}, {3.0, 4.0})[0];
}
