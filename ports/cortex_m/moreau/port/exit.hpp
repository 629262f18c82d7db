// End of a program with an exit code, which becomes the exit code of QEMU. The start-up code calls exit() with the
// value returned by main. Reserved codes:
#pragma once

namespace moreau::port {

constexpr int exit_fault = 100;           // fault; cause and location are on the console
constexpr int exit_stack_overflow = 101;  // stack overflow
constexpr int exit_interrupt = 102;       // interrupt without a handler

[[noreturn]] void exit(int code);

}  // namespace moreau::port
