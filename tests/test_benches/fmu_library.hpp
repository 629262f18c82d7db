// The shared library of an FMU and its log. BENCH_FOLDER: its unpacked folder; FMU_BINARY: the library in it.
#pragma once
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>

#include "support/test.hpp"

inline void* library() {
  const char* other = std::getenv("MOREAU_FMU_BINARY");  // another build of the same sources may be tested instead
  static void* handle = dlopen(other != nullptr ? other : BENCH_FOLDER "/" FMU_BINARY, RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) std::printf("%s\n", dlerror());
  return handle;
}
template <class F>
F* function(const char* name) {
  void* found = dlsym(library(), name);
  if (found == nullptr) {
    std::printf("no function %s\n", name);
    std::exit(1);
  }
  return reinterpret_cast<F*>(found);
}

// Returns the first attribute of that name in the description.
inline std::string attribute(const std::string& key) {
  std::stringstream text;
  text << std::ifstream(BENCH_FOLDER "/modelDescription.xml").rdbuf();
  const std::size_t at = text.str().find(" " + key + "=\"") + key.size() + 3;
  return text.str().substr(at, text.str().find('"', at) - at);
}

inline int logged = 0;
inline std::string last_category;
inline void note(const char* category, const char* message) {
  ++logged;
  last_category = category;
  CHECK(message != nullptr && std::strlen(message) > 4 && std::strchr(message, '%') == nullptr);
}
