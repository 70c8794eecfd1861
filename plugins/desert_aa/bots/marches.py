"""The commander's non-combat moves: toward a capital in danger, or toward the enemy. Some units stay."""

from collections.abc import Iterable

from desert_aa.bots.attacks import grouped
from desert_aa.bots.odds import WHOLE, odds
from desert_aa.bots.position import Position
from desert_aa.bots.settings import Settings
from desert_aa.model.board import FAR
from desert_aa.model.orders import MoveUnits
from desert_aa.model.tables import ARMOR, FLAK, PLANES


def marches(position: Position, settings: Settings) -> Iterable[MoveUnits]:
    """Yield non-combat moves: toward the capital if it is weak and up to 4 steps away, otherwise toward the enemy."""
    home = position.board.capitals[position.side]
    towards_enemy = position.steps_to(position.goals())
    towards_home = position.board.land_distance[home]
    in_danger = position.home_is_weak()
    kept = dict.fromkeys([*position.garrison(), *keepers(position, settings)])
    moves: dict[str, list[str]] = {}
    paths: dict[tuple[str, int], list[str]] = {}
    for unit_id in position.able_to_march():
        if unit_id in kept:
            continue
        start = space, most = position.space(unit_id), position.steps_of(unit_id)
        if start not in paths:
            guards_home = in_danger and towards_home.get(space, FAR) <= 4
            towards, stop_at = (towards_home, 0) if guards_home else (towards_enemy, 1)
            paths[start] = position.step_on(space, most, towards, stop_at)
        if len(paths[start]) > 1:
            moves[unit_id] = paths[start]
    if settings.safe:
        _shorten(position, moves, settings)
    yield from grouped(moves)


def keepers(position: Position, settings: Settings) -> list[str]:
    """Return the cheapest ground unit, flak excluded, in each valuable space near enemy armor (DAA-16.04)."""
    if not settings.keep:
        return []
    kept = []
    for space, units in position.mine.items():
        foot = [each for each in units if position.kind(each) not in (*PLANES, FLAK)]
        if foot and position.board.value[space] >= settings.keep and _is_armor_near(position, space):
            kept.append(min(foot, key=lambda each: (position.cost(each), each)))
    return kept


def _is_armor_near(position: Position, space: str) -> bool:
    near = position.board.land_distance[space]
    return any(
        near.get(there, FAR) <= 2 and any(position.kind(each) == ARMOR for each in foes)
        for there, foes in position.foes.items()
    )


def _shorten(position: Position, moves: dict[str, list[str]], settings: Settings) -> None:
    """Shorten marches to spaces where an enemy attack wins with a probability above ``settings.safe``."""
    for _ in range(3):
        there = {space: list(units) for space, units in position.mine.items()}
        for unit_id, path in moves.items():
            there[path[0]].remove(unit_id)
            there.setdefault(path[-1], []).append(unit_id)
        bad = []
        for space in dict.fromkeys(path[-1] for path in moves.values()):
            threat = position.threat_to(space)
            units = [each for each in there[space] if position.kind(each) not in (*PLANES, FLAK)]
            if threat and odds(threat, position.defenses(units)).wins * 1000 > settings.safe * WHOLE:
                bad.append(space)
        if not bad:
            return
        for unit_id in [each for each, path in moves.items() if path[-1] in bad]:
            moves[unit_id] = moves[unit_id][:-1]
            if len(moves[unit_id]) < 2:
                del moves[unit_id]
