"""Reinforcements arrive (AGC-4.9, AGC-4.6.4); replacement points are received and spent (DM-5.0)."""

from collections.abc import Callable, Iterator
from typing import Any

from damos.combat.losses import propagate_demoralization
from damos.map.supply import has_supply_line
from damos.map.zones import in_enemy_zone
from damos.model.calculations import held
from damos.model.events import (
    ReplacementsReceived,
    ReplacementsSpent,
    UndyingRolled,
    UnitsArrived,
    UnitsEliminated,
    UnitsRebuilt,
    UnitsSurrendered,
)
from damos.model.forces import enemy_of, is_occupied
from damos.model.orders import EndPhase, PlaceReinforcements, Replace
from damos.model.state import ELIMINATED, ON_MAP, POOL, DamosState
from damos.model.tables import SOVIET, d3
from damos.movement.march import END_PHASE
from damos.turn.setup import HexSheet
from damos.turn.special_rules import demand_attacks, has_player_turn, replacement_steps, replacements_due
from sandtable import (
    UNSET,
    AnyOf,
    Calculation,
    Calculations,
    Claim,
    Decision,
    Form,
    OneOf,
    Procedure,
    Range,
    Refusal,
    Roll,
    SomeOf,
    Space,
    Stream,
    reacts,
    shown,
)

UNDYING_TURNS = 2
UNDYING_FROM = 5


def entry_hexes(state: DamosState, side: str) -> list[str]:
    """Return the hexes, sorted, where reinforcements of a side can arrive now (AGC-4.9a, R-DM-69).

    These are its edge hexes, and its cities that it still controls, without enemies and outside enemy zones.
    """
    board = state.board
    edges = {*board.edges["west"], *board.edges["east"]}
    return [
        hex_
        for hex_ in board.entries[side]
        if (hex_ in edges or state.control.get(hex_) == side)
        and not is_occupied(state, hex_, enemy_of(side))
        and not in_enemy_zone(state, side, hex_)
    ]


@reacts(UnitsEliminated, UnitsSurrendered)
def roll_undying(state: DamosState, event: UnitsEliminated | UnitsSurrendered) -> Procedure:
    """Roll for each Soviet unit lost on turns 1 and 2 whether, and when, it returns (AGC-4.6.4a, R-DM-65)."""
    if state.turn > UNDYING_TURNS:
        return
    for unit_id in sorted(event.units):
        if state.units[unit_id].side != SOVIET:
            continue
        (die,) = yield Roll(1, 6, f"undying:{unit_id}", "AGC-4.6.4a", favors=SOVIET, units=(unit_id,))
        returns = strength = 0
        why: Calculations = UNSET
        if die >= UNDYING_FROM:
            late = enemy_of(SOVIET)
            purpose = f"undying.turns:{unit_id}"
            (turns,) = yield Roll(1, 6, purpose, "AGC-4.6.4a", favors=late, units=(unit_id,))
            returns = state.turn + d3(turns)
            strength = 1 if state.options["undying_strength"] == "one_sp" else state.board.counters[unit_id].sp
            turn = (("this turn", state.turn, "AGC-4.6.4a"), (f"1d3, die {turns}", d3(turns), "AGC-1.2a"))
            why = (Calculation("returns", turn), Calculation("sp", ((unit_id, strength, "R-DM-65"),)))
        yield UndyingRolled(unit_id, die, returns, strength, calculations=why)


def reinforcement(state: DamosState) -> Procedure:
    """Play the phase. A side without a player turn only receives points, if any (AGC-4.6.1a, R-DM-61)."""
    side = state.phasing_side
    yield from demand_attacks(state)  # AGC-4.6.3a
    points = replacements_due(state, side)
    if points:
        saved = state.replacements[side]
        total = held("total", (("saved", saved, "DM-5.0g"), ("received", points, "DM-5.0a")), 0, "AGC-4.6.3b")
        why = (Calculation("points", replacement_steps(state, side)), total)
        yield ReplacementsReceived(side, points, total.total, calculations=why)
    if has_player_turn(state, side):
        yield from arrive(state, side)
        yield from replace(state, side)


# --- reinforcements ---


