"""The connection of one page: the secret first, then messages, each answered in its turn."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from sandtable.errors import IllegalOrder, SandtableError
from sandtable.kernel.options import Refusal
from sandtable.terminal.drafts import lines_that_fit
from sandtable.terminal.prompt import refusals_in
from sandtable.terminal.prose import sheet_of
from sandtable.web.around.answers import AROUND
from sandtable.web.around.notices import ask_webhook
from sandtable.web.around.planning import check_plan, plan_table
from sandtable.web.asking.question import AskedQuestion, split_picks
from sandtable.web.asking.replies import Refused
from sandtable.web.asking.walk import SheetLine, WalkError, read_lines, typed_lines
from sandtable.web.live.faults import words_for_host
from sandtable.web.live.games import Games, Visit
from sandtable.web.live.table import Looker
from sandtable.web.messages import (
    JOIN_SECONDS,
    MAX_AT_TABLE,
    MAX_MESSAGE,
    MAX_SOCKETS,
    MAX_UNSENT,
    SEND_SECONDS,
    AskOdds,
    AskRules,
    BadMessage,
    Bucket,
    Expand,
    Give,
    Join,
    Keep,
    LookAt,
    OfferDraw,
    Resign,
    SayWords,
    Staff,
    Typed,
    Undo,
    WriteLines,
    encode,
    read_message,
)
from sandtable.web.umpire.desk import Desk
from sandtable.web.umpire.requests import Request

BAD, NO_SEAT, SLOW, MANY, BROKEN = 4400, 4401, 4408, 4429, 4500
"""Codes with which a connection is closed: bad message, no seat, too slow, too many pages, game not readable."""


async def serve_page(socket: WebSocket, games: Games) -> None:
    """Serve one page until it leaves. Its origin was checked already."""
    await socket.accept()
    ident = socket.path_params["game"]
    try:
        first = read_message(await asyncio.wait_for(socket.receive_text(), JOIN_SECONDS))
    except (BadMessage, TimeoutError, WebSocketDisconnect, KeyError):
        await _closed(socket, BAD)
        return
    link = games.store.link(ident, first.token) if isinstance(first, Join) else None
    if link is None:
        await _closed(socket, NO_SEAT)
        return
    try:
        table = await games.table(ident)
    except SandtableError as error:
        await socket.send_bytes(encode({"t": "stopped", "words": str(error)}))
        await _closed(socket, BROKEN)
        return
    same = sum(each.link == link for each in table.lookers)
    if same >= MAX_SOCKETS or len(table.lookers) >= MAX_AT_TABLE:
        await _closed(socket, MANY)
        return
    outbox = Outbox(socket)
    visit = Visit(games, table, Looker(link, outbox.put))
    try:
        mine = await plan_table(visit) if first.plan else table
    except SandtableError as error:
        await socket.send_bytes(encode({"t": "stopped", "words": str(error)}))
        await _closed(socket, BROKEN)
        return
    page = _Page(socket, visit._replace(table=mine))
    sending, listening = asyncio.create_task(outbox.send()), asyncio.create_task(page.listen())
    try:
        await mine.join(page.looker)
        if mine is table:
            await page.desk.greet()
        await ask_webhook(visit)
        await asyncio.wait({sending, listening}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        sending.cancel()
        listening.cancel()
        await mine.leave(page.looker)
        if mine is not table:
            table.plans.remove(link.name)
        await asyncio.gather(sending, listening, return_exceptions=True)


class Outbox:
    """The messages on their way to a page, so that a slow page delays no other.

    A page that reads nothing for SEND_SECONDS, or is MAX_UNSENT messages behind, is disconnected.
    """

    def __init__(self, socket: WebSocket) -> None:
        self._socket = socket
        self._unsent: asyncio.Queue[bytes] = asyncio.Queue(MAX_UNSENT)
        self._is_full = asyncio.Event()

    async def put(self, message: dict[str, Any]) -> None:
        """Send a message soon."""
        try:
            self._unsent.put_nowait(encode(message))
        except asyncio.QueueFull:
            self._is_full.set()

    async def send(self) -> None:
        """Send messages until the page has left or is too slow."""
        try:
            while not self._is_full.is_set():
                await asyncio.wait_for(self._socket.send_bytes(await self._unsent.get()), SEND_SECONDS)
        except TimeoutError:
            pass
        except (RuntimeError, WebSocketDisconnect):  # it has left already
            return
        await _closed(self._socket, SLOW)


async def _closed(socket: WebSocket, code: int) -> None:
    """Close a socket. One whose buffers are full cannot be closed, so this gives up after SEND_SECONDS."""
    with suppress(RuntimeError, TimeoutError):  # it is closed already, or takes nothing
        await asyncio.wait_for(socket.close(code), SEND_SECONDS)


class _Page:
    """One page at a table."""

    def __init__(self, socket: WebSocket, visit: Visit) -> None:
        self._visit = visit
        self._table, self.looker = visit.table, visit.looker
        self._socket = socket
        self.desk = Desk(visit.table, visit.looker)
        self._bucket = Bucket()

    async def listen(self) -> None:
        """Answer messages until the page leaves or sends what is not allowed."""
        while True:
            try:
                text = await self._socket.receive_text()
            except (WebSocketDisconnect, KeyError):  # it has left, or sent bytes
                return
            if len(text) > MAX_MESSAGE or not self._bucket.take():
                await _closed(self._socket, MANY)
                return
            try:
                message = read_message(text)
            except BadMessage:
                await _closed(self._socket, BAD)
                return
            await self._answer(message)

    async def _answer(self, message: Any) -> None:
        send, number = self.looker.send, message.id
        try:
            if isinstance(message, Request) or type(message) in AROUND:
                check_plan(self._table, message)
            if isinstance(message, Request):
                await self.desk.answer(message)
                return
            if type(message) in AROUND:
                await AROUND[type(message)](self._visit, message)
                return
            handler = _HANDLERS.get(type(message)) or _QUESTIONS[type(message)]
            if type(message) in _HANDLERS:
                await handler(self, message)
                return
            question = self._question(message.q)
            if question is None:
                if isinstance(message, Keep):  # the page expects no answer
                    return
                await send({"t": "stale", "id": number, "ask": self._table.ask(self.looker)})
                return
            await handler(self, message, question)
        except IllegalOrder as error:
            await send({"t": "refused", "id": number, "why": [self._refused(each) for each in refusals_in(error)]})
        except (WalkError, SandtableError) as error:
            await send({"t": "problem", "id": number, "words": str(error)})
        except Exception as error:  # noqa: BLE001 - questions, words and queries are anybody's code
            self._table.report(words_for_host(self._table.live.ident, type(message).__name__, error))
            words = "the rules failed to answer this; the host has the details, and the game has not changed"
            await send({"t": "problem", "id": number, "words": words})

    def _question(self, q: str) -> AskedQuestion | None:
        """Return the looker's pending question if its label is ``q``."""
        decision = self._table.live.waiting(self.looker.link.seats)
        if decision is None or self._table.problem:
            return None
        question = self._table.live.question(decision)
        return question if question.q == q else None

    def _refused(self, refusal: Refusal) -> Refused:
        decision = self._table.live.waiting(self.looker.link.seats)
        if decision is None:
            return Refused(refusal.rule, refusal.reason)
        return self._table.live.question(decision).refused(refusal)

    async def _given(self, number: int, q: str, order: Any, course: Any = None) -> None:
        if await self._table.give(self.looker, q, order, course):
            await self.looker.send({"t": "taken", "id": number})
        else:
            await self.looker.send({"t": "stale", "id": number, "ask": self._table.ask(self.looker)})

    # --- answers to messages about a question ---

    async def expand(self, message: Expand, question: AskedQuestion) -> None:
        """Send the next step. A thread finds it, because the first sight lines of a gun take half a second."""
        picks = split_picks(message.picks)
        if message.line:
            step = await asyncio.to_thread(question.line, picks, message.line, split_picks(message.within))
        else:
            step = await asyncio.to_thread(question.step, picks, message.lines)
        await self.looker.send({"t": "step", "id": message.id, "q": question.q, "step": step})

    async def give(self, message: Give, question: AskedQuestion) -> None:
        """Give an order."""
        await self._given(message.id, question.q, question.order(split_picks(message.picks)))

    async def typed(self, message: Typed, question: AskedQuestion) -> None:
        """Give a typed order, or send the ruleset's answer to it."""
        order, course, said = question.typed(message.text.strip())
        if order is None:
            await self.looker.send({"t": "said", "id": message.id, "words": said})
            return
        await self._given(message.id, question.q, order, course)

    async def write(self, message: WriteLines, question: AskedQuestion) -> None:
        """Send the lines that a typed text means."""
        _, sheet = question.sheet(split_picks(message.picks))
        await self.looker.send({"t": "lines", "id": message.id, "lines": typed_lines(sheet, message.text)})

    async def staff(self, message: Staff, question: AskedQuestion) -> None:
        """Send the staff's order or, for a sheet, its lines that fit those already written."""
        order = await asyncio.to_thread(self._table.live.advice, question.decision)
        picks = split_picks(message.picks)
        step = question.step(picks)
        if step.table is not None:
            choice, sheet = question.sheet(picks)
            own, _ = read_lines(sheet, message.lines, f"{question.q}/{choice.part}")
            drafted = sheet_of(order, choice.part.replace("_", " ")) or {}
            fits = lines_that_fit(sheet, own, drafted)
            lines = {key: SheetLine(value=value) for key, value in fits.items()}
            await self.looker.send({"t": "lines", "id": message.id, "lines": lines})
            return
        text = encode(order).decode()
        await self.looker.send({"t": "advice", "id": message.id, "words": question.words(order), "text": text})

    async def keep(self, message: Keep, question: AskedQuestion) -> None:
        """Keep an unfinished order."""
        data = encode({"picks": message.picks, "lines": message.lines}).decode()
        self._table.store.keep_draft(self.looker.link, question.q, data)

    async def odds(self, message: AskOdds, question: AskedQuestion) -> None:
        """Send the odds of an order."""
        order = question.order(split_picks(message.picks))
        lines = await asyncio.to_thread(question.odds, order)
        await self.looker.send({"t": "said", "id": message.id, "words": "\n".join(lines)})

    async def query(self, message: AskRules, question: AskedQuestion) -> None:
        """Send the ruleset's answer to a query."""
        lines = question.query(message.text.strip())
        await self.looker.send({"t": "said", "id": message.id, "words": "\n".join(lines)})

    # --- other messages ---

    async def look(self, message: LookAt) -> None:
        """Send the answers of the rules about a counter or place, as the viewer knows it."""
        viewer = self.looker.viewer
        found = await asyncio.to_thread(self._table.live.look, viewer, message.what, message.other)
        if viewer == self.looker.viewer:
            await self.looker.send({"t": "looked", "id": message.id, "what": message.what, "found": found})

    async def undo(self, _message: Undo) -> None:
        """Take back the last order."""
        await self._table.undo(self.looker)

    async def resign(self, _message: Resign) -> None:
        """Resign."""
        if self.looker.link.seats:
            await self._table.resign(self.looker)

    async def offer_draw(self, _message: OfferDraw) -> None:
        """Offer a draw or agree to one."""
        if self.looker.link.seats:
            await self._table.offer_draw(self.looker)

    async def say(self, message: SayWords) -> None:
        """Say something to all."""
        if message.words.strip():
            await self._table.say(self.looker, message.words.strip())


_QUESTIONS: dict[type, Callable[..., Awaitable[None]]] = {
    Expand: _Page.expand,
    Give: _Page.give,
    Typed: _Page.typed,
    WriteLines: _Page.write,
    Staff: _Page.staff,
    Keep: _Page.keep,
    AskOdds: _Page.odds,
    AskRules: _Page.query,
}
_HANDLERS: dict[type, Callable[..., Awaitable[None]]] = {
    LookAt: _Page.look,
    Undo: _Page.undo,
    Resign: _Page.resign,
    OfferDraw: _Page.offer_draw,
    SayWords: _Page.say,
}
