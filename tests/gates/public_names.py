#!/usr/bin/env python3
"""Counts the public names of lib/: public_names.py <lib> [--list | --write]

Public names are the types, functions, constants and aliases in namespace moreau outside detail. Each name needs a
comment: a block above the declaration, or a comment behind it. The opening comment of a header covers the name of the
header (Options in options.hpp). The numbers have limits; lower a limit when names move into detail. Macros start with
MOREAU_ or do not exist.

PURPOSES groups the names. lib/README.md lists them in a table, lib/DESIGN.md gives their number; --write writes both.
"""
import collections
import pathlib
import re
import sys

LIMIT = 138               # public names
LIMIT_WITHOUT_PARTS = 65  # without joints, parts and forces
LIMIT_WITHOUT_COMMENT = 0

PARTS, MODELS = "mechanisms from parts", "models and their steppers"
PURPOSES = {  # purpose: pattern of its headers; the first match counts
    PARTS: r"(joints|mechanism|spatial)/|step/close_joints",
    "adaptive runs": r"adapt/",
    "checks and records": r"(check|record)/",
    MODELS: r"",
}
MOVED = {"ForceAt": "adaptive runs"}  # declared beside the step, used by adaptive runs

WORD = r"[A-Za-z_]\w*"


def blank(match):
    return re.sub(r"[^\n]", " ", match.group())


def code_of(text):
    """Returns the text with blanked comments, strings and preprocessor lines; line numbers and columns stay."""
    text = re.sub(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'', blank, text, flags=re.S)
    return re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", blank, text, flags=re.M)


def without(text, opening, closing, before):
    """Removes every `before` followed by a balanced pair, e.g. template <...>."""
    while match := re.search(before + r"\s*" + re.escape(opening), text):
        depth, inner, end = 1, 0, match.end()
        while end < len(text) and depth > 0:
            if opening != "(":
                inner += (text[end] == "(") - (text[end] == ")")
            if inner == 0:
                depth += (text[end] == opening) - (text[end] == closing)
            end += 1
        text = text[:match.start()] + " " + text[end:]
    return text


def declared_name(statement):
    """Returns the name that a statement of a namespace declares, or None."""
    text = re.sub(r"\[\[.*?\]\]|\bMOREAU_[A-Z_]+\b", " ", statement, flags=re.S)
    text = without(text, "<", ">", r"\btemplate")
    text = re.sub(r"\s+", " ", without(text, "(", ")", r"\b(decltype|noexcept|alignas)")).strip()
    if not text or re.match(r"(friend|static_assert|extern template)\b", text):
        return None
    if using := re.match(rf"using ({WORD}) =|using (?:{WORD}::)*({WORD})$", text):
        return using.group(1) or using.group(2)
    if kind := re.match(rf"(?:enum class|enum|struct|class|union) ({WORD})\s*(<)?", text):
        return None if kind.group(2) else kind.group(1)
    head = re.split(r"[({=]", text)[0]
    if "operator" in head or ("->" in text and not re.search(r"\bauto\b", text)):  # an operator or a deduction guide
        return None
    if re.search(r"::\s*" + WORD + r"\s*$", head):  # a member, defined outside its class
        return None
    words = re.findall(WORD + r"(?=\s*(?:\[[^\]]*\])?\s*$)", head)
    return words[-1] if words and not words[-1].startswith("MOREAU_") else None


def declarations(text):
    """Yields (name, first line, last line) of declarations in moreau and its namespaces except detail."""
    code = code_of(text)
    scopes, begin, parentheses = [], 0, 0  # a scope is the name of a namespace, or None
    for position, character in enumerate(code):
        parentheses += (character in "([") - (character in ")]")
        if character not in "{};" or parentheses > 0:
            continue
        statement = code[begin:position]
        open_here = bool(scopes) and None not in scopes and "detail" not in "::".join(scopes).split("::") and scopes[0].split("::")[0] == "moreau"
        namespace = re.search(rf"\bnamespace\s+((?:{WORD}|::)*)\s*$", statement)
        if character != "}" and open_here and not namespace and (name := declared_name(statement)):
            first = begin + len(statement) - len(statement.lstrip())
            yield name, text.count("\n", 0, first), text.count("\n", 0, position)
        if character == "{":
            scopes.append(namespace.group(1) or "detail" if namespace else None)
        elif character == "}" and scopes:
            scopes.pop()
        begin = position + 1


def purpose_of(header):
    return next(purpose for purpose, headers in PURPOSES.items() if re.match(headers, header))


def table(found):
    """Returns the table of names by purpose, in the order of the headers; models first."""
    lines = ["", f"| for | {len(found)} names |", "|---|---|"]
    for purpose in sorted(PURPOSES, key=lambda p: p != MODELS):
        names = [name for name, (_, _, of) in found.items() if of == purpose]
        lines.append(f"| {purpose}: {len(names)} | {' '.join(f'`{name}`' for name in names)} |")
    return "\n".join(lines) + "\n"


def main():
    root = pathlib.Path(sys.argv[1])
    found = collections.OrderedDict()  # name -> [header, has a comment]
    for path in sorted((root / "moreau").rglob("*.hpp")):
        if path.name == "renamed.hpp":  # earlier names, rejected
            continue
        text = path.read_text()
        lines = text.split("\n")
        own = path.stem.replace("_", "").lower()
        for name, first, last in declarations(text):
            commented = bool(first and lines[first - 1].lstrip().startswith("//")) or any("//" in line for line in (lines[first], lines[last]))
            commented = commented or name.replace("_", "").lower().endswith(own)
            header = str(path.relative_to(root / "moreau"))
            entry = found.setdefault(name, [header, commented, MOVED.get(name) or purpose_of(header)])
            entry[1] = entry[1] or commented
            if purpose_of(header) == MODELS and name not in MOVED:  # names that every stepper needs belong to models
                entry[2] = purpose_of(header)
    silent = [name for name, (_, commented, _) in found.items() if not commented]
    if "--list" in sys.argv:
        for name, (header, commented, _) in sorted(found.items(), key=lambda item: item[1][0]):
            print(f"{header:37} {name}{'' if commented else '   (no comment)'}")
    others = sum(purpose != PARTS for _, _, purpose in found.values())
    print(f"{len(found)} public names, at most {LIMIT}; {others} besides parts, at most {LIMIT_WITHOUT_PARTS}; "
          f"{len(silent)} of them without a comment, at most {LIMIT_WITHOUT_COMMENT}")

    of = collections.Counter(purpose for _, _, purpose in found.values())
    marks = {"tests/gates/public_names.py lib --write": table(found), "all": len(found), "others": others, "parts": of[PARTS], "models": of[MODELS]}
    stale = 0
    for page in (root / "README.md", root / "DESIGN.md"):
        old = page.read_text()
        now = re.sub(r"(<!-- names: (.*?) -->)[^<]*", lambda m: m[1] + str(marks.pop(m[2])), old)
        if "--write" in sys.argv:
            page.write_text(now)
        elif now != old:
            stale += 1
            print(f"{page}: its names differ from those of the headers; run {sys.argv[0]} {root} --write")
    if marks:
        print(f"no page has the marks {', '.join(marks)}")
    return 0 if not stale and not marks and found and len(found) <= LIMIT and others <= LIMIT_WITHOUT_PARTS and len(silent) <= LIMIT_WITHOUT_COMMENT else 1


sys.exit(main())
