#!/usr/bin/env python3
"""Pages of recorded runs, tested in a browser.

    inspect_pages.py <program that writes pages> <moreau_report> <folder>     pages of all kinds
    inspect_pages.py <folder>                                                 existing pages: those of the examples

Each page opens from the file system and runs its self-test (#selftest), which stores the results as attributes of <html>. Pages
that draw incorrectly or access the network must be detected: MUTANTS. Exit code 77: no Chromium, skipped.
"""
import concurrent.futures
import pathlib
import shutil
import subprocess
import sys
import threading

sys.dont_write_bytecode = True  # nothing is left in the source tree
import browser

CLOSED = 1e-6  # m: largest drawn gap or penetration of a closed contact at magnification 200; a line is wider
MOVING = 6e-4  # m: the same at magnification 20 in a moving guide: a tenth of its clearance of 0.3 mm as drawn
IN_AXES = 0.9  # least fraction of a curve's points within the y axis of the figure; the others are peaks of impacts
MOST_BYTES = 2e6  # of a page with 10,000 frames
folder = pathlib.Path(sys.argv[-1])
if not browser.program():
    print("no Chromium: pages are not tested (toolchains/setup tests installs it)")
    sys.exit(77)


here = threading.local()
browsers = []


def inspect(path):
    """Returns the attributes of <html> after the self-test, and the messages of the console."""
    if not hasattr(here, "browser"):
        here.browser = browser.Browser()
        browsers.append(here.browser)
    with browser.Page(here.browser, path.resolve().as_uri() + "#selftest") as page:
        found = page("Object.fromEntries([...document.documentElement.attributes].map(a => [a.name.replace('data-', ''), a.value]))")
        found["console"] = "; ".join(page.complaints())
    return found


def faults(found, magnified=True, moving=True, exact=True):
    """Returns the failures of a page with a motion."""
    if found.get("selftest") != "done":
        return ["the self-test did not finish: " + found.get("errors", "") + found["console"]]
    wrong = []
    if found["errors"] != "none" or found["console"]:
        wrong.append("errors: " + found["errors"] + found["console"])
    if found["requests"] != "0":
        wrong.append("requested " + found["requests"] + " files")
    if not moving:
        return wrong
    exact = exact and found["bushes"] != "true"
    for name in ["closed1", "closed200", "gaps200"] if exact else ["closed1"]:  # otherwise: a moving guide, a bush, poses in float
        if not float(found[name]) < CLOSED:
            wrong.append(f"{name}: error of a drawn gap {found[name]} m")
    if not exact and not float(found["gaps20"]) < MOVING:
        wrong.append(f"error of a drawn gap in a moving guide {found['gaps20']} m at magnification 20")
    for what in ["moves", "zooms"] + ["magnifies"] * magnified:
        if found.get(what) != "true":
            wrong.append("failed: " + what)
    if int(found["figures"]) > 0 and not float(found["in-axes"]) > IN_AXES:
        wrong.append(f"a figure shows a share of {found['in-axes']} of its curve")
    ink = [int(n) for n in (found["ink"] + "," + found["drawn"] + "," + found["ink-mechanism"]).split(",")]
    if min(ink) < 300:
        wrong.append(f"an empty panel: {ink}")
    return wrong


