"""Builds the fast tests of the host with a copy of lib/ that holds all switches, and runs them.

clang++ in double; -O0 is the cheapest level, -O1 is used if the test would take long. All builds are in build/mutation
and are reused if nothing changed.
"""
import collections
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import threading

from parse_mutants import HERE, LIB, ROOT, digest, with_switches

SHOP = ROOT / "build/mutation"
NAME = re.compile(r"[A-Za-z_]\w{2,}")
EXPENSIVE = ("fuzz/adaptive", "fuzz/injected_everything")  # to compile: omitted
LONG = 0.3  # seconds at -O0: -O1 is worth its compile time

# Indices and shifts out of range, as in the preset host-asan (toolchains/sanitizers.cmake), without the expensive
# checks of ASan.
CHECKS = ["-DMOREAU_WHOLE_SAMPLES", "-D_GLIBCXX_ASSERTIONS", "-fsanitize=undefined", "-fno-sanitize=null,alignment,object-size,vptr", "-fsanitize-trap=undefined"]


class Test:
    """A test program. `reached`: the executed switches; the value 2 marks a switch that does not compile in it."""

    def __init__(self, name, source, definitions):
        self.name, self.source, self.definitions = name, ROOT / "tests" / f"{source}.cpp", definitions
        self.program = SHOP / name.replace("/", ".")
        self.level, self.seconds, self.reached, self.headers = 0, 0.0, {}, set()
        self.names = set(NAME.findall(self.source.read_text()))


def fast_tests():
    """The tests that run on the host and need the library only."""
    found = {}
    for folder in ("unit", "solvers", "fuzz"):  # papers: long runs of code that these tests cover
        text = (ROOT / "tests" / folder / "CMakeLists.txt").read_text()
        defined = re.findall(r"target_compile_definitions\((\S+)\.\$\{scalar\} PRIVATE (\w+)\)", text)
        for target, source, options in re.findall(r"^ *moreau_add_test\((\S+) (\S+)\.cpp([^)]*)", text, re.M):
            boards = re.search(r"BOARDS ([^A-Z]*)", options)
            if not re.search(r"LINK|LABELS (slow|long)", options) and (not boards or re.search(r"host|all", boards[1])):
                definitions = [f"-D{name}" for of, name in defined if re.fullmatch(of.replace("${name}", r"\w+"), target)]
                name = f"{folder}/{target.split('.')[1] if definitions else source}"
                found[name] = Test(name, f"{folder}/{source}", definitions)
    return [test for name, test in found.items() if name not in EXPENSIVE]


def passes(program, seconds, environment, measured=None):
    """Runs a program in an empty folder with a limit of CPU time; notes its time in the test `measured`."""
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


class Workshop:
    """A copy of lib/ with switches, and the tests built with it."""

    def __init__(self, mutants):
        SHOP.mkdir(parents=True, exist_ok=True)
        unity = pathlib.Path("/usr/share/cmock/vendor/unity/src")
        if not unity.exists():
            unity = ROOT / ".deps" / unity.relative_to("/")
        self.mutants, self.lock = mutants, threading.Lock()
        self.flags = ["-std=c++17", "-w", "-ffp-contract=off", "-DMOREAU_TEST_REAL=double", "-DUNITY_INCLUDE_CONFIG_H",
                      "-DMOREAU_FLATTEN=", *CHECKS, *(f"-I{ROOT / folder}" for folder in ("tests", "tests/support", "examples", "ports/host", "ports/shared")),
                      "-isystem", "/usr/include/eigen3", f"-I{unity}", f"-I{ROOT / '.deps/usr/include'}"]
        self.begin = SHOP / "begin.hpp"  # precompiled: headers that no mutant changes
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
        self.dropped_file = SHOP / f"dropped.{self.stamp}"
        self.dropped = set(map(int, self.dropped_file.read_text().split())) if self.dropped_file.exists() else set()
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
                new.replace(copy)  # atomic: other threads compile meanwhile

    def compile(self, test, lib, program):
        return subprocess.run(["clang++", f"-O{test.level}", *self.flags, *test.definitions, f"-I{lib}", "-include-pch", f"{self.begin}.{test.level}.pch", "-ferror-limit=40",
                               "-MMD", "-MF", f"{program}.d", test.source, *self.objects, "-o", program], capture_output=True, text=True)

    def drop(self, message):
        """Returns the switches in the first line of lib/ that each error of the compiler names."""
        new = set()
        for block in re.split(r"(?m)^(?=\S+: error: )", message):
            for header, line in re.findall(rf"{self.lib}/moreau/(\S+?\.hpp):(\d+)", block):
                here = {m.number for m in self.mutants if m.header == header and m.pieces and int(line) in m.lines} - self.dropped
                if here:
                    new |= here
                    break
        return new

    def save_dropped(self):
        self.dropped_file.write_text(" ".join(map(str, sorted(self.dropped))))

    def build(self, test):
        """Builds a test, if it has changed, and runs it without a mutant."""
        stamp = pathlib.Path(f"{test.program}.stamp")
        now = digest(self.stamp, test.definitions, test.source.read_text())
        old = stamp.read_text().split() if stamp.exists() else []
        if old[:1] == [now]:
            test.level = int(old[1])
        else:
            self.compile_switches(test)
        self.measure(test)
        if test.level == 0 and test.seconds > LONG:  # also if it was stopped
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
                    continue  # another test has removed switches meanwhile
                new = self.drop(done.stderr)
                if not new:
                    sys.stderr.write(f"{test.name} does not compile\n{done.stderr[:3000]}\n")
                    os._exit(1)
                self.dropped |= new
                print(f"{test.name}: without the switches {sorted(new)}", flush=True)
                self.write_switches()

    def measure(self, test):
        """Runs a test without a mutant: its time, and the switches that it executes."""
        reached = SHOP / f"{test.program.name}.reached"
        reached.unlink(missing_ok=True)
        if not passes(test.program, 600 if test.level else 1, {"MOREAU_REACHED": str(reached)}, test) and (test.level or test.seconds < LONG):
            sys.stderr.write(f"{test.name} fails without a change\n")
            os._exit(1)
        if reached.exists():
            test.reached = dict(map(int, line.split()) for line in reached.read_text().splitlines())
