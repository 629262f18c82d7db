#!/usr/bin/env python3
"""Checks the search of the documentation in a browser: search_documentation.py <folder of make_documentation.py>

A word of a page must lead to this page, a heading must rank first, and a word that no page contains must say so.
"""
import json
import pathlib
import sys

root = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(root / "tests/pages"))
import browser  # noqa: E402

folder = pathlib.Path(sys.argv[1]).resolve()
if not browser.program() or not (folder / "index.html").exists():
    print("chromium is missing, or the documentation was not generated; toolchains/setup installs missing packages")
    sys.exit(77)

RESULTS = """(async word => {
  const field = document.getElementById('search'), list = document.getElementById('found');
  field.value = word;
  field.dispatchEvent(new Event('focus'));
  field.dispatchEvent(new Event('input'));
  while (!window.searchIndex) await new Promise(done => setTimeout(done, 20));
  field.dispatchEvent(new Event('input'));
  return JSON.stringify([[...list.querySelectorAll('a')].map(link => link.getAttribute('href')), list.textContent]);
})"""
failed = 0


def expect(holds, words):
    global failed
    if not holds:
        print(words)
        failed += 1


chromium = browser.Browser()
with browser.Page(chromium, (folder / "lib/STEP.html").as_uri()) as page:
    def search(word):
        return json.loads(page(f"{RESULTS}({json.dumps(word)})"))

    links, _ = search("persistent contacts")
    expect(any("STEP.html#persistent-contacts" in link for link in links[:3]), f"a heading is not among the first results: {links[:3]}")
    for link in search("penetration")[0]:
        path = (folder / "lib" / link.partition("#")[0]).resolve()
        expect(path.is_file(), f"a result leads to nothing: {link}")
    links, words = search("qwertzuiop")
    expect(not links and "No section" in words, f"results for a word that no page contains: {links[:3]} {words}")
    expect(not page.complaints(), f"messages of the browser: {page.complaints()}")
chromium.close()
print(f"search of the documentation: {failed} failed")
sys.exit(failed > 0)
