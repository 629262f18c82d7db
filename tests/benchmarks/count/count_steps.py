#!/usr/bin/env python3
"""Counts the instructions of a step on every board: tests/benchmarks/count/count_steps.py

  count_steps.py                   all six boards, built in build/<preset>; prints the tables, writes them to build/report
  count_steps.py --preset m4f m7   these boards only; rows of other boards stay in the files
  count_steps.py --update          writes tests/benchmarks/timing.csv, worst_case.csv and the pages with figures from them
  count_steps.py --tree <build folder> --check
                                   one board, already built: fails if its rows differ from the files (exit code 77,
                                   skipped, if the files belong to another compiler)

timing.csv has a row per trajectory, worst_case.csv a row per fallback path of constant time.
"""
import argparse
import itertools
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path[:0] = [str(HERE), str(ROOT / "tests/support")]
sys.dont_write_bytecode = True
import tables
import thumb

# Columns of the programs' output (after the board), and of the files.
COLUMNS = {"timing": "board,scalar,model,solver,mode,min,mean,max,cycles_nominal_max,text,ram,stack,steps,fallbacks,hash".split(","),
           "worst": "board,model,scalar,solver,closed,constant,mean,worst_case,bound,rounds,sweeps,ok,inexact,no_solution,refused".split(",")}
FILES = {"timing": "board,core,scalar,model,solver,mode,min,mean,max,cycles,code,ram,stack,steps,fallbacks,compiler".split(","),
         "worst_case": ["board", "core", "scalar", "model", "solver", "closed", "constant_part", "mean", "worst_case", *COLUMNS["worst"][8:], "compiler"]}
CORES = {"mps2-an386": "M4F", "mps2-an500": "M7", "mps2-an505": "M33", "mps3-an547": "M55", "mps2-an385": "M3", "microbit": "M0"}
PRESETS = ["m4f", "m7", "m33", "m55", "m3", "m0"]
ESTIMATED = ["mps2-an385", "mps2-an386"]  # the boards whose core has approximately the timing of the Cortex-M4
QEMU = ["-display", "none", "-serial", "none", "-monitor", "none", "-chardev", "stdio,id=s",
        "-semihosting-config", "enable=on,target=native,chardev=s"]


def qemu(board, elf, *options):
    run = subprocess.run(["qemu-system-arm", "-M", board, *QEMU, *options, "-kernel", elf], capture_output=True, text=True,
                         stdin=subprocess.DEVNULL, timeout=4500)
    if run.returncode != 0:
        sys.exit(f"{elf} on {board} ended with {run.returncode}:\n{run.stdout}{run.stderr}")
    return run.stdout


def most_cycles(board, elf, code, functions, work):
    """Returns per trajectory the highest instruction count and cycle estimate of a step, from the plugin."""
    (work / "table").write_text(thumb.cost_table(code, functions))
    for api in range(1, 8):  # the interface number that this QEMU accepts
        plugin, out = work / f"cycles{api}.so", work / "out"
        if not plugin.exists():
            subprocess.run(["g++", "-std=c++17", "-O2", "-shared", "-fPIC", f"-DPLUGIN_API={api}", HERE / "qemu_cycles.cpp", "-o", plugin],
                           check=True)
        out.unlink(missing_ok=True)
        subprocess.run(["qemu-system-arm", "-M", board, *QEMU, "-plugin", f"{plugin},table={work / 'table'},out={out}", "-kernel", elf],
                       capture_output=True, stdin=subprocess.DEVNULL, timeout=9000)
        if out.exists():
            return [(f[2], f[4]) for f in (line.split() for line in out.read_text().splitlines())]
    sys.exit("no version of the plugin interface is accepted by this QEMU")


def measure(tree):
    """Returns the rows of both tables."""
    rows = {"timing": [], "worst": []}
    for entry in (tree / "tests/benchmarks/count.list").read_text().split():
        board, elf = entry.split(":", 1)
        printed = qemu(board, elf, "-icount", "shift=7,align=off,sleep=off").splitlines()
        rows["worst"] += [dict(zip(COLUMNS["worst"], [board] + line.split(",")[1:])) for line in printed if line.startswith("worst,")]
        lines = [line for line in printed if line.startswith("count,")]
        if not lines:
            continue
        code, functions = thumb.disassemble(elf), thumb.symbols(elf)
        with tempfile.TemporaryDirectory() as work:
            cycles = most_cycles(board, elf, code, functions, pathlib.Path(work)) if board in ESTIMATED else [(None, "")] * len(lines)
        if len(cycles) != len(lines):
            sys.exit(f"{elf}: {len(lines)} trajectories printed, {len(cycles)} counted by the plugin")
        for line, (again, cycle) in zip(lines, cycles):
            model, scalar, solver, mode, least, mean, most, ram, stack, steps, fallbacks, digest, root = line.split(",")[1:]
            if again not in (None, most):
                sys.exit(f"{elf}, {model} {solver}: SysTick counts {most} instructions, the plugin {again}")
            text = thumb.code_size(code, functions, int(root))
            rows["timing"].append(dict(zip(COLUMNS["timing"], [board, scalar, model, solver, mode, least, mean, most, cycle, text, ram, stack, steps,
                                                               fallbacks, digest])))
    return rows


