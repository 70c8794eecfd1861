"""A robot at a table: it knows the protocol and no game, and picks at random among what is offered."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from http.client import HTTPConnection
from pathlib import Path
from random import Random
from socket import SO_RCVBUF, SOL_SOCKET
from socket import socket as Socket  # noqa: N812 - a class
from threading import Thread
from typing import Any

import msgspec
from websockets.sync.client import connect

from sandtable.plugin.manager import Rulesets
from sandtable.web.app import Server
from sandtable.web.live.games import Games
from sandtable.web.messages import encode
from sandtable.web.serving import LOOPBACK, bound, http_server

HOST_TOKEN = "token-of-the-host"  # noqa: S105 - of the test server

MAX_STEPS = 400
PATIENCE = 120
"""Seconds to wait for a message, generous because the machine may be busy."""


class Page:
    """One open page: a socket, and the last messages that it received."""

    def __init__(self, socket: Any, token: str, *, plan: bool = False) -> None:
        self.socket, self.number = socket, 0
        self.hello: dict[str, Any] = {}
        self.facts: dict[str, Any] = {}
        self.ask: dict[str, Any] | None = None
        self.heard: list[dict[str, Any]] = []
        self._send({"t": "join", "token": token, "plan": plan})

    def _send(self, message: dict[str, Any]) -> int:
        self.number += 1
        self.socket.send(encode({**message, "id": self.number}).decode())
        return self.number

    def listen(self, patience: float = PATIENCE) -> dict[str, Any]:
        """Receive one message, and remember what it says. Raises TimeoutError after ``patience`` seconds."""
        message: dict[str, Any] = msgspec.json.decode(self.socket.recv(patience))
        self.heard.append(message)
        if message["t"] in {"hello", "update"}:
            self.ask = message["ask"]
            self.facts = message
            self.hello = message if message["t"] == "hello" else self.hello
        elif message["t"] == "stale":
            self.ask = message["ask"]
        return message

    def catch_up(self) -> None:
        """Receive the messages that have arrived."""
        with suppress(TimeoutError):
            while True:
                self.listen(0.02)

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

    def wait_for_question(self) -> bool:
        """Wait until a question is pending; return False if the game is over."""
        while self.ask is None and not self.facts["outcome"]:
            message = self.until("update", "hello", "stopped")
            assert message["t"] != "stopped", message
        return self.ask is not None


def random_pick(step: dict[str, Any], chance: Random) -> str:
    """Return a random pick for a step other than a sheet."""
    if step.get("members"):
        found = step["members"]
        number = chance.randint(found["least"], found["most"])
        options = [each[0] for each in found["options"]]
        chosen = set(chance.sample(range(len(options)), number))
        return f"[{','.join(each for place, each in enumerate(options) if place in chosen)}]"
    return '"a word"' if step.get("longest") else str(chance.choice(step["options"] + step.get("jumps", []))[0])


class Robot:
    """Answers the questions of a page by random picks."""

    def __init__(self, page: Page, seed: str) -> None:
        self.page, self._random = page, Random(seed)  # noqa: S311 - a robot is no secret
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
        if step.get("table") is not None:
            return [*picks, "=" + encode(self._lines(picks)).decode()]
        return [*picks, random_pick(step, self._random)]

    def _lines(self, picks: list[str]) -> Any:
        """Return lines of the sheet: those of the staff."""
        reply = self.page.say({"t": "staff", "picks": picks, "lines": {}})
        assert reply["t"] == "lines", reply
        return reply["lines"]


class Site:
    """A running server: requests of the host, and pages of players."""

    def __init__(self, address: str, token: str = HOST_TOKEN, games: Games | None = None) -> None:
        self.address, self._token, self._games = address, token, games
        self._open = ExitStack()

    @property
    def games(self) -> Games:
        """The games of a server in this process."""
        assert self._games is not None
        return self._games

    def request(
        self, method: str, path: str, body: Any = None, token: str = "", **headers: str
    ) -> tuple[int, bytes, dict[str, str]]:
        """Send a request; return status, body and headers of the answer."""
        connection = HTTPConnection(self.address, timeout=60)
        data = None if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
        connection.request(method, path, data, {"authorization": f"Bearer {token or self._token}", **headers})
        answer = connection.getresponse()
        found = answer.status, answer.read(), {name.lower(): value for name, value in answer.getheaders()}
        connection.close()
        return found

    def make(self, ruleset: str, **wish: Any) -> dict[str, str]:
        """Make a game; return its links by name."""
        status, body, _ = self.request("POST", "/api/games", {"ruleset": ruleset, **wish})
        assert status == 201, body
        links: dict[str, str] = json.loads(body)["links"]
        return links

    def open(self, link: str, **how: Any) -> Page:
        """Open a page at a link, and wait until it is greeted."""
        page = self.socket(link, **how)
        page.until("hello")
        return page

    def socket(
        self, link: str, token: str = "", origin: str = "", *, is_slow: bool = False, plan: bool = False
    ) -> Page:
        """Open the socket of a page, with another token or origin if given; one that ``is_slow`` has tiny buffers."""
        path, _, own = link.partition("#")
        pipe: dict[str, Any] = {}
        if is_slow:
            pipe = {"sock": Socket(), "max_queue": 1, "compression": None, "close_timeout": 0.1}
            pipe["sock"].setsockopt(SOL_SOCKET, SO_RCVBUF, 4096)
            host, _, port = self.address.partition(":")
            pipe["sock"].connect((host, int(port)))
        origin = origin or f"http://{self.address}"
        made = connect(f"ws://{self.address}{path}/ws", additional_headers={"origin": origin}, **pipe)
        self._open.enter_context(made)
        return Page(made, token or own, plan=plan)

    def close(self) -> None:
        """Close all pages."""
        self._open.close()


@contextmanager
def running(folder: Path, rulesets: Rulesets) -> Iterator[Site]:
    """Run a server of the games in ``folder``."""
    games = Games(folder, rulesets)
    made = bound(LOOPBACK, 0)
    address = f"{LOOPBACK}:{made.getsockname()[1]}"
    server = http_server(Server(games, HOST_TOKEN, frozenset({address})))
    thread = Thread(target=lambda: asyncio.run(server.serve(sockets=[made])))
    thread.start()
    site = Site(address, games=games)
    try:
        yield site
    finally:
        site.close()
        server.should_exit = True
        thread.join(20)
        made.close()
