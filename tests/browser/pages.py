"""Every kind of page: no complaint, no request, nothing wider than the window, figures without scripts, inert names."""

import json
import re
import shutil
import subprocess
import unittest
from pathlib import Path

from support import EXAMPLES, FOLDER, PageTest, halfspace, page_of, run_of

TABLE = [str(EXAMPLES / "credit.csv"), "--id", "applicant"]
CREDIT = ["train", *TABLE, "--passes", "5", "--normalize", "column", "--holdout", "0.2"]


class Pages(PageTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.small = Path(FOLDER.name) / "small.svm"
        cls.small.write_text("+1 1:6 2:1\n+1 1:2 2:5\n-1 1:1 2:2\n-1 1:5\n-1 2:4\n+1 1:4 2:2\n")
        cls.crossed = Path(FOLDER.name) / "crossed.svm"
        cls.crossed.write_text("+1 1:1 2:1\n-1 1:-1 2:1\n+1 1:-1 2:-1\n-1 1:1 2:-1\n")
        cls.advice = Path(FOLDER.name) / "advice.csv"
        rounds = (f"{i % 2},{i % 3 % 2},{i * 7 % 5 % 2},{(i + i // 7) % 2}\n" for i in range(80))
        cls.advice.write_text("ann,bob,eve,rain\n" + "".join(rounds))
        cls.losses = Path(FOLDER.name) / "losses.csv"
        cls.losses.write_text("left,right\n" + "".join(f"{i % 3 / 2},{i % 4 / 3:.3f}\n" for i in range(120)))
        cls.sets = []
        for k in range(6):
            cls.sets.append(str(Path(FOLDER.name) / f"set{k}.svm"))
            rows = ((i * (7 + k) % 19 - 9, i * (11 + 2 * k) % 23 - 11) for i in range(80))
            Path(cls.sets[-1]).write_text("".join(f"{1 if a + b > 0 else -1} 1:{a} 2:{b}\n" for a, b in rows))
        cls.model = Path(FOLDER.name) / "credit.model"
        halfspace(*CREDIT, "--calibrate", "platt", "-o", cls.model)
        cls.pixels = Path(FOLDER.name) / "pixels.svm"
        images = (f"{i % 3} 1:{i % 3} 2:{i * 7 % 5} 3:{i % 2} 4:{(i + 1) % 3}\n" for i in range(60))
        cls.pixels.write_text("".join(images))
        cls.runs = {
            "train": CREDIT,
            "train-larks": ["train", str(EXAMPLES / "larks.csv"), "--preset", "cyclic-pla"],
            "train-images": ["train", str(cls.pixels), "--image", "2x2"],
            "evaluate": ["evaluate", str(cls.model), str(EXAMPLES / "credit.csv"), "--cost", "approved:declined=3"],
            "explain": ["explain", str(cls.model), str(EXAMPLES / "credit.csv"), "--row", "A0002"],
            "certify-separable": ["certify", str(cls.small)],
            "certify-not": ["certify", str(cls.crossed)],
            "experts": ["experts", str(cls.advice), "--outcome", "rain"],
            "bandit": ["bandit", str(cls.losses)],
            "compare": ["compare", *TABLE, "--rules", "averaged,pa1,arow", "--folds", "5"],
            "compare-sets": ["compare", *cls.sets, "--rules", "averaged,arow,pa:updates=1,winnow1", "--folds", "3"],
            "lab": ["lab", "analysts", "--n", "20"],
        }

    def test_every_page_in_light_and_dark_wide_and_narrow(self):
        for name, run in self.runs.items():
            for width in (1280, 400):
                for dark in (False, True):
                    with self.subTest(name, dark=dark, width=width):
                        if not dark:
                            page = self.open(page_of(*run), width=width)
                        page.show(width, dark)
                        shown, figures = page.evaluate("[document.documentElement.scrollWidth,"
                                                       " document.querySelectorAll('main svg').length]")
                        self.assertLessEqual(shown, width)
                        self.assertGreater(figures, 0)
                        if dark == (width == 400):
                            page.screenshot(self.shots / f"{name}-{'dark' if dark else 'light'}-{width}.png")

    def test_without_scripts_every_figure_is_there(self):
        for name, run in self.runs.items():
            with self.subTest(name):
                sizes = []
                for scripts in (True, False):
                    page = self.open(page_of(*run), scripts=scripts)
                    if not scripts:
                        page.send("Emulation.setScriptExecutionDisabled", value=False)  # for the question below alone
                    sizes.append(page.evaluate(
                        "[...document.querySelectorAll('main figure:not([hidden]) > svg, .plane-first svg')]"
                        ".map((s) => s.getBoundingClientRect())"
                        ".map((b) => [Math.round(b.width), Math.round(b.height)])"))
                self.assertGreater(len(sizes[1]), 0)
                self.assertTrue(all(w > 50 and h > 20 for w, h in sizes[1]), sizes[1])
                self.assertGreaterEqual(len(sizes[1]), len(sizes[0]) - 1)  # the picture of one update needs scripts

    @unittest.skipIf(shutil.which("pdftotext") is None, "pdftotext is not installed (apt-get install poppler-utils)")
    def test_no_printed_page_ends_with_a_heading(self):
        paper = Path(FOLDER.name) / "paper.pdf"
        for name, run in self.runs.items():
            page = self.open(page_of(*run))
            headings = page.evaluate("[...document.querySelectorAll('h1, h2, h3, h4')]"
                                     ".map((h) => h.textContent.trim())")
            for height in (6, 7, 8, 9, 10, 11, 11.69, 13):
                with self.subTest(name, height=height):
                    page.pdf(paper, height)
                    command = ["pdftotext", "-layout", paper, "-"]
                    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
                    for printed in text.split("\f"):
                        lines = [line for line in printed.splitlines() if line.strip()]
                        last = re.split(r" {3,}", lines[-1].strip()) if lines else []
                        self.assertFalse(last and all(part in headings for part in last), last)

    def test_the_cursor_of_a_chart_by_keys(self):
        bounded = [*CREDIT, "--preset", "averaged"]
        progress = run_of(*bounded)["figures"]["progress"]
        page = self.open(page_of(*bounded))
        spoken = "document.querySelector('.spoken').textContent"
        marks = "document.activeElement.querySelectorAll('.cursor').length"
        page.press("Tab")
        self.assertEqual(page.evaluate("document.activeElement.closest('figure').id"), "mistakes")
        self.assertEqual(page.evaluate("getComputedStyle(document.activeElement).outlineStyle"), "solid")
        self.assertEqual(page.evaluate("document.querySelector('.spoken').getAttribute('role')"), "status")

        def at(place):
            return f"rounds {progress['rounds'][place]:,}; mistakes  {progress['mistakes'][place]:,}"

        last = len(progress["rounds"]) - 1
        place = 0
        for key, to in (("ArrowRight", 0), ("ArrowRight", 1), ("PageDown", 11), ("ArrowLeft", 10), ("Home", 0),
                        ("ArrowLeft", 0), ("End", last), ("ArrowRight", last), ("PageUp", last - 10)):  # fmt: skip
            page.press(key)
            place = to
            self.assertEqual(page.evaluate(spoken), at(place), key)
            self.assertEqual(page.text(".tooltip"), at(place).replace("; ", "\n"))
            self.assertEqual(page.evaluate(marks), 1)
        self.assertFalse(page.evaluate("document.querySelector('.tooltip').hidden"))
        page.press("Escape")
        self.assertTrue(page.evaluate("document.querySelector('.tooltip').hidden"))
        self.assertEqual(page.evaluate(spoken), "")
        self.assertEqual(page.evaluate(marks), 0)
        page.press("ArrowLeft")  # begins at the other end
        self.assertEqual(page.evaluate(spoken), at(last))
        page.press("Tab")
        self.assertTrue(page.evaluate("document.querySelector('.tooltip').hidden"), "left with the focus")

    def test_rounds_are_stepped_through(self):
        live = "document.querySelector('.plane-live').textContent"
        rects = "[...document.querySelectorAll('.rounds-bars rect')].map((r) => +r.getAttribute('width'))"
        for name in ("experts", "bandit"):
            run = run_of(*self.runs[name])
            path = run["path"]
            page = self.open(page_of(*self.runs[name]), "#moment=3")

            def assert_at(moment):
                self.assertRegex(page.evaluate(live), f"^Round {moment} of {run['rounds']}")
                self.assertEqual(int(page.value(".plane-controls input")), moment)
                weights = [values[moment - 1] for values in path["weights"].values()]
                page.wait("!document.querySelector('.plane-controls').hidden")
                # The motion has ended.
                page.wait(f"Math.abs(({rects})[0] / ({rects})[1] - {weights[0] / weights[1]}) < 0.05")
                # Each chart over the rounds has a line at the moment, and each of its own series a dot.
                charts = page.evaluate("[...document.querySelectorAll('svg.chart[data-x-name=rounds]')].map((c) =>"
                                       " ['.now', '.series[data-y]', '.now-dot']"
                                       ".map((s) => c.querySelectorAll(s).length))")
                self.assertGreater(len(charts), 2)
                for lines, series, dots in charts:
                    self.assertEqual((lines, dots), (1, series))

            assert_at(3)
            for what, moment in (("forward", 4), ("back", 3), ("rewind", 1), ("back", 1), ("end", run["rounds"])):
                page.click(f"[data-do={what}]")
                assert_at(moment)
            page.press("Home")
            page.press("ArrowRight")
            assert_at(2)
            if name == "experts":
                mistake = next(i + 1 for i in range(2, run["rounds"]) if path["loss"][i] > path["loss"][i - 1])
                page.press("m")
                assert_at(mistake)
                self.assertIn(": a mistake.", page.evaluate(live))
            else:
                self.assertFalse(page.evaluate("!!document.querySelector('[data-do=mistake]')"))
                arm = next(a for a, pulls in path["pulls"].items() if pulls[1] > pulls[0])
                self.assertIn(f": {arm} was pulled, at a loss of", page.evaluate(live))
                self.assertEqual(page.text(".rounds-bars .pulled title"), arm)
            # Another player: its own weights and its own bound.
            other = run["algorithms"][-1]
            page.evaluate(f"(s => {{ s.value = '{other['algorithm']}';"
                          "s.dispatchEvent(new Event('change', { bubbles: true })); })"
                          "(document.querySelector('.rounds-player'))")
            shown = page.evaluate("[...document.querySelectorAll('.rounds-bars g')]"
                                  ".map((g) => g.querySelector('title').textContent)")
            self.assertEqual(shown, list(other["path"]["weights"]))
            self.assertEqual(page.value(".plane-controls select"), "2")

    def test_the_saved_run_gives_the_same_page(self):
        run = Path(FOLDER.name) / "run.json"
        page = Path(FOLDER.name) / "saved.html"
        run.write_text(json.dumps(run_of(*self.runs["train-larks"])))
        halfspace("report", run, "-o", page)

        def figures(path):
            return path.read_text().split("<main>")[1].split('<h2 id="plane-title"')[1].split("</section>")[0]

        self.assertEqual(figures(page), figures(page_of(*self.runs["train-larks"])))

    def test_hostile_names_stay_text(self):
        attack = "<img src=x onerror=window.pwned=1>"
        script = "</script><script>window.pwned=2</script>"
        table = Path(FOLDER.name) / "hostile.csv"
        rows = "".join(f"{i % 7 - 3},{i % 5 - 2},{[attack, script][(i % 7 + i % 5) > 5]}\n" for i in range(40))
        table.write_text(f'"{attack}","{script}",kind\n{rows}')
        advice = Path(FOLDER.name) / "hostile-advice.csv"
        rounds = "".join(f"{i % 2},{i % 3 % 2},{i % 2}\n" for i in range(30))
        advice.write_text(f'"{attack}","{script}",rain\n{rounds}')
        for run in (["train", table, "--label", "kind", "--order", "cyclic", "--passes", "3", "--holdout", "0.3"],
                    ["experts", advice, "--outcome", "rain"], ["certify", table, "--label", "kind"]):  # fmt: skip
            page = self.open(page_of(*map(str, run)))
            for key in ("Tab", "Tab", "ArrowRight", "ArrowRight"):
                page.press(key)
            if page.evaluate("!!document.querySelector('[data-do=rewind]')"):
                page.click("[data-do=rewind]")
                page.click("[data-do=forward]")
                if page.evaluate("!!document.querySelector('.plane-data')"):
                    page.focus(".plane-data svg")
                    page.press("ArrowRight")
            self.assertIsNone(page.evaluate("window.pwned ?? null"), run)
            self.assertEqual(page.count("img"), 0)
            self.assertIn("window.pwned", page.evaluate("document.body.innerText"))

    def test_a_script_that_is_not_the_pages_own_does_not_run(self):
        text = page_of(*self.runs["train-larks"]).read_text()
        broken = Path(FOLDER.name) / "broken.html"
        scripts = "<script>window.pwned = 1</script><b onclick='window.pwned = 2'>x</b>"
        broken.write_text(text.replace("<main>", f"<main>{scripts}"))
        page = self.open(broken)
        self.assertIsNone(page.evaluate("window.pwned ?? null"))
        page.listen()
        self.assertTrue(any("Content Security Policy" in fault for fault in page.faults), page.faults)
        page.faults.clear()
