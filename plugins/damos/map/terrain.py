"""Terrain effects: costs of a step, changes of strength, modifiers of reactions and attrition (DM-3.0a).

The terrain chart is part of the scenario (R-DM-50). A settlement has the movement cost of the ground around it. If
several figures apply, the highest cost counts, and the effect that is best for the defender. ``boundaries.py`` has the
boundaries of the game.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from damos.map.rails import own_rail
from damos.map.zones import ignores_rivers
from damos.model.forces import strength
from damos.model.state import DamosState
from damos.model.terrain_chart import CLEAR, RAIL, RIVER, Hexside, Terrain

if TYPE_CHECKING:
    from damos.model.board import Board


class Ground(NamedTuple):
    """The chart's figures for a hex. ``rows`` are its ground and its settlement, the other fields their joint effect.

    ``halves`` and ``foot_halves`` are the cost to enter, ``closed`` the types that may enter only along a railway.
    """

    rows: tuple[Terrain, ...]
    halves: int
    foot_halves: int
    attack: int
    defense: int
    attrition: int
    closed: tuple[str, ...]


def ground_of(board: "Board", hex_: str) -> Ground:
    """Return the chart's figures for a hex."""
    known: dict[str, Ground] = board.caches.setdefault("grounds", {})
    found = known.get(hex_)
    if found is None:
        rows = grounds_of(board, hex_)
        costly = [row for row in rows if row.halves is not None] or [board.aid.terrain[CLEAR]]
        found = known[hex_] = Ground(
            rows=rows,
            halves=max(row.halves or 0 for row in costly),
            foot_halves=max(row.foot_halves or 0 for row in costly),
            attack=min(row.attack for row in rows),
            defense=max(row.defense for row in rows),
            attrition=max(row.attrition for row in rows),
            closed=tuple(sorted({each for row in rows for each in row.closed})),
        )
    return found


class Passage(NamedTuple):
    """The cost of going from a hex into the next. ``closed`` are the types that may not enter except by rail.

    ``halves`` and ``foot_halves`` are for the ground alone. ``wet`` and ``dry`` are for the hexside, with rivers and
    without, None if it is closed. ``by_rail`` is true if a railway leads there.
    """

    closed: tuple[str, ...]
    halves: int
    foot_halves: int
    wet: int | None
    dry: int | None
    by_rail: bool


def passages(board: "Board", start: str) -> dict[str, Passage]:
    """Return the passage from ``start`` to each hex around it."""
    known: dict[str, dict[str, Passage]] = board.caches.setdefault("passages", {})
    found = known.get(start)
    if found is None:
        found = known[start] = {near: _passage(board, start, near) for near in board.around[start]}
    return found


def _passage(board: "Board", start: str, hex_: str) -> Passage:
    ground, by_rail = ground_of(board, hex_), is_rail_step(board, start, hex_)
    between = [each for each in board.hexmap.sides.get((start, hex_), ()) if each != RAIL]
    wet, dry = (
        None if any(each.closed for each in hexsides) else sum(each.halves for each in hexsides)
        for hexsides in (
            [board.aid.hexsides[each] for each in between],
            [board.aid.hexsides[each] for each in between if each != RIVER],
        )
    )
    return Passage(() if by_rail else ground.closed, ground.halves, ground.foot_halves, wet, dry, by_rail)


def grounds_of(board: "Board", hex_: str) -> tuple[Terrain, ...]:
    """Return the rows of the terrain chart that apply in a hex: its ground, and its settlement."""
    return tuple(board.aid.terrain[kind] for kind in board.hexmap.terrain_of(hex_))


def hexsides_between(state: DamosState, side: str, start: str, hex_: str) -> list[Hexside]:
    """Return the hexside features between two adjacent hexes for a side, without rivers if the side ignores them."""
    board = state.board
    features = board.hexmap.sides.get((start, hex_), ())
    if not features or features == (RAIL,):
        return []
    dry = RIVER in features and ignores_rivers(state, side)
    chart = board.aid.hexsides
    return [chart[each] for each in features if each != RAIL and not (dry and each == RIVER)]


def is_rail_step(board: "Board", start: str, hex_: str) -> bool:
    """Return whether a railway leads from a hex into the next."""
    return hex_ in board.rail_around.get(start, ())


# --- movement ---


