// How deep the stack has been: not measured on the host, where the answer would belong to another compiler anyway.
#pragma once
#include <cstddef>

namespace moreau::port {

inline std::size_t stack_size() { return 0; }
inline void stack_paint() {}
inline std::size_t stack_used() { return 0; }
inline std::size_t stack_depth() { return 0; }

}  // namespace moreau::port
