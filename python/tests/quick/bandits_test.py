"""Bandits from Python, without numpy."""

import json
import os
import pickle
import random
import stat
import subprocess
import sys
import threading
import unittest

import halfspace
import support
from halfspace import Bandit, DataError, Pull, UsageError
from halfspace._command import program

LOSS = {"red": 0.7, "green": 0.2, "blue": 0.5}


class Game:
    """A game with feedback that is late, out of order or missing, always the same; the bandit may be replaced."""

    def __init__(self, bandit, losses=LOSS):
        self.bandit, self.losses, self.waiting, self.draw = bandit, losses, [], random.Random(5)

    def play(self, rounds):
        """Returns the pulls."""
        pulls = []
        for _ in range(rounds):
            pull = self.bandit.pull()
            pulls.append(pull)
            self.waiting.append(pull)
            while len(self.waiting) > self.draw.randrange(5):
                answered = self.waiting.pop(self.draw.randrange(len(self.waiting)))
                if self.draw.random() < 0.9:
                    self.bandit.update(answered, loss=self.losses[answered.arm] * self.draw.random())
        return pulls


class Learning(unittest.TestCase):
    def test_prefers_the_best_arm(self):
        for algorithm in Bandit.algorithms():
            bandit = Bandit(list(LOSS), algorithm, rounds=5000)
            pulled = dict.fromkeys(LOSS, 0)
            for _ in range(5000):
                pull = bandit.pull()
                pulled[pull.arm] += 1
                bandit.update(pull, loss=LOSS[pull.arm])
            self.assertEqual(max(pulled, key=pulled.get), "green", algorithm)
            self.assertEqual(max(bandit.distribution(), key=bandit.distribution().get), "green", algorithm)

    def test_a_pull_has_the_probability_of_its_arm(self):
        bandit = Bandit(4)
        for ticket in range(1, 100):
            before = bandit.distribution()
            self.assertAlmostEqual(sum(before), 1)
            pull = bandit.pull()
            self.assertEqual(pull, (ticket, pull.arm, before[pull.arm]))
            self.assertIsInstance(pull, Pull)
            bandit.update(pull, loss=pull.arm / 4)

    def test_a_reward_is_1_minus_a_loss(self):
        one, other = Bandit(3), Bandit(3)
        for _ in range(200):
            pull, same = one.pull(), other.pull()
            self.assertEqual(pull, same)
            one.update(pull, 0.25 * pull.arm)
            other.update(same.ticket, reward=1 - 0.25 * pull.arm)
        self.assertEqual(one.to_bytes(), other.to_bytes())

    def test_describe_counts(self):
        bandit = Bandit(["a", "b"], "exp3", rounds=3, seed=9)
        self.assertIsNone(bandit.describe()["bound"])
        pulls = [bandit.pull() for _ in range(3)]
        bandit.update(pulls[1], 0.5)
        bandit.update(pulls[0], 0.25)
        known = bandit.describe()
        bound = known.pop("bound")
        self.assertEqual(known, {"algorithm": "exp3", "arms": 2, "rounds": 3, "delta": 0.05, "seed": 9, "asks": 3,
                                 "tells": 2, "open": 1, "loss": 0.75})
        # Bubeck and Cesa-Bianchi 2012, Theorem 3.1: sqrt(2 T K ln K).
        self.assertAlmostEqual(bound["value"], (2 * 3 * 2 * 0.6931471805599453) ** 0.5)
        bandit.pull()
        self.assertIsNone(bandit.describe()["bound"], "beyond the horizon")
        self.assertIn("exp3: 4 pulls, 2 without a loss", repr(bandit))

    def test_arms_of_any_kind(self):
        for arms in (["x"], ("a", 1, None, (2, "b")), {"k": 0, "l": 1}, range(5, 9), "ab".split()):
            bandit = Bandit(arms, seed=2)
            self.assertEqual(bandit.arms, list(arms))
            self.assertEqual(list(bandit.distribution()), list(arms))
            self.assertIn(bandit.pull().arm, list(arms))
        self.assertEqual(Bandit(3).arms, range(3))

    def test_defaults_are_those_of_the_library(self):
        options = {option["name"]: option for option in halfspace._native.describe("bandit")}
        self.assertEqual(list(options), ["algorithm", "rounds", "delta", "seed"])
        known = Bandit(2).describe()
        self.assertEqual((known["algorithm"], known["seed"]), ("exp3-ix-anytime", 1))
        self.assertEqual(known["delta"], float(options["delta"]["default"][0]))
        self.assertEqual([choice for choice in options["algorithm"]["choices"]], list(Bandit.algorithms()))

    def test_threads_share_one(self):
        bandit, tickets = Bandit(3), []

        def work():
            for _ in range(500):
                pull = bandit.pull()
                tickets.append(pull.ticket)
                bandit.update(pull, loss=0.5)

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(sorted(tickets), list(range(1, 2001)))
        self.assertEqual(bandit.describe()["tells"], 2000)


