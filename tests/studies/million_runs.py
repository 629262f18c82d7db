#!/usr/bin/env python3
"""The hash of a million runs does not depend on threads, parts or build.

    million_runs.py <program> [--runs N] [--build <name> <program>] ... [--data million.csv] >MILLION.md

Computes the woodpecker study with 1, 2 and 3 threads in 1, 4 and 7 parts, and with each further build. Prints a page
with hashes and durations. It takes minutes on an idle machine.
"""
import argparse
import datetime
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import time

parser = argparse.ArgumentParser()
parser.add_argument("program")
parser.add_argument("--runs", type=int, default=1_000_000)
parser.add_argument("--build", nargs=2, action="append", default=[])
parser.add_argument("--data", type=pathlib.Path, help="writes the rows of the table to this CSV file")
given = parser.parse_args()
block = max(1, given.runs // 40)
data = ["build,threads,parts,runs,hash,seconds,cpu_seconds"]


def call(command, *words):
    """Returns the output, the elapsed time and the CPU time, both in s."""
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    ran = subprocess.run([*command.split(), *words, "--samples", str(given.runs), "--block", str(block)], capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if ran.returncode != 0:
        sys.exit(f"{command} {words}: exit code {ran.returncode}\n{ran.stdout}{ran.stderr}")
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return ran.stdout, time.monotonic() - begin, cpu


def row(folder, name, command, threads, parts):
    passed = cpu = 0
    for part in range(1, parts + 1):
        _, s, c = call(command, "run", "--folder", folder, "--threads", str(threads), "--part", f"{part}/{parts}")
        passed, cpu = passed + s, cpu + c
    found = re.search(r"hash (\w+)", call(command, "status", "--folder", folder)[0]).group(1)
    print(f"| {name} | {threads} | {parts} | {found} | {passed:.1f} | {cpu:.1f} | {given.runs / passed:,.0f} | {given.runs / cpu:,.0f} |", flush=True)
    data.append(f"{name},{threads},{parts},{given.runs},{found},{passed:.1f},{cpu:.1f}")
    return found


def cpu_name():
    found = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())
    return found.group(1) if found else "unknown"


with tempfile.TemporaryDirectory(prefix="moreau-million-") as work:
    program = str(pathlib.Path(given.program).resolve())
    builds = [(name, " ".join([*words.split()[:-1], str(pathlib.Path(words.split()[-1]).resolve())])) for name, words in given.build]
    table = given.data and given.data.resolve()
    os.chdir(work)
    print("# Hash of a study independent of its division\n")
    print(f"`tests/studies/million_runs.py` wrote this page on {datetime.date.today()}: {given.runs:,} runs of 1,000 steps of the woodpecker")
    print(f"(`examples/studies/woodpecker.cpp`) on {os.cpu_count()} cores, {cpu_name()}. Other load on the machine changes the elapsed time,")
    print("but not the CPU time.\n")
    print("| build | threads | parts | hash | elapsed, s | CPU, s | runs/s | runs per CPU s |\n|---|---|---|---|---|---|---|---|")
    hashes = {row(f"{threads}.{parts}", "host", program, threads, parts) for threads in (1, 2, 3) for parts in (1, 4, 7)}
    hashes |= {row(name, name, command, 2, 1) for name, command in builds}
    _, passed, cpu = call(program, "merge", "--folder", "1.1", "--to", "merged")
    size = sum(os.path.getsize(f"merged.{kind}") for kind in ("npy", "mat"))
    print(f"\nMerging the blocks into `.npy` and `.mat` ({size / 1e6:.0f} MB) takes {passed:.2f} s of elapsed time and {cpu:.2f} s of CPU time.")
    print(f"\n{'All hashes are identical.' if len(hashes) == 1 else 'HASHES DIFFER.'}")
    if table:
        table.write_text("\n".join(data) + "\n")
sys.exit(len(hashes) != 1)
