#!/usr/bin/env python3
"""Use of a page: keys, mouse, reduced motion, dark mode, phone, print.

    operate_page.py <folder of pages written for inspect_pages.py>

Every use has mutants of the page that must be detected. Exit code 77: no Chromium, skipped.
"""
import pathlib
import sys
import time

sys.dont_write_bytecode = True  # nothing is left in the source tree
import browser

CALM = 249  # ms, least interval between pictures if motion is reduced: the page waits 250 ms
PHONE = (390, 844)
READABLE, SEEN = 4.5, 3  # contrast of text and of curves with their background (WCAG 2.1, 1.4.3 and 1.4.11)
BLANK = 2000  # bytes of an empty PDF

MIDDLE = "(e => { e.scrollIntoView({block: 'center'}); const b = e.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; })"
CONTRAST = """(() => {
  const rgb = text => { const c = document.createElement('canvas').getContext('2d'); c.fillStyle = text; c.fillRect(0, 0, 1, 1); return [...c.getImageData(0, 0, 1, 1).data]; };
  const light = text => { const [r, g, b] = rgb(text).map(v => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const with_card = name => { const [a, b] = [light(ink(name)), light(ink('card'))].sort((x, y) => y - x); return (a + 0.05) / (b + 0.05); };
  return {words: Math.min(...['ink', 'soft', 'accent', 'good', 'bad'].map(with_card)), curves: Math.min(...Array.from({length: palette}, (_, i) => with_card('c-' + i)))};
})()"""


def keys(open_page):
    wrong = []
    with open_page() as page:
        def expect(what, expression, *pressed, shift=False):
            for key in pressed:
                page.key(key, shift)
            if page(expression) is not True:
                wrong.append(f"{what}: {page('[state.t, state.k, state.frames[0], state.playing, ...plots.window].join()')}")
        expect("next frame", "state.frames[0] === 1 && +byId('scrub').value === 1", "ArrowRight")
        expect("ten frames forward", "state.frames[0] === 11", "ArrowRight", shift=True)
        expect("previous frame", "state.frames[0] === 10", "ArrowLeft")
        expect("last frame", "state.t === plots.whole[1]", "End")
        expect("first frame", "state.t === plots.whole[0]", "Home")
        page("globalThis.before = state.k")
        expect("larger magnification", "state.k > before && byId('times').textContent === state.k + '×'", "+")
        expect("smaller magnification", "state.k === before", "-")
        expect("zoom in time", "Math.abs((plots.window[1] - plots.window[0]) / (plots.whole[1] - plots.whole[0]) - 0.25) < 1e-9", "i", "i")
        expect("zoom out in time", "Math.abs((plots.window[1] - plots.window[0]) / (plots.whole[1] - plots.whole[0]) - 0.5) < 1e-9", "o")
        expect("whole time range", "plots.window.join() === plots.whole.join()", "a")
        expect("playback starts", "state.playing && byId('play').textContent === 'Pause'", " ")
        # Within 100 frames, whatever their duration.
        expect("playback continues", """new Promise(r => {
          const look = left => left === 0 || state.t > plots.whole[0] ? r(left > 0) : requestAnimationFrame(() => look(left - 1));
          look(100);
        })""")
        expect("playback pauses", "!state.playing", " ")
        page("byId('play').focus()")
        expect("a focused button reacts once", "state.playing", " ")
        page("play(false), byId('magnifier').focus(), setMagnifier(1)")
        expect("a focused slider keeps its keys", "state.k === 2 && state.frames[0] >= 0", "ArrowRight")
    return wrong


def mouse(open_page):
    wrong = []
    with open_page() as page:
        def expect(what, expression):
            if page(expression) is not True:
                wrong.append(what + ": " + str(page("[stages[0].pan, stages[0].zoom, ...plots.window, state.t].join()")))
        x, y = page(MIDDLE + "(stages[0].canvas)")
        page("globalThis.plain = pictureOf(stages[0].canvas)")
        page.drag(x, y, x + 60, y - 30)
        expect("a drag moves the mechanism", "stages[0].pan.join() === '60,-30' && pictureOf(stages[0].canvas) !== plain")
        page.mouse("Wheel", x, y, deltaX=0, deltaY=-300, modifiers=2)
        expect("ctrl and wheel zoom in", "stages[0].zoom > 1.3")
        page("globalThis.zoomed = stages[0].zoom")
        page.mouse("Wheel", x, y, deltaX=0, deltaY=-300)
        expect("the wheel alone scrolls the page", "stages[0].zoom === zoomed")
        x, y = page(MIDDLE + "(stages[0].canvas)")
        page.click(x, y, times=2)
        expect("a double click resets the view", "stages[0].zoom === 1 && stages[0].pan.join() === '0,0' && pictureOf(stages[0].canvas) === plain")
        x, y = page(MIDDLE + "(plots.graphs[0].plot)")
        page.drag(x, y, x + 100, y)
        expect("a drag in a plot zooms all plots", """(plots.window[1] - plots.window[0]) / (plots.whole[1] - plots.whole[0]) < 0.5 &&
          plots.graphs.every(({graph}) => Math.abs(graph.xAxisRange()[0] / plots.perTime - plots.window[0]) < 1e-9)""")
        page.click(x, y)
        expect("a click in a plot selects its time", "state.t > plots.window[0] && state.t < plots.window[1]")
        page("setMagnifier(1)")
        x, y = page(MIDDLE + "(byId('magnifier'))")
        page.click(x + 60, y)
        expect("the magnifier's slider", "state.k > 60")
    return wrong


