"""The claims of tests/README.md: test, command and figure of each; the figures are computed from data files."""
import pathlib
import re
import textwrap

from tables import TESTS, grouped, read_csv, read_json

WITH_FPU = ("M4F", "M7", "M33", "M55")  # on other cores float arithmetic is software, whose time depends on its operands


def total(rows, column):
    return sum(int(row[column]) for row in rows)


def coverage():
    c = read_json("coverage/coverage.json")
    lines, directions = 100 * c["lines_reached"] / c["lines"], 100 * c["directions_taken"] / c["directions"]
    return (f"{lines:.1f} % of {grouped(c['lines'])} lines and {directions:.1f} % of {grouped(c['directions'])} branch directions. "
            f"{c['left_out']} lines are excluded, each with its reason.")


def mutation():
    m = read_json("mutation/mutation.json")
    return (f"{m['found_percent']} %: the tests kill {m['killed']} mutants and miss {m['survived']}. {m['speed']} further mutants change only the cost of a "
            f"solver. {m['open']} mutants are without a current verdict.")


def differential():
    run = read_json("solvers/differential.json")
    exact = [row for row in read_csv("solvers/differential.csv") if row["solver"] in ("Exact", "Lemke") and row["laws"] in ("1..2", "3..4")]
    planted = total([row for row in exact if "planted" in row["family"]], "missed")
    return (f"The solvers accept {run['wrong']} wrong solutions in {grouped(run['solves'])} solves. `Exact` and `Lemke` miss "
            f"{grouped(total(exact, 'missed'))} of {grouped(total(exact, 'solvable'))} solvable problems with at most four contact laws. "
            f"{grouped(planted)} of the missed problems were constructed from a known solution.")


def fuzz():
    count = sum(len(re.findall(r"^ +TEST\(", path.read_text(), re.M)) for path in sorted((TESTS / "fuzz").glob("*.cpp")))
    return f"{count} tests, in double on the host and in float on the M4F"


def secrets():
    kinds = len(re.findall(r"^ +TEST\(", (TESTS / "constant_time/secrets.cpp").read_text(), re.M))
    allowed = len(re.findall(r"^\{$", (TESTS / "constant_time/allowed.supp").read_text(), re.M))
    return f"{kinds} tests of different kinds of step and of seeded leaks; {allowed} permitted dependences, each with its reason"


def constant_rows():
    """Trajectories with all steps within constant_covers."""
    return [row for row in read_csv("benchmarks/timing.csv") if row["mode"] == "const" and row["core"] in WITH_FPU and row["fallbacks"] == "0"]


def constant_counts():
    rows = constant_rows()
    steady = sum(row["min"] == row["max"] for row in rows)
    return (f"In {steady} of {len(rows)} trajectories with all steps within `constant_covers`, every step takes the same number of instructions. "
            f"Cores: {', '.join(dict.fromkeys(row['core'] for row in rows))}.")


def at_rest():
    rows = read_csv("benchmarks/at_rest.csv")
    return f"{len(rows)} trajectories of {grouped(rows[0]['steps'])} steps; {total(rows, 'covered')} fallbacks in steps within `constant_covers`"


def reach():
    rows = read_csv("benchmarks/reach.csv")
    within = [row for row in rows if float(row["reach"]) <= 0.3]
    error = 100 * max(abs(float(row["error"])) for row in within)
    return f"{len(within)} of {len(rows)} combinations of mechanism and dt are within the limit 0.3; the dissipated energy of these has an error of at most {error:.1f} %"


def second_order():
    rows = read_csv("benchmarks/second_order.csv")
    factors = ", ".join(f"{row['mechanism']} {float(row['factor']):.2g}" for row in rows if float(row["dt"]) == 1e-4)
    return f"Median of error(first order) / error(second order) at dt = 1e-4 s over {rows[0]['starts']} initial states: {factors}"


def stack():
    rows = read_csv("benchmarks/stack.csv")
    own = int(rows[0]["counter_frames"])
    below = sum(int(row["painted"]) <= int(row["bound"]) + own for row in rows)
    return (f"In {below} of {len(rows)} trajectories the stack measured by painting is within the bound from the call graph. "
            f"The {own} bytes of the counting program are excluded.")


def bits():
    rows = read_csv("determinism/bits.csv")
    most = max(int(row["steps"]) for row in rows)
    return f"Trajectories of at most {grouped(most)} steps. " + " ".join(
        f"In {row['scalar']} on {row['machines']}: {row['differing']} of {row['trajectories']} trajectories differ."
        for row in rows if int(row["steps"]) == most)


def endurance():
    rows = read_csv("determinism/endurance.csv")
    completed = sum(row["steps"] == row["steps_in_full"] for row in rows)
    drifting = sum(row["drift"] != "none" for row in rows)
    return f"{len(rows)} runs with {total(rows, 'steps'):.2g} steps in total: {completed} completed, {drifting} with drift"


