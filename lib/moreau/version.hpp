// Version of the library: major.minor.patch. While the major number is 0, a minor release can break existing programs.
// A patch release contains corrections only. CMake reads the version from this file. CHANGELOG.md lists the changes.
#pragma once

namespace moreau {

inline constexpr char version[] = "0.1.0";

}  // namespace moreau
