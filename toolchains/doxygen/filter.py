#!/usr/bin/env python3
"""Doxygen input filter: filter.py <header> prints the header with its // comments as Doxygen comments.

  opening block of a header           description of the file, and of the type that has the file's name
  block above a declaration           its description
  comment behind a member             its description, with its continuation lines
  everything else                     unchanged

Only comments in namespaces, classes and enumerations count, not those in functions. Text is plain: < & @ \\ # are not commands, `x` is code,
and lines indented by two or more are kept verbatim, as equations are. Lines in front of a declaration may change in number, declarations do not change.
"""

import pathlib
import re
import sys

SCOPE = re.compile(r"\b(namespace|struct|class|union|enum)\b")
DECLARATION = re.compile(r"^\s*(template\b|struct\b|class\b|enum\b|using\b|inline\b|constexpr\b|MOREAU_|\[\[|[A-Za-z_:])")


def plain(text):
    """Returns a line of prose with all Doxygen commands and tags escaped."""
    text = re.sub(r"[\\@&<>#%\"]", lambda m: "\\" + m.group() if m.group() != '"' else '"', text)
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", text)


def described(lines, first=""):
    """Returns comment lines (without //) as one Doxygen comment."""
    out, verbatim, item = [], False, False
    for line in lines:
        item = bool(re.match(r" *(- |[0-9]+\. )", line)) or (item and line.startswith("  "))
        indented = line.startswith("  ") and not item
        if indented and not verbatim:
            out.append("@verbatim")
        if verbatim and not indented and line.strip():
            out.append("@endverbatim")
        if line.strip():
            verbatim = indented
        out.append(line.replace("*/", "* /") if verbatim else plain(line))
    if verbatim:
        out.append("@endverbatim")
    return ["/** " + first, *out, "*/"]


def strip_strings(code):
    return re.sub(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])+\'', '""', code)


class Filter:
    def __init__(self, path):
        self.path = path
        self.out = []
        self.scopes = []       # True: declarations of the outside stand here; False: the inside of a function or an initializer
        self.statement = ""    # code since the last ; { or }
        self.parentheses = 0

    def outside(self):
        return all(self.scopes) and self.parentheses == 0

    def follow(self, code):
        """Updates the scopes with the code of one line."""
        for character in strip_strings(code):
            if character in "([":
                self.parentheses += 1
            elif character in ")]":
                self.parentheses -= 1
            elif character == "{":
                head = re.sub(r"template\s*<.*?>\s*(?=struct|class|union|enum)", "", self.statement)
                kind = SCOPE.search(head)
                self.scopes.append(bool(kind) and "(" not in head.replace("alignas(", "") and "=" not in head)
                self.statement = ""
                continue
            elif character == "}":
                if self.scopes:
                    self.scopes.pop()
                self.statement = ""
                continue
            elif character == ";":
                self.statement = ""
                continue
            self.statement += character
        self.statement += " "

    def run(self, text):
        lines = text.split("\n")
        opening = []
        while lines and lines[0].startswith("//"):
            opening.append(lines.pop(0)[2:])
        opening = [line[1:] if line.startswith(" ") else line for line in opening]
        if opening:
            self.out += described(opening, "@file")
        named = "".join(word.capitalize() for word in self.path.stem.split("_"))
        block, column = [], None  # pending comment lines before a declaration; column of a trailing comment
        for line in lines:
            match = re.match(r'((?:[^/"\']|"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])+\'|/(?!/))*)//(.*)', line)
            code, comment = (match.group(1), match.group(2)) if match else (line, None)
            if comment is not None and comment.startswith(" "):
                comment = comment[1:]
            if comment is not None and not code.strip():
                if column is not None and len(code) == column:
                    self.out.append(code + "///< " + plain(comment))
                else:
                    block.append((code, comment))
                    column = None
                continue
            column = None
            starts = self.outside() and not self.statement.strip()
            if block:
                words = [text for _, text in block]
                attached = starts and DECLARATION.match(code) and not re.match(r"\s*(namespace|public:|private:|protected:|friend|static_assert)\b", code)
                if attached and not re.match(r"\s*(----|clang-format)", words[0]):
                    self.out += described(words)
                else:
                    self.out += [f"// {text}" for text in words]
                block = []
            elif starts and opening and re.match(r"(template|struct|class|enum|using)\b", code):
                self.pending = len(self.out)
            if opening and re.match(rf"(struct|class|using|enum class)\s+\w*{named}\b(?!.*;\s*$)", code) and self.undescribed():
                at = self.pending
                self.out[at:at] = described(opening)
                opening = []
            self.follow(code)
            code = re.sub(r"\[\[gnu::[^\]]*\]\]\s*", "", code)
            if comment is not None and self.outside() and re.search(r"\S.*[;,}]\s*$", code):
                column = len(match.group(1))
                self.out.append(f"{code}///< {plain(comment)}")
            elif comment is not None and self.outside() and not self.statement.strip() == "" and code.strip():
                column = len(match.group(1))
                self.out.append(f"{code}///< {plain(comment)}")  # the last enumerator
            else:
                self.out.append(line if comment is not None else code)
        self.out += [f"// {text}" for _, text in block]
        return "\n".join(self.out)

    pending = None

    def undescribed(self):
        return self.pending is not None and not (self.pending > 0 and self.out[self.pending - 1] == "*/")


if __name__ == "__main__":
    header = pathlib.Path(sys.argv[1])
    print(Filter(header).run(header.read_text()), end="")
