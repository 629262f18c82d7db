#!/usr/bin/env python3
"""Compares the hashes of other builds of a study program: compare_builds.py <program> <other build> ..."""
import pathlib

from study_program import DONE, REFUSED, call, end, expect, others, refuses, run, status


def test_other_builds_have_the_hash():
    size = ["--samples", "300", "--steps", "100", "--block", "100"]
    run("first", size=size)
    right = status("first", size=size)[2]
    for number, other in enumerate(others):
        run(f"build{number}", command=other, size=size)
        found = status(f"build{number}", command=other, size=size)[2]
        expect(found == right, f"{other}: {found}, not {right}")
        print(f"{pathlib.Path(other.split()[-1]).name}: hash {found}")
        refuses("started by another build", REFUSED, "run", "--folder", "first", command=other, size=size)
        again = call("rerun", 123, "--folder", "first", command=other, size=size)
        expect(again.returncode == DONE and "bit-identical to the stored run in first" in again.stdout, f"{other}: a run repeated", again.text)


end(test_other_builds_have_the_hash)
