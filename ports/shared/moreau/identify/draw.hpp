// Random numbers of one member: a function of seed, member and count. They are therefore independent of the order of
// the members, and bit-identical on all machines.
#pragma once
#include "moreau/study/normal.hpp"
#include "moreau/study/philox.hpp"

namespace moreau::identify {

class Draw {
 public:
  Draw(std::uint64_t seed, std::uint32_t member) : seed_(seed), member_(member) {}

  double uniform(double low, double high) { return low + (high - low) * next(); }
  double normal(double sigma) { return sigma * study::normal_quantile(next()); }
  // Returns true with the probability 1/2.
  bool coin() { return next() < 0.5; }

 private:
  double next() { return study::unit(study::random_words(seed_, study::Use::sample, member_, count_++)[0]); }

  std::uint64_t seed_, count_ = 0;
  std::uint32_t member_;
};

}  // namespace moreau::identify
