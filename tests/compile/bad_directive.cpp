// Using-directive and unqualified sine: libm's function would be called, with other bits.
// Expected message: ambiguous
#include <moreau/moreau.hpp>

#include <type_traits>
#include <utility>

double sine(double x);
double sine(double x) {
#ifdef MISTAKE
  using namespace moreau;
  return sin(x);
#else
  return moreau::sin(x);
#endif
}

#ifndef MISTAKE
// The same for the other functions, and for float: rejected, or resolved to the library's function.
namespace taken_in {
using namespace moreau;
template <class T>
using Sine = decltype(sin(T()));
template <class T>
using Cosine = decltype(cos(T()));
template <class T>
using Root = decltype(sqrt(T()));
}  // namespace taken_in

static_assert(!moreau::detail::detected<taken_in::Sine, double>);
static_assert(!moreau::detail::detected<taken_in::Cosine, double>);
static_assert(!moreau::detail::detected<taken_in::Root, double>);
#endif
