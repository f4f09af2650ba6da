"""The picture in the plane, as a reader uses it: by mouse, keyboard and address, without motion, without scripts."""

import json
import math
import re

from support import EXAMPLES, PageTest, page_of, run_of

LARKS = [str(EXAMPLES / "larks.csv"), "--preset", "cyclic-pla"]

AT = "document.querySelector('.plane-controls input').value"
LIVE = "document.querySelector('.plane-live').textContent"
POINT = "document.querySelector('.plane-point').textContent"


def vectors_of(moments):
    """The vectors of a run: the one at its start, and one an update."""
    return len(moments["update"]) + 1


def kept(keeper):
    larks = str(EXAMPLES / "larks.csv")
    return ["train", larks, "--rule", "perceptron", "--keep", keeper, "--order", "cyclic", "--passes", "3"]


def number(text):
    return float(text.replace("−", "-").replace(",", ""))


class Plane(PageTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.file = page_of("train", *LARKS)
        cls.run_json = run_of("train", *LARKS)
        cls.plane = cls.run_json["plane"]
        cls.last = len(cls.plane["moments"]["update"])

    def larks(self, fragment="", **how):
        return self.open(self.file, fragment, **how)

    def assert_at(self, page, moment):
        at, fragment, live = page.evaluate(f"[{AT}, location.hash, {LIVE}]")
        self.assertEqual(int(at), moment)
        self.assertEqual(fragment, "#moment=" + ("end" if moment == self.last + 1 else str(moment)))
        if moment == self.last + 1:
            self.assertIn("returned weights", live)
        elif moment == 0:
            self.assertIn("Before the first update", live)
        else:
            self.assertTrue(live.startswith(f"Update {moment} of {self.last},"), live)

    def test_the_charts_follow_the_moment(self):
        page = self.larks("#moment=3")
        rounds = self.plane["moments"]["round"]
        # The place of the line in each chart over the rounds, by the axis that the chart names.
        where = ("[...document.querySelectorAll('svg.chart[data-x-name=rounds]')].map((c) => "
                 "[c.dataset.xAxis, [...c.querySelectorAll('.now')].map((l) => l.getAttribute('d'))])")  # fmt: skip

        def assert_lines(round):
            charts = page.evaluate(where)
            self.assertGreater(len(charts), 2)
            for axis, lines in charts:
                low, high, logarithmic, left, right = map(float, axis.split())
                if not low <= round <= high or (logarithmic and round <= 0):
                    self.assertEqual(lines, [])
                    continue
                share = math.log(round / low) / math.log(high / low) if logarithmic else (round - low) / (high - low)
                self.assertEqual(len(lines), 1)
                drawn = float(re.match(r"M([0-9.]+) ", lines[0])[1])
                self.assertAlmostEqual(drawn, left + share * (right - left), places=3)

        assert_lines(rounds[2])
        page.click("[data-do=forward]")
        assert_lines(rounds[3])
        page.click("[data-do=end]")
        self.assertEqual(page.count(".now"), 0)

    def test_a_moment_has_what_the_keeper_would_return(self):
        run = kept("average")
        plane = run_of(*run)["plane"]
        page = self.open(page_of(*run), "#moment=4")
        a, b, c = plane["moments"]["kept"][3]
        average = r"The average so far = \((\S+), (\S+)\), bias (\S+), wrong on (\d+) of 60 rows\.$"
        said = re.search(average, page.evaluate(LIVE))
        for text, expected in zip(said.groups()[:3], (a, b, c)):
            self.assertAlmostEqual(number(text), expected, delta=1e-5 * abs(expected))
        points = plane["points"]
        rows = list(zip(points["x"], points["y"], points["label"]))
        self.assertEqual(int(said[4]), sum((a * x + b * y + c > 0) != (label == 1) for x, y, label in rows))
        self.assertTrue(page.evaluate("document.querySelector('.plane-data .regions .kept').getAttribute('d')"))
        page.click("[data-do=end]")
        self.assertEqual(page.count(".plane-data .regions .kept"), 0)

    def test_a_moment_of_a_vote_has_its_voters(self):
        run = kept("vote")
        plane = run_of(*run)["plane"]
        moments, points = plane["moments"], plane["points"]
        page = self.open(page_of(*run), "#moment=5")
        voters = [(moments["before"][0], moments["round"][0] - 1)]
        voters += [(moments["weights"][k], moments["round"][k + 1] - moments["round"][k]) for k in range(4)]
        voters += [(moments["weights"][4], 1)]
        wrong = 0
        for x, y, label in zip(points["x"], points["y"], points["label"]):
            votes = sum(age if a * x + b * y + c >= 0 else -age for (a, b, c), age in voters)
            wrong += (votes >= 0) != (label == 1)
        self.assertRegex(page.evaluate(LIVE), rf"The vote of all 6 vectors so far: wrong on {wrong} of 60 rows\.$")
        self.assertEqual(page.text(".plane-wrong"), f"({wrong} of 60)")
        self.assertEqual(page.count(".plane-data .regions .voter"), sum(age > 0 for _, age in voters))
        # At the last update the vote has all its vectors, the last one for a round only.
        page.click("[data-do=end]")
        page.click("[data-do=back]")
        self.assertIn(f"The vote of all {vectors_of(moments)} vectors", page.evaluate(LIVE))

    def test_every_button_by_mouse(self):
        page = self.larks()
        for what, moment in (("rewind", 0), ("forward", 1), ("forward", 2), ("back", 1), ("mistake", 2),
                             ("end", self.last + 1), ("back", self.last)):
            page.click(f"[data-do={what}]")
            self.assert_at(page, moment)
        page.click("[data-do=rewind]")
        page.click("[data-do=back]")  # at the beginning: nothing happens
        self.assert_at(page, 0)
        page.click("[data-do=play]")
        self.assertEqual(page.text("[data-do=play]"), "Pause")
        page.wait(f"+{AT} >= 2")
        page.click("[data-do=play]")
        self.assert_at(page, int(page.evaluate(AT)))
        self.assertEqual(page.text("[data-do=play]"), "Play")
        page.click(".plane-controls input", across=0.5)
        self.assertAlmostEqual(int(page.evaluate(AT)), (self.last + 1) / 2, delta=1)
        page.evaluate("(s => { s.value = '60'; s.dispatchEvent(new Event('change')); })"
                      "(document.querySelector('.plane-controls select'))")
        page.click("[data-do=play]")
        page.wait(f"document.querySelector('[data-do=play]').textContent === 'Play'")  # it stops by itself
        self.assert_at(page, self.last)

    def test_every_key(self):
        page = self.larks()
        page.focus("[data-do=forward]")
        steps = [("Home", 0), ("ArrowRight", 1), (".", 2), ("m", 3), ("ArrowLeft", 2), (",", 1), ("End", self.last + 1),
                 ("Home", 0)]
        for key, moment in steps:
            page.press(key)
            self.assert_at(page, moment)
        page.press("Enter")  # the button that has the focus
        self.assert_at(page, 1)
        page.press(" ")
        self.assert_at(page, 2)
        speed = "document.querySelector('.plane-controls select').value"
        page.press("+")
        self.assertEqual(page.evaluate(speed), "5")
        page.press("-")
        page.press("-")
        self.assertEqual(page.evaluate(speed), "1")
        for _ in range(4):
            page.press("+")
        # Space plays where no button has the focus, and pauses.
        page.focus(".plane-data svg")
        page.press(" ")
        page.wait(f"+{AT} >= 5")
        page.press(" ")
        self.assertEqual(page.text("[data-do=play]"), "Play")
        # The slider keeps its own keys.
        page.focus(".plane-controls input")
        page.press("Home")
        page.press("ArrowRight")
        self.assert_at(page, 1)

    def test_tab_reaches_every_control_and_shows_where_it_is(self):
        page = self.larks()
        page.evaluate("document.querySelector('#plane').setAttribute('tabindex', '-1')")
        page.focus("#plane")
        reached = []
        for _ in range(9):
            page.press("Tab")
            name, outline = page.evaluate("(e => [e.dataset.do ?? e.tagName, getComputedStyle(e).outlineStyle])"
                                          "(document.activeElement)")
            reached.append(name)
            self.assertNotEqual(outline, "none", reached)
        self.assertEqual(reached, ["rewind", "back", "play", "forward", "mistake", "end", "SELECT", "INPUT", "svg"])

    def test_the_address_keeps_the_moment(self):
        page = self.larks("#moment=7")
        self.assert_at(page, 7)
        page.press("Tab")
        page.click("[data-do=forward]")
        page.click("[data-do=forward]")
        self.assert_at(page, 9)
        page.evaluate("history.back()")
        page.wait(f"{AT} === '8'")
        page.evaluate("history.back()")
        page.wait(f"{AT} === '7'")
        page.evaluate("history.forward()")
        page.wait(f"{AT} === '8'")
        page.evaluate("location.hash = '#moment=3'")
        page.wait(f"{AT} === '3'")
        page.click(".plane-first li:nth-child(5) a")
        page.wait(f"{AT} === '5'")
        for hostile in ("#moment=-1", "#moment=1e3", "#moment=<b>", "#elsewhere", "#moment="):
            page.evaluate(f"location.hash = {json.dumps(hostile)}")
            self.assertEqual(page.evaluate(AT), "5", hostile)
        page.evaluate("location.hash = '#moment=999999999'")
        page.wait(f"{AT} === '{self.last}'")

    def test_what_is_said_is_what_the_run_recorded(self):
        page, m = self.larks("#moment=0"), self.plane["moments"]
        page.focus("[data-do=forward]")
        for i in range(self.last):
            page.press("ArrowRight")
            live = page.evaluate(LIVE)
            found = re.search(r"round ([\d,]+): row ([\d,]+), (\w+), scored ([^:]+): (.*?)\. w = \((.*?), (.*?)\) "
                              r"\+ \((.*?), (.*?)\) = \((.*?), (.*?)\), bias (\S+) → (\S+)\.$", live)
            self.assertTrue(found, live)
            said = found.groups()
            before = m["before"][i] or m["weights"][i - 1]
            sign = 1 if m["label"][i] == 1 else -1
            added, after = [sign * m["x"][i], sign * m["y"][i]], m["weights"][i]
            self.assertEqual([number(t) for t in said[:2]], [m["round"][i], m["row"][i]])
            self.assertEqual(said[2], self.plane["classes"][m["label"][i]])
            self.assertAlmostEqual(number(said[3]), m["score"][i], delta=1e-5 * (1 + abs(m["score"][i])))
            for text, value in zip(said[5:], before[:2] + added + after[:2] + [before[2], after[2]]):
                self.assertAlmostEqual(number(text), value, delta=1e-5 * (1 + abs(value)))

    def test_what_is_drawn_is_what_the_run_recorded(self):
        points, m = self.plane["points"], self.plane["moments"]
        page = self.larks("#moment=0")
        page.focus("[data-do=forward]")
        panel = page.evaluate("Object.assign({}, document.querySelector('.plane-data svg').dataset)")
        x0, x1, y0, y1 = map(float, panel["view"].split())
        left, top, width, height = map(float, panel["frame"].split())
        drawn = ("[document.querySelector('.plane-data .regions .boundary:not(.before)').getAttribute('d'),"
                 " document.querySelector('.plane-wrong').textContent,"
                 " document.querySelector('.plane-data .over .ring').getAttribute('d')]")
        for i in range(self.last):
            page.press("ArrowRight")
            w1, w2, w3 = m["weights"][i]
            ends, shown, rings = page.evaluate(drawn)
            for px, py in re.findall(r"([-\d.]+) ([-\d.]+)", ends):
                x = x0 + (float(px) - left) / width * (x1 - x0)
                y = y1 - (float(py) - top) / height * (y1 - y0)
                # A tenth of a pixel is what a place is rounded to.
                self.assertLess(abs(w1 * x + w2 * y + w3) / math.hypot(w1, w2), 0.1 * (x1 - x0) / width)
            wrong = sum(
                (w1 * x + w2 * y + w3) * (1 if label == 1 else -1) <= 0
                for x, y, label in zip(points["x"], points["y"], points["label"])
            )
            self.assertEqual(shown, f"({wrong} of 60)")
            self.assertEqual(rings.count("M"), wrong)
        page.press("ArrowRight")
        self.assertIn("(0 of 60)", page.text(".plane-wrong"))

    def test_rows_are_read_by_keyboard_and_by_pointer(self):
        page, points = self.larks(), self.plane["points"]
        page.focus(".plane-data svg")
        seen = set()
        keys = {"ArrowRight": 12, "ArrowUp": 8, "ArrowLeft": 20, "ArrowDown": 12, "PageDown": 2, "PageUp": 1}
        for key in (key for key, times in keys.items() for _ in range(times)):
            page.press(key)
            said, marks = page.evaluate(f"[{POINT}, document.querySelectorAll('.plane-data .here').length]")
            found = re.match(r"Row (\d+), (\w+): wing (\S+), tail (\S+); right, score", said)
            self.assertTrue(found, said)
            i = int(found[1]) - 1
            self.assertEqual(found[2], self.plane["classes"][points["label"][i]])
            self.assertAlmostEqual(number(found[3]), points["x"][i])
            self.assertAlmostEqual(number(found[4]), points["y"][i])
            self.assertEqual(marks, 1)
            seen.add(i)
        self.assertGreater(len(seen), 15)
        self.assertEqual(page.evaluate(AT), str(self.last + 1))  # the moment stayed where it was
        page.press("Escape")
        self.assertEqual(page.evaluate(POINT), "")
        ring = page.evaluate("document.querySelector('.plane-first li:nth-child(1) a') && 1")
        self.assertEqual(ring, 1)
        page.click("[data-do=rewind]")
        page.click("[data-do=forward]")
        x, y = page.evaluate("(() => { const b = document.querySelector('.plane-data .moved').getBoundingClientRect();"
                             " return [b.x + b.width / 2, b.y + b.height / 2]; })()")  # fmt: skip
        page.move(x, y)
        self.assertIn(f"Row {self.plane['moments']['row'][0]},", page.evaluate(POINT))

    def test_motion_only_where_it_is_welcome(self):
        counting = ("window.frames_asked = 0; (() => { const ask = requestAnimationFrame;"
                    " window.requestAnimationFrame = (f) => { ++window.frames_asked; return ask(f); }; })()")
        for still in (True, False):
            page = self.larks("#moment=3", still=still)
            page.evaluate(counting)
            page.click("[data-do=forward]")
            page.wait(f"{AT} === '4'")
            if still:
                self.assertEqual(page.evaluate("frames_asked"), 0)
            else:
                page.wait("frames_asked >= 2")
            self.assertFalse(page.evaluate("document.getAnimations().length"))
            self.assert_at(page, 4)

    def test_without_scripts_the_pictures_are_there(self):
        page = self.larks(scripts=False)
        page.send("Emulation.setScriptExecutionDisabled", value=False)  # for the questions below alone
        self.assertTrue(page.evaluate("document.querySelector('.plane-controls').hidden"))
        self.assertEqual(page.count(".plane-first svg"), 6)
        for panel in (".plane-data", ".plane-weights"):
            self.assertGreater(page.of(f"{panel} svg", "getBoundingClientRect().height"), 100)
        self.assertEqual(page.count(".plane-data .mark") - page.count(".plane-data figcaption .mark"), 2)
        self.assertGreater(page.evaluate("document.querySelector('.plane-weights .cone').getBBox().width"), 5)
        page.screenshot(self.shots / "plane-without-scripts.png")

    def test_other_planes_can_be_walked_through(self):
        three = self.write("three.csv", "a,b,c,kind\n" + "".join(
            f"{(i * 37 % 41) / 10 + 3 * (i % 3 == 0)},{(i * 53 % 43) / 10 + 3 * (i % 3 == 1)},{(i * 11 % 17) / 10},"
            f"{'red green blue'.split()[i % 3]}\n"
            for i in range(90)))  # fmt: skip
        passes = ["--order", "cyclic", "--passes", "5"]
        runs = {
            "three-classes": [three, *passes],
            "slice": [three, *passes, "--plane", "a,b"],
            "projection": [str(EXAMPLES / "credit.csv"), "--id", "applicant", "--normalize", "column", *passes],
            "minnow": [str(EXAMPLES / "larks.csv"), "--rule", "minnow", *passes],
            "margin": [str(EXAMPLES / "larks.csv"), "--rule", "pa1", *passes],
            "no-bias": [str(EXAMPLES / "larks.csv"), "--bias", "none", *passes],
            "average": [str(EXAMPLES / "larks.csv"), "--preset", "averaged", *passes],
        }
        for name, arguments in runs.items():
            with self.subTest(name):
                page = self.open(page_of("train", *arguments), "#moment=0")
                page.focus("[data-do=forward]")
                moments = int(page.evaluate("document.querySelector('.plane-controls input').max")) - 1
                self.assertGreater(moments, 5)
                steps = min(moments, 25)
                said = page.evaluate(f"Array.from({{length: {steps}}}, () => {{"
                                     f" document.querySelector('[data-do=forward]').click(); return {LIVE}; }})")
                self.assertEqual(len(set(said)), steps)
                self.assertNotIn("NaN", page.evaluate("document.querySelector('#plane').outerHTML"))
                page.screenshot(self.shots / f"plane-{name}.png")
                page.press("End")
                self.assertIn("returned weights", page.evaluate(LIVE))

    def test_light_and_dark_wide_and_narrow(self):
        for width in (1280, 400):
            page = self.larks("#moment=7", width=width)
            for dark in (False, True):
                page.show(width, dark)
                shown, text = page.evaluate("[document.documentElement.scrollWidth, Math.min(...[..."
                                            "document.querySelectorAll('.plane-data svg text')].map((t) => t.getBoundingClientRect().height))]")
                self.assertLessEqual(shown, width)
                self.assertGreaterEqual(text, 10)
                page.screenshot(self.shots / f"plane-{'dark' if dark else 'light'}-{width}.png")