def space(open_page):
    wrong = []
    with open_page() as page:
        def expect(what, expression):
            if page(expression) is not True:
                wrong.append(what + ": " + str(page("[stage.azimuth, stage.elevation, stage.pan, stage.zoom, stage.perspective].join()")))
        page("globalThis.stage = stages[0], globalThis.plain = pictureOf(stage.canvas), globalThis.from = [stage.azimuth, stage.elevation]")
        x, y = page(MIDDLE + "(stage.canvas)")
        page.drag(x, y, x + 50, y + 25)
        expect("a drag turns the mechanism", "Math.abs(stage.azimuth - from[0] + 0.4) < 1e-9 && Math.abs(stage.elevation - from[1] - 0.2) < 1e-9")
        expect("another side is visible", "pictureOf(stage.canvas) !== plain")
        page("byId('play').blur(), stage.canvas.focus(), stage.see('oblique')")
        for key in ("ArrowRight", "ArrowUp"):
            page.key(key)
        expect("arrow keys turn a focused mechanism", "stage.azimuth > from[0] && stage.elevation < from[1] + 0.1 && stage.elevation !== from[1] && state.frames[0] === 0")
        page.key("4")
        expect("a key selects a view", "stage.elevation === Math.PI / 2")
        page.key("p")
        expect("a key selects the projection", "!stage.perspective && stage.buttons.get('perspective').textContent === 'parallel'")
        page("stage.buttons.get('front').click()")
        expect("a button selects a view", "stage.elevation === 0 && pictureOf(stage.canvas) !== plain")
        page.touch("Start", (x, y)), page.touch("Move", (x + 30, y)), page.touch("Move", (x + 50, y)), page.touch("End")
        expect("a finger turns the mechanism", "Math.abs(stage.azimuth - (-Math.PI / 2)) > 0.1 && stage.pan.join() === '0,0'")
        page.touch("Start", (x - 20, y), (x + 20, y)), page.touch("Move", (x - 60, y), (x + 60, y)), page.touch("End")
        expect("two fingers zoom", "stage.zoom > 2")
        page.click(x, y, times=2)
        expect("a double click fits the view", "stage.zoom === 1 && stage.pan.join() === '0,0'")
        page("stage.see('oblique'), stage.perspective = true, setMagnifier(100), seek(0.7)")
        expect("hidden points of contacts are pale", "stage.raster.shows(0, 0, 0) && !stage.raster.shows(...stage.px(placed(mapInSpace(runs[0], 2, state.frames[0], 100), [0, 0, 0])).map((v, n) => n < 2 ? v * stage.fine() : v))")
    return wrong


def reduced_motion(open_page):
    # Times of the pictures after play(), over two seconds of a simulated clock with 60 frames per second: independent
    # of the load of the machine.
    drawn = """(() => {
      let now = performance.now();
      const frames = [], at = [];
      performance.now = () => now;
      globalThis.requestAnimationFrame = f => frames.push(f);
      play(true);
      globalThis.render = (f => () => (at.push(now), f()))(render);
      for (let n = 0; n < 120; ++n) {
        now += 1000 / 60;
        for (const f of frames.splice(0)) f(now);
      }
      return at;
    })()"""
    with open_page(prefers_reduced_motion="reduce") as page:
        at, plays = page(drawn), page("state.playing && state.t > plots.whole[0]")
    least = min((b - a for a, b in zip(at, at[1:])), default=0)
    return ([] if plays else ["playback does not start"]) + ([] if least >= CALM else [f"{len(at)} pictures, {least:.0f} ms apart"])


def colours(page):
    """Checks the contrast of text and curves with their background."""
    found = page(CONTRAST)
    return [f"contrast of {what} is {found[what]:.2f}" for what, least in (("words", READABLE), ("curves", SEEN)) if found[what] < least]


