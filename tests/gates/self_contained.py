#!/usr/bin/env python3
"""Every header of lib/ compiles alone, the umbrellas as C++20, too: self_contained.py <lib> <compiler> <flag>...

With clang, Eigen is compiled beforehand, which saves a minute: there the warnings count, and g++ sees to it that nobody forgot to
include Eigen.
"""
import concurrent.futures
import os
import pathlib
import subprocess
import sys
import tempfile

lib, command = pathlib.Path(sys.argv[1]), sys.argv[2:]


def compile_alone(job):
    header, standard = job
    run = subprocess.run([*command, f"-std={standard}", *precompiled.get(standard, []), "-fsyntax-only", "-x", "c++", "-"], input=f'#include "{header}"\n',
                         capture_output=True, text=True)
    return header, standard, run.returncode, run.stderr


headers = sorted(str(p.relative_to(lib)) for p in (lib / "moreau").rglob("*.hpp"))
jobs = [(h, "c++17") for h in headers] + [(h, "c++20") for h in headers if h.count("/") == 1]
work = tempfile.TemporaryDirectory()
precompiled = {}
if "clang" in command[0]:
    eigen = f"{work.name}/eigen.pch"
    subprocess.run([*command, "-std=c++17", "-x", "c++-header", "-", "-o", eigen], input="#include <Eigen/Core>\n", text=True, check=True)
    precompiled["c++17"] = ["-include-pch", eigen]
failures = 0
with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    for header, standard, code, text in pool.map(compile_alone, jobs):
        if code != 0 or text:
            failures += 1
            print(f"{header} alone as {standard}:\n" + "\n".join(text.splitlines()[:8]))
print(f"{len(jobs)} compilations, {failures} failed")
sys.exit(1 if failures or not jobs else 0)
