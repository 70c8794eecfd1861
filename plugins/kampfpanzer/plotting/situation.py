"""A side's knowledge when it plots: positions, passengers, and the routes and costs of movement plots."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple

from kampfpanzer.model.board import Board
from kampfpanzer.model.forces import AFV, INFANTRY, Group, Kind
from kampfpanzer.model.state import DESTROYED, EXITED, WAITING, KampfState, Unit
from kampfpanzer.model.tables import LETTERS, OVERRUN_HALVES
from kampfpanzer.plotting.notation import STOP, Plot
from kampfpanzer.terrain.terrain import Ground, ground_of
from sandtable import Refusal


class Situation:
    """A side's position in the plot phase, indexed for quick queries; it is valid until the state changes.

    ``passengers`` is the unit aboard by vehicle or tank. ``own_at`` and ``enemies_at`` are the units by hex, without
    passengers. ``routes`` and ``ends`` cache the results of plots, by unit and text, and ``targets`` the legal plots of
    each action without movement, by unit and action.
    """

    def __init__(self, state: KampfState, side: str) -> None:
        board: Board = state.board
        self.state, self.board, self.side = state, board, side
        self.units: dict[str, Unit] = state.units
        self.options: dict[str, str] = state.options
        self.ground: Ground = ground_of(state)
        self.passengers: dict[str, str] = {}
        self.own_at: dict[str, list[str]] = {}
        self.enemies_at: dict[str, list[str]] = {}
        self.exits: tuple[str, ...] = board.exits.get(side, ())
        self.routes: dict[tuple[str, str], Any] = {}
        self.ends: dict[tuple[str, str], str] = {}
        self.targets: dict[tuple[str, str], list[str]] = {}
        for each_id, unit in state.units.items():
            if unit.carrier:
                self.passengers[unit.carrier] = each_id
            elif unit.hex:
                at = self.own_at if unit.side == side else self.enemies_at
                at.setdefault(unit.hex, []).append(each_id)

    # --- units ---

    def kind(self, unit_id: str) -> Kind:
        """Return the type of a unit."""
        return self.board.kinds[self.units[unit_id].kind]

    def name(self, unit_id: str) -> str:
        """Return the type and number of a unit, such as "PzII 94"."""
        return f"{self.units[unit_id].kind} {unit_id}"

    def group(self, unit_id: str) -> Group:
        """Return the group with which a unit sets up or enters."""
        return self.board.group_of[unit_id]

    def may_carry(self, carrier: str, passenger: str) -> bool:
        """Return whether the type of a unit may carry another: vehicles, and in Summa tanks (KP-12.0a, R-KP-76)."""
        return may_carry(self.board, self.kind(carrier), self.kind(passenger))

    def may_leave(self, unit_id: str) -> bool:
        """Return whether a unit may leave the map: it must count or carry a unit that does (KP-14.0i, KP-14.0j)."""
        return bool(self.exits) and (not self.kind(unit_id).is_vehicle or unit_id in self.passengers)

    def may_overrun(self, unit_id: str) -> bool:
        """Return whether a unit may overrun: a tank, or an APC with infantry aboard (KP-9.6b, KP-12.33a)."""
        kind = self.kind(unit_id)
        if not kind.hard or not kind.is_vehicle:
            return kind.hard
        passenger = self.passengers.get(unit_id)
        return passenger is not None and not self.kind(passenger).is_gun

    @cached_property
    def writable(self) -> list[str]:
        """The units that may have a plot (KP-5.0a, KP-5.0h), by identity number."""
        own = (each_id for each_id, unit in self.units.items() if unit.side == self.side)
        return sorted((each_id for each_id in own if self.why_no_line(each_id) is None), key=int)

    def why_no_line(self, unit_id: str) -> Refusal | None:
        """Refuse a unit that may not have any plot now."""
        unit = self.units.get(unit_id)
        if unit is None:
            return Refusal("KP-3.2b", "there is no unit of this number in the game")
        if unit.side != self.side:
            return Refusal("KP-4.1a", f"{self.name(unit_id)} belongs to the enemy: plot for your own units")
        if unit.standing in _GONE:
            rule, what = _GONE[unit.standing]
            return Refusal(rule, f"{self.name(unit_id)} {what}")
        if unit.disruption:
            level = f"is disrupted at level {unit.disruption}"
            return Refusal("KP-9.71c", f"{self.name(unit_id)} {level} and gets no plot until it recovers")
        return self._why_not_entering(unit_id) if unit.standing == WAITING else None

    def _why_not_entering(self, unit_id: str) -> Refusal | None:
        unit, name, group = self.units[unit_id], self.name(unit_id), self.group(unit_id)
        if unit.carrier:
            return Refusal("KP-12.2b", f"{name} is aboard {self.name(unit.carrier)} and comes onto the map with it")
        if unit_id in self.state.missed:
            return Refusal("R-KP-22", f"{name} could not enter on turn {group.enters} and can no longer enter")
        if self.state.turn < group.enters:
            return Refusal("KP-14.0d", f"{name} enters on turn {group.enters}, and this is turn {self.state.turn}")
        if not self.kind(unit_id).movement:
            return Refusal("R-KP-17", f"{name} cannot move by itself, so it cannot enter")
        return None

    # --- hexes ---

    def targets_at(self, hex_: str) -> list[str]:
        """Return the enemies in a hex that are separate targets: riders are, passengers are not (KP-14.5.4)."""
        found = list(self.enemies_at.get(hex_, ()))
        riders = [
            self.passengers[each] for each in found if each in self.passengers and self.kind(each).category == AFV
        ]
        return sorted(found + riders, key=int) if riders else found

    @cached_property
    def shots(self) -> list[tuple[str, str]]:
        """The enemies that are separate targets, each with its hex."""
        return [(hex_, each) for hex_ in self.enemies_at for each in self.targets_at(hex_)]

    @cached_property
    def _shots_in_space(self) -> list[tuple[tuple[str, str], int, int]]:
        """The shots, each with the axial coordinates of its hex."""
        axial = self.ground.hexmap.axial
        return [(shot, *axial[shot[0]]) for shot in self.shots]

    def shots_within(self, hex_: str, range_hexes: int) -> list[tuple[str, str]]:
        """Return the shots at hexes within a range of a hex."""
        q, r = self.ground.hexmap.axial[hex_]
        most_q, most_r, least, most = q + range_hexes, r + range_hexes, q + r - range_hexes, q + r + range_hexes
        least_q, least_r = q - range_hexes, r - range_hexes
        return [
            shot
            for shot, q, r in self._shots_in_space
            if least_q <= q <= most_q and least_r <= r <= most_r and least <= q + r <= most
        ]

    @cached_property
    def overrun_hexes(self) -> list[str]:
        """The clear hexes with soft enemies only (KP-9.6c, KP-9.66a)."""
        soft = (hex_ for hex_, row in self.enemies_at.items() if not any(self.kind(each).hard for each in row))
        return [hex_ for hex_ in soft if self.ground.is_clear(hex_)]

    def is_entrenched(self, hex_: str) -> bool:
        """Return whether a hex has an entrenchment of either side."""
        return hex_ in self.state.entrenchments

    @cached_property
    def may_not_move(self) -> bool:
        """Whether the side may not move on this turn (KP-14.7.2)."""
        return self.board.no_move.get(self.side) == self.state.turn

    @cached_property
    def may_do_nothing(self) -> bool:
        """Whether the side's units on the map may not have any plot on this turn (R-KP-78)."""
        return self.may_not_move and self.options["flavion_turn1"] == "no_operation"


