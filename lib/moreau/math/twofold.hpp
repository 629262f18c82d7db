// Sum of products in doubled working precision (Dot2 of Ogita, Rump, Oishi 2005). The rounding error of each sum and
// each product is itself a floating-point number (Dekker, Veltkamp, Knuth). A second sum accumulates these errors.
//
// Requires a compiler that neither contracts nor reorders floating-point operations. An overflow in the split of a
// factor gives NaN.
#pragma once

#include "moreau/math/types.hpp"

namespace moreau {
namespace detail {

// Sum and accumulated rounding errors.
template <class Real>
class TwofoldSum {
 public:
  explicit TwofoldSum(Real first) : sum_(first) {}

  void add_product(Real a, Real b) {
    const Real p = a * b;
    const Halves x(a), y(b);
    lost_ += ((x.high * y.high - p) + x.high * y.low + x.low * y.high) + x.low * y.low;
    add(p);
  }
  Real value() const { return sum_ + lost_; }

 private:
  // Exact split of a number into two numbers with half the significand length.
  struct Halves {
    explicit Halves(Real a) {
      constexpr Real splitter = sizeof(Real) == 8 ? Real(134217729) : Real(4097);  // 2^27 + 1, 2^12 + 1
      const Real c = splitter * a;
      high = c - (c - a);
      low = a - high;
    }
    Real high, low;
  };
  void add(Real x) {
    const Real sum = sum_ + x, part = sum - sum_;
    lost_ += (sum_ - (sum - part)) + (x - part);
    sum_ = sum;
  }

  Real sum_, lost_ = Real(0);
};

}  // namespace detail
}  // namespace moreau
