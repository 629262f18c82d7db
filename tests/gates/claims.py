#!/usr/bin/env python3
"""What the library claims, where the tests look, and what was found: claims.py <root> [--update]

Figures are taken from the pages that the commands have written. Fails where tests/README.md says something else, or README.md of peers;
--update writes it there, between <!-- generated: claims --> and <!-- end -->.
"""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
tests = root / "tests"
WITH_FPU = ("M4F", "M7", "M33", "M55")  # on the others float itself is software, whose time depends on its numbers
BLOCK = re.compile(r"(<!-- generated: claims -->\n?)(.*?)(<!-- end -->)", re.S)


def text(page):
    return (tests / page).read_text()


def found(pattern, page):
    """The groups of what has to stand in the page."""
    match = re.search(pattern, text(page))
    if not match:
        sys.exit(f"tests/{page} has no {pattern}")
    return match.groups()


def table(page, *columns):
    """Rows of the page's tables that have these columns: one dictionary each."""
    rows, header = [], None
    for line in text(page).splitlines():
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] if line.startswith("|") else None
        if not cells:
            header = None
        elif header is None:
            header = cells if set(columns) <= set(cells) else []
        elif header and not line.startswith("|--"):
            rows.append(dict(zip(header, cells)))
    if not rows:
        sys.exit(f"tests/{page} has no table of {columns}")
    return rows


def number(cell):
    return float(cell.replace(",", "").rstrip(" %"))


def plain(count):
    return f"{count:,.0f}"


def coverage():
    page = "coverage/COVERAGE.md"
    whole = next(row for row in table(page, "header", "lines", "directions") if row["header"] == "**all**")
    return (f"{whole['reached']} of {plain(number(whole['lines']))} lines, {whole['taken']} of {plain(number(whole['directions']))} directions; "
            f"{len(table(page, 'header', 'line', 'reason'))} lines left out, each with its reason")


def mutation():
    page = "mutation/MUTATION.md"
    killed, = found(r": (\d+) killed by a test", page)
    rate, = found(r"found at least ([\d.]+) %", page)
    survived, unjudged = found(r"compiler, (\d+) survived, (\d+) not judged", page)
    return f"{rate} %: {killed} found, {survived} survive, {unjudged} not judged to the end"


def differential():
    page = "solvers/DIFFERENTIAL.md"
    solves, wrong = found(r"blocks, (\d+) solves, (\d+) wrong", page)
    exact = [row for row in table(page, "family", "solver", "laws", "missed") if row["solver"] in ("Exact", "Lemke") and row["laws"] in ("1..2", "3..4")]
    solvable = sum(number(row["solvable"]) for row in exact)
    planted = sum(number(row["missed"]) for row in exact if "planted" in row["family"])
    others = sum(number(row["missed"]) for row in exact) - planted
    return (f"{plain(int(solves))} solves, {wrong} wrong; of {plain(solvable)} that have a solution and at most four laws `Exact` and `Lemke` miss "
            f"{plain(others)}, and {plain(planted)} whose solution was planted")


def constant_counts():
    rows = [row for row in table("benchmarks/TIMING.md", "mode", "min", "max") if row["mode"] == "const" and row["core"] in WITH_FPU and row["fallbacks"] == "0"]
    steady = sum(row["min"] == row["max"] for row in rows)
    return f"{len(rows)} trajectories of covered steps on {', '.join(dict.fromkeys(row['core'] for row in rows))}: {steady} have min = max"


def secrets():
    kinds = len(re.findall(r"^ +TEST\(", text("constant_time/secrets.cpp"), re.M))
    allowed = len(re.findall(r"^\{$", text("constant_time/allowed.supp"), re.M))
    return f"{kinds} kinds of step and seeded leaks; {allowed} exceptions, each with its reason"


def at_rest():
    rows = re.findall(r"^\S.*? (?:float|double) +(\d+) +\d+ +(\d+)", text("benchmarks/AT_REST.md"), re.M)
    return f"{len(rows)} trajectories of {plain(int(rows[0][0]))} steps, {sum(int(covered) for _, covered in rows)} fallbacks of what is covered"


def stack():
    rows = table("benchmarks/STACK.md", "painted", "bound")
    own, = found(r"own frames \(up to (\d+)\)", "benchmarks/STACK.md")
    below = sum(number(row["painted"]) <= number(row["bound"]) + number(own) for row in rows)
    return f"{len(rows)} trajectories, {below} within the bound, but for the counting program's own {own} bytes"


def bits():
    rows = [row for row in table("determinism/README.md", "steps", "machines", "that differ")]
    most = max(rows, key=lambda row: number(row["steps"]))
    return f"{plain(number(most['steps']))} steps on " + "; ".join(
        f"{row['machines']} in {row['scalar']}: {row['trajectories']} trajectories, {row['that differ']} differ" for row in rows if row["steps"] == most["steps"])


