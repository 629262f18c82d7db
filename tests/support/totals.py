"""The totals of long data files, as blocks of their pages: {page: {block: text}}."""
from claims import constant_counts, total
from tables import grouped, markdown, paragraph, read_csv, read_json

# Models of the page of instruction counts; the data file has the slider-crank and the beam at rest besides.
MECHANISMS = ["woodpecker", "slidercrank", "woodpecker_second", "slidercrank_second", "slidercrank_parts", "slidercrank_driven", "gear", "fourbar", "fourbar_nested", "slidercrank_loose", "slidercrank_friction", "gear_train", "oblique", "feet"]


def groups(rows, *columns):
    """Rows by their values in these columns, in order of first appearance."""
    found = {}
    for row in rows:
        found.setdefault(tuple(row[column] for column in columns), []).append(row)
    return found


def rounded(text):
    return f"{float(text):,.0f}" if text else "-"


def compilers(rows):
    return f"Compiler: {', '.join(dict.fromkeys(row['compiler'] for row in rows))}."


def timing():
    rows = read_csv("benchmarks/timing.csv")
    machines = sorted(groups(rows, "core", "scalar"), key=lambda machine: machine[1] == "double")
    worst, size = [], []
    for name, of_row in groups([row for row in rows if row["model"] in MECHANISMS and row["mode"] != "fallback"], "model", "solver", "mode").items():
        by_machine = {(row["core"], row["scalar"]): row for row in of_row}
        worst.append([*name, *(grouped(by_machine[m]["max"]) if m in by_machine else "-" for m in machines)])
        if m4f := by_machine.get(("M4F", "float")):
            size.append([*name, *(rounded(m4f[column]) for column in ("min", "mean", "max", "cycles", "code", "ram", "stack"))])
    worst.sort(key=lambda row: MECHANISMS.index(row[0]))
    size.sort(key=lambda row: MECHANISMS.index(row[0]))
    return {"timing": paragraph(f"{constant_counts()} {compilers(rows)}") + "\n",
            "worst steps": markdown(["model", "solver", "mode", *(" ".join(machine) for machine in machines)], worst),
            "sizes": markdown(["model", "solver", "mode", "min", "mean", "max", "M4 cycles, est., max", "code", "RAM", "stack"], size)}


def worst_case():
    rows, lines = read_csv("benchmarks/worst_case.csv"), []
    for name, of_solver in groups(rows, "core", "scalar", "model", "solver").items():
        measured = max(of_solver, key=lambda row: int(row["worst_case"]))
        bound = max((row for row in of_solver if row["closed"] != "bad input"), key=lambda row: int(row["bound"]))
        lines.append([*name, grouped(measured["constant_part"]), grouped(measured["worst_case"]), measured["closed"], grouped(bound["bound"]), bound["closed"]])
    return {"worst case": compilers(rows) + "\n\n" + markdown(
        ["core", "scalar", "model", "solver", "constant part", "worst measured", "fallback path", "bound", "fallback path"], lines)}


def stack():
    rows, lines = read_csv("benchmarks/stack.csv"), []
    for name, of_solver in groups(rows, "core", "scalar", "solver", "mode").items():
        painted, bound = (max(of_solver, key=lambda row: int(row[column])) for column in ("painted", "bound"))
        lines.append([*name, len(of_solver), grouped(painted["painted"]), painted["model"], grouped(bound["bound"]), bound["model"]])
    facts = f"{compilers(rows)} Date: {max(row['date'] for row in rows)}. The frames of the counting program take at most {rows[0]['counter_frames']} bytes."
    return {"stack": paragraph(facts) + "\n\n" + markdown(
        ["core", "scalar", "solver", "mode", "trajectories", "largest measured", "its model", "largest bound", "its model"], lines)}


def solved(rows):
    solvable = total(rows, "solvable")
    return 100 * (solvable - total(rows, "missed")) / solvable if solvable else 100


def differential():
    run, rows, summed, lowest = read_json("solvers/differential.json"), read_csv("solvers/differential.csv"), [], []
    counts = ["problems", "solvable", "ok", "inexact", "missed", "doubtful", "wrong", "unlike"]
    for name, of_solver in sorted(groups(rows, "solver", "scalar", "laws").items()):
        sums = [grouped(total(of_solver, column)) for column in counts]
        summed.append([*name, *sums[:5], f"{solved(of_solver):.5f}", *sums[5:]])
    for name, of_solver in sorted(groups(rows, "solver", "laws").items()):
        worst = min(of_solver, key=lambda row: solved([row]))
        lowest.append([*name, worst["family"], worst["scalar"], grouped(worst["solvable"]), grouped(worst["missed"]), f"{solved([worst]):.5f}"])
    facts = (f"{run['date']}, {run['compiler']}, hash of the code {run['code']}. With seed {run['seed']}, {grouped(run['blocks'])} blocks contain "
             f"{grouped(run['solves'])} solves, {run['wrong']} of them wrong. The rate is {grouped(run['solves_per_cpu_second'])} solves per CPU second.")
    return {"run": paragraph(facts) + "\n",
            "totals": markdown(["solver", "scalar", "laws", *counts[:5], "solved, %", *counts[5:]], summed),
            "lowest": markdown(["solver", "laws", "family", "scalar", "solvable", "missed", "solved, %"], lowest)}


