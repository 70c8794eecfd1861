"""The map as a movement phase of one power sees it."""

from collections.abc import Iterable

from desert_aa.model.board import FAR, Board
from desert_aa.model.state import DesertState, Unit
from desert_aa.model.tables import FLAK, POWER_NAMES, SIDE_OF, VALUES
from sandtable import Refusal


class Ground:
    """Who stands where and holds what; made once a phase, because only the mover's own units move in it.

    ``foes`` are the spaces with enemy units: True where one of them fights, False where there is only flak.
    ``hostile`` are these and the spaces that the enemy holds. ``movers`` are, by space, the units that may still move.
    """

    __slots__ = ("_landable", "board", "foes", "friends_flak", "hostile", "movers", "power", "side", "state", "units")

    def __init__(self, state: DesertState) -> None:
        self.state = state
        self.board: Board = state.board
        self.units = state.units
        self.power = power = state.phasing_power
        self.side = side = state.phasing_side
        self.foes: dict[str, bool] = {}
        self.movers: dict[str, list[str]] = {}
        self.friends_flak: dict[str, int] = {}
        self._landable: tuple[str, ...] | None = None
        foes, movers = self.foes, self.movers
        for unit_id in sorted(state.units):
            unit = state.units[unit_id]
            space = unit.space
            if SIDE_OF[unit.power] != side:
                foes[space] = foes.get(space, False) or unit.kind != FLAK
                continue
            if unit.kind == FLAK:
                self.friends_flak[space] = self.friends_flak.get(space, 0) + 1
            if unit.power == power:
                movers.setdefault(space, []).append(unit_id)
        control = state.control
        self.hostile = {space: True for space in self.board.spaces if space in foes or SIDE_OF[control[space]] != side}

    def take(self, units: Iterable[str]) -> None:
        """Strike units that have moved off the list of movers."""
        for unit_id in units:
            for space, movers in self.movers.items():
                if unit_id in movers:
                    movers.remove(unit_id)
                    if not movers:
                        del self.movers[space]
                    break

    def note_flak(self, units: Iterable[str], path: list[str]) -> None:
        """Note that those of ``units`` that are flak went from the start of ``path`` to its end."""
        for unit_id in units:
            if self.units[unit_id].kind == FLAK:
                self.friends_flak[path[0]] -= 1
                self.friends_flak[path[-1]] = self.friends_flak.get(path[-1], 0) + 1

    def is_mined(self, space: str) -> bool:
        """Tell whether an enemy minefield that everyone knows of lies in ``space``; hidden ones change nothing here."""
        mine = self.state.minefields.get(space)
        return mine is not None and mine.known and SIDE_OF[mine.power] != self.side

    @property
    def landable(self) -> tuple[str, ...]:
        """The spaces in which planes of the mover may land (DAA-12.01, DAA-12.02, DAA-12.03, DAA-R58)."""
        if self._landable is None:
            self._landable = landing_spaces(self.state, self.power)
        return self._landable

    def range_of(self, unit: Unit) -> int:
        """Return how many spaces a plane may still fly (DAA-16.07)."""
        return VALUES[unit.power][unit.kind].move - unit.moved

    def nearest_landing(self, space: str) -> int:
        """Return how far it is from ``space``, by air, to where a plane may land; ``FAR`` if there is no way."""
        distances = self.board.air_distance[space]
        return min(map(distances.__getitem__, self.landable), default=FAR)

    def why_idle(self, unit_id: str, start: str) -> Refusal | None:
        """Return why a unit cannot be moved from ``start``, None if it can."""
        unit = self.units.get(unit_id)
        if unit is None:
            return Refusal("DAA-16.02", f"there is no unit {unit_id[:40]!r}")
        if unit.power != self.power:
            reason = f"{unit_id} belongs to {POWER_NAMES[unit.power]}: it is the turn of {POWER_NAMES[self.power]}"
            return Refusal("DAA-16.09", reason)
        if unit.space != start:
            return Refusal("DAA-16.02", f"{unit_id} stands in {unit.space}: its path cannot start in {start[:40]}")
        return None


def landing_spaces(state: DesertState, power: str) -> tuple[str, ...]:
    """Return the spaces in which planes of ``power`` may land now (DAA-12.01, DAA-12.03, DAA-R58)."""
    control, captured = state.control, state.captured
    if state.options["air_land_ally"] == "own_only":
        return tuple(space for space in state.board.spaces if control[space] == power and space not in captured)
    side = SIDE_OF[power]
    return tuple(space for space in state.board.spaces if SIDE_OF[control[space]] == side and space not in captured)
