"""The probability of winning a campaign, computed backward from its end.

A campaign without its armies has few positions: the sector of the front, the remaining games, and the winner and points
of the last game. Two dice then decide the next mission and its attacker (AOA-8.01), and each result moves the front
(AOA-7.01), up to the end (AOA-12.02). The log-odds of a game are the same for all remaining games. The table of a board
and its log-odds is computed once and cached.

A share is a probability of winning, where a draw counts half.
"""

from functools import lru_cache
from typing import NamedTuple

from axis_attack.mission.front import BREAKTHROUGH, HOLD, RETREAT, both_attack
from axis_attack.model.cards import COMBAT, ENEMY, FOOT, GERMAN, SIDES, SOVIET, Board
from axis_attack.model.tables import WON_AS_DEFENDER, mission_of
from axis_attack.turn.table import ATTACKS_FIRST
from sandtable.tabletop import MILLION, SR1, WON, bands, table_key

SURE = 1_000_000
"""The share of a certain win. All shares are those of the Germans."""

STEP, FURTHEST = 200_000, 4_000_000
"""The rounding step and the limit of log-odds, in millionths, so that few tables are computed."""

MODIFIERS = (0, WON_AS_DEFENDER["minus_2"])


class Last(NamedTuple):
    """The last game, for the selection: winner ("" for a draw), the winner's points, and its modifier as defender."""

    winner: str = ""
    points: int = 0
    modifier: int = 0


class Game(NamedTuple):
    """A future game: its mission and its attacker."""

    mission: str
    attacker: str


LASTS = (Last(), *(Last(side, points, each) for side in SIDES for points, _ in WON for each in MODIFIERS))


class Course:
    """The Germans' shares of a campaign on ``board`` if they have these log-odds, in millionths, in each game."""

    def __init__(self, board: Board, odds: int) -> None:
        self.board = board
        self._games = {
            game: chances(board, game, odds)
            for mission in board.missions
            for game in (Game(mission, side) for side in SIDES)
        }
        self._next_games = {last: _selections(_Same(board), last) for last in LASTS}
        self._wheels = {side: has_wheels(board, side) for side in SIDES}
        self._shares: dict[tuple[int, int, Last], int] = {}
        sectors = range(board.home[GERMAN], board.home[SOVIET] + 1)
        for games in range(board.turns + 1):
            for sector in sectors:
                self._compute(games, sector)

    def _compute(self, games: int, sector: int) -> None:
        if not games:
            self._shares.update(dict.fromkeys(((0, sector, last) for last in LASTS), at_the_end(self.board, sector)))
            return
        played = {game: self.expected(games, sector, game, chance) for game, chance in self._games.items()}
        for last, weighted in self._next_games.items():
            total = sum(number * played[game] for game, number in weighted)
            self._shares[games, sector, last] = total // sum(number for _, number in weighted)

    def before(self, games: int, sector: int, last: Last) -> int:
        """Return the share with ``games`` left, before the mission of the next one is selected."""
        return self._shares[games, sector, last]

    def expected(self, games: int, sector: int, game: Game, chance: "Chances") -> int:
        """Return the share before ``game``, the first of ``games``, with the probabilities ``chance`` of results."""
        total = chance.drawn * self.after(games, sector, game, Last())
        for side, row in chance.won.items():
            for (points, _), each in zip(WON, row, strict=True):
                total += each * self.after(games, sector, game, Last(side, points))
        return total // MILLION

    def after(self, games: int, sector: int, game: Game, result: Last) -> int:
        """Return the share if ``game``, the first of ``games``, ends with ``result``.

        The winner of a breakthrough takes the better of one and two sectors if its list has vehicles.
        """
        board, winner = self.board, result.winner
        if not winner:
            return self._shares[games - 1, sector, Last()]
        mission = board.missions[game.mission]
        attacked = both_attack(mission) or winner == game.attacker
        if attacked and sector == board.home[ENEMY[winner]]:
            return SURE * (winner == GERMAN)
        code = mission.attacker if attacked else mission.defender
        last = Last(winner, result.points, MODIFIERS[not attacked and not mission.fair_fight])
        if code == HOLD:
            return self._shares[games - 1, sector, last]
        toward = board.home[ENEMY[game.attacker] if code == RETREAT else ENEMY[winner]]
        step = (toward > sector) - (toward < sector)
        share = self._shares[games - 1, sector + step, last]
        if code == BREAKTHROUGH and abs(toward - sector) > 1 and self._wheels[winner]:
            further = self._shares[games - 1, sector + 2 * step, last]
            return max(share, further) if winner == GERMAN else min(share, further)
        return share


