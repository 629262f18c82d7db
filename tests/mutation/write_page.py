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
        reason = why.get(m.key(), "no current verdict" if row["verdict"] == "open" else "a test is missing")
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
    page = ["# Mutation of lib/", "", summary(figures), "", "| original line | changed line | reason for survival |", "|---|---|---|",
            *(f"| {header}: `{cell(was)}` | `{cell(now)}` | {reason} |" for header, was, now, reason in table)]
    (HERE / "MUTATION.md").write_text("\n".join(page) + "\n")
    (HERE / "mutation.json").write_text(json.dumps(figures, indent=2) + "\n")
    print(summary(figures))
    subprocess.run([ROOT / "tests/write_pages.py"], check=True)


def summary(f):
    return tables.paragraph(
        f"`tests/mutation/mutate.py --page` wrote this page on {f['date']}, for `lib/` at commit {f['lib']}. {f['drawn']} mutants, each with one change, "
        f"were drawn at random. The tests kill {f['killed']} of them and miss {f['survived']}. The compiler rejects {f['refused']}. Another {f['same']} "
        f"are equivalent to the original, and {f['speed']} change only the cost of a solver. The remaining {f['open']} have no current verdict, because "
        f"a test has not run or the header has changed since. The tests kill at least {f['found_percent']} % of all mutants that compile and are not "
        f"equivalent. A mutant without a current verdict counts as not killed.") + "\n\n" + tables.paragraph(
            "A reason that begins with `same` describes an equivalent mutant, and `speed` a change of the cost of a solver.")