def step_halves(
    state: DamosState, units: Collection[str], start: str, hex_: str, *, strategic: bool = False
) -> int | None:
    """Return the cost in halves for units of one side (at least one) to enter the next hex, or None if they may not.

    The unit with the highest cost counts. Types to which a terrain is closed may enter along a railway only. In
    strategic movement, a step along a railway that the side can use costs ``rail_halves`` (DM-6.0e, R-DM-34).
    """
    board: Board = state.board
    passage = passages(board, start).get(hex_)
    if passage is None:
        return None
    counters = board.counters
    force = [counters[unit_id] for unit_id in units]
    side, closed = force[0].side, passage.closed
    if closed and any(unit.type in closed for unit in force):
        return None
    if strategic and passage.by_rail and _RAILS[state.options["sm_rail"]](state, side, start, hex_):
        return int(board.aid.rail_halves)
    between = passage.wet
    if between != passage.dry and ignores_rivers(state, side):
        between = passage.dry
    if between is None:
        return None
    on_foot = passage.halves != passage.foot_halves and all(unit.foot for unit in force)
    return between + (passage.foot_halves if on_foot else passage.halves)


def hex_halves(state: DamosState, units: Collection[str], hex_: str) -> int:
    """Return the cost in half movement points of the ground alone for units that enter a hex (DM-8.12.1d)."""
    ground, counters = ground_of(state.board, hex_), state.board.counters
    return ground.foot_halves if all(counters[unit_id].foot for unit_id in units) else ground.halves


def is_passable(board: "Board", start: str, hex_: str) -> bool:
    """Return whether any unit can go from a hex into another: adjacent, without a closed hexside."""
    if hex_ not in board.around[start]:
        return False
    features = board.hexmap.sides.get((start, hex_), ())
    return not any(each != RAIL and board.aid.hexsides[each].closed for each in features)


def _own_rails(state: DamosState, side: str, start: str, hex_: str) -> bool:
    return own_rail(state, side, start) and own_rail(state, side, hex_)


def _any_rails(state: DamosState, side: str, start: str, hex_: str) -> bool:
    return state.control.get(start) == side == state.control.get(hex_)


_RAILS: dict[str, Callable[[DamosState, str, str, str], bool]] = {"own_gauge_only": _own_rails, "any_rail": _any_rails}
"""Functions that return whether a railway helps strategic movement, by option ``sm_rail`` (R-DM-34)."""


# --- combat ---


def combat_strengths(
    state: DamosState, attackers: Iterable[str], defenders: Iterable[str], hex_: str, entry: str = ""
) -> tuple[int, int]:
    """Return the strengths of attackers and defenders after terrain (DM-8.2c); they may fall below 1.

    ``entry`` is the hex from which the attackers came (R-DM-87), "" if no hexside matters (DM-8.9d, DM-8.9e).
    """
    force = list(attackers)
    side = state.units[force[0]].side if force else ""
    return after_terrain(state, side, (strength(state, force), strength(state, defenders)), hex_, entry)


def after_terrain(state: DamosState, side: str, points: tuple[int, int], hex_: str, entry: str = "") -> tuple[int, int]:
    """Return the same for the strength ``points`` of attackers, which are of ``side``, and defenders."""
    attack, defense = points
    ground, across = ground_of(state.board, hex_), 0
    if entry and side:
        hexsides = hexsides_between(state, side, entry, hex_)
        across = sum(-(-attack // each.attack_per) for each in hexsides if each.attack_per)
    return attack + ground.attack - across, defense + ground.defense


# --- reactions and attrition ---


def reaction_modifier(state: DamosState, path: Sequence[str], side: str = "") -> list[tuple[str, int]]:
    """Return the modifier of a reaction along ``path``, which begins in the force's hex, or [] if none applies.

    Of all terrain that it enters and hexsides that it crosses, the worst counts, once (DM-2.6.1m, R-DM-10). ``side`` is
    the reacting side, which may ignore rivers.
    """
    met: list[tuple[int, str]] = []
    for start, hex_ in pairwise(path):
        met += [(row.reaction, row.name) for row in ground_of(state.board, hex_).rows]
        met += [(each.reaction, each.name) for each in hexsides_between(state, side, start, hex_)]
    worst, name = min(met, default=(0, ""))
    return [(name, worst)] if worst < 0 else []


def attrition_modifier(state: DamosState, hex_: str) -> int:
    """Return the modifier of attrition in a hex (DM-9.0c)."""
    return ground_of(state.board, hex_).attrition