def at_rest():
    rows, lines = read_csv("benchmarks/at_rest.csv"), []
    counts = ["steps", "fallbacks", "covered", "inexact", "no_solution", "refused"]
    for (order, scalar), of_scalar in groups(rows, "order", "scalar").items():
        worst = max(of_scalar, key=lambda row: float(row["residual"]))
        lines.append([order, scalar, len(of_scalar), *(grouped(total(of_scalar, column)) for column in counts), f"{worst['residual']} ({worst['mechanism']})"])
    leaving = [[row["order"], row["mechanism"], row["scalar"], grouped(row["fallbacks"]), row["closed_more_percent"]] for row in rows if row["fallbacks"] != "0"]
    return {"run": f"{max(row['date'] for row in rows)}, {rows[0]['compiler']}.\n",
            "totals": markdown(["order", "scalar", "trajectories", "steps", "fallbacks", "fallbacks within `constant_covers`", *counts[3:], "largest residual, m/s"], lines),
            "fallbacks": markdown(["order", "mechanism", "scalar", "fallbacks", "steps with more than two closed contacts, %"], leaving)}


REACH_LIMIT = 0.3  # StepReach::limit


def percent(rows, column):
    """The largest magnitude of a column, in percent."""
    return f"{100 * max(abs(float(row[column])) for row in rows):.2g}"


def reach():
    rows, by_reach, by_mechanism = read_csv("benchmarks/reach.csv"), [], []
    bounds = [0, 0.1, REACH_LIMIT, 1, 3, float("inf")]
    for low, high in zip(bounds, bounds[1:]):
        within = [row for row in rows if low < float(row["reach"]) <= high]
        name = f"above {low:g}" if high == float("inf") else f"{low:g} to {high:g}"
        by_reach.append([name, len(within), percent(within, "error"), percent(within, "value_error"), percent(within, "gain")])
    for (mechanism,), of_mechanism in groups(rows, "mechanism").items():
        for within in (False, True):
            side = [row for row in of_mechanism if (float(row["reach"]) <= REACH_LIMIT) == within]
            row = (max if within else min)(side, key=lambda row: float(row["dt"]))
            by_mechanism.append([mechanism, f"{1e6 * float(row['dt']):.3g}", f"{float(row['reach']):.2g}", percent([row], "error"), row["result"],
                                 f"{float(row['value']):.3g}", percent([row], "value_error")])
    return {"run": f"{max(row['date'] for row in rows)}, {rows[0]['compiler']}, {rows[0]['starts']} starts of each mechanism.\n",
            "by reach": markdown(["reach", "rows", "error of the dissipated energy, %", "error of the result, %", "gain in the contacts, %"], by_reach),
            "by mechanism": markdown(["mechanism", "dt, us", "reach", "error of the dissipated energy, %", "result", "value", "error of the result, %"],
                                     by_mechanism)}


def factor(text):
    """A ratio of errors with two digits."""
    return f"{float(f'{float(text):.2g}'):,g}"


def scientific(text, digits=1):
    value = float(text)
    return f"{value:.{digits}e}".replace("e-0", "e-").replace("e+00", "") if value else "0"


def power_of_ten(text):
    return scientific(text, 0)


def pair(row, column, form=scientific):
    """The values of first and of second order."""
    return f"{form(row[column + '_first'])} / {form(row[column + '_second'])}"


def goal(row, form=scientific):
    return form(row["goal"]) if row["goal"] != "0" else "-"


def factors_by_mechanism(rows):
    """Of each mechanism: its rows by dt, the longest first."""
    return {mechanism: sorted(of_mechanism, key=lambda row: -float(row["dt"])) for (mechanism,), of_mechanism in groups(rows, "mechanism").items()}


def second_order_factors(rows):
    dts = [row["dt"] for row in next(iter(factors_by_mechanism(rows).values()))]
    lines = [[mechanism, of_mechanism[0]["starts"], f"{1000 * float(of_mechanism[0]['seconds']):g} ms", *(factor(row["factor"]) for row in of_mechanism)]
             for mechanism, of_mechanism in factors_by_mechanism(rows).items()]
    return markdown(["mechanism", "initial states", "simulated time", *(f"dt = {power_of_ten(dt)} s" for dt in dts)], lines)


