"""The playground in a browser, as a student uses it. Skipped, saying so, without Chromium or before `make web`.

usage: page_test.py HALFSPACE SOURCE_TREE SCREENSHOTS
"""

import http.server
import json
import re
import subprocess
import sys
import tempfile
import threading
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


# Texts that are too faint for their background, and controls whose edge is; whatever is disabled may be.
CONTRAST = """() => {
  const channel = (v) => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  const light = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
  const colour = (text) => { const [r, g, b, a = 1] = text.match(/[\\d.]+/g).map(Number); return [r, g, b, a]; };
  const over = ([r, g, b, a], under) => [r, g, b].map((v, i) => v * a + under[i] * (1 - a));
  const behind = (element) => {
    if (!element) return [255, 255, 255];
    const own = colour(getComputedStyle(element).backgroundColor);
    return own[3] === 1 ? own : over(own, behind(element.parentElement));
  };
  const ratio = (a, b) => {
    const [x, y] = [light(a), light(b)].sort((p, q) => q - p);
    return (x + 0.05) / (y + 0.05);
  };
  const faults = [];
  let seen = 0;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node; (node = walker.nextNode());) {
    const element = node.parentElement, style = getComputedStyle(element), box = element.getBoundingClientRect();
    if (!node.data.trim() || box.width < 2) continue;
    if (element.closest('script, style, noscript, [hidden], .spoken, option, :disabled')) continue;
    const isPicture = element.closest('svg'), size = parseFloat(style.fontSize), bold = Number(style.fontWeight) >= 600;
    const back = behind(isPicture ? isPicture.parentElement : element);
    const text = colour(isPicture ? style.fill : style.color);
    const needed = size >= 24 || (bold && size >= 18.66) ? 3 : 4.5, found = ratio(over(text, back), back);
    seen += 1;
    if (found < needed) faults.push(`${found.toFixed(2)}: ${node.data.trim()}`);
  }
  for (const control of document.querySelectorAll('button:enabled, select:enabled, input:enabled')) {
    const style = getComputedStyle(control), back = behind(control.parentElement);
    if (!control.offsetParent || style.borderTopWidth === '0px') continue;
    if (control.role === 'tab' || control.type === 'range') continue;
    const found = ratio(over(colour(style.borderTopColor), back), back);
    seen += 1;
    if (found < 3) faults.push(`${found.toFixed(2)}: edge of ${control.name || control.textContent}`);
  }
  return { seen, faults };
}"""


