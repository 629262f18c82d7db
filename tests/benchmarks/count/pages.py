#!/usr/bin/env python3
"""What other pages take from the tables of tests/benchmarks/TIMING.md: the bar chart of the front page, and single numbers.

  pages.py           writes them anew (tests/benchmarks/count/run --update does so, too)
  pages.py --check   fails where a page or the picture is not what the tables say

In a document <!-- count: mps2-an386 float slidercrank exact const max -->1,449<!-- end --> is the column `max` of the row named before
it; with `4 bound` in place of `const max`, the bound of four closed contacts in the table of the worst case.
"""
import math
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
TABLES = ROOT / "tests/benchmarks/TIMING.md"
DOCUMENTS = [ROOT / "README.md", ROOT / "lib/DESIGN.md", ROOT / "lib/README.md"]
NUMBER = re.compile(r"(<!-- count: (\S+ \S+ \S+ \S+ \S+) (\w+) -->)(.*?)(<!-- end -->)")

# The picture: rows of the slider-crank on the Cortex-M4F, from the cheapest to the worst_case.
BARS = [("hand data", "a step written by hand"), ("exact data", "Stepper<Model>"),
        ("exact const", "Timing::constant"), ("lemke data", "Lemke's method"), ("psor data", "prox iteration (PSOR)")]
OURS = {"exact data", "exact const"}
THEMES = {"light": ("#1f2328", "#59636e", "#d1d9e0", "#0969da", "#9aa4af"), "dark": ("#f0f6fc", "#9198a1", "#3d444d", "#4493f8", "#656c76")}
WIDTH, LEFT, DECADE, TOP, PITCH, BAR = 760, 250, 130, 58, 34, 20


def read_tables():
    """Rows by their name; a row is a dictionary by the words of its table's head, in small letters."""
    rows, head = {}, []
    for line in TABLES.read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| board |"):
            head = [cell.lower() for cell in cells]
        elif line.startswith("| ") and len(cells) == len(head) and cells[-1].isdigit():
            row = dict(zip(head, cells))
            last = "mode" if "mode" in row else "closed"  # the table of steps, that of the worst case
            rows[" ".join(row[k] for k in ("board", "scalar", "model", "solver", last))] = row
    return rows


def look_up(rows, name, column):
    if name not in rows or column not in rows[name]:
        sys.exit(f"{TABLES.name} has no {column} of {name}")
    return rows[name][column]


def written(number):
    return f"{int(number):,}"


def picture(rows, theme):
    """Horizontal bars over a logarithmic axis. Two decimals: the same text on every machine."""
    text, faint, line, ours, others = THEMES[theme]
    lowest, decades, values = 100, 3, []
    for name, label in BARS:
        row = rows[f"mps2-an386 float slidercrank {name}"]
        values.append((name, label, int(row["max"]), row["min"] == row["max"]))
    bottom = TOP + PITCH * len(BARS) - 6
    height = bottom + 28

    def escaped(label):
        return label.replace("<", "&lt;").replace(">", "&gt;")

    def x(value):
        return LEFT + DECADE * math.log10(value / lowest)

    title = "Instructions of the worst step, slider-crank with play, Cortex-M4F: " + ", ".join(f"{label} {value}" for _, label, value, _ in values)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" role="img"',
           '     font-family="system-ui, sans-serif" font-size="14">',
           f'  <title>{escaped(title)}</title>',
           f'  <text x="10" y="22" font-size="16" font-weight="600" fill="{text}">Instructions of the worst step</text>',
           f'  <text x="10" y="42" fill="{faint}">slider-crank with play, Cortex-M4F, float; logarithmic</text>']
    out.append(f'  <line x1="{LEFT}" y1="{TOP - 6}" x2="{LEFT}" y2="{bottom}" stroke="{line}"/>')
    for decade in range(decades + 1):
        at = x(lowest * 10 ** decade)
        out.append(f'  <line x1="{at:.2f}" y1="{bottom}" x2="{at:.2f}" y2="{bottom + 5}" stroke="{line}"/>')
        out.append(f'  <text x="{at:.2f}" y="{bottom + 20}" text-anchor="middle" font-size="12" fill="{faint}">{lowest * 10 ** decade:,}</text>')
    for i, (name, label, value, always) in enumerate(values):
        y = TOP + PITCH * i
        colour = ours if name in OURS else others
        out.append(f'  <text x="{LEFT - 12}" y="{y + 15}" text-anchor="end" fill="{text}">{escaped(label)}</text>')
        out.append(f'  <rect x="{LEFT}" y="{y}" width="{x(value) - LEFT:.2f}" height="{BAR}" rx="2" fill="{colour}"/>')
        out.append(f'  <text x="{x(value) + 8:.2f}" y="{y + 15}" font-weight="600" fill="{text}">{written(value)}{", always" if always else ""}</text>')
    return "\n".join(out + ["</svg>"]) + "\n"


def pages():
    """Every page and what should stand there."""
    rows = read_tables()
    found = 0
    for theme in THEMES:
        yield ROOT / f"tests/benchmarks/worst_step.{theme}.svg", picture(rows, theme)
    for document in DOCUMENTS:
        old = document.read_text()
        found += len(NUMBER.findall(old))
        yield document, NUMBER.sub(lambda m: m.group(1) + written(look_up(rows, m.group(2), m.group(3))) + m.group(5), old)
    if found == 0:
        sys.exit("no document takes a number from the tables: has the form of the marks changed?")


def write():
    for path, text in pages():
        path.write_text(text)


def main():
    if sys.argv[1:] != ["--check"]:
        return write()
    stale = [path for path, text in pages() if not path.exists() or path.read_text() != text]
    for path in stale:
        print(f"{path.relative_to(ROOT)} is not what {TABLES.name} says: run tests/benchmarks/count/pages.py")
    sys.exit(1 if stale else 0)


if __name__ == "__main__":
    main()
