"""The positions of units during movement, by hex, so that a tick looks only around units that moved."""

from collections.abc import Iterable, Mapping, Sequence

from kampfpanzer.model.forces import ARTILLERY, INFANTRY
from kampfpanzer.model.state import ON_MAP, KampfState
from kampfpanzer.terrain.zones import kind_of, would_exert_zone

FOOT_PAIR = sorted((INFANTRY, ARTILLERY))
"""The categories that may share a hex at the end of a phase (KP-7.1a)."""


class Positions:
    """The units on the map by hex, except for passengers, and whether each of them exerts a zone.

    Zones do not change during the phase, because results take effect only after it (R-KP-81). ``where`` is each unit's
    hex. ``at`` are the units of each occupied hex in the order of their arrival.
    """

    __slots__ = ("around", "at", "side", "state", "where", "zone")

    def __init__(self, state: KampfState) -> None:
        self.state = state
        self.around: Mapping[str, Sequence[str]] = state.board.hexmap.around
        self.at: dict[str, list[str]] = {}
        self.where: dict[str, str] = {}
        self.side: dict[str, str] = {}
        self.zone: dict[str, bool] = {}
        for unit_id, unit in state.units.items():
            if unit.standing == ON_MAP and not unit.carrier:
                self.put(unit_id, unit.hex)

    def put(self, unit_id: str, hex_: str) -> None:
        """Record that a unit is now in ``hex_``, as in the state."""
        if unit_id not in self.zone:
            self.expect(unit_id)
        self.remove(unit_id)
        self.where[unit_id] = hex_
        self.at.setdefault(hex_, []).append(unit_id)

    def expect(self, unit_id: str) -> None:
        """Record the side and zone of a unit that is about to enter the map."""
        self.side[unit_id] = self.state.units[unit_id].side
        self.zone[unit_id] = would_exert_zone(self.state, unit_id)

    def remove(self, unit_id: str) -> None:
        """Record that a unit is off the map."""
        before = self.where.pop(unit_id, None)
        if before is not None:
            here = self.at[before]
            here.remove(unit_id)
            if not here:
                del self.at[before]

    def enemies(self, side: str, hex_: str) -> list[str]:
        """Return the units in a hex that are not of ``side``."""
        at = self.at
        if hex_ not in at:
            return []
        return [each for each in at[hex_] if self.side[each] != side]

    def friends(self, side: str, hex_: str) -> list[str]:
        """Return the units in a hex that are of ``side``."""
        return [each for each in self.at.get(hex_, ()) if self.side[each] == side]

    def controller(self, side: str, hex_: str, besides: str = "") -> str:
        """Return an enemy of ``side`` whose zone covers a hex, or "" (KP-8.0a).

        Enemies in the hex ``besides`` are ignored.
        """
        at, sides, zone = self.at, self.side, self.zone
        for near in self.around[hex_]:
            if near in at and near != besides:
                for each in at[near]:
                    if sides[each] != side and zone[each]:
                        return each
        return ""

    def controller_after(self, side: str, hex_: str, going: Mapping[str, str], besides: str = "") -> str:
        """Return the result of ``controller`` after the units in ``going`` have moved to the hexes that it gives."""
        sides, zone = self.side, self.zone
        near = self.around[hex_]
        for each, after in going.items():
            if after and after in near and after != besides and sides[each] != side and zone[each]:
                return each
        for each_hex in near:
            if each_hex != besides:
                for each in self.at.get(each_hex, ()):
                    if each not in going and sides[each] != side and zone[each]:
                        return each
        return ""

    def may_share(self, unit_ids: Iterable[str]) -> bool:
        """Return whether these units of a side may end a phase in one hex (KP-7.0a).

        They may if there is one unit, or infantry and a gun.
        """
        kinds = sorted(kind_of(self.state, each).category for each in unit_ids)
        return len(kinds) < 2 or kinds == FOOT_PAIR

    def may_end_in(self, unit_id: str, hex_: str) -> bool:
        """Return whether a unit may end the phase in a hex that it is not in now (KP-7.0a, KP-13.0c)."""
        if hex_ in self.state.entrenchments and not kind_of(self.state, unit_id).is_foot:
            return False
        others = self.at.get(hex_, ())
        side = self.side[unit_id]
        return all(self.side[each] == side for each in others) and self.may_share([*others, unit_id])
