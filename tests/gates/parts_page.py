#!/usr/bin/env python3
"""Checks lib/PARTS.md against the headers of the parts: parts_page.py <root>

The page has a section with a figure for every part, and a row for every data member, in order and with its default. The
commands of drives, the masses and the contact law have rows as well. lib/parts/draw_parts.py draws the figures.
"""
import pathlib
import re
import subprocess
import sys

root = pathlib.Path(sys.argv[1])
page = (root / "lib/PARTS.md").read_text()
folders = ("joints", "mechanism")
OTHERS = ("Body", "ContactLaw", "CommandedSpeed", "CommandedPosition")  # listed in tables of several structs
VALUES = {"std::numeric_limits<Real>::infinity()": "infinity", "std::numeric_limits<Real>::max()": "largest number",
          "std::numeric_limits<Real>::quiet_NaN()": "none; required"}
TYPES = {"Point<Real>": "(0, 0)", "ContactLaw<Real>": "0, 0, 0", "Law": "{}", "Curve": "{}", "Real": "0"}


def default_of(kind, text):
    text = text.strip().lstrip("=").strip()
    if text in ("", "{}"):
        return TYPES[kind]
    text = re.sub(r"\bReal\(([-\d.e]+)\)", r"\1", text)
    sign, positive = ("-", text[1:]) if text.startswith("-") and text[1:] in VALUES else ("", text)
    text = sign + VALUES.get(positive, positive)
    return re.sub(r"^\{(.*)\}$", r"(\1)", text)


def members_of(body):
    """Returns the data members of a struct as (name, default)."""
    depth, found = 0, []
    for line in body.splitlines():
        code = line.split("//")[0].rstrip()
        declared = re.match(r"  (Point<Real>|ContactLaw<Real>|Real|Law|Curve) ([A-Za-z]\w*.*);$", code)
        if depth == 0 and declared and "(" not in declared.group(2).split("=")[0].split("{")[0]:
            for one in re.split(r",\s*(?=\w+(?:\[| =|,|$|\{))", declared.group(2)):
                name, rest = re.match(r"(\w+(?:\[\w+\])?)(.*)$", one).groups()
                found.append((name, default_of(declared.group(1), rest)))
        depth += code.count("{") - code.count("}")
    return found


def rows_of(text, first=0):
    """Returns the rows of a table as (member, default)."""
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("| `") or line.startswith("| | `")]
    return [(row[first].strip("`"), row[first + 2]) for row in cells]


structs, complaints, parts = {}, [], []
for header in sorted(path for folder in folders for path in (root / "lib/moreau" / folder).glob("*.hpp") if path.name != "require.hpp") + [root / "lib/moreau/model/directions.hpp"]:
    for name, body in re.findall(r"\nstruct (\w+) \{\n(.*?)\n\};", header.read_text(), re.S):
        structs[name] = members_of(body)
        if "static constexpr int body_A" in body or " field(const Body" in body:
            parts.append(name)

sections = {name: text.split("\n## ")[0] for name, text in re.findall(r"\n### (\w+)\n(.*?)(?=\n### |\Z)", page, re.S)}
for name in parts:
    snake = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()
    if name not in sections:
        complaints.append(f"lib/PARTS.md has no section of the part {name}")
        continue
    if f"](parts/{snake}.svg)" not in sections[name] or not (root / f"lib/parts/{snake}.svg").exists():
        complaints.append(f"{name} has no figure parts/{snake}.svg")
    if (rows := rows_of(sections[name])) != structs[name]:
        complaints.append(f"{name}: the page has {rows}, the header {structs[name]}")
complaints += [f"lib/PARTS.md has a section of {name}, which is no part" for name in sections if name not in parts]

commands = re.search(r"\n\| law \| member .*?\n\n", page, re.S).group()
for name in OTHERS:
    if name.startswith("Commanded"):
        rows = rows_of("\n".join(re.sub(rf"^\| `{name}` ", "| ", line) for line in re.findall(rf"^\| `{name}`[^\n]*(?:\n\| \|[^\n]*)*", commands, re.M)[0].splitlines()), 1)
    else:
        rows = [(member.split("::")[1], default) for member, default in rows_of(page) if member.startswith(f"{name}::")]
    if rows != structs[name]:
        complaints.append(f"{name}: the page has {rows}, the header {structs[name]}")

drawn = subprocess.run([sys.executable, root / "lib/parts/draw_parts.py", "--check"], capture_output=True, text=True)
complaints += [line for line in (drawn.stdout + drawn.stderr).splitlines() if line]
print("\n".join(complaints))
print(f"{len(parts)} parts with {sum(len(structs[name]) for name in parts)} members, {len(complaints)} complaints")
sys.exit(1 if complaints or len(parts) < 20 else 0)
