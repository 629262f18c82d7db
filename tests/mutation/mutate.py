#!/usr/bin/env python3
"""Changes lib/ in one place at a time and reports whether the tests detect it: tests/mutation/mutate.py [options]

  --seed 1        of the draw
  --count 400     number of mutants to judge in all. Verdicts in build/mutation.csv on headers that have not changed
                  are kept: an interrupted run is resumed
  --only PATTERN  headers whose path contains it
  --again         judges survivors without a reason again: after tests were added
  --jobs 2        number of programs at a time
  --page          writes MUTATION.md and mutation.json from build/mutation.csv, and the pages with figures from them

All mutants of the draw are in one copy of lib/, each behind a switch, so that every test is built once; the environment
closes one switch. parse_mutants.py finds the changes, build_tests.py builds the tests, judge_mutants.py judges,
write_page.py writes the page. `survivors` has the reasons of survivors that make no difference.
"""
import argparse
import sys

sys.dont_write_bytecode = True
from build_tests import Workshop
from judge_mutants import Judge, read_results, write_results
from parse_mutants import drawn
from write_page import reasons, write_page


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--count", type=int, default=400)
    arguments.add_argument("--only", default="")
    arguments.add_argument("--jobs", type=int, default=2)
    arguments.add_argument("--again", action="store_true")
    arguments.add_argument("--page", action="store_true")
    options = arguments.parse_args()
    rows = read_results()
    if options.again:
        why = reasons()
        rows = [row for row in rows if row["verdict"] != "survived" or f"{row['header']}: {row['was']} -> {row['is']}" in why]
    draw = [m for m in drawn(options.seed)[:options.count] if options.only in m.header]
    if options.page:
        return write_page(rows, draw)
    done = {(row["header"], row["line"], row["is"]) for row in rows}
    left = [m for m in draw if (m.header, str(m.row + 1), m.now) not in done]
    judge = Judge(Workshop(sorted(draw, key=lambda m: m.number)))
    write_results(rows)
    judge.judge_all(left, options.jobs)
    return None


if __name__ == "__main__":
    main()
