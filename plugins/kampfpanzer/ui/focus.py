"""The close view of a hex or a unit: terrain, units, step costs, and units in range and sight.

It uses only the map and the view of the side that asks.
"""

from collections.abc import Iterable, Iterator

from kampfpanzer.fog.views import SideView, UnitSeen
from kampfpanzer.model.board import Board
from kampfpanzer.model.forces import Kind
from kampfpanzer.model.state import DESTROYED, EXITED, ON_MAP
from kampfpanzer.model.tables import ARMOR, FOOT, LETTERS, WHEELS
from kampfpanzer.plotting.situation import points
from kampfpanzer.terrain.terrain import Ground
from sandtable import PlayError, listing, shown
from sandtable.pictures import listed

CLASSES = ((ARMOR, "tanks and carriers"), (WHEELS, "trucks"), (FOOT, "infantry"))
STANDINGS = {DESTROYED: "destroyed", EXITED: "off the map for good"}


def look_closer(view: SideView, board: Board, focus: str) -> str:
    """Return the close view of a hex such as "1905", a unit such as "1", or a place. Raises PlayError if unknown."""
    ground = Ground.on(board, view.options, tuple(view.wrecks))
    name = focus.strip()
    if name in view.units:
        return "\n".join(_unit(view, board, ground, name))
    if ground.holds(name):
        return "\n".join(_hex(view, board, ground, name))
    for place, hexes in board.hexmap.places.items():
        if place.lower() == name.lower():
            return "\n".join(_place(view, board, place, hexes))
    places = listing(list(board.hexmap.places))
    also = f", or a place: {places}" if places else ""
    example = f"type a hex such as {board.hexmap.numbers[0]}, the number of a unit{also}"
    raise PlayError(f"{shown(focus)} is neither a hex of the map nor a unit: {example}")


# --- a place, a hex ---


def _place(view: SideView, board: Board, place: str, hexes: Iterable[str]) -> Iterator[str]:
    """Yield the hexes of a place and the units in it."""
    numbers = sorted(hexes)
    goal = ", objective" if set(numbers) & set(board.victory.hexes) else ""
    yield f"{place}: {' '.join(numbers)}{goal}"
    for side in board.sides:
        there = [each for each in _standing(view, side) if view.units[each].hex in numbers]
        described = (f"{with_state(view, each)} in {view.units[each].hex}" for each in there)
        yield f"  the {board.titles[side]}: {listed(described) or 'no units'}"


def _hex(view: SideView, board: Board, ground: Ground, hex_: str) -> Iterator[str]:
    yield f"{hex_}: {_ground_words(view, board, ground, hex_)}"
    here = [each for each, unit in view.units.items() if unit.hex == hex_ and unit.standing == ON_MAP]
    yield f"  units: {listed(with_state(view, each) for each in here)}" if here else "  no units"
    yield from _steps(ground, hex_, CLASSES)
    for side in board.sides:
        seen = [each for each in _standing(view, side) if _may_hit(view, board, ground, each, hex_)]
        yield f"  in range and sight of the {board.titles[side]}: {listed(map(str, _named(view, seen))) or 'no unit'}"


def _ground_words(view: SideView, board: Board, ground: Ground, hex_: str) -> str:
    words = [" and ".join(ground.terrain.kinds[hex_])]
    words += [f"wreck (+{ground.cover(hex_, (), entrenched=False)[0]})"] if hex_ in ground.wrecks else []
    side = view.entrenchments.get(hex_)
    words += [f"entrenchment of the {board.titles[side]}"] if side else []
    words += [name for name, hexes in board.hexmap.places.items() if hex_ in hexes]
    words += ["objective"] if hex_ in board.victory.hexes else []
    words += [f"the {board.titles[each]} may leave the map here" for each in board.exits if hex_ in board.exits[each]]
    return ", ".join(words)


