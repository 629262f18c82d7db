#!/usr/bin/env python3
"""Changes lib/ in one place at a time and looks whether the tests notice: tests/mutation/mutate.py [options]

  --seed 1        of the draw
  --count 400     mutants to be judged in all. Those that build/mutation.csv has already, of a header that is as it was then, are
                  not judged again: a run may be interrupted and goes on
  --only PATTERN  headers whose path has it
  --again         survivors without a reason are judged again: after tests were added
  --jobs 2        programs at a time
  --page          writes tests/mutation/MUTATION.md and mutation.json from build/mutation.csv, and the pages with figures from them

A mutant is an operator, a constant, a sign or a condition of one line. All that are drawn stand in one copy of lib/, each behind a switch
(`switches.hpp`), so that every test is built once: clang++ in double, -O0 because that costs
least, -O1 where the test would take long. The environment closes one switch. Judges of a mutant are the fast tests
of the host (those of every moreau_add_test) that come by its switch. What has no switch, because it will not have both sides in one
program, and what the compiler may compute, is changed in the text, and a few tests are built for it alone: those that come by most
switches of its header, and those that name most of what stands in its line and its header and not in many others. A mutant is
  killed    a test fails, when it is compiled or when it runs, ends by a signal or does not end in time
  refused   it does not compile: a static_assert of lib/ or a type has noticed
  survived  every judge passes: a test is missing, or the change makes no difference; `survivors` in this folder has the reason
"""
import argparse
import collections
import concurrent.futures
import csv
import datetime
import hashlib
import json
import math
import os
import pathlib
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import threading

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
LIB = ROOT / "lib/moreau"
RESULTS = ROOT / "build/mutation.csv"
SHOP = ROOT / "build/mutation"
KINDS = ["killed", "refused", "survived", "open", "same", "speed"]
COLUMNS = ["header", "hash", "line", "was", "is", "verdict", "test"]
TIMES_AS_LONG = 10  # as without a change, in whole seconds: then it does not end
NAMING, REACHING = 4, 2  # judges of a mutant without a switch: tests by their names, and by their switches
NAME = re.compile(r"[A-Za-z_]\w{2,}")
DEAR = ("fuzz/adaptive", "fuzz/injected_everything")  # to compile
LONG = 0.3  # seconds at -O0: -O1 is worth its compile time

# Indices and shifts out of range, as in the preset host-asan (toolchains/sanitizers.cmake), but for what ASan costs.
CHECKS = ["-DMOREAU_WHOLE_SAMPLES", "-D_GLIBCXX_ASSERTIONS", "-fsanitize=undefined", "-fno-sanitize=null,alignment,object-size,vptr", "-fsanitize-trap=undefined"]

INFIX = {"+": "plus", "-": "minus", "*": "multiplies", "/": "divides", "<": "less", "<=": "less_equal", ">": "greater",
         ">=": "greater_equal", "==": "equal_to", "!=": "not_equal_to", "|": "bit_or", "&": "bit_and"}
# (what is looked for, what takes its place, the kind of its switch). Blanks around an operator tell it from brackets and references.
CHANGES = [
    *((rf" {re.escape(old)} ", f" {new} ", "infix") for old, new in (
        "+-", "-+", "*/", "/*", ("<", "<="), ("<=", "<"), (">", ">="), (">=", ">"), "<>", ("==", "!="), ("!=", "=="), "|&", "&|")),
    (r" \+= ", " -= ", "assign"), (r" -= ", " += ", "assign"),
    (r" && ", " || ", "whole"), (r" \|\| ", " && ", "whole"),
    (r"\bif \((?!constexpr|const )", "if (!(", "condition"), (r"(?<=[(, ])-(?=[a-zA-Z(])", "", "minus"), (r"\+\+(?=[a-z])", "--", "increment"),
    (r"Real\(0\)", "Real(1)", "value"), (r"Real\(1\)", "Real(0)", "value"), (r"Real\(0\.5\)", "Real(1)", "value"),
    (r"Real\(2\)", "Real(1)", "value"), (r"\btrue\b", "false", "value"), (r"\bfalse\b", "true", "value"),
    (r"\bC(hoice)?::positive\(", r"C\1::negative(", "call"), (r"\bC(hoice)?::larger\(", r"C\1::smaller(", "call"),
    (r"(?<![:\w])(detail::)?larger\((?!Real \w)", "std::min<Real>(", "call")]


