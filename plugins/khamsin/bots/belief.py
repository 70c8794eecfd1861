"""Believed areas of the enemy: a distribution over areas per formation, reduced by the side's observations.

On the first turn it is the deployment of the order of battle. Each turn it spreads by the reach of a formation, more
toward areas of high worth. An area that was seen empty holds no enemy, nor does an area that the side controls, because
a formation alone in an area controls it. Shares are in thousandths.
"""

from typing import Any

from khamsin.model.cards import ENEMY, Board, FormationCard
from khamsin.model.tables import ALLOWANCE

WHOLE = 1000
STAYS = 550
"""Share of a formation, in thousandths, that is believed to stay in its area."""
LEAST_SHARE = 15
"""Minimum share that is kept."""

COMES, SHY, USUAL_TURNS = 700, 120, 2
"""Probabilities, in thousandths, that an enemy attacks: the initial value and the minimum. The third number is the
number of turns that the initial value counts for."""

Spread = dict[str, int]


class Belief:
    """A side's belief about the enemy; it is updated at every decision and spreads each turn."""

    def __init__(self, board: Board, side: str) -> None:
        self.board, self.side, self.enemy = board, side, ENEMY[side]
        self.where: dict[str, Spread] = {}
        self.turn = 0
        self._came: set[tuple[int, str]] = set()

    def update(self, view: Any, worth: dict[str, int]) -> None:
        """Update the belief from ``view``; each turn that has passed spreads it."""
        self._came |= {(view.turn, key) for key, it in view.engagements.items() if it.stationary == self.side}
        report = view.reports.get(self.side)
        if not self.where or view.turn < self.turn:
            self.where, self.turn = self._opening(view), view.turn
        while self.turn < view.turn:
            self.turn += 1
            self._enter(self.turn)
            self._move(worth)
        self._see(view, report)

    def _opening(self, view: Any) -> dict[str, Spread]:
        """Return the starting areas of enemy formations, historical or possible."""
        return {
            key: _start(card)
            for key, card in self.board.formations.items()
            if card.side == self.enemy and (card.start or card.enters <= 1 or card.enters <= view.turn)
        }

    def _enter(self, turn: int) -> None:
        for key, card in self.board.formations.items():
            if card.side == self.enemy and card.enters == turn and card.entries:
                self.where[key] = {card.entries[0]: WHOLE}

    # --- changes in a turn ---

    def _move(self, worth: dict[str, int]) -> None:
        for key, spread in self.where.items():
            if self.board.formations[key].held_until >= self.turn:
                continue
            far = _reach(self.board.formations[key])
            later: Spread = {}
            for area, share in spread.items():
                later[area] = later.get(area, 0) + share * STAYS // WHOLE
                ends = list(self.board.around(area, far))
                pull = {end: 1 + worth.get(end, 0) for end in ends}
                total = sum(pull.values())
                for end in ends:
                    later[end] = later.get(end, 0) + share * (WHOLE - STAYS) * pull[end] // (WHOLE * max(1, total))
            self.where[key] = _whole(later)

    def _see(self, view: Any, report: Any) -> None:
        """Remove shares that contradict what is seen."""
        own = {it.area for it in view.formations.values() if it.side == self.side and it.standing == "map"}
        looked = {near for area in own for near in self.board.neighbors[area]}
        occupied = set(report.occupied) | set(report.seen) if report is not None and report.turn else None
        for key, spread in list(self.where.items()):
            if occupied is None and view.turn > 1:
                break
            kept = {
                area: share
                for area, share in spread.items()
                if view.control[area] == self.enemy and (occupied is None or area not in looked or area in occupied)
            }
            self.where[key] = _whole(kept) if kept else self._anywhere(view, looked, occupied or set())

    def _anywhere(self, view: Any, looked: set[str], occupied: set[str]) -> Spread:
        """Return an even distribution over the possible areas of a formation lost from sight, or an empty one."""
        areas = [a for a in self.board.areas if view.control[a] == self.enemy and (a not in looked or a in occupied)]
        return {area: WHOLE // len(areas) for area in areas} if areas else {}

    # --- queries ---

    @property
    def bold(self) -> int:
        """The probability, in thousandths, that the enemy attacks if it can, from the number of its past attacks."""
        return max(SHY, COMES * (USUAL_TURNS + len(self._came)) // (USUAL_TURNS + max(1, self.turn)))

    def strength(self, area: str) -> int:
        """Return the expected number of companies in an area, in hundredths."""
        cards = self.board.formations
        return sum(cards[key].strength * spread[area] for key, spread in self.where.items() if area in spread) // 10

    def archetypes(self, area: str) -> tuple[str, ...]:
        """Return the archetypes of formations likely to be in an area, sorted, or () if there are none."""
        there = {key: spread[area] for key, spread in self.where.items() if spread.get(area, 0) >= WHOLE // 5}
        options = {option for key in there for option in self.board.formations[key].options}
        return tuple(sorted({self.board.companies[each].archetype for each in options}))


def _start(card: FormationCard) -> Spread:
    if card.enters > 1 and card.entries:
        return {}
    if card.historical:
        others = [area for area in card.start if area != card.historical]
        if not others:
            return {card.historical: WHOLE}
        rest = 200 // len(others)
        return {card.historical: WHOLE - rest * len(others)} | (dict.fromkeys(others, rest) if rest else {})
    return {area: WHOLE // len(card.start) for area in card.start}


def _reach(card: FormationCard) -> int:
    """Return the number of areas that a formation may move in a turn."""
    return 1 if ALLOWANCE[card.mobility] <= 2 else 2


def _whole(spread: Spread) -> Spread:
    """Return a distribution scaled to ``WHOLE``, without tiny shares, sorted by area."""
    kept = {area: share for area, share in spread.items() if share >= LEAST_SHARE} or spread
    total = max(1, sum(kept.values()))
    return {area: WHOLE * share // total for area, share in sorted(kept.items())}
