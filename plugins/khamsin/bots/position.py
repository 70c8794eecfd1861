"""What the commander works with: his formations, what is known of the enemy, what areas are worth, how far it is."""

from functools import cached_property
from heapq import heappop, heappush
from typing import Any

from khamsin.model.cards import ENEMY, LEG, Board, Broken, Chain, Held
from khamsin.model.state import ON_MAP
from khamsin.model.tables import ALLOWANCE

UNKNOWN = 2
"""The strength that is supposed of enemies whose companies nobody has counted."""
GROUND, POINT, SUPPLY, GOAL, WAY = 1, 3, 3, 12, 4
"""What is worth: any area, a point of its score, a supply area, an area that wins, a link of a chain that wins."""
WORKS = 3
"""Thirds by which fortifications raise the strength of who stands in them (two thirds more would be 5)."""


class Position:
    """A side's view of the campaign, set out for quick questions; only what that side may know is in it."""

    def __init__(self, view: Any, board: Board, side: str) -> None:
        self.view, self.board, self.side = view, board, side
        self.enemy = ENEMY[side]

    @cached_property
    def mine(self) -> dict[str, Any]:
        """The side's own formations on the map, by id."""
        return {key: it for key, it in self.view.formations.items() if it.standing == ON_MAP and it.side == self.side}

    @cached_property
    def stacks(self) -> dict[str, list[str]]:
        """By area, the side's own formations."""
        found: dict[str, list[str]] = {}
        for key, it in self.mine.items():
            found.setdefault(it.area, []).append(key)
        return found

    @cached_property
    def known(self) -> dict[str, int]:
        """By area, the enemy's strength as the last report has it."""
        report = self.view.reports.get(self.side)
        if report is None:
            return {}
        return {area: sum(report.seen.get(area, {}).values()) or UNKNOWN for area in report.occupied}

    def strength(self, formations: list[str]) -> int:
        """Return the companies of own formations."""
        return int(sum(self.mine[each].strength for each in formations if each in self.mine))

    def resistance(self, area: str) -> int:
        """Return, in thirds of companies, what an attack into an area would meet."""
        there = self.known.get(area, 0)
        works = WORKS if self.board.fortified.get(area) == self.enemy else 0
        return there * 3 + works

    def attrition(self, formation_id: str) -> int:
        """Return a formation's attrition; a part's is that of its formation."""
        it = self.view.formations[formation_id]
        book = self.view.formations.get(it.parent, it)
        return int(book.armor + book.general)

    def chance_in_six(self, formation_id: str) -> int:
        """Return in how many of six cases a formation is activated, leaders aside."""
        it, tired = self.mine[formation_id], self.attrition(formation_id)
        malus = (not it.supplied) + (2 if tired >= 60 else tired >= 40)
        return int(max(0, min(6, 7 - self.card(formation_id).activation - malus)))

    def card(self, formation_id: str) -> Any:
        """Return a formation's card, for a part that of its formation."""
        return self.board.formations[self.view.formations[formation_id].parent or formation_id]

    # --- what areas are worth ---

    @cached_property
    def worth(self) -> dict[str, int]:
        """By area, what it is worth to hold it: the same for both sides."""
        board = self.board
        found = {area: GROUND + POINT * board.victory.score.get(area, 0) for area in board.areas}
        for area in board.supply:
            found[area] += SUPPLY
        for condition in board.victory.conditions:
            if isinstance(condition, Chain):
                for area in self._between(condition.start, condition.end):
                    found[area] += WAY
            elif not isinstance(condition, Broken):
                found[condition.area] += GOAL
        return found

    @cached_property
    def vital(self) -> list[str]:
        """The areas that the enemy wins with, as long as they are ours."""
        held = (each for each in self.board.victory.conditions if isinstance(each, Held) and each.side == self.enemy)
        return sorted({each.area for each in held if self.view.control[each.area] == self.side})

    def _between(self, start: str, end: str) -> list[str]:
        """Return the areas on the shortest ways from one area to another, both ends included."""
        far = self.board.distance(start, end)
        return [
            each
            for each in self.board.areas
            if self.board.distance(start, each) + self.board.distance(each, end) == far
        ]

    # --- movement ---

    def price(self, mobility: str, a: str, b: str) -> int:
        """Return the movement points from an area to a neighbour in the weather of this turn."""
        kind = self.board.kind_between[a, b]
        weather = self.board.weather.cards.get(self.view.weather)
        return self.board.cost[kind][mobility] + (weather.extra.get(kind, 0) if weather else 0)

    def cheapest_paths(self, start: str, mobility: str) -> dict[str, tuple[int, list[str]]]:
        """Return, by area, points and path of the cheapest way that meets no enemy that is known of."""
        found: dict[str, tuple[int, list[str]]] = {}
        queue: list[tuple[int, list[str]]] = [(0, [start])]
        while queue:
            spent, path = heappop(queue)
            here = path[-1]
            if here in found:
                continue
            found[here] = (spent, path)
            for near in self.board.neighbours[here]:
                if near not in found and near not in self.known:
                    heappush(queue, (spent + self.price(mobility, here, near), [*path, near]))
        return found

    def reach(self, formation_id: str) -> dict[str, list[str]]:
        """Return the paths that a formation can go this turn, by their end: one connector can always be crossed."""
        mobility = self.mobility(formation_id)
        points, here = ALLOWANCE[mobility], self.mine[formation_id].area
        ways = self.cheapest_paths(here, mobility)
        return {end: path for end, (spent, path) in ways.items() if spent <= points or len(path) == 2}

    def mobility(self, formation_id: str) -> str:
        """Return how a formation moves: out of supply on foot (KH-8.12)."""
        return str(self.card(formation_id).mobility) if self.mine[formation_id].supplied else LEG
