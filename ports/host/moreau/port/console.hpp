// Console output to standard output.
#pragma once
#include <cstdio>

namespace moreau::port {

inline void flush() { std::fflush(stdout); }
inline void put(char c) { std::putchar(c); }
inline void write(const char* text) { std::fputs(text, stdout); }

}  // namespace moreau::port

#include <moreau/port/text.hpp>  // print()
