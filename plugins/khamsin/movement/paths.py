"""The space of paths that a piece may be ordered along: areas joined by connectors, from where it stands (KH-D08).

What the player cannot know does not make an order illegal (KH-R10): enemies on the way, and interdiction, are found out
when it is carried out.
"""

from collections.abc import Callable, Sequence
from functools import cache

from khamsin.model.cards import Board
from khamsin.model.forces import allowance, card, crossing, may_leave, mobility
from khamsin.model.state import ON_MAP, KhamsinState
from khamsin.model.tables import ALLOWANCE, LEADER_MOBILITY
from sandtable.kernel.options import Path, Refusal

Judge = Callable[[Sequence[str]], Refusal | None]


def formation_path(state: KhamsinState, formation_id: str) -> Path:
    """Return the paths for a formation on the map; [where it stands] is to hold.

    For a delayed reinforcement: its scheduled area of entry, and nothing further (KH-4.07, KH-R98).
    """
    formation, its_card = state.formations[formation_id], card(state, formation_id)
    if formation.standing != ON_MAP:
        return _path(state, its_card.entries[0], 0, lambda _: None, "KH-R98")
    barred = may_leave(state, formation_id)
    points = allowance(state, formation_id)
    afford = _affordable(state, its_card.title, mobility(state, formation_id), points)
    known = _known_enemies(state, formation.side)

    def why_no_step(path: Sequence[str]) -> Refusal | None:
        return barred or afford(path) or (_why_into_known(state, known, path) if known else None)

    return _path(state, formation.area, max(1, points), why_no_step, "KH-8.10")


def leader_path(state: KhamsinState, leader_id: str) -> Path:
    """Return the paths for a leader (KH-8.15)."""
    board: Board = state.board
    points = ALLOWANCE[LEADER_MOBILITY]
    afford = _affordable(state, board.leaders[leader_id].title, LEADER_MOBILITY, points)
    return _path(state, state.leaders[leader_id].area, points, afford, "KH-8.15")


def _path(state: KhamsinState, start: str, longest: int, why_no_step: Judge, rule: str) -> Path:
    board: Board = state.board
    neighbours = board.neighbours
    return Path(start, lambda path: neighbours[path[-1]], why_no_step, lambda _: None, longest, rule)


def _affordable(state: KhamsinState, title: str, mobility_class: str, points: int) -> Judge:
    """Return the judge of costs: the first connector can always be crossed (KH-8.11), the others must be paid for."""

    @cache
    def price(a: str, b: str) -> int:
        return crossing(state, mobility_class, a, b)

    def why_too_far(path: Sequence[str]) -> Refusal | None:
        if len(path) < 3:
            return None
        spent = sum(map(price, path, path[1:]))
        if spent <= points:
            return None
        there = f"{title} would spend {spent} movement points as far as {path[-1]}"
        return Refusal("KH-8.10", f"{there} and has {points}: end the path in {path[-2]}")

    return why_too_far


# --- what the side's own report tells (KH-R10) ---


def _known_enemies(state: KhamsinState, side: str) -> frozenset[str]:
    """Return the areas that a side's last report calls occupied, if orders are judged by it."""
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
        return Refusal("KH-8.14", f"enemies are reported in {there}: who attacks them stops there")
    return None
