"""Sentences for the events of engagements, from contact to retreat."""

from collections.abc import Callable
from typing import Any

from khamsin.model import battle_events as battle
from khamsin.model.cards import Board
from khamsin.model.state import Fielded
from khamsin.ui.terms import (
    MISSION_MODES,
    at_words,
    attrition_words,
    composition_words,
    piece_words,
    pieces_words,
    side_words,
)
from sandtable import Event
from sandtable.pictures import in_words, listed

ADVANTAGES = {
    "strength": "strength",
    "connectors": "approach from several directions",
    "overwhelmed": "overwhelming win last turn",
    "assimilating": "enemy assimilating replacements",
}
COLUMNS = {"moving": "both sides moving", "stationary": "{side} stationary", "fortified": "{side} in fortifications"}


def _found(event: battle.EngagementFound, board: Board) -> str:
    opponents = []
    for side in board.sides:
        named, classes = event.forces.get(side), event.composition.get(side)
        made_of = f" ({composition_words(classes)})" if classes else ""
        met = pieces_words(named, board) if named else "a force"
        opponents.append(f"{met} of {side_words(side, board)}{made_of}")
    stood = side_words(event.stationary, board) if event.stationary else ""
    column = COLUMNS.get(event.column, in_words(event.column)).format(side=stood or "the defender")
    return f"Contact {at_words(event.engagement, board)}: {' against '.join(opponents)}, {column}."


def _advantage(event: battle.AdvantageAssessed, board: Board) -> str:
    if not event.favored:
        return f"Neither side has an advantage {at_words(event.engagement, board)}."
    texts = []
    for side, points in event.points.items():
        why = [f"{ADVANTAGES.get(reason, in_words(reason))} {value}" for reason, value in points]
        texts += [f" Points of {side_words(side, board)}: {listed(why)}."] if why else []
    side = side_words(event.favored, board)
    return f"{side} has an advantage of {event.net} {at_words(event.engagement, board)}.{''.join(texts)}"


def _fielded(event: battle.CompaniesFielded, board: Board) -> str:
    texts = listed(_company(each, board) for each in event.companies)
    return f"{side_words(event.side, board)} fields {at_words(event.engagement, board)}: {texts or 'nothing'}."


def _company(company: Fielded, board: Board) -> str:
    title = board.companies[company.company].title if company.company in board.companies else in_words(company.company)
    owner = f" of {piece_words(company.formation, board)}" if company.formation else ""
    more = [company.player] if company.player else []
    more += ["command team"] if company.command else []
    more += ["extra points"] if company.bonus else []
    more += ["air support"] if company.air else []
    more += [f"stratagems of {company.stratagems}"] if company.stratagems else []
    return f"{title}{owner}" + (f" ({', '.join(more)})" if more else "")


BATTLE_FUNCTIONS: dict[type[Event], Callable[[Any, Board], str]] = {
    battle.EngagementFound: _found,
    battle.AdvantageAssessed: _advantage,
    battle.CompaniesFielded: _fielded,
}
"""Functions that return the sentence of an event, by type of event."""


def _chosen(event: battle.WithdrawalChosen) -> str:
    leaving = "{leaving:pieces}" if event.leaving else "{number:formation}"
    more = f", and {leaving} {'leaves' if event.number == 1 else 'leave'}" if event.number else ""
    return f"{{engagement:at}} {{side:side}} {{how:withdrawal}}{more}."


def _fought(event: battle.BattleFought) -> str:
    if event.result.conceded:
        return "Action {action} {engagement:at}: {result.conceded:side} concedes."
    won = "a draw" if event.result.winner == "draw" else "won by {result.winner:side}"
    brave = " Heroism: {result.heroic:list}." if event.result.heroic else ""
    return f"Action {{action}} {{engagement:at}}: {won}, {{result.points:score}}.{brave}"


BATTLE_SENTENCES: dict[type[Event], str | Callable[[Any], str]] = {
    battle.WithdrawalChosen: _chosen,
    battle.FormationWithdrew: lambda event: (
        f"{{formation:piece}} {{how:withdrawal}} from {{engagement:place}}{' (dice {dice:dice})' * bool(event.dice)}: "
        f"{attrition_words(event.armor, event.general)}."
    ),
    battle.WithdrawalAllowed: lambda event: (
        "{sides:sides} may leave {engagement:place} without a fight: the enemy lets the withdrawal go."
        if event.rule == "KH-19.08"
        else "There is no fight {engagement:at}: {sides:sides} withdrew."
    ),
    battle.ModeAgreed: lambda event: (
        "Both sides agree on {mode:mode} {engagement:at}." if event.mode in MISSION_MODES else ""
    ),
    battle.MissionSet: "{engagement:place}: {mission}{die:die}, {number:action}.",
    battle.BattleBriefed: lambda event: (
        "The brief for {engagement:place} goes to the umpire: {brief.mission}"
        f"{', action {brief.action} of {brief.actions}' * (event.brief.actions > 1)}."
    ),
    battle.BattleFought: _fought,
    battle.VehiclesRecovered: "{formation:piece} recovers {recovered:vehicle} (dice {dice:dice}, {needs} or more).",
    battle.ActionCounted: lambda event: (
        f"In action {{action}}, {{formation:piece}} takes {attrition_words(event.armor, event.general)}"
        f"{', halved' * event.halved}."
    ),
    battle.AttritionTaken: lambda event: (
        f"{{formation:piece}} takes {attrition_words(event.armor, event.general)} {{engagement:at}}."
    ),
    battle.EngagementDecided: lambda event: (
        "Victory for {winner:side} {engagement:at} {scale:scale}: {points:score}."
        if event.winner
        else "Neither side wins {engagement:at}: {points:score}."
    ),
    battle.RegroupOwed: lambda event: "{formations:pieces} must regroup next turn [{rule}]." * bool(event.formations),
    battle.EnemyOverwhelmed: lambda event: (
        "{formations:pieces} will have an advantage next turn [{rule}]." * bool(event.formations)
    ),
    battle.FormationRetreated: lambda event: (
        "{formation:piece} falls back to {area:area}."
        if event.start == event.area
        else "{formation:piece} retreats from {start:area} to {area:area}."
    ),
    battle.FormationAdvanced: "{formation:piece} advances to {area:area}.",
    battle.EngagementSettled: "",
}
"""Sentences by type of event, to be filled by ``Filled``, or functions that return them."""
