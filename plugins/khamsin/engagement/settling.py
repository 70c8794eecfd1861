"""Consequences of engagements: control, regrouping, retreats, advances, ineffective formations (KH-3.12)."""

from khamsin.engagement.outcome import Outcome, origin_of, outcome_of, precipitous
from khamsin.engagement.retreat import advance, retreat, storm
from khamsin.model.battle_events import (
    EnemyOverwhelmed,
    EngagementSettled,
    FormationRetreated,
    RegroupOwed,
    records_by_side,
)
from khamsin.model.cards import ENEMY, SIDES, Board
from khamsin.model.events import ControlChanged, FormationDisabled
from khamsin.model.forces import fighters_in, in_area, is_ineffective
from khamsin.model.handlers import ledger
from khamsin.model.state import ON_MAP, Engagement, KhamsinState
from sandtable import Calculation, HiddenStep, Procedure

Retreats = dict[str, dict[str, list[str]]]
"""Formations that must retreat, by area and side."""


def settle(state: KhamsinState, engagements: list[Engagement]) -> Procedure:
    """Settle engagements together: all outcomes, then all retreats, then all advances (KH-R50, KH-R56)."""
    outcomes = {each.id: outcome_of(state, each) for each in engagements}
    stormed = {
        origin_of(state, each, ENEMY[side]): side for each in engagements if (side := outcomes[each.id].storming)
    }
    yield HiddenStep(lambda work: _settle_at_once(work, engagements, outcomes, stormed), records_by_side)
    yield from _retreat_all(state, engagements, outcomes, stormed)
    for each in engagements:
        outcome = outcomes[each.id]
        if outcome.storming:
            target = origin_of(state, each, ENEMY[outcome.storming])
            yield from storm(state, each, outcome.storming, target)
        elif outcome.advancing:
            yield from advance(state, each, outcome.advancing)
    for each in engagements:
        yield EngagementSettled(each.id)


def _settle_at_once(
    state: KhamsinState, engagements: list[Engagement], outcomes: dict[str, Outcome], stormed: dict[str, str]
) -> Procedure:
    """Carry out the consequences that need no decision: control, regrouping, ineffective formations, falling back."""
    for each in engagements:
        yield from _apply(state, each, outcomes[each.id])
    yield from disable_ineffective(state)
    yield from _fall_back(state, engagements, outcomes)
    for area, side in sorted(stormed.items()):
        enemies = in_area(state, ENEMY[side], area)
        if enemies:
            engagement = next(each for each in engagements if _is_stormed(state, each, outcomes[each.id], area))
            yield RegroupOwed(engagement.id, ENEMY[side], enemies, "KH-12.19")


def _apply(state: KhamsinState, engagement: Engagement, outcome: Outcome) -> Procedure:
    """Change control of the area, and record the formations that must regroup or have an advantage next turn."""
    if outcome.controller and state.control[engagement.area] != outcome.controller:
        yield ControlChanged(engagement.area, outcome.controller, outcome.rule)
    for side in SIDES:
        hasty = precipitous(state, engagement, side)
        if hasty:
            yield RegroupOwed(engagement.id, side, hasty, "KH-19.11")
        if outcome.resting.get(side):
            yield RegroupOwed(engagement.id, side, sorted(outcome.resting[side]), outcome.resting_rule)
        if side == outcome.overwhelmed_by:
            yield EnemyOverwhelmed(engagement.id, side, sorted(engagement.forces[side]))


def disable_ineffective(state: KhamsinState) -> Procedure:
    """Move every ineffective formation on the map to its side's base (KH-22.14)."""
    board: Board = state.board
    for each in sorted(state.formations):
        formation = state.formations[each]
        if formation.standing == ON_MAP and is_ineffective(state, each):
            base = board.base[formation.side]
            yield FormationDisabled(each, formation.side, formation.area, base, calculations=(_attrition(state, each),))


def _attrition(state: KhamsinState, formation_id: str) -> Calculation:
    book = ledger(state, formation_id)
    return Calculation("attrition", (("armor", book.armor, "KH-21.14"), ("general", book.general, "KH-21.14")))


# --- retreats ---


def _fall_back(state: KhamsinState, engagements: list[Engagement], outcomes: dict[str, Outcome]) -> Procedure:
    """Move formations on a connector back to their areas, except those that storm the enemy's (KH-12.16, KH-12.17).

    On the map they have not left their areas, so each retreat begins and ends in the same area.
    """
    for each in engagements:
        storming = outcomes[each.id].storming
        for formation_id, area in sorted(each.origins.items()):
            formation = state.formations[formation_id]
            if formation.side != storming and formation.standing == ON_MAP:
                rule = "KH-12.17" if formation.side == each.winner else "KH-12.16"
                yield FormationRetreated(formation_id, formation.side, area, area, rule)


def _retreat_all(
    state: KhamsinState, engagements: list[Engagement], outcomes: dict[str, Outcome], stormed: dict[str, str]
) -> Procedure:
    """Carry out the retreats area by area; in each, the side that did not control it goes first (KH-R53).

    ``stormed`` has the areas that a side is about to occupy. Its enemies leave them and may not retreat into them.
    """
    retreats = _retreats(state, engagements, outcomes)
    for area, side in sorted(stormed.items()):
        retreats.setdefault(area, {})[ENEMY[side]] = in_area(state, ENEMY[side], area)
    _drive_off(state, engagements, outcomes, retreats)
    owners = {each.area: each.holder for each in engagements if each.holder}
    for area in sorted(retreats):
        owner = owners.get(area, state.control[area])
        for side in (ENEMY[owner], owner):
            going = [each for each in retreats[area].get(side, ()) if state.formations[each].standing == ON_MAP]
            barred = [each for each, by in stormed.items() if by != side]
            yield from retreat(state, side, going, barred)


def _is_stormed(state: KhamsinState, engagement: Engagement, outcome: Outcome, area: str) -> bool:
    return bool(outcome.storming) and origin_of(state, engagement, ENEMY[outcome.storming]) == area


def _retreats(state: KhamsinState, engagements: list[Engagement], outcomes: dict[str, Outcome]) -> Retreats:
    retreats: Retreats = {}
    for each in engagements:
        for side, force in outcomes[each.id].retreating.items():
            going = [one for one in force if state.formations[one].standing == ON_MAP]
            if going:
                retreats.setdefault(each.area, {})[side] = going
    return retreats


def _drive_off(
    state: KhamsinState, engagements: list[Engagement], outcomes: dict[str, Outcome], retreats: Retreats
) -> None:
    """Add the retreat of formations that fell back from a connector into an area with enemies that stay (KH-20.02).

    Storming formations do not fall back; they continue to the loser's area (KH-12.18).
    """
    for each in engagements:
        for formation_id, area in sorted(each.origins.items()):
            formation = state.formations[formation_id]
            side, leaving = formation.side, retreats.get(area, {})
            enemies = fighters_in(state, ENEMY[side], area)
            stay = [one for one in enemies if one not in leaving.get(ENEMY[side], ())]
            going = leaving.get(side, [])
            falls_back = formation.standing == ON_MAP and side != outcomes[each.id].storming
            if falls_back and stay and formation_id not in going:
                retreats.setdefault(area, {})[side] = sorted([*going, formation_id])