class Resuming(support.WithFolder):
    def interrupted(self, arms, losses, again):
        """Plays a game twice, once with again() between any two stretches, and expects the same."""
        for algorithm in Bandit.algorithms():
            whole = Game(Bandit(arms, algorithm, rounds=300, seed=4), losses)
            parts = Game(Bandit(arms, algorithm, rounds=300, seed=4), losses)
            expected, found = whole.play(300), []
            for rounds in (1, 99, 50, 150):
                parts.bandit = again(parts.bandit)
                found += parts.play(rounds)
            self.assertEqual(expected, found, algorithm)
            self.assertEqual(whole.bandit.distribution(), parts.bandit.distribution())
            self.assertEqual(whole.bandit.to_bytes(), parts.bandit.to_bytes())

    def through_a_file(self, bandit):
        bandit.save(self.path("b.bandit"))
        return Bandit.load(self.path("b.bandit"))

    def test_in_any_way(self):
        ways = (lambda bandit: Bandit.from_bytes(bandit.to_bytes()), lambda bandit: pickle.loads(pickle.dumps(bandit)),
                self.through_a_file)
        for way in ways:
            self.interrupted(list(LOSS), LOSS, way)
            self.interrupted(3, [0.7, 0.2, 0.5], way)

    def test_names_come_back_as_they_were(self):
        arms = ["é\n", "", 1, 2.5, None, ("a", (1, None)), "1", float("inf"), -0.0, 2**70, False or "x\0y"]
        back = Bandit.from_bytes(Bandit(arms).to_bytes())
        self.assertEqual([(type(arm), repr(arm)) for arm in back.arms], [(type(arm), repr(arm)) for arm in arms])

    def test_any_arm_is_pickled_and_only_plain_ones_are_saved(self):
        arms = [frozenset([1]), b"bytes"]
        self.assertEqual(pickle.loads(pickle.dumps(Bandit(arms))).arms, arms)
        with self.assertRaisesRegex(UsageError, "frozenset.*pickle"):
            Bandit(arms).to_bytes()
        with self.assertRaises(UsageError):
            Bandit(arms).save(self.path("new"))
        self.assertEqual(os.listdir(self.folder), [])

    def test_any_changed_or_missing_byte_is_noticed(self):
        for arms in (2, ["red", "blue"]):
            bandit = Bandit(arms)
            bandit.update(bandit.pull(), loss=1)
            bandit.pull()
            data = bandit.to_bytes()
            for at in range(len(data)):
                for bits in (1, 0x80):
                    with self.assertRaises(DataError, msg=(arms, at)):
                        Bandit.from_bytes(data[:at] + bytes([data[at] ^ bits]) + data[at + 1:])
                with self.assertRaises(DataError, msg=(arms, at)):
                    Bandit.from_bytes(data[:at])
            with self.assertRaises(DataError):
                Bandit.from_bytes(data + b"\0")

    def test_a_file_is_written_whole_or_not_at_all(self):
        path, link = self.path("b.bandit"), self.path("link")
        os.symlink("b.bandit", link)
        bandit = Bandit(["a", "b"])
        bandit.save(link)
        self.assertTrue(os.path.islink(link))
        self.assertEqual(stat.S_IMODE(os.stat(path).st_mode) & 0o600, 0o600)
        os.chmod(path, 0o640)
        before = open(path, "rb").read()
        bandit.pull()
        replace = os.replace
        try:
            def fails(*paths):
                raise OSError("no")
            os.replace = fails
            with self.assertRaises(OSError):
                bandit.save(path)
        finally:
            os.replace = replace
        self.assertEqual(open(path, "rb").read(), before)
        self.assertEqual(sorted(os.listdir(self.folder)), ["b.bandit", "link"], "nothing is left beside it")
        bandit.save(path)
        self.assertEqual(open(path, "rb").read(), bandit.to_bytes())
        self.assertEqual(stat.S_IMODE(os.stat(path).st_mode), 0o640)
        with self.assertRaises(FileNotFoundError):
            bandit.save(self.path("no/such/folder"))
        with self.assertRaises(FileNotFoundError):
            Bandit.load(self.path("nothing"))
        with open(self.path("other"), "wb") as file:
            file.write(b"something else")
        with self.assertRaises(DataError) as caught:
            Bandit.load(self.path("other"))
        self.assertEqual(caught.exception.file, self.path("other"))

    def serve(self, state, lines):
        command = [program(), "bandit", "--live", "--arms", "3", "--state", state]
        answers = subprocess.run(command, input=lines, check=True, capture_output=True, text=True).stdout
        return [json.loads(line) for line in answers.splitlines()]

    @unittest.skipUnless(program(), "the command is not there")
    def test_the_command_and_a_bandit_continue_each_other(self):
        state = self.path("s")
        self.serve(state, '{"ask":true}\n{"ticket":1,"loss":0.25}\n{"ask":true}\n')
        other = Bandit(3)
        other.update(other.pull(), loss=0.25)
        other.pull()
        self.assertEqual(Bandit.load(state).to_bytes(), other.to_bytes())
        other.update(2, loss=0.5)
        state = self.path("t")
        os.mkdir(state)
        other.save(os.path.join(state, "begin.bandit"))
        [answer] = self.serve(state, '{"ask":true}\n')
        self.assertEqual(other.pull(), (answer["ticket"], answer["arm"], answer["p"]))

    @unittest.skipUnless(program(), "the command is not there")
    def test_a_state_in_use_is_read_as_it_is(self):
        state = self.path("s")
        with subprocess.Popen([program(), "bandit", "--live", "--arms", "3", "--state", state], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, text=True) as server:
            server.stdin.write('{"ask":true}\n')
            server.stdin.flush()
            server.stdout.readline()
            self.assertEqual(Bandit.load(state).describe()["asks"], 1)
            server.stdin.close()
        self.assertEqual(Bandit.load(state).describe()["asks"], 1)
        [snapshot] = (name for name in os.listdir(state) if name.startswith("snapshot-"))
        os.unlink(os.path.join(state, snapshot))
        self.assertEqual(Bandit.load(state).describe()["asks"], 1)
        with open(os.path.join(state, "00000000000000000001.log"), "ab") as log:
            log.write(b"HSLG incomplete")
        with self.assertRaisesRegex(DataError, "incomplete"):
            Bandit.load(state)


