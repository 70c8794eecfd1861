"""A robot at a table: it knows the protocol and no game, and picks at random among what is offered."""

from random import Random
from typing import Any

from sandtable.web.messages import encode

MAX_STEPS = 400


class Page:
    """One open page: the socket of a test client, and what it was last told."""

    def __init__(self, socket: Any, token: str) -> None:
        self.socket, self.number = socket, 0
        self.hello: dict[str, Any] = {}
        self.facts: dict[str, Any] = {}
        self.ask: dict[str, Any] | None = None
        self.heard: list[dict[str, Any]] = []
        self._send({"t": "join", "token": token})

    def _send(self, message: dict[str, Any]) -> int:
        self.number += 1
        self.socket.send_text(encode({**message, "id": self.number}).decode())
        return self.number

    def listen(self) -> dict[str, Any]:
        """Receive one message, and remember what it says."""
        message: dict[str, Any] = self.socket.receive_json(mode="binary")
        self.heard.append(message)
        if message["t"] in {"hello", "update"}:
            self.ask = message["ask"]
            self.facts = message
            self.hello = message if message["t"] == "hello" else self.hello
        elif message["t"] == "stale":
            self.ask = message["ask"]
        return message

    def until(self, *kinds: str) -> dict[str, Any]:
        """Receive messages up to the first of these kinds."""
        while (message := self.listen())["t"] not in kinds:
            pass
        return message

    def say(self, message: dict[str, Any]) -> dict[str, Any]:
        """Send a message about the pending question, and return the reply to it."""
        assert self.ask is not None
        number = self._send({**message, "q": self.ask["q"]})
        while (reply := self.listen()).get("id") != number:
            pass
        return reply

    def tell(self, message: dict[str, Any]) -> None:
        """Send a message that is not about a question."""
        self._send(message)


class Robot:
    """Answers the questions of a page by random picks."""

    def __init__(self, page: Page, seed: str) -> None:
        self.page, self._random = page, Random(seed)
        self.clicks = 0

    def answer(self) -> dict[str, Any]:
        """Give an order to the pending question; return the last reply."""
        assert self.page.ask is not None
        picks: list[str] = []
        step = self.page.ask["step"]
        for _ in range(MAX_STEPS):
            self.clicks += 1
            if step.get("ready"):
                return self.page.say({"t": "give", "picks": picks})
            picks = self._picked(picks, step)
            reply = self.page.say({"t": "expand", "picks": picks})
            assert reply["t"] == "step", reply
            step = reply["step"]
            if step.get("stuck") or step.get("wrong"):
                picks, step = [], self.page.ask["step"]
        raise AssertionError(f"no order after {MAX_STEPS} steps: {self.page.ask['prompt']}: {step}")

    def _picked(self, picks: list[str], step: dict[str, Any]) -> list[str]:
        if step.get("members"):
            found = step["members"]
            number = self._random.randint(found["least"], found["most"])
            options = [each[0] for each in found["options"]]
            chosen = set(self._random.sample(range(len(options)), number))
            return [*picks, f"[{','.join(each for place, each in enumerate(options) if place in chosen)}]"]
        if step.get("table") is not None:
            return [*picks, "=" + encode(self._lines(picks)).decode()]
        if step.get("longest"):
            return [*picks, '"a word"']
        return [*picks, self._random.choice(step["options"])[0]]

    def _lines(self, picks: list[str]) -> Any:
        """Return lines of the sheet: those of the staff."""
        reply = self.page.say({"t": "staff", "picks": picks, "lines": {}})
        assert reply["t"] == "lines", reply
        return reply["lines"]
