#!/usr/bin/env python3
"""Merges gcov's counters of lib/ over all programs and all instantiations of a template.

  merge.py <build folder> <root> [--page <file>]

A line is reached where one instantiation has run it; branch k of a line where one has taken it. Instantiations whose line has
another number of branches (what `if constexpr` left out) are compared among themselves.
"""
import argparse
import collections
import datetime
import json
import pathlib
import re
import subprocess
import sys

MOST_UNREACHABLE = 10


def counters(build, root):
    """{header: {line: (times run, {number of branches: [times taken]})}}"""
    found = collections.defaultdict(lambda: collections.defaultdict(lambda: [0, {}]))
    for notes in sorted(build.rglob("*.gcda")):
        run = subprocess.run(["gcov", "--json-format", "--stdout", "--branch-probabilities", notes], capture_output=True, cwd=build)
        for text in run.stdout.splitlines():
            if not text.startswith(b"{"):
                continue
            data = json.loads(text)
            for file in data["files"]:
                path = (pathlib.Path(data["current_working_directory"]) / file["file"]).resolve()
                if root / "lib" not in path.parents:
                    continue
                for line in file["lines"]:
                    entry = found[path][line["line_number"]]
                    entry[0] += line["count"]
                    taken = [branch["count"] for branch in line["branches"] if not branch["throw"]]
                    if taken and line["count"]:
                        before = entry[1].setdefault(len(taken), [0] * len(taken))
                        entry[1][len(taken)] = [a + b for a, b in zip(before, taken)]
    return found


def unreachable(path):
    lines = [line.rstrip("\n").split("\t") for line in path.read_text().splitlines() if line and not line.startswith("#")]
    return {(name, text): reason for name, text, reason in lines}


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("build", type=lambda text: pathlib.Path(text).resolve())
    arguments.add_argument("root", type=lambda text: pathlib.Path(text).resolve())
    arguments.add_argument("--page", type=pathlib.Path)
    options = arguments.parse_args()
    allowed = unreachable(pathlib.Path(__file__).with_name("unreachable"))
    if len(allowed) > MOST_UNREACHABLE:
        sys.exit(f"{len(allowed)} lines in tests/coverage/unreachable, {MOST_UNREACHABLE} at most")

    programs = sorted(path.parent.name.replace(".dir", "") for path in options.build.rglob("*.gcda") if path.parent.name.endswith(".dir"))
    programs = sorted({name for name in programs if re.match(r"(unit|fuzz|solvers|support|papers)\.", name)})
    rows, missed, half = [], [], []
    total = [0, 0, 0, 0]
    used = set()
    for path, lines in sorted(counters(options.build, options.root).items()):
        name = str(path.relative_to(options.root / "lib/moreau"))
        source = path.read_text().splitlines()
        reached = branches = taken = 0
        for number, (count, groups) in sorted(lines.items()):
            text = source[number - 1].strip()
            if (name, text) in allowed:
                used.add((name, text))
                count = count or 1
            reached += count > 0
            if not count:
                missed.append((name, number, text))
            branches += sum(len(group) for group in groups.values())
            done = sum(n > 0 for group in groups.values() for n in group)
            taken += done
            if done < sum(len(group) for group in groups.values()):
                half.append((name, number, text))
        rows.append((name, reached, len(lines), taken, branches))
        total = [a + b for a, b in zip(total, rows[-1][1:])]

    def share(a, b):
        return f"{100 * a / b:.1f} %" if b else "-"
    table = ["| header | lines | reached | branches | taken |", "|---|---|---|---|---|"]
    for name, reached, all_lines, taken, branches in rows + [("**all**", *total)]:
        table.append(f"| {name} | {all_lines} | {share(reached, all_lines)} | {branches} | {share(taken, branches)} |")
    print("\n".join(table))
    for name, number, text in missed:
        print(f"lib/moreau/{name}:{number}: not reached: {text}")
    stale = set(allowed) - used
    for name, text in stale if options.page else ():
        print(f"tests/coverage/unreachable: no such line: {name}: {text}")
    if options.page:
        reasons = [f"| {name} | `{text}` | {reason} |" for (name, text), reason in allowed.items()]
        options.page.write_text("\n".join(
            ["# Coverage of lib/", "",
             f"Written by `tests/coverage/run` on {datetime.date.today()}: g++ -O0, {len(programs)} programs of the host in double (below), templates merged",
             "over their instantiations. Branches are those of gcov, which counts every instantiation of an unrolled loop for itself: their share says",
             "little where a header is unrolled (math/cholesky.hpp, contact/mass.hpp).", "", *table, "",
             "## Programs that were run", "", ", ".join(f"`{name}`" for name in programs) + ".", "",
             "## Lines that are not reached", "", *(f"- {name}:{number} `{text}`" for name, number, text in missed), "",
             "## Lines with a branch that is not taken", "", *(f"- {name}:{number} `{text}`" for name, number, text in half), "",
             "## Lines that cannot be reached", "", "| header | line | reason |", "|---|---|---|", *reasons]) + "\n")
    sys.exit(bool(missed or (options.page and stale)))


if __name__ == "__main__":
    main()