class Chances(NamedTuple):
    """The probabilities of a game's results in millionths: a win by 6-1, 5-2 and 4-3 for each side, and a draw."""

    won: dict[str, tuple[int, int, int]]
    drawn: int


def course_of(board: Board, odds: int) -> Course:
    """Return the course of campaigns in which the Germans have these log-odds, rounded to ``STEP``."""
    near = (min(max(odds, -FURTHEST), FURTHEST) + STEP // 2) // STEP * STEP
    return _course(_Same(board), near)


class _Same:
    """A board as a key of a cache, compared by identity."""

    def __init__(self, board: Board) -> None:
        self.board = board

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.board is self.board

    def __hash__(self) -> int:
        return id(self.board)


@lru_cache(maxsize=128)
def _course(same: _Same, odds: int) -> Course:
    return Course(same.board, odds)


def at_the_end(board: Board, sector: int) -> int:
    """Return the Germans' share after the last game with the front in this sector (AOA-12.03, AOA-12.04)."""
    near = [abs(sector - board.home[side]) <= 1 for side in SIDES]
    return SURE // 2 if near[0] == near[1] else SURE * near[1]


def chances(board: Board, game: Game, odds: int) -> Chances:
    """Return the probabilities of a game in which the Germans have these log-odds before the mission's bias."""
    mission = board.missions[game.mission]
    bias = 0 if both_attack(mission) else 1000 * SR1.bias.get(table_key(mission.tabletop or mission.title), 0)
    odds += bias if game.attacker == GERMAN else -bias
    won = {side: _won(odds if side == GERMAN else -odds, fair_fight=mission.fair_fight) for side in SIDES}
    return Chances(won, MILLION - sum(map(sum, won.values())))


def _won(odds: int, *, fair_fight: bool) -> tuple[int, int, int]:
    found = [0] * len(WON)
    for band, chance in bands(odds, fair_fight=fair_fight).items():
        for lost in SR1.winner_lost.get(band, ()):
            found[min(lost, len(WON) - 1)] += chance // 6
    first, second, third = found
    return first, second, third


@lru_cache(maxsize=64)
def _selections(same: _Same, last: Last) -> tuple[tuple[Game, int], ...]:
    """Return the games that may follow the last one, each with its weight (AOA-8.01 to AOA-8.18)."""
    board = same.board
    lost = dict(WON).get(last.points, 1)
    own = {side: last.points + last.modifier if side == last.winner else lost for side in SIDES}
    found: dict[Game, int] = {}
    for throw in range(36):
        dice = dict(zip(SIDES, divmod(throw, 6), strict=True))
        totals = {side: 1 + dice[side] + own[side] for side in SIDES}
        top = max(totals.values())
        ahead = [side for side in SIDES if totals[side] == top]
        mission = mission_of(top)
        either = ahead if len(ahead) == 1 else attackers(board, mission)
        for side in either:
            game = Game(mission, side)
            found[game] = found.get(game, 0) + 2 // len(either)
    return tuple(found.items())


def attackers(board: Board, mission: str) -> list[str]:
    """Return the possible attackers after equal totals (AOA-R38).

    In a defensive battle the types of companies decide, unless they are equal; in other missions either may attack.
    """
    if board.missions[mission].defensive_battle:
        ranks = {side: ATTACKS_FIRST.index(board.lists[side].company) for side in SIDES}
        if len(set(ranks.values())) > 1:
            return [min(SIDES, key=lambda side: ranks[side])]
    return list(SIDES)


def has_wheels(board: Board, side: str) -> bool:
    """Return whether a side's list has combat platoons with vehicles; others cannot move two sectors (AOA-3.11)."""
    return any(each.slot == COMBAT and each.transport != FOOT for each in board.lists[side].types.values())
