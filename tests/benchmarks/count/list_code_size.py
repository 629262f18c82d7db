#!/usr/bin/env python3
"""Lists the functions of a step with their bytes.

  list_code_size.py [--preset m4f] [--rows "model=woodpecker solver=closed mode=const"]

Builds the programs that count steps, and prints for each of their trajectories the functions that a step can reach, the
largest first. Rows are selected by the columns of timing.csv.
"""
import argparse
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path.insert(0, str(HERE))
sys.dont_write_bytecode = True
import thumb

QEMU = ["-display", "none", "-serial", "none", "-monitor", "none", "-chardev", "stdio,id=s",
        "-semihosting-config", "enable=on,target=native,chardev=s"]
SMALL = 40  # bytes: smaller functions are summed in one line


def plain(name):
    """A demangled name without its parameters and with short template arguments."""
    name = re.sub(r"\(anonymous namespace\)::", "", name)
    while re.search(r"<[^<>]*>", name):
        name = re.sub(r"<[^<>]*>", "", name)
    return re.sub(r"\(.*", "", name).replace("moreau::", "").replace("detail::", "").split(" ")[-1] or name


def print_text(board, elf, wanted):
    run = subprocess.run(["qemu-system-arm", "-M", board, *QEMU, "-kernel", elf], capture_output=True, text=True, stdin=subprocess.DEVNULL,
                         timeout=4500)
    code, functions = thumb.disassemble(elf), thumb.symbols(elf)
    names = {address: name for address, _, name in reversed(functions)}
    for line in run.stdout.splitlines():
        if not line.startswith("count,"):
            continue
        f = line.split(",")
        row = {"board": board, "model": f[1], "scalar": f[2], "solver": f[3], "mode": f[4]}
        if any(row.get(k) not in v for k, v in wanted.items()):
            continue
        parts = thumb.reached(code, functions, int(f[-1]))
        mangled = [names[a] for a in parts]
        readable = subprocess.run(["arm-none-eabi-c++filt"], input="\n".join(mangled), capture_output=True, text=True, check=True).stdout
        sizes = {}
        for name, size in zip(readable.splitlines(), parts.values()):
            key = plain(name) if size >= SMALL else "smaller ones"
            sizes[key] = sizes.get(key, 0) + size
        print(f"{row['model']} {row['scalar']} {row['solver']} {row['mode']}: {sum(parts.values())} bytes")
        for name, size in sorted(sizes.items(), key=lambda x: -x[1]):
            print(f"  {size:6d}  {name}")


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--preset", default="m4f")
    arguments.add_argument("--rows", default="model=woodpecker,slidercrank solver=closed")
    a = arguments.parse_args()
    wanted = {k: v.split(",") for k, v in (word.split("=") for word in a.rows.split())}
    for command in (["cmake", "--preset", a.preset], ["cmake", "--build", "--preset", a.preset, "--target", "count_programs"]):
        run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
        if run.returncode != 0:
            sys.exit(run.stdout[-3000:] + run.stderr)
    for entry in (ROOT / "build" / a.preset / "tests/benchmarks/count.list").read_text().split():
        print_text(*entry.split(":", 1), wanted)


main()
