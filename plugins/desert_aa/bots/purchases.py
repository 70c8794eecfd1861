"""The commander's purchases: troops and, if useful, minefields, flak and planes."""

from collections.abc import Iterable, Mapping

from desert_aa.bots.position import Position
from desert_aa.bots.settings import Settings
from desert_aa.model.board import FAR
from desert_aa.model.tables import (
    ARMOR,
    ARTILLERY,
    BOMBER,
    FIGHTER,
    FLAK,
    INFANTRY,
    MINEFIELD,
    MINEFIELD_COST,
    PLANES,
    SIDE_OF,
    VALUES,
)

MIX = (INFANTRY, ARMOR, INFANTRY, ARTILLERY, ARMOR, INFANTRY)
"""The kinds that are bought in turn, as long as money is left."""


def purchase(position: Position, money: int, prices: Mapping[str, int], settings: Settings) -> dict[str, int]:
    """Return the purchase: a minefield, a flak gun and a plane if useful, and troops for the rest."""
    bought: dict[str, int] = {}
    if not position.home_is_weak():
        for kind in specials(position, settings):
            if kind == MINEFIELD and money < 2 * MINEFIELD_COST:
                continue  # a minefield may cost at most half of the money
            if prices.get(kind, FAR) <= money:
                bought[kind] = 1
                money -= prices[kind]
    for kind, number in shopping(money, prices).items():
        bought[kind] = bought.get(kind, 0) + number
    return bought


def shopping(money: int, prices: Mapping[str, int]) -> dict[str, int]:
    """Return the purchase for ``money``: the mix, kind by kind, repeated while any kind is affordable."""
    bought: dict[str, int] = {}
    while True:
        before = money
        for kind in MIX:
            if prices.get(kind, FAR) <= money:
                bought[kind] = bought.get(kind, 0) + 1
                money -= prices[kind]
        if money == before:
            return bought


def specials(position: Position, settings: Settings) -> Iterable[str]:
    """Yield the useful kinds other than troops, the most urgent first; near the end of the game, none."""
    if position.is_late:
        return
    if wants_minefield(position, settings):
        yield MINEFIELD
    if settings.flak and wants_flak(position, settings):
        yield FLAK
    planes = [each for each in position.units.values() if each.power == position.power and each.kind in PLANES]
    if len(planes) < settings.wings:
        yield BOMBER if raid_pays(position) else FIGHTER


# --- minefields ---


def wants_minefield(position: Position, settings: Settings) -> bool:
    """Return whether another minefield is useful. Minefields that wait to be laid count toward the maximum."""
    laid = sum(SIDE_OF[mine.power] == position.side for mine in position.view.minefields.values())
    waits = sum(position.view.mines_waiting.get(power, 0) for power in SIDE_OF if SIDE_OF[power] == position.side)
    if laid + waits >= settings.mines:
        return False
    places = [each for each in position.board.mineable if each not in position.hostile]
    best = best_places(position, places)[:1]
    return bool(best) and field_worth(position, best[0]) >= settings.mine


def best_places(position: Position, places: Iterable[str]) -> list[str]:
    """Return the spaces for minefields, the best first."""
    return sorted(places, key=lambda each: (-field_worth(position, each), each))


def field_worth(position: Position, space: str) -> int:
    """Return the value of a minefield in ``space``, from the enemy units in reach and the attraction of the ground."""
    if space in position.view.minefields:
        return 0
    threat = len(position.threat_to(space))
    board = position.board
    draws = board.value[space] * 2 + 4 * (space in board.zones)
    homes = [*(zone for zone in board.zones if zone not in position.hostile), board.capitals[position.side]]
    for home in homes:
        to_home = board.land_distance[home]
        if any(
            board.land_distance[there][space] + to_home[space] <= to_home[there] + 1
            for there in position.foes
            if board.land_distance[there][space] <= 2
        ):
            draws += 3
    return min(threat, 6) + draws if threat else 0


# --- flak and planes ---


def wants_flak(position: Position, settings: Settings) -> bool:
    """Return whether another flak gun is useful.

    A zone or the capital needs one if it has no flak, holds units that cost ``settings.flak`` and is in reach of enemy
    planes. No gun is bought while the side has one that is neither in a zone nor in the capital.
    """
    board = position.board
    fliers = [unit for foes in position.foes.values() for each in foes if (unit := position.units[each]).kind in PLANES]
    if not fliers or any(
        position.kind(each) == FLAK and not _is_well_placed(position, each) for each in _own(position)
    ):
        return False
    for space in dict.fromkeys((*board.zones, board.capitals[position.side])):
        units = position.mine.get(space, [])
        if space in position.hostile or any(position.kind(each) == FLAK for each in units):
            continue
        stands = sum(position.cost(each) for each in units)
        in_reach = any(
            board.air_distance[unit.space][space] * 2 <= VALUES[unit.power][unit.kind].move for unit in fliers
        )
        if in_reach and stands >= settings.flak:
            return True
    return False


def _own(position: Position) -> list[str]:
    return [each for units in position.mine.values() for each in units]


def _is_well_placed(position: Position, unit_id: str) -> bool:
    """Return whether a flak gun is in a zone or the capital."""
    board, space = position.board, position.space(unit_id)
    return space in board.zones or space == board.capitals[position.side]


def raid_pays(position: Position) -> bool:
    """Return whether an enemy zone with units has no flak."""
    return any(
        position.defense_in(space) and not any(position.kind(each) == FLAK for each in position.foes[space])
        for space in position.board.zones
        if space in position.foes
    )


def minefields_wanted(position: Position, most: int, settings: Settings) -> int:
    """Return the number of minefields to buy if they are bought separately (DAA-R37)."""
    return min(most, 1) if not position.is_late and MINEFIELD_COST and wants_minefield(position, settings) else 0
