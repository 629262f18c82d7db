// A QEMU plugin: instructions per step and an estimate of Cortex-M4 cycles. A step runs from Stopwatch::begin() to
// Stopwatch::instructions(). thumb.py computes two costs of each address in advance: reached in sequence, or by a
// jump (which refills the pipeline). The plugin only adds.
//
// The declarations are the documented C functions of the plugin interface; QEMU's header is not packaged in Debian.
// They have been unchanged since version 1 of the interface; the number must be accepted by the installed QEMU.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

extern "C" {
struct qemu_plugin_tb;
struct qemu_plugin_insn;
using Id = std::uint64_t;
void qemu_plugin_register_vcpu_tb_trans_cb(Id, void (*)(Id, qemu_plugin_tb*));
void qemu_plugin_register_atexit_cb(Id, void (*)(Id, void*), void*);
void qemu_plugin_register_vcpu_insn_exec_cb(qemu_plugin_insn*, void (*)(unsigned, void*), int flags, void*);
std::size_t qemu_plugin_tb_n_insns(const qemu_plugin_tb*);
qemu_plugin_insn* qemu_plugin_tb_get_insn(const qemu_plugin_tb*, std::size_t);
std::uint64_t qemu_plugin_insn_vaddr(const qemu_plugin_insn*);
#ifndef PLUGIN_API
#define PLUGIN_API 1
#endif
__attribute__((visibility("default"))) int qemu_plugin_version = PLUGIN_API;
}

namespace {

enum Place : std::uint8_t { elsewhere, in_begin, in_end, new_watch };
struct Cost {
  std::uint32_t next = 0;  // next address in sequence
  std::uint16_t sequence = 1, jump = 1;
  Place place = elsewhere;
};
struct Totals {
  std::uint64_t steps = 0, cycles = 0, instructions = 0;
  std::uint64_t most_cycles = 0, most_instructions = 0;
  std::uint64_t empty_cycles = 0, empty_instructions = 0;  // the stopwatch's own calls, measured by its constructor
};

// Never destroyed: QEMU calls write_totals after the destructors of this file's globals have run.
auto& costs = *new std::vector<Cost>;  // by address / 2
auto& trajectories = *new std::vector<Totals>;
auto& out = *new std::string;
std::uint32_t expected = 0;
std::uint64_t cycles = 0, instructions = 0;
bool running = false, first = false;

void finish_step() {
  running = false;
  if (trajectories.empty()) return;
  Totals& t = trajectories.back();
  if (first) {
    t.empty_cycles = cycles;
    t.empty_instructions = instructions;
    first = false;
    return;
  }
  const std::uint64_t c = cycles - t.empty_cycles, n = instructions - t.empty_instructions;
  ++t.steps;
  t.cycles += c;
  t.instructions += n;
  if (c > t.most_cycles) t.most_cycles = c;
  if (n > t.most_instructions) t.most_instructions = n;
}

void executed(unsigned, void* data) {
  const auto address = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(data));
  const Cost& cost = costs[address / 2];
  switch (cost.place) {
    case new_watch:
      trajectories.emplace_back();
      first = true;
      break;
    case in_begin:
      running = true;
      cycles = instructions = 0;
      break;
    case in_end:
      if (running) finish_step();
      break;
    case elsewhere:
      if (running) {
        cycles += address == expected ? cost.sequence : cost.jump;
        ++instructions;
      }
  }
  expected = cost.next;
}

void translated(Id, qemu_plugin_tb* block) {
  for (std::size_t i = 0; i < qemu_plugin_tb_n_insns(block); ++i) {
    qemu_plugin_insn* insn = qemu_plugin_tb_get_insn(block, i);
    const std::uint64_t address = qemu_plugin_insn_vaddr(insn);
    if (address / 2 >= costs.size()) continue;
    qemu_plugin_register_vcpu_insn_exec_cb(insn, executed, 0, reinterpret_cast<void*>(address));
  }
}

void write_totals(Id, void*) {
  std::FILE* file = std::fopen(out.c_str(), "w");
  if (file == nullptr) return;
  for (const Totals& t : trajectories)
    if (t.steps > 0)
      std::fprintf(file, "%llu %llu %llu %llu %llu\n", static_cast<unsigned long long>(t.steps),
                   static_cast<unsigned long long>(t.instructions),
                   static_cast<unsigned long long>(t.most_instructions), static_cast<unsigned long long>(t.cycles),
                   static_cast<unsigned long long>(t.most_cycles));
  std::fclose(file);
}

}  // namespace

// Arguments: table=<file of thumb.py>, out=<file>.
extern "C" __attribute__((visibility("default"))) int qemu_plugin_install(Id id, const void*, int count,
                                                                          char** arguments) {
  std::string table;
  for (int i = 0; i < count; ++i) {
    if (std::strncmp(arguments[i], "table=", 6) == 0) table = arguments[i] + 6;
    if (std::strncmp(arguments[i], "out=", 4) == 0) out = arguments[i] + 4;
  }
  std::FILE* file = std::fopen(table.c_str(), "r");
  if (file == nullptr || out.empty()) return -1;
  unsigned address, size, sequence, jump, place;
  while (std::fscanf(file, "%x %u %u %u %u", &address, &size, &sequence, &jump, &place) == 5) {
    if (address / 2 >= costs.size()) costs.resize(address / 2 + 1);
    costs[address / 2] = {address + size, static_cast<std::uint16_t>(sequence), static_cast<std::uint16_t>(jump),
                          static_cast<Place>(place)};
  }
  std::fclose(file);
  qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
  qemu_plugin_register_atexit_cb(id, write_totals, nullptr);
  return 0;
}
