# Client of the crank test bench in Python: python3 crank.py libcrank.so
import ctypes
import struct
import sys

crank = ctypes.CDLL(sys.argv[1])
crank.crank_size.restype = ctypes.c_size_t
memory = (ctypes.c_double * (crank.crank_size() // 8 + 1))()
bench = ctypes.c_void_p()
assert crank.crank_init(memory, ctypes.c_size_t(ctypes.sizeof(memory)), ctypes.byref(bench)) == 0

for n in range(3000):
    assert crank.crank_set_named(bench, b"motor.torque", ctypes.c_double(2.0 * (n // 250 % 3 - 1))) == 0  # N m
    assert crank.crank_step(bench) in (0, 1)  # OK, INEXACT

value = ctypes.c_double()
for name in (b"time", b"guide.g_N", b"guide.play_used", b"guide.load_y", b"guide.moment", b"step.residual"):
    assert crank.crank_get_named(bench, name, ctypes.byref(value)) == 0
    print(name.decode(), struct.pack(">d", value.value).hex(), value.value)
