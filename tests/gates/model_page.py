#!/usr/bin/env python3
"""Checks that lib/MODEL.md lists exactly the members that the Model contract detects: model_page.py <root>

Detected members follow `M::` and `const_object<M>()` in the headers of the contract. Those of parts follow `P::` and
`const P&` in the headers of the parts. The page names a member in backquotes in the first column of a table; in the
table of part roles, in the second.
"""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
lib = root / "lib/moreau"
page = (root / "lib/MODEL.md").read_text()
models, parts = page.split("\n## Parts of a mechanism\n")
NOT_A_MEMBER = {"type", "value"}


def detected(pattern, *files):
    text = "".join(re.sub(r"//[^\n]*", "", (lib / file).read_text()) for file in files)
    text = re.sub(r"template <class M> using old = [^\n]*", "", text)
    earlier = set(re.findall(r"declares `(\w+)`: the member is called", text))  # rejected names
    return {name for names in re.findall(pattern, text) for name in names if name} - NOT_A_MEMBER - earlier


def written(text):
    """Returns the names in backquotes in the cells that name a member."""
    found = set()
    for line in text.splitlines():
        if not line.startswith("| ") or line.startswith("| member"):
            continue
        for cell in line.split("|")[1:3]:
            for code in re.findall(r"`([^`]*)`", cell):
                head = re.sub(r"\[\w*\]$", "", code.split("(")[0].strip())
                found |= {head.split()[-1]} if "(" in code else set(re.findall(r"(\w+)(?:,|$)", head)) or set()
    return found


complaints = []
in_models = detected(r"\bM::(\w+)|const_object<M>\(\)\.(\w+)", "model/traits.hpp", "model/functions.hpp", "model/free_motion.hpp", "model/require.hpp", "check/energy_audit.hpp")
on_page = written(models)
complaints += [f"lib/MODEL.md has no row of the model's `{name}`" for name in sorted(in_models - on_page)]
complaints += [f"lib/MODEL.md has a row of `{name}`, which no header detects" for name in sorted(on_page - in_models)]

in_parts = detected(r"\b(?:P|Q|Part|Parts)::(\w+)|declval<const (?:P|Q)&>\(\)\.(\w+)|const_object<(?:P|Q|Parts)>\(\)\.(\w+)",
                    "mechanism/parts.hpp", "mechanism/require.hpp", "mechanism/require_list.hpp", "mechanism/parts_list.hpp")
complaints += [f"lib/MODEL.md has no row of a part's `{name}`" for name in sorted(in_parts) if not re.search(rf"\b{name}\b", parts)]

print("\n".join(complaints))
print(f"{len(in_models)} members of a model, {len(in_parts)} of a part, {len(complaints)} complaints")
sys.exit(1 if complaints or len(in_models) < 25 or len(in_parts) < 10 else 0)
