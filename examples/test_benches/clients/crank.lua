-- Client of the crank test bench in LuaJIT: luajit crank.lua libcrank.so
local ffi = require("ffi")
ffi.cdef [[
  size_t crank_size(void);
  int crank_init(void *memory, size_t size, void **bench);
  int crank_set_named(void *bench, const char *name, double value);
  int crank_get_named(const void *bench, const char *name, double *value);
  int crank_step(void *bench);
]]
local crank = ffi.load(arg[1])
local memory = ffi.new("double[?]", tonumber(crank.crank_size()) / 8 + 1)
local bench = ffi.new("void *[1]")
assert(crank.crank_init(memory, ffi.sizeof(memory), bench) == 0)

for n = 0, 2999 do
  assert(crank.crank_set_named(bench[0], "motor.torque", 2 * (math.floor(n / 250) % 3 - 1)) == 0) -- N m
  assert(crank.crank_step(bench[0]) <= 1) -- OK, INEXACT
end

local value = ffi.new("union { double number; uint64_t bits; }[1]")
for _, name in ipairs { "time", "guide.g_N", "guide.play_used", "guide.load_y", "guide.moment", "step.residual" } do
  assert(crank.crank_get_named(bench[0], name, ffi.cast("double *", value)) == 0)
  local high, low = tonumber(value[0].bits / 2 ^ 32), tonumber(value[0].bits % 2 ^ 32)
  print(name, bit.tohex(high) .. bit.tohex(low), value[0].number)
end
