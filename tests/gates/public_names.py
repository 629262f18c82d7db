#!/usr/bin/env python3
"""The names a user of lib/ meets: public_names.py <lib> [--list]

Counts the names declared in namespace moreau outside detail - types, functions, constants, aliases - and those of them that have no
comment: no block above the declaration, no comment behind it, and not the header's own name (Options in options.hpp), whose opening comment
is theirs. Both
numbers have a limit; lower them when names go into detail. Macros begin with MOREAU_ or do not exist.
"""
import collections
import pathlib
import re
import sys

LIMIT = 101               # public names
LIMIT_WITHOUT_COMMENT = 0

WORD = r"[A-Za-z_]\w*"


def blank(match):
    return re.sub(r"[^\n]", " ", match.group())


def code_of(text):
    """The text with comments, strings and preprocessor lines blanked: line numbers and columns stay."""
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
    """The name a statement of a namespace declares, or None."""
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
    if "operator" in head or ("->" in text and not re.search(r"\bauto\b", text)):  # an operator, a deduction guide
        return None
    if re.search(r"::\s*" + WORD + r"\s*$", head):  # a member, defined outside its class
        return None
    words = re.findall(WORD + r"(?=\s*(?:\[[^\]]*\])?\s*$)", head)
    return words[-1] if words and not words[-1].startswith("MOREAU_") else None


def declarations(text):
    """(name, line of the declaration's begin, line of its end) in moreau and its namespaces but detail."""
    code = code_of(text)
    scopes, begin, parentheses = [], 0, 0  # a scope is a namespace's name, or None
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


def main():
    root = pathlib.Path(sys.argv[1])
    found = collections.OrderedDict()  # name -> [header, has a comment]
    for path in sorted((root / "moreau").rglob("*.hpp")):
        text = path.read_text()
        lines = text.split("\n")
        own = path.stem.replace("_", "").lower()
        for name, first, last in declarations(text):
            commented = bool(first and lines[first - 1].lstrip().startswith("//")) or any("//" in line for line in (lines[first], lines[last]))
            commented = commented or name.replace("_", "").lower().endswith(own)
            entry = found.setdefault(name, [path.relative_to(root), commented])
            entry[1] = entry[1] or commented
    silent = [name for name, (_, commented) in found.items() if not commented]
    if "--list" in sys.argv:
        for name, (header, commented) in sorted(found.items(), key=lambda item: str(item[1][0])):
            print(f"{header!s:44} {name}{'' if commented else '   (no comment)'}")
    print(f"{len(found)} public names, at most {LIMIT}; {len(silent)} of them without a comment, at most {LIMIT_WITHOUT_COMMENT}")
    return 0 if found and len(found) <= LIMIT and len(silent) <= LIMIT_WITHOUT_COMMENT else 1


sys.exit(main())
