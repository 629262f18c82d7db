#!/usr/bin/env python3
"""Which machines computed the same bits: table.py <bits.csv> [README.md to update]

A line of the file: bits,<model and solver>,<scalar>,<steps>,<hash>,<fallbacks>,<preset>.
"""
import collections
import datetime
import pathlib
import re
import sys

BLOCK = re.compile(r"(<!-- generated: bits -->\n)(.*?)(<!-- end -->)", re.S)
CORES = {"m0": "M0", "m3": "M3", "m4f": "M4F", "m7": "M7", "m33": "M33", "m55": "M55", "host": "host g++ -O2", "host-O0": "host g++ -O0",
         "host-O3": "host g++ -O3", "host-clang": "host clang++ -O2"}

hashes = collections.defaultdict(dict)  # (scalar, steps of Exact), (program, steps) -> preset -> hash
for line in pathlib.Path(sys.argv[1]).read_text().splitlines():
    _, program, scalar, steps, digest, _, preset = line.split(",")
    most = int(steps) * (1 if "exact" in program else 10)
    hashes[scalar, most, program, int(steps)].setdefault(preset, set()).add(digest)

lines = [f"Last run of `tests/determinism/run`, {datetime.date.today()}. Hashes of q, u and percussions after every step, Exact in both timings; the other "
         "solvers a tenth of the steps.", "", "| steps | scalar | machines | trajectories | that differ |", "|---|---|---|---|---|"]
differ = 0
for scalar, most in sorted({key[:2] for key in hashes}, key=lambda k: (-k[1], k[0])):
    runs = [by_preset for key, by_preset in hashes.items() if key[:2] == (scalar, most)]
    machines = [m for m in CORES if any(m in r for r in runs)]
    bad = sum(len(set().union(*r.values())) != 1 or set(r) != set(machines) for r in runs)
    differ += bad
    lines.append(f"| {most} | {scalar} | {', '.join(CORES[m] for m in machines)} | {len(runs)} | {bad} |")
table = "\n".join(lines) + "\n"
print(table, end="")
(pathlib.Path(sys.argv[1]).parent / "bits.md").write_text(table)
if len(sys.argv) > 2:
    readme = pathlib.Path(sys.argv[2])
    readme.write_text(BLOCK.sub(lambda m: m.group(1) + table + m.group(3), readme.read_text()))
sys.exit(1 if differ or not hashes else 0)
