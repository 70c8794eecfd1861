"""The hill: a small wargame on hexes. Two sides of three units each fight for the hill between them."""

from collections.abc import Sequence
from pathlib import Path

import msgspec

import sandtable as st
from hill.ground import Ground

SIDES = ("red", "blue")
HOME = Path(__file__).parent
POINTS = 3
COLUMNS = ("-1 or less", "0", "1", "2", "3 or more")
A, D, X, NOTHING = "attackers back", "defender back", "destroyed", "nothing"
RESULTS = {
    1: (A, A, A, NOTHING, NOTHING),
    2: (A, A, NOTHING, NOTHING, D),
    3: (A, NOTHING, NOTHING, D, D),
    4: (NOTHING, NOTHING, D, D, D),
    5: (NOTHING, D, D, D, X),
    6: (D, D, D, X, X),
}

RULES = """
    HI-1  Each side, red first, marches its units at most once per turn, with three movement points each.
    HI-2  A unit does not enter an occupied hex.
    HI-3  A hex costs one point; woods and the hill cost two, or one by road. Streams are crossed only at bridges.
    HI-4  A unit has a zone of control in the hexes around it; a unit that enters an enemy zone stops.
    HI-5  After its marches a side attacks with one or more units next to an enemy, each once per turn.
    HI-6  The attackers' strength minus the defender's (two more in woods or on the hill) and a die give the result.
    HI-7  A unit retreats to a free adjacent hex outside enemy zones; it is destroyed if no such hex exists.
    HI-8  A unit without supply does not attack. A supply line home must be free of enemies and of their zones.
          A unit cancels enemy zones in its own hex.
    HI-9  A side without units loses.
    HI-10  After the last turn the side on the hill wins; if the hill is empty, the game is drawn.
"""

game = st.Ruleset(
    "hill",
    title="The hill",
    sides=SIDES,
    board="hexes",
    endings=("last_turn", "destroyed"),
    rules=RULES,
    scenarios={"standard": HOME / "standard.toml"},
)


class Unit(msgspec.Struct):
    """A unit of ``side`` in ``hex``; ``marched`` and ``fought`` are the turns of its last march and attack."""

    side: str
    hex: str
    strength: int
    marched: int = 0
    fought: int = 0


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
        for name, (number, strength) in scenario.data.get(side, {}).items():
            if not ground.map.holds(number) or any(unit.hex == number for unit in units.values()):
                raise st.DataError(scenario.source, f"{side}.{name}", f"{number!r} is not a free hex of the map")
            units[name] = Unit(side, number, strength)
    return Field(units=units), ground


@game.order
class March(st.Order, frozen=True):
    """March ``unit`` along ``path``, which begins at its hex."""

    unit: str
    path: list[str]


@game.order
class Halt(st.Order, frozen=True):
    """End the marches or attacks of this turn."""


@game.order
class Attack(st.Order, frozen=True):
    """Attack the unit ``target`` with ``units``."""

    target: str
    units: list[str]


@game.order
class Retreat(st.Order, frozen=True):
    """Retreat ``to`` a hex."""

    to: str


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


@game.event
class BattleFought(st.Event, frozen=True):
    """``units`` attacked ``target``: the ``die`` gave ``result``."""

    units: list[str]
    target: str
    die: int
    result: str
    rule: str = "HI-6"
    calculations: st.Calculations = st.UNSET

    def apply(self, field: Field) -> None:
        """Note the turn of their attack."""
        for name in self.units:
            field.units[name].fought = field.turn


@game.event
class UnitRetreated(st.Event, frozen=True):
    """``unit`` retreated ``to`` a hex."""

    unit: str
    to: str
    rule: str = "HI-7"

    def apply(self, field: Field) -> None:
        """Move the unit there."""
        field.units[self.unit].hex = self.to


@game.event
class UnitDestroyed(st.Event, frozen=True):
    """``unit`` was destroyed."""

    unit: str
    rule: str

    def apply(self, field: Field) -> None:
        """Remove the unit."""
        del field.units[self.unit]


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


