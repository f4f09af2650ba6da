"""Chromium without a window, spoken to through a pair of pipes: the DevTools protocol with the standard library alone.

with Browser() as browser:
    page = browser.open("file:///…/page.html")
    page.press("ArrowRight")
    assert page.evaluate("location.hash") == "#moment=1"

A page keeps what must not happen: errors of scripts, messages on the console, and requests beyond its own file.
"""

import base64
import itertools
import json
import os
import select
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-default-apps", "--disable-extensions", "--mute-audio",
    "--disable-dev-shm-usage", "--hide-scrollbars", "--force-device-scale-factor=1", "--remote-debugging-pipe",
]  # fmt: skip

SKIPPED = 77  # the exit status by which ctest knows that nothing was tested
PATIENCE = 60  # seconds for an answer, on the slowest machine


def program():
    """Where Chromium is; None where it is not installed."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if path := shutil.which(name):
            return path
    return None


class Browser:
    def __enter__(self):
        self.folder = tempfile.mkdtemp(prefix="halfspace-chromium-")
        commands, self.commands = os.pipe()
        self.answers, answers = os.pipe()

        def as_three_and_four():
            # Out of the way first, so that neither overwrites the other.
            a, b = os.dup(commands), os.dup(answers)
            os.dup2(a, 3)
            os.dup2(b, 4)

        environment = dict(os.environ, HOME=self.folder)
        self.process = subprocess.Popen(
            [program(), *FLAGS, f"--user-data-dir={self.folder}", "about:blank"],
            preexec_fn=as_three_and_four, pass_fds=(3, 4), env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        os.close(commands)
        os.close(answers)
        self.buffer = b""
        self.numbers = itertools.count(1)
        self.pages = {}
        return self

    def __exit__(self, *_):
        try:
            self.send("Browser.close")
            self.process.wait(10)
        except (OSError, RuntimeError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        os.close(self.commands)
        os.close(self.answers)
        shutil.rmtree(self.folder, ignore_errors=True)

    def send(self, method, session=None, **parameters):
        """The answer to one command; what happens meanwhile is given to the pages."""
        number = next(self.numbers)
        message = {"id": number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self.commands, json.dumps(message).encode() + b"\0")
        end = time.monotonic() + PATIENCE
        while True:
            answer = self.receive(end - time.monotonic())
            if answer is None:
                raise RuntimeError(f"{method}: no answer")
            if answer.get("id") == number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]

    def receive(self, seconds):
        """The next message, events noted by their page; None when none comes in time."""
        while b"\0" not in self.buffer:
            if not select.select([self.answers], [], [], max(0, seconds))[0]:
                return None
            piece = os.read(self.answers, 1 << 16)
            if not piece:
                raise RuntimeError("Chromium ended")
            self.buffer += piece
        text, self.buffer = self.buffer.split(b"\0", 1)
        message = json.loads(text)
        if "method" in message and (page := self.pages.get(message.get("sessionId"))):
            page.note(message["method"], message["params"])
        return message

    def open(self, address, width=1280, height=900, scripts=True, dark=False, still=True):
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = self.pages[session] = Page(self, session, target)
        for domain in ("Page", "Runtime", "Log", "Network"):
            page.send(f"{domain}.enable")
        page.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        page.prefer(dark, still)
        if not scripts:
            page.send("Emulation.setScriptExecutionDisabled", value=True)
        page.go(address)
        return page


KEYS = {
    " ": ("Space", 32), "Enter": ("Enter", 13), "Tab": ("Tab", 9), "Escape": ("Escape", 27), "Home": ("Home", 36), "End": ("End", 35),
    "PageUp": ("PageUp", 33), "PageDown": ("PageDown", 34), "ArrowLeft": ("ArrowLeft", 37), "ArrowUp": ("ArrowUp", 38),
    "ArrowRight": ("ArrowRight", 39), "ArrowDown": ("ArrowDown", 40), ",": ("Comma", 188), ".": ("Period", 190), "m": ("KeyM", 77),
    "-": ("Minus", 189), "+": ("Equal", 187),
}  # fmt: skip


class Page:
    def __init__(self, browser, session, target):
        self.browser, self.session, self.target = browser, session, target
        self.faults, self.requests, self.loads = [], [], 0

    def send(self, method, **parameters):
        return self.browser.send(method, self.session, **parameters)

    def note(self, method, event):
        if method == "Runtime.exceptionThrown":
            details = event["exceptionDetails"]
            self.faults.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Runtime.consoleAPICalled":
            self.faults.append("console: " + " ".join(str(a.get("value", a.get("description"))) for a in event["args"]))
        elif method == "Log.entryAdded":
            self.faults.append(f"{event['entry']['source']}: {event['entry']['text']}")
        elif method == "Network.requestWillBeSent":
            self.requests.append(event["request"]["url"])
        elif method == "Page.loadEventFired":
            self.loads += 1

    def prefer(self, dark, still):
        features = [("prefers-color-scheme", "dark" if dark else "light"), ("prefers-reduced-motion", "reduce" if still else "no-preference")]
        self.send("Emulation.setEmulatedMedia", features=[{"name": n, "value": v} for n, v in features])

    def go(self, address):
        loads = self.loads
        self.send("Page.navigate", url=address)
        end = time.monotonic() + PATIENCE
        while self.loads == loads:
            if self.browser.receive(end - time.monotonic()) is None:
                raise RuntimeError(f"{address} does not load")

    def evaluate(self, expression):
        result = self.send("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"].get("exception", {}).get("description", expression))
        return result["result"].get("value")

    def wait(self, expression):
        end = time.monotonic() + PATIENCE
        while not self.evaluate(expression):
            if time.monotonic() > end:
                raise RuntimeError(f"never: {expression}")
            time.sleep(0.02)

    def press(self, key):
        code, number = KEYS[key]
        text = key if len(key) == 1 else "\r" if key == "Enter" else ""
        common = {"key": key, "code": code, "windowsVirtualKeyCode": number, "nativeVirtualKeyCode": number}
        self.send("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", **common, **({"text": text} if text else {}))
        self.send("Input.dispatchKeyEvent", type="keyUp", **common)

    def place(self, selector, across=0.5, up=0.5):
        """A place inside an element, scrolled into the window, for the mouse."""
        box = self.evaluate(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)}); e.scrollIntoView({{block: 'center'}});"
            " const b = e.getBoundingClientRect(); return [b.x, b.y, b.width, b.height]; })()"
        )
        return box[0] + across * box[2], box[1] + up * box[3]

    def move(self, x, y):
        self.send("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def click(self, selector, across=0.5):
        x, y = self.place(selector, across)
        self.move(x, y)
        for kind in ("mousePressed", "mouseReleased"):
            self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def screenshot(self, path):
        size = self.send("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1}
        picture = self.send("Page.captureScreenshot", format="png", clip=clip, captureBeyondViewport=True)["data"]
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).write_bytes(base64.b64decode(picture))

    def pdf(self, path, height):
        """Prints on paper as wide as A4; `height` in inches."""
        printed = self.send("Page.printToPDF", printBackground=True, paperWidth=8.27, paperHeight=height)["data"]
        Path(path).write_bytes(base64.b64decode(printed))

    def close(self):
        self.browser.send("Target.closeTarget", targetId=self.target)
        del self.browser.pages[self.session]
