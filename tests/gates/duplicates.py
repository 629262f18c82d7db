#!/usr/bin/env python3
"""Checks lib/ for duplicated code: duplicates.py <lib> [lines, 6 by default]

Two places have the same shape if their lines are equal after names, numbers and texts have been replaced by
placeholders. Comments, includes, blank lines, lone punctuation and FORMS do not count. ALLOWED lists the permitted
pairs with their reasons.
"""
import pathlib
import re
import sys

# Lines whose form is given; a sequence of them duplicates no rule.
FORMS = [
    r"(\w+|\"[^\"]*\"),$",                                  # an enumerator or an entry of a list of names
    r"case [\w:]+:( return [^;]*;)?$|return \"[^\"]*\";$",  # an entry of a switch that returns names
    r"namespace [\w:]* ?\{$|template <[^;{]*>$|using [\w:]+( = [^;]*)?;$",  # opening lines of headers and types
]
# (part of one path, part of the other path, reason for the equal shape)
ALLOWED = [
    ("math/compiler.hpp", "math/compiler.hpp", "a table of attributes: the preprocessor has no loops"),
    ("model/functions.hpp", "model/functions.hpp", "a table of members: a C++ name cannot be a template argument"),
    ("model/traits.hpp", "model/traits.hpp", "a table of members, as above"),
    ("model/require.hpp", "model/require.hpp", "a table of earlier names, as above"),
    ("mechanism/spelling.hpp", "mechanism/spelling.hpp", "a table of misspelled names, as above"),
]
KEPT = set("""alignas auto bool break case class const constexpr continue decltype default do double else enum explicit false final
 float for friend if inline int long mutable namespace noexcept nullptr operator private protected public return short signed sizeof
 static static_assert struct switch template this true typename union unsigned using void while define ifdef ifndef endif elif undef
 pragma""".split())


def shape(line):
    line = re.sub(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])+\'', "S", line)
    line = re.sub(r"\b\d[\w.']*(?:(?<=[eE])[+-]\d+)?|(?<![\w)])\.\d\w*", "0", line)
    line = re.sub(r"[A-Za-z_]\w*", lambda m: m.group() if m.group() in KEPT else "x", line)
    return re.sub(r"\s+", "", line)


def lines_of(path):
    """Returns (line number, text, shape) of every compared line."""
    def blank(match):
        return re.sub(r"[^\n]", " ", match.group())
    text = re.sub(r"//[^\n]*|/\*.*?\*/", blank, path.read_text(), flags=re.S)
    kept = []
    for number, line in enumerate(text.split("\n"), 1):
        stripped = line.strip()
        if re.match(r"#\s*(include|pragma)\b", stripped) or not re.search(r"\w", stripped):
            continue
        if any(re.match(form, stripped) for form in FORMS):
            continue
        kept.append((number, stripped, shape(stripped)))
    return kept


def allowed(a, b):
    return any(one in a and other in b or one in b and other in a for one, other, _ in ALLOWED)


def main():
    root, least = pathlib.Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 6
    files = {str(p.relative_to(root)): lines_of(p) for p in sorted((root / "moreau").rglob("*.hpp"))}
    places = {}
    for name, lines in files.items():
        for i in range(len(lines) - least + 1):
            places.setdefault("\n".join(s for _, _, s in lines[i:i + least]), []).append((name, i))
    pairs, seen = [], set()
    for here in places.values():
        for n, (a, i) in enumerate(here):
            for b, j in here[n + 1:]:
                if (a, i, b, j) in seen:
                    continue
                length = 0  # of the common sequence, without overlap
                while (i + length < len(files[a]) and j + length < len(files[b]) and (a != b or i + length < j)
                       and files[a][i + length][2] == files[b][j + length][2]):
                    seen.add((a, i + length, b, j + length))
                    length += 1
                if length >= least and not allowed(a, b):
                    pairs.append((length, f"{a}:{files[a][i][0]}-{files[a][i + length - 1][0]}", f"{b}:{files[b][j][0]}-{files[b][j + length - 1][0]}"))
    for length, a, b in sorted(pairs, reverse=True):
        print(f"{length} lines of the same shape: {a} and {b}")
    print(f"{len(files)} headers, {sum(map(len, files.values()))} lines compared, {len(pairs)} pairs of at least {least} lines")
    return 1 if pairs or not files else 0


sys.exit(main())
