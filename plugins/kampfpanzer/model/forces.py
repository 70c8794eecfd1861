"""The types of counter, and the groups in which a scenario sets units up or brings them in."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct, structs

from kampfpanzer.model.tables import ARMOR, FOOT, WHEELS
from sandtable.data import decode_toml, read_toml

AFV, APC, TRUCK, INFANTRY, ARTILLERY = "afv", "apc", "truck", "infantry", "artillery"
"""The categories: tanks, the two kinds of vehicle (KP-12.0a), infantry, guns."""

_MOBILITY = {AFV: ARMOR, APC: ARMOR, TRUCK: WHEELS}

UNITS = Path(__file__).with_name("units.toml")
ADDED_BT7 = 154
"""Identity number of the thirteenth BT7, which the counter sheet lacks (R-KP-84)."""


class Kind(Struct, frozen=True):
    """A type of counter.

    Strengths and ``movement`` are the printed points; ``weapon`` is A, M, R, H or "". Guns have movement 0 and never
    move by themselves (R-KP-17).
    """

    name: str
    nation: str
    category: str
    attack: int
    weapon: str
    range_hexes: int
    defense: int
    hard: bool
    movement: int

    @property
    def mobility(self) -> str:
        """The column of the terrain effects chart."""
        return _MOBILITY.get(self.category, FOOT)

    @property
    def is_vehicle(self) -> bool:
        """Whether it is a truck or an APC: a carrier, which never counts for victory (KP-12.0a, KP-14.0j)."""
        return self.category in (TRUCK, APC)

    @property
    def is_gun(self) -> bool:
        """Whether it has a facing when on foot (KP-9.4a)."""
        return self.category == ARTILLERY

    @property
    def is_foot(self) -> bool:
        """Whether it is infantry or a gun, which may be carried (KP-12.0a) and entrenched (KP-13.0b)."""
        return self.category in (INFANTRY, ARTILLERY)


class Group(Struct, frozen=True):
    """Units that set up in the same ``area``, or that enter on turn ``enters`` > 0 by one of ``entries``.

    ``may_entrench`` is true if its infantry and guns may be entrenched; ``entrenched`` are the ids of those that must
    be.
    """

    side: str
    units: tuple[str, ...]
    area: tuple[str, ...] = ()
    enters: int = 0
    entries: tuple[str, ...] = ()
    may_entrench: bool = False
    entrenched: tuple[str, ...] = ()


class Counters(NamedTuple):
    """The counter list: types by name, and the identity numbers of each type in the order of their assignment."""

    kinds: dict[str, Kind]
    ids: dict[str, tuple[str, ...]]


@cache
def _sheet() -> Counters:
    tables = decode_toml(read_toml(UNITS), str(UNITS))
    kinds, ids = {}, {}
    for name, row in tables.items():
        runs = row.pop("ids")
        kinds[name] = Kind(name=name, **row)
        ids[name] = tuple(str(number) for first, last in runs for number in range(first, last + 1))
    return Counters(kinds, ids)


def counters(options: Mapping[str, str]) -> Counters:
    """Return the counter list under the options ft17_movement (R-KP-83) and bt7_13 (R-KP-84)."""
    sheet = _sheet()
    ft17 = structs.replace(sheet.kinds["FT17"], movement=int(options["ft17_movement"]))
    bt7 = sheet.ids["BT7"]
    if options["bt7_13"] == "12_only":
        bt7 = tuple(number for number in bt7 if number != str(ADDED_BT7))
    return Counters(sheet.kinds | {"FT17": ft17}, sheet.ids | {"BT7": bt7})
