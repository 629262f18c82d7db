#!/usr/bin/env python3
"""Checks the order of includes in moreau.hpp and mechanism.hpp against lib/README.md: reading_order.py <root>

The order is that of the tour. moreau.hpp includes every header of the stages math, model, contact, solve, step and adapt, mechanism.hpp those of joints and
mechanism, and spatial.hpp those of spatial. A header of another umbrella is exempt.
"""
import pathlib
import re
import sys

ELSEWHERE = {"step/close_joints.hpp"}  # needs mechanism/, so mechanism.hpp includes it
UMBRELLAS = {"moreau.hpp": ["math", "model", "contact", "solve", "step", "adapt"], "mechanism.hpp": ["joints", "mechanism"], "spatial.hpp": ["spatial"]}

root = pathlib.Path(sys.argv[1])
tour, stage = [], None
for line in (root / "lib/README.md").read_text().split("## A tour of the files")[1].split("\n## ")[0].splitlines():
    cells = line.split("|")
    if len(cells) > 3:
        stage = cells[1].strip() or stage
        tour += [f"{stage}/{name}" for name in re.findall(r"`(\w+\.hpp)`", cells[2])]

complaints = []
for umbrella, stages in UMBRELLAS.items():
    included = re.findall(r'#include "moreau/(\w+/\w+\.hpp)"', (root / "lib/moreau" / umbrella).read_text())
    expected = [name for name in tour if name.split("/")[0] in stages and name not in ELSEWHERE]
    included = [name for name in included if name not in ELSEWHERE]
    if included != expected:
        missing, unknown = [n for n in expected if n not in included], [n for n in included if n not in expected]
        complaints.append(f"{umbrella}: missing {missing}, not in the tour {unknown}" if missing or unknown else
                          f"{umbrella}: another order from " + next(f"{a} (tour: {b})" for a, b in zip(included, expected) if a != b))
print("\n".join(complaints))
print(f"{len(tour)} headers in the tour, {len(complaints)} complaints")
sys.exit(1 if complaints or len(tour) < 60 else 0)
