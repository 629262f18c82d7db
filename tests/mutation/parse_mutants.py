"""Finds every change that can be made in lib/, and writes it as a switch (switches.hpp) beside the original.

A mutant is an operator, a constant, a sign or a condition of one line. A change that cannot have both sides in one
program, or that the compiler may compute, has no switch.
"""
import collections
import hashlib
import pathlib
import random
import re

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
LIB = ROOT / "lib/moreau"
REFUSING = ("require.hpp", "model/traits.hpp", "model/functions.hpp")  # judged by tests/compile

INFIX = {"+": "plus", "-": "minus", "*": "multiplies", "/": "divides", "<": "less", "<=": "less_equal", ">": "greater",
         ">=": "greater_equal", "==": "equal_to", "!=": "not_equal_to", "|": "bit_or", "&": "bit_and"}
# (pattern, replacement, kind of switch). Blanks around an operator distinguish it from brackets and references.
CHANGES = [
    *((rf" {re.escape(old)} ", f" {new} ", "infix") for old, new in (
        "+-", "-+", "*/", "/*", ("<", "<="), ("<=", "<"), (">", ">="), (">=", ">"), "<>", ("==", "!="), ("!=", "=="), "|&", "&|")),
    (r" \+= ", " -= ", "assign"), (r" -= ", " += ", "assign"),
    (r" && ", " || ", "whole"), (r" \|\| ", " && ", "whole"),
    (r"\bif \((?!constexpr|const )", "if (!(", "condition"), (r"(?<=[(, ])-(?=[a-zA-Z(])", "", "minus"), (r"\+\+(?=[a-z])", "--", "increment"),
    (r"Real\(0\)", "Real(1)", "value"), (r"Real\(1\)", "Real(0)", "value"), (r"Real\(0\.5\)", "Real(1)", "value"),
    (r"Real\(2\)", "Real(1)", "value"), (r"\btrue\b", "false", "value"), (r"\bfalse\b", "true", "value"),
    (r"\b(C|Flow)::positive\(", r"\1::negative(", "call"), (r"\b(C|Flow)::larger\(", r"\1::smaller(", "call"),
    (r"(?<![:\w])(detail::)?larger\((?!Real \w)", "std::min<Real>(", "call")]


def digest(*texts):
    return hashlib.sha256("\0".join(map(str, texts)).encode()).hexdigest()[:16]


def closing(text, start):
    """Position after the bracket that closes the one at start."""
    depth = 0
    for i in range(start, len(text)):
        depth += (text[i] in "([{") - (text[i] in ")]}")
        if depth == 0:
            return i + 1
    return None


def expression(text, at):
    """Begin and end of the expression around `at`: up to a bracket, a comma, a question mark or an assignment."""
    begin, depth = at, 0
    while begin > 0:
        before = text[begin - 1]
        if depth == 0 and (before in "([{,?;" or re.search(r"( =|return| :)\s$", text[max(0, begin - 8):begin])):
            break
        depth += (before in ")]}") - (before in "([{")
        begin -= 1
    end, depth = at, 0
    while end < len(text) and (depth > 0 or (text[end] not in ")]},?;" and not text.startswith(" : ", end))):
        depth += (text[end] in "([{") - (text[end] in ")]}")
        end += 1
    while text[begin] in " \n":
        begin += 1
    return begin, end


def is_constexpr(before, line):
    """True if the line, or the head of a block around it, is constexpr: the compiler may compute it."""
    indent = len(line) + 1
    for head in [line, *reversed(before.splitlines())]:
        code = head.split("//")[0]
        if code.strip() and len(code) - len(code.lstrip()) < indent:
            indent = len(code) - len(code.lstrip())
            if re.search(r"(?<!if )\bconstexpr\b", code) and (head is line or code.rstrip().endswith(("{", "(", ","))):
                return True
    return False


