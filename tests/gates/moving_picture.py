#!/usr/bin/env python3
"""Checks the animation of the picture on the front page in a browser: moving_picture.py <svg>

The picture must move, stand still if the user prefers reduced motion, and draw closed contacts closed. Chromium opens
the file, sets all animations to times of one revolution and returns the positions of the elements. A corner that is
marked as closed by its dot must be drawn on a face.
"""
import html
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

MOST_BYTES = 80_000
CLOSED_WITHIN = 0.1  # px: coordinates are rounded to 0.1 px, and the browser interpolates between frames
TIMES = 90

picture = pathlib.Path(sys.argv[1]).resolve()
chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
if not chromium:
    print("chromium is missing; toolchains/setup installs it")
    sys.exit(77)

PAGE = """<!doctype html><img src="%(src)s"><iframe src="%(src)s" width=800 height=500></iframe><script>
addEventListener("load", () => {
  const page = document.querySelector("iframe").contentDocument, found = {moments: []};
  found.image = document.querySelector("img").naturalWidth;
  const moving = page.getAnimations();
  found.animations = moving.length;
  const place = name => page.getElementById(name).getBoundingClientRect();
  const centre = box => [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
  const frame = page.querySelector("svg").getBoundingClientRect();
  found.scale = frame.width / page.querySelector("svg").viewBox.baseVal.width;
  const faces = [...page.querySelectorAll("path.face")].map(f => centre(f.getBoundingClientRect())[1]);
  found.faces = faces;
  const duration = moving.length ? moving[0].effect.getTiming().duration : 0;
  for (let i = 0; i < %(times)d; ++i) {
    for (const one of moving) { one.pause(); one.currentTime = duration * (i + 0.5) / %(times)d; }
    const moment = {rod: centre(place("rod")), now: centre(place("now"))[0], corners: []};
    for (let c = 0; c < 4; ++c)
      moment.corners.push([getComputedStyle(page.getElementById("on" + c)).opacity, centre(place("on" + c))[1]]);
    found.moments.push(moment);
  }
  document.documentElement.setAttribute("data-found", JSON.stringify(found));
});
</script>"""


def look(*options):
    with tempfile.TemporaryDirectory() as folder:
        page = pathlib.Path(folder) / "page.html"
        page.write_text(PAGE % {"src": picture.as_uri(), "times": TIMES})
        command = [chromium, "--headless", "--no-sandbox", "--disable-gpu", "--allow-file-access-from-files", f"--user-data-dir={folder}/profile",
                   "--virtual-time-budget=3000", *options, "--dump-dom", page.as_uri()]
        dom = subprocess.run(command, capture_output=True, text=True, timeout=600).stdout
    found = re.search(r'data-found="([^"]*)"', dom)
    if not found:
        sys.exit(f"{chromium} did not show the picture\n{dom[:500]}")
    return json.loads(html.unescape(found.group(1)))


complaints = []
moving, still = look(), look("--force-prefers-reduced-motion")
if not moving["image"]:
    complaints.append("<img> does not display it")
if moving["animations"] < 8 or len({tuple(m["rod"]) for m in moving["moments"]}) < TIMES // 2:
    complaints.append("the rod does not move")
if still["animations"] or len({tuple(m["rod"]) for m in still["moments"]}) != 1:
    complaints.append("it moves although reduced motion is preferred")
closed, worst = 0, 0.0
for moment in moving["moments"] + still["moments"][:1]:
    for opacity, height in moment["corners"]:
        if float(opacity) > 0.5:
            closed += 1
            worst = max(worst, min(abs(height - face) for face in moving["faces"]) / moving["scale"])
if len(moving["faces"]) != 2 or closed < TIMES // 4 or worst > CLOSED_WITHIN:
    complaints.append(f"{closed} closed corners, the worst drawn {worst:.2f} px from its face")
if picture.stat().st_size > MOST_BYTES:
    complaints.append(f"{picture.stat().st_size} bytes")
text = picture.read_text()
if re.search(r"<script|<foreignObject|(href|src)=['\"](?!#)|url\((?!#)", text):
    complaints.append("it contains a script or refers to another file")

print("\n".join(complaints))
print(f"{moving['animations']} animations, {closed} closed corners, the worst {worst:.3f} px from its face; {len(complaints)} complaints")
sys.exit(1 if complaints else 0)
