# The warnings the project's own code is held to, for targets of this source tree only.
set(moreau_warnings -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wdouble-promotion -Werror)
add_library(moreau_warnings INTERFACE)
target_compile_options(moreau_warnings INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:${moreau_warnings}>")