def closing(text, start):
    """Behind the bracket that closes the one at start."""
    depth = 0
    for i in range(start, len(text)):
        depth += (text[i] in "([{") - (text[i] in ")]}")
        if depth == 0:
            return i + 1
    return None


def expression(text, at):
    """Begin and end of what stands around `at` up to a bracket, a comma, a question mark or an assignment."""
    begin, depth = at, 0
    while begin > 0:
        before = text[begin - 1]
        if depth == 0 and (before in "([{,?;" or re.search(r"( =|return| :)\s$", text[max(0, begin - 8):begin])):
            break
        depth += (before in ")]}") - (before in "([{")
        begin -= 1
    end, depth = at, 0
    while end < len(text) and (depth > 0 or (text[end] not in ")]},?;" and not text.startswith(" : ", end))):
        depth += (text[end] in "([{") - (text[end] in ")]}")
        end += 1
    while text[begin] in " \n":
        begin += 1
    return begin, end


def is_constexpr(before, line):
    """Whether the line, or a head of what it stands in, is one that the compiler may compute."""
    indent = len(line) + 1
    for head in [line, *reversed(before.splitlines())]:
        code = head.split("//")[0]
        if code.strip() and len(code) - len(code.lstrip()) < indent:
            indent = len(code) - len(code.lstrip())
            if re.search(r"(?<!if )\bconstexpr\b", code) and (head is line or code.rstrip().endswith(("{", "(", ","))):
                return True
    return False


class Mutant:
    """Change k of header, at an offset of its text."""

    def __init__(self, number, header, text, at, k):
        self.number, self.header, self.at, self.k = number, header, at, k
        self.row = text.count("\n", 0, at)
        begin, end = text.rfind("\n", 0, at) + 1, text.find("\n", at)
        self.was = text[begin:end].strip()
        self.compiled = is_constexpr(text[:begin], text[begin:end])
        self.pieces = None if header.endswith("require.hpp") or "constexpr" in self.was or "..." in self.was else self.switch(text)
        if self.pieces:
            self.lines = range(text.count("\n", 0, self.pieces[0][0]) + 1, text.count("\n", 0, self.pieces[-1][1]) + 2)
        changed = self.changed(text)
        self.now = changed[begin:changed.find("\n", begin)].strip()

    def changed(self, text):
        old, new, kind = CHANGES[self.k]
        match = re.compile(old).match(text, self.at)
        if kind == "condition":
            end = closing(text, match.end() - 1)
            return text[:match.start()] + new + text[match.end():end] + ")" + text[end:]
        return text[:match.start()] + match.expand(new) + text[match.end():]

    def switch(self, text):
        """What it takes to have both: [(begin, end, what stands there then)], or None."""
        old, new, kind = CHANGES[self.k]
        match, n = re.compile(old).match(text, self.at), self.number
        if kind == "infix":
            return [(match.end(), match.end(), f"::mutation::Other<{n}, std::{INFIX[new.strip()]}<>>() {match[0].strip()} ")]
        if kind == "assign":
            return [(match.end(), match.end(), f"::mutation::Negated<{n}>() {match[0].strip()} ")]
        if kind == "condition":
            return [(match.end(), match.end(), f"::mutation::Not<{n}>() ^= ")]
        if kind == "minus":
            return [(match.start(), match.end(), f"::mutation::Minus<{n}>()->*")]
        if kind == "increment":
            return [(match.start(), match.end(), f"::mutation::Increment<{n}>()->*")]
        if kind == "value":
            return [(match.start(), match.end(), f"(::mutation::on({n}) ? {new} : {match[0]})")]
        begin, end = expression(text, match.start() + 1) if kind == "whole" else (match.start(), closing(text, match.end() - 1))
        if len(re.findall(r"\w<", text[begin:end])) != len(re.findall(r"[\w>)]>", text[begin:end])):
            return None  # the comma was one between arguments of a template
        other = text[begin:match.start()] + match.expand(new) + text[match.end():end]
        other = re.sub(r"\s+", " ", re.sub(r"//.*", "", other))  # on one line, so that messages of the compiler name lines of lib/
        return [(begin, begin, f"(::mutation::on({n}) ? ({other}) : ("), (end, end, "))")]


