"""Queries about paths: areas that a formation can be ordered to, by its legal paths, the cheapest path first.

Unreported enemies, and interdiction, are discovered on the way (KH-R10).
"""

from fractions import Fraction
from heapq import heappop, heappush

from khamsin.model.forces import allowance, crossing, mobility, why_no_orders
from khamsin.model.state import ON_MAP
from khamsin.movement.activation import MODIFIER_RULES, is_success, modifiers, needs
from khamsin.movement.paths import cheapest_paths, formation_path
from khamsin.ui.asking.scene import Scene
from khamsin.ui.terms import MOBILITY_WORDS, area_words, path_words, piece_words, signed
from sandtable import Answer
from sandtable.questions import NO, YES

FACES = range(1, 7)


def _why_still(scene: Scene, formation_id: str) -> Answer | None:
    """Return the answer for a formation that cannot get orders now, or None if it can."""
    it = scene.state.formations[formation_id]
    if it.standing != ON_MAP:
        refusal = why_no_orders(scene.state, it.side, formation_id)
        return Answer(NO, (refusal.reason,), (refusal.rule,) if refusal.rule else ())
    barred = formation_path(scene.state, formation_id)
    near = scene.board.neighbors[it.area]
    refusals = [barred.why_not([it.area, each]) for each in near]
    if refusals and all(refusals) and refusals[0] is not None:
        return Answer(NO, (refusals[0].reason,), (refusals[0].rule,))
    return None


def _allowance(scene: Scene, formation_id: str) -> str:
    moves = MOBILITY_WORDS[mobility(scene.state, formation_id)]
    return f"{allowance(scene.state, formation_id)} movement points ({moves})"


def reach(scene: Scene, words: list[str]) -> Answer:
    """Return the areas that a formation can be ordered to, by cost in movement points."""
    formation_id = scene.formation(" ".join(words))
    still = _why_still(scene, formation_id)
    if still is not None:
        return still
    routes, side = cheapest_paths(formation_path(scene.state, formation_id)), scene.state.formations[formation_id].side
    name, here = (
        piece_words(formation_id, scene.board),
        area_words(scene.state.formations[formation_id].area, scene.board),
    )
    rows: dict[int, list[str]] = {}
    for area, (spent, path) in sorted(routes.items()):
        if len(path) > 1:
            attack = " (enemies)" if scene.enemies_in(side, area) else ""
            rows.setdefault(spent, []).append(f"{area_words(area, scene.board)}{attack}")
    lines = [f"{name} at {here}: {_allowance(scene, formation_id)}; the first connector can always be crossed"]
    lines += [f"{spent}: {', '.join(row)}" for spent, row in sorted(rows.items())]
    return Answer(None, (*lines, *_known(scene)), ("KH-8.10", "KH-8.11"))


def path(scene: Scene, words: list[str]) -> Answer:
    """Return the cheapest path of a formation to an area.

    The probability of activation is added if known enemies are in the first area of the path.
    """
    formation_id, goal = scene.two(words)
    still = _why_still(scene, formation_id)
    if still is not None:
        return still
    name, it = piece_words(formation_id, scene.board), scene.state.formations[formation_id]
    if goal == it.area:
        return Answer(YES, (f"{name} is at {area_words(goal, scene.board)}",))
    routes = cheapest_paths(formation_path(scene.state, formation_id))
    if goal not in routes:
        return _too_far(scene, formation_id, goal)
    spent, route = routes[goal]
    lines = [f"{name}: {path_words(route, scene.board)}, {spent} of {_allowance(scene, formation_id)}"]
    rules: tuple[str, ...] = ("KH-8.10",)
    if scene.enemies_in(it.side, route[1]):
        lines.append(_activation(scene, formation_id, route[1]))
        rules = ("KH-9.01", *rules)
    return Answer(YES, (*lines, *_known(scene)), rules)


def _activation(scene: Scene, formation_id: str, area: str) -> str:
    """Return the probability that a formation is activated to enter an area with enemies."""
    state, number = scene.state, needs(scene.state, formation_id)
    by_name = modifiers(state, formation_id, area)
    added = sum(value for _, value in by_name)
    good = sum(is_success(state, face, face + added, number) for face in FACES)
    texts = [f"{_words(scene, name)} {signed(value)}" for name, value in by_name]
    why = f" ({', '.join(texts)})" if texts else ""
    needed = f"activated on {number} or more{why}, probability {Fraction(good, len(FACES))}"
    return f"enemies at {area_words(area, scene.board)}: {needed}"


def _words(scene: Scene, name: str) -> str:
    return name.replace("_", " ") if name in MODIFIER_RULES else piece_words(name, scene.board)


def _too_far(scene: Scene, formation_id: str, goal: str) -> Answer:
    """Return why the cheapest path over all areas, with or without known enemies, cannot be ordered."""
    state, start = scene.state, scene.state.formations[formation_id].area
    moves = mobility(state, formation_id)
    best: dict[str, tuple[int, list[str]]] = {}
    queue: list[tuple[int, list[str]]] = [(0, [start])]
    while queue:
        spent, route = heappop(queue)
        if route[-1] not in best:
            best[route[-1]] = (spent, route)
            for near in scene.board.neighbors[route[-1]]:
                heappush(queue, (spent + crossing(state, moves, route[-1], near), [*route, near]))
    name = piece_words(formation_id, scene.board)
    if goal not in best:
        return Answer(NO, (f"no path leads to {area_words(goal, scene.board)}",), ("KH-8.10",))
    spent, route = best[goal]
    space = formation_path(state, formation_id)
    refusal = next((r for end in range(2, len(route) + 1) if (r := space.why_not(route[:end])) is not None), None)
    lines = [f"{name}: {path_words(route, scene.board)} takes {spent} of {_allowance(scene, formation_id)}"]
    if refusal is not None:
        lines.append(refusal.reason)
    return Answer(NO, tuple(lines), (refusal.rule,) if refusal is not None else ("KH-8.10",))


def _known(scene: Scene) -> list[str]:
    """Return a remark if the viewer does not know all enemies."""
    if scene.knows_all:
        return []
    report = scene.view.reports.get(scene.view.side)
    source = f"the report of turn {report.turn}" if report is not None and report.turn else "what you see now"
    return [f"based on {source}; other enemies are unknown to you"]
