"""A chooser over HTTP: choices and rewards, kills at any time, the gate, and clients of another service's interface.

HALFSPACE_KILLS: how often the service is killed; 20 without it.
"""

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import unittest
from pathlib import Path

from served import TOKEN, Served

COMMAND = sys.argv.pop(1)
KILLS = int(os.environ.get("HALFSPACE_KILLS", "20"))


def body(event, hour=0, actions=("a", "b", "c"), **more):
    features = [{"id": name, "features": [{"topic": name, "length": len(name)}]} for name in actions]
    return json.dumps({"eventId": event, "contextFeatures": [{"hour": hour}], "actions": features, **more})


class ChooseTest(unittest.TestCase):
    def setUp(self):
        self._folder = tempfile.TemporaryDirectory(prefix="halfspace_choose_")
        self.folder = Path(self._folder.name)
        self.addCleanup(self._folder.cleanup)

    def served(self, *flags, **more):
        return Served(COMMAND, self.folder, *flags, serves="choose", **more)

    def test_a_day(self):
        flags = ("--policies", "squarecb,first,uniform", "--run", "squarecb")
        with self.served(*flags) as service, service.client() as client:
            for i in range(300):
                answer = client.ask("POST", "/rank", body(f"v{i}", hour=i % 3))
                self.assertEqual(answer.status, 201)
                good = answer.json["rewardActionId"] == "abc"[i % 3]
                self.assertEqual(client.ask("POST", f"/events/v{i}/reward",
                                 json.dumps({"value": float(good)})).status, 204)
            before = client.ask("GET", "/policies").json
            by_name = {policy["name"]: policy for policy in before["policies"]}
            self.assertGreater(by_name["squarecb"]["value"]["lower"], by_name["uniform"]["value"]["value"])
            self.assertGreater(by_name["squarecb"]["value"]["value"], 0.5)
            self.assertIn(b"halfspace_rewards_total 300", client.ask("GET", "/metrics").body)
            self.assertIn(b'halfspace_requests_total{route="rank",status="201"} 300',
                          client.ask("GET", "/metrics").body)
            self.assertEqual(service.stop(), 0)
        with self.served() as service:  # without a word of options: the log has them
            self.assertEqual(service.ask("GET", "/policies").json, before)
            self.assertEqual(service.ask("GET", "/settings").json["policies"], ["squarecb", "first", "uniform"])
        with self.assertRaisesRegex(RuntimeError, "began with other options"):
            self.served("--floor", "0.1")

    def test_the_same_draws_without_snapshots(self):
        answers = []
        for snapshot in ("1", "1000000"):
            with tempfile.TemporaryDirectory() as folder:
                for _ in range(3):
                    flags = ("--snapshot", snapshot, "--seed", "7")
                    with Served(COMMAND, Path(folder), *flags, serves="choose") as service:
                        with service.client() as client:
                            done = client.ask("GET", "/ledger").json["choices"]
                            for i in range(done, done + 20):
                                answers.append(client.ask("POST", "/rank", body(f"v{i}")).body)
                                client.ask("POST", f"/events/v{i}/reward", str(i % 2))
                        service.process.kill()
        self.assertEqual(answers[:60], answers[60:])

    def test_a_reward_with_two_values_is_refused(self):
        with self.served() as service, service.client() as client:
            client.ask("POST", "/rank", body("v1"))
            answer = client.ask("POST", "/events/v1/reward", '{"value": 1, "value": 0}')
            self.assertEqual((answer.status, "'value' twice" in answer.json["error"]), (422, True), answer.json)
            self.assertEqual(client.ask("POST", "/events/v1/reward", '{"value": 1}').status, 204)
            self.assertEqual(client.ask("GET", "/ledger").json["reward"], 1)

    def test_kills(self):
        """Whatever was acknowledged is there, once; what is sent again counts once."""
        draw = random.Random(5)
        known, rewarded, sent = {}, set(), 0
        for kill in range(KILLS):
            with self.served("--snapshot", str(draw.choice((3, 50, 1000000)))) as service:
                if kill:
                    now = service.ask("GET", "/ledger").json
                    self.assertGreaterEqual(now["choices"], len(known))
                    self.assertGreaterEqual(now["rewards"], len(rewarded))
                threading.Timer(draw.uniform(0.01, 0.3), service.process.send_signal, [signal.SIGKILL]).start()
                try:
                    with service.client() as client:
                        while True:
                            event = f"v{sent}"
                            answer = client.ask("POST", "/rank", body(event, hour=sent % 5))
                            self.assertIn(answer.status, (200, 201))  # 200: before the kill, but not acknowledged
                            self.assertIn(known.setdefault(event, answer.body), (answer.body,))
                            self.assertEqual(client.ask("POST", f"/events/{event}/reward", str(sent % 2)).status, 204)
                            rewarded.add(event)
                            sent += 1
                except (EOFError, OSError):
                    pass
                service.process.wait()
            if f"v{sent}" in known and f"v{sent}" not in rewarded:  # the reward's answer may be lost: it is sent again
                with self.served() as service:
                    self.assertEqual(service.ask("POST", f"/events/v{sent}/reward", str(sent % 2)).status, 204)
                rewarded.add(f"v{sent}")
                sent += 1
        with self.served() as service:
            now = service.ask("GET", "/ledger").json
            self.assertIn(now["choices"], (len(known), len(known) + 1))
            self.assertEqual(now["rewards"], len(rewarded))
            self.assertEqual(now["reward"], sum(int(event[1:]) % 2 for event in rewarded))

    def test_waits_end(self):
        with self.served("--wait", "0.2") as service, service.client() as client:
            client.ask("POST", "/rank", body("v1"))
            while client.ask("GET", "/ledger").json["defaults"] == 0:
                pass
            self.assertEqual(client.ask("POST", "/events/v1/reward", "1").status, 204)
            self.assertEqual(client.ask("GET", "/ledger").json["reward"], 0)

    def test_the_gate(self):
        flags = ("--policies", "first,arm:b", "--run", "first", "--floor", "0.2", "--switch-to", "arm:b")
        with self.served(*flags) as service, service.client() as client:
            for i in range(1000):
                chosen = client.ask("POST", "/rank", body(f"v{i}")).json["rewardActionId"]
                client.ask("POST", f"/events/v{i}/reward", "1" if chosen == "b" else "0")
                if client.ask("GET", "/ledger").json["run"] == "arm:b":
                    break
            else:
                self.fail("never switched on")
            self.assertLess(i, 500)
        with self.served() as service:
            self.assertEqual(service.ask("GET", "/ledger").json["run"], "arm:b")
            self.assertEqual(service.ask("PUT", "/run", "first").status, 204)
            self.assertEqual(service.ask("GET", "/ledger").json["run"], "first")

    def test_the_export_is_what_was_learned(self):
        """The values that a log of events gives are those of the service."""
        for floor in ("0", "0.1"):
            with tempfile.TemporaryDirectory() as name:
                folder = Path(name)
                policies = "uniform,greedy,exp3-ix,arm:c,first"
                flags = ("--policies", policies, "--run", "greedy", "--floor", floor)
                with Served(COMMAND, folder, *flags, serves="choose") as service, service.client() as client:
                    for i in range(60):
                        actions = [{"id": name, "features": [{"n": 0}] if name == "a" else [{"t": name}, {"k": i % 3}]}
                                   for name in "dcba"[: 2 + i % 3]]
                        request = {"eventId": f"v{i}", "actions": actions,
                                   "contextFeatures": [{"hour": i % 4, "_multi": [1], "_text": "a b"}],
                                   "excludedActions": ["d"] if i % 5 == 0 else None}
                        chosen = client.ask("POST", "/rank", json.dumps(request)).json["rewardActionId"]
                        client.ask("POST", f"/events/v{i}/reward", "1" if chosen == "c" else "0.25")
                    served = {one["name"]: one["value"]["value"]
                              for one in client.ask("GET", "/policies").json["policies"]}
                events = folder / "events.json"
                subprocess.run([COMMAND, "choose", "--log", folder / "log", "--export", events],
                               check=True, stderr=subprocess.DEVNULL)
                words = [COMMAND, "bandit", events, "--logged", "--policies", policies, "--json"]
                found = json.loads(subprocess.run(words, check=True, capture_output=True).stdout)
                for one in found["policies"][:-1]:  # exp4's rate is that of its own floor
                    self.assertAlmostEqual(one["value"]["value"], served[one["name"]], 9, one["name"])

    def test_the_page_has_every_policy(self):
        with self.served("--policies", "greedy,uniform") as service, service.client() as client:
            client.ask("POST", "/rank", body("v1"))
            client.ask("POST", "/events/v1/reward", '{"value": 1}')
            page = client.ask("GET", "/")
            self.assertEqual(page.status, 200)
            for words in ("Halfspace choose", "after 1 reward.", "greedy", "uniform", "exp4", "Content-Security-Policy"):
                self.assertIn(words.encode(), page.body)

    def test_tokens_and_pages_of_other_sites(self):
        (self.folder / "token").write_text(TOKEN + "\n", encoding="ascii")
        with self.served("--token-file", str(self.folder / "token")) as service:
            self.assertEqual(service.ask("POST", "/rank", body("v1")).status, 401)
            self.assertEqual(service.ask("POST", "/rank", body("v1"), [f"Authorization: Bearer {TOKEN}"]).status, 201)
            self.assertEqual(service.ask("GET", "/policies").status, 200)
        with self.served() as service:
            self.assertEqual(service.ask("POST", "/rank", body("v2"), ["Origin: http://example.org"]).status, 403)

    def test_personalizer(self):
        """The paths, statuses and errors of its REST interface."""
        base = "/personalizer/v1.0"
        with self.served("--reward-range", "-1,1") as service, service.client() as client:
            key = ["Ocp-Apim-Subscription-Key: any", "Content-Type: application/json"]
            answer = client.ask("POST", base + "/rank", body("v1", excludedActions=["c"], deferActivation=True), key)
            self.assertEqual(answer.status, 201)
            self.assertEqual(set(answer.json), {"ranking", "eventId", "rewardActionId"})
            self.assertEqual(sorted(one["id"] for one in answer.json["ranking"]), ["a", "b", "c"])
            self.assertEqual(answer.json["ranking"][-1], {"id": "c", "probability": 0})
            self.assertEqual(client.ask("POST", base + "/events/v1/activate", "", key).status, 204)
            self.assertEqual(client.ask("POST", base + "/events/v1/reward", '{"value": -1.0}', key).status, 204)
            wrong = client.ask("POST", base + "/rank", "{}", key)
            self.assertEqual((wrong.status, wrong.json["error"]["code"]), (400, "BadRequest"))


if __name__ == "__main__":
    unittest.main()
