"""Queries about a position, answered by the rules of movement and supply: with the path, or what blocks it.

The answer uses only the view of the querying side. If strengths are hidden from it (DM-2.4c), the answer states this
and uses the printed ones.
"""

from collections.abc import Iterable

from damos.fog.views import SideView
from damos.map.rails import supply_length
from damos.map.stacking import excess, is_full
from damos.map.supply import ENEMY, RAIL, reaches_source, supply_line
from damos.map.zones import in_enemy_zone, zone_of
from damos.model.board import Board
from damos.model.forces import units_in
from damos.model.tables import GERMAN, SOVIET
from damos.turn.strategic import is_pressed
from damos.ui.asking.odds import odds
from damos.ui.asking.paths import path, reach
from damos.ui.asking.problems import problems
from damos.ui.asking.scene import Scene
from damos.ui.overlays import Force, zone_of_influence
from damos.ui.terms import name_of, names, place, side_of
from sandtable import Answer, listing
from sandtable.pictures import counted
from sandtable.questions import NO, YES, Query, named, replied


def answer(view: SideView, board: Board, text: str) -> Answer | None:
    """Return the rules' answer to a query, or None if the text is not a query."""
    return replied(named(QUESTIONS, _examples(view, board)), text, lambda: Scene.of(view, board), Answer)


def _examples(view: SideView, board: Board) -> dict[str, str]:
    """Return names for examples: an own unit, its hex and an adjacent one, with an enemy in it if there is one."""
    there = {each: unit.hex for each, unit in view.units.items() if unit.hex}
    mine = [each for each, unit in view.units.items() if unit.side == view.side]
    own = [each for each in mine if each in there] or list(there)
    foes = {hex_ for each, hex_ in there.items() if view.units[each].side != view.side}
    fronts = ((each, near) for each in own if each in there for near in board.around[there[each]] if near in foes)
    unit, near = next(fronts, (next(iter(own), ""), ""))
    home = board.set_up[0] if board.set_up else board.hexmap.numbers[0]
    hex_ = there.get(unit, home)
    return {"unit": unit, "hex": hex_, "near": near or next(iter(board.around[hex_]), hex_)}


# --- supply ---


def _supply(scene: Scene, words: list[str]) -> Answer:
    """Return the supply line of a force, or of a hex for a side, or what blocks it (DM-2.10a)."""
    text = " ".join(words)
    hex_, side = scene.find_hex(text), scene.view.side
    units = [] if hex_ and not _has_units(scene, hex_) else scene.units(text)
    if units:
        hex_, side = scene.view.units[units[0]].hex, scene.view.units[units[0]].side
    if side not in scene.board.sides:
        side = GERMAN
    who = names(units, scene.board) if units else f"a force of {side_of(side, scene.board)}"
    return _line(scene, side, hex_, f"{who} in {place(hex_, scene.board)}")


def _has_units(scene: Scene, hex_: str) -> bool:
    return any(units_in(scene.state, hex_, side) for side in scene.board.sides)


def _line(scene: Scene, side: str, hex_: str, who: str) -> Answer:
    state, board = scene.state, scene.board
    line = supply_line(state, side, hex_)
    rules: tuple[str, ...] = ("AGC-4.3.1a" if side == GERMAN else "AGC-4.3.2a", "DM-2.10a")
    if line.supplied:
        if len(line.path) == 1 and len(line.rail_path) <= 1:
            return Answer(YES, (f"{who}: in the hex of a supply source",), rules)
        across = f"across country {' '.join(line.path)}, then " if len(line.path) > 1 else ""
        rails = line.rail_path
        route = " ".join(rails) if len(rails) <= SHOWN else f"{' '.join(rails[:3])} .. {' '.join(rails[-2:])}"
        return Answer(YES, (f"{who}: {across}by rail {route} ({counted(len(rails), 'hex', 'hexes')})",), rules)
    limit = supply_length(state, side)
    lines = [f"{who}: no line of up to {limit} hexes to a friendly railway that leads to a source"]
    lines += [f"{place(each, board)}: {_cut(scene, side, each, why)}" for each, why in line.blocked if why != RAIL]
    useless = [place(each, board) for each, why in line.blocked if why == RAIL]
    if useless:
        lines.append(f"railways that cannot be used: {listing(useless)}")
    if not line.blocked:
        lines.append("no enemy blocks the line: the railway is too far away")
    if not reaches_source(state, side, hex_):
        pressed = is_pressed(state, side, hex_)
        lines.append(f"no path of any length leads to a source: {SURRENDER[pressed]}")
        rules = (*rules, "DM-10.0b")
    return Answer(NO, tuple(lines), rules)


