#!/usr/bin/env python3
"""The front page is short, its links lead somewhere, and what pages take from TIMING.md is what stands there: front_page.py <root>"""
import pathlib
import re
import subprocess
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
        if not re.match(r"https?:|#", target) and not document.parent.joinpath(target.split("#")[0]).exists():
            complaints.append(f"{document.relative_to(root)}: nothing at {target}")

pages = subprocess.run([sys.executable, root / "tests/bench/count/pages.py", "--check"], capture_output=True, text=True)
if pages.returncode != 0:
    complaints.append((pages.stdout + pages.stderr).strip())

print("\n".join(complaints))
print(f"README.md has {lines} lines; {links} links; {len(complaints)} complaints")
sys.exit(1 if complaints or links < 20 else 0)
