"""Many games at one server: people who think, spectators, and the times that they wait."""

import asyncio
import time
from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec
from web_robot import random_pick
from websockets.asyncio.client import connect

from sandtable.web.messages import encode


class Times(msgspec.Struct):
    """The seconds that people waited: for a hello, the next step, and the order of an opponent on their own page."""

    hello: list[float] = []
    expand: list[float] = []
    order: list[float] = []
    taken: list[float] = []


class TimedGame:
    """A game under load. ``number`` is the record before the newest order, which was given at the time ``sent``."""

    def __init__(self, links: dict[str, str], times: Times, chance: Random) -> None:
        self.links, self.times, self.chance = links, times, chance
        self.sent, self.number = 0.0, 0
        self.to_hear: set[int] = set()


class Visitor:
    """A page at a game. If ``think`` is not 0, it answers each question after up to twice that number of seconds."""

    def __init__(self, game: TimedGame, address: str, link: str, think: float) -> None:
        self.game, self.address, self.link, self.think = game, address, link, think
        self.facts: dict[str, Any] = {}
        self.ask: dict[str, Any] | None = None
        self._socket: Any = None
        self._number = 0
        self._replies: dict[int, asyncio.Future[dict[str, Any]]] = {}

    async def join(self, after: float = 0.0) -> None:
        """Wait ``after`` seconds, open the page, and wait for the greeting."""
        await asyncio.sleep(after)
        path, _, token = self.link.partition("#")
        began = time.monotonic()
        url, origin = f"ws://{self.address}{path}/ws", f"http://{self.address}"
        self._socket = await connect(url, additional_headers={"origin": origin}, max_size=None, open_timeout=120)
        await self._socket.send(encode({"t": "join", "token": token, "id": 0}).decode())
        while not self.facts:
            self._hear(await self._socket.recv())
        self.game.times.hello.append(time.monotonic() - began)

    async def stay(self, seconds: float) -> None:
        """Listen, and answer questions, for ``seconds``."""
        listening = asyncio.create_task(self._listen())
        playing = asyncio.create_task(self._play()) if self.think else None
        await asyncio.sleep(seconds)
        for each in filter(None, (playing, listening)):
            failed = each.done() and not each.cancelled() and each.exception()
            each.cancel()
            if failed:
                raise failed

    async def leave(self) -> None:
        """Close the page."""
        self.facts = {}
        await self._socket.close()

    async def _listen(self) -> None:
        async for data in self._socket:
            self._hear(data)

    def _hear(self, data: bytes) -> None:
        message = msgspec.json.decode(data)
        if message["t"] in {"hello", "update"}:
            self.facts, self.ask = message, message["ask"]
            if id(self) in self.game.to_hear and message["last"] > self.game.number:
                self.game.to_hear.remove(id(self))
                self.game.times.order.append(time.monotonic() - self.game.sent)
        waiting = self._replies.pop(message.get("id", 0), None)
        if waiting is not None and not waiting.done():
            waiting.set_result(message)

    async def _say(self, message: dict[str, Any]) -> dict[str, Any]:
        self._number += 1
        reply: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._replies[self._number] = reply
        await self._socket.send(encode({**message, "id": self._number}).decode())
        return await reply

    async def _play(self) -> None:
        while not self.facts["outcome"]:
            await asyncio.sleep(self.game.chance.uniform(0.1, 2 * self.think))
            if self.ask is not None:
                await self._answer(self.ask["q"], self.ask["step"])

    async def _answer(self, q: str, step: dict[str, Any]) -> None:
        picks: list[str] = []
        first = step
        while not step.get("ready"):
            picks = [*picks, random_pick(step, self.game.chance)]
            began = time.monotonic()
            reply = await self._say({"t": "expand", "q": q, "picks": picks})
            self.game.times.expand.append(time.monotonic() - began)
            step = reply["step"]
            if step.get("stuck") or step.get("wrong"):
                picks, step = [], first
        game = self.game
        game.sent, game.number = time.monotonic(), self.facts["last"]
        game.to_hear = {id(each) for each in self.others}
        reply = await self._say({"t": "give", "q": q, "picks": picks})
        assert reply["t"] == "taken", reply
        game.times.taken.append(time.monotonic() - game.sent)

    others: Sequence["Visitor"] = ()


async def under_load(
    address: str, games: Sequence[dict[str, str]], *, sides: Sequence[str], think: float, seconds: float, joins: float
) -> tuple[Times, Times]:
    """Let two spectators and all sides of ``games`` join within ``joins`` seconds, play, leave, and join again.

    Return the times of the play, and those of the second joins.
    """
    first, again = Times(), Times()
    visitors: list[Visitor] = []
    for place, links in enumerate(games):
        game = TimedGame(links, first, Random(place))  # noqa: S311 - a load can be repeated
        at_table = [Visitor(game, address, links[side], think) for side in sides]
        at_table += [Visitor(game, address, links["spectator"], 0) for _ in range(2)]
        for each in at_table:
            each.others = [other for other in at_table if other is not each]
        visitors += at_table
    spread = [joins * place / len(visitors) for place in range(len(visitors))]
    await asyncio.gather(*(each.join(after) for each, after in zip(visitors, spread, strict=True)))
    await asyncio.gather(*(each.stay(seconds) for each in visitors))
    await asyncio.gather(*(each.leave() for each in visitors))
    for each in visitors:
        each.game.times = again
    await asyncio.gather(*(each.join(after) for each, after in zip(visitors, spread, strict=True)))
    await asyncio.gather(*(each.leave() for each in visitors))
    return first, again
