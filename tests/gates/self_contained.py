#!/usr/bin/env python3
"""Compiles every header of lib/ alone, the umbrella headers also as C++20: self_contained.py <lib> <compiler> <flag>...

Eigen is precompiled, which saves a minute. Therefore the script checks the include of Eigen in the text of the headers.
"""
import concurrent.futures
import os
import pathlib
import re
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
clang = "clang" in command[0]
eigen = pathlib.Path(work.name) / "eigen.hpp"
eigen.write_text("#include <Eigen/Core>\n")
output = f"{eigen}.pch" if clang else f"{eigen}.gch"
subprocess.run([*command, "-std=c++17", "-x", "c++-header", eigen, "-o", output], check=True)
precompiled = {"c++17": ["-include-pch", output] if clang else ["-include", eigen]}
included = {h: re.findall(r'^\s*#\s*include\s*[<"]([^>"]+)', (lib / h).read_text(), flags=re.M) for h in headers}


def reaches_eigen(header, seen):
    seen.add(header)
    return any(i.startswith("Eigen/") or i in included and i not in seen and reaches_eigen(i, seen) for i in included[header])


failures = 0
for header in headers:
    if "Eigen::" in (lib / header).read_text() and not reaches_eigen(header, set()):
        failures += 1
        print(f"{header} uses Eigen and does not include it")
with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    for header, standard, code, text in pool.map(compile_alone, jobs):
        if code != 0 or text:
            failures += 1
            print(f"{header} alone as {standard}:\n" + "\n".join(text.splitlines()[:8]))
print(f"{len(jobs)} compilations, {failures} failed")
sys.exit(1 if failures or not jobs else 0)
