// Compile-time checks of the port contract in ports/README.md. This header, included with the folder of a port in the
// include path, checks names and signatures; tests/ports checks behaviour.
#pragma once
#include <cstddef>
#include <cstdint>
#include <moreau/port/console.hpp>
#include <moreau/port/cycles.hpp>
#include <moreau/port/exit.hpp>
#include <moreau/port/latest.hpp>
#include <moreau/port/periodic.hpp>
#include <moreau/port/stack.hpp>
#include <moreau/port/step_budget.hpp>
#include <type_traits>
#include <utility>

namespace moreau::port::contract {

template <class Function, class... Arguments>
constexpr bool returns_void = std::is_void_v<std::invoke_result_t<Function, Arguments...>>;

// console: characters and text in order, output at the latest on flush()
static_assert(returns_void<decltype(static_cast<void (*)(char)>(&put)), char>);
static_assert(returns_void<decltype(static_cast<void (*)(const char*)>(&write)), const char*>);
static_assert(returns_void<decltype(&flush)>);

// exit: flushes the console and ends the program with the code
static_assert(returns_void<decltype(static_cast<void (*)(int)>(&exit)), int>);

// cycles: an unsigned count at a known rate; an empty begin/end pair gives 0 up to rounding
static_assert(std::is_unsigned_v<Ticks> && ticks_per_second > 0);
static_assert(std::is_convertible_v<decltype(tick_name), const char*>);
static_assert(std::is_default_constructible_v<Stopwatch> &&
              std::is_void_v<decltype(std::declval<Stopwatch&>().begin())>);
static_assert(std::is_same_v<decltype(std::declval<const Stopwatch&>().end()), Ticks>);
static_assert(std::is_same_v<decltype(std::declval<const Stopwatch&>().instructions()), std::uint32_t>);
static_assert(std::is_same_v<decltype(instructions_of(Ticks{})), std::uint32_t> &&
              std::is_same_v<decltype(instructions_of(Ticks{}, 128u)), std::uint32_t>);

// stack: bytes; 0 if the port does not measure it
static_assert(std::is_same_v<decltype(stack_size()), std::size_t> &&
              std::is_same_v<decltype(stack_used()), std::size_t> &&
              std::is_same_v<decltype(stack_depth()), std::size_t> && returns_void<decltype(&stack_paint)>);

// periodic: a callback with a context, calls and overruns counted
static_assert(std::is_same_v<Periodic::Callback, void (*)(void*)>);
static_assert(std::is_same_v<decltype(std::declval<Periodic&>().start(1u, Periodic::Callback{}, nullptr)), bool>);
static_assert(std::is_void_v<decltype(std::declval<Periodic&>().stop())> && std::is_void_v<decltype(Periodic::wait())>);
static_assert(std::is_same_v<decltype(std::declval<const Periodic&>().calls()), std::uint32_t> &&
              std::is_same_v<decltype(std::declval<const Periodic&>().overruns()), std::uint32_t>);

// latest: neither side ever waits
static_assert(!std::is_copy_constructible_v<Latest<int>> &&
              std::is_same_v<decltype(std::declval<Latest<int>&>().read()), int>);

}  // namespace moreau::port::contract
