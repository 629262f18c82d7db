#!/usr/bin/env python3
"""A machine of a user's own folder as a playground page: build_own.py <source tree>; exit code 77: no Chromium."""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "pages"))
import browser  # noqa: E402

source = pathlib.Path(sys.argv[1]).resolve()
if not browser.program():
    print("skipped: Chromium is not installed")
    sys.exit(77)
page = (source / "ports/playground/README.md").read_text()
with tempfile.TemporaryDirectory() as work:
    folder = pathlib.Path(work)
    shutil.copy(source / "tests/playground/own/hammer.hpp", folder)
    text = re.search(r"```cmake\n(.*?)```", page, flags=re.S).group(1)
    (folder / "CMakeLists.txt").write_text(text.replace("find_package(moreau REQUIRED)", f"add_subdirectory({source} moreau EXCLUDE_FROM_ALL)"))
    for command in (["cmake", "-B", "build", "-DCMAKE_BUILD_TYPE=Release"], ["cmake", "--build", "build"]):
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
        if done.returncode:
            sys.exit(done.stdout[-3000:] + done.stderr[-3000:])
    chromium = browser.Browser()
    with browser.Page(chromium, (folder / "build/hammer.html").as_uri() + "#check") as shown:
        shown("ready.then(() => 0)")
        found = shown("({...document.documentElement.dataset})")
    chromium.close()
print(found)
sys.exit(not (found["check"] == "done" and found["errors"] == "none" and found["changed"] == found["canvases"]))
