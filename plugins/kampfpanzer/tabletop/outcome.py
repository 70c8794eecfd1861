"""The result of a battle, converted from the end of the game to the terms of the campaign's table.

A platoon whose counters are all destroyed is lost, unless it is independent. If more than half of its counters are
destroyed or have disruption of two levels or more, it is below half strength; an armored platoon loses two more
vehicles instead. Trucks are transports. Aircraft do not count.
"""

from collections.abc import Iterator, Mapping

from kampfpanzer.model.board import Board
from kampfpanzer.model.state import DESTROYED, KampfState, Unit
from kampfpanzer.tabletop.plans import attacker_of
from kampfpanzer.tabletop.rosters import Squad, squads
from kampfpanzer.tabletop.stage import sides_of
from sandtable.tabletop import ARMOR, DRAW, Brief, Platoon, PlatoonLosses, Result, Terms, drawn_points, won_points

SHAKEN = 2
"""Minimum level of disruption of a counter that counts as shaken."""
SHAKEN_VEHICLES = 2
NONE = PlatoonLosses()


def report(terms: Terms, state: KampfState, board: Board) -> Result:
    """Return the result of a battle that is over."""
    brief = terms.brief
    mustered = squads(brief)
    losses = {side: dict(_losses(brief, side, mustered[side], state)) for side in brief.sides}
    lost = {side: sum(each.lost for each in losses[side].values()) for side in brief.sides}
    winner = _winner(terms, state)
    points = drawn_points(brief, lost, terms.draws) if winner == DRAW else won_points(brief, winner, lost[winner])
    return Result(
        winner,
        points,
        platoons={side: each for side, each in losses.items() if each},
        casualties=_casualties(brief, losses),
        recon_ahead=_ahead(brief, winner, mustered, losses, state, board),
        turns=state.turn,
        note=f"{board.title}: {state.ending}",
    )


def _winner(terms: Terms, state: KampfState) -> str:
    """Return the winner; if a draw is not allowed, an attacker without success has lost."""
    brief = terms.brief
    names = {name: side for side, name in sides_of(brief).items()}
    if state.outcome != DRAW:
        return names[state.outcome]
    if terms.may_be_drawn:
        return DRAW
    return brief.enemy_of(attacker_of(brief))


def _losses(brief: Brief, side: str, own: list[Squad], state: KampfState) -> Iterator[tuple[str, PlatoonLosses]]:
    """Yield the platoons with losses, and these losses."""
    known = brief.platoons(side)
    carriers = {each.platoon: each for each in own if each.what == "truck"}
    for squad in own:
        if squad.fights:
            platoon = known[squad.platoon]
            trucks = carriers.get(squad.platoon)
            transports = platoon.transports * _gone(trucks, state) // trucks.number if trucks else 0
            losses = _of_platoon(platoon, squad, state, transports)
            if losses != NONE:
                yield platoon.id, losses


def _units(squad: Squad, state: KampfState) -> list[Unit]:
    return [unit for unit in state.units.values() if unit.kind == squad.name]


def _gone(squad: Squad, state: KampfState) -> int:
    return sum(unit.standing == DESTROYED for unit in _units(squad, state))


def _of_platoon(platoon: Platoon, squad: Squad, state: KampfState, transports: int) -> PlatoonLosses:
    gone, fielded = _gone(squad, state), platoon.fielded
    if gone == squad.number:
        return PlatoonLosses(fielded, lost=not platoon.independent, transports=transports)
    destroyed = fielded * gone // squad.number
    shaken = sum(unit.standing != DESTROYED and unit.disruption >= SHAKEN for unit in _units(squad, state))
    if 2 * (shaken + gone) > squad.number:
        hurt = destroyed + SHAKEN_VEHICLES if platoon.kind in ARMOR else fielded // 2 + 1
        destroyed = max(destroyed, hurt)
    return PlatoonLosses(min(destroyed, fielded - 1), transports=transports)


def _casualties(brief: Brief, losses: Mapping[str, Mapping[str, PlatoonLosses]]) -> dict[str, tuple[str, ...]]:
    """Return the characters whose platoon was destroyed; they ride with the platoons in the order of the roster."""
    found = {}
    for side in brief.sides:
        rides = [name for name, each in brief.platoons(side).items() if each.fielded]
        people = brief.parties[side].characters
        hit = tuple(
            person
            for place, person in enumerate(people)
            if _is_gone(brief, side, rides[place % len(rides)], losses[side])
        )
        if hit:
            found[side] = hit
    return found


def _is_gone(brief: Brief, side: str, platoon: str, losses: Mapping[str, PlatoonLosses]) -> bool:
    return platoon in losses and losses[platoon].destroyed == brief.platoons(side)[platoon].fielded


def _ahead(
    brief: Brief,
    winner: str,
    mustered: Mapping[str, list[Squad]],
    losses: Mapping[str, Mapping[str, PlatoonLosses]],
    state: KampfState,
    board: Board,
) -> tuple[str, ...]:
    """Return the winner's recon platoons that survived and have an undisrupted counter in the enemy's half."""
    if winner == DRAW:
        return ()
    known = brief.platoons(winner)
    middle = max(int(each[2:]) for each in board.hexmap.numbers) // 2
    is_north = sides_of(brief)[winner] == board.sides[0]  # the defender sets up first, and in the north
    found = []
    for squad in mustered[winner]:
        if squad.fights and known[squad.platoon].recon and not _is_gone(brief, winner, squad.platoon, losses[winner]):
            rows = [int(unit.hex[2:]) for unit in _units(squad, state) if unit.hex and not unit.disruption]
            if any((row > middle) == is_north for row in rows):
                found.append(squad.platoon)
    return tuple(found)
