#!/usr/bin/env python3
"""Runs programs built with clang's counters and reports the lines and branch directions of lib/ that they do not reach.

  coverage.py <build folder> <root> <program>... [--page <file>]     --page writes the page, and coverage.json beside it

clang's front end counts every region of the source, and both directions of every condition and of each operand of &&
and ||, before optimization. A line is reached if any instantiation of a template in any program executes it; a direction is
taken if any takes it. A condition that is constant at compile time has no directions. A statement that no program
instantiates is not reached. Results are stored in <build folder>/counted; a program is run again only if it was linked
again.
"""
import argparse
import collections
import concurrent.futures
import datetime
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import tables

MOST_UNREACHABLE = 10
CODE, SKIPPED = 0, 2  # kinds of a region in llvm-cov's JSON
STATEMENT = re.compile(r"\s*(return\b|if \(|for \(|while \()")
HERE = pathlib.Path(__file__).parent


def tool(name):
    """Returns the tool with the version of the installed clang, whose file format it must read."""
    version = subprocess.run(["clang++", "-dumpversion"], capture_output=True, text=True, check=True).stdout.split(".")[0]
    found = shutil.which(f"{name}-{version}") or shutil.which(name)
    return found or sys.exit(f"{name} of clang {version} is missing: toolchains/setup coverage")


def innermost_count(regions, place):
    around = [r for r in regions if r[:2] <= place < r[2:4]]
    return max(around, key=lambda r: r[:2])[4] if around else 0


def add_function(function, lib, found):
    """Adds one instantiation to found.

    found = {header: {"lines": {line: reached}, "conditions": {place: [true, false, asked]}}}
    """
    for number, name in enumerate(function["filenames"]):
        if not name.startswith(lib):
            continue
        into = found[name[len(lib):]]
        lines, of_file = {}, [r for r in function["regions"] if r[5] == number]
        regions = sorted((r for r in of_file if r[7] == CODE), key=lambda r: (r[:2], [-end for end in r[2:4]]))
        for first, _, last, _, count, *_ in regions:
            lines[first] = max(count, lines.get(first, 0))
            lines.update((line, count) for line in range(first + 1, last + 1))
        if number == 0 and regions:  # the body
            place = ":".join(map(str, [*regions[0][:2], regions[0][2]]))
            into["functions"][place] = function["count"] > 0 or into["functions"].get(place, False)
        for first, _, last, *_ in (r for r in of_file if r[7] == SKIPPED):  # by the preprocessor
            into["skipped"].extend(range(first, last + 1))
        for line, count in lines.items():
            into["lines"][str(line)] = bool(count) or into["lines"].get(str(line), False)
        for first, column, last, end, true, false, of, *_ in function["branches"]:
            answered = not (true or false) and innermost_count(regions, [first, column]) > 0  # by the compiler
            if of == number:
                known = into["conditions"].setdefault(f"{first}:{column}:{last}:{end}", [False] * 3)
                known[:] = [a or b for a, b in zip(known, (bool(true), bool(false), not answered))]


def run(program, build, lib):
    """Runs one program unless its result exists; returns its output if it fails."""
    result = build / "counted" / f"{program.name}.json"
    if result.exists() and result.stat().st_mtime > program.stat().st_mtime:
        return ""
    raw, data = result.with_suffix(".profraw"), result.with_suffix(".profdata")
    said = subprocess.run([program], cwd=program.parent, capture_output=True, text=True, env={**os.environ, "LLVM_PROFILE_FILE": str(raw)})
    if said.returncode:
        return f"{program.name} fails:\n{said.stdout}{said.stderr}"
    subprocess.run([tool("llvm-profdata"), "merge", "-sparse", raw, "-o", data], check=True)
    export = subprocess.run([tool("llvm-cov"), "export", program, f"-instr-profile={data}"], stdout=subprocess.PIPE, check=True).stdout
    found = collections.defaultdict(lambda: {"lines": {}, "conditions": {}, "functions": {}, "skipped": []})
    for function in json.loads(export)["data"][0]["functions"]:
        add_function(function, lib, found)
    raw.unlink()
    data.unlink()
    result.write_text(json.dumps(found))
    return ""


def merged(results):
    total = collections.defaultdict(lambda: {"lines": {}, "conditions": {}, "functions": {}, "skipped": set()})
    for path in results:
        for name, entry in json.loads(path.read_text()).items():
            into = total[name]
            into["skipped"].update(entry["skipped"])
            for line, reached in entry["lines"].items():
                into["lines"][int(line)] = reached or into["lines"].get(int(line), False)
            for place, ran in entry["functions"].items():
                where = tuple(map(int, place.split(":")))
                into["functions"][where] = ran or into["functions"].get(where, False)
            for place, seen in entry["conditions"].items():
                where = tuple(map(int, place.split(":")))
                into["conditions"][where] = [a or b for a, b in zip(seen, into["conditions"].get(where, [False] * 3))]
    return total


class Unreachable:
    """Entries of tests/coverage/unreachable: header, line as written or *, reason."""

    def __init__(self):
        lines = [line.split("\t") for line in (HERE / "unreachable").read_text().splitlines() if line and not line.startswith("#")]
        self.reasons = {(name, text): reason for name, text, reason in lines}
        self.used = set()
        if len(self.reasons) > MOST_UNREACHABLE:
            sys.exit(f"{len(self.reasons)} lines in tests/coverage/unreachable, {MOST_UNREACHABLE} at most")

    def holds(self, name, text):
        keys = {(name, text), (name, "*")} & set(self.reasons)
        self.used |= keys
        return bool(keys)