def _steps(ground: Ground, hex_: str, classes: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Yield, for each class, the cost of each step from a hex, A to F."""
    for mobility, words in classes:
        steps = zip(LETTERS, ground.six_steps(mobility, hex_), strict=True)
        costs = ", ".join(f"{letter} {there} {points(halves)}" for letter, (there, halves) in steps if there)
        yield f"  step costs of {words}: {costs}"


# --- a unit ---


def _unit(view: SideView, board: Board, ground: Ground, unit_id: str) -> Iterator[str]:
    unit = view.units[unit_id]
    kind = board.kinds[unit.kind]
    yield f"{with_state(view, unit_id)}, of the {board.titles[unit.side]}: {figures(kind)}"
    if unit.standing != ON_MAP:
        yield f"  {STANDINGS.get(unit.standing, 'not on the map yet')}"
        return
    if unit.carrier:
        yield f"  aboard {_name(view, unit.carrier)} in {unit.hex}"
        return
    yield f"  in {unit.hex}: {_ground_words(view, board, ground, unit.hex)}"
    aboard = [each for each, other in view.units.items() if other.carrier == unit_id]
    if aboard:
        yield f"  with {listed(_named(view, aboard))} aboard"
    plot = view.panic_plots.get(unit_id, view.plots.get(unit_id, ""))
    if plot:
        yield f"  plotted: {plot}"
    if kind.movement:
        yield from _steps(ground, unit.hex, [(kind.mobility, "this unit")])
    enemy = board.enemy_of(unit.side)
    targets = [each for each in _standing(view, enemy) if _may_hit(view, board, ground, unit_id, view.units[each].hex)]
    described = (f"{_name(view, each)} in {view.units[each].hex}" for each in targets)
    yield f"  in range and sight: {listed(described) or 'no enemy'}"
    firers = [each for each in _standing(view, enemy) if _may_hit(view, board, ground, each, unit.hex)]
    yield f"  in range and sight of: {listed(map(str, _named(view, firers))) or 'no enemy'}"


def figures(kind: Kind) -> str:
    """Return the figures of a counter type in words."""
    defense = f"[{kind.defense}]" if kind.hard else str(kind.defense)
    attack = f"attack {kind.attack}{kind.weapon}, range {kind.range_hexes}, " if kind.attack else ""
    return f"{attack}defense {defense}, movement {kind.movement}"


def with_state(view: SideView, unit_id: str) -> str:
    """Return a unit with its state, such as "S35 1 (disrupted, level 2)"."""
    return f"{_name(view, unit_id)}{_state(view.units[unit_id])}"


def _state(unit: UnitSeen) -> str:
    words = [f"facing {unit.facing}"] if unit.facing else []
    words += [f"disrupted, level {unit.disruption}"] if unit.disruption else []
    words += ["pinned"] if unit.pinned else []
    words += ["panicked"] if unit.panicked else []
    return f" ({', '.join(words)})" if words else ""


def _name(view: SideView, unit_id: str) -> str:
    return f"{view.units[unit_id].kind} {unit_id}"


def _named(view: SideView, unit_ids: Iterable[str]) -> list[str]:
    return [_name(view, each) for each in unit_ids]


def _standing(view: SideView, side: str) -> list[str]:
    units = view.units.items()
    return [each for each, unit in units if unit.side == side and unit.standing == ON_MAP and not unit.carrier]


def _may_hit(view: SideView, board: Board, ground: Ground, unit_id: str, hex_: str) -> bool:
    """Return whether a unit could fire into a hex from its current hex and facing (KP-9.13a, KP-9.4c)."""
    unit, kind = view.units[unit_id], board.kinds[view.units[unit_id].kind]
    if not kind.attack or unit.hex == hex_ or ground.range_hexes(unit.hex, hex_) > kind.range_hexes:
        return False
    if kind.is_gun and not ground.in_arc(unit.hex, unit.facing, hex_):
        return False
    return ground.sees(unit.hex, hex_, high_explosive=kind.weapon == "H")
