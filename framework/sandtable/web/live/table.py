"""A table: a live game and the people who look at it. All changes go through its lock, and are shown when stored."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, NoReturn

from sandtable.errors import LogWriteFailed, PlayError, SandtableError
from sandtable.journal.file.log import Log
from sandtable.journal.file.reading import read_log
from sandtable.kernel.decisions import UMPIRE, Decision, Order
from sandtable.plugin.manifest import Course
from sandtable.viewer.film.camera import FilmMark
from sandtable.web.live.clock import GameClock, clock_of
from sandtable.web.live.dice import lines_with_dice
from sandtable.web.live.faults import Report, is_fault, words_for_bot, words_for_host, words_for_players
from sandtable.web.live.game import LiveGame
from sandtable.web.store import SeatLink, TableStore

CLOCK, NOTE = "clock", "note"
"""Kinds of texts that the store keeps."""

Send = Callable[[dict[str, Any]], Awaitable[None]]


class Looker:
    """A guest of the table: a page that is open on one device."""

    def __init__(self, link: SeatLink, send: Send) -> None:
        self.link = link
        self.send = send
        self.viewer = ""
        self.mark = FilmMark()
        self.told = 0
        self.sees_all = False
        """Whether it sees everything after the game."""


@dataclass
class AfterGame:
    """The state after a game: its number of branches, the seats that agreed to a rematch, and the links of that."""

    branches: int = 0
    agreed: set[str] = field(default_factory=set)
    is_swapped: bool = False
    links: dict[str, str] = field(default_factory=dict)


class GameTable:
    """A live game with its lookers. ``problem`` is the reason why it can no longer be played, or ""."""

    def __init__(self, live: LiveGame, store: TableStore) -> None:
        self.live, self.store = live, store
        self.lookers: list[Looker] = []
        self.problem = ""
        self.draw_offers: set[str] = set()
        self.inquiry = asyncio.Lock()
        """Held by the umpire's inquiry that is computed now."""
        self.after = AfterGame()
        self.clock = clock_of(store.kept(live.ident, CLOCK), live.names)
        self.pause_offers: set[str] = set()
        self.claims: dict[str, set[str]] = {}
        """The sides that claim the game from each side without time."""
        self.report: Report = lambda _: None
        self.reopen: Callable[[LiveGame], LiveGame] | None = None
        """Opens the game again from its log after its rules failed."""
        self.bot_fault = ""
        """The sentence about a bot that failed; until the game changes, no bot is asked."""
        self.watch: Callable[[GameTable], None] | None = None
        """Called after each change that was shown."""
        self.plans: list[str] = []
        """The names of the links whose planning boards are open."""
        self._lock = asyncio.Lock()
        self._bots: asyncio.Task[None] | None = None

    # --- people come and go ---

    async def join(self, looker: Looker) -> None:
        """Show the table to a new looker, and show the others who is present."""
        self.lookers.append(looker)
        if self.clock is not None and not self.clock.is_begun:
            self.clock.meet(looker.link.seats)
            await self.tell_clock()
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
            raise PlayError(f"{min(missing)} is played by a bot, which never agrees to a draw")
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
        except Exception as error:
            if not (is_fault(error) or self.live.game.broken):
                raise
            await self.recover(error)
            raise PlayError(words_for_players(f"the rules of {self._title}")) from error
        self.bot_fault = ""
        self.draw_offers.clear()
        await self._stored()
        await self.show()

    async def _stored(self) -> None:
        try:
            await asyncio.to_thread(self.live.store)
        except SandtableError as error:
            await self._stop_writing(error)
        try:
            self.live.catch_up()
        except Exception as error:  # noqa: BLE001 - a drawing is anybody's code
            self.report(words_for_host(self.live.ident, "the picture of the board", error))

    @property
    def _title(self) -> str:
        return self.live.prepared.installed.manifest.title

    async def recover(self, error: Exception) -> None:
        """Report an error of the rules to the host, and open the game again as its log has it."""
        self.report(words_for_host(self.live.ident, "the rules", error))
        if self.reopen is None:
            return
        try:
            self.live = await asyncio.to_thread(self.reopen, self.live)
        except Exception as again:  # noqa: BLE001 - any code of the ruleset may have failed
            self.report(words_for_host(self.live.ident, "opening the log again", again))
            await self.stop(f"the rules of {self._title} failed, and the game cannot be opened again")
            return
        for each in list(self.lookers):
            await self._hello(each)

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
        if (self._bots is None or self._bots.done()) and not (self.problem or self.bot_fault):
            if self.live.bot_turn() is None:
                return
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
            except Exception as error:  # noqa: BLE001 - bots and rules are anybody's code
                await self._bot_failed(decision.seat, error)
                return
        if live.thinking:
            live.thinking = ""
            await self._tell_state()

    async def _bot_failed(self, seat: str, error: Exception) -> None:
        self.live.thinking = ""
        self.bot_fault = words_for_bot(seat)
        if self.live.game.broken:
            await self.recover(error)
        else:
            self.report(words_for_host(self.live.ident, f"the bot of {seat}", error))
        await self._tell_state()
        await self.broadcast({"t": "problem", "words": self.bot_fault})

    async def _tell_state(self) -> None:
        await self.broadcast({"t": "state", **self.live.facts()})

    # --- views and drawings ---

    async def greet(self, looker: Looker) -> None:
        """Show a looker the whole table again."""
        await self._hello(looker)

    def _viewer(self, looker: Looker) -> str:
        if looker.sees_all and self.live.game.is_over:
            return UMPIRE
        return self.live.viewer_of(looker.link.seats, looker.viewer)

    async def _hello(self, looker: Looker) -> None:
        """Show a looker the whole table, or why it cannot be shown to them."""
        try:
            await self._greet(looker)
        except Exception as error:  # noqa: BLE001 - a drawing is anybody's code
            self.report(words_for_host(self.live.ident, f"the picture for {looker.link.name}", error))
            words = f"the board of {self._title} cannot be shown here; the host has the details"
            await looker.send({"t": "stopped", "words": words})

    async def _greet(self, looker: Looker) -> None:
        live, prepared = self.live, self.live.prepared
        looker.viewer = self._viewer(looker)
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
                "commitment": live.header.commitment if live.header.has_dice_key else "",
                "hidden": prepared.ruleset.hidden,
                "sides": list(prepared.ruleset.viewers),
                "facts": camera.board.facts() if camera.board is not None else None,
                "legend": camera.board.legend() if camera.board is not None else "",
                "film": _film(film),
                "story": {"kept": 0, "lines": lines_with_dice(story)},
                "mine": live.last_order(looker.link.seats),
                "chat": [list(each) for each in self.store.chat(live.ident)],
                "draft": draft,
                "curtain": looker.viewer if live.needs_curtain(looker.link.seats) else "",
                "problem": self.problem or self.bot_fault,
                **live.facts(),
                "ask": self._ask(looker, decision),
                "offers": sorted(self.draw_offers),
                "note": self.store.kept(live.ident, NOTE, looker.link.seats) if looker.link.seats else "",
                "clock": self._clock_now(),
            }
        )

    async def show(self) -> None:
        """Send every looker the changes since their last update; those for one viewer are made once."""
        clock = self._clock_now()
        made: dict[tuple[str, FilmMark, int], tuple[Any, dict[str, Any]]] = {}
        for looker in list(self.lookers):
            try:
                await self._show_one(looker, made, clock)
            except Exception:  # noqa: BLE001 - reported by the greeting
                await self._hello(looker)
        if self.watch is not None:
            self.watch(self)

    async def _show_one(self, looker: Looker, made: dict[Any, Any], clock: Any) -> None:
        """Send a looker what is new; ``made`` has what was made for other lookers with the same view."""
        live = self.live
        viewer = self._viewer(looker)
        if viewer != looker.viewer:
            await self._hello(looker)
            return
        key = (viewer, looker.mark, looker.told)
        if key not in made:
            told = live.story(viewer)
            kept = told.since(looker.told).kept
            lines = {"kept": kept, "lines": lines_with_dice(told, kept)}
            made[key] = (live.camera(viewer).since(looker.mark), lines)
        film, story = made[key]
        looker.mark, looker.told = film.mark, live.game.number
        ask, mine = self.ask(looker), live.last_order(looker.link.seats)
        news = {"film": _film(film), "story": story, "mine": mine, "clock": clock, "ask": ask}
        await looker.send({"t": "update", **live.facts(), **news})

    def set_clock(self, clock: GameClock) -> None:
        """Let ``clock`` run in this game."""
        self.clock = clock
        self._clock_now()

    def _clock_now(self) -> dict[str, Any] | None:
        """Let the clock run for the seats that must decide now, store it, and return it as pages show it."""
        if self.clock is None:
            return None
        now, live = time.monotonic(), self.live
        waiting = [] if live.game.is_over or self.problem else [each.seat for each in live.game.waiting()]
        self.clock.turn(waiting, now)
        self.store.keep(live.ident, CLOCK, self.clock.stored(now))
        return self.clock.shown(now)

    async def tell_clock(self) -> None:
        """Show the clock to all, with the sides that would like a pause."""
        offers = sorted(self.pause_offers)
        await self.broadcast({"t": "clock", "clock": self._clock_now(), "offers": offers})

    def ask(self, looker: Looker) -> Any:
        """Return the question that the looker must answer now, or None."""
        return self._ask(looker, self.live.waiting(looker.link.seats))

    def _ask(self, looker: Looker, decision: Decision | None) -> Any:
        if decision is None or self.live.game.is_over:
            return None
        return self.live.question(decision).ask(self.live.no_undo(looker.link.seats))


def _film(film: Any) -> dict[str, Any]:
    return {"keys": film.keys, "frames": film.frames, "values": film.values, "defined": film.defined}