def with_switches(text, mutants):
    edits = []  # at one place: what ends there, the inner first; what is only put in; what begins there, the outer first
    for m in mutants:
        pieces = m.pieces
        width = pieces[-1][1] - pieces[0][0]
        edits.append((pieces[0][0], 2 if width else 1, -width, m.number, *pieces[0][1:]))
        if len(pieces) == 2:
            edits.append((pieces[1][0], 0, width, -m.number, *pieces[1][1:]))
    result, last = [], 0
    for begin, _, _, _, end, new in sorted(edits):
        result += [text[last:begin], new]
        last = end
    return "".join(result) + text[last:]


def places():
    """Every change that can be made."""
    found = []
    for path in sorted(LIB.rglob("*.hpp")):
        text, offset, asm, directive = path.read_text(), 0, False, False
        for line in text.splitlines(keepends=True):
            code = line.split("//")[0]
            asm = asm or "asm(" in code
            directive = directive or code.lstrip().startswith("#")
            if not asm and not directive and not re.match(
                    r"\s*(template|static_assert|using|class|struct|friend class)|.*requires|.*static_assert", code):
                spots = [(offset + match.start(), k) for k, (old, _, _) in enumerate(CHANGES) for match in re.finditer(old, code)]
                found += [Mutant(len(found) + i, str(path.relative_to(LIB)), text, *spot) for i, spot in enumerate(spots)]
            asm = asm and ";" not in code
            directive = directive and line.endswith("\\\n")
            offset += len(line)
    return found


def drawn(seed):
    """All of them in random order, evenly over the headers. The order within a header is its own: where another one changes, it stays."""
    headers = collections.defaultdict(list)
    for m in places():
        headers[m.header].append(m)
    order = []
    for header, mutants in headers.items():
        random_of_header = random.Random(f"{seed} {header}")
        random_of_header.shuffle(mutants)
        begin = random_of_header.random()
        order += [((i + begin) / len(mutants), header, m) for i, m in enumerate(mutants)]
    return [m for _, _, m in sorted(order, key=lambda entry: entry[:2])]


def fast_tests():
    """Those that run on the host without more than the library."""
    found = {}
    for folder in ("unit", "solvers", "fuzz"):  # papers: long runs of what the others call
        text = (ROOT / "tests" / folder / "CMakeLists.txt").read_text()
        defined = re.findall(r"target_compile_definitions\((\S+)\.\$\{scalar\} PRIVATE (\w+)\)", text)
        for target, source, options in re.findall(r"^ *moreau_add_test\((\S+) (\S+)\.cpp([^)]*)", text, re.M):
            boards = re.search(r"BOARDS ([^A-Z]*)", options)
            if not re.search(r"LINK|LABELS (slow|long)", options) and (not boards or re.search(r"host|all", boards[1])):
                definitions = [f"-D{name}" for of, name in defined if re.fullmatch(of.replace("${name}", r"\w+"), target)]
                name = f"{folder}/{target.split('.')[1] if definitions else source}"
                found[name] = Test(name, f"{folder}/{source}", definitions)
    return [test for name, test in found.items() if name not in DEAR]


def digest(*texts):
    return hashlib.sha256("\0".join(map(str, texts)).encode()).hexdigest()[:16]


class Test:
    """A program of the tests: `reached` are the switches that it comes by, 2 for those that cannot be closed in it."""

    def __init__(self, name, source, definitions):
        self.name, self.source, self.definitions = name, ROOT / "tests" / f"{source}.cpp", definitions
        self.program = SHOP / name.replace("/", ".")
        self.level, self.seconds, self.reached, self.headers = 0, 0.0, {}, set()
        self.names = set(NAME.findall(self.source.read_text()))


