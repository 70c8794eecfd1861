"""The actions of an engagement: the umpire receives a brief and reports a result (KH-3.11, KH-18.02)."""

from functools import partial

from khamsin.engagement.briefs import briefs_of, fielded_in, sums_of
from khamsin.engagement.mission import label
from khamsin.leaders.honor import honor_battle
from khamsin.leaders.leaders import settle_casualties
from khamsin.model.battle_events import BattleBriefed, BattleFought
from khamsin.model.state import Engagement, KhamsinState
from khamsin.movement.out_of_sight import out_of_sight
from sandtable import UMPIRE, Decision, Form, Procedure
from sandtable.tabletop import ANY_RULESET, Brief, Count, Draws, ReportBattle, Result, space_for

SOURCES = ("table", "resolver", ANY_RULESET)
"""Sources that a result may name."""

FIELD_RULES = {
    "winner": "KH-18.02",
    "points": "KH-18.02",
    "platoons": "KH-21.04",
    "short": "KH-21.01",
    "recovery": "KH-22.02",
    "casualties": "KH-23.01",
    "heroic": "KH-24.03",
    "unchivalrous": "KH-24.08",
    "transfers": "KH-15.13",
}
"""Rules cited for invalid fields of a result."""

DRAWS: dict[str, Draws] = {"one_plus_lost": "one_plus_lost", "three_three": "three_three"}
COUNTS: dict[str, Count] = {"whole_platoon": "whole_platoon", "destroyed_only": "destroyed_only"}


def fight(state: KhamsinState, engagement: Engagement) -> Procedure:
    """Let the table fight all actions in order, and return pairs of brief and result."""
    fought: list[tuple[Brief, Result]] = []
    briefs = briefs_of(state, engagement)
    for brief in briefs:
        yield BattleBriefed(engagement.id, brief, calculations=sums_of(state, engagement, brief))
    for brief in briefs:
        order: ReportBattle = yield _report_decision(state, engagement, brief)
        yield BattleFought(engagement.id, brief.action, order.result)
        yield from honor_battle(state, order.result, fielded_in(engagement, brief.action))
        yield from out_of_sight(partial(settle_casualties, result=order.result), "casualty", "KH-23.02")
        fought.append((brief, order.result))
    return fought


def _report_decision(state: KhamsinState, engagement: Engagement, brief: Brief) -> Decision:
    number = f", action {brief.action} of {brief.actions}" if brief.actions > 1 else ""
    prompt = f"report the battle at {brief.place_title}{number}: {brief.mission}"
    purpose = f"report.{label(engagement)}.{brief.action}"
    return Decision(UMPIRE, prompt, report_space(state, brief), "KH-18.02", secret=True, purpose=purpose)


def report_space(state: KhamsinState, brief: Brief) -> Form:
    """Return the space of the reports of a battle."""
    options = state.options
    return space_for(
        brief,
        FIELD_RULES,
        rule="KH-18.02",
        draws=DRAWS[options["draw_vp"]],
        afv_count=COUNTS[options["afv_count"]],
        sources=SOURCES,
    )
