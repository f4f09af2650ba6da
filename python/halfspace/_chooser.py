"""Contextual bandits: choose one of the actions at hand, learn from its reward, know what each policy is worth.

Needs the standard library alone; only Chooser loads the library.
"""

import json
import os
from ctypes import byref, c_int
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote, unquote

from .client import Client

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any


class Ranking(NamedTuple):
    """What was chosen: `action` of the actions in `probabilities`, for `event`, which the reward is reported with."""

    event: str
    action: str
    probabilities: "dict[str, float]"


class _Choosing:
    """The requests of a chooser, whatever carries them."""

    def _request(self, method, path, body, repeatable):
        raise NotImplementedError

    def rank(self, actions: "Iterable[str] | Mapping[str, Any]", context: "Any" = None, *, event: "str | None" = None,
             excluded: "Iterable[str]" = (), deferred: bool = False) -> Ranking:
        """Chooses an action.

        Parameters
        ----------
        actions : list of str, or dict of str to features
            The names of the actions; features are dicts of numbers, texts, bools, or such dicts.
        context : dict, optional
            What is known of this choice, likewise.
        event : str, optional
            An id of the choice's own. The same request with the same id is answered as before.
        excluded : list of str
            Actions that may not be chosen now.
        deferred : bool
            The choice counts once activate() says that it was shown.

        Raises
        ------
        UsageError, DataError, or ServiceError over HTTP
            No actions, features that are none, or an id that another choice has.
        """
        if isinstance(actions, str):
            raise TypeError("the actions are a list of texts, or a dict of text to features, not a text")
        names = list(actions)
        if len(set(names)) < len(names):
            raise ValueError("two actions have the same name: give each its own")
        features = actions if hasattr(actions, "keys") else dict.fromkeys(names)
        body = {"actions": [{"id": name, **({} if given is None else {"features": [given]})}
                            for name, given in features.items()]}
        if context is not None:
            body["contextFeatures"] = [context]
        if event is not None:
            body["eventId"] = str(event)
        if excluded:
            body["excludedActions"] = list(excluded)
        if deferred:
            body["deferActivation"] = True
        found = json.loads(self._request("POST", "/rank", json.dumps(body), event is not None))
        return Ranking(found["eventId"], found["rewardActionId"],
                       {one["id"]: one["probability"] for one in found["ranking"]})

    def reward(self, event: "Ranking | str", value: float) -> None:
        """Reports the reward of a choice, once; a second one changes nothing."""
        self._request("POST", self._of(event, "reward"), json.dumps({"value": float(value)}), True)

    def activate(self, event: "Ranking | str") -> None:
        """Reports that a deferred choice was shown."""
        self._request("POST", self._of(event, "activate"), "", True)

    @staticmethod
    def _of(event, what):
        return f"/events/{quote(event.event if isinstance(event, Ranking) else str(event), safe='')}/{what}"

    def run(self, policy: str) -> None:
        """From now on this policy chooses; it must be one of those that are valued, or "exp4"."""
        self._request("PUT", "/run", policy, True)

    def policies(self) -> "dict[str, Any]":
        """Returns what each policy is worth: a list "policies" of dicts with name, value, gain over what runs (value,
        lower, upper), rounds_to_prove_a_gain, changed. All bounds hold together, at any time, with the probability
        "confidence", whatever drifts."""
        return json.loads(self._request("GET", "/policies", "", True))

    def ledger(self) -> "dict[str, Any]":
        """Returns counts: choices, waiting, rewards, defaults, never_activated, repeated_rewards; run; reward."""
        return json.loads(self._request("GET", "/ledger", "", True))

    def settings(self) -> "dict[str, Any]":
        """Returns the settings that the log began with."""
        return json.loads(self._request("GET", "/settings", "", True))

    def frame(self):
        """Returns policies() as a DataFrame of pandas, a row a policy."""
        import pandas

        rows = [{"policy": one["name"], **{f"{what}_{end}" if end != "value" else what: one[what][end]
                                           for what in ("value", "gain") for end in ("value", "lower", "upper")},
                 "rounds_to_prove_a_gain": one["rounds_to_prove_a_gain"]} for one in self.policies()["policies"]]
        return pandas.DataFrame(rows).set_index("policy")


class Chooser(_Choosing):
    """A contextual bandit in this process, whose state is the log in a folder.

    Parameters
    ----------
    folder : str or Path
        The log, which is begun if there is none. What was returned survives a crash.
    **options
        Those of `halfspace choose`: policies=["squarecb", "first"], run="squarecb", floor=0.02, delta=0.05,
        reward_range="-1,1", wait=600, default_reward=0, bits=18, no_products=True, seed=1. A log that is there keeps
        its own: leave them out, or give the same.

    Raises
    ------
    UsageError
        An unknown option or policy, or other options than those that the log began with.
    DataError
        The log is damaged.

    Notes
    -----
    Threads may share a chooser. A choice that waits for longer than `wait` seconds gets the default reward when the
    chooser is used next.

    Examples
    --------
    >>> chooser = Chooser("news.log", policies=["squarecb", "first"], run="squarecb")
    >>> choice = chooser.rank({"sport": {"long": 1}, "weather": {"long": 0}}, {"hour": 9})
    >>> chooser.reward(choice, 1.0)
    >>> chooser.close()
    """

    def __init__(self, folder, **options):
        from . import _native as native

        self._native = native
        settings = native.settings("choose", options)
        self._handle = native.new("chooser", "chooser_open", native.c_text(os.fsdecode(folder)), settings)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self) -> None:
        """Writes a snapshot, and frees the folder."""
        self._handle = None

    def _request(self, method, path, body, repeatable):
        native = self._native
        if self._handle is None:
            raise native.usage_error("the chooser is closed", "open it again")
        status = c_int()
        with self._handle.lock:
            address = native.call("chooser_ask", self._handle, method.encode(), native.c_text(unquote(path)),
                                  native.c_text(body),
                                  byref(status))
        answer = native.take_text(address)
        if status.value < 300:
            return answer
        found = json.loads(answer)
        kind = native.data_error if status.value == 422 else native.usage_error
        raise kind(found["error"], found["fix"])


class ChooserClient(_Choosing):
    """A connection to `halfspace choose`. The parameters, and what is raised, are those of `Client`.

    Examples
    --------
    >>> with ChooserClient("http://127.0.0.1:8080") as chooser:
    ...     choice = chooser.rank(["a", "b"], event="visit-17")
    ...     chooser.reward(choice, 1.0)
    """

    def __init__(self, url: str = "http://127.0.0.1:8080", **options):
        self._client = Client(url, **options)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._client.close()

    def close(self) -> None:
        """Closes the connection; a later request opens it again."""
        self._client.close()

    def _request(self, method, path, body, repeatable):
        answer = self._client._ask(method, path, body.encode() if method != "GET" else None, changes=not repeatable)
        return answer.text()