HERE = "(e => e === document.body ? 'end' : e.id || e.dataset.do || e.name || e.textContent)(document.activeElement)"


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

    def test_order(self):
        page = self.open("#set=xor")
        numbers = "[...document.querySelectorAll('#data .point text')].map(t => t.textContent).join()"
        self.assertEqual(page.evaluate(numbers), "1,2,3,4")
        page.focus("#data")
        page.press("n")
        page.press("]")
        self.assertIn("Point 2 of 4: x 0, y 0", page.text("#spoken"))
        self.assertIn("points=1_1_0*0_0_0*0_1_1*1_0_1", urllib.parse.unquote(page.evaluate("location.hash")))
        page.press("[")
        page.press("[")  # no row is before the first
        page.click("[data-do=later]")
        self.assertIn("points=1_1_0*0_0_0*0_1_1*1_0_1", urllib.parse.unquote(page.evaluate("location.hash")))
        self.saved()
        self.assertEqual(untimed(page.text("#ledger")), untimed(halfspace(*page.text("#command").split()[1:])))

    def test_paint(self):
        page = self.open("#points=0_0_0*4_4_1")
        page.click("[data-do=paint]")
        self.assertEqual(page.of("[data-do=paint]", "getAttribute('aria-pressed')"), "true")
        page.evaluate("((svg) => { const box = svg.getBoundingClientRect(), to = (type, x) => svg.dispatchEvent(new"
                      " PointerEvent(type, {bubbles: true, pointerId: 1, clientX: box.x + x, clientY: box.y + 100}));"
                      " svg.setPointerCapture = () => {}; to('pointerdown', 100); to('pointermove', 200);"
                      " setTimeout(() => { to('pointerup', 200); document.body.dataset.lifted = 'yes'; }, 400); })"
                      "(document.querySelector('#data'))")
        page.wait("document.body.dataset.lifted === 'yes'")
        painted = page.count("#data .point")
        self.assertGreaterEqual(painted, 6)
        self.assertIn(f"{painted} points.", page.text("#spoken"))
        page.focus("#data")
        page.press("a")
        self.assertEqual(page.count("#data .point"), painted + 5)
        page.press("b")
        page.press("a")
        self.assertEqual(page.count("#data .point"), painted + 6)
        self.saved()
        self.assertEqual(untimed(page.text("#ledger")), untimed(halfspace(*page.text("#command").split()[1:])))

    def test_credit(self):
        page = self.open("#set=credit&keep=average")
        self.assertEqual(page.count("#data .point"), 200)
        self.saved()
        self.assertEqual(untimed(page.text("#ledger")), untimed(halfspace(*page.text("#command").split()[1:])))
        page.click("[data-do=end]")
        self.shot("credit")

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

    def test_what_cards_say_of_margins_and_kept_weights(self):
        page = self.open("#set=xor")
        page.click("[data-do=end]")
        said = page.text("#facts")
        ceiling = float(re.search(r"Margin, at most\s*([\d.e\u2212-]+)", said)[1].replace("\u2212", "-"))
        self.saved()
        words = [*page.text("#command").split()[1:], "--json"]
        exact = json.loads(halfspace(*words))["margin_ceiling"]
        self.assertTrue(exact <= ceiling <= exact * (1 + 2e-5), (exact, ceiling))
        page = self.open("#set=nearly&keep=pocket")
        page.click("[data-do=end]")
        self.saved()
        wrong = json.loads(halfspace(*page.text("#command").split()[1:], "--json"))["training_errors"]
        self.assertIn(f"{wrong} of 41", re.sub(r"\s+", " ", page.text("#facts").split("Wrong by the pocket")[1]))
        page = self.open("#points=1_1_0*1_1_1")
        self.assertIn("the weights are 0, and bound nothing", page.text("#facts"))
        # What cannot be drawn is left out of a link, and refused in a file.
        page = self.open("#points=1e155_0_0*1e-300_1_1*0_0_0*1_1_1")
        self.assertEqual(page.count("#data .point"), 2)

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

    def game(self, fragment, steps=0):
        """A page of the tab of experts, and so many steps."""
        page = self.open(f"#tab=experts&{fragment}")
        page.evaluate(
            f"for (let i = 0; i < {steps}; i++) document.querySelector('#panel-experts [data-do=step]').click()")
        self.assertEqual(page.count("#game-live.failed"), 0, page.text("#game-live"))
        return page

    def same_game(self):
        """The page's text and figures are the command's, of the rounds that the page saves."""
        page = self.page
        address = page.of("#game-links a", "href")
        (SETTINGS["folder"] / "rounds.csv").write_text(urllib.parse.unquote(address.split(",", 1)[1]))
        words = page.text("#game-command").split()
        self.assertEqual(words[0], "halfspace")
        self.assertEqual(untimed(page.text("#game-ledger")), untimed(halfspace(*words[1:])))
        run = json.loads(halfspace(*words[1:], "--json"))
        shown = [text.replace("\u2212", "-") for text in
                 re.findall(r"<dd>([^<]*)<small>", page.of("#game-facts", "innerHTML"))]
        self.assertEqual(shown[:2], [f"{run['loss']:g}", f"{run['best']['loss']:g}"])
        self.assertEqual(float(shown[2]), run["regret"])
        if shown[3] != "none":
            exact = run["bound"]["value"]
            self.assertTrue(exact <= float(shown[3]) <= exact * (1 + 2e-5), (exact, shown[3]))
        return run

    def test_a_game_of_experts(self):
        page = self.game("algorithm=halving")
        self.assertIn("Before the first round", page.text("#game-live"))
        self.assertEqual(page.text("#says"), "halving will say up.")
        page.click("#board [data-do=down]")
        self.assertEqual(page.text("#game-live"), "Round 1: the experts say up, down, up, down; halving says up, and "
                         "it goes down: a mistake. So far 1 mistake, the best expert 0.")
        page.click("#toggles [data-i='1']")
        self.assertIn("expert 2 says up", page.text("#spoken"))
        self.assertEqual(page.evaluate("document.activeElement.dataset.i"), "1")
        page.click("#board [data-do=down]")
        run = self.same_game()
        self.assertEqual((run["mistakes"], run["bound"]["value"]), (2, 2))
        self.assertEqual(page.count("#rounds tbody tr"), 2)
        self.assertEqual(page.evaluate("location.hash"),
                         "#tab=experts&set=larks&algorithm=halving&game=1010011100&next=1110")
        page.click("#panel-experts [data-do=back]")
        self.assertIn("Round 1:", page.text("#game-live"))
        page.click("#board [data-do=up]")  # in place of the second round
        self.assertIn("game=1010011101", page.evaluate("location.hash"))
        page.click("#board [data-do=clear]")
        self.assertEqual(page.count("#rounds tbody tr"), 0)
        self.shot("experts-begin")

    def test_adversaries(self):
        for algorithm, mistakes in (("weighted-majority", 12), ("halving", 12), ("consistent", 12)):
            page = self.game(f"world=adversary&algorithm={algorithm}", steps=12)
            self.assertEqual(self.same_game()["mistakes"], mistakes)
        page = self.game("world=adversary", steps=12)
        self.shot("experts")
        self.game("world=adversary&algorithm=hedge-anytime&experts=6", steps=12)
        run = self.same_game()
        self.assertGreater(run["expected_loss"], 5.9)

    def test_every_player_in_every_world(self):
        players = {}
        for kind in ("experts", "bandit"):
            players[kind] = self.open(f"#tab=experts&kind={kind}").evaluate(
                "[...document.querySelector('[name=algorithm]').options].map(o => o.value)")
        self.assertEqual((len(players["experts"]), len(players["bandit"])), (6, 7))
        worlds = ("random", "periodic", "adversary", "perfect", "drifting")
        for kind, names in players.items():
            for k, name in enumerate(names):
                self.game(f"kind={kind}&algorithm={name}&world={worlds[k % 5]}&experts={2 + k % 5}&horizon=9", steps=9)
                self.same_game()
        for world in worlds:
            for kind in players:
                before = self.game(f"kind={kind}&world={world}&experts=6", steps=5).evaluate("location.hash")
                self.assertEqual(self.open(before).evaluate("location.hash"), before)

    def test_a_game_of_arms(self):
        page = self.game("kind=bandit&experts=3")
        page.click("#toggles [data-i='2']")
        page.click("#board [data-do=round]")
        self.assertRegex(page.text("#game-live"),
                         r"Round 1: exp3-ix-anytime pulls arm \d, with probability 0.333333, and loses")
        page.click("#board [data-do=round]")
        run = self.same_game()
        self.assertEqual(sum(run["pulls"].values()), 2)
        page = self.game("kind=bandit&world=perfect&algorithm=exp3p&horizon=40", steps=40)
        self.assertIn("high probability", page.text("#game-facts"))
        self.assertIn("h-9", page.evaluate("document.querySelector('#regrets .s6').getAttribute('d')"))
        page.click("#panel-experts [data-do=back]")
        self.assertIn("its theorem is about 40 rounds", page.text("#game-facts"))
        page.click("#panel-experts [data-do=end]")
        self.same_game()
        self.shot("arms")

    # Of each exercise: a state that solves it, what is then said, and one more that does not with the reason.
    EXERCISES = {
        "a": ("points=0_0_0*1_0_1*2_4_1*1_4_0", "errs 21 times on 4 points", "points=0_0_0*1_0_1*0_3_0*1_3_1",
              "errs 5 times, and 9 times are wanted. R²/γ² is 55"),
        "b": ("points=0_0_0*1_0_1*0_3_0*1_3_1*0_5_0*1_5_1", "errs 7 times on 6 points", "points=0_0_0*1_0_1",
              "there are 2 points, and 6 are wanted"),
        "c": ("points=0_-1_1*0_2_0*-2_4_0*-3_-2_0*3_3_0*4_2_1", "24 mistakes in this order, 6 in that of the start",
              "points=0_-1_1*0_2_0*-2_4_0*-3_-2_0*3_3_0*4_3_1", "not those of the start"),
        "d": ("points=0_0_0*1_1_0*0_1_1*1_0_1", "proved by 4 rows, and the certificate is valid",
              "points=0_0_0*1_1_0*0_1_1", "there are 3 points"),
        "e": ("points=-3_0_0*3_0_1*3_1_1*-3_-1_0", "R²/γ² is 1, rounded down", "points=0_0_0*1_1_0*0_1_1*1_0_1",
              "no line separates these points: the convex hulls of 4 of them meet"),
        "f": ("points=1_1_1*-1_-1_0*0.02_0.02_1*-0.02_-0.02_0",
              "R²/γ² is 3,750, rounded down, and the perceptron errs twice",
              "points=0_0_0*1_0_1*2_4_1*1_4_0", "R²/γ² is 110, rounded down, and the perceptron errs 21 times"),
        "g": ("points=1_0_0*2_0_1*1_1_0*2_1_1", "with a bias the margin is 0.27735", "points=1_0_0*2_0_0",
              "points of both classes are wanted"),
        "h": ("game=1100000100", "halving errs twice", "game=1100100111", "no expert is always right"),
        "i": ("game=1100000100", "weighted majority errs once, the best expert 0 times", "game=11111",
              "weighted majority errs 0 times"),
        "j": ("game=100000100000100", "consistent errs 3 times, as often as its bound allows: 3",
              "game=1000001000", "consistent errs twice, and 3 times are wanted; its bound is 3"),
    }

    def test_every_exercise_can_be_solved_and_failed(self):
        for name, (solution, said, failure, reason) in self.EXERCISES.items():
            tab = "experts" if "game" in solution else "plane"
            page = self.open(f"#tab={tab}&task={name}&{failure}")
            self.assertIn("Not yet", page.text("#task-verdict"), name)
            self.assertIn(reason, page.text("#task-verdict"), name)
            self.assertNotIn("solved=", page.evaluate("location.hash"))
            page = self.open(f"#tab={tab}&task={name}&solved=a&{solution}")
            self.assertRegex(page.text("#task-verdict"), "^Solved: ", name)
            self.assertIn(said, page.text("#task-verdict"), name)
            self.assertIn(f"solved={''.join(sorted({'a', name}))}", page.evaluate("location.hash"))
        self.shot("exercise")
        points = "x,y,class\n0,0,-1\n1,0,1\n2,4,1\n1,4,-1\n"
        (SETTINGS["folder"] / "points.csv").write_text(points)
        words = "train points.csv --rule perceptron --order cyclic --until clean --passes 1000 --json"
        self.assertEqual(json.loads(halfspace(*words.split()))["mistakes"], 21)
        self.assertIn("after at most 110 updates", halfspace("certify", "points.csv"))

    def test_exercises(self):
        page = self.open("#tab=exercises")
        self.assertEqual(page.text("#score")[:15], "0 of 10 solved.")
        for name, (solution, *_) in self.EXERCISES.items():
            page.click(f"#exercises [data-id={name}][data-do=load]")
            self.assertIn("Not yet", page.text("#task-verdict"))
            self.assertNotIn("there are", page.text("#task-verdict"))
            self.assertTrue(page.text("#task-hint").endswith("."))
            if name == "a":
                page.evaluate(f"location.hash = '#task=a&{solution}'")
                page.wait("document.querySelector('#task-verdict').textContent.startsWith('Solved')")
            if name == "h":
                page.click("#toggles [data-i='1']")
                page.click("#board [data-do=down]")
                self.assertIn("halving errs once, and twice are wanted", page.text("#task-verdict"))
                for expert in (0, 1, 2):
                    page.click(f"#toggles [data-i='{expert}']")
                page.click("#board [data-do=down]")
                self.assertIn("Solved: halving errs twice, as often as its bound allows: 2.",
                              page.text("#task-verdict"))
            page.click("#task [data-do=leave]")
        self.assertEqual(page.text("#score")[:15], "2 of 10 solved.")
        self.assertIn("solved=ah", page.evaluate("location.hash"))
        self.assertIn("Not yet: 6 mistakes in this order, 6 in that of the start.", page.text("#exercises"))
        self.shot("exercises")

    def test_words_are_those_of_the_manual(self):
        page = self.open()
        self.assertEqual(page.count("details.words dt"), page.count("details.words dd"))
        shown = page.evaluate("[...document.querySelectorAll('details.words dt')]"
                              ".map(term => [term.textContent, term.nextElementSibling.textContent])")
        manual = " ".join(halfspace("help", "words").split())
        for term, meaning in shown:
            self.assertIn(" ".join(f"{term} {meaning}".split()), manual)
        self.assertGreaterEqual(len(shown), 20)

    def test_layers(self):
        """What moves lies over the points, and leaves them to the pointer."""
        page = self.open("#set=touching")
        page.evaluate("window.kept_ = document.querySelector('#data .point'), 1")
        page.click("[data-do=end]")
        self.assertTrue(page.evaluate("window.kept_ === document.querySelector('#data .point')"))
        hit = "(b => document.elementFromPoint(b.x + b.width / 2, b.y + b.height / 2))(window.kept_.getBoundingClientRect())"
        self.assertEqual(page.evaluate(f"{hit}.closest('.point') === window.kept_"), True)

    def test_keys_of_a_game(self):
        page = self.game("")
        page.focus("#board")
        page.press("2")
        self.assertIn("expert 2 says up", page.text("#spoken"))
        page.press("d")
        self.assertIn("Round 1", page.text("#game-live"))
        page.press("u")
        page.press(",")
        self.assertIn("Round 1", page.text("#game-live"))
        page.press(".")
        self.assertIn("Round 2", page.text("#game-live"))
        self.assertIn("expert 1 ", page.of("#shares", "getAttribute('aria-label')"))

    def test_tabs(self):
        page = self.open("#set=xor")
        page.focus("#tab-plane")
        page.press("ArrowRight")
        self.assertEqual(page.evaluate("document.activeElement.id"), "tab-experts")
        self.assertEqual(page.evaluate("location.hash"), "#tab=experts&set=xor")
        chosen = page.evaluate("[...document.querySelectorAll('[role=tab]')].map(t => [t.getAttribute('aria-selected'),"
                               " t.tabIndex, document.getElementById(t.getAttribute('aria-controls')).hidden])")
        self.assertEqual(chosen[:2], [["false", -1, True], ["true", 0, False]])
        page.press("ArrowLeft")
        self.assertEqual(page.evaluate("location.hash"), "#set=xor")

    STATES = ("#at=2", "#tab=plane&task=a&points=0_0_0*1_0_1*2_4_1*1_4_0", "#rate=-1", "#task=a&set=xor",
              "#tab=exercises&solved=ah", "#tab=experts&game=110000010011001&round=2",
              "#tab=experts&kind=bandit&game=1100000100&task=h")
    ROLES = ("button", "checkbox", "combobox", "link", "radio", "slider", "spinbutton", "tab", "tablist", "tabpanel",
             "textbox", "application", "img", "image", "region", "radiogroup", "DisclosureTriangle", "table")

    def test_contrast(self):
        """By WCAG 2.1, AA: of texts, and of the edges of controls."""
        for fragment in self.STATES:
            for dark in (False, True):
                page = self.open(fragment, dark=dark)
                faint = page.evaluate(f"({CONTRAST})()")
                self.assertGreater(faint["seen"], 20)
                self.assertEqual(faint["faults"], [], (fragment, dark))

    def test_names_and_roles(self):
        for fragment in self.STATES:
            page = self.open(fragment)
            controls = [node for node in page.send("Accessibility.getFullAXTree")["nodes"]
                        if not node["ignored"] and node["role"]["value"] in self.ROLES]
            self.assertGreater(len(controls), 10)
            nameless = [node["role"]["value"] for node in controls if not node.get("name", {}).get("value")]
            self.assertEqual(nameless, [], fragment)
            twice = "[...document.querySelectorAll('[id]')].map(e => e.id).filter((id, i, all) => all.indexOf(id) < i)"
            self.assertEqual(page.evaluate(twice), [])
            self.assertEqual(page.evaluate(
                "[...document.querySelectorAll('[aria-controls], [aria-labelledby], [aria-describedby]')].flatMap(e =>"
                " ['aria-controls', 'aria-labelledby', 'aria-describedby'].map(a => e.getAttribute(a)))"
                ".filter(id => id && !document.getElementById(id))"), [])
            small = page.evaluate("[...document.querySelectorAll('button, select, input, summary')].filter(e =>"
                                  " e.offsetParent && e.getBoundingClientRect().height < 16).map(e => e.outerHTML)")
            self.assertEqual(small, [])
            self.assertEqual(page.evaluate("document.getAnimations().length"), 0)

    def test_no_keyboard_trap(self):
        """Tab goes through all controls once, and leaves the page at its end."""
        for fragment in ("", "#tab=experts&game=1100000100", "#tab=exercises&task=a"):
            page = self.open(fragment)
            seen, here = [], HERE
            page.evaluate("document.activeElement.blur()")
            for _ in range(80):
                page.send("Input.dispatchKeyEvent", type="keyDown", key="Tab", code="Tab", windowsVirtualKeyCode=9)
                page.send("Input.dispatchKeyEvent", type="keyUp", key="Tab", code="Tab", windowsVirtualKeyCode=9)
                seen.append(page.evaluate(here))
                if seen[-1] == "end":
                    break
            self.assertEqual(seen[-1], "end", seen)
            self.assertGreater(len(seen), 15)

    def test_appearance(self):
        self.open("#at=2", dark=True).click("[data-do=certify]")
        self.shot("dark")
        page = self.open("#at=2", width=390)
        self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), 390)
        self.shot("phone")
        page = self.open("#tab=experts&experts=6&game=10110101001101010110010101110100110011", width=390)
        self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), 390)
        self.shot("experts-phone")
        page = self.open("#tab=exercises", width=390)
        lines = "new Set([...document.querySelectorAll('[role=tab]')].map(t => t.offsetTop)).size"
        self.assertEqual(page.evaluate(lines), 1)
        self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), 390)
        self.shot("exercises-phone")