def side_effects(rows):
    return markdown(["mechanism", "dt, s", "deepest penetration, m", "energy gain in the contacts", "steps not ok", "short flights, %"],
                    [[mechanism, power_of_ten(row["dt"]), pair(row, "penetration"), pair(row, "gain"), pair(row, "not_ok", str),
                      f"{100 * float(row['short_flights']):.2g}"] for mechanism, of_mechanism in factors_by_mechanism(rows).items() for row in of_mechanism])


def second_order():
    rows, errors, predicted = read_csv("benchmarks/second_order.csv"), [], read_csv("benchmarks/second_order_predicted.csv")
    for mechanism, of_mechanism in factors_by_mechanism(rows).items():
        for row in of_mechanism:
            errors.append([mechanism, power_of_ten(row["dt"]), *(pair(row, column) for column in ("median", "geometric", "q90")),
                           factor(row["factor"]), factor(row["factor_10"]), goal(row, factor)])
    flights = [[power_of_ten(row["dt"]), f"{row['share_from']} to {row['share_to']}", row["runs"], factor(row["factor"]), factor(row["factor_10"])]
               for row in read_csv("benchmarks/second_order_flights.csv")]
    references = [[row["case"], power_of_ten(row["dt"]), *(scientific(row[column]) for column in ("first", "second", "least", "largest")), goal(row)]
                  for row in read_csv("benchmarks/second_order_references.csv")]
    return {"run": f"{max(row['date'] for row in rows)}, {rows[0]['compiler']}, {rows[0]['starts']} initial states of each mechanism.\n",
            "errors": markdown(["mechanism", "dt, s", "median", "geometric mean", "90 % quantile", "factor, median", "factor, 10 % quantile", "goal"], errors),
            "side effects": side_effects(rows), "predicted gaps": second_order_factors(predicted), "predicted side effects": side_effects(predicted),
            "flights": markdown(["dt, s", "share of short flights", "runs", "factor, median", "factor, 10 % quantile"], flights),
            "references": markdown(["case", "dt, s", "first order", "second order", "least", "largest", "goal"], references)}


def quantile(numbers, share):
    numbers = sorted(numbers)
    return numbers[min(len(numbers) - 1, int(share * len(numbers)))]


def two_digits(x):
    return f"{x:.0f}" if x >= 100 else f"{x:.2g}"


def confident(row):
    """True for a parameter outside of its interval, although it is found and the model explains the record."""
    value, low, high = (float(row[column]) for column in ("value", "low", "high"))
    return not low <= value <= high and row["found"] == "yes" and row["explained"] == "1"


def identification():
    rows, errors, times, faults = read_csv("benchmarks/identification.csv"), [], [], []
    for (machine,), of_machine in groups([row for row in rows if row["fault"] == "none"], "machine").items():
        records = groups(of_machine, "truth", "seed")
        truths = len(groups(of_machine, "truth"))
        name = [machine, f"{truths} truths, {len(records) // truths} seeds" if len(records) > truths else f"{truths} truths"]
        for (parameter,), of_parameter in groups(of_machine, "parameter").items():
            value = [float(row["value"]) for row in of_parameter]
            error = [100 * abs(float(row["fitted"]) / x - 1) for row, x in zip(of_parameter, value)]
            half = [50 * (float(row["high"]) - float(row["low"])) / x for row, x in zip(of_parameter, value)]
            inside = [float(row["low"]) <= x <= float(row["high"]) for row, x in zip(of_parameter, value)]
            found = sum(row["found"] == "yes" for row in of_parameter)
            errors.append([*name, parameter, *(two_digits(quantile(error, share)) for share in (0.5, 0.9)), f"{100 * sum(inside) / len(inside):.0f}",
                           two_digits(quantile(half, 0.5)), f"{found} of {len(of_parameter)}"])
            name = ["", ""]
        times.append([machine, f"{quantile([float(of_record[0]['seconds']) for of_record in records.values()], 0.5):.2g}"])
    for (machine, fault), of_fault in sorted(groups(rows, "machine", "fault").items(), key=lambda item: item[0][0]):
        records = groups(of_fault, "truth", "seed")
        unexplained = sum(of_record[0]["explained"] == "0" for of_record in records.values())
        faults.append([machine, fault, f"{unexplained} of {len(records)}", f"{sum(map(confident, of_fault))} of {len(of_fault)}"])
    return {"errors": markdown(["machine", "records", "parameter", "median error, %", "90 % error, %", "coverage, %", "half width, %", "found"], errors),
            "times": markdown(["machine", "CPU time of a fit, median, s"], times),
            "faults": markdown(["machine", "fault", "records not explained", "confident errors"], faults),
            "others": identification_others()}


