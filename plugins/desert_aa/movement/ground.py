"""The map in a movement phase of one power."""

from collections.abc import Iterable

from desert_aa.model.board import FAR, Board
from desert_aa.model.state import DesertState, Unit
from desert_aa.model.tables import FLAK, KIND_NAMES, POWER_NAMES, SIDE_OF, VALUES
from sandtable import Refusal


class Ground:
    """The units and the control of spaces, computed once a phase because only the mover's own units move in it.

    ``foes`` are the spaces with enemy units: True if at least one can fight, False if all are flak. ``hostile`` are
    these and the spaces that the enemy holds. ``movers`` are the power's units without a move in this phase, by space.
    ``friends_flak`` is the number of the side's flak guns, by space.
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
        """Remove units that have moved from the list of movers."""
        for unit_id in units:
            for space, movers in self.movers.items():
                if unit_id in movers:
                    movers.remove(unit_id)
                    if not movers:
                        del self.movers[space]
                    break

    def note_flak(self, units: Iterable[str], path: list[str]) -> None:
        """Record that the flak among ``units`` moved from the start of ``path`` to its end."""
        for unit_id in units:
            if self.units[unit_id].kind == FLAK:
                self.friends_flak[path[0]] -= 1
                self.friends_flak[path[-1]] = self.friends_flak.get(path[-1], 0) + 1

    def is_mined(self, space: str) -> bool:
        """Return whether an enemy minefield that both sides know is in ``space``. Hidden minefields do not count."""
        mine = self.state.minefields.get(space)
        return mine is not None and mine.known and SIDE_OF[mine.power] != self.side

    @property
    def landable(self) -> tuple[str, ...]:
        """The spaces in which planes of the moving power may land (DAA-12.01 to DAA-12.03, DAA-R58)."""
        if self._landable is None:
            self._landable = landing_spaces(self.state, self.power)
        return self._landable

    def range_of(self, unit: Unit) -> int:
        """Return the number of spaces that a plane may still fly (DAA-16.07)."""
        return VALUES[unit.power][unit.kind].move - unit.moved

    def nearest_landing(self, space: str) -> int:
        """Return the distance by air from ``space`` to the nearest landing, or ``FAR`` if none can be reached."""
        distances = self.board.air_distance[space]
        return min(map(distances.__getitem__, self.landable), default=FAR)

    def name_of(self, unit_id: str) -> str:
        """Return a unit in words, such as "Italy's armor in Tobruk"."""
        unit = self.units[unit_id]
        return f"{POWER_NAMES[unit.power]}'s {KIND_NAMES[unit.kind]} in {self.board.names[unit.space]}"

    def why_idle(self, unit_id: str, start: str) -> Refusal | None:
        """Return why ``unit_id`` is not a unit of the power in ``start``, or None if it is."""
        unit = self.units.get(unit_id)
        if unit is None:
            return Refusal("DAA-16.02", f"unknown unit {unit_id[:40]!r}")
        if unit.power != self.power:
            reason = f"{self.name_of(unit_id)} cannot move in {POWER_NAMES[self.power]}'s turn"
            return Refusal("DAA-16.09", reason)
        if unit.space != start:
            name = self.board.names.get(start, start[:40])
            return Refusal("DAA-16.02", f"{self.name_of(unit_id)} cannot start from {name}")
        return None


def landing_spaces(state: DesertState, power: str) -> tuple[str, ...]:
    """Return the spaces in which planes of ``power`` may land now (DAA-12.01, DAA-12.03, DAA-R58)."""
    control, captured = state.control, state.captured
    if state.options["air_land_ally"] == "own_only":
        return tuple(space for space in state.board.spaces if control[space] == power and space not in captured)
    side = SIDE_OF[power]
    return tuple(space for space in state.board.spaces if SIDE_OF[control[space]] == side and space not in captured)
