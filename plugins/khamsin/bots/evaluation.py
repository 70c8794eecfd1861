"""Evaluation of an unfinished campaign: nearness to victory conditions, strength, and lead in points (KH-25).

All values are in thousandths. Of several conditions of a kind, the nearest counts. The weights were fitted to the
winners of campaigns between two commanders and between two random players.
"""

from math import isqrt

from khamsin.model.cards import AXIS, ENEMY, SIDES, Board, Broken, Chain, Condition, Held
from khamsin.model.state import ON_MAP, WAITING, KhamsinState
from khamsin.model.tables import INEFFECTIVE
from khamsin.turn.victory import is_out, scores, turns_of

AIMS: dict[type[Condition], int] = {Held: 2, Chain: 3, Broken: 2}
"""Weights of the conditions: an area, a chain of areas, the enemy's formations broken."""
STRENGTH, POSITION = 2, 1
"""Weights of the share of companies, and of the lead in points; the latter grows with the turns."""
MAX_AHEAD = 3
"""Maximum lead that counts, in victory margins."""
SURE = 5
"""Distance of the surest win from certainty."""

Fit = dict[str, dict[str, int]]
"""Fit companies by side and area, in units of 1/``INEFFECTIVE``. Formations that arrive later are in area ""."""


def evaluate(state: KhamsinState, board: Board) -> dict[str, int]:
    """Return each side's share in the game, in thousandths."""
    fit = _fit(state)
    worth = {side: sum(_aims(state, board, side, fit).values()) + STRENGTH * _part(fit, side) for side in SIDES}
    ahead = worth[AXIS] - worth[ENEMY[AXIS]] + POSITION * _position(state, board)
    more = min(500 * abs(ahead) // isqrt(4_000_000 + ahead * ahead), 500 - SURE)
    axis = 500 + more if ahead > 0 else 500 - more
    return {AXIS: axis, ENEMY[AXIS]: 1000 - axis}


def _fit(state: KhamsinState) -> Fit:
    """Count fit companies. Attrition reduces them; formations out of supply or not on the map count half."""
    fit: Fit = {side: {} for side in SIDES}
    for it in state.formations.values():
        if it.standing in (ON_MAP, WAITING):
            book = state.formations[it.parent] if it.parent else it
            whole = it.strength * max(0, INEFFECTIVE - book.armor - book.general)
            is_here = it.standing == ON_MAP
            area = it.area if is_here else ""
            fit[it.side][area] = fit[it.side].get(area, 0) + (whole if is_here and it.supplied else whole // 2)
    return fit


def _part(fit: Fit, side: str) -> int:
    """Return a side's share of all companies."""
    mine, theirs = sum(fit[side].values()), sum(fit[ENEMY[side]].values())
    return 1000 * mine // max(1, mine + theirs)


def _position(state: KhamsinState, board: Board) -> int:
    """Return the lead of the Axis in victory margins, scaled by the share of turns that have begun (KH-R111)."""
    points, margin = scores(state), max(1, board.victory.margin)
    lead = points[AXIS] - points[ENEMY[AXIS]]
    margins = min(1000 * abs(lead) // margin, 1000 * MAX_AHEAD) * min(state.turn, board.turns) // board.turns
    return margins if lead > 0 else -margins


# --- victory conditions ---


def _aims(state: KhamsinState, board: Board, side: str, fit: Fit) -> dict[type[Condition], int]:
    """Return, by kind, the weighted nearness of a side's nearest condition."""
    found: dict[type[Condition], int] = {}
    for number, aim in enumerate(board.victory.conditions):
        if aim.side != side:
            continue
        if isinstance(aim, Broken):
            near = _broken(state, aim)
        else:
            turns = turns_of(aim) - min(state.held.get(str(number), 0), turns_of(aim) - 1)
            near = _chain(state, board, aim, turns) if isinstance(aim, Chain) else _area(state, board, aim, turns, fit)
        found[type(aim)] = max(found.get(type(aim), 0), AIMS[type(aim)] * near)
    return found


def _broken(state: KhamsinState, aim: Broken) -> int:
    """Return the wear of the most worn formations of a condition, as many as it needs."""
    worn = []
    for each in aim.of:
        it = state.formations[each]
        worn.append(INEFFECTIVE if is_out(state, each) else min(INEFFECTIVE, it.armor + it.general))
    return 1000 * sum(sorted(worn)[-aim.count :]) // (aim.count * INEFFECTIVE)


def _area(state: KhamsinState, board: Board, aim: Held, turns: int, fit: Fit) -> int:
    """Return the side's share of the companies in and next to an area, with half an enemy company added.

    If the side controls the area, the result is at least 1000 divided by the remaining turns.
    """
    around = (aim.area, *board.neighbors[aim.area])
    mine, theirs = (sum(fit[side].get(area, 0) for area in around) for side in (aim.side, ENEMY[aim.side]))
    near = 1000 * mine // (mine + theirs + INEFFECTIVE // 2)
    return max(near, 1000 // turns) if state.control[aim.area] == aim.side else near


def _chain(state: KhamsinState, board: Board, aim: Chain, turns: int) -> int:
    """Return the nearness of a chain: 1000 divided by its missing areas plus the remaining turns."""
    missing, edge, beyond, reached = 0, [], [aim.start], {aim.start}
    if state.control[aim.start] == aim.side:
        edge, beyond = beyond, edge
    while edge or beyond:  # areas of the side first, because they cost nothing
        if not edge:
            edge, beyond, missing = beyond, [], missing + 1
        here = edge.pop()
        if here == aim.end:
            break
        for near in board.neighbors[here]:
            if near not in reached:
                reached.add(near)
                (edge if state.control[near] == aim.side else beyond).append(near)
    return 1000 // (missing + turns)