def identification_others():
    """Errors in percent of the range of a parameter, so that machines and parameters are comparable."""
    lines = []
    for name, of_method in groups(read_csv("benchmarks/identification_others.csv"), "machine", "method").items():
        error = {parameter: [100 * abs(float(row["fitted"]) - float(row["value"])) / float(row["range"]) for row in of_parameter]
                 for (parameter,), of_parameter in groups(of_method, "parameter").items()}
        play, others = list(error.values())[0], [x for of_parameter in list(error.values())[1:] for x in of_parameter]
        seconds = [float(of_record[0]["seconds"]) for of_record in groups(of_method, "truth").values()]
        lines.append([*name, len(play), two_digits(quantile(play, 0.5)), two_digits(max(play)), two_digits(quantile(others, 0.5)), two_digits(quantile(others, 0.9)),
                      f"{quantile(seconds, 0.5):.2g}"])
    return markdown(["machine", "method", "records", "play: median", "largest", "others: median", "90 %", "CPU time, s"], lines)


def second_order_of_step_page():
    """The table of lib/STEP.md."""
    return second_order_factors(read_csv("benchmarks/second_order.csv"))


def frames_of_playground_page():
    """The table of ports/playground/README.md."""
    rows = read_csv("playground/frames.csv")
    lines = [[row["machine"].replace("_", " "), grouped(row["bytes"]), row["pictures"], grouped(row["steps"]), row["stepping"] + ", " + row["stepping_99"],
              row["drawing"] + ", " + row["drawing_99"]] for row in rows]
    head = ["machine", "page in bytes", "pictures per second", "steps per second", "steps of a picture, ms: median, 99 %", "drawing, ms: median, 99 %"]
    load = max(int(row["load"]) for row in rows)
    return markdown(head, lines) + f"\nMeasured {max(row['date'] for row in rows)}, at a load average of at most {load} on 2 cores.\n"


def relative_change(row, column, unit):
    early, late = float(row[f"{column}_early{unit}"]), float(row[f"{column}_late{unit}"])
    return (late - early) / early if early else 0


def endurance():
    rows, lines, extremes = read_csv("determinism/endurance.csv"), [], []
    for (scalar,), of_scalar in groups(rows, "scalar").items():
        lines.append([scalar, len(of_scalar), sum(row["steps"] == row["steps_in_full"] for row in of_scalar), sum(row["drift"] != "none" for row in of_scalar),
                      f"{total(of_scalar, 'steps'):.3g}", total(of_scalar, "inexact_early") + total(of_scalar, "inexact_late"), total(of_scalar, "refused"),
                      ", ".join(f"{row['mechanism']} ({row['fallbacks_per_million']} per million steps)" for row in of_scalar if row["fallbacks_per_million"] != "0")
                      or "none"])
    for quantity, column, unit in (("mean kinetic energy", "energy", "_mJ"), ("largest position error", "position_error", "_um"), ("cycles per hour", "cycles_per_hour", "")):
        row = max(rows, key=lambda row: abs(relative_change(row, column, unit)))
        extremes.append([quantity, row["mechanism"], row["scalar"], row[f"{column}_early{unit}"], row[f"{column}_late{unit}"],
                         f"{100 * relative_change(row, column, unit):+.3g} %"])
    drifting = [[row["mechanism"], row["scalar"], row["drift"]] for row in rows if row["drift"] != "none"]
    return {"run": f"Last run: {max(row['date'] for row in rows)}, {max(rows, key=lambda row: row['date'])['compiler']}.\n",
            "totals": markdown(["scalar", "runs", "completed", "with drift", "steps", "inexact", "refused", "fallbacks"], lines),
            "changes": markdown(["quantity", "mechanism", "scalar", "first third", "last third", "change"], extremes),
            "drift": markdown(["mechanism", "scalar", "drift"], drifting) if drifting else "No run drifts.\n"}


def bits():
    rows = read_csv("determinism/bits.csv")
    return {"bits": f"Last run of `tests/determinism/compare_machines.sh`: {max(row['date'] for row in rows)}.\n\n" + markdown(
        ["steps", "scalar", "machines", "trajectories", "differing"], [[grouped(row["steps"]), *list(row.values())[1:5]] for row in rows])}


def blocks():
    return {"benchmarks/TIMING.md": {**timing(), **worst_case()}, "benchmarks/STACK.md": stack(), "benchmarks/AT_REST.md": at_rest(),
            "benchmarks/REACH.md": reach(), "benchmarks/SECOND_ORDER.md": second_order(), "benchmarks/IDENTIFICATION.md": identification(),
            "solvers/DIFFERENTIAL.md": differential(), "determinism/ENDURANCE.md": endurance(), "determinism/README.md": bits()}