SHOWN = 8
"""Maximum number of hexes of a railway to list; of a longer one, only the ends."""
SURRENDER = {
    True: "a supplied enemy is adjacent, so it would surrender in its surrender phase",
    False: "it would surrender if a supplied enemy were adjacent",
}


def _cut(scene: Scene, side: str, hex_: str, why: str) -> str:
    enemy = SOVIET if side == GERMAN else GERMAN
    if why == ENEMY:
        return f"{names(units_in(scene.state, hex_, enemy), scene.board)} is there"
    near = [each for each in scene.board.around[hex_] if units_in(scene.state, each, enemy)]
    return f"in the zone of control of {side_of(enemy, scene.board)} from {' '.join(near)}"


# --- zones ---


def _zone(scene: Scene, words: list[str]) -> Answer:
    """Return the hexes in the zone of control of a force, and in its zone of influence as far as the view shows it."""
    unit = scene.view.units[scene.units(" ".join(words))[0]]
    side, hex_, board = unit.side, unit.hex, scene.board
    who = f"{names(units_in(scene.state, hex_, side), board)} in {place(hex_, board)}"
    control = [each for each, by in zone_of(scene.state, side).items() if hex_ in by]
    reach = zone_of_influence(scene.view, board, Force(side, hex_, who))
    lines = [who, f"zone of control: {' '.join(control) or 'none'}"]
    lines.append(f"zone of influence: {' '.join(reach) or 'none that you know of'}")
    return Answer(bool(control or reach), tuple(lines), ("DM-2.5a", "DM-2.6b"))


# --- stacks ---


def _stack(scene: Scene, words: list[str]) -> Answer:
    """Return the units in a hex, their known strength, and whether more may end there (DM-2.3)."""
    text = " ".join(words)
    hex_ = scene.find_hex(text) or scene.view.units[scene.units(text)[0]].hex
    lines, legal = [], True
    for side in scene.board.sides:
        units = units_in(scene.state, hex_, side)
        if not units:
            continue
        over, full = excess(scene.state, side, hex_), is_full(scene.state, side, hex_)
        room = f"{over} too many" if over else "full" if full else "space for another division"
        listed_units = ", ".join(_unit(scene, each) for each in units)
        hidden = scene.unknown(units)
        sum_ = sum(scene.view.units[each].sp or 0 for each in units)
        points = f"strength {sum_}" if not hidden else f"strength unknown to you, maximum {_printed(scene, units)}"
        zone = "; in an enemy zone of control" if in_enemy_zone(scene.state, side, hex_) else ""
        lines.append(
            f"{side_of(side, scene.board)} in {place(hex_, scene.board)}: {listed_units}; {points}; {room}{zone}"
        )
        legal = legal and not over
    if not lines:
        return Answer(None, (f"no units are in {place(hex_, scene.board)}",))
    return Answer(legal, tuple(lines), ("DM-2.3a", *(() if legal else ("DM-2.3e",))))


def _printed(scene: Scene, units: Iterable[str]) -> int:
    return sum(scene.board.counters[each].sp for each in units)


def _unit(scene: Scene, unit_id: str) -> str:
    seen, counter = scene.view.units[unit_id], scene.board.counters[unit_id]
    points = f"{'?' if seen.sp is None else seen.sp} of {counter.sp}"
    marks = [word for word, is_so in (("spent", seen.spent), ("demoralized", seen.demoralized)) if is_so]
    return f"{name_of(unit_id, scene.board)} {' '.join([f'({points})', *marks])}"


QUESTIONS = {
    "supply": Query("{unit}", "supply line of a unit or hex, or what cuts it", _supply),
    "zone": Query("{unit}", "zones of control and influence of a force", _zone),
    "reach": Query("{unit}", "hexes that a force can reach, with their cost in points", reach),
    "path": Query("{unit} {near}", "cheapest path of a force to a hex, step by step", path, 2),
    "stack": Query("{hex}", "units in a hex, their strength, and free stacking space", _stack),
    "problems": Query("", "units out of supply, about to surrender, over-stacked, or able to rally", problems, 0),
    "odds": Query("{unit} {near}", "odds of an attack on an adjacent hex", odds, 2),
}