def leave_to_compiler(entry, source):
    """Removes constexpr functions without a run-time call from an entry; returns their names."""
    names = []
    for (first, column, last), ran in sorted(entry["functions"].items()):
        before = "\n".join([*source[:first - 1], source[first - 1][:column - 1]])
        declaration = re.split(r"[;{}]", re.sub(r"//.*", "", before))[-1]
        if ran or not re.search(r"(?<!if )\bconstexpr\b", declaration):
            continue
        names.append(re.search(r"(operator\W+|\w+)\s*\(", declaration).group(1))
        entry["lines"] = {line: reached for line, reached in entry["lines"].items() if reached or not first <= line <= last}
        entry["conditions"] = {place: seen for place, seen in entry["conditions"].items() if any(seen[:2]) or not first <= place[0] <= last}
    return names


def share(part, whole):
    return f"{100 * part / whole:.1f} %" if whole else "-"


def table_and_gaps(total, lib, allowed):
    table, gaps, sums, constants = [], [], [0, 0, 0, 0], []
    for path in sorted(lib.rglob("*.hpp")):
        name, source = str(path.relative_to(lib)), path.read_text().splitlines()
        entry = total[name]
        mapped = set(entry["lines"])
        constants += [f"{name}: {', '.join(f'`{function}`' for function in functions)}"
                      for functions in [sorted(set(leave_to_compiler(entry, source)))] if functions]
        for number, text in enumerate(source, 1):
            if STATEMENT.match(text) and number not in mapped and number not in entry["skipped"]:
                entry["lines"][number] = False
        row = [0, 0, 0, 0]
        for number, reached in sorted(entry["lines"].items()):
            text = source[number - 1].strip()
            if not reached and allowed.holds(name, text):
                continue
            row[0] += reached
            row[1] += 1
            if not reached:
                gaps.append(f"{name}:{number} is not executed: `{text}`")
        for (first, column, last, end), (true, false, asked) in sorted(entry["conditions"].items()):
            text = source[first - 1].strip()
            if not asked or (not (true and false) and allowed.holds(name, text)):
                continue
            row[2] += true + false
            row[3] += 2
            if entry["lines"].get(first) and not (true and false):
                condition = source[first - 1][column - 1:end - 1 if first == last else None]
                never = " nor ".join(word for word, seen in (("true", true), ("false", false)) if not seen)
                gaps.append(f"{name}:{first} `{condition}` is never {never}: `{text}`")
        if row[1]:
            table.append([name, *row])
        sums = [a + b for a, b in zip(sums, row)]
    rows = [f"| {name} | {b} | {share(a, b)} | {d} | {share(c, d)} |" for name, a, b, c, d in [*table, ["**all**", *sums]]]
    return ["| header | lines | executed | branch directions | taken |", "|---|---|---|---|---|", *rows], sums, gaps, constants


def write_figures(page, version, programs, sums, allowed):
    """Writes the totals beside the page, and the pages with figures from them."""
    reached, lines, taken, directions = sums
    page.with_name("coverage.json").write_text(json.dumps({
        "date": str(datetime.date.today()), "compiler": version, "programs": len(programs), "lines": lines, "lines_reached": reached,
        "directions": directions, "directions_taken": taken, "left_out": len(allowed.reasons)}, indent=2) + "\n")
    subprocess.run([HERE.parent / "write_pages.py"], check=True)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("build", type=lambda text: pathlib.Path(text).resolve())
    arguments.add_argument("root", type=lambda text: pathlib.Path(text).resolve())
    arguments.add_argument("programs", nargs="+", type=lambda text: pathlib.Path(text).resolve())
    arguments.add_argument("--page", type=pathlib.Path)
    options = arguments.parse_args()
    lib, counted = options.root / "lib/moreau", options.build / "counted"
    counted.mkdir(exist_ok=True)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        failures = [text for text in pool.map(lambda program: run(program, options.build, f"{lib}/"), options.programs) if text]
    if failures:
        sys.exit("\n".join(failures))
    allowed = Unreachable()
    table, sums, gaps, constants = table_and_gaps(merged(counted / f"{p.name}.json" for p in options.programs), lib, allowed)
    if options.page:
        gaps += [f"tests/coverage/unreachable: no such gap: {name}: {text}" for name, text in set(allowed.reasons) - allowed.used]
        version = subprocess.run(["clang++", "--version"], capture_output=True, text=True, check=True).stdout.splitlines()[0]
        options.page.write_text("\n".join([
            "# Coverage of lib/", "",
            tables.paragraph(
                f"`tests/coverage/measure_coverage.sh` wrote this page on {datetime.date.today()}, with {version} and the {len(options.programs)} host "
                "programs listed below. The counts refer to the source before optimisation, merged over all instantiations of a template. Each "
                "condition, and each operand of && and ||, must be true in one test and false in another: these are its two branch directions. "
                "Compile-time conditions (`if constexpr`) are not counted. The totals are in `coverage.json`."), "",
            *table, "", "## Uncovered lines and branch directions", "", *(f"- {gap}" for gap in gaps or ["none"]), "",
            "## Exceptions and their reasons", "", "| header | line | reason |", "|---|---|---|",
            *("| {} | `{}` | {} |".format(name, text.replace("|", "\\|"), reason) for (name, text), reason in allowed.reasons.items()), "",
            "## Compile-time functions", "",
            "These functions are called only at compile time, from `static_assert`, `if constexpr` and sizes of types:", "",
            *(f"- {line}" for line in constants), "",
            "## Programs", "", tables.paragraph(", ".join(f"`{p.name}`" for p in options.programs) + ".")]) + "\n")
        write_figures(options.page, version, options.programs, sums, allowed)
    print("\n".join([*gaps, table[-1]]))
    sys.exit(bool(gaps))


if __name__ == "__main__":
    main()