class Rejecting(unittest.TestCase):
    def test_arms(self):
        for arms, error in ((0, UsageError), (-1, UsageError), ([], UsageError), (["a", "a"], UsageError),
                            ([1, True], UsageError), ("abc", UsageError), (2.5, TypeError), (None, TypeError),
                            ([[1], [2]], TypeError), (True, TypeError), (1 << 30, UsageError)):
            with self.assertRaises(error, msg=arms):
                Bandit(arms)

    def test_options(self):
        for options in ({"algorithm": "exp4"}, {"algorithm": "exp3"}, {"delta": 0}, {"delta": 1.5}, {"rounds": -1},
                        {"rounds": 2.5}, {"seed": "x"}):
            with self.assertRaises(UsageError, msg=options):
                Bandit(2, **options)

    def test_updates(self):
        bandit = Bandit(2)
        pull = bandit.pull()
        state = bandit.to_bytes()
        for ticket, given, error in ((pull, {}, UsageError), (pull, {"loss": 0, "reward": 1}, UsageError),
                                     (pull, {"loss": -0.1}, UsageError), (pull, {"loss": 1.1}, UsageError),
                                     (pull, {"loss": float("nan")}, UsageError), (pull, {"loss": "0.5"}, TypeError),
                                     (pull, {"loss": None}, UsageError), (2, {"loss": 1}, UsageError),
                                     (0, {"loss": 1}, UsageError), (-1, {"loss": 1}, UsageError),
                                     (1 << 64 | 1, {"loss": 1}, UsageError), (1.0, {"loss": 1}, TypeError),
                                     ("1", {"loss": 1}, TypeError)):
            with self.assertRaises(error, msg=(ticket, given)) as caught:
                bandit.update(ticket, **given)
            if error is UsageError:
                self.assertTrue(caught.exception.fix, caught.exception)
        with self.assertRaisesRegex(UsageError, "the reward is 1.5"):
            bandit.update(pull, reward=1.5)
        self.assertEqual(bandit.to_bytes(), state)
        bandit.update(pull, True)
        with self.assertRaisesRegex(UsageError, "already has its loss"):
            bandit.update(pull, 1)

    def test_needs_no_numpy(self):
        code = ("import sys; sys.modules['numpy'] = None; import halfspace; "
                "bandit = halfspace.Bandit(3); bandit.update(bandit.pull(), loss=1); halfspace.Bandit.from_bytes("
                "bandit.to_bytes()).distribution()")
        subprocess.run([sys.executable, "-c", code], check=True)


if __name__ == "__main__":
    unittest.main()
