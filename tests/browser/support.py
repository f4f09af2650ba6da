"""What the tests of pages share: the command, the pages it makes, one browser for all of them."""

import json
import subprocess
import tempfile
import unittest
from functools import lru_cache
from pathlib import Path

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
        cls.shots = SETTINGS["screenshots"]

    def setUp(self):
        self.page = None

    def tearDown(self):
        self.finish()

    def finish(self):
        """Looks at what the page that is open has done."""
        if self.page:
            self.page.listen()
            self.assertEqual(self.page.faults, [])
            self.assertTrue(self.page.requests)
            for request in self.page.requests:
                self.assertEqual(request, self.address)
        self.page = None

    def open(self, path, fragment="", **how):
        self.finish()
        self.address = Path(path).as_uri()
        self.page = SETTINGS["browser"].open(self.address + fragment, **how)
        return self.page

    def write(self, name, text):
        path = Path(FOLDER.name) / name
        path.write_text(text)
        return str(path)
