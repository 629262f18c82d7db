#!/usr/bin/env python3
"""The merged files of a study are bit-identical to its blocks: merged_files_test.py <octave|numpy> <program>

The script decodes the results from the block files, as moreau/study/block_record.hpp defines them, and takes the parameters
from the .csv table. Exit code 77: the reader is not installed.
"""
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile

reader, program = sys.argv[1], str(pathlib.Path(sys.argv[2]).resolve())
size = ["--samples", "300", "--steps", "1000", "--block", "70"]
OCTAVE = 'load("m.mat"); n = cellstr(units); for i = 1:numel(n) c = strtok(n{i}); x = eval(c); puts([n{i} "\\n"]); b = cellstr(num2hex(x)); ' \
         'printf("%s\\n", b{:}); end'
NUMPY = 'import numpy as n; a = n.load("m.npy")\nfor c in a.dtype.names: print(a.dtype.fields[c][2]); ' \
        'print("\\n".join("%016x" % b for b in n.ascontiguousarray(a[c]).view("u8")))'


def command_of_reader():
    if reader == "octave":
        return [shutil.which("octave-cli"), "--norc", "--quiet", "--eval", OCTAVE] if shutil.which("octave-cli") else None
    for python in ("python3", "/usr/bin/python3"):
        if subprocess.run([python, "-c", "import numpy"], capture_output=True).returncode == 0:
            return [python, "-c", NUMPY]
    return None


def bits_of_table(work):
    """Returns the names and bits of all columns: results from the blocks, others from the text table."""
    lines = [line.split(",") for line in (work / "m.csv").read_text().splitlines()]
    table = {name: [f"{struct.unpack('=Q', struct.pack('=d', float(line[i])))[0]:016x}" for line in lines[1:]] for i, name in enumerate(lines[0])}
    stored = {}
    for file in (work / "f").glob("*.blocks"):
        data = file.read_bytes()
        place = 0
        while place < len(data):
            _, _, _, first, count, width, payload, _ = struct.unpack_from("=8Q", data, place)
            words = struct.unpack_from(f"={count * width}Q", data, place + 64)
            for k in range(count):
                stored[first + k] = [f"{word:016x}" for word in words[k * width:(k + 1) * width]]
            place += 64 + payload
    assert sorted(stored) == list(range(300))
    for i, name in enumerate(lines[0][-len(stored[0]):]):
        column = [stored[run][i] for run in range(300)]
        assert column == table[name], f"{name}: the text table differs from the blocks"
    return "".join(name + "\n" + "\n".join(bits) + "\n" for name, bits in table.items())


command = command_of_reader()
if command is None:
    print(f"skipped: {reader} is not installed")
    sys.exit(77)
with tempfile.TemporaryDirectory(prefix="moreau-merged-") as folder:
    work = pathlib.Path(folder)
    for words in (["run"], ["merge", "--to", "m", "--csv"]):
        subprocess.run([program, *words, "--folder", "f", *size], cwd=work, check=True, capture_output=True)
    expected = bits_of_table(work)
    read = subprocess.run(command, cwd=work, capture_output=True, text=True)
differ = [pair for pair in zip(expected.splitlines(), read.stdout.splitlines()) if pair[0] != pair[1]]
if read.stdout != expected:
    print(f"{reader} reads different bits: {differ[:5]}\n{read.stderr[-2000:]}")
    sys.exit(1)
print(f"{len(expected.splitlines())} lines are identical in {reader}")
