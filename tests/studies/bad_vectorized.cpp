// EIGEN_DONT_VECTORIZE is missing or defined too late, so Eigen vectorises the sums of a study.
// Expected message: a study needs EIGEN_DONT_VECTORIZE
// With: -UEIGEN_DONT_VECTORIZE
// With: -UEIGEN_DONT_VECTORIZE -DTOO_LATE
#ifdef TOO_LATE
#include <Eigen/Core>
#define EIGEN_DONT_VECTORIZE
#endif
#include <moreau/study/study.hpp>
