"""The commander's working position: own formations, known or believed enemies, and the worth of areas."""

from collections.abc import Callable
from functools import cached_property
from heapq import heappop, heappush
from typing import Any, TypeVar

from khamsin.bots.belief import Belief
from khamsin.bots.goal import denials, keeps, lead, spared, worths
from khamsin.bots.lines import loads
from khamsin.bots.odds import CLASSES, Troops, troops
from khamsin.model.cards import ENEMY, LEG, Board
from khamsin.model.forces import points_between
from khamsin.model.state import ON_MAP
from khamsin.model.tables import ALLOWANCE

UNKNOWN = 150
"""Minimum number of companies, in hundredths, assumed for enemies that were not counted."""
THERE = 60
"""Number of believed companies, in hundredths, from which an area counts as occupied by the enemy."""
BEHIND_WEIGHT, EVEN_WEIGHT, WEIGHT_BY_TURN = 100, 300, 150
"""Weights of risk on the last turn, in thousandths, for a side behind and even, and the increase per earlier turn."""
LINE, OPENING, CUTTING, MAX_CUT = 2, 25, 2, 4
"""Worth of an area per company supplied through it: of an own area, of an area to be opened (per turn that the line
has been closed), and of an enemy area. The last number is the maximum number of those turns."""
BLIND = ("armor", "infantry", "mechanized")
"""Assumed archetypes of an unknown enemy."""


Value = TypeVar("Value")


def remembered(compute: Callable[[Any, str], Value]) -> Callable[[Any, str], Value]:
    """Cache a method with one argument per position, because a position never changes."""
    name = compute.__name__

    def cached(self: Any, key: str) -> Value:
        found: dict[str, Value] = self.memory.setdefault(name, {})
        if key not in found:
            found[key] = compute(self, key)
        return found[key]

    return cached


