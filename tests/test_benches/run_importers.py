#!/usr/bin/env python3
"""Third-party importers run an FMU, if installed: run_importers.py <fmu> ; exit code 77: none is installed.

fmusim (Reference FMUs), fmuCheck (the FMU Compliance Checker), FMPy.
"""
import importlib.util
import shutil
import subprocess
import sys
import tempfile

fmu = sys.argv[1]
ran, failed = 0, 0
with tempfile.TemporaryDirectory() as work:
    for tool, arguments in (("fmusim", ["--output-file", f"{work}/out.csv", fmu]), ("fmuCheck.linux64", ["-k", "cs", "-o", f"{work}/out.csv", fmu]),
                            ("fmuCheck", ["-k", "cs", "-o", f"{work}/out.csv", fmu])):
        if not shutil.which(tool):
            print(f"skipped: {tool} is not on PATH")
            continue
        result_of_tool = subprocess.run([tool, *arguments], capture_output=True, text=True, timeout=3000, cwd=work)
        ran += 1
        failed += result_of_tool.returncode != 0
        print(f"{tool}: exit code {result_of_tool.returncode}\n{result_of_tool.stdout}{result_of_tool.stderr}")
    if importlib.util.find_spec("fmpy"):
        import fmpy
        from fmpy.validation import validate_fmu
        problems = validate_fmu(fmu)
        result = fmpy.simulate_fmu(fmu)
        frames = fmpy.simulate_fmu(fmu, stop_time=0.5, output_interval=1 / 60)  # off the grid of the internal steps
        ran += 1
        failed += bool(problems) or len(result) < 10 or len(frames) != 31
        print(f"FMPy: {len(problems)} problems {problems}, {len(result)} rows, {len(frames)} frames of 1/60 s")
    else:
        print("skipped: FMPy is not importable")
print(f"{ran} importers ran, {failed} failed")
sys.exit(77 if ran == 0 else (1 if failed else 0))
