"""The commander's situation: the points that both sides can field, and the shares of the possible decisions."""

from collections.abc import Mapping
from typing import Any

from axis_attack.bots.campaign import Chances, Course, Game, Last, chances, course_of
from axis_attack.model.cards import ENEMY, GERMAN, SIDES, Board
from axis_attack.model.strength import size_of_level
from axis_attack.model.tables import STEP_POINTS, STEPS_MOST
from sandtable import Stream
from sandtable.tabletop import SR1, ln_ratio

LEAST = 200
"""Minimum points of a company, because it has its headquarters and dice will raise it."""

LASTING = 700
"""The part of an advantage that is left in later games, in thousandths: losers rebuild, winners have losses."""

LOST = {True: 200, False: 400}
"""The part of its fielded points that a side loses, in thousandths, if it wins (True) or does not."""


class Situation:
    """A commander's view, board and side, and the values computed from them."""

    def __init__(self, view: Any, board: Board, side: str, stream: Stream) -> None:
        self.view, self.board, self.side, self.stream = view, board, side, stream
        self.roster = view.rosters.get(side, {})
        self.balance = view.balance.get(side, 0)
        self.games = board.turns - view.turn + 1
        self.game = Game(view.mission, view.attacker)

    def share(self, german: int) -> int:
        """Return the side's own share, given the Germans' share."""
        return german if self.side == GERMAN else 1_000_000 - german

    def points(self) -> dict[str, int]:
        """Return the points of each side's company. Enemy platoons that are not known count at full strength."""
        return {side: max(LEAST, self._own() if side == self.side else self._enemy()) for side in SIDES}

    def _own(self) -> int:
        company = self.board.lists[self.side]
        return company.hq_points + sum(self.worth(self.side, each.type, each.level) for each in self.roster.values())

    def _enemy(self) -> int:
        side = ENEMY[self.side]
        company, seen = self.board.lists[side], self.view.rosters.get(side, {})
        whole = sum(company.types[each.type].sizes[-1].points for each in seen.values())
        now = sum(self.worth(side, each.type, each.level) for each in seen.values())
        return company.hq_points + now + max(0, self.board.points_of(side) - company.hq_points - whole)

    def worth(self, side: str, type_id: str, level: int) -> int:
        """Return the points of a platoon at a level."""
        size = size_of_level(self.board.lists[side].types[type_id], level)
        return size.points if size else 0

    def fielded(self) -> dict[str, int]:
        """Return both sides' points in the turn's game: those of the shown forces, or before that the maximum."""
        if len(self.view.forces) == len(SIDES):
            return {side: self.view.forces[side].points for side in SIDES}
        points, most = self.points(), self.board.limit
        paid = {side: STEP_POINTS * min(STEPS_MOST, self.view.balance.get(side, 0)) for side in SIDES}
        return {side: min(points[side], most + paid[side]) for side in SIDES}

    def chances(self, game: Game) -> Chances:
        """Return the probabilities of a game this turn."""
        return chances(self.board, game, _odds(self.fielded()))

    def course(self, points: Mapping[str, int] | None = None) -> Course:
        """Return the course of the campaign if both sides can field ``points`` (default: current) in later games."""
        most = self.board.limit
        able = {side: min(most, max(LEAST, each)) for side, each in (points or self.points()).items()}
        return course_of(self.board, _odds(able) * LASTING // 1000)

    def fought(self) -> int:
        """Return the side's share if the game of the turn is fought, with the expected losses of both sides."""
        fielded, points, chance = self.fielded(), self.points(), self.chances(self.game)
        total = 0
        for winner in (*SIDES, ""):
            left = {side: points[side] - fielded[side] * LOST[side == winner] // 1000 for side in SIDES}
            rows = {side: row if side == winner else (0, 0, 0) for side, row in chance.won.items()}
            part = Chances(rows, 0 if winner else chance.drawn)
            total += self.course(left).expected(self.games, self.view.sector, self.game, part)
        return self.share(total)

    def conceded(self) -> int:
        """Return the side's share if it concedes the game of the turn, in which no platoon is lost."""
        result = Last(ENEMY[self.side], 6)
        return self.share(self.course().after(self.games, self.view.sector, self.game, result))

    def of_mission(self, mission: str, attackers: list[str]) -> int:
        """Return the side's share before a game of this mission, averaged over the possible attackers."""
        course, sector = self.course(), self.view.sector
        games = [Game(mission, each) for each in attackers]
        return sum(self.share(course.expected(self.games, sector, each, self.chances(each))) for each in games) // len(
            games
        )


def _odds(points: Mapping[str, int]) -> int:
    """Return the Germans' log-odds, in millionths, from the points of both sides."""
    own, enemy = (max(LEAST, points[side]) for side in SIDES)
    return SR1.exponent * ln_ratio(own, enemy)
