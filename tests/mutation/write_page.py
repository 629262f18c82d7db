"""Writes MUTATION.md and mutation.json from the verdicts."""
import collections
import datetime
import json
import subprocess
import sys

from parse_mutants import HERE, ROOT

sys.path.insert(0, str(ROOT / "tests/support"))
import tables

KINDS = ["killed", "refused", "survived", "open", "same", "speed"]


def reasons():
    """Reasons of survivors by the key of the mutant."""
    return dict(line.split("\t", 1) for line in (HERE / "survivors").read_text().splitlines() if line and line[0] != "#")


def tabulate(rows, draw):
    """Counts by kind, and the rows of mutants that were not killed."""
    why, judged = reasons(), {(row["header"], row["line"], row["is"]): row for row in rows}
    table, count = [], collections.Counter()
    for m in draw:
        row = judged.get((m.header, str(m.row + 1), m.now), {"verdict": "open"})
        reason = why.get(m.key(), "not fully judged" if row["verdict"] == "open" else "a test is missing")
        kind = reason.split(":")[0] if reason.startswith(("same:", "speed:")) else row["verdict"]
        if row["verdict"] in ("killed", "refused"):
            count[row["verdict"]] += 1
        else:
            count[kind] += 1
            table.append((m.header, m.was, m.now, reason))
    return count, sorted(table)


def write_page(rows, draw):
    """All mutants of the draw; one without a verdict, or of a header that has changed since, counts as not killed."""
    count, table = tabulate(rows, draw)
    compiled = len(draw) - count["refused"] - count["same"]
    of_lib = subprocess.run(["git", "-C", ROOT, "log", "-1", "--format=%h", "--", "lib"], capture_output=True, text=True, check=True).stdout.strip()
    figures = {"date": str(datetime.date.today()), "lib": of_lib, "drawn": len(draw), **{kind: count[kind] for kind in KINDS},
               "found_percent": round(100 * count["killed"] / max(1, compiled), 1)}

    def cell(text):
        return text.replace("|", "\\|")
    page = ["# Mutation of lib/", "", summary(figures), "", "| not killed | becomes | reason |", "|---|---|---|",
            *(f"| {header}: `{cell(was)}` | `{cell(now)}` | {reason} |" for header, was, now, reason in table)]
    (HERE / "MUTATION.md").write_text("\n".join(page) + "\n")
    (HERE / "mutation.json").write_text(json.dumps(figures, indent=2) + "\n")
    print(summary(figures))
    subprocess.run([ROOT / "tests/write_pages.py"], check=True)


def summary(f):
    return tables.paragraph(
        f"Written by `tests/mutation/mutate.py --page` on {f['date']}, of `lib/` at {f['lib']}. {f['drawn']} mutants with one change each, drawn by "
        f"seed: {f['killed']} killed by a test, {f['refused']} refused by the compiler, {f['survived']} survived, {f['open']} not fully judged (not "
        f"by all tests, or not since their header has changed), {f['same']} change nothing, {f['speed']} change the cost of a solver. The tests kill "
        f"at least {f['found_percent']} % of the mutants that compile and change something; one that is not fully judged counts as not killed.")