def arrive(state: DamosState, side: str) -> Procedure:
    """Let a side place its reinforcements; a unit without a hex waits (AGC-4.9a)."""
    due = [
        each
        for each, unit in sorted(state.units.items())
        if unit.side == side and unit.standing == POOL and unit.arrives <= state.turn
    ]
    hexes = entry_hexes(state, side)
    if not due or not hexes:
        return
    sheet = HexSheet.of(state, due, hexes, "AGC-4.9a")
    space = Form(PlaceReinforcements, {"hexes": sheet})
    prompt = f"bring in reinforcements: {', '.join(state.board.counters[each].title for each in due)}"
    order: PlaceReinforcements = yield Decision(side, prompt, space, "AGC-4.9a", purpose="arrive")
    if order.hexes:
        yield UnitsArrived(side, {each: order.hexes[each] for each in due if each in order.hexes})
        for hex_ in sorted({*order.hexes.values()}):
            yield from propagate_demoralization(state, side, hex_)


# --- replacements ---


def replace(state: DamosState, side: str) -> Procedure:
    """Let a side distribute its saved points. Unspent points stay saved (DM-5.0g).

    The enemy may know the number of points spent, but not on which units (DM-5.0b). Therefore all are spent in one
    order, and the decision is made even if no unit needs points.
    """
    stock = state.replacements[side]
    if stock <= 0:
        return
    spaces: list[Space] = [Form(Replace, {"points": Shares.of(state, side)}), OneOf([END_PHASE], "DM-5.0g")]
    prompt = f"assign replacement points ({stock} saved), or save them"
    order: Replace | EndPhase = yield Decision(
        side, prompt, AnyOf(spaces), "DM-5.0b", done=END_PHASE, secret=True, purpose="replace", stand_in=END_PHASE
    )
    shares = dict(sorted(order.points.items())) if isinstance(order, Replace) else {}
    points = yield Claim(side, "replace.points", Range(0, stock), lambda: sum(shares.values()), "DM-5.0b")
    if not points:
        return
    lost = [each for each, unit in sorted(state.units.items()) if unit.side == side and unit.standing == ELIMINATED]
    some, again = SomeOf(lost), lambda: [each for each in lost if each in shares]
    rebuilt: list[str] = yield Claim(side, "replace.rebuilt", some, again, "DM-5.0e")
    spent = Calculation("points", tuple((each, points, "DM-5.0b") for each, points in shares.items()))
    yield ReplacementsSpent(side, points, shares, calculations=(spent,))
    if rebuilt:
        yield UnitsRebuilt(side, rebuilt, state.turn + 1)  # R-DM-08


