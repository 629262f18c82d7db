"""Control of a headless Chromium over a pipe (DevTools protocol): keys, mouse, media, sizes, pictures."""
import base64
import json
import os
import re
import select
import shutil
import subprocess
import tempfile
import time

ANSWER_TIMEOUT = 300  # s, timeout of an answer; only ends a hanging test


def program():
    return shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


class Browser:
    def __init__(self):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        chromium_reads, self.requests = os.pipe()
        self.answers, chromium_writes = os.pipe()

        def as_3_and_4():
            one, other = os.dup(chromium_reads), os.dup(chromium_writes)
            os.dup2(one, 3), os.dup2(other, 4)
        self.process = subprocess.Popen(
            [program(), "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--hide-scrollbars",
             "--disable-component-update", f"--user-data-dir={self.profile.name}", "--remote-debugging-pipe", "about:blank"],
            preexec_fn=as_3_and_4, close_fds=False, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(chromium_reads), os.close(chromium_writes)
        self.rest, self.number, self.events = b"", 0, []

    def message(self):
        while b"\0" not in self.rest:
            ready = select.select([self.answers], [], [], ANSWER_TIMEOUT)[0]
            more = os.read(self.answers, 1 << 20) if ready else b""
            if not more:
                raise RuntimeError("the browser has ended" if ready else "the browser does not answer")
            self.rest += more
        text, self.rest = self.rest.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, session=None, **parameters):
        self.number += 1
        order = {"id": self.number, "method": method, "params": parameters} | ({"sessionId": session} if session else {})
        data = json.dumps(order).encode() + b"\0"
        while data:
            data = data[os.write(self.requests, data):]
        while True:
            answer = self.message()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.events.append(answer)

    def wait(self, name, session):
        until = time.monotonic() + ANSWER_TIMEOUT
        while True:
            for event in self.events:
                if event.get("method") == name and event.get("sessionId") == session:
                    return
            if time.monotonic() > until:
                raise RuntimeError(f"event {name} did not arrive")
            self.events.append(self.message())

    def close(self):
        try:
            self.call("Browser.close")
        except (RuntimeError, OSError):
            pass
        self.process.wait(ANSWER_TIMEOUT)
        os.close(self.requests), os.close(self.answers)
        self.profile.cleanup()


class Page:
    """A page of that browser: width and height in pixels, media as {"prefers-color-scheme": "dark"} or {"media": "print"}."""

    def __init__(self, browser, url, width=1280, height=1600, mobile=False, **media):
        self.browser = browser
        self.target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = browser.call("Target.attachToTarget", targetId=self.target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=mobile)
        self.media(**media)
        browser.events.clear()
        self.call("Page.navigate", url=url)
        browser.wait("Page.loadEventFired", self.session)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.browser.call("Target.closeTarget", targetId=self.target)

    def call(self, method, **parameters):
        return self.browser.call(method, self.session, **parameters)

    def media(self, media="screen", **features):
        self.call("Emulation.setEmulatedMedia", media=media,
                  features=[{"name": name.replace("_", "-"), "value": value} for name, value in features.items()])

    def __call__(self, expression):
        """The value of an expression in the page."""
        found = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in found:
            raise RuntimeError(expression + ": " + str(found["exceptionDetails"].get("exception", {}).get("description", "")))
        return found["result"].get("value")

    BESIDE = re.compile(r"points out of [XY] bounds")  # a warning of Dygraphs 2.2 about zoomed plots

    def complaints(self):
        """Messages of the console, and requests of files."""
        self("0")  # after this answer, all earlier messages have arrived
        messages = []
        for event in self.browser.events:
            kind, words = event.get("method"), event.get("params", {})
            if kind == "Runtime.exceptionThrown":
                messages.append(words["exceptionDetails"].get("exception", {}).get("description", "an exception"))
            elif kind == "Runtime.consoleAPICalled" and not self.BESIDE.search(str(words["args"])):
                messages.append("console: " + str(words["args"]))
            elif kind == "Log.entryAdded":
                messages.append(words["entry"]["text"])
            elif kind == "Network.requestWillBeSent" and not words["request"]["url"].startswith("file:"):
                messages.append("requests " + words["request"]["url"])
        return messages

    KEYS = {" ": ("Space", 32), "ArrowLeft": ("ArrowLeft", 37), "ArrowRight": ("ArrowRight", 39), "Home": ("Home", 36), "End": ("End", 35)}

    def key(self, key, shift=False):
        code, number = self.KEYS.get(key, ("", ord(key[0].upper())))
        for kind in ("keyDown", "keyUp"):
            text = {"text": key} if len(key) == 1 and kind == "keyDown" else {}
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=code, windowsVirtualKeyCode=number, modifiers=8 * shift, **text)

    def mouse(self, kind, x, y, **more):
        self.call("Input.dispatchMouseEvent", type="mouse" + kind, x=x, y=y, **more)

    def drag(self, x, y, to_x, to_y):
        self.mouse("Pressed", x, y, button="left", clickCount=1)
        for part in (0.3, 0.7, 1):
            self.mouse("Moved", x + part * (to_x - x), y + part * (to_y - y), button="left", buttons=1)
        self.mouse("Released", to_x, to_y, button="left", clickCount=1)

    def click(self, x, y, times=1):
        for n in range(1, times + 1):
            self.mouse("Pressed", x, y, button="left", clickCount=n)
            self.mouse("Released", x, y, button="left", clickCount=n)

    def touch(self, kind, *points):
        self.call("Input.dispatchTouchEvent", type="touch" + kind, touchPoints=[{"x": x, "y": y} for x, y in points])

    def picture(self, path, whole=True):
        data = self.call("Page.captureScreenshot", captureBeyondViewport=whole, **({} if not whole else {
            "clip": {"x": 0, "y": 0, "width": self("innerWidth"), "height": self("document.documentElement.scrollHeight"), "scale": 1}}))
        path.write_bytes(base64.b64decode(data["data"]))

    def pdf(self):
        return base64.b64decode(self.call("Page.printToPDF", printBackground=True)["data"])
