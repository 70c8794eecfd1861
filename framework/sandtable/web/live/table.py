"""A table: a live game and the people who look at it. All changes go through its lock, and are shown when stored."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, NoReturn

from sandtable.errors import LogWriteFailed, PlayError, SandtableError
from sandtable.journal.file.log import Log
from sandtable.journal.file.reading import read_log
from sandtable.kernel.decisions import Decision, Order
from sandtable.plugin.manifest import Course
from sandtable.viewer.film.camera import FilmMark
from sandtable.web.live.game import LiveGame
from sandtable.web.store import SeatLink, TableStore

Send = Callable[[dict[str, Any]], Awaitable[None]]


class Looker:
    """A guest of the table: a page that is open on one device."""

    def __init__(self, link: SeatLink, send: Send) -> None:
        self.link = link
        self.send = send
        self.viewer = ""
        self.mark = FilmMark()
        self.told = 0


class GameTable:
    """A live game with its lookers. ``problem`` is the reason why it can no longer be played, or ""."""

    def __init__(self, live: LiveGame, store: TableStore) -> None:
        self.live, self.store = live, store
        self.lookers: list[Looker] = []
        self.problem = ""
        self.draw_offers: set[str] = set()
        self.inquiry = asyncio.Lock()
        """Held by the umpire's inquiry that is computed now."""
        self._lock = asyncio.Lock()
        self._bots: asyncio.Task[None] | None = None

    # --- people come and go ---

    async def join(self, looker: Looker) -> None:
        """Show the table to a new looker, and show the others who is present."""
        self.lookers.append(looker)
        await self._hello(looker)
        await self._tell_presence()
        self.wake_bots()

    async def leave(self, looker: Looker) -> None:
        """Forget a looker."""
        if looker in self.lookers:
            self.lookers.remove(looker)
            await self._tell_presence()

    async def _tell_presence(self) -> None:
        present = sorted({each.link.name for each in self.lookers})
        await self.broadcast({"t": "presence", "present": present})

    async def say(self, looker: Looker, words: str) -> None:
        """Pass on a line of chat."""
        await self.announce(looker.link.name, words)

    async def announce(self, name: str, words: str) -> None:
        """Add a line of ``name`` to the chat, and show it to all."""
        self.store.say(SeatLink(self.live.ident, (), name), words)
        await self.broadcast({"t": "chat", "name": name, "words": words})

    async def broadcast(self, message: dict[str, Any]) -> None:
        """Send a message to all."""
        for each in list(self.lookers):
            await each.send(message)

    # --- changes ---

    async def give(self, looker: Looker, q: str, order: Order, course: Course | None = None) -> bool:
        """Give ``order`` to the question ``q``; return False if that is no longer pending. Raises IllegalOrder."""
        async with self._lock:
            decision = self.live.waiting(looker.link.seats)
            if decision is None or self.live.question(decision).q != q:
                return False
            await self._change(lambda: self.live.give(decision, order, course))
        self.wake_bots()
        return True

    async def change(self, change: Callable[[], None]) -> None:
        """Make a change of the game that is neither an order nor an undo. Raises what ``change`` raises."""
        async with self._lock:
            await self._change(change)
        self.wake_bots()

    async def log(self) -> Log:
        """Return the log as it is stored now."""
        async with self._lock:
            return await asyncio.to_thread(read_log, str(self.live.path))

    async def undo(self, looker: Looker) -> None:
        """Take back the looker's last order. Raises NothingToUndo."""
        async with self._lock:
            await self._change(lambda: self.live.undo(looker.link.seats))

    async def resign(self, looker: Looker) -> None:
        """Resign for the looker's side. Raises PlayError."""
        async with self._lock:
            await self._change(lambda: self.live.resign(looker.link.seats[0]))

    async def offer_draw(self, looker: Looker) -> None:
        """Offer a draw; the game ends when all sides have. Raises PlayError if a bot plays a side."""
        live, side_of = self.live, self.live.prepared.ruleset.side_of
        if looker.link.is_umpire:
            raise PlayError("the umpire offers no draw: it adjudicates the game")
        people = {side_of(seat) for seat in live.prepared.ruleset.seats if seat not in live.bots}
        if missing := set(live.prepared.ruleset.viewers) - people:
            raise PlayError(f"{min(missing)} is played by a bot, which agrees to no draw")
        async with self._lock:
            self.draw_offers |= {side_of(seat) for seat in looker.link.seats}
            if self.draw_offers >= set(live.prepared.ruleset.viewers):
                await self._change(lambda: live.agree_on_draw(looker.link.seats[0]))
                return
        await self.broadcast({"t": "draw", "offered": sorted(self.draw_offers)})

    async def _change(self, change: Callable[[], None]) -> None:
        """Make a change, store it, then show it. A log that cannot be written stops the game."""
        if self.problem:
            raise PlayError(self.problem)
        try:
            change()
        except LogWriteFailed as error:
            await self._stop_writing(error)
        self.draw_offers.clear()
        await self._stored()
        await self.show()

    async def _stored(self) -> None:
        try:
            await asyncio.to_thread(self.live.store)
        except SandtableError as error:
            await self._stop_writing(error)
        self.live.catch_up()

    async def _stop_writing(self, error: SandtableError) -> NoReturn:
        await self.stop(f"the log cannot be written: {error}")
        raise PlayError(self.problem) from error

    async def stop(self, problem: str) -> None:
        """Stop the game: nothing more is accepted until the server starts again."""
        self.problem = problem
        await self.broadcast({"t": "stopped", "words": problem})

    # --- bots ---

    def wake_bots(self) -> None:
        """Let the bots answer, if they must, while the server does other things."""
        if (self._bots is None or self._bots.done()) and not self.problem and self.live.bot_turn() is not None:
            self._bots = asyncio.create_task(self._let_bots())

    async def _let_bots(self) -> None:
        live = self.live
        while (turn := live.bot_turn()) is not None:
            decision, bot, view = turn
            if live.thinking != decision.seat:
                live.thinking = decision.seat
                await self._tell_state()
            label = live.label(decision)
            try:
                order = await asyncio.to_thread(bot.choose, decision, view)
                async with self._lock:
                    is_pending = label in map(live.label, live.game.waiting())
                    if not is_pending or live.bots.get(decision.seat) is not bot:  # an undo, a ruling, another player
                        continue
                    live.game.submit(order, decision.seat)
                    live.give_implied()
                    await self._stored()
                    live.thinking = "" if live.bot_turn() is None else live.thinking
                    await self.show()
            except (SandtableError, ArithmeticError, LookupError, TypeError, ValueError) as error:
                live.thinking = ""
                await self.stop(f"the bot of {decision.seat} failed: {type(error).__name__}: {error}")
                return
        if live.thinking:
            live.thinking = ""
            await self._tell_state()

    async def _tell_state(self) -> None:
        await self.broadcast({"t": "state", **self.live.facts()})

    # --- what is shown ---

    async def _hello(self, looker: Looker) -> None:
        live, prepared = self.live, self.live.prepared
        looker.viewer = live.viewer_of(looker.link.seats, looker.viewer)
        camera, story = live.camera(looker.viewer), live.story(looker.viewer)
        film = camera.since(FilmMark())
        looker.mark, looker.told = film.mark, live.game.number
        decision = live.waiting(looker.link.seats)
        draft = self.store.draft(looker.link, live.question(decision).q) if decision is not None else ""
        await looker.send(
            {
                "t": "hello",
                "title": prepared.scenario.title,
                "ruleset": prepared.installed.manifest.title,
                "game": live.ident,
                "seats": list(looker.link.seats),
                "viewer": looker.viewer,
                "players": live.names,
                "umpire": self.store.umpire_of(live.ident),
                "dice": live.header.dice,
                "hidden": prepared.ruleset.hidden,
                "facts": camera.board.facts() if camera.board is not None else None,
                "legend": camera.board.legend() if camera.board is not None else "",
                "film": _film(film),
                "story": {"kept": 0, "lines": [list(each) for each in story.lines]},
                "chat": [list(each) for each in self.store.chat(live.ident)],
                "draft": draft,
                "curtain": looker.viewer if live.needs_curtain(looker.link.seats) else "",
                "problem": self.problem,
                **live.facts(),
                "ask": self._ask(looker, decision),
            }
        )

    async def show(self) -> None:
        """Send every looker what is new for them; what one viewer gets is made once."""
        live = self.live
        made: dict[tuple[str, FilmMark, int], tuple[Any, Any]] = {}
        for looker in list(self.lookers):
            viewer = live.viewer_of(looker.link.seats, looker.viewer)
            if viewer != looker.viewer:
                await self._hello(looker)
                continue
            key = (viewer, looker.mark, looker.told)
            if key not in made:
                made[key] = (live.camera(viewer).since(looker.mark), live.story(viewer).since(looker.told))
            film, story = made[key]
            looker.mark, looker.told = film.mark, live.game.number
            lines = {"kept": story.kept, "lines": [list(each) for each in story.lines]}
            decision = live.waiting(looker.link.seats)
            ask = self._ask(looker, decision)
            await looker.send({"t": "update", "film": _film(film), "story": lines, **live.facts(), "ask": ask})

    def ask(self, looker: Looker) -> Any:
        """Return the question that the looker must answer now, or None."""
        return self._ask(looker, self.live.waiting(looker.link.seats))

    def _ask(self, looker: Looker, decision: Decision | None) -> Any:
        if decision is None or self.live.game.is_over:
            return None
        return self.live.question(decision).ask(self.live.no_undo(looker.link.seats))


def _film(film: Any) -> dict[str, Any]:
    return {"keys": film.keys, "frames": film.frames, "values": film.values, "defined": film.defined}