class Shares(Space):
    """Tables of units and points, at least one point, with a total of at most ``stock``.

    ``allowed`` has the minimum and maximum for each unit that can get points now (DM-5.0c, R-DM-08).
    """

    state: DamosState
    side: str
    stock: int
    allowed: dict[str, tuple[int, int]]

    @classmethod
    def of(cls, state: DamosState, side: str) -> "Shares":
        """Return the space of a side that may spend ``stock`` points."""
        stock, found = state.replacements[side], dict[str, tuple[int, int]]()
        supplied: dict[str, bool] = {}
        counters = state.board.counters
        for each, unit in sorted(state.units.items()):
            if unit.side != side or (lost := counters[each].sp - unit.sp) <= 0:
                continue
            if unit.standing == ELIMINATED:
                least = LEAST[state.options["rebuild_eliminated"]](lost)
                if least <= stock:
                    found[each] = (least, min(stock, lost))
            elif unit.standing == ON_MAP:
                if unit.hex not in supplied:
                    supplied[unit.hex] = why_no_points(state, side, unit.hex) is None
                if supplied[unit.hex]:
                    found[each] = (1, min(stock, lost))
        return cls(state, side, stock, found)

    # --- validation ---

    def why_not(self, value: Any) -> Refusal | None:
        """Refuse units that cannot get points, too few or too many points for a unit, and a total above the stock."""
        if not isinstance(value, dict) or not value:
            return Refusal("DM-5.0b", f"give the points of each unit, not {shown(value)}")
        for each, points in value.items():
            refusal = self._why_no_unit(each) if each not in self.allowed else self._why_no_number(each, points)
            if refusal is not None:
                return refusal
        total = sum(value.values())
        if total > self.stock:
            return Refusal("DM-5.0b", f"that is a total of {total} points, but only {self.stock} are saved")
        return None

    def _why_no_number(self, each: str, points: Any) -> Refusal | None:
        least, most = self.allowed[each]
        if type(points) is int and least <= points <= most:
            return None
        is_lost = self.state.units[each].standing == ELIMINATED
        number = f"{least}" if least == most else f"{least} to {most}"
        return Refusal("R-DM-08" if is_lost else "DM-5.0c", f"{each} can get {number} points, not {shown(points)}")

    def _why_no_unit(self, value: Any) -> Refusal | None:
        state = self.state
        unit = state.units.get(value) if isinstance(value, str) else None
        if unit is None or unit.side != self.side:
            return Refusal("DM-5.0b", f"{shown(value)} is not a unit of this side")
        if unit.standing == ON_MAP:
            if unit.sp >= state.board.counters[value].sp:
                return Refusal("DM-5.0c", f"{value} is at full strength")
            return why_no_points(state, self.side, unit.hex)
        if unit.standing == ELIMINATED:
            wanted = state.board.counters[value].sp
            return Refusal(
                "R-DM-08",
                f"{value} can be rebuilt only at full strength: that costs {wanted} points, and {self.stock} are saved",
            )
        if unit.standing == POOL:
            return Refusal("DM-5.0e", f"{value} is not on the map yet, so it cannot get points")
        return Refusal("DM-5.0f", f"{value} has surrendered and cannot be rebuilt")

    # --- listing and sampling ---

    def is_empty(self) -> bool:
        """Return whether no unit can get points."""
        return not self.allowed

    def values(self) -> Iterator[dict[str, int]]:
        """Yield every table, in the order of the units, few points first."""
        units = list(self.allowed.items())

        def rest(place: int, left: int) -> Iterator[dict[str, int]]:
            if place == len(units):
                yield {}
                return
            each, (least, most) = units[place]
            yield from rest(place + 1, left)
            for points in range(least, min(most, left) + 1):
                for more in rest(place + 1, left - points):
                    yield {each: points} | more

        return filter(None, rest(0, self.stock))

    def count(self, limit: int = 1_000_000) -> int:
        """Return the number of tables, up to ``limit``, without listing them."""
        counts = [1] + [0] * self.stock
        for least, most in self.allowed.values():
            numbers = (0, *range(least, most + 1))
            counts = [sum(counts[total - each] for each in numbers if each <= total) for total in range(self.stock + 1)]
        return min(limit, sum(counts) - 1)

    def sample(self, stream: Stream) -> dict[str, int]:
        """Return a random table. It spends all points half the time, and prefers units on the map half the time."""
        if not self.allowed:
            raise ValueError("no choice is possible")
        found: dict[str, int] = {}
        left = self.stock if stream.one_in(2) else 1 + stream.below(self.stock)
        while left:
            more = {each: some for each in self.allowed if (some := self._more_for(each, found.get(each, 0), left))}
            if not more:
                break
            each = self._draw_unit(list(more), stream)
            points = stream.pick(list(more[each]))
            found[each] = found.get(each, 0) + points
            left -= points
        return dict(sorted(found.items())) or {(each := stream.pick(list(self.allowed))): self.allowed[each][0]}

    def _more_for(self, each: str, has: int, left: int) -> range:
        """Return how many more points a unit that already gets ``has`` points could get."""
        least, most = self.allowed[each]
        return range(1 if has else least, min(most - has, left) + 1)

    def _draw_unit(self, units: list[str], stream: Stream) -> str:
        on_map = [each for each in units if self.state.units[each].standing == ON_MAP]
        lost = [each for each in units if self.state.units[each].standing != ON_MAP]
        if on_map and lost:
            return stream.pick(on_map if stream.one_in(2) else lost)
        return stream.pick(on_map or lost)


LEAST: dict[str, Callable[[int], int]] = {"any_sp_up_to_printed": lambda _: 1, "full_only": lambda printed: printed}
"""Functions that return the minimum points of a rebuilt unit from its printed points (R-DM-08)."""


def why_no_points(state: DamosState, side: str, hex_: str) -> Refusal | None:
    """Return why a side's units in a hex cannot receive replacement points, or None (DM-5.0d, R-DM-07)."""
    if state.options["rp_ezoc_friendly"] == "blocked" and in_enemy_zone(state, side, hex_):
        return Refusal("DM-5.0d", f"{hex_} is in an enemy zone of control")
    if not has_supply_line(state, side, hex_):
        return Refusal("DM-5.0d", f"{hex_} has no supply line")
    return None
