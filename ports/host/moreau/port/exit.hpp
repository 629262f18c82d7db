// End of a program with an exit code.
#pragma once
#include <cstdlib>

namespace moreau::port {

[[noreturn]] inline void exit(int code) { std::exit(code); }

}  // namespace moreau::port
