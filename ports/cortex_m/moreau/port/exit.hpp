// The end of a program and its exit code, which QEMU makes its own. The start-up code calls it with what main
// returns; the codes that no program gives itself:
#pragma once

namespace moreau::port {

constexpr int exit_fault = 100;           // a fault; its cause and place are on the console
constexpr int exit_stack_overflow = 101;  // the stack grew past its end
constexpr int exit_interrupt = 102;       // an interrupt that nobody handles

[[noreturn]] void exit(int code);

}  // namespace moreau::port
