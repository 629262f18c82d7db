// A study whose sums Eigen vectorises, because nothing or too late something tells it not to.
// Must say: a study needs EIGEN_DONT_VECTORIZE
// With: -UEIGEN_DONT_VECTORIZE
// With: -UEIGEN_DONT_VECTORIZE -DTOO_LATE
#ifdef TOO_LATE
#include <Eigen/Core>
#define EIGEN_DONT_VECTORIZE
#endif
#include <moreau/study/study.hpp>