class Mutant:
    """Change k of a header, at an offset of its text."""

    def __init__(self, number, header, text, at, k):
        self.number, self.header, self.at, self.k = number, header, at, k
        self.row = text.count("\n", 0, at)
        begin, end = text.rfind("\n", 0, at) + 1, text.find("\n", at)
        self.was = text[begin:end].strip()
        self.compiled = is_constexpr(text[:begin], text[begin:end])
        self.pieces = None if header.endswith(REFUSING) or "constexpr" in self.was or "..." in self.was else self.switch(text)
        if self.pieces:
            self.lines = range(text.count("\n", 0, self.pieces[0][0]) + 1, text.count("\n", 0, self.pieces[-1][1]) + 2)
        changed = self.changed(text)
        self.now = changed[begin:changed.find("\n", begin)].strip()

    def key(self):
        return f"{self.header}: {self.was} -> {self.now}"

    def changed(self, text):
        """The text of the header with this change."""
        old, new, kind = CHANGES[self.k]
        match = re.compile(old).match(text, self.at)
        if kind == "condition":
            end = closing(text, match.end() - 1)
            return text[:match.start()] + new + text[match.end():end] + ")" + text[end:]
        return text[:match.start()] + match.expand(new) + text[match.end():]

    def switch(self, text):
        """Edits that put the original and the change behind a switch: [(begin, end, new text)], or None."""
        old, new, kind = CHANGES[self.k]
        match, n = re.compile(old).match(text, self.at), self.number
        if kind == "infix":
            return [(match.end(), match.end(), f"::mutation::Other<{n}, std::{INFIX[new.strip()]}<>>() {match[0].strip()} ")]
        if kind == "assign":
            return [(match.end(), match.end(), f"::mutation::Negated<{n}>() {match[0].strip()} ")]
        if kind == "condition":
            return [(match.end(), match.end(), f"::mutation::Not<{n}>() ^= ")]
        if kind == "minus":
            return [(match.start(), match.end(), f"::mutation::Minus<{n}>()->*")]
        if kind == "increment":
            return [(match.start(), match.end(), f"::mutation::Increment<{n}>()->*")]
        if kind == "value":
            return [(match.start(), match.end(), f"(::mutation::on({n}) ? {new} : {match[0]})")]
        begin, end = expression(text, match.start() + 1) if kind == "whole" else (match.start(), closing(text, match.end() - 1))
        if len(re.findall(r"\w<", text[begin:end])) != len(re.findall(r"[\w>)]>", text[begin:end])):
            return None  # the comma separates template arguments
        other = text[begin:match.start()] + match.expand(new) + text[match.end():end]
        other = re.sub(r"\s+", " ", re.sub(r"//.*", "", other))  # on one line: messages of the compiler name lines of lib/
        return [(begin, begin, f"(::mutation::on({n}) ? ({other}) : ("), (end, end, "))")]


def with_switches(text, mutants):
    """The text of a header with the switches of these mutants."""
    edits = []  # at one place: ends, inner first; then insertions; then begins, outer first
    for m in mutants:
        pieces = m.pieces
        width = pieces[-1][1] - pieces[0][0]
        edits.append((pieces[0][0], 2 if width else 1, -width, m.number, *pieces[0][1:]))
        if len(pieces) == 2:
            edits.append((pieces[1][0], 0, width, -m.number, *pieces[1][1:]))
    result, last = [], 0
    for begin, _, _, _, end, new in sorted(edits):
        result += [text[last:begin], new]
        last = end
    return "".join(result) + text[last:]


def places():
    """Returns every change that can be made."""
    found = []
    for path in sorted(LIB.rglob("*.hpp")):
        text, offset, asm, directive = path.read_text(), 0, False, False
        for line in text.splitlines(keepends=True):
            code = line.split("//")[0]
            asm = asm or "asm(" in code
            directive = directive or code.lstrip().startswith("#")
            if not asm and not directive and not re.match(
                    r"\s*(template|static_assert|using|class|struct|friend class)|.*requires|.*static_assert", code):
                spots = [(offset + match.start(), k) for k, (old, _, _) in enumerate(CHANGES) for match in re.finditer(old, code)]
                found += [Mutant(len(found) + i, str(path.relative_to(LIB)), text, *spot) for i, spot in enumerate(spots)]
            asm = asm and ";" not in code
            directive = directive and line.endswith("\\\n")
            offset += len(line)
    return found


def drawn(seed):
    """Returns all changes in random order, evenly over the headers. The order in a header is independent of other headers."""
    headers = collections.defaultdict(list)
    for m in places():
        headers[m.header].append(m)
    order = []
    for header, mutants in headers.items():
        random_of_header = random.Random(f"{seed} {header}")
        random_of_header.shuffle(mutants)
        begin = random_of_header.random()
        order += [((i + begin) / len(mutants), header, m) for i, m in enumerate(mutants)]
    return [m for _, _, m in sorted(order, key=lambda entry: entry[:2])]
