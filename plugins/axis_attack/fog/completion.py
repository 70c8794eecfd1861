"""Completion of a side's slice of a log with the enemy's roster as far as it was shown, for drawings (AOA-O1)."""

from collections.abc import Iterator, Sequence
from typing import Any

from axis_attack.model.cards import ENEMY, LEVEL_TITLES, Board
from axis_attack.model.events import (
    BattleBriefed,
    CompanyBuilt,
    PlatoonExchanged,
    PlatoonLowered,
    PlatoonRaised,
    PlatoonReinforced,
    StrengthAssessed,
)
from axis_attack.model.orders import Wanted
from sandtable import EventRecord


def fill_in(records: Sequence[Any], side: str, board: Board) -> Sequence[Any]:
    """Return the ``records`` that ``side`` saw, with an added company of the enemy's shown platoons.

    Each platoon has the type by which a brief names it, and the level at which it was first seen.
    """
    if side not in ENEMY:
        return records
    enemy, numbers = ENEMY[side], {record.n for record in records}
    built = [record for record in records if isinstance(getattr(record, "event", None), CompanyBuilt)]
    if not built or any(record.event.side == enemy for record in built):
        return records
    company = _company(records, enemy, board)
    own = built[0].n
    number = own - 1 if own - 1 not in numbers else own + 1
    return sorted([*records, EventRecord(number, company)], key=lambda record: int(record.n))


def _company(records: Sequence[Any], enemy: str, board: Board) -> CompanyBuilt:
    """Return the company of ``enemy`` as far as ``records`` show it. Unknown figures are 0 or empty."""
    types = {kind.title: each for each, kind in board.lists[enemy].types.items()}
    found: dict[str, str] = {}
    levels: dict[str, int] = {}
    exchanged: set[str] = set()
    for record in records:
        event = getattr(record, "event", None)
        if isinstance(event, PlatoonExchanged) and event.side == enemy:
            exchanged.add(event.platoon)
        for platoon, level in _levels(event, enemy):
            if platoon not in exchanged:
                levels.setdefault(platoon, level)
        if isinstance(event, BattleBriefed):
            for each in (each for company in event.brief.parties[enemy].companies for each in company.platoons):
                if each.title in types and each.id not in exchanged:
                    found.setdefault(each.id, types[each.title])
    platoons = {each: Wanted(kind, 0) for each, kind in found.items()}
    return CompanyBuilt(enemy, platoons, levels, dict.fromkeys(platoons, 0), {}, 0)


def _levels(event: Any, enemy: str) -> Iterator[tuple[str, int]]:
    """Yield the levels of ``enemy`` platoons that an event shows: new ones, or those before casualties."""
    if isinstance(event, BattleBriefed):
        for company in event.brief.parties[enemy].companies:
            for each in company.platoons:
                if each.level in LEVEL_TITLES:
                    yield each.id, LEVEL_TITLES.index(each.level)
    elif isinstance(event, PlatoonRaised | PlatoonReinforced | PlatoonLowered) and event.side == enemy:
        yield event.platoon, event.level
    elif isinstance(event, StrengthAssessed) and event.side == enemy:
        yield event.platoon, event.before
