"""Reinforcements come in, replacement points are received and spent (DM-5.0)."""

from collections.abc import Callable, Iterator
from typing import Any

from damos.combat import spread
from damos.events import ReplacementsReceived, UnitRebuilt, UnitReplaced, UnitsArrived
from damos.operations.menu import END_PHASE
from damos.operations.placing import HexSheet
from damos.orders import EndPhase, PlaceReinforcements, Replace
from damos.state import ELIMINATED, ON_MAP, POOL, DamosState
from damos.supply import has_supply_line
from damos.zones import in_enemy_zone
from sandtable.kernel.decisions import Decision
from sandtable.kernel.dice import Stream
from sandtable.kernel.options import AnyOf, Form, OneOf, Range, Refusal, Space
from sandtable.kernel.options.choices import shown
from sandtable.kernel.sequence import Procedure


def reinforcement(state: DamosState) -> Procedure:
    """Play the phase; a side without a player turn at most receives points (AGC-4.6.1a, R-DM-61)."""
    side, exclusive = state.phasing_side, state.board.exclusive
    yield from exclusive.open_player_turn(state)
    points = exclusive.replacements_due(state, side)
    if points:
        yield ReplacementsReceived(side, points, max(0, state.replacements[side] + points))
    if exclusive.has_player_turn(state, side):
        yield from arrive(state, side)
        yield from replace(state, side)


# --- reinforcements ---


def arrive(state: DamosState, side: str) -> Procedure:
    """Ask where reinforcements come in; who has no hex waits (AGC-4.9a, D-DM-05)."""
    due = [
        each
        for each, unit in sorted(state.units.items())
        if unit.side == side and unit.standing == POOL and unit.arrives <= state.turn
    ]
    hexes = state.board.exclusive.entry_hexes(state, side)
    if not due or not hexes:
        return
    sheet = HexSheet.of(state, due, hexes, "AGC-4.9a")
    space = Form(PlaceReinforcements, {"hexes": sheet})
    order: PlaceReinforcements = yield Decision(side, f"bring in reinforcements: {', '.join(due)}", space, "AGC-4.9a")
    if order.hexes:
        yield UnitsArrived(side, {each: order.hexes[each] for each in due if each in order.hexes})
        for hex_ in sorted({*order.hexes.values()}):
            yield from spread(state, side, hex_)


# --- replacements ---


def replace(state: DamosState, side: str) -> Procedure:
    """Ask for replacements one by one, until the side has no more points or need; the rest is saved (DM-5.0g)."""
    while state.replacements[side] > 0:
        weak = Weakened.of(state, side)
        if not weak.most:
            return
        stock = state.replacements[side]
        form = Form(Replace, {"unit": weak, "points": weak.points_for})
        prompt = f"spend replacement points, {stock} left, or save them"
        space = AnyOf([form, OneOf([END_PHASE], "DM-5.0g")])
        order: Replace | EndPhase = yield Decision(side, prompt, space, "DM-5.0b", done=END_PHASE, secret=True)
        if isinstance(order, EndPhase):
            return
        yield _replaced(state, side, order)


def _replaced(state: DamosState, side: str, order: Replace) -> UnitReplaced | UnitRebuilt:
    unit = state.units[order.unit]
    if unit.standing == ELIMINATED:
        return UnitRebuilt(side, order.unit, order.points, state.turn + 1)  # R-DM-08
    return UnitReplaced(side, order.unit, order.points, unit.sp + order.points)


class Weakened(Space):
    """The units that can get replacement points now; ``most`` tells how many each, by what is saved and lost."""

    state: DamosState
    side: str
    most: dict[str, int]

    @classmethod
    def of(cls, state: DamosState, side: str) -> "Weakened":
        """Look through the side's units."""
        stock, found = state.replacements[side], {}
        supplied: dict[str, bool] = {}
        for each, unit in sorted(state.units.items()):
            lost = state.board.counters[each].sp - unit.sp
            if unit.side != side or lost <= 0:
                continue
            if unit.standing == ELIMINATED and stock >= LEAST[state.options["rebuild_eliminated"]](lost):
                found[each] = min(stock, lost)
            elif unit.standing == ON_MAP:
                if unit.hex not in supplied:
                    supplied[unit.hex] = why_no_points(state, side, unit.hex) is None
                if supplied[unit.hex]:
                    found[each] = min(stock, lost)
        return cls(state, side, found)

    def points_for(self, unit_id: str) -> Range:
        """Return how many points a unit can get (DM-5.0c, R-DM-08)."""
        state, most = self.state, self.most[unit_id]
        rebuilt = state.units[unit_id].standing == ELIMINATED
        least = LEAST[state.options["rebuild_eliminated"]](state.board.counters[unit_id].sp) if rebuilt else 1
        return Range(least, most, "R-DM-08" if rebuilt else "DM-5.0c")

    def why_not(self, value: Any) -> Refusal | None:
        """Refuse a unit that needs nothing, or that nothing reaches."""
        if isinstance(value, str) and value in self.most:
            return None
        state = self.state
        unit = state.units.get(value) if isinstance(value, str) else None
        if unit is None or unit.side != self.side:
            return Refusal("DM-5.0b", f"{shown(value)} is no unit of this side")
        if unit.standing == ON_MAP:
            if unit.sp >= state.board.counters[value].sp:
                return Refusal("DM-5.0c", f"{value} has all its strength points")
            return why_no_points(state, self.side, unit.hex)
        if unit.standing == ELIMINATED:
            return Refusal("R-DM-08", f"{value} can only be rebuilt at full strength")
        rule = "DM-5.0e" if unit.standing == POOL else "DM-5.0f"
        return Refusal(rule, f"{value} is not on the map, and cannot be rebuilt")

    def values(self) -> Iterator[str]:
        """Yield the units, sorted."""
        return iter(self.most)

    def sample(self, stream: Stream) -> str:
        """Return one of the units: those on the map as often as those to be rebuilt."""
        on_map = [each for each in self.most if self.state.units[each].standing == ON_MAP]
        lost = [each for each in self.most if each not in on_map]
        if on_map and lost:
            return stream.pick(on_map if stream.one_in(2) else lost)
        return stream.pick(on_map or lost)


LEAST: dict[str, Callable[[int], int]] = {"any_sp_up_to_printed": lambda _: 1, "full_only": lambda printed: printed}
"""With how many points an eliminated unit comes back at the least, by its printed ones (R-DM-08)."""


def why_no_points(state: DamosState, side: str, hex_: str) -> Refusal | None:
    """Return why no replacement points reach a hex (DM-5.0d, R-DM-07)."""
    if state.options["rp_ezoc_friendly"] == "blocked" and in_enemy_zone(state, side, hex_):
        return Refusal("DM-5.0d", f"{hex_} is in an enemy zone of control")
    if not has_supply_line(state, side, hex_):
        return Refusal("DM-5.0d", f"there is no line of supply to {hex_}")
    return None
