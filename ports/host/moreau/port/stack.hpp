// Stack usage: not measured on the host; the figure would not apply to another compiler or target.
#pragma once
#include <cstddef>

namespace moreau::port {

inline std::size_t stack_size() { return 0; }
inline void stack_paint() {}
inline std::size_t stack_used() { return 0; }
inline std::size_t stack_depth() { return 0; }

}  // namespace moreau::port
