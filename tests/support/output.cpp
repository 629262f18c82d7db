// Unity's characters, handed to the port's console.
#include <moreau/port/console.hpp>

extern "C" void moreau_test_put(int c) { moreau::port::put(static_cast<char>(c)); }
