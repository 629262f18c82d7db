#!/usr/bin/env python3
"""Checks the length of the front page, the links of all pages, and the names in the pages of the library: front_page.py
<root>

A name is a text in backquotes that looks like a file, a type, a member or a call. Figures are checked by
tests/write_pages.py --check.
"""
import pathlib
import re
import sys

MOST_LINES = 150
root = pathlib.Path(sys.argv[1]).resolve()
complaints = []

lines = (root / "README.md").read_text().count("\n")
if lines > MOST_LINES:
    complaints.append(f"README.md has {lines} lines, more than {MOST_LINES}")

documents = [*root.glob("*.md"), *(page for folder in ("lib", "ports", "examples", "tests", ".github") for page in (root / folder).rglob("*.md"))]
links = 0
for document in documents:
    text = re.sub(r"^```.*?^```", "", document.read_text(), flags=re.S | re.M)
    for target in re.findall(r"\]\(([^)\s]+)\)", text) + re.findall(r'(?:src|srcset)="([^"]+)"', text):
        links += 1
        if not re.match(r"https?:|#|\.\./\.\./actions/", target) and not document.parent.joinpath(target.split("#")[0]).exists():
            complaints.append(f"{document.relative_to(root)}: nothing at {target}")

# Files and names in pages; CHANGELOG.md, which names removed ones, is left out.
sources = [path for folder in ("lib", "ports", "tests", "examples", "toolchains") for path in (root / folder).rglob("*") if path.is_file()]
words = set()
for path in sources + [root / "CMakeLists.txt"]:
    if path.suffix != ".md":
        words |= set(re.findall(r"\w+", path.read_text(errors="ignore")))
names = 0
for document in (root / "README.md", *sorted((root / "lib").glob("*.md")), root / "tests/benchmarks/TIMING.md", root / "tests/determinism/README.md"):
    for code in re.findall(r"`([^`\n]+)`", document.read_text()):
        names += 1
        if re.fullmatch(r"[\w./*]+\.(hpp|cpp|py|md|gp)", code):
            if "*" not in code and not any(str(path).endswith("/" + code) for path in sources):
                complaints.append(f"{document.relative_to(root)}: no file {code}")
        elif re.fullmatch(r"[A-Za-z][\w:.]*(<.*>)?(\(.*\))?", code):
            missing = [word for word in re.findall(r"[A-Za-z_]\w+", code) if word not in words]
            if missing:
                complaints.append(f"{document.relative_to(root)}: the sources have no {' '.join(missing)} (`{code}`)")

print("\n".join(complaints))
print(f"README.md has {lines} lines; {links} links, {names} names; {len(complaints)} complaints")
sys.exit(1 if complaints or links < 20 or names < 100 else 0)
