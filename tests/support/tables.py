"""Reads and writes the data files of the pages (CSV, JSON), and formats tables of a page."""
import csv
import json
import pathlib
import re
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parents[2]
TESTS = ROOT / "tests"
BLOCK = r"(<!-- generated: {} -->\n?)(.*?)(<!-- end -->)"


def read_csv(path):
    """Rows of a file below tests/ as dictionaries of text."""
    with open(TESTS / path, newline="") as file:
        return list(csv.DictReader(file))


def write_csv(path, columns, rows):
    path = TESTS / path
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "w", newline="") as file:
        out = csv.DictWriter(file, columns, lineterminator="\n")
        out.writeheader()
        out.writerows(rows)


def read_json(path):
    return json.loads((TESTS / path).read_text())


def write_json(path, data):
    """One line per entry; a list without lists in it takes one line."""
    text = json.dumps(data, indent=2, ensure_ascii=False)
    text = re.sub(r"\[\s+([^][{}]*?)\s+\]", lambda found: "[" + re.sub(r",\n\s+", ", ", found[1]) + "]", text)
    (TESTS / path).write_text(text + "\n")


def markdown(columns, rows):
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join("| " + " | ".join(str(cell).replace("|", "\\|") for cell in line) + " |" for line in lines) + "\n"


def paragraph(text):
    """Prose of a page, wrapped at 120 characters."""
    return textwrap.fill(text, 120, break_long_words=False, break_on_hyphens=False)


def grouped(number):
    """An integer with its thousands separated by commas."""
    return f"{int(number):,}"


def with_block(text, name, content):
    """`text` with new content between <!-- generated: name --> and <!-- end -->."""
    block = re.compile(BLOCK.format(re.escape(name)), re.S)
    if not block.search(text):
        sys.exit(f"no page has <!-- generated: {name} -->")
    return block.sub(lambda found: found[1] + content + found[3], text)
