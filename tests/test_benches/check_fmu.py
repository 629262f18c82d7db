#!/usr/bin/env python3
"""Contents of an FMU file: check_fmu.py <fmu> <binary in it> <schema> <test program> <compiler>...

Checks the files, the description (by the schema and by rules beyond a schema), and the sources: a plain compiler command
rebuilds them in an empty folder, and the test program compares the bits of the new binary.
"""
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml
import zipfile

fmu, binary, schema, program, *compilers = sys.argv[1:]
name = pathlib.Path(fmu).stem
failures = []


def expect(holds, what, text=""):
    if not holds:
        failures.append(what)
        print(f"FAILED  {what}\n{text}")


def run(*command, **options):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=3000, **options)


def check_description(path):
    if shutil.which("xmllint"):
        checked = run("xmllint", "--noout", "--schema", schema, path)
        expect(checked.returncode == 0, "modelDescription.xml is valid by the schema", checked.stderr)
    else:
        print("skipped: xmllint is not installed, the schema is not checked")
    root = xml.parse(path).getroot()
    variables = list(root.find("ModelVariables"))
    outputs = [i for i, v in enumerate(variables) if v.get("causality") == "output"]
    expect([int(v.get("valueReference")) for v in variables] == list(range(len(variables))), "value references are consecutive")
    if root.get("fmiVersion") == "2.0":
        numbers = [v[0] for v in variables]
        structure = {group: [int(u.get("index")) - 1 for u in root.find(f"ModelStructure/{group}")] for group in ("Outputs", "InitialUnknowns")}
        sources = [file.get("name") for file in root.findall("CoSimulation/SourceFiles/File")]
    else:
        numbers = variables
        structure = {group: [int(u.get("valueReference")) for u in root.findall(f"ModelStructure/{group}")] for group in ("Output", "InitialUnknown")}
        build = xml.parse(path.parent / "sources/buildDescription.xml").getroot()
        expect(build.get("fmiVersion") == "3.0" and build[0].get("modelIdentifier") == name, "the build description belongs to this FMU")
        sources = [file.get("name") for file in build.findall("BuildConfiguration/SourceFileSet/SourceFile")]
    for group, listed in structure.items():
        expect(listed == outputs, f"{group}: all outputs, in order")
    for v, number in zip(variables, numbers):
        kind, start = v.get("causality"), number.get("start")
        expect((start is not None) == (kind in ("input", "parameter")), f"{v.get('name')}: inputs and parameters alone have a start value")
        expect((v.get("initial") == "exact") == (kind == "parameter"), f"{v.get('name')}: parameters alone are initial exact")
        expect((v.get("variability") == "tunable") == (kind == "parameter"), f"{v.get('name')}: parameters are tunable")
        if start is not None:
            expect(float(number.get("min", -math.inf)) <= float(start) <= float(number.get("max", math.inf)), f"{v.get('name')}: start value within its range")
    expect([v.get("causality") for v in variables].count("independent") == 1, "one independent variable")
    described = sum(v.get("description") is not None for v in variables)
    expect(described > len(variables) / 2, f"most variables have a description: {described} of {len(variables)}")
    return sources


# Documentation, licences, icon and, from FMI 3.0, terminals that name variables of the description.
def check_documentation(tree, version):
    pictures = {"3": ["terminalsAndIcons/icon.png", "terminalsAndIcons/icon.svg"], "2": ["model.png"]}[version]
    files = ["documentation/index.html", "documentation/licenses/license.txt", *pictures]
    names = {v.get("name") for v in xml.parse(tree / "modelDescription.xml").getroot().find("ModelVariables")}
    if version == "3":
        files.append("terminalsAndIcons/terminalsAndIcons.xml")
        terminals = xml.parse(tree / files[-1]).getroot().findall("Terminals/Terminal")
        for terminal in terminals:
            for member in terminal:
                full = f"{terminal.get('name')}.{member.get('memberName')}"
                expect(full == member.get("variableName") and full in names, f"terminal member {full} is a variable")
        expect(len(terminals) > 1, "terminals of the parts")
    page = (tree / "documentation/index.html").read_text()
    expect(all(f"<td>{name}</td>" in page for name in names), "the documentation lists all variables")
    expect("@" not in page, "the documentation has no open places")
    licence = (tree / "documentation/licenses/license.txt").read_text()
    expect("Mozilla Public License" in licence and "WITHOUT WARRANTY" in licence, "the licences of the library and of Eigen")
    expect((tree / pictures[0]).read_bytes()[:8] == b"\x89PNG\r\n\x1a\n", "the icon is a PNG file")
    return files


def check_files(tree, sources, further):
    files = sorted(str(path.relative_to(tree)) for path in tree.rglob("*") if path.is_file())
    beside = ["sources/buildDescription.xml"] if (tree / "sources/buildDescription.xml").exists() else []
    expect(files == sorted(["modelDescription.xml", binary, "sources/moreau_library.hpp"] + beside + further + [f"sources/{s}" for s in sources]),
           "a description, a binary, the listed sources, one library file and the documentation", files)
    for path in (tree / "sources").iterdir():
        text = path.read_text()
        expect(not re.search(r"/(home|tmp|root|usr/include)/", text), f"{path.name} has no local paths")
        expect(not re.search(r"fmi[23](TypesPlatform|PlatformTypes|FunctionTypes|Functions)\.h", text), f"{path.name} requires no header of the standard")
    lines = [line for s in sources for line in (tree / "sources" / s).read_text().splitlines() if line.startswith("#include")]
    expect(lines == ['#include "moreau_library.hpp"'] + [l for l in lines[1:] if "<" in l], "the model requires the library file only", lines)
    symbols = run("nm", "-D", tree / binary).stdout
    expect(not re.search(r"\bU (malloc|calloc|realloc|free|_Zn[wa]m|_Zd[la]Pv|printf|puts|__cxa_throw)\b", symbols), "no allocation, output or exception", symbols)
    exported = re.findall(r" [A-TV-Z] (\w+)", symbols)
    expect(exported and all(re.fullmatch(rf"({name}_)?fmi[23]\w+", one) for one in exported), "only the interface is exported", exported)


def check_rebuilt(tree, sources):
    for compiler in compilers:
        line = [*compiler.split(), "-O2", "-shared", "-fPIC", "-o", f"{name}.so", *sources]
        built = run(*line, cwd=tree / "sources")
        if not built.returncode == 0:
            expect(False, f"builds: {' '.join(line)}", built.stderr[:2000])
            continue
        tested = run(program, env={**os.environ, "MOREAU_FMU_BINARY": str(tree / "sources" / f"{name}.so")})
        expect(tested.returncode == 0, f"bit-identical: {' '.join(line)}", tested.stdout)
        print("rebuilt and tested:", " ".join(line))


with tempfile.TemporaryDirectory() as work:
    tree = pathlib.Path(work)
    zipfile.ZipFile(fmu).extractall(tree)
    listed = check_description(tree / "modelDescription.xml")
    check_files(tree, listed, check_documentation(tree, re.search(r"fmi(\d).xsd", schema).group(1)))
    check_rebuilt(tree, listed)
print(f"{len(failures)} failed")
sys.exit(1 if failures else 0)