def battle(field: Field) -> st.Procedure:
    """Let the phasing side fight one battle; return whether it is done (HI-5)."""
    side = field.phasing_side
    targets = {name: attackers(field, name) for name, unit in field.units.items() if unit.side != side}
    targets = {name: able for name, able in targets.items() if able}
    if not targets:
        return True

    def units(target: str) -> st.SomeOf:
        return st.SomeOf(targets[target], 1, rule="HI-5")

    attacks = st.Form(Attack, {"target": st.OneOf(list(targets), "HI-5"), "units": units})
    choice = st.AnyOf((st.OneOf((Halt(),), "HI-5"), attacks))
    order = yield st.Decision(side, "attack, or halt", choice, "HI-5", done=Halt())
    if isinstance(order, Halt):
        return True
    yield from fight(field, order)
    left = {unit.side for unit in field.units.values()}
    if len(left) == 1:
        yield st.GameEnded(left.pop(), "destroyed", "HI-9")
    return False


def attackers(field: Field, target: str) -> list[str]:
    """Return the units that may attack ``target`` (HI-5, HI-8)."""
    ground: Ground = field.board
    near = ground.map.around[field.units[target].hex]
    fit = [name for name, unit in field.units.items() if unit.hex in near and unit.fought < field.turn]
    own = [name for name in fit if field.units[name].side != field.units[target].side]
    return [name for name in own if in_supply(field, name)]


def in_supply(field: Field, name: str) -> bool:
    """Return whether a supply line leads from a unit to its home (HI-8)."""
    ground: Ground = field.board
    side = field.units[name].side
    friends = [unit.hex for unit in field.units.values() if unit.side == side]
    enemies = [unit.hex for unit in field.units.values() if unit.side != side]
    return ground.supply(side, friends, enemies).is_supplied(ground.map.index[field.units[name].hex])


def fight(field: Field, order: Attack) -> st.Procedure:
    """Roll for a battle, and apply the result of the table (HI-6, HI-7)."""
    ground: Ground = field.board
    defender = field.units[order.target]
    steps = [(name, field.units[name].strength, "HI-5") for name in order.units]
    steps.append((order.target, -defender.strength, "HI-6"))
    if ground.gives_cover(defender.hex):
        steps.append(("cover", -2, "HI-6"))
    column = column_of(sum(amount for _, amount, _ in steps))
    (die,) = yield st.Roll(1, 6, f"battle:{order.target}", "HI-6", favors=field.phasing_side)
    result = RESULTS[die][COLUMNS.index(column)]
    calculation = st.Calculation("difference", tuple(steps), ("results", str(die), column))
    yield BattleFought(order.units, order.target, die, result, calculations=(calculation,))
    if result == "destroyed":
        yield UnitDestroyed(order.target, "HI-6")
    elif result == "defender back":
        yield from retreat(field, order.target)
    elif result == "attackers back":
        for name in order.units:
            yield from retreat(field, name)


def column_of(difference: int) -> str:
    """Return the column of the table for a difference of strengths."""
    return COLUMNS[min(max(difference + 1, 0), 4)]


def retreat(field: Field, name: str) -> st.Procedure:
    """Let the owner of a unit choose its retreat, or destroy the unit if it cannot retreat (HI-7)."""
    ground: Ground = field.board
    unit = field.units[name]
    closed = ground.zone(each.hex for each in field.units.values() if each.side != unit.side)
    closed |= {each.hex for each in field.units.values()}
    free = [to for to in ground.map.around[unit.hex] if to and to not in closed and ground.points((unit.hex, to))]
    if not free:
        yield UnitDestroyed(name, "HI-7")
        return
    choice = st.Form(Retreat, {"to": st.OneOf(free, "HI-7")})
    order = yield st.Decision(unit.side, f"retreat with {name}", choice, "HI-7", purpose=f"retreat:{name}")
    yield UnitRetreated(name, order.to)


for each in SIDES:
    game.phase("HI-1", name=f"{each}_march", side=each, repeats=True)(march)
    game.phase("HI-5", name=f"{each}_battle", side=each, repeats=True)(battle)


@game.phase("HI-10")
def dusk(field: Field) -> st.Procedure:
    """End the game after its last turn (HI-10)."""
    ground: Ground = field.board
    if field.turn == ground.turns:
        holder = next((unit.side for unit in field.units.values() if unit.hex == ground.hill), "draw")
        yield st.GameEnded(holder, "last_turn", "HI-10")
