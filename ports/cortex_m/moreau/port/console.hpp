// Console output through semihosting, one line at a time. It is too slow for interrupts: publish a value to the main
// loop (latest.hpp) and print it there.
#pragma once
#include "../../semihosting.hpp"

namespace moreau::port {

struct Line {
  char text[96];
  unsigned size;
};
inline Line line{};

inline void flush() {
  line.text[line.size] = 0;
  if (line.size > 0) semihosting::write(line.text);
  line.size = 0;
}
inline void put(char c) {
  line.text[line.size++] = c;
  if (c == '\n' || line.size == sizeof line.text - 1) flush();
}
inline void write(const char* text) {
  for (; *text != 0; ++text) put(*text);
}

}  // namespace moreau::port

#include <moreau/port/text.hpp>  // print()
