# The warnings the project's own code is held to, for targets of this source tree only.
# -Wconversion brings -Wfloat-conversion along (clang: -Wimplicit-float-conversion too), which scolds every
# `Real r{0.0025}` of a model in float.
set(moreau_warnings -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-float-conversion -Wdouble-promotion)
if(NOT MOREAU_SANITIZE)  # there clang++ compiles what other builds' g++ has accepted: it warns; host-clang refuses
  list(APPEND moreau_warnings -Werror)
endif()
add_library(moreau_warnings INTERFACE)
target_compile_options(moreau_warnings INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:${moreau_warnings}>")
target_compile_options(moreau_warnings INTERFACE
  "$<$<COMPILE_LANG_AND_ID:CXX,Clang,AppleClang>:-Wno-implicit-float-conversion>")
# What the optimiser believes to see along a path comes and goes with the -O level and the sanitizers: shown, no error.
target_compile_options(moreau_warnings INTERFACE
  "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-error=array-bounds;-Wno-error=maybe-uninitialized;-Wno-error=stringop-overflow>")