def lives():
    rows = table("determinism/LIFE.md", "mechanism", "scalar", "steps")
    ended, stay = sum("not at its end" not in row[""] for row in rows), sum("stays" in row[""] for row in rows)
    return f"{len(rows)} lives, {ended} at their end, {stay} stay; {sum(number(row['steps']) for row in rows):.2g} steps"


def faults():
    count = sum(len(re.findall(r"^ +TEST\(", path.read_text(), re.M)) for path in sorted((tests / "fuzz").glob("*.cpp")))
    return f"{count} tests, in double and, on the M4F, in float"


def analysis():
    return f"{len(table('gates/MISRA.md', 'rule', 'places'))} rules of MISRA departed from, each with its reason"


def slider_crank():
    """Nanoseconds of a step: of each program the least of its settings, and moreau's from parts."""
    crank = text("benchmarks/peers/README.md").split("## Slider-crank")[1].split("\n## ")[0]
    least = {}
    for program, settings, ns in re.findall(r"^\| (\w+) \| ([^|]*) \| ([\d,.]+) \|", crank, re.M):
        name = "from parts" if "from parts" in settings else program
        least[name] = min(least.get(name, 1e99), number(ns))
    return {name: f"{ns:,.0f}" for name, ns in sorted(least.items(), key=lambda entry: entry[1])}


def peers():
    return "a step of the slider-crank in ns: " + ", ".join(f"{name} {ns}" for name, ns in slider_crank().items())


def front_page():
    ns = slider_crank()
    return f"{ns.pop('moreau')} ns, from parts {ns.pop('from parts')}; " + ", ".join(f"{name} {of}" for name, of in ns.items())


def studies():
    rows = table("studies/MILLION.md", "threads", "parts", "hash")
    runs, = found(r"([\d,]+) runs of", "studies/MILLION.md")
    return f"{runs} runs divided in {len(rows)} ways: {len({row['hash'] for row in rows})} hash"


ROWS = [
    ("Tests come by every line of `lib/`, and every condition is both true and false in them", "the tests themselves", "tests/coverage/run", coverage, "coverage/COVERAGE.md"),
    ("A wrong operator, constant, sign or condition is noticed", "the tests themselves", "tests/mutation/run --page", mutation, "mutation/MUTATION.md"),
    ("No solver calls a wrong velocity right; what has a solution is solved", "`solvers.differential`, `solvers.hard`",
     "build/host/tests/solvers/solvers.differential --solves 1000000000 --page tests/solvers/DIFFERENTIAL.md", differential, "solvers/DIFFERENTIAL.md"),
    ("Bad numbers get a status that names them, and the state stays", "`fuzz/`", "tests/run host:fuzz m4f:fuzz m7:fuzz", faults, None),
    ("A step in constant time has no jump and no address that depends on what moves", "`constant_time.secrets`", "tests/run host:constant_time", secrets,
     "constant_time/secrets.cpp"),
    ("It takes the same instructions every time", "`benchmarks.count_table`", "tests/benchmarks/count/run", constant_counts, "benchmarks/TIMING.md"),
    ("It stays in constant time at rest, jammed and moving", "`benchmarks.at_rest`", "build/host/tests/benchmarks/benchmarks.at_rest 10000000", at_rest, "benchmarks/AT_REST.md"),
    ("A step's stack has a bound", "`benchmarks.count_table`", "tests/benchmarks/count/stack", stack, "benchmarks/STACK.md"),
    ("The same bits from every compiler and on every board", "`determinism/`", "tests/determinism/run", bits, "determinism/README.md"),
    ("What lives for a day stays as it was", "`determinism.life_goes_on`", "tests/determinism/life", lives, "determinism/LIFE.md"),
    ("A study has one hash, however it is divided", "`studies/`", "tests/studies/million_runs.py", studies, "studies/MILLION.md"),
    ("Analysers find nothing without a reason", "`gate.analysis`", "tests/run host:gate", analysis, "gates/MISRA.md"),
    ("A step is faster than those of peers", "`benchmarks.peers`", "tests/benchmarks/peers/run", peers, "benchmarks/peers/README.md"),
]

lines = ["| claim | in `tests/run` | the whole of it | figure | page |", "|---|---|---|---|---|"]
for claim, quick, command, figure, page in ROWS:
    lines.append(f"| {claim} | {quick} | `{command}` | {figure()} | {f'[{pathlib.Path(page).name}]({page})' if page else ''} |")
block = "\n".join(lines) + "\n"

pages = {tests / "README.md": block, root / "README.md": front_page()}
for page, figures in pages.items():
    before = page.read_text()
    if not BLOCK.search(before):
        sys.exit(f"{page} has no place for the claims")
    after = BLOCK.sub(lambda match: match[1] + figures + match[3], before)
    if "--update" in sys.argv:
        page.write_text(after)
    elif before != after:
        print(figures)
        sys.exit(f"{page} has other figures than the pages: tests/gates/claims.py . --update")
print(f"{len(ROWS)} claims have the figures of their pages")
