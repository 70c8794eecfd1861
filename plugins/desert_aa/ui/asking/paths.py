"""Legal moves of units in each movement phase, by land and by air, with their fuel."""

from collections.abc import Iterator
from typing import NamedTuple

from desert_aa.model.state import ADVANCED, EXTENDED, READY, Unit
from desert_aa.model.tables import EXTRA_SPACES, FLAK, PLANES, SIDE_OF, VALUE_RULES, VALUES
from desert_aa.movement import air, land
from desert_aa.movement.ground import Ground
from desert_aa.movement.options import CombatMoves, NonCombatMoves
from desert_aa.movement.supply import fuel_after, next_turn_of
from desert_aa.ui.asking.scene import Mover, Scene
from sandtable import Answer, PlayError, Refusal
from sandtable.graphs import distance_spaces
from sandtable.questions import NO, YES

COMBAT, MARCH = "combat move", "non-combat move"
PENALTIES = (READY, ADVANCED, EXTENDED)
"""The conditions of a unit after a move, the best first."""


class MovePath(NamedTuple):
    """A move of a unit: the phase, the path, and the unit's condition after it."""

    move: str
    path: list[str]
    fuel: str

    @property
    def rank(self) -> tuple[int, int, list[str]]:
        """The sort key: the smallest penalty, then the shortest path."""
        return PENALTIES.index(self.fuel), len(self.path), self.path


def ground_for(scene: Scene, mover: Mover) -> Ground:
    """Return the map in a movement phase of the mover's power.

    In another power's turn it is the next turn of the mover's power. Changes the state of ``scene`` accordingly.
    """
    state, power = scene.state, mover.unit.power
    if power != scene.view.phasing_power:
        for unit in state.units.values():
            unit.moved = 0
    state.phasing_power, state.phasing_side = power, SIDE_OF[power]
    return Ground(state)


def paths_of(ground: Ground, mover: Mover) -> Iterator[MovePath]:
    """Yield all legal moves of a land unit in each movement phase, or the first flight of a plane to each end."""
    unit = mover.unit
    if unit.kind in PLANES:
        yield from _flights(ground, mover)
        return
    for move, judge in ((COMBAT, land.why_no_attack), (MARCH, land.why_no_march)):
        if move == COMBAT and unit.kind == FLAK:
            continue
        for path in land.land_paths(ground, unit.kind, unit.space, judge):
            if move == MARCH and unit.kind == FLAK and land.is_full_of_flak(ground, path[-1]):
                continue
            yield MovePath(move, path, fuel_after(ground.state, unit.power, unit.kind, path))


def _flights(ground: Ground, mover: Mover) -> Iterator[MovePath]:
    unit, far = mover.unit, ground.range_of(mover.unit)
    for move, ends in ((COMBAT, air.targets(ground)), (MARCH, dict.fromkeys(ground.landable, 0))):
        for _, path in air.nearest_flights(ground, unit.space, ends, far):
            yield MovePath(move, path, READY)


def why_no_move(ground: Ground, mover: Mover, move: str) -> Refusal | None:
    """Return why an existing unit may not make this kind of move now, or None if it may or is hypothetical."""
    if not mover.unit_id:
        return None
    moves = CombatMoves.on(ground) if move == COMBAT else NonCombatMoves.on(ground)
    return moves.why_unit(mover.unit_id, mover.unit.space)


def _described(scene: Scene, mover: Mover, option: MovePath) -> str:
    """Return a move in words, with its cost."""
    steps, unit = len(option.path) - 1, mover.unit
    spaces = f"{steps} space{'s' if steps > 1 else ''}"
    if unit.kind in PLANES:
        return f"{option.move}: {' '.join(option.path)}, {spaces} of {VALUES[unit.power][unit.kind].move}"
    if option.fuel == READY:
        cost = "no penalty"
    elif option.fuel == ADVANCED:
        cost = "the extra space is free on the road, but the unit's supply can be cut"
    else:
        cost = f"out of fuel and laid down until round {next_turn_of(scene.state, unit.power)}"
    return f"{option.move}: {' '.join(option.path)}, {spaces}; {cost}"


_RULES = {READY: "DAA-16.02", ADVANCED: "DAA-6.02", EXTENDED: "DAA-4.03"}