class Position:
    """A side's view of the campaign, prepared for fast queries; it holds only what that side may know."""

    def __init__(self, view: Any, board: Board, side: str, belief: Belief | None = None) -> None:
        self.view, self.board, self.side = view, board, side
        self.enemy = ENEMY[side]
        self.memory: dict[str, dict[Any, Any]] = {}
        self.belief = belief or Belief(board, side)
        self.belief.update(view, self.common)

    # --- own troops ---

    @cached_property
    def mine(self) -> dict[str, Any]:
        """The side's own formations on the map, by id."""
        return {key: it for key, it in self.view.formations.items() if it.standing == ON_MAP and it.side == self.side}

    @cached_property
    def stacks(self) -> dict[str, list[str]]:
        """The side's own formations, by area."""
        found: dict[str, list[str]] = {}
        for key, it in self.mine.items():
            found.setdefault(it.area, []).append(key)
        return found

    def strength(self, formations: list[str]) -> int:
        """Return the number of companies of own formations."""
        return int(sum(self.mine[each].strength for each in formations if each in self.mine))

    @remembered
    def attrition(self, formation_id: str) -> int:
        """Return a formation's attrition; a part has that of its formation."""
        book = self._book(formation_id)
        return int(book.armor + book.general)

    def _book(self, formation_id: str) -> Any:
        it = self.view.formations[formation_id]
        return self.view.formations.get(it.parent, it)

    @remembered
    def troops(self, formation_id: str) -> Troops:
        """Return a formation's troops for the tabletop."""
        book = self._book(formation_id)
        kinds = tuple(sorted({self.board.companies[each].archetype for each in self.card(formation_id).options}))
        return troops(kinds, book.armor, book.general, supplied=self.view.formations[formation_id].supplied)

    @remembered
    def chance_in_six(self, formation_id: str) -> int:
        """Return the number of die faces that activate a formation, including the leader now in its area."""
        it, tired = self.mine[formation_id], self.attrition(formation_id)
        malus = (not it.supplied) + (2 if tired >= 60 else tired >= 40)
        card, board = self.card(formation_id), self.board
        led = [
            board.leaders[key].bonus
            for key, leader in self.view.leaders.items()
            if leader.standing == ON_MAP and leader.side == self.side and leader.area == it.area
            if board.leaders[key].corps in ("", card.corps)
        ]
        return int(max(0, min(6, 7 - card.activation - malus + max(led, default=0))))

    def card(self, formation_id: str) -> Any:
        """Return a formation's card; a part has that of its formation."""
        return self.board.formations[self.view.formations[formation_id].parent or formation_id]

    @cached_property
    def spared(self) -> set[str]:
        """The side's formations that count for an enemy condition about broken formations."""
        return spared(self.board, self.side)

    # --- the enemy ---

    @cached_property
    def known(self) -> dict[str, int]:
        """Enemy companies by area, in hundredths: as reported, or as believed before the first report."""
        report = self.view.reports.get(self.side)
        if report is None or not report.turn:
            return {area: most for area in self.board.areas if (most := self.belief.strength(area)) >= THERE}
        found = {}
        for area in sorted({*report.occupied, *report.seen}):
            counted = sum(report.seen.get(area, {}).values())
            found[area] = 100 * counted if counted else max(UNKNOWN, self.belief.strength(area))
        return found

    @cached_property
    def near(self) -> dict[str, int]:
        """Enemy companies that may be in an area, by area, in hundredths: known or believed."""
        found = {area: self.belief.strength(area) for area in self.board.areas}
        looked = {near for area in self.stacks for near in self.board.neighbors[area]}
        report = self.view.reports.get(self.side)
        if report is not None and report.turn:
            found |= {area: self.known.get(area, 0) for area in looked if area in self.known or area in found}
        return {area: number for area, number in found.items() if number}

    @remembered
    def threat(self, area: str) -> int:
        """Return the number of enemy companies next to an area, in hundredths."""
        return sum(self.near.get(each, 0) for each in self.board.neighbors[area])

    @remembered
    def foe(self, area: str) -> Troops:
        """Return the assumed enemy troops in an area, without wear: by report, by belief, or ``BLIND``."""
        report = self.view.reports.get(self.side)
        seen = report.seen.get(area, {}) if report is not None else {}
        kinds = tuple(sorted(CLASSES[each] for each, number in seen.items() if number))
        return Troops(kinds or self.belief.archetypes(area) or BLIND)

    @remembered
    def belief_near(self, area: str) -> Troops:
        """Return the troops that may attack an area."""
        near = [each for each in self.board.neighbors[area] if self.near.get(each)]
        return self.foe(max(near, key=lambda each: (self.near[each], each))) if near else Troops(BLIND)

    # --- worth of areas ---

    @cached_property
    def common(self) -> dict[str, int]:
        """The worth to either side of controlling an area at the end of the turn, in hundredths of a company."""
        return worths(self.view, self.board)

    @cached_property
    def worth(self) -> dict[str, int]:
        """The worth to this side, by area, including supply lines. Its own lines count most if they are closed."""
        found = dict(self.common)
        own = {area: self.strength(stack) for area, stack in self.stacks.items()}
        cut = {area: self.strength(self._cut(stack)) for area, stack in self.stacks.items()}
        longest = min(MAX_CUT, max((it.cut for it in self.mine.values()), default=0))
        for area, load in loads(self.view, self.board, self.side, own).items():
            found[area] += load * LINE if self.view.control[area] == self.side else 0
        for area, load in loads(self.view, self.board, self.side, cut).items():
            found[area] += load * OPENING * longest if self.view.control[area] != self.side else 0
        theirs = {area: number // 100 for area, number in self.near.items() if number >= 100}
        for area, load in loads(self.view, self.board, self.enemy, theirs).items():
            found[area] += load * CUTTING if self.view.control[area] == self.enemy else 0
        return found

    def prize(self, area: str, own: int) -> int:
        """Return the worth of winning an area with ``own`` companies, reduced by nearby enemies."""
        hundred, worth = 100 * own, self.worth[area]
        return worth * (hundred + 50) // (hundred + 50 + self.threat(area) // 3)

    def _cut(self, stack: list[str]) -> list[str]:
        return [each for each in stack if self.mine[each].cut]

    @cached_property
    def risk_weight(self) -> int:
        """The weight of risk, in thousandths; it falls toward the end for a side that is not ahead."""
        ahead, left = lead(self.view, self.board, self.side), self.board.turns - self.view.turn
        least = 1000 if ahead > 0 else EVEN_WEIGHT if not ahead else BEHIND_WEIGHT
        return int(min(1000, least + WEIGHT_BY_TURN * left))

    @cached_property
    def vital(self) -> dict[str, int]:
        """The side's areas that a victory condition of either side depends on, with the turns that it needs."""
        own = dict.fromkeys(keeps(self.view, self.board, self.side), 1)
        return denials(self.view, self.board, self.side) | own

    # --- movement ---

    def cheapest_paths(self, start: str, mobility: str) -> dict[str, tuple[int, list[str]]]:
        """Return, by area, points and path of the cheapest path that avoids known enemies."""
        paths = self.memory.setdefault("paths", {})
        if (start, mobility) not in paths:
            paths[start, mobility] = self._paths(start, mobility)
        found: dict[str, tuple[int, list[str]]] = paths[start, mobility]
        return found

    def _paths(self, start: str, mobility: str) -> dict[str, tuple[int, list[str]]]:
        found: dict[str, tuple[int, list[str]]] = {}
        queue: list[tuple[int, list[str]]] = [(0, [start])]
        while queue:
            spent, path = heappop(queue)
            here = path[-1]
            if here in found:
                continue
            found[here] = (spent, path)
            for near in self.board.neighbors[here]:
                if near not in found and near not in self.known:
                    points = points_between(self.board, self.view.weather, mobility, (here, near))
                    heappush(queue, (spent + points, [*path, near]))
        return found

    @remembered
    def reach(self, formation_id: str) -> dict[str, list[str]]:
        """Return the paths that a formation can take this turn, by end; the first connector can always be crossed."""
        mobility = self.mobility(formation_id)
        points, here = ALLOWANCE[mobility], self.mine[formation_id].area
        paths = self.cheapest_paths(here, mobility)
        return {end: path for end, (spent, path) in paths.items() if spent <= points or len(path) == 2}

    def mobility(self, formation_id: str) -> str:
        """Return the mobility of a formation, which is leg if it is out of supply (KH-8.12)."""
        return str(self.card(formation_id).mobility) if self.mine[formation_id].supplied else LEG
