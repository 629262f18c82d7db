#!/usr/bin/env python3
"""Writes every figure of a page that comes from a data file (CSV, JSON) of the tests: write_pages.py [--check]

  write_pages.py           after a data file has changed; the programs that write data files call it
  write_pages.py --check   fails if a page or a picture differs from the data

It writes the claims of tests/README.md, the figures of README.md, lib/*.md and ports/playground, the totals of long tables, and the bar
chart of the front page. A page has a block <!-- generated: name -->...<!-- end -->, or a single figure:

  <!-- count: mps2-an386 float slidercrank exact const max -->1,449<!-- end -->

is the column `max` of the row of benchmarks/timing.csv with this board, scalar, model, solver and mode. With `4 bound`
in place of `const max` it is the bound with four closed contacts, a row of benchmarks/worst_case.csv.
"""
import pathlib
import re
import sys

sys.dont_write_bytecode = True
sys.path[:0] = [str(pathlib.Path(__file__).resolve().parent / folder) for folder in ("support", "benchmarks")]
import claims
import totals
import worst_step
from tables import ROOT, TESTS, grouped, markdown, read_csv, with_block

NUMBER = re.compile(r"(<!-- count: (\S+ \S+ \S+ \S+ \S+) (\w+) -->)(.*?)(<!-- end -->)")
DOCUMENTS = ["README.md", "lib/DESIGN.md", "lib/README.md"]  # those with single figures
CLAIMS_HEAD = ["claim", "tests in `tests/run`", "command that measures the figure", "figure", "page"]


def counted_rows():
    """Rows of both files of counts by board, scalar, model, solver and mode or number of closed contacts."""
    files = (("timing", "mode"), ("worst_case", "closed"))
    return {" ".join(row[k] for k in ("board", "scalar", "model", "solver", last)): row for name, last in files for row in read_csv(f"benchmarks/{name}.csv")}


def with_numbers(text, rows):
    def figure(found):
        name, column = found[2], found[3]
        if column not in rows.get(name, {}):
            sys.exit(f"the data files have no {column} of {name}")
        return found[1] + grouped(rows[name][column]) + found[5]
    return NUMBER.subn(figure, text)


def pages():
    """Every page and picture with its new text."""
    rows, texts, figures = counted_rows(), {}, 0
    for document in DOCUMENTS:
        texts[ROOT / document], found = with_numbers((ROOT / document).read_text(), rows)
        figures += found
    if figures == 0:
        sys.exit("no page has a figure of the counts: has the form of the marks changed?")
    texts[ROOT / "README.md"] = with_block(texts[ROOT / "README.md"], "claims", claims.front_page())
    texts[ROOT / "lib/STEP.md"] = with_block((ROOT / "lib/STEP.md").read_text(), "second order", totals.second_order_of_step_page())
    playground = ROOT / "ports/playground/README.md"
    texts[playground] = with_block(playground.read_text(), "frames", totals.frames_of_playground_page())
    blocks = {"README.md": {"claims": markdown(CLAIMS_HEAD, claims.table())}, **totals.blocks()}
    for page, of_page in blocks.items():
        text = (TESTS / page).read_text()
        for name, content in of_page.items():
            text = with_block(text, name, content)
        texts[TESTS / page] = text
    for theme in worst_step.THEMES:
        texts[TESTS / f"benchmarks/worst_step.{theme}.svg"] = worst_step.draw(rows, theme)
    return texts


def main():
    stale = [path for path, text in pages().items() if not path.exists() or path.read_text() != text]
    if sys.argv[1:] != ["--check"]:
        for path in stale:
            path.write_text(pages()[path])
            print("written:", path.relative_to(ROOT))
        return
    for path in stale:
        print(f"{path.relative_to(ROOT)} differs from the data: run tests/write_pages.py")
    if stale:
        sys.exit(1)
    print(f"{len(claims.CLAIMS)} claims and all figures agree with the data")


if __name__ == "__main__":
    main()
