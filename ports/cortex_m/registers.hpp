// Core registers of the port; Armv6-M to Armv8.1-M have them at the same addresses.
#pragma once
#include <cstdint>

namespace moreau::port {

inline volatile std::uint32_t& word_at(std::uint32_t address) {
  return *reinterpret_cast<volatile std::uint32_t*>(address);
}

namespace systick {
constexpr std::uint32_t enable = 1, interrupt = 2, processor_clock = 4, longest = 0xffffff;
inline volatile std::uint32_t& control() { return word_at(0xe000e010); }
inline volatile std::uint32_t& reload() { return word_at(0xe000e014); }
inline volatile std::uint32_t& value() { return word_at(0xe000e018); }
}  // namespace systick

namespace scb {
constexpr std::uint32_t systick_pending = 1u << 26;
inline volatile std::uint32_t& interrupt_control() { return word_at(0xe000ed04); }
inline volatile std::uint32_t& configurable_fault_status() { return word_at(0xe000ed28); }
inline volatile std::uint32_t& hard_fault_status() { return word_at(0xe000ed2c); }
inline volatile std::uint32_t& memory_fault_address() { return word_at(0xe000ed34); }
inline volatile std::uint32_t& bus_fault_address() { return word_at(0xe000ed38); }
inline volatile std::uint32_t& coprocessor_access() { return word_at(0xe000ed88); }
}  // namespace scb

namespace mpu {
inline volatile std::uint32_t& type() { return word_at(0xe000ed90); }
inline volatile std::uint32_t& control() { return word_at(0xe000ed94); }
inline volatile std::uint32_t& region_base() { return word_at(0xe000ed9c); }
inline volatile std::uint32_t& region_attributes() { return word_at(0xe000eda0); }
}  // namespace mpu

}  // namespace moreau::port
