#!/usr/bin/env python3
"""Measures the pictures per second of playground pages: measure_frames.py <folder of the pages> [<seconds>]

Every machine runs in Chromium in real time with 1e5 steps per second. Writes frames.csv and the table of the page.
"""
import datetime
import os
import pathlib
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "pages"), str(HERE.parent / "support")]
import browser  # noqa: E402
import tables  # noqa: E402

MEASURE = """(async () => {
  play(false);
  reset();
  setRate(1);
  knobs.get('dt').take(1e-5);
  const steps = [], drawings = [], instants = [], [advanceOnly, renderOnly, tickOnly] = [advance, render, tick];
  const timed = (f, times) => argument => {
    const begin = performance.now();
    f(argument);
    times.push(performance.now() - begin);
  };
  advance = timed(advanceOnly, steps);
  render = timed(renderOnly, drawings);
  tick = now => {
    instants.push(now);
    tickOnly(now);
  };
  await new Promise(done => setTimeout(done, 2000));
  play(true);
  await new Promise(done => setTimeout(done, 3000));  // the compiler of the browser optimises the module meanwhile
  for (const list of [steps, drawings, instants]) list.length = 0;
  const before = machine.steps;
  await new Promise(done => setTimeout(done, 1000 * SECONDS));
  play(false);
  const span = (instants.at(-1) - instants[0]) / 1000;
  const part = (list, p) => list.sort((a, b) => a - b)[Math.floor(p * (list.length - 1))];
  return {pictures: (instants.length - 1) / span, steps: (machine.steps - before) / span,
    stepping: part(steps, 0.5), stepping_99: part(steps, 0.99), drawing: part(drawings, 0.5), drawing_99: part(drawings, 0.99),
    message: document.querySelector('[role=status]').textContent};
})()"""

folder, seconds = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2] if len(sys.argv) > 2 else "20"
rows = []
chromium = browser.Browser()
time.sleep(8)  # Chromium's own start
for name in ("crank", "four_bar", "gear_drive", "woodpecker"):
    with browser.Page(chromium, (folder / f"{name}.html").as_uri()) as page:
        page("ready.then(() => 0)")
        found = page(MEASURE.replace("SECONDS", seconds))
    print(name, found)
    if found.pop("message"):
        sys.exit(f"{name}: the machine was paused")
    size = (folder / f"{name}.html").stat().st_size
    rows.append({"machine": name, "bytes": size} | {key: f"{value:.{0 if key in ('steps', 'pictures') else 1}f}" for key, value in found.items()}
                | {"load": f"{os.getloadavg()[0]:.0f}", "date": datetime.date.today().isoformat()})
chromium.close()
tables.write_csv("playground/frames.csv", list(rows[0]), rows)
subprocess.run([tables.TESTS / "write_pages.py"], check=True)
