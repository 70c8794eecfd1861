"""The board and the state before set-up, read from a scenario, checked and compiled."""

from collections.abc import Mapping

from msgspec.structs import replace

from kampfpanzer.model.board import Board, Victory
from kampfpanzer.model.forces import Counters, Group, Kind, counters
from kampfpanzer.model.state import KampfState, Unit
from kampfpanzer.model.tables import (
    LETTERS,
)
from kampfpanzer.setup.counters import with_own
from kampfpanzer.setup.reading import GroupSheet, Sheet, read_sheet
from kampfpanzer.setup.validation import check_sheet
from sandtable import Scenario


def read_board(scenario: Scenario, options: Mapping[str, str]) -> Board:
    """Return the board of ``scenario``. Raises DataError, with file and key, for invalid data."""
    listed = with_own(counters(options), scenario)
    sheet = read_sheet(scenario, options, listed)
    check_sheet(sheet, listed, scenario.source)
    return build_board(scenario.id, scenario.title, sheet, listed, options)


def build_board(ident: str, title: str, sheet: Sheet, listed: Counters, options: Mapping[str, str]) -> Board:
    """Compile a valid sheet; identity numbers are assigned in the order of the sides and groups (KP-3.2b)."""
    left = {name: list(ids) for name, ids in listed.ids.items()}
    groups: list[Group] = []
    units: dict[str, str] = {}
    for group in (each for side in sheet.sides for each in side.groups):
        drawn = {left[name].pop(0): name for name, number in group.units.items() for _ in range(number)}
        units |= dict(sorted(drawn.items(), key=lambda item: int(item[0])))
        groups.append(_group(group, drawn, listed.kinds))
    group_of = {unit_id: group for group in groups for unit_id in group.units}
    first, second = (side.id for side in sheet.sides)
    letters = sheet.scatter if options["scatter"] == "custom_table" else tuple(LETTERS)
    return Board(
        scenario=ident,
        title=title,
        hexmap=sheet.map,
        kinds=listed.kinds,
        units=units,
        sides=(first, second),
        titles={side.id: side.title for side in sheet.sides},
        panic={side.id: side.panic for side in sheet.sides},
        last_turn=sheet.turns,
        groups=tuple(groups),
        victory=with_bids(sheet.victory, first, second, options),
        exits={side.id: side.exits for side in sheet.sides if side.exits},
        no_move={side.id: side.no_move for side in sheet.sides if side.no_move},
        riders=sheet.riders,
        scatter=dict(enumerate(letters, start=1)),
        side_of={unit_id: group.side for unit_id, group in group_of.items()},
        group_of=group_of,
    )


def with_bids(victory: Victory, first: str, second: str, options: Mapping[str, str]) -> Victory:
    """Return the victory condition adjusted by the sides' bids.

    The advantage of the condition's side, or of the first side, reduces the numbers of units that must leave or be
    destroyed. In ``clear`` it raises the limit of enemies in the place. These numbers stay at least one. In
    ``majority``, ``multiple`` and ``reach`` it is only stored as ``bid`` (see ``victory.victory``).
    """
    bids = {first: int(options["bid_first"]), second: int(options["bid_second"])}
    own = victory.side or first
    advantage = 2 * bids[own] - sum(bids.values())
    if not advantage:
        return victory
    if victory.kind in ("majority", "multiple", "reach"):
        return replace(victory, bid=advantage)
    if victory.kind == "clear":  # that many more enemies may remain
        return replace(victory, needed=max(1, victory.needed + advantage), bid=advantage)
    fewer = {name: max(1, getattr(victory, name) - advantage) for name in COUNTED if getattr(victory, name)}
    return replace(victory, **fewer, bid=advantage)


COUNTED = ("needed", "losses_needed")
"""The numbers of a victory condition that a bid reduces."""


def _group(sheet: GroupSheet, drawn: Mapping[str, str], kinds: Mapping[str, Kind]) -> Group:
    ids = tuple(sorted(drawn, key=int))
    return Group(
        side=sheet.side,
        units=ids,
        area=sheet.area,
        enters=sheet.enters,
        entries=sheet.entries,
        may_entrench=sheet.may_entrench or sheet.entrenched,
        entrenched=tuple(each for each in ids if kinds[drawn[each]].is_foot) if sheet.entrenched else (),
    )


def opening_state(board: Board, options: Mapping[str, str]) -> KampfState:
    """Return the state before set-up, with every unit off the map."""
    return KampfState(
        units={unit_id: Unit(name, board.side_of[unit_id]) for unit_id, name in board.units.items()},
        options=dict(options),
    )
