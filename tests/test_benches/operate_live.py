#!/usr/bin/env python3
"""Operates a live page in Chromium: operate_live.py <program live> <board.elf>; exit code 77: no Chromium.

A loop on this machine and a board under QEMU are watched, recorded and lost.
"""
import pathlib
import socket
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "pages"))
import browser  # noqa: E402

program, elf = sys.argv[1:]
if not browser.program():
    print("skipped: Chromium is not installed")
    sys.exit(77)
PATIENCE = 60  # s, only ends a hanging test
failures = []


def expect(holds, what):
    if not holds:
        failures.append(what)
        print("FAILED", what)


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return str(one.getsockname()[1])


def start(*words):
    port = free_port()
    process = subprocess.Popen([program, *words, port], stdout=subprocess.PIPE, text=True)
    return process, process.stdout.readline().strip()


def until(page, expression):
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if page(expression):
            return True
        time.sleep(0.1)
    return False


def watch(chromium, *words):
    process, address = start(*words)
    with browser.Page(chromium, address, prefers_color_scheme="light") as page:
        expect(until(page, "run.frames > 100 && stage"), "frames arrive")
        light = page("getComputedStyle(document.body).backgroundColor")
        page.media(prefers_color_scheme="dark")
        expect(page("getComputedStyle(document.body).backgroundColor") != light, "dark colours")
        page.key("r")
        first = page("state.next")
        expect(until(page, f"state.next > {first} + 200"), "samples arrive")
        page.key("r")
        rows = page("fetch(document.querySelector('#saved a').href).then(a => a.text()).then(text => text.trim().split('\\n').length - 1)")
        expect(rows >= 200, f"the record has the samples: {rows}")
        report = page("fetch(document.querySelectorAll('#saved a')[2].href).then(a => a.text())")
        expect(report.startswith("<!DOCTYPE html>"), "the record is also a report page")
        page.key(" ")
        last = page("run.t[run.frames - 1]")
        time.sleep(0.5)
        expect(page("run.t[run.frames - 1]") == last, "the space key pauses the page")
        page.key(" ")
        expect(until(page, f"run.t[run.frames - 1] > {last} && state.gaps > 0"), "it continues with a gap")
        page("stream.close(); 0")
        number = page("state.event")
        time.sleep(1)
        page("stream = new EventSource('/events'); stream.onmessage = take; 0")
        expect(until(page, f"state.event > {number} && state.skipped > 0"), "a reconnected browser counts the events that it missed")
        expect(page("errors.length") == 0, f"no errors: {page('errors')}")
        process.terminate()
        process.wait()
        expect(until(page, "document.querySelector('#badges .bad') !== null"), "the end of the program is visible")
    return address


chromium = browser.Browser()
watch(chromium, "loop", "600")
watch(chromium, "board", elf, "600")
process, address = start("loop", "600")
with browser.Page(chromium, address, width=390, height=800, mobile=True) as page:
    expect(until(page, "run.frames > 100"), "frames arrive on a phone")
    expect(page("document.documentElement.scrollWidth <= innerWidth"), "a phone needs no horizontal scrolling")
process.terminate()
process.wait()
chromium.close()
print(f"{len(failures)} failed")
sys.exit(1 if failures else 0)
