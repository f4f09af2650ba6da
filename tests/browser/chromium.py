"""Chromium without a window, by Selenium: one browser, one tab, which a page is opened in after the other.

browser = Browser()
page = browser.open("file:///…/page.html")
page.press("ArrowRight")
assert page.evaluate("location.hash") == "#moment=1"

A page keeps what must not happen: errors of scripts, messages on the console, and requests beyond its own file.
"""

import base64
import itertools
import json
import re
import shutil
import time
from pathlib import Path

SKIPPED = 77  # the exit status by which ctest knows that nothing was tested
PATIENCE = 60  # seconds for an answer, on the slowest machine
FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync", "--disable-default-apps", "--disable-extensions",
         "--disable-dev-shm-usage", "--hide-scrollbars", "--force-device-scale-factor=1")
KEYS = {" ": "SPACE", "ArrowLeft": "ARROW_LEFT", "ArrowUp": "ARROW_UP", "ArrowRight": "ARROW_RIGHT",
        "ArrowDown": "ARROW_DOWN", "PageUp": "PAGE_UP", "PageDown": "PAGE_DOWN"}  # where it is not the name in capitals


def missing():
    """What is not installed, as Debian packages; empty when all is."""
    packages = [package for package, program in (("chromium", "chromium"), ("chromium-driver", "chromedriver"))
                if shutil.which(program) is None]
    try:
        import selenium  # noqa: F401
    except ImportError:
        packages.append("python3-selenium")
    return " ".join(packages)


class Browser:
    def __init__(self):
        from selenium import webdriver
        from selenium.webdriver.chrome.service import Service

        options = webdriver.ChromeOptions()
        options.binary_location = shutil.which("chromium")
        for flag in FLAGS:
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)
        self.numbers = itertools.count(1)
        self.driver.set_page_load_timeout(PATIENCE)
        self.driver.set_script_timeout(PATIENCE)

    def close(self):
        self.driver.quit()

    def open(self, address, width=1280, scripts=True, dark=False, still=True):
        """Loads a page, even the one that is there: the query of its address is its number."""
        page = Page(self.driver)
        page.show(width, dark, still)
        page.send("Emulation.setScriptExecutionDisabled", value=not scripts)
        address, sharp, fragment = address.partition("#")
        self.driver.get(f"{address}?{next(self.numbers)}{sharp}{fragment}")
        return page


class Page:
    def __init__(self, driver):
        self.driver, self.faults, self.requests = driver, [], []

    def send(self, method, **parameters):
        return self.driver.execute_cdp_cmd(method, parameters)

    def show(self, width, dark, still=True):
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
        features = {"prefers-color-scheme": "dark" if dark else "light",
                    "prefers-reduced-motion": "reduce" if still else "no-preference"}
        self.send("Emulation.setEmulatedMedia", features=[{"name": n, "value": v} for n, v in features.items()])

    def listen(self):
        """Notes what the console and the network reported since."""
        self.faults += [f"{entry['source']}: {entry['message']}" for entry in self.driver.get_log("browser")]
        for entry in self.driver.get_log("performance"):
            event = json.loads(entry["message"])["message"]
            if event["method"] == "Network.requestWillBeSent":
                self.requests.append(re.sub(r"\?\d+(#.*)?$", "", event["params"]["request"]["url"]))

    def evaluate(self, expression):
        result = self.send("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"].get("exception", {}).get("description", expression))
        return result["result"].get("value")

    def of(self, selector, member):
        return self.evaluate(f"document.querySelector({json.dumps(selector)}).{member}")

    def text(self, selector):
        return self.of(selector, "textContent")

    def value(self, selector):
        return self.of(selector, "value")

    def focus(self, selector):
        self.of(selector, "focus()")

    def count(self, selector):
        return self.evaluate(f"document.querySelectorAll({json.dumps(selector)}).length")

    def wait(self, expression):
        end = time.monotonic() + PATIENCE
        while not self.evaluate(expression):
            if time.monotonic() > end:
                raise RuntimeError(f"never: {expression}")
            time.sleep(0.02)

    def press(self, key):
        from selenium.webdriver.common.action_chains import ActionChains
        from selenium.webdriver.common.keys import Keys

        name = KEYS.get(key, key.upper())
        ActionChains(self.driver, duration=0).send_keys(getattr(Keys, name, key)).perform()

    def move(self, x, y, click=False):
        """The mouse to a position of the window."""
        from selenium.webdriver.common.actions.action_builder import ActionBuilder

        actions = ActionBuilder(self.driver, duration=0)
        actions.pointer_action.move_to_location(round(x), round(y))
        if click:
            actions.pointer_action.click()
        actions.perform()

    def click(self, selector, across=0.5):
        x, y, width, height = self.evaluate(
            "(e => { e.scrollIntoView({block: 'center'}); const b = e.getBoundingClientRect();"
            f" return [b.x, b.y, b.width, b.height]; }})(document.querySelector({json.dumps(selector)}))"
        )
        self.move(x + across * width, y + 0.5 * height, click=True)

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
