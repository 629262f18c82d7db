#!/usr/bin/env python3
"""Checks that tests/SCRIPTS.md lists every script, and that scripts have a suffix: script_table.py <root>

A script is a file with the suffix .py or .sh, or with an interpreter in its first line.
"""
import os
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
WITHOUT_SUFFIX = {"tests/run", "examples/run", ".ci/run", "toolchains/setup"}  # public commands
FOLDERS = (".ci", ".github", "examples", "lib", "ports", "tests", "toolchains")


def is_script(path):
    if path.suffix in (".py", ".sh"):
        return True
    with open(path, "rb") as file:
        return file.read(2) == b"#!"


scripts = set()
for folder in FOLDERS:
    for at, folders, files in os.walk(root / folder):
        folders[:] = [name for name in folders if name != "__pycache__"]
        paths = [pathlib.Path(at) / name for name in files]
        scripts |= {path.relative_to(root).as_posix() for path in paths if path.is_file() and is_script(path)}

listed = re.findall(r"^\| `([^`]+)` \| [^|]+ \| [^|]+ \|$", (root / "tests/SCRIPTS.md").read_text(), re.M)
complaints = [f"tests/SCRIPTS.md misses {name}" for name in sorted(scripts - set(listed))]
complaints += [f"tests/SCRIPTS.md lists {name}, which does not exist" for name in sorted(set(listed) - scripts)]
complaints += [f"tests/SCRIPTS.md lists {name} twice" for name in sorted({name for name in listed if listed.count(name) > 1})]
complaints += [f"{name} has no suffix" for name in sorted(scripts - WITHOUT_SUFFIX) if not pathlib.Path(name).suffix]
print("\n".join(complaints))
print(f"{len(scripts)} scripts, {len(complaints)} complaints")
sys.exit(1 if complaints or len(scripts) < 10 else 0)