def stored_runs():
    """Tests moreau_report: pages of stored runs, and rejection of other files with a message."""
    wrong = []

    def make(*runs, page="kept.html"):
        return subprocess.run([reporter, folder / page, *(folder / r for r in runs)], capture_output=True, text=True)
    if make("parts.json", "derived.json").returncode != 0 or make("parts.json", page="kept_one.html").returncode != 0:
        wrong.append("no page of a stored run")
    whole = (folder / "parts.json").read_text()
    for name, text, says in [
            ("cut", whole[:len(whole) // 2], "is truncated"), ("long", whole + "{}", "data after its run"), ("none", '{"a":1}', "is not a run"),
            ("crossed", '{"format":"moreau run 1","a":[}]}', "unbalanced brackets"), ("markup", '{"format":"moreau run 1"}<script>', "data after")]:
        (folder / f"bad_{name}.json").write_text(text)
        made = make(f"bad_{name}.json", page="bad.html")
        if made.returncode != 1 or says not in made.stderr or (folder / "bad.html").exists():
            wrong.append(f"{name}: '{made.stderr.strip()}' instead of '{says}'")
    (folder / "bad_tag.json").write_text(whole.replace("Slider-crank", "</script><script>document.title = 'x'</script>", 1))
    (folder / "bad_value.json").write_text('{"format":"moreau run 1","title":1,}')
    for name in ("tag", "value"):
        make(f"bad_{name}.json", page=f"kept_{name}.html")
    return wrong


# Messages of pages of incomplete runs.
MESSAGES = {
    "hostile": "",
    "not_finite": "frames contain non-finite values",
    "failed_at_once": "step 1 failed at t = 0.00000 s with",
    "empty": "this run has no steps",
    "long_dt": "dt is too long for the play: at t = 0.01340 s, pin 2 moves by 11 plays within one step, and the limit is 0.3. Use a dt of about 441 ns.",
    "rattling": "dt is too long for the impacts: 80 % of the impacts are at most 2 steps after the previous impact of their contact, and the limit is 40 %.",
    "open_joint": "an ideal joint is open: at t = 0.01100 s, row 0 of the ideal joints (ground and crank), the position error is 0.30 m or rad",
    "kept_value": "The data of this page cannot be read",
}
# name: (page, text in it, instead)
MUTANTS = {
    "magnified angle": ("parts", "const re = 1 - 2 * k * half * half, im = k * Math.sin(turned);",
                               "const re = Math.cos(k * turned), im = Math.sin(k * turned);"),
    "fixed guide": ("derived", "Math.hypot(s.a, s.b) + k * shape.play)", "Math.hypot(s.a, s.b) + shape.play)"),
    "wrong axes of a figure": ("parts", "if (from < to) low = from, high = to;", "if (from < to) low = to, high = 2 * to - from;"),
    "magnified rotation in space": ("space_10000", "fromHalf(k, halfTurn(Math.sqrt(Math.max(0, 1 - dot3(v, v))), v))",
                                    "fromHalf(1, halfTurn(1, v.map(x => k * x)))"),
    "fixed socket": ("space_10000", "return {gap: k * play - ", "return {gap: play - "),
    "network access": ("empty", "<footer", "<img src='http://localhost:9/x.png'><footer"),
    "exception": ("empty", "begin();\n", "begin(); nothing.here();\n"),
    "empty panel": ("parts", "draw(frames, shown) {\n    this.last = [frames, shown];", "draw(frames, shown) {\n    return;"),
}


def mutant(name):
    page, text, instead = MUTANTS[name]
    source = (folder / f"{page}.html").read_text()
    if text not in source:
        return None
    path = folder / f"mutant_{list(MUTANTS).index(name)}.html"
    path.write_text(source.replace(text, instead, 1))
    return faults(inspect(path), moving=page != "empty")


def page_faults(name):
    found = inspect(folder / f"{name}.html")
    wrong = faults(found, moving=name not in ("empty", "failed_at_once", "kept_value", "open_joint"), exact=name not in ("moving_guide", "in_float"))
    says = MESSAGES.get(name, "")
    if says not in found.get("says", "") or (not says and found.get("says")):
        wrong.append(f"message '{found.get('says')}' instead of '{says}'")
    if found.get("markup") != plain_markup:
        wrong.append("names are interpreted as markup")
    return wrong


failures = 0


def report(what, wrong):
    global failures
    failures += bool(wrong)
    print(("FAILED " if wrong else "ok     ") + what + "".join("\n         " + w for w in wrong))


if len(sys.argv) == 2:
    pages = sorted(folder.glob("*.html"))
    if not pages:
        print("no example has written a page yet: nothing to test")
        sys.exit(77)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for page, found in zip(pages, pool.map(inspect, pages)):
            report(page.stem, faults(found, magnified=found.get("magnifies") == "true") +
                 (["message: " + found["says"]] if found.get("says") else []))
    for one in browsers:
        one.close()
    sys.exit(1 if failures else 0)

program, reporter = sys.argv[1:3]
shutil.rmtree(folder, ignore_errors=True)
folder.mkdir(parents=True)
subprocess.run([program, str(folder)], check=True)
for name in ("parts_10000", "loose_10000", "space_10000"):
    size = (folder / f"{name}.html").stat().st_size
    report(f"10,000 frames of {name} are {size} bytes", [] if size < MOST_BYTES else ["too large"])
found = inspect(folder / "parts_10000.html")
report(f"{found['compared']} gaps of 10,000 frames were compared", [] if found["compared"] == "40000" else ["not all of them"])
report("pages of stored runs", stored_runs())
plain_markup = inspect(folder / "empty.html").get("markup")
with concurrent.futures.ThreadPoolExecutor(2) as pool:
    pages = sorted(p.stem for p in folder.glob("*.html"))
    for name, wrong in zip(pages, pool.map(page_faults, pages)):
        report(name, wrong)
    for name, wrong in zip(MUTANTS, pool.map(mutant, MUTANTS)):
        report("detected: " + name, ["the text to change is not in the page"] if wrong is None else [] if wrong else ["was not detected"])
for one in browsers:
    one.close()
sys.exit(1 if failures else 0)
