// The end of a program and its exit code.
#pragma once
#include <cstdlib>

namespace moreau::port {

[[noreturn]] inline void exit(int code) { std::exit(code); }

}  // namespace moreau::port
