"""Where the enemy is thought to be: by formation a spread over areas, cut down by what the side has seen.

On the first turn it is the order of battle's own deployment. Each turn it spreads by what a formation can go, and more
to where there is something to have; an area that was looked at and found empty holds nobody, nor does one that is the
side's own: who stands alone in an area has it. Shares are in thousandths.
"""

from typing import Any

from khamsin.model.cards import ENEMY, Board, FormationCard
from khamsin.model.tables import ALLOWANCE

WHOLE = 1000
STAYS = 550
"""So much of a formation is thought to stay where it was."""
LEAST_SHARE = 15
"""A share below this is forgotten."""

COMES, SHY, USUAL_TURNS = 700, 120, 2
"""In so many cases an enemy of whom nothing is known comes, a timid one; the former counts for so many turns."""

Spread = dict[str, int]


class Belief:
    """What a side thinks of the enemy; it is told of every question, and goes on by turns."""

    def __init__(self, board: Board, side: str) -> None:
        self.board, self.side, self.enemy = board, side, ENEMY[side]
        self.where: dict[str, Spread] = {}
        self.turn = 0
        self._came: set[tuple[int, str]] = set()

    def update(self, view: Any, worth: dict[str, int]) -> None:
        """Take in what ``view`` tells; a turn that has gone by since spreads what was believed."""
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
        """Return where formations of the enemy begin: where they stood, or may stand."""
        return {
            key: _start(card)
            for key, card in self.board.formations.items()
            if card.side == self.enemy and (card.start or card.enters <= 1 or card.enters <= view.turn)
        }

    def _enter(self, turn: int) -> None:
        for key, card in self.board.formations.items():
            if card.side == self.enemy and card.enters == turn and card.entries:
                self.where[key] = {card.entries[0]: WHOLE}

    # --- a turn goes by ---

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
        """Cut away what is seen to be otherwise."""
        own = {it.area for it in view.formations.values() if it.side == self.side and it.standing == "map"}
        looked = {near for area in own for near in self.board.neighbours[area]}
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
        """Return an even spread over where somebody lost from sight can be; nobody is nowhere."""
        areas = [a for a in self.board.areas if view.control[a] == self.enemy and (a not in looked or a in occupied)]
        return {area: WHOLE // len(areas) for area in areas} if areas else {}

    # --- what is asked of it ---

    @property
    def bold(self) -> int:
        """In how many cases of a thousand the enemy comes where he can: by how often he came."""
        return max(SHY, COMES * (USUAL_TURNS + len(self._came)) // (USUAL_TURNS + max(1, self.turn)))

    def strength(self, area: str) -> int:
        """Return the companies that are expected in an area, in hundredths."""
        cards = self.board.formations
        return sum(cards[key].strength * spread[area] for key, spread in self.where.items() if area in spread) // 10

    def archetypes(self, area: str) -> tuple[str, ...]:
        """Return the archetypes of who most likely is in an area, sorted; of anybody where nobody is believed."""
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
    """Return how many areas away a formation may be after a turn."""
    return 1 if ALLOWANCE[card.mobility] <= 2 else 2


def _whole(spread: Spread) -> Spread:
    """Return a spread that makes a whole again, without crumbs, by area."""
    kept = {area: share for area, share in spread.items() if share >= LEAST_SHARE} or spread
    total = max(1, sum(kept.values()))
    return {area: WHOLE * share // total for area, share in sorted(kept.items())}
