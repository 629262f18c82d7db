#!/usr/bin/env python3
"""Checks pages, comments and messages against the house style: plain technical English in the field's terms.

  prose.py <source tree> [file...]   lists each hit as file:line: rule: text; exit code 1 if there are any
  prose.py <source tree> --count     prints the number of hits per rule and folder

The rules are patterns, so they find idioms, not bad sentences. EXCEPTIONS names the few places where a word is right, each with its
reason. Data, pictures and tables of figures are not prose and are not read.
"""
import collections
import io
import pathlib
import re
import subprocess
import sys
import tokenize

RULES = {  # name: pattern, on one line of prose with code spans removed
    "a thing that says, tells, knows, sees, asks, wants":
        r"\b(says|tells|knows|sees|asks|wants|lives|forgets|remembers|believes|learns|looks at|answers|hears|minds|notices)\b",
    "a what clause":
        r"(?:^|[\s(,;:])(?:[Ww]hat (?:is|it|its|a|an|the|they|he|you|was|were|has|had|of|in|no|every|each|this|that|comes|came|holds|"
        r"happens|remains|stands|belongs|does|did|do|are|can|cannot|there|such|one|costs?|makes?|made|goes|follows|we|users?|models?)\b)"
        r"|^\W*What \w+",
    "nobody, whoever, one's own, none":
        r"\b(nobody|whoever|whatever is|one's own|of one's|is none|are none|no number for it|somebody)\b",
    "a private idiom":
        r"\b(dearest|dearer|seldom|trifle|mended|yardstick|bred|breeds|by heart|put back|brought back into place|sunk|stands off|kept overlap|"
        r"knife's edge|way out of|ways out of|in vain|at hand|all the same|lasting contacts?|impressed upon)\b",
    "as many":
        r"\b(as many|so many|as long again|as much again)\b",
    "the same bits":
        r"\bthe same bits\b",
}
# file, pattern in the line, reason
EXCEPTIONS = [
    (".github/CONTRIBUTING.md", r"Quantities read", "quotes the forms that a quantity has instead"),
    ("ports/workstation/moreau/workstation/output_file.hpp", r"answers\.npy", "a file name"),
    ("tests/studies/samples.cpp", r"[Kk]nown answers", "known-answer tests: the term for published vectors of a generator"),
]

CPP = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'', re.S)
HASH = re.compile(r"(?:^|(?<=\s))#(?!!|include|define|if|endif|else|pragma|ifdef|ifndef|elif|undef|error).*$", re.M)
PROSE_IN_STRING = re.compile(r"[A-Za-z]+ [a-z]+ [a-z]+")  # three words: a message


def of_markdown(text):
    """Lines of a page without code blocks, code spans, link targets and generated figures."""
    fenced = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        elif not fenced and not line.startswith("    "):
            yield number, re.sub(r"\]\([^)]*\)", "]", re.sub(r"`[^`]*`", "`", line))


def of_cpp(text):
    for found in CPP.finditer(text):
        piece = found.group()
        if piece[0] in "\"'" and not PROSE_IN_STRING.search(piece):
            continue
        first = text.count("\n", 0, found.start()) + 1
        for offset, line in enumerate(piece.splitlines()):
            yield first + offset, re.sub(r"`[^`]*`", "`", line.strip().lstrip("/* "))


def of_python(text):
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT or token.type == tokenize.STRING and PROSE_IN_STRING.search(token.string):
                for offset, line in enumerate(token.string.splitlines()):
                    yield token.start[0] + offset, re.sub(r"`[^`]*`", "`", line.strip().lstrip("# \"'"))
    except (tokenize.TokenError, IndentationError):
        pass


def of_hashes(text):
    for found in HASH.finditer(text):
        yield text.count("\n", 0, found.start()) + 1, found.group().lstrip("# ")
    for found in re.finditer(r'"(?:\\.|[^"\\\n])*"', text):
        if PROSE_IN_STRING.search(found.group()):
            yield text.count("\n", 0, found.start()) + 1, found.group()


def reader(path, text):
    if path.suffix == ".md":
        return of_markdown(text)
    if path.suffix in (".hpp", ".cpp", ".h", ".c", ".js", ".css", ".in"):
        return of_cpp(text)
    if path.suffix == ".py" or text.startswith("#!/usr/bin/env python3"):
        return of_python(text)
    if path.suffix in (".txt", ".cmake", ".sh", ".gp", ".yml") or text.startswith("#!"):
        return of_hashes(text)
    return ()


def hits(root, names):
    for name in names:
        path = root / name
        if path.name == "prose.py" or not path.is_file() or "data" in path.parts:
            continue
        try:
            text = path.read_text()
        except UnicodeDecodeError:
            continue
        for number, line in reader(path, text):
            for rule, pattern in RULES.items():
                found = re.search(pattern, line)
                if found and not any(name == file and re.search(part, line) for file, part, _ in EXCEPTIONS):
                    yield name, number, rule, line


def main():
    root = pathlib.Path(sys.argv[1])
    rest = [a for a in sys.argv[2:] if a != "--count"]
    names = rest or subprocess.run(["git", "ls-files"], cwd=root, capture_output=True, text=True).stdout.split("\n")
    names = names if any(names) else [str(p.relative_to(root)) for p in sorted(root.rglob("*")) if p.is_file()]
    found = list(hits(root, [n for n in names if n]))
    if "--count" in sys.argv:
        per = collections.Counter((rule, name.split("/")[0]) for name, _, rule, _ in found)
        for (rule, folder), n in sorted(per.items()):
            print(f"{n:6} {folder:12} {rule}")
        print(f"{len(found):6} in all")
        return 0
    for name, number, rule, line in found:
        print(f"{name}:{number}: {rule}: {line.strip()[:160]}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