def dark(open_page):
    with open_page() as page:
        wrong = ["light mode: " + w for w in colours(page)]
        pictures = "[...document.querySelectorAll('canvas')].filter(c => c.width > 50 && c.checkVisibility()).map(pictureOf)"
        day = page(pictures)
        page.media(prefers_color_scheme="dark")
        if page("getComputedStyle(document.body).backgroundColor") != "rgb(15, 21, 28)":
            wrong.append("the background is not dark")
        page("new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))")  # the page receives a change of media before a frame
        night = page(pictures)
        same = sum(a == b for a, b in zip(day, night))
        # One canvas of each plot is for the pointer and empty.
        if same > page("plots.graphs.length"):
            wrong.append(f"{same} of {len(day)} pictures keep the colours of the light mode")
        wrong += ["dark mode: " + w for w in colours(page)]
    return wrong


def phone(open_page):
    with open_page(width=PHONE[0], height=PHONE[1], mobile=True) as page:
        wide, narrowest = page("document.documentElement.scrollWidth"), page(
            "Math.min(...[...document.querySelectorAll('.plot, canvas.drawn, #stages canvas')].map(e => e.getBoundingClientRect().width))")
        wrong = [f"the page is {wide} pixels wide"] if wide > PHONE[0] else []
        wrong += [f"a picture is {narrowest} pixels wide"] if narrowest < 240 else []
        cut = page("[...document.querySelectorAll('h1, h2, button, select, output, th')].filter(e => e.getBoundingClientRect().right > innerWidth + 1).length")
        wrong += [f"{cut} elements exceed the screen"] if cut else []
    return wrong


def paper(open_page):
    with open_page() as page:
        page.media("print", prefers_color_scheme="dark")
        wrong = [what for what, expression in {
            "controls are printed": "!byId('controls').checkVisibility()",
            "the background is not white": "getComputedStyle(document.body).backgroundColor === 'rgb(255, 255, 255)'",
            "the text is not black": "getComputedStyle(document.body).color === 'rgb(0, 0, 0)'",
        }.items() if page(expression) is not True]
        wrong += ["print: " + w for w in colours(page)]
        if len(page.pdf()) < BLANK:
            wrong.append("the PDF is blank")
    return wrong


USES = {"keys": keys, "mouse": mouse, "space": space, "reduced motion": reduced_motion, "dark": dark, "phone": phone, "paper": paper}
# Mutants of the page: use, text, replacement. The use must fail.
MUTANTS = [
    ("keys", "keys[event.key](event);", ""),
    ("keys", "const isControl = /^(INPUT", "const isControl = /^(NONE"),
    ("mouse", "this.pan = [event.clientX - this.held[0], event.clientY - this.held[1]];", ""),
    ("mouse", "this.zoom *= factor;", ""),
    ("mouse", "clickCallback: (e, x) => this.onPick(x / this.perTime)", "clickCallback: null"),
    ("space", "this.turn(-0.008 * way[0], 0.008 * way[1]);", ""),
    ("space", "if (!(z > depth[at])) continue;", "if (z > -Infinity) depth[at] = -Infinity;"),
    ("reduced motion", ".matches ? 250 : 0", ".matches ? 0 : 0"),
    ("dark", "addEventListener('change', recolour)", "addEventListener('nothing', recolour)"),
    ("dark", "--soft: #9aa8b5;", "--soft: #29343f;"),
    ("phone", "@media (max-width: 900px) {", "@media (max-width: 9px) {"),
    ("paper", "#controls, .views, .keys, .panel select { display: none; }", ""),
    ("paper", "--paper: #fff; --card: #fff;", "--paper: #000; --card: #000;"),
]


def main():
    if not browser.program():
        print("no Chromium: pages are not tested (toolchains/setup tests installs it)")
        return 77
    folder = pathlib.Path(sys.argv[1])
    sources = {name: (folder / ("space.html" if name == "space" else "parts.html")).read_text() for name in USES}
    chromium = browser.Browser()
    failures = 0
    for name, text, instead in [(name, "", "") for name in USES] + MUTANTS:
        path, source = folder / "used.html", sources[name]
        path.write_text(source.replace(text, instead, 1) if text else source)
        begin = time.monotonic()
        if text and text not in source:
            wrong, expected = ["the text to change is not in the page"], False
        else:
            wrong = USES[name](lambda **how: browser.Page(chromium, path.resolve().as_uri(), **how))
            expected = bool(wrong) == bool(text)
        failures += not expected
        print(("ok     " if expected else "FAILED ") + ("detected: " if text else "") + f"{name} {text[:50]}  ({time.monotonic() - begin:.1f} s)" +
              "".join("\n         " + w for w in wrong if not expected))
    chromium.close()
    return 1 if failures else 0


sys.exit(main())
