#!/usr/bin/env python3
"""Compares the hashes of all machines: compare_hashes.py <bits.csv> [--update]

A line of the file: bits,<model and solver>,<scalar>,<steps>,<hash>,<fallbacks>,<preset>. Prints a table with a row per
number of steps and scalar. --update writes it to tests/determinism/bits.csv, and the pages with figures from it.
"""
import collections
import datetime
import pathlib
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import tables

CORES = {"m0": "M0", "m3": "M3", "m4f": "M4F", "m7": "M7", "m33": "M33", "m55": "M55", "host": "host g++ -O2", "host-O0": "host g++ -O0",
         "host-O3": "host g++ -O3", "host-clang": "host clang++ -O2"}

hashes = collections.defaultdict(dict)  # (scalar, steps of Exact), (program, steps) -> preset -> hash
for line in pathlib.Path(sys.argv[1]).read_text().splitlines():
    _, program, scalar, steps, digest, _, preset = line.split(",")
    most = int(steps) * (1 if "exact" in program else 10)
    hashes[scalar, most, program, int(steps)].setdefault(preset, set()).add(digest)

COLUMNS = ["steps", "scalar", "machines", "trajectories", "differing", "date"]
rows = []
for scalar, most in sorted({key[:2] for key in hashes}, key=lambda k: (-k[1], k[0])):
    runs = [by_preset for key, by_preset in hashes.items() if key[:2] == (scalar, most)]
    machines = [m for m in CORES if any(m in r for r in runs)]
    differing = sum(len(set().union(*r.values())) != 1 or set(r) != set(machines) for r in runs)
    rows.append(dict(zip(COLUMNS, (most, scalar, ", ".join(CORES[m] for m in machines), len(runs), differing, datetime.date.today()))))
print(tables.markdown(COLUMNS, [row.values() for row in rows]), end="")
if "--update" in sys.argv:
    tables.write_csv("determinism/bits.csv", COLUMNS, rows)
    subprocess.run([tables.TESTS / "write_pages.py"], check=True)
sys.exit(1 if not rows or any(row["differing"] for row in rows) else 0)
