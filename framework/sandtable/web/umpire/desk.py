"""The umpire's desk at a table: the requests of the umpire's page, and the disputes of players."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from sandtable.errors import IllegalOrder, PlayError, SandtableError
from sandtable.plugin.manager import Rulesets
from sandtable.rules.notation.names import name_words
from sandtable.web.live.table import GameTable, Looker
from sandtable.web.umpire import inquiries, rulings
from sandtable.web.umpire.disputes import Disputes
from sandtable.web.umpire.requests import (
    Adjudicate,
    AnswerDispute,
    AskChances,
    Estimate,
    Explain,
    FileDispute,
    GetDispute,
    OpenDesk,
    Request,
    Reseat,
    Rule,
    WhatIf,
)
from sandtable.web.umpire.seating import left_over, reseat, seats_of

SPECTATOR = "spectator"


class Desk:
    """The desk of ``table``, as the holder of ``looker`` uses it."""

    def __init__(self, table: GameTable, looker: Looker) -> None:
        self._table, self._looker, self._live = table, looker, table.live
        self._disputes = Disputes(table.store, table.live)

    async def greet(self) -> None:
        """Send a new looker the disputes that they may see, if there are any."""
        if self._looker.link.seats and (rows := self._disputes.of(self._looker.link)):
            await self._looker.send({"t": "disputes", "list": rows})

    async def answer(self, request: Request) -> None:
        """Answer a request. Raises PlayError if its sender may not make it, and the errors of the request."""
        handler, is_umpires = _HANDLERS[type(request)]
        if is_umpires and not self._looker.link.is_umpire:
            raise PlayError("only the umpire of this game can do that")
        if is_umpires and self._table.problem:
            raise PlayError(self._table.problem)
        await handler(self, request)

    async def _reply(self, request: Request, kind: str, **facts: Any) -> None:
        await self._looker.send({"t": kind, "id": request.id, **facts})

    # --- rulings ---

    async def open(self, request: OpenDesk) -> None:
        """Send the material of the forms."""
        await self._reply(request, "desk", **rulings.material(self._live), seats=seats_of(self._live))

    async def rule(self, request: Rule) -> None:
        """Make a ruling, and announce it to all."""
        if request.dispute:
            self._disputes.one(request.dispute)
        made: list[Any] = []
        await self._table.change(lambda: made.append(rulings.make(self._live, request)))
        (ruled,) = made
        again = f"; {ruled.kept} of {ruled.later} later orders were given again" if ruled.later else ""
        await self._announce(f"Ruling in record {ruled.record}: {request.reason.strip()}{again}")
        await self._reply(request, "ruled", record=ruled.record, kept=ruled.kept, later=ruled.later)
        if request.dispute:
            text = f"{request.reason.strip()} (ruling in record {ruled.record})"
            await self._answered(
                AnswerDispute(dispute=request.dispute, upheld=True, text=text, rule=request.rule.strip())
            )

    async def adjudicate(self, request: Adjudicate) -> None:
        """End the game."""
        await self._table.change(lambda: rulings.end(self._live, request.outcome, request.reason, dict(request.shares)))
        await self._announce(f"The game is adjudicated: {request.reason.strip()}")
        await self._reply(request, "adjudicated")

    async def reseat(self, request: Reseat) -> None:
        """Give a seat to another player; send the umpire the link of a person."""
        table, seat = self._table, request.seat
        tokens: list[str] = []
        await table.change(lambda: tokens.append(reseat(self._live, table.store, seat, request.player)))
        for each in list(table.lookers):
            if seat in each.link.seats:
                each.link = left_over(each.link, seat, SPECTATOR)
        holder = "a person with a new link" if tokens[0] else f"the bot {request.player}"
        await table.show()
        await table.broadcast({"t": "seats", "players": self._live.names})
        await self._announce(f"The seat {name_words(seat)} now belongs to {holder}.")
        link = f"/g/{self._live.ident}#{tokens[0]}" if tokens[0] else ""
        await self._reply(request, "reseated", seat=seat, link=link)
        table.wake_bots()

    async def _announce(self, words: str) -> None:
        await self._table.announce(self._looker.link.name, words)
        await self._table.broadcast({"t": "notice", "words": words})

    # --- inquiries ---

    async def explain(self, request: Explain) -> None:
        """Send why a record happened."""
        log, rulesets = await self._table.log(), self._rulesets
        await self._inquire(request, "explained", lambda: inquiries.why(log, rulesets, request.record))

    async def chances(self, request: AskChances) -> None:
        """Send the odds of a roll."""
        log, rulesets, prepared = await self._table.log(), self._rulesets, self._live.prepared
        await self._inquire(request, "chances", lambda: inquiries.odds(log, rulesets, prepared, request.record))

    async def what_if(self, request: WhatIf) -> None:
        """Send a second board, of the game with a change."""
        log, rulesets, key = await self._table.log(), self._rulesets, self._live.key
        await self._inquire(request, "branch", lambda: inquiries.what_if(log, rulesets, key, request))

    async def estimate(self, request: Estimate) -> None:
        """Send the results of games that bots play to the end from here."""
        log, rulesets = await self._table.log(), self._rulesets
        await self._inquire(request, "estimate", lambda: inquiries.estimate(log, rulesets))

    @property
    def _rulesets(self) -> Rulesets:
        rulesets = self._live.prepared.installed.beside
        if rulesets is None:
            raise PlayError("the rules of this game are not installed")
        return rulesets

    async def _inquire(self, request: Request, kind: str, find: Callable[[], dict[str, Any]]) -> None:
        """Send what ``find`` returns. It runs in a thread, and only one inquiry at a table runs at a time."""
        if self._table.inquiry.locked():
            raise PlayError("another inquiry is still being computed: wait for its answer")
        async with self._table.inquiry:
            try:
                found = await asyncio.to_thread(find)
            except IllegalOrder:
                raise
            except SandtableError as error:  # without the host's folder
                raise PlayError(str(error).replace(f"{self._live.path.parent}/", "")) from error
            except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
                raise PlayError(f"the rules fail there: {type(error).__name__}: {error}") from error
        await self._reply(request, kind, **found)

    # --- disputes ---

    async def file(self, request: FileDispute) -> None:
        """File a dispute of a player."""
        disputes, link = self._disputes, self._looker.link
        disputes.check(link, request)
        roll = disputes.roll_behind(request.record)
        log, odds = await self._table.log(), list[str]()
        if roll is not None:
            rulesets, prepared = self._rulesets, self._live.prepared
            async with self._table.inquiry:
                odds = await asyncio.to_thread(inquiries.odds_behind, log, rulesets, prepared, roll)
            disputes.check(link, request)
        number = disputes.file(link, request, log, odds)
        await self._reply(request, "filed", dispute=number)
        await self._show_disputes(link.seats)

    async def answer_dispute(self, request: AnswerDispute) -> None:
        """Answer a dispute."""
        await self._answered(request)
        await self._reply(request, "answered", dispute=request.dispute)

    async def _answered(self, request: AnswerDispute) -> None:
        await self._show_disputes(self._disputes.answer(request))

    async def _show_disputes(self, seats: tuple[str, ...]) -> None:
        """Send the disputes to the umpire, and to the holders of ``seats``."""
        for each in list(self._table.lookers):
            if each.link.is_umpire or {*seats} & {*each.link.seats}:
                await each.send({"t": "disputes", "list": self._disputes.of(each.link)})

    async def send_file(self, request: GetDispute) -> None:
        """Send the file of a dispute."""
        name, text = self._disputes.file_of(self._looker.link, request.dispute)
        await self._reply(request, "dispute_file", name=name, text=text)


_HANDLERS: dict[type, tuple[Callable[..., Awaitable[None]], bool]] = {
    OpenDesk: (Desk.open, True),
    Rule: (Desk.rule, True),
    Adjudicate: (Desk.adjudicate, True),
    Reseat: (Desk.reseat, True),
    Explain: (Desk.explain, True),
    AskChances: (Desk.chances, True),
    WhatIf: (Desk.what_if, True),
    Estimate: (Desk.estimate, True),
    FileDispute: (Desk.file, False),
    AnswerDispute: (Desk.answer_dispute, True),
    GetDispute: (Desk.send_file, False),
}
"""The handler of each request, and whether only the umpire may make it."""
