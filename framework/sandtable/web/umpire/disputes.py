"""Disputes at a table: a player disputes a record with a sentence, and the umpire answers.

Each is kept as a dispute (``sandtable.journal.anchors.disputes``) in the store, and can be downloaded as its file. Only
the player and the umpire see it, because a claim may mention secrets of its side.
"""

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import structs

from sandtable.errors import PlayError
from sandtable.journal.anchors.disputes import (
    VERDICTS,
    Dispute,
    DisputeRuling,
    dispute_bytes,
    open_dispute,
    ruled,
)
from sandtable.journal.branching.causes import rolls_behind
from sandtable.journal.file.log import Log
from sandtable.journal.fold import effective
from sandtable.journal.sides.slices import seen_records
from sandtable.kernel.decisions import UMPIRE
from sandtable.kernel.records import RollRecord
from sandtable.plugin.manager import Prepared
from sandtable.quoting import shortened
from sandtable.web.live.game import LiveGame
from sandtable.web.store import SeatLink, TableStore
from sandtable.web.umpire.requests import AnswerDispute, FileDispute

MAX_OPEN = 5
"""Maximum number of disputes of a link that wait for an answer."""
MAX_DISPUTES = 200
"""Maximum number of disputes of a game."""
STANDS, FALLS = VERDICTS
DisputedBy = tuple[str, ...]
"""The seats of the link that filed a dispute."""


class Disputes:
    """The disputes of one game."""

    def __init__(self, store: TableStore, live: LiveGame) -> None:
        self._store, self._live = store, live

    def _all(self) -> Iterator[tuple[int, DisputedBy, Dispute]]:
        for number, seats, data in self._store.disputes(self._live.ident):
            yield number, seats, msgspec.json.decode(data, type=Dispute)

    def of(self, link: SeatLink) -> list[dict[str, Any]]:
        """Return the disputes that the holder of ``link`` may see: their own, and for the umpire all."""
        return [_row(number, each) for number, seats, each in self._all() if _may_see(link, seats)]

    def check(self, link: SeatLink, request: FileDispute) -> None:
        """Raise PlayError unless the holder of ``link`` may dispute that record."""
        live = self._live
        if not link.seats or link.is_umpire:
            raise PlayError("only a player can file a dispute")
        if not self._store.umpire_of(live.ident):
            raise PlayError("this game has no umpire who could answer a dispute")
        if not request.claim.strip():
            raise PlayError("a dispute needs a claim: say in a sentence what is wrong")
        _check_rule(live.prepared, request.rule)
        viewer = live.viewer_of(link.seats)
        seen = seen_records(live.game.records, live.prepared, viewer)
        if not any(each.n == request.record for each in seen):
            raise PlayError(f"record {request.record} is not one that your side sees: click a line of the story")
        rows = list(self._all())
        waiting = [seats for _, seats, each in rows if seats == link.seats and not each.rulings]
        if len(waiting) >= MAX_OPEN:
            raise PlayError(f"{MAX_OPEN} of your disputes are not answered yet: wait for the umpire")
        if len(rows) >= MAX_DISPUTES:
            raise PlayError(f"this game had {MAX_DISPUTES} disputes: no more can be filed")

    def roll_behind(self, number: int) -> RollRecord | None:
        """Return the roll in record ``number`` or behind it, if its odds may be shown to the player; None otherwise."""
        prepared = self._live.prepared
        if prepared.ruleset.hidden:
            return None
        kept = effective(self._live.game.records[:number])
        if not kept or kept[-1].n != number:
            return None
        rolls = rolls_behind(kept, frozenset((*prepared.ruleset.seats, *prepared.ruleset.viewers)))
        return rolls[-1] if rolls and rolls[-1].dice else None

    def file(self, link: SeatLink, request: FileDispute, log: Log, odds: list[str]) -> int:
        """Store a dispute of the holder of ``link`` over a record of ``log``; return its number."""
        made = open_dispute(log, request.record, request.claim.strip(), link.seats[0], request.rule, odds)
        made = structs.replace(made, dispute=structs.replace(made.dispute, log=self._live.path.name))
        return self._store.add_dispute(link, msgspec.json.encode(made).decode())

    def answer(self, request: AnswerDispute) -> DisputedBy:
        """Add the umpire's answer to a dispute, and return the seats that filed it. Raises PlayError."""
        if not request.text.strip():
            raise PlayError("an answer needs a reason: the player reads it")
        _check_rule(self._live.prepared, request.rule)
        number, seats, found = self.one(request.dispute)
        verdict = FALLS if request.upheld else STANDS
        found = ruled(found, DisputeRuling(verdict, request.text.strip(), UMPIRE, request.rule))
        self._store.change_dispute(number, msgspec.json.encode(found).decode())
        return seats

    def one(self, number: int) -> tuple[int, DisputedBy, Dispute]:
        """Return the dispute ``number`` with the seats that filed it. Raises PlayError if it does not exist."""
        found = next((each for each in self._all() if each[0] == number), None)
        if found is None:
            raise PlayError(f"dispute {number} does not exist in this game")
        return found

    def file_of(self, link: SeatLink, number: int) -> tuple[str, str]:
        """Return the name and the content of a dispute's file. Raises PlayError if the holder may not see it."""
        number, seats, found = self.one(number)
        if not _may_see(link, seats):
            raise PlayError(f"dispute {number} does not exist in this game")
        return f"{self._live.path.stem}-dispute-{number}.toml", dispute_bytes(found).decode()


def _may_see(link: SeatLink, seats: DisputedBy) -> bool:
    return link.is_umpire or bool({*link.seats} & {*seats})


def _row(number: int, found: Dispute) -> dict[str, Any]:
    claim = found.dispute
    last = found.rulings[-1] if found.rulings else None
    answer = last and {"upheld": last.verdict == FALLS, "text": last.text, "rule": last.rule}
    return {
        "n": number,
        "record": claim.record,
        "by": claim.by,
        "claim": claim.claim,
        "rule": claim.rule,
        "answer": answer,
    }


def _check_rule(prepared: Prepared, rule: str) -> None:
    """Raise PlayError if ``rule`` is not in the ruleset's index; without an index any is allowed."""
    index = prepared.installed.hook.ruleset_index() or ()
    if rule and index and rule not in {row.id for row in index}:
        raise PlayError(f"{prepared.ruleset.id} has no rule {shortened(rule)!r}: give its id, or none")
