// The version of the library. CMake reads it from here; CHANGELOG.md lists what changed.
#pragma once

namespace moreau {

inline constexpr char version[] = "0.1.0";

// The same as numbers. 0: the interface is not settled; 1: programs may have to change with it; 2: corrections.
inline constexpr int version_number[] = {0, 1, 0};

}  // namespace moreau
