#!/usr/bin/env python3
"""Bits of an FMU on other platforms: compare_platforms.py <folder of the FMU> <fmu_bits.cpp> <flag>...

Builds the sources of the FMU and the program for each platform and compares the hashes of a run: Windows by mingw-w64 under
Wine, aarch64 under QEMU's user mode, 32-bit x86. A build for x87 must warn that its bits differ. Exit code 77: no
platform is installed.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

folder, program, *flags = sys.argv[1:]
folder = pathlib.Path(folder)
root = xml.parse(folder / "modelDescription.xml").getroot()
version = root.get("fmiVersion")[0]
name, token = root.get("modelName"), root.get("instantiationToken") or root.get("guid")
variables = list(root.find("ModelVariables"))
first = next(v for v in variables if v.get("causality") == "input")
dt = root.find("DefaultExperiment").get("stepSize")
largest = float((first[0] if version == "2" else first).get("max"))
arguments = [token, str(len(variables)), dt, first.get("valueReference"), repr(0.1 * largest), version]
wine = next((path for path in ("wine64", "/usr/lib/wine/wine64", "wine") if shutil.which(path)), None)
PLATFORMS = (  # name, compiler, flags of the library, flags of both, runner, must warn
    ("linux", "c++", ["-fPIC"], [], [], False),
    ("windows", "x86_64-w64-mingw32-g++", ["-static"], ["-static"], [wine], False),
    ("aarch64", "aarch64-linux-gnu-g++", ["-fPIC"], [], ["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"], False),
    ("i686 with SSE", "i686-linux-gnu-g++", ["-fPIC"], ["-msse2", "-mfpmath=sse"], [], False),
    ("i686 with x87", "i686-linux-gnu-g++", ["-fPIC"], ["-mno-sse"], [], True),
)


def run(*command, **more):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=1500, **more)
    return done.returncode, done.stdout.replace("\r", "") + (done.stderr if done.returncode else "")


results, failed = {}, 0
with tempfile.TemporaryDirectory() as work:
    for platform, compiler, of_library, of_both, runner, warns in PLATFORMS:
        if not shutil.which(compiler) or runner and not (runner[0] and shutil.which(runner[0])):
            print(f"skipped: {platform}")
            continue
        library, binary = f"{work}/{name}.{compiler}.so", f"{work}/bits.{compiler}.exe"
        for command in ([compiler, "-std=c++17", "-O2", "-shared", *of_library, *of_both, "-o", library, folder / "sources" / f"{name}.cpp"],
                        [compiler, "-std=c++17", "-O1", *of_both, *flags, program, "-o", binary]):
            status, text = run(*command)
            if status:
                sys.exit(f"{platform}: {text[:3000]}")
        status, text = run(*runner, binary, library, *arguments, cwd=work,
                           env={**os.environ, "WINEPREFIX": f"{work}/wine", "WINEDEBUG": "-all"})
        lines = text.split("\n")
        print(platform, status, lines)
        warned = any(line.startswith("warning: this build") for line in lines)
        failed += warned != warns or status != 0
        if not warns:
            results[platform] = [line for line in lines if "status" in line]
failed += len({str(one) for one in results.values()}) != 1
print(f"{len(results)} platforms, {failed} failed")
sys.exit(77 if len(results) < 2 else 1 if failed else 0)
