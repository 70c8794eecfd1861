"""Completion of a side's slice of a log with enemy minefields, so that its positions can be drawn (DAA-R37)."""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from desert_aa.model.board import Board
from desert_aa.model.events import MinefieldDeclared, MinefieldForfeited, MinefieldsPlaced, MinefieldSwept, MinesStruck
from desert_aa.model.tables import SIDE_OF
from sandtable import EventRecord

_NAMING = MinefieldDeclared, MinefieldForfeited, MinefieldSwept, MinesStruck
_ENDING = MinefieldForfeited, MinefieldSwept


def fill_in(records: Sequence[Any], side: str, _board: Board) -> list[Any]:
    """Return the records that ``side`` saw, with the enemy's minefields in the spaces where they were revealed.

    A minefield that was never revealed gets a name that is not a space of the map, so that only their number shows. If
    ``side`` did not see that a minefield was laid, it is laid just before the record that reveals it.
    """
    laid: dict[int, list[str]] = {
        place: [] for place, record in enumerate(records) if _is_cut(getattr(record, "event", None), side)
    }
    late: dict[int, MinefieldsPlaced] = {}
    known: set[str] = set()
    for place, record in enumerate(records):
        event = getattr(record, "event", None)
        if isinstance(event, MinefieldsPlaced):
            known.update(event.spaces)
        if not isinstance(event, _NAMING):
            continue
        if event.space not in known:
            since = [each for each in laid if each < place and _is_open(records[each].event, laid[each], event.power)]
            if since:
                laid[since[-1]].append(event.space)
            else:
                late[place] = MinefieldsPlaced(event.power, 1, [event.space])
        known.add(event.space)
        if isinstance(event, _ENDING):
            known.discard(event.space)
    return list(_filled(records, laid, late))


def _is_cut(event: Any, side: str) -> bool:
    return isinstance(event, MinefieldsPlaced) and SIDE_OF[event.power] != side and not event.spaces


def _is_open(event: MinefieldsPlaced, spaces: Sequence[str], power: str) -> bool:
    return event.power == power and len(spaces) < event.number


def _filled(records: Sequence[Any], laid: dict[int, list[str]], late: dict[int, MinefieldsPlaced]) -> Any:
    for place, record in enumerate(records):
        if place in late:
            yield EventRecord(record.n, late[place])
        if place in laid:
            missing = record.event.number - len(laid[place])
            unseen = [f"unseen {record.n}, {number}" for number in range(missing)]
            yield replace(record, event=replace(record.event, spaces=laid[place] + unseen))
        else:
            yield record
