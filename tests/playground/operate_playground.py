#!/usr/bin/env python3
"""Operates a playground page in Chromium: operate_playground.py <page.html> <native program> <steps>; exit code 77: no Chromium."""
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "pages"))
import browser  # noqa: E402

LARGEST_PAGE = 150_000  # bytes
SLOWEST_PICTURE = 100  # ms for steps and drawing; 16 ms are 60 pictures per second on an idle machine

path, program, steps = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2], sys.argv[3]
if not browser.program():
    print("skipped: Chromium is not installed")
    sys.exit(77)
failures = []


def expect(holds, what):
    if not holds:
        failures.append(what)
        print("FAILED", what)


def check_itself(chromium):
    with browser.Page(chromium, path.as_uri() + "#check") as page:
        page("ready.then(() => 0)")
        found = dict(page("({...document.documentElement.dataset})"))
        print(found)
        native = subprocess.run([program, steps], capture_output=True, text=True, check=True).stdout.strip()
        expect(found["check"] == "done" and found["errors"] == "none" and found["requests"] == "0", "the page tests itself without an error")
        expect(found["hash"] == native and found["same"] == native, f"bits equal those of the native program, also after hostile settings: {native}")
        expect(int(found["changed"]) == int(found["canvases"]), "mechanism and plots change while the machine runs")
        expect(int(found["refused"]) > 10 and found["unsaid"] == "0", "hostile settings are rejected with a sentence")
        expect(int(found["paused"]) > 0, "a step that does not advance pauses the run")
        expect(found.get("magnifies", "true") == "true", "the magnifier changes the picture")
        expect(float(found["pictureMs"]) < SLOWEST_PICTURE, f"a picture within {SLOWEST_PICTURE} ms")
        expect(not page.complaints(), f"no messages on the console: {page.complaints()}")


def operate(chromium):
    with browser.Page(chromium, path.as_uri(), prefers_color_scheme="light") as page:
        page("ready.then(() => 0)")
        if not page("state.playing"):
            page.key(" ")
        expect(page("state.playing"), "the space key runs the machine")
        page.key(" ")
        expect(not page("state.playing"), "the space key pauses it")
        steps_before = page("machine.steps")
        page.key("s")
        expect(page("machine.steps") == steps_before + 1, "s performs one step")
        k = page("state.k")
        page.key("-")
        expect(page("state.k") < k or k == 0 or not page("run.moves"), "- reduces the magnification")
        page.key("r")
        expect(page("machine.steps") == 0, "r restarts")
        # Two settings, one rejected and one accepted; the address holds the accepted one.
        page("document.activeElement.blur()")
        page("var knob = [...knobs.values()][0]; knob.number.value = '1e300'; knob.number.onchange()")
        expect(page("knob.says.textContent.length") > 10, "a rejected number has a sentence")
        page("knob.slider.value = 700; knob.slider.oninput()")
        value, name = page("knob.now()"), page("knob.name")
        expect(page("knob.says.textContent") == "", "an accepted number clears it")
        page("new Promise(done => setTimeout(done, 400))")
        expect(name + "=" in page("location.hash"), "the address holds the setting")
        light = page("getComputedStyle(document.body).backgroundColor")
        page.media(prefers_color_scheme="dark")
        expect(page("getComputedStyle(document.body).backgroundColor") != light, "dark colours")
        address = page("location.href")
    with browser.Page(chromium, address, width=390, height=800, mobile=True) as page:
        page("ready.then(() => 0)")
        expect(page(f"knobs.get({name!r}).now()") == value, "the address restores the setting")
        expect(page("document.documentElement.scrollWidth <= innerWidth"), "a phone needs no horizontal scrolling")
        expect(page("Math.min(...[...document.querySelectorAll('#controls button')].map(b => b.offsetHeight))") >= 28, "buttons for fingers")
    with browser.Page(chromium, path.as_uri() + "#nothing=1&dt=-1&k=1e9") as page:
        page("ready.then(() => 0)")
        expect("nothing = 1" in page("byId('notices').textContent"), "unknown names of an address give a notice")
        page("step()")
        expect("invalid_argument" in page("byId('notices').textContent"), "a negative dt gives the status of the step")
        expect(not page.complaints(), f"no messages on the console: {page.complaints()}")


expect(path.stat().st_size < LARGEST_PAGE, f"at most {LARGEST_PAGE} bytes: {path.stat().st_size}")
chromium = browser.Browser()
check_itself(chromium)
operate(chromium)
chromium.close()
print(f"{len(failures)} failed")
sys.exit(1 if failures else 0)
