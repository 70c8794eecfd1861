"""The hill: a small wargame on hexes. Two sides of three units each fight for the hill between them."""

from collections.abc import Sequence

import msgspec

import sandtable as st
from sandtable.hexes import HexGrid, HexMap

SIDES = ("red", "blue")
MAP = HexMap("hill", HexGrid(columns=7, rows=6))
HILL = "0403"
LAST_TURN = 6
STEPS = 3
START = {"red": {"r1": "0106", "r2": "0206", "r3": "0306"}, "blue": {"b1": "0701", "b2": "0702", "b3": "0703"}}

RULES = """
    HI-1  Each side, red first, marches its units at most once per turn, up to three hexes each.
    HI-2  A unit does not enter an occupied hex.
    HI-9  After the last turn the side on the hill wins; if the hill is empty, the game is drawn.
"""

game = st.Ruleset("hill", title="The hill", sides=SIDES, board="hexes", endings=("last_turn",), rules=RULES)


class Unit(msgspec.Struct):
    """A unit of ``side`` in ``hex``; ``marched`` is the turn in which it marched last."""

    side: str
    hex: str
    marched: int = 0


def deployed() -> dict[str, Unit]:
    """Return all units where they begin."""
    return {name: Unit(side, number) for side, units in START.items() for name, number in units.items()}


@game.state
class Field(st.State, kw_only=True):
    """The units by name."""

    units: dict[str, Unit] = msgspec.field(default_factory=deployed)


@game.order
class March(st.Order, frozen=True):
    """March ``unit`` along ``path``, which begins at its hex."""

    unit: str
    path: list[str]


@game.order
class Halt(st.Order, frozen=True):
    """End the marches of this turn."""


@game.event
class UnitMarched(st.Event, frozen=True):
    """``unit`` marched along ``path``."""

    unit: str
    path: list[str]
    rule: str = "HI-1"

    def apply(self, field: Field) -> None:
        """Move the unit to the end of its path."""
        field.units[self.unit].hex = self.path[-1]
        field.units[self.unit].marched = field.turn


def march(field: Field) -> st.Procedure:
    """Let the phasing side march one unit; return whether it is done (HI-1)."""
    side = field.phasing_side
    ready = [name for name, unit in field.units.items() if unit.side == side and unit.marched < field.turn]
    if not ready:
        return True
    marches = st.Form(March, {"unit": st.OneOf(ready, "HI-1"), "path": lambda unit: ways_of(field, unit)})
    choice = st.AnyOf((st.OneOf((Halt(),), "HI-1"), marches))
    order = yield st.Decision(side, "march a unit, or halt", choice, "HI-1", done=Halt())
    if isinstance(order, Halt):
        return True
    yield UnitMarched(order.unit, order.path)
    return False


def ways_of(field: Field, unit: str) -> st.Path:
    """Return the paths that ``unit`` may march (HI-1, HI-2)."""
    taken = {each.hex: name for name, each in field.units.items()}

    def near(path: Sequence[str]) -> list[str]:
        return [number for number in MAP.around[path[-1]] if number]

    def why_no_step(path: Sequence[str]) -> st.Refusal | None:
        return st.Refusal("HI-2", f"{taken[path[-1]]} is in {path[-1]}") if path[-1] in taken else None

    def why_no_end(path: Sequence[str]) -> st.Refusal | None:
        return st.Refusal("HI-1", "a march leaves its hex; type halt to stay") if len(path) == 1 else None

    return st.Path(field.units[unit].hex, near, why_no_step, why_no_end, STEPS, "HI-1")


for each in SIDES:
    game.phase("HI-1", name=f"{each}_march", side=each, repeats=True)(march)


@game.phase("HI-9")
def dusk(field: Field) -> st.Procedure:
    """End the game after its last turn (HI-9)."""
    if field.turn == LAST_TURN:
        holder = next((unit.side for unit in field.units.values() if unit.hex == HILL), "draw")
        yield st.GameEnded(holder, "last_turn", "HI-9")
