#!/usr/bin/env python3
"""24 h endurance of every example mechanism in steps of 0.1 ms, in float and in double.

  endurance.py [--update] [minutes]

Resumes the runs in build/endurance, however they were interrupted, for this number of minutes or to their end. Prints
the table and writes it to build/endurance; with --update to tests/determinism/endurance.csv and the pages with figures
from it. The longest run of a mechanism stays in the table. Fails if a run drifts.
"""
import csv
import datetime
import pathlib
import signal
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import tables
from tables import ROOT

SCALARS = ("float", "double")
STATE = ROOT / "build/endurance"
NOTES = ("date", "compiler")  # columns that the programs do not print


def build():
    subprocess.run(["cmake", "--preset", "host", "-DMOREAU_QUICK=OFF"], cwd=ROOT, stdout=subprocess.DEVNULL, check=True)
    subprocess.run(["cmake", "--build", "build/host", "--target", *(f"determinism.endurance.{scalar}" for scalar in SCALARS)], cwd=ROOT,
                   stdout=subprocess.DEVNULL, check=True)


def run(minutes):
    """Rows of both programs, and whether all have passed. An interrupted program saves its runs and prints its rows."""
    programs = [subprocess.Popen(["nice", "-n", "15", f"build/host/tests/determinism/determinism.endurance.{scalar}", "--state", STATE, *minutes], cwd=ROOT,
                                 stdout=subprocess.PIPE, text=True) for scalar in SCALARS]
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: [program.terminate() for program in programs])
    rows = [row for program in programs for row in csv.DictReader(program.communicate()[0].splitlines())]
    return rows, all(program.returncode == 0 for program in programs)


def merged(old, new):
    """The longest run of each mechanism and scalar; an unchanged row keeps its date."""
    compiler = subprocess.run(["g++", "--version"], capture_output=True, text=True, check=True).stdout.splitlines()[0] + " -O2"
    rows = {(row["mechanism"], row["scalar"]): row for row in old}
    for row in new:
        known = rows.get((row["mechanism"], row["scalar"]), {"steps": 0})
        if int(row["steps"]) >= int(known["steps"]) and row != {column: known.get(column) for column in row}:
            rows[row["mechanism"], row["scalar"]] = {**row, "date": str(datetime.date.today()), "compiler": compiler}
    return sorted(rows.values(), key=lambda row: (row["mechanism"], SCALARS.index(row["scalar"])))


def main():
    minutes = [word for word in sys.argv[1:] if word != "--update"]
    file = ROOT / "tests/determinism/endurance.csv" if "--update" in sys.argv else STATE / "endurance.csv"
    build()
    STATE.mkdir(parents=True, exist_ok=True)
    new, passed = run(["--minutes", minutes[0]] if minutes else [])
    rows = merged(tables.read_csv(file) if file.exists() else [], new)
    if rows:
        tables.write_csv(file, [*new[0]] + list(NOTES) if new else list(rows[0]), rows)
        print(tables.markdown(list(rows[0]), [row.values() for row in rows]), end="")
    if "--update" in sys.argv:
        subprocess.run([ROOT / "tests/write_pages.py"], check=True)
    sys.exit(0 if passed and rows else 1)


if __name__ == "__main__":
    main()
