// The test script itself: a step size given as a string is rejected with one message.
// Expected message: a step size is a number of seconds
#include <type_traits>

double after(double time);

template <class Real>
constexpr double step_size(Real seconds) {
  static_assert(std::is_floating_point_v<Real>, "a step size is a number of seconds");
  return double(seconds);
}

double after(double time) {
#ifdef MISTAKE
  return time + step_size("1e-4");
#else
  return time + step_size(1e-4);
#endif
}
