"""The commander's combat moves: values of targets, forces for attacks, armor raids on empty ground, bomber raids."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from desert_aa.bots.odds import WHOLE, odds
from desert_aa.bots.position import Position
from desert_aa.bots.settings import Settings
from desert_aa.model.orders import MoveUnits
from desert_aa.model.tables import ARMOR, BOMBER, FLAK, PLANES

CAPITAL_WORTH = 200
ZONE_WORTH = 8
VALUE_WORTH = 4


def attacks(position: Position, settings: Settings) -> Iterator[MoveUnits]:
    """Yield useful combat moves, the best targets first, then raids by bombers that have no other move."""
    free = dict.fromkeys(position.able_to_attack(), True)
    for target in sorted(position.hostile, key=lambda each: (-worth(position, each, settings), each)):
        defense = position.defense_in(target)
        if settings.strip and not defense and not position.is_mined(target):
            there_and_back = _strip(position, target, free, settings)
            if there_and_back is not None:
                del free[there_and_back.units[0]]
                yield there_and_back
                continue
        paths = position.paths_to(target, free, is_defended=bool(defense), blitz=bool(settings.blitz))
        if not paths:
            continue
        chosen = enough(position, paths, defense, target, settings)
        for unit_id in chosen:
            del free[unit_id]
        yield from grouped({unit_id: paths[unit_id] for unit_id in chosen})
    if settings.raid:
        yield from raids(position, free)


def worth(position: Position, space: str, settings: Settings) -> int:
    """Return the value of taking ``space``."""
    board = position.board
    capital = CAPITAL_WORTH if board.capital_of.get(space, position.side) != position.side else 0
    cut = settings.cut * position.cut_from(space)
    return capital + ZONE_WORTH * (space in board.zones) + VALUE_WORTH * board.value[space] + cut + 1


def enough(
    position: Position, paths: Mapping[str, list[str]], defense: Sequence[int], target: str, settings: Settings
) -> list[str]:
    """Return units that can take ``target`` with a margin, taken in order of strength, or [] if all are too few.

    Empty ground without a known minefield needs only the cheapest land unit. A capital, or another target of at least
    its worth, is attacked with all units if they win at least every second battle.
    """
    land = [each for each in paths if position.kind(each) not in PLANES]
    if not land:
        return []
    mined = position.is_mined(target)
    if not defense and not mined:
        return [min(land, key=lambda each: (position.cost(each), len(paths[each]), each))]
    if mined and len(land) * 2 < 3 * len(defense) + 6:
        return []  # mines destroy a third, and the remaining units must win and sweep
    order = sorted(paths, key=lambda each: (position.kind(each) in PLANES, -position.attack(each), each))
    late = position.is_late and position.board.value[target] > 0
    chosen: list[str] = []
    for each in order:
        chosen.append(each)
        if any(one in land for one in chosen) and _wins(position, chosen, defense, settings, late=late):
            return chosen
    prize = worth(position, target, settings) >= CAPITAL_WORTH
    return order if prize and odds(position.attack_of(order), defense).wins * 2 >= WHOLE else []


def _wins(position: Position, units: Sequence[str], defense: Sequence[int], settings: Settings, *, late: bool) -> bool:
    """Return whether an attack wins with a probability of ``settings.chance`` and leaves enough units on average.

    One in ``settings.spare`` of the units must be left, or if ``late`` that part of a single unit.
    """
    found = odds(position.attack_of(units), defense)
    spare = 1000 if late else 1000 * len(units)
    return found.wins * 1000 >= settings.chance * WHOLE and found.attackers * settings.spare >= spare


def _strip(position: Position, target: str, free: Mapping[str, bool], settings: Settings) -> MoveUnits | None:
    """Return the move of a tank onto valuable empty ground and back, or None.

    The tank returns because enemy units could attack it there. Returns None if the ground has no value, if no enemy
    unit threatens it, or if it cuts supply. In the last round, in which ground is worth more than tanks, the result is
    None too.
    """
    board = position.board
    last = position.turn == board.round_limit
    if last or not board.value[target] or target in position.foes or not position.threat_to(target):
        return None
    if settings.cut and position.cut_from(target):
        return None
    for start in board.land[target]:
        if start in position.hostile:
            continue
        for each in position.mine.get(start, ()):
            if each in free and position.kind(each) == ARMOR:
                return MoveUnits([each], [start, target, start])
    return None


def raids(position: Position, free: Mapping[str, bool]) -> Iterator[MoveUnits]:
    """Yield raids by free bombers on zones that enemy units hold without flak (DAA-13.01)."""
    board = position.board
    targets = [space for space in board.zones if position.defense_in(space) and not _has_flak(position, space)]
    for unit_id in sorted(each for each in free if position.kind(each) == BOMBER):
        reached = {space: path for space in targets if (path := position.flight_to(unit_id, space))}
        if reached:
            best = max(reached, key=lambda each: (len(position.foes[each]), each))
            yield MoveUnits([unit_id], reached[best], raid=True)


def _has_flak(position: Position, space: str) -> bool:
    return any(position.kind(each) == FLAK for each in position.foes.get(space, ()))


def grouped(moves: Mapping[str, list[str]]) -> Iterable[MoveUnits]:
    """Yield an order for each path, with all units that take it."""
    together: dict[tuple[str, ...], list[str]] = {}
    for unit_id in sorted(moves):
        together.setdefault(tuple(moves[unit_id]), []).append(unit_id)
    for path, units in together.items():
        yield MoveUnits(units, list(path))
