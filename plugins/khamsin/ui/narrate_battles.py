"""Sentences for the events of engagements, from contact to retreat."""

from collections.abc import Callable
from typing import Any

from khamsin.model import battle_events as battle
from khamsin.model.cards import Board
from khamsin.model.state import Fielded
from khamsin.ui.terms import (
    MISSION_MODES,
    SCALE_WORDS,
    WITHDRAWAL_WORDS,
    area_words,
    at_words,
    composition_words,
    piece_words,
    pieces_words,
    place_words,
    score_words,
    side_words,
)
from sandtable.pictures import capital, counted, in_words, listed, spaced

ADVANTAGES = {
    "strength": "strength",
    "connectors": "coming from several directions",
    "overwhelmed": "the victory of the last turn",
    "assimilating": "raw replacements of the enemy",
}
COLUMNS = {"moving": "both on the move", "stationary": "{side} standing", "fortified": "{side} in fortifications"}


def _found(event: battle.EngagementFound, board: Board) -> str:
    who = []
    for side in board.sides:
        named, classes = event.forces.get(side), event.composition.get(side)
        made_of = f" ({composition_words(classes)})" if classes else ""
        met = pieces_words(named, board) if named else "a force"
        who.append(f"{met} of {side_words(side, board)}{made_of}")
    stood = side_words(event.stationary, board) if event.stationary else ""
    column = COLUMNS.get(event.column, in_words(event.column)).format(side=stood or "the defender")
    return f"Contact {at_words(event.engagement, board)}: {' against '.join(who)}, {column}."


def _chosen(event: battle.WithdrawalChosen, board: Board) -> str:
    at = at_words(event.engagement, board)
    how = WITHDRAWAL_WORDS.get(event.how, in_words(event.how))
    if not event.number:
        return f"{capital(at)} {side_words(event.side, board)} {how}."
    leaving = pieces_words(event.leaving, board) if event.leaving else counted(event.number, "formation")
    return f"{capital(at)} {side_words(event.side, board)} {how}; {leaving} {_verb(event.number, 'leaves', 'leave')}."


def _verb(number: int, one: str, many: str) -> str:
    return one if number == 1 else many


def _withdrew(event: battle.FormationWithdrew, board: Board) -> str:
    how = WITHDRAWAL_WORDS.get(event.how, in_words(event.how))
    rolled = f" (dice {spaced(event.dice)})" if event.dice else ""
    cost = _attrition(event.armor, event.general)
    return f"{piece_words(event.formation, board)} {how} from {place_words(event.engagement, board)}{rolled}: {cost}."


def _attrition(armor: int, general: int) -> str:
    told = [f"{armor} armor"] if armor else []
    told += [f"{general} general"] if general else []
    return f"{listed(told)} attrition" if told else "no attrition"


def _allowed(event: battle.WithdrawalAllowed, board: Board) -> str:
    who = listed(side_words(side, board) for side in event.sides)
    return f"There is no fight {at_words(event.engagement, board)}: {who} withdrew."


def _mode(event: battle.ModeAgreed, board: Board) -> str:
    how = MISSION_MODES.get(event.mode)
    return f"Both sides agree on {how} {at_words(event.engagement, board)}." if how else ""


def _mission(event: battle.MissionSet, board: Board) -> str:
    rolled = f" (a {event.die})" if event.die else ""
    actions = counted(event.number, "action")
    return f"{place_words(event.engagement, board)}: {event.mission}{rolled}, {actions}."


def _advantage(event: battle.AdvantageReckoned, board: Board) -> str:
    if not event.favoured:
        return f"Neither side has an advantage {at_words(event.engagement, board)}."
    told = []
    for side, points in event.points.items():
        why = [f"{ADVANTAGES.get(reason, in_words(reason))} {value}" for reason, value in points]
        told += [f"{board.sides.get(side, side)}: {listed(why)}"] if why else []
    reasons = f" ({'; '.join(told)})" if told else ""
    whose = side_words(event.favoured, board)
    return f"{whose} has an advantage of {event.net} {at_words(event.engagement, board)}{reasons}."


def _fielded(event: battle.CompaniesFielded, board: Board) -> str:
    told = listed(_company(each, board) for each in event.companies)
    return f"{side_words(event.side, board)} fields {at_words(event.engagement, board)}: {told or 'nothing'}."


