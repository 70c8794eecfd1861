"""The calculations of terrain effects on strengths and movement, for the log (DM-3.0a, DM-8.2c).

The figures are those of ``terrain.py``, which is faster and is what search bots use.
"""

from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from damos.map.terrain import Ground, ground_of, hexsides_between, passages, step_halves
from damos.map.zones import ignores_rivers
from damos.model.calculations import Step, Steps, force
from damos.model.state import DamosState
from damos.model.terrain_chart import CLEAR, Terrain

if TYPE_CHECKING:
    from damos.model.board import Board

# --- movement ---


def step_steps(state: DamosState, units: Collection[str], start: str, hex_: str, *, strategic: bool = False) -> Steps:
    """Return the steps of ``step_halves``, which must not be None: the ground, and each hexside that has a cost."""
    board: Board = state.board
    passage = passages(board, start)[hex_]
    counters = board.counters
    side = counters[next(iter(units))].side
    if strategic and passage.by_rail:
        halves = step_halves(state, units, start, hex_, strategic=True)
        if halves == board.aid.rail_halves and halves != step_halves(state, units, start, hex_):
            return ((f"{hex_} by rail", halves, "DM-6.0e"),)
    on_foot = passage.halves != passage.foot_halves and all(counters[each].foot for each in units)
    dry = passage.wet != passage.dry and ignores_rivers(state, side)
    known: dict[tuple[str, str, bool, bool], Steps] = board.caches.setdefault("step_steps", {})
    key = (start, hex_, on_foot, dry)
    found = known.get(key)
    if found is None:
        between = [each for each in hexsides_between(state, side, start, hex_) if each.halves]
        across = tuple((f"{hex_} across {each.name}", each.halves, "DM-3.0a") for each in between)
        found = known[key] = (_ground_step(board, hex_, on_foot=on_foot), *across)
    return found


def _ground_step(board: "Board", hex_: str, *, on_foot: bool) -> Step:
    ground = ground_of(board, hex_)
    costly = [row for row in ground.rows if row.halves is not None] or [board.aid.terrain[CLEAR]]
    if on_foot:
        costliest = max(costly, key=lambda row: row.foot_halves or 0)
        return (f"{hex_} {costliest.name} on foot", ground.foot_halves, "DM-3.0a")
    costliest = max(costly, key=lambda row: row.halves or 0)
    return (f"{hex_} {costliest.name}", ground.halves, "DM-3.0a")


def path_steps(state: DamosState, units: Collection[str], path: Sequence[str]) -> Steps:
    """Return the steps of a path of strategic movement, hexside by hexside."""
    hops = pairwise(path)
    return tuple(step for start, hex_ in hops for step in step_steps(state, units, start, hex_, strategic=True))


# --- combat ---


def attack_steps(state: DamosState, units: Sequence[str], total: int, hex_: str, entry: str = "") -> Steps:
    """Return the strength ``total`` of attackers in a hex, the ground, and the hexsides that they crossed (DM-8.2c)."""
    found = [force(units, total)]
    ground = ground_of(state.board, hex_)
    if ground.attack:
        found.append((_row_name(ground, "attack"), ground.attack, "DM-8.2c"))
    if entry and units:
        crossed = hexsides_between(state, state.units[units[0]].side, entry, hex_)
        found += [(f"across {each.name}", -total // each.attack_per, "DM-8.2c") for each in crossed if each.attack_per]
    return tuple(found)


def defense_steps(state: DamosState, units: Sequence[str], total: int, hex_: str) -> Steps:
    """Return the strength ``total`` of defenders in a hex, and the ground (DM-8.2c)."""
    found = [force(units, total)]
    ground = ground_of(state.board, hex_)
    if ground.defense:
        found.append((_row_name(ground, "defense"), ground.defense, "DM-8.2c"))
    return tuple(found)


def _row_name(ground: Ground, what: str) -> str:
    """Return the name of the row of the chart that sets the figure of the ground for attack or defense."""
    figure: int = getattr(ground, what)
    rows: list[Terrain] = [row for row in ground.rows if getattr(row, what) == figure]
    return rows[0].name
