"""The hill: a small wargame on hexes. Two sides of three units each fight for the hill between them."""

from collections.abc import Sequence
from pathlib import Path

import msgspec

import sandtable as st
from hill.ground import Ground

SIDES = ("red", "blue")
HOME = Path(__file__).parent
POINTS = 3

RULES = """
    HI-1  Each side, red first, marches its units at most once per turn, with three movement points each.
    HI-2  A unit does not enter an occupied hex.
    HI-3  A hex costs one point; woods and the hill cost two, or one by road. Streams are crossed only at bridges.
    HI-4  A unit has a zone of control in the hexes around it; a unit that enters an enemy zone stops.
    HI-9  After the last turn the side on the hill wins; if the hill is empty, the game is drawn.
"""

game = st.Ruleset(
    "hill",
    title="The hill",
    sides=SIDES,
    board="hexes",
    endings=("last_turn",),
    rules=RULES,
    scenarios={"standard": HOME / "standard.toml"},
)


class Unit(msgspec.Struct):
    """A unit of ``side`` in ``hex``; ``marched`` is the turn in which it marched last."""

    side: str
    hex: str
    marched: int = 0


@game.state
class Field(st.State, kw_only=True):
    """The units by name."""

    units: dict[str, Unit]


@game.hook("setup")
def set_up(scenario: st.Scenario) -> tuple[Field, Ground]:
    """Return the first state and the board. Raises DataError with file and key for an error in the files."""
    ground = Ground(scenario)
    units: dict[str, Unit] = {}
    for side in SIDES:
        for name, number in scenario.data.get(side, {}).items():
            if not ground.map.holds(number) or any(unit.hex == number for unit in units.values()):
                raise st.DataError(scenario.source, f"{side}.{name}", f"{number!r} is not a free hex of the map")
            units[name] = Unit(side, number)
    return Field(units=units), ground


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
    """Return the paths that ``unit`` may march (HI-1 to HI-4)."""
    ground: Ground = field.board
    taken = {each.hex: name for name, each in field.units.items()}
    zone = ground.zone(each.hex for each in field.units.values() if each.side != field.units[unit].side)

    def near(path: Sequence[str]) -> list[str]:
        return [number for number in ground.map.around[path[-1]] if number]

    def why_no_step(path: Sequence[str]) -> st.Refusal | None:
        if path[-1] in taken:
            return st.Refusal("HI-2", f"{taken[path[-1]]} is in {path[-1]}")
        if path[-2] in zone and len(path) > 2:
            return st.Refusal("HI-4", f"an enemy next to {path[-2]} stops the march there")
        points = ground.points(path)
        if points is None:
            return st.Refusal("HI-3", f"the stream between {path[-2]} and {path[-1]} has no bridge")
        return st.Refusal("HI-3", f"{path[-1]} is {points} points away") if points > POINTS else None

    def why_no_end(path: Sequence[str]) -> st.Refusal | None:
        return st.Refusal("HI-1", "a march leaves its hex; type halt to stay") if len(path) == 1 else None

    return st.Path(field.units[unit].hex, near, why_no_step, why_no_end, POINTS, "HI-1")


for each in SIDES:
    game.phase("HI-1", name=f"{each}_march", side=each, repeats=True)(march)


@game.phase("HI-9")
def dusk(field: Field) -> st.Procedure:
    """End the game after its last turn (HI-9)."""
    ground: Ground = field.board
    if field.turn == ground.turns:
        holder = next((unit.side for unit in field.units.values() if unit.hex == ground.hill), "draw")
        yield st.GameEnded(holder, "last_turn", "HI-9")
