// Hash of Eigen expressions as in models. Eigen selects their evaluation by CPU: the hash differs between CPUs unless
// EIGEN_DONT_VECTORIZE is defined (compare_other_compilers.sh expressions).
#include <Eigen/Core>
#include <cstdio>

#include "support/bits_hash.hpp"

int main() {
  using Real = MOREAU_TEST_REAL;
  Eigen::Matrix<Real, 4, 4> K;
  Eigen::Matrix<Real, 4, 1> q;
  for (int i = 0; i < 16; ++i) K.data()[i] = Real(0.1) * Real(i) + Real(0.37) / Real(i + 1) - Real(0.9);
  for (int i = 0; i < 4; ++i) q(i) = Real(0.3) * Real(i) - Real(0.123);
  test::BitsHash hash;
  for (int n = 0; n < 2000; ++n) {
    q = Real(0.2) * (K * q) + Real(0.01) * q;
    q /= Real(1) + Real(0.1) * q.squaredNorm();
    q(0) += Real(0.01);
    for (int i = 0; i < 4; ++i) hash.add(q(i));
  }
  std::printf("%016llx\n", static_cast<unsigned long long>(hash.value()));
}
