"""Completion of a side's slice of a log with the enemy's roster as far as it was shown, for drawings (AOA-O1)."""

from collections.abc import Sequence
from typing import Any

from axis_attack.model.cards import ENEMY, Board
from axis_attack.model.events import BattleBriefed, CampaignOpened, CompanyBuilt, PlatoonExchanged
from axis_attack.model.orders import Wanted
from axis_attack.model.state import Shown
from sandtable import EventRecord


def fill_in(records: Sequence[Any], side: str, board: Board) -> Sequence[Any]:
    """Return the ``records`` that ``side`` saw, with an added company of the enemy's shown platoons.

    Each platoon has the type and the level that the enemy saw first. Spectators see no roster; both companies are added
    for them, so that later events find their platoons.
    """
    built = {record.event.side: record.n for record in records if isinstance(_event(record), CompanyBuilt)}
    hidden = [each for each in ENEMY if each not in built]
    if side in ENEMY and ENEMY[side] in hidden and side in built:
        number = built[side] - 1 if all(record.n != built[side] - 1 for record in records) else built[side] + 1
        return _with(records, EventRecord(number, _company(records, ENEMY[side])))
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


def _company(records: Sequence[Any], enemy: str) -> CompanyBuilt:
    """Return the company of ``enemy`` as far as ``records`` show it. Unknown figures are 0 or empty."""
    shown: dict[str, Shown] = {}
    exchanged: set[str] = set()
    for event in map(_event, records):
        if getattr(event, "side", "") == enemy:
            if isinstance(event, PlatoonExchanged):
                exchanged.add(event.platoon)
            for each, it in getattr(event, "shown", {}).items():
                if each not in exchanged:
                    shown.setdefault(each, it)
    platoons = {each: Wanted(it.type, 0) for each, it in shown.items()}
    levels = {each: it.level for each, it in shown.items()}
    return CompanyBuilt(enemy, platoons, levels, dict.fromkeys(platoons, 0), {}, 0)
