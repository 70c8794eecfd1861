"""Who has won (KH-25): conditions that end a campaign at once, and the better position when time is up."""

from khamsin.model.board import Board
from khamsin.model.cards import ENEMY, SIDES, Broken, Chain, Condition
from khamsin.model.events import ConditionCounted, MedalsAwarded
from khamsin.model.state import IN_BASE, LOST, KhamsinState
from sandtable.kernel.events import GameEnded
from sandtable.kernel.sequence import Procedure

OBJECTIVE, BROKEN, POSITION, EVEN = "objective", "broken", "position", "even"
"""Endings: a condition about areas, or about the enemy's formations; the better position, or none better."""

DRAW = "draw"


def judge(state: KhamsinState) -> Procedure:
    """Count the conditions of victory, and end the campaign if one is met, or time is up (KH-R110)."""
    board: Board = state.board
    won: dict[str, str] = {}
    for number, condition in enumerate(board.victory.conditions):
        key = str(number)
        turns = state.held.get(key, 0) + 1 if holds(state, condition) else 0
        if turns != state.held.get(key, 0):
            yield ConditionCounted(key, turns)
        if turns >= turns_of(condition):
            won.setdefault(condition.side, BROKEN if isinstance(condition, Broken) else OBJECTIVE)
    if not won and state.turn < board.turns:
        return
    yield MedalsAwarded({side: best_players(state, side) for side in SIDES})
    yield _won(board, won) if won else _position(state)


def best_players(state: KhamsinState, side: str) -> list[str]:
    """Return the players of a side with most honour, those who share it included (KH-24.10, KH-R112), sorted."""
    board: Board = state.board
    players = {player: state.honour.get(player, 0) for player in board.commanders[side]}
    return sorted(player for player, points in players.items() if points == max(players.values()))


def turns_of(condition: Condition) -> int:
    """Return for how many turns running a condition must hold."""
    return 1 if isinstance(condition, Broken) else condition.turns


def holds(state: KhamsinState, condition: Condition) -> bool:
    """Return whether a condition of victory holds now."""
    if isinstance(condition, Broken):
        return sum(is_out(state, each) for each in condition.of) >= condition.count
    if isinstance(condition, Chain):
        return _is_chain(state, condition)
    return state.control[condition.area] == condition.side


def is_out(state: KhamsinState, formation_id: str) -> bool:
    """Return whether a formation is combat ineffective or out of the campaign."""
    return state.formations[formation_id].standing in (IN_BASE, LOST)


def _is_chain(state: KhamsinState, chain: Chain) -> bool:
    """Return whether areas of the side join both ends, ends included."""
    board: Board = state.board
    if state.control[chain.start] != chain.side or state.control[chain.end] != chain.side:
        return False
    reached, edge = {chain.start}, [chain.start]
    for here in edge:
        for near in board.neighbours[here]:
            if near not in reached and state.control[near] == chain.side:
                reached.add(near)
                edge.append(near)
    return chain.end in reached


def _won(board: Board, won: dict[str, str]) -> GameEnded:
    """Return the end for the sides that meet a condition, each with its ending; both at once by the module's ranks."""
    first = [side for side in board.victory.ranks if side in won]
    if len(won) > 1 and not first:
        return GameEnded(DRAW, EVEN, "KH-R110")
    side = first[0] if len(won) > 1 else next(iter(won))
    return GameEnded(side, won[side], "KH-25.02")


def scores(state: KhamsinState) -> dict[str, int]:
    """Return the position of each side: the module's points, or objectives held where it gives none (KH-R111)."""
    board: Board = state.board
    worth = board.victory.score or dict.fromkeys(board.objectives, 1)
    points = {side: sum(n for area, n in worth.items() if state.control[area] == side) for side in SIDES}
    for formation_id in board.formations:
        if is_out(state, formation_id):
            points[ENEMY[state.formations[formation_id].side]] += board.victory.ineffective
    return points


def _position(state: KhamsinState) -> GameEnded:
    points = scores(state)
    first, second = SIDES
    ahead = points[first] - points[second]
    if abs(ahead) < max(1, state.board.victory.margin):
        return GameEnded(DRAW, EVEN, "KH-25.03")
    return GameEnded(first if ahead > 0 else second, POSITION, "KH-25.03")
