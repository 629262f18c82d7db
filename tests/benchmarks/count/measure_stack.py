#!/usr/bin/env python3
"""Measures the stack of a step under QEMU and bounds it from the code: tests/benchmarks/count/measure_stack.py

  measure_stack.py                        M4F and M7, built in build/<preset>; prints the table
  measure_stack.py --preset m4f           this board only
  measure_stack.py --update               writes tests/benchmarks/stack.csv and STACK.md; rows of other boards stay
  measure_stack.py --tree <folder>...     build folders with programs that are already built

A bound is the sum of the frames along the deepest path of calls from the step on: the bytes that functions push and
reserve on entry. No function of a step is recursive, calls by an address or has a frame of computed size. The script
fails if it finds such a function, or a painted stack deeper than its bound.
"""
import argparse
import datetime
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
FILE = "benchmarks/stack.csv"
COLUMNS = "board,core,scalar,model,solver,mode,painted,bound,counter_frames,compiler,date".split(",")
CORES = {"mps2-an386": "M4F", "mps2-an500": "M7"}
sys.path[:0] = [str(HERE), str(ROOT / "tests/support")]
sys.dont_write_bytecode = True
import tables
import thumb

QEMU = ["-display", "none", "-serial", "none", "-monitor", "none", "-chardev", "stdio,id=s",
        "-semihosting-config", "enable=on,target=native,chardev=s"]
# Bytes of the counting program between the measured address and the call of the step: frames of Count::step and of the
# lambda around it, which are not inlined in some trajectories.
HARNESS = 160


def compiler():
    text = subprocess.run(["arm-none-eabi-g++", "-dumpfullversion"], capture_output=True, text=True, check=True).stdout
    return f"arm-none-eabi-g++ {text.strip()} -O2"


def rows_of(board, elf):
    run = subprocess.run(["qemu-system-arm", "-M", board, *QEMU, "-kernel", elf], capture_output=True, text=True, stdin=subprocess.DEVNULL,
                         timeout=4500)
    lines = [line.split(",") for line in run.stdout.splitlines() if line.startswith("count,")]
    code, functions = thumb.disassemble(elf), thumb.symbols(elf)
    for _, model, scalar, solver, mode, *_, stack, _, _, _, root in lines:
        if solver == "hand":  # written for one mechanism, for comparison
            continue
        values = (board, CORES[board], scalar, model, solver, mode, int(stack), thumb.deepest_stack(code, functions, int(root)), HARNESS, compiler(),
                  datetime.date.today())
        yield dict(zip(COLUMNS, values))


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--preset", nargs="+", default=["m4f", "m7"])
    arguments.add_argument("--tree", type=pathlib.Path, nargs="+", default=[])
    arguments.add_argument("--update", action="store_true")
    a = arguments.parse_args()
    if not a.tree:
        for preset in a.preset:
            for command in (["cmake", "--preset", preset], ["cmake", "--build", "--preset", preset, "--target", "count_programs"]):
                run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
                if run.returncode != 0:
                    sys.exit(run.stdout[-3000:] + run.stderr)
    rows = []
    for tree in a.tree or [ROOT / "build" / preset for preset in a.preset]:
        for entry in (tree / "tests/benchmarks/count.list").read_text().split():
            rows += rows_of(*entry.split(":", 1))
    shown = COLUMNS[1:COLUMNS.index("counter_frames")]
    print(tables.markdown(shown, [[row[column] for column in shown] for row in rows]), end="")
    if a.update:
        boards = {row["board"] for row in rows}
        kept = [row for row in tables.read_csv(FILE) if row["board"] not in boards]
        tables.write_csv(FILE, COLUMNS, sorted(kept + rows, key=lambda row: list(CORES).index(row["board"])))
        subprocess.run([ROOT / "tests/write_pages.py"], check=True)
    deeper = [row for row in rows if row["painted"] > row["bound"] + HARNESS]
    for row in deeper:
        print("deeper than its bound:", *row.values())
    sys.exit(1 if deeper or not rows else 0)


main()
