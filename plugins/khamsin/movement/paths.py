"""Paths that a piece may be ordered along: areas joined by connectors, beginning in its own area (KH-8.10).

Hidden information does not make an order illegal (KH-R10). Enemies on the path and interdiction take effect when the
order is carried out.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from heapq import heappop, heappush
from typing import Any

from khamsin.model.cards import Board
from khamsin.model.forces import allowance, card, crossing, mobility, why_not_leave
from khamsin.model.notation import area_named, path_in
from khamsin.model.state import ON_MAP, KhamsinState
from khamsin.model.tables import ALLOWANCE, LEADER_MOBILITY
from sandtable import IllegalOrder, Path, Refusal, listing, shown

StepCheck = Callable[[Sequence[str]], Refusal | None]
CheapestPaths = dict[str, tuple[int, list[str]]]
"""The cheapest path to each area, with its cost in movement points."""
TO = "to"
"""First word of a typed path that names only its end."""


class PricedPath(Path, kw_only=True):
    """The paths of one piece. ``price(a, b)`` is the cost of a connector in movement points.

    ``is_hostile`` returns whether the enemy controls an area. ``foes`` are the areas where enemy formations were
    reported; a piece that enters one stops there.
    """

    price: Callable[[str, str], int]
    is_hostile: Callable[[str], bool]
    foes: Collection[str]

    def why_not(self, value: Any) -> Refusal | None:
        """Return the refusal of ``Path``. For a single area that is not adjacent, add how to order a move there."""
        refusal = super().why_not(value)
        is_one = isinstance(value, list | tuple) and len(value) == 2 and value[0] == self.start
        if refusal is None or not is_one or value[1] in self.steps([self.start]):
            return refusal
        return Refusal(refusal.rule, f"{refusal.reason}; name every area on the way, or type to {shown(value[1])}")


def cheapest_paths(space: PricedPath) -> CheapestPaths:
    """Return the areas that a piece can be ordered to, each with the cheapest legal path.

    Paths around reported enemies have priority over paths through them. Among paths of equal cost, the one with the
    fewest hostile areas is chosen.
    """
    paths = _cheapest_outside(space, ())
    return paths | _cheapest_outside(space, space.foes) if space.foes else paths


def _cheapest_outside(space: PricedPath, closed: Collection[str]) -> CheapestPaths:
    """Return the cheapest path to each area that does not lead through the areas in ``closed``."""
    found: CheapestPaths = {}
    queue: list[tuple[int, int, list[str]]] = [(0, 0, [space.start])]
    while queue:
        spent, dangers, path = heappop(queue)
        here = path[-1]
        if here in found:
            continue
        found[here] = (spent, path)
        if here in closed and len(path) > 1:
            continue
        for near in space.steps(path):
            if near not in found and space.why_not([*path, near]) is None:
                heappush(queue, (spent + space.price(here, near), dangers + space.is_hostile(near), [*path, near]))
    return found


def path_typed(text: str, space: PricedPath, names: Mapping[str, str], rule: str, where: str = "") -> list[str]:
    """Return the path in a text: area by area (see ``path_in``), or "to AREA" for the cheapest path there.

    Raises IllegalOrder if an area is unknown or out of reach.
    """
    word, _, area = text.strip().partition(" ")
    if word.lower() == TO and area.strip():
        return _cheapest_path_to(area_named(area, names, rule, where), space, where)
    return path_in(text, space.start, names, rule, where)


def _cheapest_path_to(area: str, space: PricedPath, where: str) -> list[str]:
    """Return the cheapest path to an area. Raises IllegalOrder if no path can be ordered."""
    if area == space.start:
        raise IllegalOrder("KH-3.06", f"{where}it is already in {area}: type hold to keep it there")
    paths = cheapest_paths(space)
    if area not in paths:
        barred = [space.why_not([space.start, near]) for near in space.steps([space.start])]
        if len(paths) == 1 and barred and barred[0] is not None:
            raise IllegalOrder(barred[0].rule, f"{where}{barred[0].reason}")
        there = listing([f"{each} {spent}" for each, (spent, path) in sorted(paths.items()) if len(path) > 1])
        raise IllegalOrder("KH-8.10", f"{where}{area} is out of reach this turn; in reach, with points: {there}")
    return paths[area][1]


def formation_path(state: KhamsinState, formation_id: str) -> PricedPath:
    """Return the paths of a formation on the map.

    A path of only its own area means to hold, or to attack enemies in that area (KH-R25). A delayed reinforcement has
    one path, to its scheduled entry area (KH-4.07, KH-R98).
    """
    formation, its_card = state.formations[formation_id], card(state, formation_id)
    if formation.standing != ON_MAP:
        return _path(
            state, formation.side, its_card.entries[0], 0, lambda _: None, "KH-R98", mobility(state, formation_id)
        )
    barred = why_not_leave(state, formation_id)
    points = allowance(state, formation_id)
    moves = mobility(state, formation_id)
    afford = _affordable(state, its_card.title, moves, points)
    known = _known_enemies(state, formation.side)

    def why_no_step(path: Sequence[str]) -> Refusal | None:
        return barred or afford(path) or (_why_into_known(state, known, path) if known else None)

    return _path(state, formation.side, formation.area, max(1, points), why_no_step, "KH-8.10", moves)


def leader_path(state: KhamsinState, leader_id: str) -> PricedPath:
    """Return the paths of a leader (KH-8.15)."""
    board: Board = state.board
    points = ALLOWANCE[LEADER_MOBILITY]
    afford = _affordable(state, board.leaders[leader_id].title, LEADER_MOBILITY, points)
    leader = state.leaders[leader_id]
    return _path(state, leader.side, leader.area, points, afford, "KH-8.15", LEADER_MOBILITY)


def _path(
    state: KhamsinState, side: str, start: str, longest: int, why_no_step: StepCheck, rule: str, moves: str
) -> PricedPath:
    board: Board = state.board
    neighbors, report = board.neighbors, state.reports.get(side)
    return PricedPath(
        start,
        lambda path: neighbors[path[-1]],
        why_no_step,
        lambda _: None,
        longest,
        rule,
        price=lambda a, b: crossing(state, moves, a, b),
        is_hostile=lambda area: state.control[area] != side,
        foes=report.occupied if report is not None else (),
    )


def _affordable(state: KhamsinState, title: str, mobility_class: str, points: int) -> StepCheck:
    """Return the check of costs: the first connector can always be crossed (KH-8.11), the others must be affordable."""

    @cache
    def price(a: str, b: str) -> int:
        return crossing(state, mobility_class, a, b)

    def why_too_far(path: Sequence[str]) -> Refusal | None:
        if len(path) < 3:
            return None
        spent = sum(map(price, path, path[1:]))
        if spent <= points:
            return None
        cost = f"{title} needs {spent} movement points to reach {path[-1]}"
        return Refusal("KH-8.10", f"{cost} and has {points}: end the path in {path[-2]}")

    return why_too_far


# --- enemies in the side's own report (KH-R10) ---


def _known_enemies(state: KhamsinState, side: str) -> frozenset[str]:
    """Return the areas that a side's last report lists as occupied, or none if orders are not checked against it."""
    report = state.reports.get(side)
    if report is None or state.options["order_validation"] != "reject_known":
        return frozenset()
    return frozenset(report.occupied)


def _why_into_known(state: KhamsinState, known: frozenset[str], path: Sequence[str]) -> Refusal | None:
    board: Board = state.board
    if len(path) < 3:
        return None
    if path[-1] in known:
        there = board.names[path[-1]]
        return Refusal(
            "KH-9.05", f"enemies are reported in {there}: they can be attacked only in the first area entered"
        )
    if path[1] in known:
        there = board.names[path[1]]
        return Refusal("KH-8.14", f"enemies are reported in {there}: a formation that attacks them stops there")
    return None
