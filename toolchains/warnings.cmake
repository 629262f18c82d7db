# Warnings for the project's own code, for targets of this source tree only. -Wconversion enables -Wfloat-conversion
# (clang: -Wimplicit-float-conversion as well), which warns about every `Real r{0.0025}` of a model in float.
set(moreau_warnings -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-float-conversion -Wdouble-promotion)
if(NOT MOREAU_SANITIZE)  # sanitized builds use clang++, which only warns; the preset host-clang makes its warnings errors
  list(APPEND moreau_warnings -Werror)
endif()
add_library(moreau_warnings INTERFACE)
target_compile_options(moreau_warnings INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:${moreau_warnings}>")
target_compile_options(moreau_warnings INTERFACE
  "$<$<COMPILE_LANG_AND_ID:CXX,Clang,AppleClang>:-Wno-implicit-float-conversion>")
# Warnings of the optimiser's path analysis vary with the -O level and the sanitizers: shown, but no error.
target_compile_options(moreau_warnings INTERFACE
  "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-error=array-bounds;-Wno-error=maybe-uninitialized;-Wno-error=stringop-overflow>")
