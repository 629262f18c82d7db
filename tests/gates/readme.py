#!/usr/bin/env python3
"""Compiles and runs the programs in documents, and compares excerpts and outputs with the sources:
readme.py <work folder> <document>... -- <compiler> <flag>...

A program is a fenced cpp block with a main. A comment above a fenced block defines the required contents:
  <!-- program: file -->    the whole file
  <!-- part of: file -->    consecutive lines of the file
  <!-- output of: file -->  consecutive lines of the output of the program
"""
import pathlib
import re
import subprocess
import sys

BLOCK = re.compile(r"^(?:<!-- (program|part of|output of): (\S+) -->\n)?```(\w*)\n(.*?)^```", flags=re.S | re.M)
split = sys.argv.index("--")
work, documents, command = pathlib.Path(sys.argv[1]), sys.argv[2:split], sys.argv[split + 1:]
work.mkdir(parents=True, exist_ok=True)
programs = failures = excerpts = 0
outputs = {}  # of the examples


def fail(text):
    global failures
    failures += 1
    print(text)


def run(where, source, flags=command):
    """Returns the output of a program; reports a failure if it does not compile or ends with an error."""
    program = (work / source.name).with_suffix("")
    build = subprocess.run([*flags, "-Iexamples", str(source), "-o", str(program)], capture_output=True, text=True)
    if build.returncode != 0:
        fail(f"{where} does not compile\n{build.stderr[:2000]}")
        return ""
    ran = subprocess.run([str(program.resolve())], capture_output=True, text=True, timeout=600, cwd=work)
    if ran.returncode != 0:
        fail(f"{where} ends with {ran.returncode}")
    return ran.stdout


for document in documents:
    text = pathlib.Path(document).read_text()
    for match in BLOCK.finditer(text):
        kind, origin, language, code = match.groups()
        where = f"{document}:{text[:match.start(4)].count(chr(10)) + 1}"
        if kind == "part of":
            excerpts += 1
            if f"\n{code}" not in f"\n{pathlib.Path(origin).read_text()}":
                fail(f"{where}: {origin} does not contain these lines")
        elif kind == "output of":
            excerpts += 1
            if origin not in outputs:
                # without warnings: the regular build of the example has them, at its own optimisation level
                outputs[origin] = run(origin, pathlib.Path(origin), [word for word in command if not word.startswith("-W")])
            if f"\n{code}" not in f"\n{outputs[origin]}":
                fail(f"{where}: {origin} does not print these lines, but\n{outputs[origin]}")
        elif language == "cpp" and re.search(r"\bint main\(", code):
            programs += 1
            if origin and pathlib.Path(origin).read_text() != code:
                fail(f"{where}: the program differs from {origin}")
            source = work / f"program{programs}.cpp"
            source.write_text(f'#line {where.rpartition(":")[2]} "{document}"\n{code}')
            printed = run(where, source)
            print(f"{where} prints:\n{printed}")
            if origin:
                outputs[origin] = printed
print(f"{programs} programs, {excerpts} excerpts, {failures} failed")
sys.exit(1 if failures or programs == 0 else 0)