def studies():
    rows = read_csv("studies/million.csv")
    hashes = len({row["hash"] for row in rows})
    found = "all hashes are identical" if hashes == 1 else f"{hashes} different hashes"
    return f"{grouped(rows[0]['runs'])} runs, divided in {len(rows)} ways: {found}"


def analysis():
    return f"Deviations from {len(read_csv('gates/misra.csv'))} MISRA rules, each with its reason"


def slider_crank():
    """Nanoseconds per step, ascending: of each program the smallest of its settings, and moreau's from parts."""
    crank, least = read_json("benchmarks/peers/peers.json")["tables"]["crank"], {}
    for program, settings, *values in crank["rows"]:
        name = "from parts" if "from parts" in settings else program
        least[name] = min(least.get(name, 1e99), float(values[crank["columns"].index("ns")]))
    return {name: f"{ns:,.0f}" for name, ns in sorted(least.items(), key=lambda entry: entry[1])}


def peers():
    variants = {"moreau": "moreau (derived by hand)", "from parts": "moreau (from parts)"}
    return "Slider-crank, ns per step: " + ", ".join(f"{variants.get(name, name)} {ns}" for name, ns in slider_crank().items())


def front_page():
    """The end of a sentence and a second one, wrapped for the front page."""
    ns = slider_crank()
    derived, assembled = ns.pop("moreau"), ns.pop("from parts")
    *others, last = [f"{of} ns in {name}" for name, of in ns.items()]
    sentences = (f"{derived} ns with the hand-derived model and {assembled} ns with the model assembled from parts. "
                 f"A step of the same mechanism takes {', '.join(others)} and {last}")
    return textwrap.fill(sentences, 120, initial_indent="  ", subsequent_indent="  ")


DIFFERENTIAL = "build/host/tests/solvers/solvers.differential --solves 1000000000 --data tests/solvers/differential"
AT_REST = "build/host/tests/benchmarks/benchmarks.at_rest 10000000 --data tests/benchmarks/at_rest.csv"
CLAIMS = [  # claim, its tests in tests/run, the command of the figure, the figure, its page
    ("Line and branch coverage of `lib/`", "the tests, without the measurement", "tests/coverage/measure_coverage.sh", coverage, "coverage/COVERAGE.md"),
    ("Share of mutants (one changed operator, constant, sign or condition of `lib/`) that the tests kill", "the tests, without mutants",
     "tests/mutation/mutate.py --page", mutation, "mutation/MUTATION.md"),
    ("No accepted wrong solution; solution of solvable problems", "`solvers.differential`, `solvers.hard`", DIFFERENTIAL, differential,
     "solvers/DIFFERENTIAL.md"),
    ("Rejection of invalid input with a specific status and an unchanged state", "`fuzz/`", "tests/run host:fuzz m4f:fuzz m7:fuzz", fuzz, None),
    ("Branches and addresses of a constant-time step independent of the state", "`constant_time.secrets`", "tests/run host:constant_time", secrets,
     "constant_time/secrets.cpp"),
    ("Constant number of instructions per step with `Timing::constant`", "`benchmarks.count_table`", "tests/benchmarks/count/count_steps.py",
     constant_counts, "benchmarks/TIMING.md"),
    ("Constant-time steps at rest, in jamming and in motion", "`benchmarks.at_rest`", AT_REST, at_rest, "benchmarks/AT_REST.md"),
    ("Detection of a dt that is too long for the play", "`unit.step_reach`, `benchmarks.reach`",
     "build/host/tests/benchmarks/benchmarks.reach 8 --data tests/benchmarks/reach.csv", reach, "benchmarks/REACH.md"),
    ("Errors of steps of second order, compared with first order", "`papers.second_order`, `unit.second_order`, `benchmarks.second_order`",
     "build/host/tests/benchmarks/benchmarks.second_order --data tests/benchmarks/second_order", second_order, "benchmarks/SECOND_ORDER.md"),
    ("Bounded stack of a step", "`benchmarks.count_table`", "tests/benchmarks/count/measure_stack.py", stack, "benchmarks/STACK.md"),
    ("Bit-identical results with every compiler and on every board", "`determinism/`", "tests/determinism/compare_machines.sh", bits, "determinism/README.md"),
    ("24 h endurance runs without drift", "`determinism.endurance_resumes`", "tests/determinism/endurance.py", endurance, "determinism/ENDURANCE.md"),
    ("Hash of a study independent of its division into threads and parts", "`studies/`", "tests/studies/million_runs.py", studies,
     "studies/MILLION.md"),
    ("Static analysis with a reason for every exception", "`gate.analysis`", "tests/run host:gate", analysis, "gates/MISRA.md"),
    ("Execution time compared with other simulators", "`benchmarks.peers`", "tests/benchmarks/peers/compare_peers.py", peers, "benchmarks/peers/README.md"),
]


def table():
    return [[claim, quick, f"`{command}`", figure(), f"[{pathlib.Path(page).name}]({page})" if page else ""] for claim, quick, command, figure, page in CLAIMS]
