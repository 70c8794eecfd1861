"""What a scenario fixes for good: the map, who fights with what from where, and what wins."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from kampfpanzer.model.forces import AFV, APC, ARTILLERY, INFANTRY, TRUCK, Counters, Group, Kind, counters
from kampfpanzer.model.state import KampfState, Unit
from kampfpanzer.model.tables import ARMOUR, FOOT, LETTERS, WHEELS
from kampfpanzer.setup.counters import with_own
from kampfpanzer.setup.reading import GroupSheet, Sheet, Victory, read_sheet, sides_of
from kampfpanzer.setup.validation import check_sheet
from sandtable.board.hexes.map import HexMap
from sandtable.plugin.scenarios import Scenario

__all__ = [
    "AFV",
    "APC",
    "ARMOUR",
    "ARTILLERY",
    "FOOT",
    "INFANTRY",
    "TRUCK",
    "WHEELS",
    "Board",
    "Group",
    "Kind",
    "Victory",
    "opening_state",
    "read_board",
    "sides_of",
]


@dataclass(frozen=True, eq=False, slots=True)
class Board:
    """The map and all else that no game changes. Read-only, but for ``caches``.

    ``kinds`` are all types of counter by name, ``units`` the units of this game by identity number, each with the name
    of its kind; ``side_of`` and ``group_of`` tell more of each. ``sides`` are the two, the one that sets up first in
    front (KP-14.0a), ``titles`` their names, ``panic`` their levels (KP-11.11a). ``groups`` are in the order of the
    scenario, those of the first side in front. ``exits`` are the hexes by which a side may leave the map (KP-14.0i),
    ``no_move`` the turn in which a side may not move (KP-14.7.2); a side without is in neither. ``riders`` tells that
    tanks carry infantry (KP-14.5.3). ``scatter`` is the letter of each face of the die (R-KP-03).

    ``caches`` holds what other rooms reckon from the board alone, each under a key of its own.
    """

    scenario: str
    title: str
    hexmap: HexMap
    kinds: dict[str, Kind]
    units: dict[str, str]
    sides: tuple[str, str]
    titles: dict[str, str]
    panic: dict[str, int]
    last_turn: int
    groups: tuple[Group, ...]
    victory: Victory
    exits: dict[str, tuple[str, ...]]
    no_move: dict[str, int]
    riders: bool
    scatter: dict[int, str]
    side_of: dict[str, str]
    group_of: dict[str, Group]
    caches: dict[Any, Any] = field(default_factory=dict, repr=False)

    def kind_of(self, unit_id: str) -> Kind:
        """Return the type of a unit of this game."""
        return self.kinds[self.units[unit_id]]

    def enemy_of(self, side: str) -> str:
        """Return the other side."""
        first, second = self.sides
        return second if side == first else first


def read_board(scenario: Scenario, options: Mapping[str, str]) -> Board:
    """Return the board of ``scenario``; raises DataError, with file and key, when its data are wrong."""
    listed = with_own(counters(options), scenario)
    sheet = read_sheet(scenario, options, listed)
    check_sheet(sheet, listed, scenario.source)
    return build_board(scenario.id, scenario.title, sheet, listed, options)


def build_board(ident: str, title: str, sheet: Sheet, listed: Counters, options: Mapping[str, str]) -> Board:
    """Compile a sound sheet: identity numbers are handed out in the order of the sides and groups (KP-3.2b)."""
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
        victory=sheet.victory,
        exits={side.id: side.exits for side in sheet.sides if side.exits},
        no_move={side.id: side.no_move for side in sheet.sides if side.no_move},
        riders=sheet.riders,
        scatter=dict(enumerate(letters, start=1)),
        side_of={unit_id: group.side for unit_id, group in group_of.items()},
        group_of=group_of,
    )


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
    """Return the state before set-up: every unit is off the map."""
    return KampfState(
        units={unit_id: Unit(name, board.side_of[unit_id]) for unit_id, name in board.units.items()},
        options=dict(options),
    )