def path(scene: Scene, words: list[str]) -> Answer:
    """Return the best path of a unit, or of a kind of unit, to a space in each phase, with its cost in fuel.

    Raises PlayError if the unit or the destination is missing or unknown.
    """
    mover, rest = scene.mover(words)
    if not rest:
        raise PlayError("name the destination after the unit, or after the kind of unit and its space")
    goal = scene.space(" ".join(rest))
    ground = ground_for(scene, mover)
    best: dict[str, MovePath] = {}
    for option in paths_of(ground, mover):
        if option.path[-1] == goal and (option.move not in best or option.rank < best[option.move].rank):
            best[option.move] = option
    refusals = {move: refusal for move in best if (refusal := why_no_move(ground, mover, move)) is not None}
    open_ = [option for move, option in best.items() if move not in refusals]
    if open_:
        rules = [_RULES[option.fuel] if mover.unit.kind not in PLANES else "DAA-12.04" for option in open_]
        lines = [f"{mover.name}, {scene.at(mover.unit.space)} to {scene.at(goal)}"]
        return Answer(
            YES, (*lines, *(_described(scene, mover, option) for option in open_)), tuple(dict.fromkeys(rules))
        )
    found = list(refusals.values()) or [_why_not(ground, mover, goal)]
    return Answer(NO, tuple(dict.fromkeys(each.reason for each in found)), tuple(dict.fromkeys(e.rule for e in found)))


def _why_not(ground: Ground, mover: Mover, goal: str) -> Refusal:
    """Return why the shortest path to ``goal`` is illegal, or that there is no path."""
    unit, board = mover.unit, ground.board
    flies = unit.kind in PLANES
    shortest = _shortest(board.air if flies else board.land, unit.space, goal)
    if not shortest:
        return Refusal(
            "DAA-12.04" if flies else "DAA-16.02",
            f"no path leads from {board.names[unit.space]} to {board.names[goal]}",
        )
    if flies:
        sortie = ground.foes.get(goal, False)
        refusal = air.why_no_sortie(ground, unit, shortest, raid=False) if sortie else None
        refusal = refusal or air.why_no_landing(ground, unit, shortest)
    else:
        attack = goal in ground.hostile and unit.kind != FLAK
        refusal = (land.why_no_attack if attack else land.why_no_march)(ground, unit.kind, shortest)
    return refusal or Refusal("DAA-8.05", f"{board.names[goal]} can hold no more such units")


def _shortest(neighbors: dict[str, tuple[str, ...]], start: str, goal: str) -> list[str]:
    """Return the first of the shortest paths between two spaces, or [] if none exists or the spaces are the same."""
    spaces = sorted({*neighbors, *(near for each in neighbors.values() for near in each)})
    if start not in spaces or goal not in spaces:
        return []
    index = {space: place for place, space in enumerate(spaces)}
    rows = [sorted(index[near] for near in neighbors.get(space, ())) for space in spaces]
    left = distance_spaces(rows, index[start], index[goal])
    path = [index[start]]
    while left:
        left -= 1
        path.append(next(near for near in rows[path[-1]] if distance_spaces(rows, near, index[goal]) == left))
    return [spaces[each] for each in path] if len(path) > 1 else []


def reach(scene: Scene, words: list[str]) -> Answer:
    """Return the destinations of a unit, a kind of unit, or all kinds in a space, by phase and cost in fuel.

    Raises PlayError if ``words`` name no unit, or a space without units.
    """
    space = scene.find_space(" ".join(words))
    if not space:
        return _reach_of(scene, scene.mover(words)[0])
    there = [unit for unit in scene.state.units.values() if unit.space == space]
    kinds = dict.fromkeys((unit.power, unit.kind) for unit in there)
    if not kinds:
        raise PlayError(f"no unit is in {scene.at(space)}")
    found = [_reach_of(scene, Mover(Unit(power, kind, space))) for power, kind in kinds]
    lines = [line for each in found for line in each.lines]
    return Answer(None, tuple(lines), tuple(dict.fromkeys(rule for each in found for rule in each.rules)))


def _reach_of(scene: Scene, mover: Mover) -> Answer:
    ground = ground_for(scene, mover)
    best: dict[tuple[str, str], MovePath] = {}
    for option in paths_of(ground, mover):
        key = (option.move, option.path[-1])
        if option.path[-1] != mover.unit.space and (key not in best or option.rank < best[key].rank):
            best[key] = option
    values = VALUES[mover.unit.power][mover.unit.kind]
    extra = "" if mover.unit.kind in PLANES else f", and {EXTRA_SPACES} extra"
    lines = [
        f"{mover.name} in {scene.at(mover.unit.space)} moves {values.move} space{'s' if values.move > 1 else ''}{extra}"
    ]
    for move in (COMBAT, MARCH):
        refusal = why_no_move(ground, mover, move)
        if refusal is not None:
            lines.append(f"{move}: {refusal.reason}")
            continue
        for fuel, words_ in _GROUPS.items():
            ends = sorted(end for (kind, end), option in best.items() if kind == move and option.fuel == fuel)
            if ends:
                lines.append(f"{move}{words_}: {' '.join(ends)}")
        if not any(kind == move for kind, _ in best):
            lines.append(f"{move}: nowhere")
    return Answer(None, tuple(lines), (VALUE_RULES[mover.unit.power][mover.unit.kind],))


_GROUPS = {READY: "", ADVANCED: ", the last space free on the road", EXTENDED: ", out of fuel after it"}
