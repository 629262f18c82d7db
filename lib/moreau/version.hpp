// The version of the library: 0.x.y changes its interface with x, CHANGELOG.md says how. CMake reads it from here.
#pragma once

namespace moreau {

inline constexpr int version_major = 0;
inline constexpr int version_minor = 1;
inline constexpr int version_patch = 0;
inline constexpr char version[] = "0.1.0";

}  // namespace moreau