def compiler():
    text = subprocess.run(["arm-none-eabi-g++", "-dumpfullversion"], capture_output=True, text=True, check=True).stdout
    return f"arm-none-eabi-g++ {text.strip()} -O2"


def rows_of_files(rows, compiled_by):
    """Returns the measured rows in the columns of the files."""
    def common(r):
        return {**r, "core": CORES[r["board"]], "compiler": compiled_by}
    timing = [{**common(r), "cycles": r["cycles_nominal_max"], "code": r["text"]} for r in rows["timing"]]
    paths = {"0": "bad input", "-1": "changed model"}
    worst = [{**common(r), "closed": paths.get(r["closed"], r["closed"]), "constant_part": r["constant"],
              "mean": r["mean"] if r["mean"] != "0" else ""} for r in rows["worst"]]
    return {name: [{column: str(r[column]) for column in FILES[name]} for r in of_file] for name, of_file in (("timing", timing), ("worst_case", worst))}


def check(measured):
    """Compares the rows of the boards measured now; the other boards have their own tests."""
    stale = 0
    for name, now in measured.items():
        boards = {r["board"] for r in measured["timing"]}
        known = [r for r in tables.read_csv(f"benchmarks/{name}.csv") if r["board"] in boards]
        for old, new in itertools.zip_longest(known, now, fillvalue={}):
            if old != new:
                stale += 1
                print(f"{name}.csv has {','.join(old.values()) or 'no row'}\nnow it is{' ' * len(name)} {','.join(new.values()) or 'missing'}")
    if stale > 0:
        sys.exit(f"{stale} rows differ: run tests/benchmarks/count/count_steps.py --update")
    print(f"{sum(map(len, measured.values()))} rows of {' '.join(sorted(boards))} agree with the files")


def comparable(compiled_by):
    """Ends with 77 if the files belong to another compiler."""
    others = {r["compiler"] for name in FILES for r in tables.read_csv(f"benchmarks/{name}.csv")} - {compiled_by}
    if others:
        print(f"the files belong to {', '.join(sorted(others))}, this compiler is {compiled_by}: nothing to compare")
        sys.exit(77)


def merge(folder, measured):
    """Writes the files in folder; rows of boards that were not measured stay. Returns the paths."""
    boards, order, paths = {r["board"] for r in measured["timing"]}, list(CORES), [folder / f"{name}.csv" for name in measured]
    for path, (name, rows) in zip(paths, measured.items()):
        old = tables.read_csv(path) if path.exists() else []
        kept = [r for r in old if r["board"] not in boards and list(r) == FILES[name]]
        tables.write_csv(path, FILES[name], sorted(kept + rows, key=lambda r: order.index(r["board"])))
    return paths


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--preset", nargs="+", default=PRESETS)
    arguments.add_argument("--rows", default="", help='rows to print: "model=woodpecker,slidercrank mode=const"')
    arguments.add_argument("--tree", type=pathlib.Path)
    arguments.add_argument("--check", action="store_true")
    arguments.add_argument("--update", action="store_true")
    a = arguments.parse_args()
    trees = [a.tree] if a.tree else [ROOT / "build" / p for p in a.preset]
    compiled_by = compiler()
    if a.check:
        comparable(compiled_by)
    rows = {"timing": [], "worst": []}
    for preset, tree in zip(a.preset, trees):
        if not a.tree:
            print(f"== {preset}", flush=True)
            for command in (["cmake", "--preset", preset], ["cmake", "--build", "--preset", preset, "--target", "count_programs"]):
                run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
                if run.returncode != 0:
                    sys.exit(run.stdout[-3000:] + run.stderr)
        for kind, of_tree in measure(tree).items():
            rows[kind] += of_tree
    measured = rows_of_files(rows, compiled_by)
    if a.check:
        return check(measured)
    wanted = {k: v.split(",") for k, v in (word.split("=") for word in a.rows.split())}
    for name, columns in FILES.items():
        shown = [r for r in measured[name] if all(r.get(k) in v for k, v in wanted.items())]
        print(tables.markdown(columns[:-1], [[r[column] for column in columns[:-1]] for r in shown]))
    print("written:", *merge(ROOT / ("tests/benchmarks" if a.update else "build/report"), measured))
    if a.update:
        subprocess.run([ROOT / "tests/write_pages.py"], check=True)
    return None


main()
