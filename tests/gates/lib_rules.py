#!/usr/bin/env python3
"""Checks the source rules of lib/: python3 lib_rules.py <lib>

Headers include only headers of their own and earlier stages. They do not allocate, throw, print, lock or loop without a
bound, and the step path does not use libm. Headers are short and listed in the tour. In all C++ sources, clang-format 14
must not have mistaken an expression for a reference (`a<b>&& c::d`) or a comparison (`value_or < a, b >`). Comments and
quoted text are exempt.
"""
import pathlib
import re
import statistics
import sys

STAGES = ["math", "model", "joints", "mechanism", "spatial", "contact", "solve", "step", "adapt", "record", "check"]
OFF_THE_STEP = ["adapt", "record", "check"]  # may use libm: do not run inside a step
LIMIT, LIMIT_MEDIAN = 320, 120  # lines: one concept per header

FORBIDDEN_HEADERS = """iostream ostream istream sstream fstream iomanip cstdio stdio.h vector string string_view map set list deque
 unordered_map unordered_set functional memory thread mutex atomic future chrono regex random stdexcept exception any variant
 valarray cstdlib stdlib.h""".split()
LIBM_HEADERS = ["cmath", "math.h", "complex"]
FORBIDDEN_CODE = {
    r"\bthrow\b|\btry\s*\{|\bcatch\s*\(": "exceptions",
    r"\bvirtual\b|\bdynamic_cast\b|\btypeid\b": "virtual functions or RTTI",
    r"\bnew\b|\bdelete\b(?!\s*;)|\b[mc]alloc\b|std::free\b|\balloca\b": "allocation",
    r"\bprintf\b|\bputs\s*\(|std::cout|std::cerr": "printing",
    r"std::(function|vector|string|unique_ptr|shared_ptr|map)\b": "std:: containers that allocate",
    r"for\s*\(\s*;\s*;\s*\)|while\s*\(\s*(true|1)\s*\)|\bgoto\b": "a loop without a bound",
    r"\bthread_local\b|\bvolatile\b": "thread_local or volatile",
    r"\bgnu::|\b__builtin_|\b__attribute__|\basm\b|#\s*pragma\s+GCC": "compiler extension outside math/compiler.hpp",
    r"\bEigen::Dynamic\b|\bMatrixX[df]\b|\bVectorX[df]\b": "Eigen types of run-time size",
}
LIBM_CODE = r"std::(sin|cos|tan|asin|acos|atan2?|sqrt|hypot|pow|exp|log|fmod|floor|ceil|round|fma)\s*\(|\.(norm|normalized|stableNorm)\(\)"

# && without spaces that no declared name follows; the name of a variable template before a spaced <.
AS_REFERENCE = r"(?<!operator)(?<=[\w>)\]])&&(?!\s*(?:\.\.\.)?\s*(?:[a-z_]\w*)?\s*(?:[,)>\[]|=(?!=)|:(?!:)))"
VARIABLE_TEMPLATE = r"template <[^;{}()]*>\s*(?:inline |static )*constexpr [\w:<>]+ (\w+)(?:<[^;{}=]*>)? ="
AS_COMPARISON = r"\b(?:%s) < [\w:]+(?: >|,|$)"

found = []


def complain(path, line, text):
    found.append(f"{path}:{line}: {text}")


def without_comments(text):
    def blank(match):
        return re.sub(r"[^\n]", " ", match.group())
    return re.sub(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"(?=[^\n]*)", lambda m: m.group() if m.group().startswith('"moreau/') else blank(m),
                  text, flags=re.S)


def check(path, root):
    parts = path.relative_to(root / "moreau").parts
    stage = parts[0] if len(parts) > 1 else None
    raw = path.read_text()
    if stage is not None and f"`{path.name}`" not in (root / "README.md").read_text():
        complain(path, 1, "not in the tour, lib/README.md")
    if stage is not None and stage not in STAGES:
        complain(path, 1, f"folder '{stage}' is not one of the stages {' '.join(STAGES)}")
        return
    if not raw.startswith("//"):
        complain(path, 1, "the header does not start with a comment on its contents")
    if "#pragma once" not in raw:
        complain(path, 1, "no #pragma once")
    lines = without_comments(raw).split("\n")
    if len(lines) - 1 > LIMIT:
        complain(path, len(lines), f"more than {LIMIT} lines")
    for number, line in enumerate(lines, 1):
        include = re.match(r"\s*#\s*include\s*[<\"]([^>\"]+)[>\"]", line)
        if include:
            check_include(path, number, stage, include.group(1))
            continue
        for pattern, what in FORBIDDEN_CODE.items():
            if re.search(pattern, line) and (path.name != "compiler.hpp" or "compiler" not in what):
                complain(path, number, f"{what}: {line.strip()}")
        if stage not in OFF_THE_STEP and re.search(LIBM_CODE, line):
            complain(path, number, f"libm, or a reduction whose order Eigen chooses, on the step path: {line.strip()}")


def check_include(path, number, stage, name):
    if name in FORBIDDEN_HEADERS:
        complain(path, number, f"<{name}> is forbidden in lib/")
    if name in LIBM_HEADERS and stage not in OFF_THE_STEP:
        complain(path, number, f"<{name}> on the step path")
    if name.startswith("moreau/port/"):
        complain(path, number, "lib/ must not depend on ports")
    if stage is not None and name.startswith("moreau/"):
        other = name.split("/")[1]
        if other not in STAGES:
            complain(path, number, f"{name}: stages do not include the umbrellas")
        elif STAGES.index(other) > STAGES.index(stage):
            complain(path, number, f"{stage} includes {name}: {other} comes later")


def check_formatting(root):
    files = [p for folder in ("lib", "ports", "examples", "tests") for p in sorted((root / folder).rglob("*.[ch]pp")) if "data" not in p.parts]
    texts = {path: without_comments(path.read_text()) for path in files}
    templates = {name for text in texts.values() for name in re.findall(VARIABLE_TEMPLATE, text)}
    damaged = re.compile(f"{AS_REFERENCE}|{AS_COMPARISON % '|'.join(sorted(templates))}")
    for path, text in texts.items():
        for number, line in enumerate(text.split("\n"), 1):
            if damaged.search(line):
                complain(path.relative_to(root), number, f"damaged by clang-format (put the condition in parentheses, name the value): {line.strip()}")


def main():
    root = pathlib.Path(sys.argv[1])
    check_formatting(root.resolve().parent)
    headers = sorted((root / "moreau").rglob("*.hpp"))
    for path in headers:
        check(path, root)
    lengths = [len(path.read_text().splitlines()) for path in headers]
    median = statistics.median(lengths) if lengths else 0
    if median > LIMIT_MEDIAN:
        found.append(f"the median header has {median} lines, more than {LIMIT_MEDIAN}")
    print("\n".join(found))
    print(f"{len(headers)} headers, median {median} lines, longest {max(lengths, default=0)}, {len(found)} complaints")
    return 1 if found or not headers else 0


sys.exit(main())
