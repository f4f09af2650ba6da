"""What the tests of pages share: the command, the pages it makes, one browser for a whole program."""

import json
import subprocess
import sys
import tempfile
import unittest
from functools import lru_cache
from pathlib import Path

import chromium

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
FOLDER = tempfile.TemporaryDirectory(prefix="halfspace-browser-")
SETTINGS = {}


def halfspace(*arguments, **how):
    done = subprocess.run([SETTINGS["command"], *map(str, arguments)], capture_output=True, **how)
    if done.returncode not in (0, 1):
        raise RuntimeError(f"halfspace {' '.join(map(str, arguments))}: {done.stderr.decode()}")
    return done.stdout


@lru_cache(maxsize=None)
def page_of(*arguments):
    """The page that a run leaves."""
    path = Path(FOLDER.name) / f"page-{page_of.cache_info().currsize}.html"
    halfspace(*arguments, "--report", path)
    return path


def run_of(*arguments):
    return json.loads(halfspace(*arguments, "--json", "--figures"))


class PageTest(unittest.TestCase):
    """A test with pages: at its end none may have complained, nor asked for anything but itself."""

    @classmethod
    def setUpClass(cls):
        cls.browser = chromium.Browser().__enter__()
        cls.shots = SETTINGS["screenshots"]

    @classmethod
    def tearDownClass(cls):
        cls.browser.__exit__()

    def setUp(self):
        self.opened = []

    def tearDown(self):
        for page, address in self.opened:
            self.assertEqual(page.faults, [])
            for request in page.requests:
                self.assertEqual(request.split("#")[0], address)
            if page.session in self.browser.pages:
                page.close()

    def open(self, path, fragment="", **how):
        address = Path(path).as_uri()
        page = self.browser.open(address + fragment, **how)
        self.opened.append((page, address))
        return page

    def write(self, name, text):
        path = Path(FOLDER.name) / name
        path.write_text(text)
        return str(path)


def main():
    """Runs the tests of the calling program, or says loudly that there is nothing to run them in."""
    if chromium.program() is None:
        print("SKIPPED: Chromium is not installed (apt-get install chromium); no page was looked at")
        sys.exit(chromium.SKIPPED)
    SETTINGS["command"] = sys.argv.pop(1)
    SETTINGS["screenshots"] = Path(sys.argv.pop(1))
    unittest.main()
