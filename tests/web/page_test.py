"""The playground in a browser, as a student uses it. Skipped, saying so, without Chromium or before `make web`.

usage: page_test.py HALFSPACE SOURCE_TREE SCREENSHOTS
"""

import json
import re
import subprocess
import sys
import tempfile
import unittest
import urllib.parse
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "browser"))
import chromium  # noqa: E402

SETTINGS = {}
TIMED = re.compile(r"^ +[\d,]+ +\d+ +[\d,]+ |rounds/s")  # lines of the ledger that tell rounds a second


def halfspace(*arguments):
    words = [SETTINGS["command"], *arguments]
    return subprocess.run(words, capture_output=True, text=True, cwd=SETTINGS["folder"]).stdout


def untimed(text):
    """The ledger without its clock; the C interface names options without dashes."""
    kept = "\n".join(line for line in text.splitlines() if not TIMED.search(line))
    return re.sub(r"(?<=\s)--(?=[a-z])", "", kept.strip())


class Playground(unittest.TestCase):
    def setUp(self):
        self.page = None

    def tearDown(self):
        self.page.listen()
        self.assertEqual(self.page.faults, [])
        self.assertTrue(self.page.requests)
        for request in self.page.requests:
            self.assertTrue(request.startswith(("file:", "data:")), request)

    def open(self, fragment="", **how):
        self.page = SETTINGS["browser"].open(SETTINGS["address"] + fragment, **how)
        self.page.wait("document.documentElement.dataset.ready === 'yes'")
        return self.page

    def shot(self, name):
        self.page.screenshot(SETTINGS["screenshots"] / f"playground-{name}.png")

    def choose(self, name, value):
        self.page.evaluate(f"(e => {{ e.value = '{value}'; e.dispatchEvent(new Event('change', {{bubbles: true}})); }})"
                           f"(document.querySelector('[name={name}]'))")

    def saved(self):
        """The points as the page saves them, in a file for the command."""
        address = self.page.of("#links a", "href")
        (SETTINGS["folder"] / "points.csv").write_text(urllib.parse.unquote(address.split(",", 1)[1]))

    def test_the_run_is_that_of_the_command(self):
        page = self.open()
        page.click("[data-do=end]")
        self.assertIn("nothing is left to learn from", page.text("#live"))
        self.saved()
        words = page.text("#command").split()
        self.assertEqual(words[:3], ["halfspace", "train", "points.csv"])
        ledger = halfspace(*words[1:])
        self.assertIn("mistakes     21 of at most 9,672", ledger)
        self.assertEqual(untimed(page.text("#ledger")), untimed(ledger))
        self.assertIn("of at most 9,672", page.text("#facts"))
        self.assertIn("Mistakes21", page.text("#facts"))
        self.assertIn("geometric margin 0.129854", ledger)
        self.assertIn("Margin now0.129854", page.text("#facts"))
        self.shot("larks")

    def test_one_pass_over_larks(self):
        page = self.open("#order=stream&at=60")
        self.assertIn("Mistakes8of at most 35", page.text("#facts"))
        self.assertIn("(0.7, −7.2)", page.text("#facts"))
        self.assertIn("Round 60", page.text("#live"))

    def test_steps(self):
        page = self.open()
        self.assertEqual(page.text("#live"), "Before the first round.")
        page.click("[data-do=step]")
        self.assertIn("Round 1, row 1 (skylark), score 0: a tie, which counts as a mistake. "
                      "w = (0, 0) + (−0.3, −3.7) = (−0.3, −3.7), bias 0 → −1.", page.text("#live"))
        page.click("[data-do=mistake]")
        page.click("[data-do=step]")
        self.assertIn("Round 3, row 3 (woodlark)", page.text("#live"))
        self.assertIn("right, nothing changes", page.text("#live"))
        page.click("[data-do=back]")
        self.assertIn("Round 2, row 2", page.text("#live"))
        self.assertEqual(page.count("#weights .step"), 1)
        self.shot("step")
        page.click("[data-do=rewind]")
        self.choose("speed", "40")
        page.click("[data-do=play]")
        page.wait("document.querySelector('#live').textContent.startsWith('Round 1')")
        page.click("[data-do=play]")
        self.assertIn("at=", page.evaluate("location.hash"))

    def test_a_proof_of_separability(self):
        page = self.open()
        page.click("[data-do=certify]")
        self.saved()
        # A line of the command is on a flag of its own.
        command = [line.strip() for line in halfspace(
            "certify", "points.csv").splitlines() if "--coefficients" not in line]
        self.assertEqual(page.text("#verdict").splitlines(), command)
        self.assertIn("Separable. Proved, and the proof was checked in exact arithmetic.", command)
        self.assertEqual((page.count("#data .widest"), page.count("#data .support")), (1, 3))
        certificate = urllib.parse.unquote(page.of("#proof-links a", "href").split(",", 1)[1])
        (SETTINGS["folder"] / "points.proof").write_text(certificate)
        self.assertIn("valid", halfspace("verify", "points.proof", "points.csv"))
        self.shot("certified")

    def test_a_proof_of_inseparability(self):
        page = self.open("#set=xor")
        page.click("[data-do=certify]")
        self.assertIn("Not separable. Proved, and the proof was checked in exact arithmetic.", page.text("#verdict"))
        self.assertIn("the convex hulls of their classes intersect", page.text("#verdict"))
        self.assertEqual((page.count("#data .support"), page.count("#data .common")), (4, 1))
        self.shot("xor")

    def test_points_by_mouse(self):
        page = self.open("#set=xor")
        box = page.evaluate(
            "(b => [b.x, b.y, b.width, b.height])(document.querySelector('#data').getBoundingClientRect())")
        page.move(box[0] + box[2] * 0.5, box[1] + box[3] * 0.5, click=True)
        self.assertEqual(page.count("#data .point"), 5)
        self.assertIn("points=", page.evaluate("location.hash"))
        page.click("[data-do=switch]")
        self.assertRegex(page.evaluate("location.hash"), r"\*0\.5\d*_0\.5\d*_0$")
        page.click("[data-do=remove]")
        self.assertEqual(page.count("#data .point"), 4)
        page.click("[data-do=clear]")
        self.assertIn("Put points of both classes into the plane.", page.text("#live"))

    def test_keys(self):
        page = self.open("#set=xor")
        page.focus("#data")
        page.press(" ")
        self.assertIn("Round 1", page.text("#live"))
        page.press("n")
        self.assertIn("Point 1 of 4: x 0, y 0, class -1", page.text("#spoken"))
        page.press("ArrowRight")
        self.assertRegex(page.text("#spoken"), r"Point 1 of 4: x 0\.\d+, y 0")
        page.press("x")
        self.assertIn("class 1", page.text("#spoken"))
        page.press("Delete")
        self.assertEqual(page.count("#data .point"), 3)
        page.press("a")
        self.assertEqual(page.count("#data .point"), 4)

    def test_the_address_holds_the_state(self):
        page = self.open("#set=touching&rule=margin&tie=positive&order=shuffled&at=2")
        page.focus("#data")
        page.press("n")
        page.press("x")
        page.press(".")
        state = "[location.hash, document.querySelector('#live').textContent," \
                " document.querySelector('#ledger').textContent," \
                " document.querySelectorAll('#data .point').length]"
        before = page.evaluate(state)
        self.assertIn("points=", before[0])
        after = self.open(before[0]).evaluate(state)
        self.assertEqual((after[0], after[1], untimed(after[2]), after[3]),
                         (before[0], before[1], untimed(before[2]), before[3]))

    def test_errors_are_those_of_the_library(self):
        page = self.open("#rate=-1")
        self.assertIn("rate", page.text("#live"))
        self.assertEqual(page.count("#live.failed"), 1)
        self.choose("rule", "pa")  # which has no rate
        self.assertEqual(page.count("#live.failed"), 0)

    def test_runs_of_many_updates(self):
        """They are not recorded whole: what is shown is exact, or not shown."""
        page = self.open("#set=slow&passes=1000")
        page.click("[data-do=end]")
        self.assertIn("nothing is left to learn from", page.text("#live"))
        self.assertIn("Margin now", page.text("#facts"))
        self.saved()
        shown = dict(re.findall(r"<dt>(\w+)</dt><dd>([^<]*)<small>", page.of("#facts", "innerHTML")))
        model = SETTINGS["folder"] / "points.model"
        halfspace(*page.text("#command").split()[1:], "-o", str(model))
        weights = json.loads(halfspace("inspect", str(model), "--json"))
        self.assertIn(f"{weights['weights']['y']:.6g}", shown["w"].replace("\u2212", "-"))
        page = self.open("#set=spirals&at=3000")
        page.click("[data-do=back]")
        self.assertRegex(page.text("#facts"), r"Mistakes(\u2013|[\d,]+)of at most")
        state = page.text("#live")
        self.assertNotIn("nothing changes", state)

    def test_files(self):
        def load(text):
            page.evaluate("(text => { const data = new DataTransfer(), input = document.querySelector('[name=file]');"
                          " data.items.add(new File([text], 'a.csv')); input.files = data.files;"
                          f" input.dispatchEvent(new Event('change', {{bubbles: true}})); }})({json.dumps(text)})")

        page = self.open()
        load('\ufefftarget,dose,group\r\n1,1,"Smith, ""A"""\r\n1,2,b\r\n2,5,b\r\n')
        page.wait("document.querySelectorAll('#data .point').length === 3")
        self.saved()
        self.assertEqual(untimed(page.text("#ledger")), untimed(halfspace(*page.text("#command").split()[1:])))
        self.assertIn('Smith, "A"', page.text("#brush"))
        for text, words in (("x,y,c\n1,2,a\n3,4\n", "Line 3: 2 fields where 3 are expected"),
                            ("x,y,c\n1,2,a\n?,4,b\n", "Line 3: '?' in column 'x' is no number"),
                            ("x,y,c\n1,2,a\n3,4,NA\n", "Line 3: the class is missing")):
            load(text)
            page.wait(f"document.querySelector('#live').textContent.includes({json.dumps(words)})")
        for fragment in ("#at=1.5", "#at=-3", "#points=1_1_0*2_2_1&names=a%0Aa"):
            self.open(fragment)
            self.assertEqual(self.page.count("#live.failed"), 0)

    def test_appearance(self):
        self.open("#at=2", dark=True).click("[data-do=certify]")
        self.shot("dark")
        page = self.open("#at=2", width=390)
        self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), 390)
        self.shot("phone")


def main():
    command, tree, screenshots, *tests = sys.argv[1:]
    page = Path(tree).resolve() / "build" / "web" / "index.html"
    packages = chromium.missing()
    if packages or not page.exists():
        reason = f"not installed: {packages}" if packages else "no build/web (make web)"
        print(f"SKIPPED: {reason}; no page was looked at")
        sys.exit(chromium.SKIPPED)
    browser = chromium.Browser()
    with tempfile.TemporaryDirectory(prefix="halfspace-playground-") as folder:
        SETTINGS.update(command=str(Path(command).resolve()), screenshots=Path(screenshots),
                        browser=browser, folder=Path(folder), address=page.as_uri())
        try:
            unittest.main(module=None, argv=[sys.argv[0], *(tests or ("__main__",))])
        finally:
            browser.close()


if __name__ == "__main__":
    main()
