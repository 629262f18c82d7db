#!/usr/bin/env python3
"""Builds and runs examples/own_project in an empty folder with the commands of ports/OWN_PROJECT.md:
own_project.py <source tree> <build tree> <work folder>

The library is installed from the build tree. The output of the board under QEMU equals that of the page and that of the
same program on the host. Exit code 77 (skipped) without the Arm toolchain or QEMU.
"""
import pathlib
import re
import shutil
import subprocess
import sys

source, build, work = (pathlib.Path(argument).resolve() for argument in sys.argv[1:4])
if not shutil.which("arm-none-eabi-g++") or not shutil.which("qemu-system-arm"):
    print("skipped: no Arm toolchain or no QEMU")
    sys.exit(77)
page = (source / "ports/OWN_PROJECT.md").read_text()
project, installed = work / "project", work / "installed"
failures = 0


def run(command, **options):
    global failures
    ran = subprocess.run(command, capture_output=True, text=True, timeout=600, **options)
    if ran.returncode != 0:
        failures += 1
        print(f"exit code {ran.returncode}: {command}\n{(ran.stdout + ran.stderr)[-3000:]}")
    return ran.stdout


def expect(holds, text):
    global failures
    if not holds:
        failures += 1
    print(("ok      " if holds else "FAILED  ") + text)


shutil.rmtree(work, ignore_errors=True)
run(["cmake", "--install", build, "--prefix", installed])
shutil.copytree(source / "examples/own_project", project)
listed = set(re.findall(r"^\| `([\w./]+)` \|", page, re.M))
files = {str(path.relative_to(project)) for path in project.rglob("*") if path.is_file()}
expect(listed == files, f"the page lists the files of the project {sorted(listed ^ files)}")

commands = re.findall(r"^    ((?:cmake|qemu-system-arm) .*)$", page, re.M)
expect(len(commands) == 3, "the page has three commands")
outputs = [run(command.replace("/opt/moreau", str(installed)), cwd=project, shell=True) for command in commands]
expected = re.search(r"```text\n(.*?)```", page, re.S).group(1)
expect(outputs[-1].replace("\r", "") == expected, f"the board prints the output of the page\n{outputs[-1]}")

eigen = re.search(r"^Eigen3_DIR:PATH=(.*)$", (build / "CMakeCache.txt").read_text(), flags=re.M).group(1)
eigen = pathlib.Path(eigen).parents[2] / "include/eigen3"
ports = installed / "share/moreau/ports"
host = work / "host"
run(["g++", "-std=c++17", "-O1", "-ffp-contract=off", f"-I{installed}/include", f"-I{ports}/host", f"-I{ports}/shared", "-isystem", eigen,
     source / "examples/own_project/main.cpp", "-o", host])
expect(run([host]) == expected, "the host prints the same")
print(f"{failures} failures")
sys.exit(1 if failures else 0)
