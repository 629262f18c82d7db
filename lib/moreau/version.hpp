// The version of the library: while its first number is 0 the interface is not settled, and programs may have to change
// with the second; the third is for corrections. CMake reads it from here; CHANGELOG.md lists what changed.
#pragma once

namespace moreau {

inline constexpr char version[] = "0.1.0";

}  // namespace moreau
