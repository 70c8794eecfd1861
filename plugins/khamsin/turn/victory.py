"""The end phase (KH-3.13, KH-3.14): control, reports of both sides (KH-6), and victory (KH-25)."""

from khamsin.model.battle_events import records_by_side
from khamsin.model.cards import ENEMY, RECON, SIDES, Board, Broken, Chain, Condition
from khamsin.model.events import (
    ConditionCounted,
    ControlChanged,
    DoctrineEnded,
    FormationJoined,
    MedalsAwarded,
    ReportIssued,
)
from khamsin.model.forces import areas_of, card, composition, in_area, occupied_by, on_map
from khamsin.model.state import IN_BASE, LOST, ON_MAP, KhamsinState, Summary
from sandtable import Calculation, GameEnded, HiddenStep, Procedure

OBJECTIVE, BROKEN, POSITION, EVEN = "objective", "broken", "position", "even"
"""Endings: a condition about areas or about enemy formations is met, a side has the better position, or neither."""

DRAW = "draw"


def check_victory(state: KhamsinState) -> Procedure:
    """Count the victory conditions, and end the campaign if one is met, or after the last turn (KH-R110).

    The medals name the deciding condition or the scores; they are the last event before the end.
    """
    board: Board = state.board
    won: dict[str, str] = {}
    met: list[Calculation] = []
    for number, condition in enumerate(board.victory.conditions):
        key = str(number)
        before = state.held.get(key, 0)
        counted = _turns_held(before, now=holds(state, condition))
        turns = counted.total
        if turns != before:
            yield ConditionCounted(key, turns, calculations=(counted,))
        if turns >= turns_of(condition):
            won.setdefault(condition.side, BROKEN if isinstance(condition, Broken) else OBJECTIVE)
            met.append(Calculation(f"condition.{key}.{condition.side}", ((condition.text, turns, "KH-25.01"),)))
    if not won and state.turn < board.turns:
        return
    best = {side: best_players(state, side) for side in SIDES}
    yield MedalsAwarded(best, calculations=tuple(met) if won else _sums_of_position(state))
    yield _won(board, won) if won else _position(state)


def _turns_held(before: int, *, now: bool) -> Calculation:
    """Return the calculation of the consecutive turns for which a condition has held, after ``before`` turns."""
    change = ("holds now", 1, "KH-25.01") if now else ("no longer holds", -before, "KH-25.01")
    return Calculation("turns", (("previous turns", before, "KH-25.01"), change) if before else (change,))


def best_players(state: KhamsinState, side: str) -> list[str]:
    """Return the players of a side with the most honor, ties included (KH-24.10, KH-R112), sorted."""
    board: Board = state.board
    players = {player: state.honor.get(player, 0) for player in board.commanders[side]}
    return sorted(player for player, points in players.items() if points == max(players.values()))


def turns_of(condition: Condition) -> int:
    """Return the number of consecutive turns for which a condition must hold."""
    return 1 if isinstance(condition, Broken) else condition.turns


def holds(state: KhamsinState, condition: Condition) -> bool:
    """Return whether a victory condition holds now."""
    if isinstance(condition, Broken):
        return sum(is_out(state, each) for each in condition.of) >= condition.count
    if isinstance(condition, Chain):
        return _is_chain(state, condition)
    return state.control[condition.area] == condition.side


def is_out(state: KhamsinState, formation_id: str) -> bool:
    """Return whether a formation is combat ineffective or out of the campaign."""
    return state.formations[formation_id].standing in (IN_BASE, LOST)


def _is_chain(state: KhamsinState, chain: Chain) -> bool:
    """Return whether areas of the side connect both ends, ends included."""
    board: Board = state.board
    if state.control[chain.start] != chain.side or state.control[chain.end] != chain.side:
        return False
    reached, edge = {chain.start}, [chain.start]
    for here in edge:
        for near in board.neighbors[here]:
            if near not in reached and state.control[near] == chain.side:
                reached.add(near)
                edge.append(near)
    return chain.end in reached


def _won(board: Board, won: dict[str, str]) -> GameEnded:
    """Return the end of the campaign if conditions are met.

    If both sides meet one, the module's ranks decide, or it is a draw.
    """
    first = [side for side in board.victory.ranks if side in won]
    if len(won) > 1 and not first:
        return GameEnded(DRAW, EVEN, "KH-R110")
    side = first[0] if len(won) > 1 else next(iter(won))
    return GameEnded(side, won[side], "KH-25.02")


