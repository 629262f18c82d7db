"""Judges mutants by the tests. A mutant is

  killed    a test fails, at compile time or at run time, ends by a signal or exceeds its time
  refused   it does not compile: a static_assert of lib/ or a type rejects it
  survived  every judge passes: a test is missing, or the change makes no difference

A mutant with a switch is judged by all tests that execute it. One without is built alone with a few tests: those that
execute most switches of its header, and those that name most of the words of its line and header that few other tests
name.
"""
import collections
import concurrent.futures
import csv
import math
import pathlib
import re
import shutil
import subprocess
import tempfile

from build_tests import NAME, Test, fast_tests, passes
from parse_mutants import LIB, REFUSING, ROOT, digest

RESULTS = ROOT / "build/mutation.csv"
COLUMNS = ["header", "hash", "line", "was", "is", "verdict", "test"]
TIMES_AS_LONG = 10  # time limit relative to the run without a change, in whole seconds
NAMING, REACHING = 4, 2  # judges of a mutant without a switch: tests by names, tests by switches


def read_results():
    """Verdicts on headers that have not changed since."""
    if not RESULTS.exists():
        return []
    with RESULTS.open() as file:
        return [row for row in csv.DictReader(file) if (LIB / row["header"]).exists() and row["hash"] == digest((LIB / row["header"]).read_text())]


def write_results(rows):
    RESULTS.parent.mkdir(exist_ok=True)
    with RESULTS.open("w", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        writer.writerows(rows)


def time_limit(test):
    return max(1, math.ceil(TIMES_AS_LONG * test.seconds))


class Judge:
    """Judges mutants with a workshop's tests, and appends each verdict to the results."""

    def __init__(self, shop):
        self.shop, self.tests = shop, fast_tests()
        self.hashes = {m.header: digest((LIB / m.header).read_text()) for m in shop.mutants}

    def report(self, m, verdict, test):
        row = dict(zip(COLUMNS, (m.header, self.hashes[m.header], str(m.row + 1), m.was, m.now, verdict, test)))
        with self.shop.lock, RESULTS.open("a", newline="") as file:
            csv.DictWriter(file, COLUMNS).writerow(row)
            print(f"{verdict:9} {test:24} {m.header}:{m.row + 1}: {m.was}  ->  {m.now}", flush=True)

    def judge_all(self, left, jobs):
        """Each test, once built, judges the remaining mutants that it executes; mutants without a switch follow."""
        alive, seen = {m.number: m for m in left}, collections.Counter()

        def judge(test):
            self.shop.build(test)
            for number in sorted(test.reached):
                m = alive.get(number)
                if not m:
                    continue
                seen[number] += 1
                verdict = ("refused", "the operator has no such operands") if test.reached[number] == 2 else ("killed", test.name)
                if (verdict[0] == "refused" or not passes(test.program, time_limit(test), {"MOREAU_MUTANT": str(number)})) and alive.pop(number, None):
                    self.report(m, *verdict)

        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            list(pool.map(judge, self.tests))
            self.shop.save_dropped()
            alone = [m for m in alive.values() if m.compiled or not seen[m.number]]
            for m in alive.values():
                if m not in alone:
                    self.report(m, "survived", f"{seen[m.number]} tests")
            list(pool.map(lambda m: self.report(m, *self.verdict_alone(m)), alone))

    def by_names(self, m, tests):
        """The tests, sorted by the rare words that they share with the mutant's line and header."""
        rarity = {name: 1 / self.shop.headers_with[name] / max(1, sum(name in test.names for test in tests)) for name in self.shop.names[m.header]}
        line = set(NAME.findall(m.was))
        return sorted(tests, key=lambda test: -sum(rarity[name] * (10 if name in line else 1) for name in rarity.keys() & test.names))

    def judges_alone(self, m):
        near = {other.number for other in self.shop.mutants if other.header == m.header}
        tests = [test for test in self.tests if m.header in test.headers]
        by_switches = sorted(tests, key=lambda test: (-len(near & test.reached.keys()), -len(test.reached)))
        return list(dict.fromkeys(self.by_names(m, tests)[:NAMING] + by_switches[:REACHING]))

    def verdict_alone(self, m):
        """Verdict and judge of a mutant without a switch, changed in the text of a copy of lib/."""
        judges = self.judges_alone(m)
        with tempfile.TemporaryDirectory(prefix="moreau-mutation-") as folder:
            lib, program = pathlib.Path(folder) / "lib", pathlib.Path(folder) / "program"
            shutil.copytree(ROOT / "lib", lib)
            (lib / "moreau" / m.header).write_text(m.changed((LIB / m.header).read_text()))
            for test in judges:
                built = self.shop.compile(test, lib, program)
                if built.returncode:  # by an assertion of the test: a test that fails at compile time
                    return "killed" if re.search(rf"(?m)^{test.source}:.* static(_assert| assertion) failed", built.stderr) else "refused", test.name
                if not passes(program, time_limit(test), {}):
                    return "killed", test.name
            if m.header.endswith(REFUSING):
                for name, command in self.compile_cases(m, lib):
                    if subprocess.run(command, capture_output=True).returncode:
                        return "killed", name
        return "survived", "alone: " + " ".join(test.name for test in judges)

    def compile_cases(self, m, lib):
        """Tests of tests/compile as (name, command): programs that must not compile."""
        flags = ["-std=c++17", *self.shop.flags, f"-I{ROOT / 'ports/bench'}", f"-I{ROOT / 'ports/workstation'}", f"-I{lib}"]
        cases = self.by_names(m, [Test(f"compile/{case.stem}", f"compile/{case.stem}", []) for case in sorted((ROOT / "tests/compile").glob("bad_*.cpp"))])
        commands = [(case.name, [ROOT / "tests/compile/must_not_compile.sh", case.source, "clang++", *flags]) for case in cases]
        commands.insert(3, ("compile/sentences.py", [ROOT / "tests/compile/sentences.py", ROOT, "clang++", *flags]))
        return commands
