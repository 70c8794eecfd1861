"""The set-up of a force: a line for each unit, checked alone and together (KP-14.0a, R-KP-77).

2138                      in this hex
2138 A                    a gun, facing A
2138 A entrenched         in an entrenchment
aboard 146                on a vehicle: in the same hex, or entering with it (KP-14.0h)
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from kampfpanzer.model.board import Board
from kampfpanzer.model.forces import Group, Kind
from kampfpanzer.model.state import KampfState
from kampfpanzer.model.tables import LETTERS
from kampfpanzer.plotting.situation import may_carry
from sandtable import IllegalOrder, Refusal, listing, shown

LONGEST = 60
ABOARD, ENTRENCHED = "ABOARD", "ENTRENCHED"
RULE = "R-KP-77"
FEW_HEXES = 12
"""Maximum number of hexes of an area that are listed one by one."""


class Place(NamedTuple):
    """A parsed line: a hex with facing and entrenchment, or a vehicle.

    ``text`` is the canonical form.
    """

    text: str
    hex: str = ""
    facing: str = ""
    entrenched: bool = False
    carrier: str = ""


@lru_cache(maxsize=1 << 14)
def parse_place(text: str) -> Place:
    """Return the parsed line of a deployment. Raises IllegalOrder with the word that cannot be parsed."""
    if len(text) > LONGEST:
        raise IllegalOrder(RULE, f"{shown(text, 20)} is too long for a line: write up to {LONGEST} characters")
    words = text.upper().replace(",", " ").split() if text.isascii() else []
    if words and words[0] == ABOARD:
        if len(words) != 2 or not words[1].isdigit():
            raise IllegalOrder("KP-14.0h", f"{shown(text)}: write the number of the vehicle, such as aboard 146")
        carrier = str(int(words[1]))
        return Place(f"aboard {carrier}", carrier=carrier)
    if words and len(words[0]) == 5 and words[0][-1] in LETTERS:  # 2138A
        words[:1] = [words[0][:4], words[0][4:]]
    if not words or len(words[0]) != 4 or not words[0].isdigit():
        raise IllegalOrder(RULE, f"{shown(text) or 'an empty line'}: begin with a hex such as 2138, or with aboard")
    facing, entrenched = "", False
    for word in words[1:]:
        if word in LETTERS and not facing and not entrenched:
            facing = word
        elif len(word) > 1 and ENTRENCHED.startswith(word) and not entrenched:
            entrenched = True
        else:
            raise IllegalOrder(RULE, f"{shown(text)}: {shown(word)} is neither one facing A to F nor entrenched")
    parts = [words[0], facing, "entrenched" if entrenched else ""]
    return Place(" ".join(filter(None, parts)), words[0], facing, entrenched)


def area_words(hexes: Sequence[str]) -> str:
    """Return an area as text: a few hexes by number, many hexes by their columns and rows."""
    if len(hexes) <= FEW_HEXES:
        return listing(hexes)
    columns, rows = sorted(each[:2] for each in hexes), sorted(each[2:] for each in hexes)
    return f"columns {columns[0]} to {columns[-1]}, rows {rows[0]} to {rows[-1]} ({len(hexes)} hexes)"


class Muster:
    """A side's force during set-up: areas, possible carriers, and the hexes that the enemy holds.

    ``on_map`` are the units that set up now. ``later`` are the foot units that enter later and may start aboard;
    ``must_ride`` are those of them that could not enter on foot.
    """

    def __init__(self, state: KampfState, side: str) -> None:
        board: Board = state.board
        self.board, self.side = board, side
        self.held = {unit.hex for unit in state.units.values() if unit.hex}
        units = [each for group in board.groups if group.side == side for each in group.units]
        self.carriers = [each for each in units if board.kind_of(each).is_vehicle or self._is_tank_with_riders(each)]
        self.on_map = [each for each in units if not self.group(each).enters]
        entering = [each for each in units if self.group(each).enters and self.kind(each).is_foot]
        self.later = [each for each in entering if self.carriers_for(each)]
        self.must_ride = [each for each in self.later if not self.kind(each).movement and self._has_vehicles(each)]

    def _is_tank_with_riders(self, unit_id: str) -> bool:
        return self.board.riders and self.kind(unit_id).hard and not self.kind(unit_id).is_vehicle

    def _has_vehicles(self, unit_id: str) -> bool:
        """Return whether there is a vehicle for every gun that enters with this unit."""
        group = self.group(unit_id)
        guns = [each for each in group.units if self.kind(each).is_gun]
        return len(guns) <= sum(self.group(each) is group for each in self.carriers_for(unit_id))

    def kind(self, unit_id: str) -> Kind:
        """Return the type of a unit."""
        return self.board.kind_of(unit_id)

    def group(self, unit_id: str) -> Group:
        """Return the group of a unit."""
        return self.board.group_of[unit_id]

    def name(self, unit_id: str) -> str:
        """Return the type and number of a unit."""
        return f"{self.board.units[unit_id]} {unit_id}"

    def carriers_for(self, unit_id: str) -> list[str]:
        """Return the carriers that a foot unit may start aboard: with a common set-up hex, or entering with it."""
        kind = self.kind(unit_id)
        if not kind.is_foot or unit_id in self.group(unit_id).entrenched:
            return []
        return [
            each
            for each in self.carriers
            if may_carry(self.board, self.kind(each), kind) and self._comes_with(unit_id, each)
        ]

    def _comes_with(self, unit_id: str, carrier: str) -> bool:
        own, other = self.group(unit_id), self.group(carrier)
        if own.enters or other.enters:
            return own.enters == other.enters and own.entries == other.entries
        return own is other or not set(own.area).isdisjoint(other.area)

    # --- one line ---

    def why_not_line(self, unit_id: str, text: Any) -> Refusal | None:
        """Refuse a line that is illegal by itself."""
        place = read_place(text)
        if isinstance(place, Refusal):
            return place
        if place.carrier:
            return self._why_not_aboard(unit_id, place.carrier)
        group, name = self.group(unit_id), self.name(unit_id)
        if group.enters:
            return Refusal("KP-14.0d", f"{name} enters on turn {group.enters}: write aboard and a vehicle, or nothing")
        if place.hex not in group.area:
            return Refusal(RULE, f"{place.hex} is not where {name} sets up: its area is {area_words(group.area)}")
        if place.hex in self.held:
            return Refusal("KP-6.4a", f"{place.hex} is held by the enemy: choose another hex")
        return self._why_not_marks(unit_id, place)

    def _why_not_marks(self, unit_id: str, place: Place) -> Refusal | None:
        """Refuse a facing or entrenchment that is not allowed or is missing (KP-9.4a, KP-9.4b, KP-13.0a, KP-13.0b)."""
        kind, group, name = self.kind(unit_id), self.group(unit_id), self.name(unit_id)
        if kind.is_gun and not place.facing:
            return Refusal("KP-9.4b", f"{name} must face a hexside: write {place.hex} and a letter A to F")
        if place.facing and not kind.is_gun:
            return Refusal("KP-9.4a", f"{name} is not a gun and has no facing")
        if place.entrenched and not kind.is_foot:
            return Refusal("KP-13.0b", f"{name} cannot be entrenched: only infantry and guns can")
        if place.entrenched and not group.may_entrench:
            return Refusal("KP-13.0a", f"{name} may not start entrenched in this scenario")
        if unit_id in group.entrenched and not place.entrenched:
            return Refusal("KP-13.0a", f"{name} must start entrenched: write {place.text} entrenched")
        return None

    def _why_not_aboard(self, unit_id: str, carrier: str) -> Refusal | None:
        name = self.name(unit_id)
        if unit_id in self.group(unit_id).entrenched:
            return Refusal("KP-13.0a", f"{name} must start entrenched, not aboard")
        fits = self.carriers_for(unit_id)
        if carrier in fits:
            return None
        if carrier not in self.carriers:
            return Refusal(
                "KP-12.0a",
                f"unit {shown(carrier)} is not a vehicle of this side that carries: {_possible_carriers(fits)}",
            )
        if not may_carry(self.board, self.kind(carrier), self.kind(unit_id)):
            return Refusal("KP-12.0a", f"{self.name(carrier)} cannot carry {name}: {_possible_carriers(fits)}")
        return Refusal(
            "KP-14.0h",
            f"{self.name(carrier)} neither sets up nor enters in the hex of {name}: {_possible_carriers(fits)}",
        )

    # --- all lines ---

    def conflicts(self, lines: Mapping[str, str]) -> list[tuple[str, Refusal]]:
        """Return the lines that conflict with others: full vehicles and hexes, or a vehicle outside the unit's area.

        Each line must be legal by itself. If two lines claim one place, the first has priority.
        """
        places = {unit_id: parse_place(text) for unit_id, text in lines.items()}
        found: list[tuple[str, Refusal]] = []
        held: dict[str, list[str]] = {}
        riding: dict[str, str] = {}
        for unit_id, place in places.items():
            refusal = (
                self._why_not_riding(unit_id, place.carrier, places, riding)
                if place.carrier
                else self._why_crowded(unit_id, place.hex, held)
            )
            if refusal is not None:
                found.append((unit_id, refusal))
        return found

    def _why_crowded(self, unit_id: str, hex_: str, held: dict[str, list[str]]) -> Refusal | None:
        row = held.setdefault(hex_, [])
        categories = {self.kind(each).category for each in (*row, unit_id)}
        if row and not (
            len(row) == 1 and len(categories) == 2 and all(self.kind(each).is_foot for each in (*row, unit_id))
        ):
            names = " and ".join(map(self.name, row))
            return Refusal("KP-7.0a", f"{names} set up in {hex_}: {self.name(unit_id)} needs another hex")
        row.append(unit_id)
        return None

    def _why_not_riding(
        self, unit_id: str, carrier: str, places: Mapping[str, Place], riding: dict[str, str]
    ) -> Refusal | None:
        if carrier in riding:
            there = f"{self.name(carrier)} already carries {self.name(riding[carrier])}"
            return Refusal("R-KP-63", f"{there}: the maximum is one")
        if self.group(carrier).enters:
            riding[carrier] = unit_id
            return None
        if carrier not in places:
            return Refusal("KP-14.0h", f"{self.name(carrier)} has no hex yet: give it one first")
        hex_ = places[carrier].hex
        if hex_ not in self.group(unit_id).area:
            outside = f"{self.name(carrier)} sets up in {hex_}, outside the area of {self.name(unit_id)}"
            return Refusal("KP-14.0h", f"{outside}: move it, or choose another vehicle")
        riding[carrier] = unit_id
        return None


def read_place(text: Any) -> Place | Refusal:
    """Return the parsed line, or the reason why it cannot be parsed."""
    if not isinstance(text, str):
        return Refusal(RULE, f"a line is a text such as 2138 A, not {shown(text)}")
    try:
        return parse_place(text)
    except IllegalOrder as error:
        return Refusal(error.rule, error.reason)


def _possible_carriers(fits: list[str]) -> str:
    return f"it may be aboard {listing(fits)}" if fits else "no vehicle here can carry it"
