// Included before a source file, for a compilation by clang++ -fms-extensions in which the library finds the macros of
// MSVC instead of those of g++. The headers of the standard library and Eigen need the macros of g++.
#pragma once
#include <emmintrin.h>

#include <Eigen/Core>
#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <limits>
#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#undef __GNUC__
#define _MSC_VER 1930
#define _M_X64 100