class Workshop:
    """Copies of lib/ with switches, and the tests built with them."""

    def __init__(self, mutants):
        SHOP.mkdir(parents=True, exist_ok=True)
        unity = pathlib.Path("/usr/share/cmock/vendor/unity/src")
        if not unity.exists():
            unity = ROOT / ".deps" / unity.relative_to("/")
        self.mutants, self.lock = mutants, threading.Lock()
        self.flags = ["-std=c++17", "-w", "-ffp-contract=off", "-DMOREAU_TEST_REAL=double", "-DUNITY_INCLUDE_CONFIG_H",
                      "-DMOREAU_FLATTEN=", *CHECKS, *(f"-I{ROOT / folder}" for folder in ("tests", "tests/support", "examples", "ports/host", "ports/shared")),
                      "-isystem", "/usr/include/eigen3", f"-I{unity}", f"-I{ROOT / '.deps/usr/include'}"]
        self.begin = SHOP / "begin.hpp"  # what no mutant changes is read once
        self.begin.write_text(f'#include "{HERE / "switches.hpp"}"\n' + "".join(f"#include <{name}>\n" for name in (
            "Eigen/Core", "Eigen/LU", "algorithm", "array", "cmath", "cstring", "limits", "tuple", "utility", "vector", "unity.h",
            "moreau/port/console.hpp")))
        for level in (0, 1):
            subprocess.run(["clang++", f"-O{level}", *self.flags, "-x", "c++-header", self.begin, "-o", f"{self.begin}.{level}.pch"], check=True)
        self.objects = []
        for source, compiler in ((ROOT / "tests/support/output.cpp", "clang++"), (unity / "unity.c", "clang")):
            self.objects.append(SHOP / (source.name + ".o"))
            flags = [flag for flag in self.flags if compiler == "clang++" or flag != "-std=c++17"]
            subprocess.run([compiler, *flags, "-c", source, "-o", self.objects[-1]], check=True)
        shared = [path.read_text() for folder in ("tests", "examples", "lib") for path in sorted((ROOT / folder).rglob("*.hpp"))]
        self.stamp = digest(self.flags, shared, [m.number for m in mutants])
        dropped = SHOP / f"dropped.{self.stamp}"
        self.dropped = set(map(int, dropped.read_text().split())) if dropped.exists() else set()
        code = {str(path.relative_to(LIB)): re.sub(r"//.*", "", path.read_text()) for path in LIB.rglob("*.hpp")}
        self.names = {header: set(NAME.findall(text)) for header, text in code.items()}
        self.headers_with = collections.Counter(name for names in self.names.values() for name in names)
        self.lib = SHOP / "lib"
        shutil.rmtree(self.lib, ignore_errors=True)
        self.write_switches()

    def write_switches(self):
        headers = collections.defaultdict(list)
        for m in self.mutants:
            if m.number not in self.dropped and m.pieces:
                headers[m.header].append(m)
        for path in LIB.rglob("*.hpp"):
            copy, text = self.lib / "moreau" / path.relative_to(LIB), with_switches(path.read_text(), headers[str(path.relative_to(LIB))])
            if not copy.exists() or copy.read_text() != text:
                copy.parent.mkdir(parents=True, exist_ok=True)
                new = copy.with_suffix(".new")
                new.write_text(text)
                new.replace(copy)  # at once: others compile meanwhile

    def compile(self, test, lib, program):
        return subprocess.run(["clang++", f"-O{test.level}", *self.flags, *test.definitions, f"-I{lib}", "-include-pch", f"{self.begin}.{test.level}.pch", "-ferror-limit=40",
                               "-MMD", "-MF", f"{program}.d", test.source, *self.objects, "-o", program], capture_output=True, text=True)

    def drop(self, message):
        """Takes out the switches of the lines that the compiler names first in each of its messages."""
        new = set()
        for block in re.split(r"(?m)^(?=\S+: error: )", message):
            for header, line in re.findall(rf"{self.lib}/moreau/(\S+?\.hpp):(\d+)", block):
                here = {m.number for m in self.mutants if m.header == header and m.pieces and int(line) in m.lines} - self.dropped
                if here:
                    new |= here
                    break
        return new

    def build(self, test):
        stamp = pathlib.Path(f"{test.program}.stamp")
        now = digest(self.stamp, test.definitions, test.source.read_text())
        old = stamp.read_text().split() if stamp.exists() else []
        if old[:1] == [now]:
            test.level = int(old[1])
        else:
            self.compile_switches(test)
        self.measure(test)
        if test.level == 0 and test.seconds > LONG:  # also where it was stopped
            test.level = 1
            self.compile_switches(test)
            self.measure(test)
        stamp.write_text(f"{now} {test.level}")
        test.headers = {str(pathlib.Path(name).relative_to(self.lib / "moreau")) for name in
                        re.findall(rf"{self.lib}/moreau/\S+\.hpp", pathlib.Path(f"{test.program}.d").read_text())}
        print(f"{test.name:36} -O{test.level} {test.seconds:6.2f} s {len(test.reached):4} switches", flush=True)

    def compile_switches(self, test):
        while True:
            version = len(self.dropped)
            done = self.compile(test, self.lib, test.program)
            if done.returncode == 0:
                return
            with self.lock:
                if version != len(self.dropped):
                    continue  # another test has taken some out meanwhile
                new = self.drop(done.stderr)
                if not new:
                    sys.stderr.write(f"{test.name} does not compile\n{done.stderr[:3000]}\n")
                    os._exit(1)
                self.dropped |= new
                print(f"{test.name}: without the switches {sorted(new)}", flush=True)
                self.write_switches()

    def measure(self, test):
        reached = SHOP / f"{test.program.name}.reached"
        reached.unlink(missing_ok=True)
        if not self.passes(test.program, 600 if test.level else 1, {"MOREAU_REACHED": str(reached)}, test) and (test.level or test.seconds < LONG):
            sys.stderr.write(f"{test.name} fails without a change\n")
            os._exit(1)
        if reached.exists():
            test.reached = dict(map(int, line.split()) for line in reached.read_text().splitlines())

    def passes(self, program, seconds, environment, measured=None):
        def limit():
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        with tempfile.TemporaryDirectory(prefix="moreau-mutation-") as folder:
            child = subprocess.Popen([program], env={**os.environ, **environment}, cwd=folder, preexec_fn=limit,
                                     stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            _, status, used = os.wait4(child.pid, 0)
            child.returncode = status
        if measured:
            measured.seconds = used.ru_utime + used.ru_stime
        return status == 0

    def judge_all(self, left, jobs, tell):
        """Every test, as soon as it is built, judges the mutants that are left and that it comes by; then those without a switch."""
        tests, alive, seen = fast_tests(), {m.number: m for m in left}, collections.Counter()

        def judge(test):
            self.build(test)
            for number in sorted(test.reached):
                m = alive.get(number)
                if not m:
                    continue
                seen[number] += 1
                verdict = ("refused", "the operator has no such operands") if test.reached[number] == 2 else ("killed", test.name)
                seconds = max(1, math.ceil(TIMES_AS_LONG * test.seconds))
                if (verdict[0] == "refused" or not self.passes(test.program, seconds, {"MOREAU_MUTANT": str(number)})) and alive.pop(number, None):
                    tell(m, *verdict)

        def judge_alone(m):
            tell(m, *self.verdict_alone(m, tests))

        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            list(pool.map(judge, tests))
            (SHOP / f"dropped.{self.stamp}").write_text(" ".join(map(str, sorted(self.dropped))))
            alone = [m for m in alive.values() if m.compiled or not seen[m.number]]
            for m in alive.values():
                if m not in alone:
                    tell(m, "survived", f"{seen[m.number]} tests")
            list(pool.map(judge_alone, alone))

    def by_names(self, m, tests):
        """Those first that name what stands in the mutant's line and header and not in many others."""
        rarity = {name: 1 / self.headers_with[name] / max(1, sum(name in test.names for test in tests)) for name in self.names[m.header]}
        line = set(NAME.findall(m.was))
        return sorted(tests, key=lambda test: -sum(rarity[name] * (10 if name in line else 1) for name in rarity.keys() & test.names))

    def judges_alone(self, m, tests):
        near = {other.number for other in self.mutants if other.header == m.header}
        tests = [test for test in tests if m.header in test.headers]
        by_switches = sorted(tests, key=lambda test: (-len(near & test.reached.keys()), -len(test.reached)))
        return list(dict.fromkeys(self.by_names(m, tests)[:NAMING] + by_switches[:REACHING]))

    def verdict_alone(self, m, tests):
        judges = self.judges_alone(m, tests)
        with tempfile.TemporaryDirectory(prefix="moreau-mutation-") as folder:
            lib, program = pathlib.Path(folder) / "lib", pathlib.Path(folder) / "program"
            shutil.copytree(ROOT / "lib", lib)
            (lib / "moreau" / m.header).write_text(m.changed((LIB / m.header).read_text()))
            for test in judges:
                built = self.compile(test, lib, program)
                if built.returncode:  # by an assertion of the test: a test that fails when it is compiled
                    return "killed" if re.search(rf"(?m)^{test.source}:.* static(_assert| assertion) failed", built.stderr) else "refused", test.name
                if not self.passes(program, max(1, math.ceil(TIMES_AS_LONG * test.seconds)), {}):
                    return "killed", test.name
            if m.header.endswith("require.hpp"):  # its users are mistakes
                flags = ["-std=c++17", *self.flags, f"-I{ROOT / 'ports/bench'}", f"-I{ROOT / 'ports/workstation'}", f"-I{lib}"]
                cases = self.by_names(m, [Test(f"compile/{case.stem}", f"compile/{case.stem}", []) for case in sorted((ROOT / "tests/compile").glob("bad_*.cpp"))])
                commands = [(case.name, [ROOT / "tests/compile/must_not_compile.sh", case.source, "clang++", *flags]) for case in cases]
                commands.insert(3, ("compile/sentences.py", [ROOT / "tests/compile/sentences.py", ROOT, "clang++", *flags]))
                for name, command in commands:
                    if subprocess.run(command, capture_output=True).returncode:
                        return "killed", name
        return "survived", "alone: " + " ".join(test.name for test in judges)


def key(row):
    return f"{row['header']}: {row['was']} -> {row['is']}"


def reasons():
    return dict(line.split("\t", 1) for line in (HERE / "survivors").read_text().splitlines() if line and line[0] != "#")


def read_results():
    """Those of headers that are as they were."""
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


def write_page(rows, draw):
    """All that were drawn: what is not judged yet, or was in a header that has changed since, counts as not found."""
    why, judged = reasons(), {(row["header"], row["line"], row["is"]): row for row in rows}
    table, count = [], collections.Counter()
    for m in draw:
        row = judged.get((m.header, str(m.row + 1), m.now), {"verdict": "open"})
        reason = why.get(f"{m.header}: {m.was} -> {m.now}", "not judged to the end" if row["verdict"] == "open" else "a test is missing")
        kind = reason.split(":")[0] if reason.startswith(("same:", "speed:")) else row["verdict"]
        if row["verdict"] in ("killed", "refused"):
            count[row["verdict"]] += 1
        else:
            count[kind] += 1
            table.append((m.header, m.was, m.now, reason))
    compiled = len(draw) - count["refused"] - count["same"]
    of_lib = subprocess.run(["git", "-C", ROOT, "log", "-1", "--format=%h", "--", "lib"], capture_output=True, text=True, check=True).stdout.strip()
    page = ["# Mutation of lib/", "",
            f"Written by `tests/mutation/mutate.py --page` on {datetime.date.today()}, of lib/ as of {of_lib}. {len(draw)} changes of one place each, drawn by seed: {count['killed']} killed by a test,",
            f"{count['refused']} refused by the compiler, {count['survived']} survived, {count['open']} not judged to the end (not by all tests, or not since their header has changed),",
            f"{count['same']} change nothing, {count['speed']} change how long a solver takes.",
            f"Of those that compile and change something the tests have found at least {100 * count['killed'] / max(1, compiled):.1f} %: what is not judged to the end",
            "counts as not found.", "",
            "| not killed | becomes | why |", "|---|---|---|"]
    cell = lambda text: text.replace("|", "\\|")
    page += [f"| {header}: `{cell(was)}` | `{cell(now)}` | {reason} |" for header, was, now, reason in sorted(table)]
    (HERE / "MUTATION.md").write_text("\n".join(page) + "\n")
    (HERE / "mutation.json").write_text(json.dumps({
        "date": str(datetime.date.today()), "lib": of_lib, "drawn": len(draw), **{kind: count[kind] for kind in KINDS},
        "found_percent": round(100 * count["killed"] / max(1, compiled), 1)}, indent=2) + "\n")
    print("\n".join(page[2:6]))
    subprocess.run([ROOT / "tests/write_pages.py"], check=True)


def main():
    arguments = argparse.ArgumentParser()
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
        rows = [row for row in rows if row["verdict"] != "survived" or key(row) in why]
    draw = [m for m in drawn(options.seed)[:options.count] if options.only in m.header]
    if options.page:
        return write_page(rows, draw)
    hashes = {m.header: digest((LIB / m.header).read_text()) for m in draw}
    done = {(row["header"], row["line"], row["is"]) for row in rows}
    left = [m for m in draw if (m.header, str(m.row + 1), m.now) not in done]
    shop = Workshop(sorted(draw, key=lambda m: m.number))
    write_results(rows)

    def tell(m, verdict, test):
        row = dict(zip(COLUMNS, (m.header, hashes[m.header], str(m.row + 1), m.was, m.now, verdict, test)))
        with shop.lock, RESULTS.open("a", newline="") as file:
            csv.DictWriter(file, COLUMNS).writerow(row)
            print(f"{verdict:9} {test:24} {m.header}:{m.row + 1}: {m.was}  ->  {m.now}", flush=True)

    shop.judge_all(left, options.jobs, tell)
    return None


if __name__ == "__main__":
    sys.exit(main())