class Package(unittest.TestCase):
    """The npm package in a browser, from a server of this machine."""

    def test_it_loads(self):
        folder = SETTINGS["package"]
        if not (folder / "index.js").exists():
            self.skipTest("no build/web/npm (make web)")

        class Handler(http.server.SimpleHTTPRequestHandler):
            extensions_map = {".js": "text/javascript", ".mjs": "text/javascript", ".wasm": "application/wasm"}

            def __init__(self, *arguments):
                super().__init__(*arguments, directory=str(folder))

            def do_GET(self):
                if self.path != "/favicon.ico":
                    return super().do_GET()
                self.send_response(204)
                self.end_headers()

            def log_message(self, *_):
                pass

        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            try:
                page = SETTINGS["browser"].open(f"http://127.0.0.1:{server.server_port}/README.md")
                result = page.evaluate(
                    "import('/index.js').then(async ({load, HalfspaceError}) => {"
                    " const engine = await load(), run = engine.train('x,y,class\\n0,0,a\\n1,1,b\\n'); let fault;"
                    " try { engine.train('x') } catch (error) { fault = error instanceof HalfspaceError; }"
                    " return [run.json.rounds, engine.predict(run.model, [[1, 1]])[0].class, fault]; })")
                self.assertEqual(result, [2, "b", True])
                page.listen()
                self.assertEqual(page.faults, [])
            finally:
                server.shutdown()


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
                        browser=browser, folder=Path(folder), address=page.as_uri(), package=page.parent / "npm")
        try:
            unittest.main(module=None, argv=[sys.argv[0], *(tests or ("__main__",))])
        finally:
            browser.close()


if __name__ == "__main__":
    main()