_GONE = {DESTROYED: ("KP-9.71d", "is destroyed"), EXITED: ("KP-14.0i", "has left the map")}


def may_carry(board: Board, carrier: Kind, passenger: Kind) -> bool:
    """Return whether a type may carry another: vehicles carry foot units, tanks carry riders if allowed (KP-14.5.3)."""
    if carrier.is_vehicle:
        return passenger.is_foot
    return board.riders and carrier.category == AFV and passenger.category == INFANTRY


class Route(NamedTuple):
    """The hexes entered in order, including the entry hex, and the half points they cost including all halts.

    ``lost`` is the hex from which the plot illegally leads off the map, or "". ``left`` is the hex by which it leaves
    the map, or "". ``extra`` is true if the plot continues after the unit has left. ``overrun`` is the hex overrun, the
    second to last hex, or "". ``barred`` is true if the map ends before an overrun does. ``spent`` are the half points
    up to each hex.
    """

    hexes: tuple[str, ...]
    halves: int
    spent: tuple[int, ...]
    lost: str = ""
    left: str = ""
    extra: bool = False
    overrun: str = ""
    barred: bool = False

    def end(self, start: str) -> str:
        """Return the hex in which the move of a unit from ``start`` ends, or "" if it leaves the map."""
        if self.left:
            return ""
        return self.hexes[-1] if self.hexes else start


def follow(ground: Ground, mobility: str, start: str, plot: Plot, exits: Sequence[str]) -> Route:
    """Return the route of a movement plot from ``start``, or from its entry hex, over the current ground.

    It may leave the map from one of ``exits``. Enemies and the allowance are ignored.
    """
    here, halves = start, 0
    hexes: list[str] = []
    spent: list[int] = []
    if plot.entry:
        here, halves = plot.entry, ground.entry_halves(mobility, plot.entry)
        hexes.append(here)
        spent.append(halves)
    legs = plot.legs
    for number, (letter, count) in enumerate(legs):
        if letter == STOP:
            halves += 2 * count
            continue
        place = LETTERS.index(letter)
        for step in range(count):
            there, cost = ground.six_steps(mobility, here)[place]
            if not there:
                if here not in exits:
                    return Route(tuple(hexes), halves, tuple(spent), lost=here)
                halves += ground.exit_halves(mobility)
                more = step + 1 < count or number + 1 < len(legs) or bool(plot.overrun)
                return Route(tuple(hexes), halves, tuple(spent), left=here, extra=more)
            halves += cost
            here = there
            hexes.append(here)
            spent.append(halves)
    if not plot.overrun:
        return Route(tuple(hexes), halves, tuple(spent))
    return _overrun(ground, mobility, plot.overrun, Route(tuple(hexes), halves, tuple(spent)), here)


def _overrun(ground: Ground, mobility: str, letter: str, approach: Route, here: str) -> Route:
    """Return the route with the hex overrun and the hex behind it, where the unit ends (KP-9.62a, KP-9.6d)."""
    hexes, spent, halves = list(approach.hexes), list(approach.spent), approach.halves
    for extra in (0, OVERRUN_HALVES):
        there = ground.neighbor(here, letter)
        if not there:
            return Route(tuple(hexes), halves, tuple(spent), lost=here, barred=True)
        halves += extra + ground.step_halves(mobility, here, there)
        here = there
        hexes.append(here)
        spent.append(halves)
    return Route(tuple(hexes), halves, tuple(spent), overrun=hexes[-2])


def points(halves: int) -> str:
    """Return half points as text in points, such as "7" or "7½"."""
    return f"{halves // 2 or ''}½" if halves % 2 else str(halves // 2)
