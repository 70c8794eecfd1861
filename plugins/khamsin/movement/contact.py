"""Engagements that result from the moves (KH-12.01, KH-12.06, KH-12.13), and the retreat of lone artillery."""

from collections.abc import Iterator, Mapping

from khamsin.leaders.leaders import follow, surrender_with
from khamsin.model.battle_events import EngagementFound, FormationRetreated
from khamsin.model.cards import ENEMY, SIDES, Board
from khamsin.model.events import ControlChanged, FormationLost
from khamsin.model.forces import (
    areas_of,
    card_id,
    composition,
    in_area,
    is_enemy_occupied,
    occupied_by,
    on_map,
    strength,
)
from khamsin.model.state import KhamsinState
from khamsin.movement.march import Leg
from sandtable import Procedure

MOVING, STATIONARY, FORTIFIED = "moving", "stationary", "fortified"
"""Columns of the engagement table (KH-12.06)."""

Forces = dict[str, list[str]]
Clashes = Mapping[Leg, Forces]


def find_engagements(state: KhamsinState, clashes: Clashes) -> Procedure:
    """Yield the engagements of the turn, sorted by id."""
    on_connectors = {each for forces in clashes.values() for force in forces.values() for each in force}
    found = [*_in_areas(state, on_connectors), *(_on_connector(state, leg, clashes[leg]) for leg in clashes)]
    yield from sorted(found, key=lambda each: each.engagement)


def _on_connector(state: KhamsinState, connector: Leg, forces: Forces) -> EngagementFound:
    a, b = connector
    return EngagementFound(
        engagement=f"{a}~{b}",
        area=a,
        other=b,
        forces={side: sorted(forces[side]) for side in SIDES},
        origins={each: state.formations[each].area for force in forces.values() for each in sorted(force)},
        composition={side: composition(state, forces[side]) for side in SIDES},
        column=MOVING,
        stationary="",
        holder="",
        rule="KH-12.13",
    )


def _in_areas(state: KhamsinState, elsewhere: set[str]) -> Iterator[EngagementFound]:
    """Yield an engagement for each area with fighters of both sides, except formations that fight on a connector."""
    for area in sorted(areas_of(state, SIDES[0]) & areas_of(state, SIDES[1])):
        forces = {side: [each for each in in_area(state, side, area) if each not in elsewhere] for side in SIDES}
        if not all(strength(state, force) for force in forces.values()):
            continue
        still = _still_sides(state, area, forces)
        if len(still) == len(SIDES):
            continue  # KH-R25: neither side has ordered an assault
        side = still[0] if still else ""
        yield EngagementFound(
            engagement=area,
            area=area,
            other="",
            forces=forces,
            origins={},
            composition={each: composition(state, force) for each, force in forces.items()},
            column=_column(state, area, side, forces),
            stationary=side,
            holder=state.control[area],
        )


def _still_sides(state: KhamsinState, area: str, forces: Forces) -> list[str]:
    """Return the stationary sides. If neither side moved, return the sides that order no assault (KH-R25).

    A path that has only the formation's own area orders an assault.
    """
    still = [side for side in SIDES if is_stationary(state, forces[side])]
    if len(still) < len(SIDES):
        return still
    return [side for side in SIDES if not _assaults(state, side, area, forces[side])]


def _assaults(state: KhamsinState, side: str, area: str, force: list[str]) -> bool:
    sheet = state.sheets.get(side)
    return sheet is not None and any(sheet.moves.get(each) == [area] for each in force)


def is_stationary(state: KhamsinState, force: list[str]) -> bool:
    """Return whether a force in an area is stationary this turn (KH-8.16, KH-R23, KH-R24)."""
    fighters = [each for each in force if state.formations[each].strength]
    still = [each for each in fighters if not state.formations[each].moved]
    status = state.options["mixed_force_status"]
    if status == "per_formation":
        return bool(still) and len(still) == len(fighters)
    if status == "majority_strength":
        return 2 * strength(state, still) > strength(state, fighters)
    return bool(still)


def _column(state: KhamsinState, area: str, still: str, forces: Forces) -> str:
    """Return the column of the engagement table (KH-12.06, KH-R26)."""
    if not still:
        return MOVING
    board: Board = state.board
    unmoved = [each for each in forces[still] if state.formations[each].strength and not state.formations[each].moved]
    cards = tuple(sorted({card_id(state, each) for each in unmoved}))
    return FORTIFIED if board.is_fortified(area, still, cards) else STATIONARY


# --- artillery that only bombards ---


def withdraw_guns(state: KhamsinState) -> Procedure:
    """Retreat formations that cannot fight from areas with enemies and without friends that can fight (KH-20.01).

    If neither side can fight in an area, only the formations of the side that does not control it retreat.
    """
    for side in SIDES:
        for each in on_map(state, side):
            formation = state.formations[each]
            if formation.strength or formation.area in occupied_by(state, side):
                continue
            met = formation.area in areas_of(state, ENEMY[side]) and state.control[formation.area] != side
            if met or is_enemy_occupied(state, side, formation.area):
                yield from _fall_back(state, each)


def _fall_back(state: KhamsinState, formation_id: str) -> Procedure:
    """Retreat a formation to an adjacent area without enemies, or remove it if there is none (KH-20.03).

    It prefers an area with friends that can fight, then one that its side controls, then the first id.
    """
    board: Board = state.board
    formation = state.formations[formation_id]
    side, start = formation.side, formation.area
    barred, friends = areas_of(state, ENEMY[side]), occupied_by(state, side)
    areas = [each for each in board.neighbors[start] if each not in barred]
    if not areas:
        yield FormationLost(formation_id, side, start, "surrendered", "KH-20.03")
        yield from surrender_with(state, side, start)
        return
    end = min(areas, key=lambda each: (each not in friends, state.control[each] != side, each))
    yield FormationRetreated(formation_id, side, start, end)
    if state.control[end] != side:
        yield ControlChanged(end, side)
    yield from follow(state, side, start, [end])
