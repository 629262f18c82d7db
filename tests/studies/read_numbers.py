"""Prints the bits of x from the file of write_numbers.cpp; an error if the other column or a name differs."""
import os

import numpy

table = numpy.load(os.environ["FOLDER"] + "/written.npy")
assert table.dtype.names == ("x", "minus_x")
assert table.dtype.fields["minus_x"][2] == "minus_x [it's m]"
x = numpy.ascontiguousarray(table["x"])
assert (numpy.ascontiguousarray(table["minus_x"]).view("u8") == x.view("u8") ^ numpy.uint64(1 << 63)).all()
print("\n".join(f"{bits:016x}" for bits in x.view("u8")))