def _company(company: Fielded, board: Board) -> str:
    title = board.companies[company.company].title if company.company in board.companies else in_words(company.company)
    whose = f" of {piece_words(company.formation, board)}" if company.formation else ""
    more = [company.player] if company.player else []
    more += ["command team"] if company.command else []
    more += ["extra points"] if company.bonus else []
    more += ["air support"] if company.air else []
    more += [f"stratagems of {company.stratagems}"] if company.stratagems else []
    return f"{title}{whose}" + (f" ({', '.join(more)})" if more else "")


def _briefed(event: battle.BattleBriefed, board: Board) -> str:
    brief = event.brief
    number = f", action {brief.action} of {brief.actions}" if brief.actions > 1 else ""
    return f"The brief for {place_words(event.engagement, board)} goes to the umpire: {brief.mission}{number}."


def _fought(event: battle.BattleFought, board: Board) -> str:
    result = event.result
    at = f"Action {event.action} {at_words(event.engagement, board)}"
    if result.conceded:
        return f"{at}: {side_words(result.conceded, board)} does not come."
    score = score_words(result.points, board)
    won = "a draw" if result.winner == "draw" else f"won by {side_words(result.winner, board)}"
    brave = f"; heroic: {listed(result.heroic)}" if result.heroic else ""
    return f"{at}: {won}, {score}{brave}."


def _recovered(event: battle.VehiclesRecovered, board: Board) -> str:
    name, number = piece_words(event.formation, board), counted(event.recovered, "vehicle")
    return f"{name} recovers {number} (dice {spaced(event.dice)}, {event.needs} or more)."


def _counted(event: battle.ActionCounted, board: Board) -> str:
    half = ", halved" if event.halved else ""
    cost = _attrition(event.armor, event.general)
    return f"Action {event.action} costs {piece_words(event.formation, board)} {cost}{half}."


def _taken(event: battle.AttritionTaken, board: Board) -> str:
    at = at_words(event.engagement, board)
    return f"{piece_words(event.formation, board)} takes {_attrition(event.armor, event.general)} {at}."


def _decided(event: battle.EngagementDecided, board: Board) -> str:
    at, score = at_words(event.engagement, board), score_words(event.points, board)
    if not event.winner:
        return f"Nobody wins {at}: {score}."
    return f"Victory for {side_words(event.winner, board)} {at} {SCALE_WORDS[event.scale]}: {score}."


def _rest(event: battle.RegroupOwed, board: Board) -> str:
    return f"{pieces_words(event.formations, board)} must regroup next turn [{event.rule}]." if event.formations else ""


def _overwhelmed(event: battle.EnemyOverwhelmed, board: Board) -> str:
    if not event.formations:
        return ""
    return f"{pieces_words(event.formations, board)} will have an advantage next turn [{event.rule}]."


def _retreated(event: battle.FormationRetreated, board: Board) -> str:
    name, area = piece_words(event.formation, board), area_words(event.area, board)
    if event.start == event.area:
        return f"{name} falls back to {area}."
    return f"{name} retreats from {area_words(event.start, board)} to {area}."


def _advanced(event: battle.FormationAdvanced, board: Board) -> str:
    return f"{piece_words(event.formation, board)} advances to {area_words(event.area, board)}."


def _settled(_event: battle.EngagementSettled, _board: Board) -> str:
    return ""


SENTENCES: dict[type[Any], Callable[[Any, Board], str]] = {
    battle.EngagementFound: _found,
    battle.WithdrawalChosen: _chosen,
    battle.FormationWithdrew: _withdrew,
    battle.WithdrawalAllowed: _allowed,
    battle.ModeAgreed: _mode,
    battle.MissionSet: _mission,
    battle.AdvantageReckoned: _advantage,
    battle.CompaniesFielded: _fielded,
    battle.BattleBriefed: _briefed,
    battle.BattleFought: _fought,
    battle.VehiclesRecovered: _recovered,
    battle.ActionCounted: _counted,
    battle.AttritionTaken: _taken,
    battle.EngagementDecided: _decided,
    battle.RegroupOwed: _rest,
    battle.EnemyOverwhelmed: _overwhelmed,
    battle.FormationRetreated: _retreated,
    battle.FormationAdvanced: _advanced,
    battle.EngagementSettled: _settled,
}
"""By kind of event its sentence."""
