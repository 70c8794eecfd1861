"""The evaluation of a campaign by the front, the remaining games, and the points that both sides can field.

It computes the remaining games by sector: the side that fields more points wins more often, the front follows the
winner, and the endings are those of the rules (AOA-12.01 to AOA-12.04). The game of the turn uses its mission, and
later games an average mission. The constants were fitted to campaigns between two commanders.
"""

from axis_attack.mission.front import HOLD, RETREAT, both_attack
from axis_attack.model.cards import ENEMY, GERMAN, SIDES, SOVIET, Board
from axis_attack.model.state import AxisState
from axis_attack.model.strength import size_of_level
from axis_attack.model.tables import STEPS_MOST

WHOLE = 1_000_000
"""The share of a certain win in the computation; results are in thousandths."""

POWER = 3
"""The exponent of fielded points in the odds of a game: 1,500 points against 1,200 win two games in three."""

RESERVES = 4
"""The divisor of points above the limit of a game, which are a reserve for lost platoons."""

POINT_WORTH, POINTS_COUNTED = 25, 2 * STEPS_MOST
"""The value of a victory point in points of troops, up to the number that two games can use (AOA-3.03)."""

LASTING = 5
"""By the next game, an advantage shrinks by 1/``LASTING``, because losers rebuild and winners have losses."""

STANDSTILL = 4
"""The front does not move after one in ``STANDSTILL`` games, because some missions hold it."""


def evaluate(state: AxisState, board: Board) -> dict[str, int]:
    """Return the winning share of each side in thousandths; a stalemate is half for each."""
    is_over = bool(state.track) and state.track[-1].turn == state.turn
    games = board.turns - state.turn + (state.turn > 0 and not is_over)
    chances = _chances(state, board, games)
    is_settled = bool(games and state.mission) and not is_over and state.phase != "selection"
    shares = _shares(board, chances[1:] if is_settled else chances)
    share = _this_game(state, board, chances[0], shares) if is_settled else shares[state.sector]
    german = (share * 1000 + WHOLE // 2) // WHOLE
    return {GERMAN: german, SOVIET: 1000 - german}


def strength(state: AxisState, board: Board, side: str) -> int:
    """Return the points that a side can field in the next games, including the headquarters.

    A company that is not built yet counts with its maximum cost.
    """
    company, roster = board.lists[side], state.rosters[side]
    points = company.hq_points if roster else board.points_of(side)
    for platoon in roster.values():
        size = size_of_level(company.types[platoon.type], platoon.level)
        points += size.points if size else 0
    spare = max(0, points - board.limit)
    return points - spare + spare // RESERVES + POINT_WORTH * min(state.balance[side], POINTS_COUNTED)


def _chances(state: AxisState, board: Board, games: int) -> list[int]:
    """Return the Germans' probability of winning each remaining game, out of ``WHOLE``; an advantage fades."""
    own, theirs = (max(1, strength(state, board, side)) ** POWER for side in SIDES)
    advantage, both = own - theirs, 2 * (own + theirs)
    margin, sign = WHOLE * abs(advantage) // both, 1 if advantage > 0 else -1
    chances = []
    for _ in range(games):
        chances.append(WHOLE // 2 + sign * margin)
        margin -= margin // LASTING
    return chances


def _shares(board: Board, chances: list[int]) -> dict[int, int]:
    """Return the Germans' share by sector before games with these probabilities; beyond a home the campaign ends."""
    home, last = board.home[GERMAN], board.home[SOVIET]
    shares = {sector: _at_the_end(board, sector) for sector in range(home, last + 1)}
    for chance in reversed(chances):
        ahead = {**shares, home - 1: 0, last + 1: WHOLE}
        for sector, share in shares.items():
            moved = (chance * ahead[sector + 1] + (WHOLE - chance) * ahead[sector - 1]) // WHOLE
            shares[sector] = moved + (share - moved) // STANDSTILL
    return shares


def _at_the_end(board: Board, sector: int) -> int:
    """Return the Germans' share after the last game with the front in this sector (AOA-12.03, AOA-12.04)."""
    near = [abs(sector - board.home[side]) <= 1 for side in SIDES]
    return WHOLE // 2 if near[0] == near[1] else WHOLE * near[1]


def _this_game(state: AxisState, board: Board, chance: int, shares: dict[int, int]) -> int:
    """Return the Germans' share before the game of the turn, from the results of its mission for each winner."""
    roles = [state.attacker] if state.attacker else list(SIDES)
    won, lost = (sum(_after(state, board, winner, each, shares) for each in roles) // len(roles) for winner in SIDES)
    return (chance * won + (WHOLE - chance) * lost) // WHOLE


def _after(state: AxisState, board: Board, winner: str, attacker: str, shares: dict[int, int]) -> int:
    """Return the Germans' share after ``winner`` wins the game of the turn (AOA-7.01, AOA-12.01)."""
    mission, sector = board.missions[state.mission], state.sector
    attacked = both_attack(mission) or winner == attacker
    if attacked and sector == board.home[ENEMY[winner]]:
        return WHOLE * (winner == GERMAN)
    code = mission.attacker if attacked else mission.defender
    if code == HOLD:
        return shares[sector]
    goal = board.home[ENEMY[attacker] if code == RETREAT else ENEMY[winner]]
    return shares[sector + (goal > sector) - (goal < sector)]
