"""Completion of a side's slice of a log with the enemy's roster as far as it was shown, for drawings (AOA-O1)."""

from collections.abc import Iterator, Sequence
from typing import Any

from axis_attack.model.cards import ENEMY, LEVEL_TITLES, Board
from axis_attack.model.events import (
    BattleBriefed,
    CampaignOpened,
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

    Each platoon has the type by which a brief names it, and the level at which it was first seen. Spectators see no
    roster; both companies are added for them, so that later events find their platoons.
    """
    built = {record.event.side: record.n for record in records if isinstance(_event(record), CompanyBuilt)}
    hidden = [each for each in ENEMY if each not in built]
    if side in ENEMY and ENEMY[side] in hidden and side in built:
        number = built[side] - 1 if all(record.n != built[side] - 1 for record in records) else built[side] + 1
        return _with(records, EventRecord(number, _company(records, ENEMY[side], board)))
    opened = next((record.n for record in records if isinstance(_event(record), CampaignOpened)), 0)
    if side in ENEMY or not hidden or not opened:
        return records
    return _with(records, *(EventRecord(opened - 1, _named(records, each, board)) for each in hidden))


def _event(record: Any) -> Any:
    return getattr(record, "event", None)


def _with(records: Sequence[Any], *added: Any) -> list[Any]:
    return sorted([*records, *added], key=lambda record: int(record.n))


def _named(records: Sequence[Any], owner: str, board: Board) -> CompanyBuilt:
    """Return a company of all platoons of ``owner`` that ``records`` name. Their types and levels are not shown."""
    kind = next(iter(board.lists[owner].types))
    names: dict[str, Wanted] = {}
    for event in map(_event, records):
        if isinstance(event, BattleBriefed):
            companies = event.brief.parties[owner].companies
            names |= {each.id: Wanted(kind, 0) for company in companies for each in company.platoons}
        elif getattr(event, "side", "") == owner:
            listed = [getattr(each, "platoon", each) for each in getattr(event, "platoons", ())]
            names |= {each: Wanted(kind, 0) for each in (*listed, getattr(event, "platoon", "")) if each}
    return CompanyBuilt(owner, names, dict.fromkeys(names, 0), dict.fromkeys(names, 0), {}, 0)


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
