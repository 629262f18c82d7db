// The version of the library. CMake reads it from here; CHANGELOG.md lists what changed.
#pragma once

namespace moreau {

inline constexpr int version_major = 0;  // 0: the interface is not settled
inline constexpr int version_minor = 1;  // programs may have to change with it
inline constexpr int version_patch = 0;  // corrections
inline constexpr char version[] = "0.1.0";

}  // namespace moreau