def scores(state: KhamsinState) -> dict[str, int]:
    """Return each side's score: the module's points, or the number of objectives if it gives no points (KH-R111)."""
    board: Board = state.board
    worth = board.victory.score or dict.fromkeys(board.objectives, 1)
    points = {side: sum(n for area, n in worth.items() if state.control[area] == side) for side in SIDES}
    for formation_id in board.formations:
        if is_out(state, formation_id):
            points[ENEMY[state.formations[formation_id].side]] += board.victory.ineffective
    return points


def _sums_of_position(state: KhamsinState) -> tuple[Calculation, ...]:
    """Return the calculations of both scores and of the lead. At the end all sides see them."""
    board: Board = state.board
    worth = board.victory.score or dict.fromkeys(board.objectives, 1)
    found = []
    for side in SIDES:
        steps = [(area, points, "KH-R111") for area, points in worth.items() if state.control[area] == side]
        enemies = [each for each in board.formations if state.formations[each].side == ENEMY[side]]
        points = board.victory.ineffective * sum(is_out(state, each) for each in enemies)
        steps += [("enemy formations ineffective or gone", points, "KH-R111")] if points else []
        found.append(Calculation(f"points.{side}", tuple(steps)))
    first, second = found
    lead = ((SIDES[0], first.total, "KH-25.03"), (SIDES[1], -second.total, "KH-25.03"))
    return (first, second, Calculation("ahead", lead))


def _position(state: KhamsinState) -> GameEnded:
    points = scores(state)
    first, second = SIDES
    ahead = points[first] - points[second]
    if abs(ahead) < max(1, state.board.victory.margin):
        return GameEnded(DRAW, EVEN, "KH-25.03")
    return GameEnded(first if ahead > 0 else second, POSITION, "KH-25.03")


def occupied_areas(state: KhamsinState, side: str) -> list[str]:
    """Return the areas with enemy formations that are next to a side's formations, sorted (KH-6.03).

    Guns without companies count as formations on both sides. Leaders do not (KH-6.06, KH-6.07).
    """
    around = _next_to(state, on_map(state, side))
    return sorted(around & areas_of(state, ENEMY[side]))


def compositions(state: KhamsinState, side: str) -> dict[str, dict[str, int]]:
    """Return enemy companies by class in the areas next to a side's reconnaissance (KH-6.04, KH-6.05)."""
    board: Board = state.board
    weather = board.weather.cards.get(state.weather)
    if weather is not None and not weather.composition:
        return {}
    seen = _next_to(state, [each for each in on_map(state, side) if _looks(state, each)])
    enemy = ENEMY[side]
    areas = sorted(seen & areas_of(state, enemy))
    return {area: composition(state, in_area(state, enemy, area)) for area in areas}


def summaries(state: KhamsinState) -> list[Summary]:
    """Return the public results of the engagements of the turn (KH-6.02), by id."""
    return [Summary(key, dict(it.points), it.winner, it.scale) for key, it in sorted(state.engagements.items())]


def _looks(state: KhamsinState, formation_id: str) -> bool:
    """Return whether a formation has recon mobility; whether this counts out of supply is an option (KH-R102)."""
    blind = state.options["intel_oos_recon"] == "loses" and not state.formations[formation_id].supplied
    return card(state, formation_id).mobility == RECON and not blind


def _next_to(state: KhamsinState, formations: list[str]) -> set[str]:
    board: Board = state.board
    return {near for each in formations for near in board.neighbors[state.formations[each].area]}


def end(state: KhamsinState) -> Procedure:
    """Update control, let parts rejoin, issue the reports, and check victory."""
    yield from _control(state)
    yield HiddenStep(_join_parts, records_by_side)
    for side in SIDES:
        yield ReportIssued(side, occupied_areas(state, side), compositions(state, side), summaries(state))
    yield from check_victory(state)


def _control(state: KhamsinState) -> Procedure:
    """Give an area to the only side with fighting formations in it (KH-3.13)."""
    held = {side: occupied_by(state, side) for side in SIDES}
    for side in SIDES:
        for area in sorted(held[side] - held[ENEMY[side]]):
            if state.control[area] != side:
                yield ControlChanged(area, side, "KH-3.13")


def _join_parts(state: KhamsinState) -> Procedure:
    """Let parts rejoin, then end the doctrine of formations on the map that did not move (KH-R117, KH-20.10)."""
    yield from _join(state)
    for formation_id, formation in sorted(state.formations.items()):
        if formation.doctrine and formation.standing == ON_MAP and not formation.moved:
            yield DoctrineEnded(formation_id, formation.side)


def _join(state: KhamsinState) -> Procedure:
    """Let a part in the same area as its formation rejoin it (KH-R117)."""
    for piece, part in sorted(state.formations.items()):
        whole = state.formations.get(part.parent)
        if whole is not None and part.standing == whole.standing == ON_MAP and part.area == whole.area:
            yield FormationJoined(part.parent, part.side, piece)
