"""The campaign as a diary: what each event means to a reader, with titles and names for ids.

Events of engagements are told in ``narrate_battles.py``. What a side may not see is not in its records, so nothing is
hidden here.
"""

from collections.abc import Sequence
from functools import singledispatch
from typing import Any

from khamsin.model import events
from khamsin.model.battle_events import SideActed
from khamsin.model.cards import Board
from khamsin.ui.narrate_battles import SENTENCES
from khamsin.ui.terms import (
    BOTH_MET,
    ENDING_WORDS,
    area_words,
    areas_words,
    composition_words,
    path_words,
    piece_words,
    pieces_words,
    side_words,
    signed,
    whole_of,
)
from sandtable import Event, EventRecord, GameEnded, RollRecord
from sandtable.pictures import capital, counted, ended_sentence, in_words, is_told, listed, roll_sentence

TOLD_BY_EVENTS = (
    *("activation", "casualty", "interdiction", "leaders", "recovery"),
    *("surrender", "type", "weather", "withdrawal", "wound"),
)
"""Purposes of rolls whose faces stand in an event."""
TOPICS = {"capture": "the escape"}
"""What dice are for, where the first word of their purpose is not plain."""
MODIFIERS = {
    "out_of_supply": "out of supply",
    "attrition_40": "attrition of 40 or more",
    "attrition_60": "attrition of 60 or more",
}
LOSSES = {"surrendered": "surrenders", "broken_up": "breaks up for lack of supply"}
REASONS = {
    "points": "for victory points",
    "own_troops": "for leading troops of his own formation",
    "heroism": "for personal heroism",
    "withdrawal": "for a formation that withdraws",
    "precipitous": "for a precipitous withdrawal",
    "conduct": "for unchivalrous conduct",
}

SHORTLY = {"points": "victory points", "own_troops": "led his own troops"}
"""Reasons for honour in brief; the others are plain by their names."""


def sentence(record: Any, board: Board) -> str | None:
    """Return one sentence for a record; None leaves it to the framework, "" passes it over."""
    if isinstance(record, RollRecord):
        return _roll(record, board)
    if not isinstance(record, EventRecord):
        return None
    happened = record.event.happened if isinstance(record.event, SideActed) else [record.event]
    ways = _ways(happened)
    told = [
        _moved(each.formation, ways.pop(each.formation, []), board)
        if isinstance(each, events.FormationMoved)
        else _tell_any(each, board)
        for each in happened
    ]
    return None if None in told else " ".join(capital(each) for each in told if each)


def digest(records: Sequence[Any]) -> dict[int, str]:
    """Return, by number of record, what is told together: the honour that players gain one after the other."""
    told: dict[int, str] = {}
    run: list[EventRecord[Event]] = []
    for record in (*records, None):
        if isinstance(record, EventRecord) and isinstance(record.event, events.HonourGained):
            run.append(record)
            continue
        if len(run) > 1:
            told |= dict.fromkeys((each.n for each in run), "")
            told[run[-1].n] = f"Honour: {_honours([each.event for each in run])}."
        run = []
    return told


def _honours(gained: Sequence[Any]) -> str:
    """Return "Harris +6 (points 5, own troops 1), Brandt +2", each player once."""
    by_player: dict[str, list[events.HonourGained]] = {}
    for each in gained:
        by_player.setdefault(each.player, []).append(each)
    told = []
    for player, many in by_player.items():
        why = ", ".join(f"{SHORTLY.get(each.reason, in_words(each.reason))} {each.points}" for each in many)
        told.append(f"{player} {signed(sum(each.points for each in many))} ({why})")
    return ", ".join(told)


def _ways(happened: Sequence[Event]) -> dict[str, list[str]]:
    """Return the way of each formation that moved: all go a step each by turns, and each is told once."""
    ways: dict[str, list[str]] = {}
    for each in happened:
        if isinstance(each, events.FormationMoved):
            ways.setdefault(each.formation, [each.start]).append(each.area)
    return ways


def _moved(formation: str, way: list[str], board: Board) -> str:
    """Return a whole move, "" where it was told before."""
    if not way:
        return ""
    (start, *between), end = [area_words(each, board) for each in way[:-1]], area_words(way[-1], board)
    name, by = piece_words(formation, board), f" by way of {listed(between)}" if between else ""
    return f"{name} moves from {start} to {end}{by}." if way[0] else f"{name} comes in at {end}{by}."


def _tell_any(event: Event, board: Board) -> str | None:
    in_battle = SENTENCES.get(type(event))
    return in_battle(event, board) if in_battle else narrate_event(event, board)


def _roll(record: RollRecord, board: Board) -> str:
    """Return the sentence of a roll: none where an event tells the face, but for physical dice."""
    if is_told(record, TOLD_BY_EVENTS):
        return ""
    titles = {key: piece_words(key, board) for key in (*board.formations, *board.leaders)}
    return roll_sentence(record, {**board.names, **titles, **TOPICS})


@singledispatch
def narrate_event(event: Event, board: Board) -> str | None:  # noqa: ARG001 - each kind of event has its own below
    """Return the sentence of an event, None for the kernel's own; rules are named only where something is unusual."""
    return None


# --- start of the turn ---


@narrate_event.register
def _(_event: events.TurnOpened, _board: Board) -> str:
    return ""


@narrate_event.register
def _(event: events.SituationChanged, board: Board) -> str:
    if event.text:
        return event.text if event.text.endswith((".", "!")) else f"{event.text}."
    where = f" in {area_words(event.area, board)}" if event.area else ""
    return f"The situation changes{where}: {in_words(event.kind)} {in_words(event.value)}".rstrip() + "."


@narrate_event.register
def _(event: events.SideDeployed, board: Board) -> str:
    places: dict[str, list[str]] = {}
    for piece, area in {**event.areas, **event.leaders}.items():
        places.setdefault(area, []).append(piece)
    told = "; ".join(f"{pieces_words(pieces, board)} at {area_words(area, board)}" for area, pieces in places.items())
    return f"{side_words(event.side, board)} deploys: {told or 'nobody'}."


@narrate_event.register
def _(event: events.SupplyChecked, board: Board) -> str:
    short = [f"{area_words(area, board)} for {counted(turns, 'turn')}" for area, turns in event.stocks.items()]
    living = f" On stocks alone: {listed(short)}." if short else ""
    if not event.cut:
        return f"{side_words(event.side, board)} is in supply everywhere.{living}" if living else ""
    return f"Out of supply of {side_words(event.side, board)}: {pieces_words(event.cut, board)}.{living}"


@narrate_event.register
def _(event: events.SurrenderChecked, board: Board) -> str:
    rolled = listed(map(str, event.dice))
    result = "it holds together" if event.held else "it has had enough"
    needs = f"{event.needs}{_modifiers(event.modifiers, board)}"
    return f"{piece_words(event.formation, board)}, long without supply, rolls {rolled} and needs {needs}: {result}."


def _modifiers(modifiers: list[tuple[str, int]], board: Board) -> str:
    """Return " (out of supply -1, Rommel +1)", "" for none."""
    told = [f"{MODIFIERS.get(name) or piece_words(name, board)} {signed(value)}" for name, value in modifiers]
    return f" ({', '.join(told)})" if told else ""


@narrate_event.register
def _(event: events.FormationLost, board: Board) -> str:
    how = LOSSES.get(event.reason, in_words(event.reason))
    return f"{piece_words(event.formation, board)} {how} at {area_words(event.area, board)} [{event.rule}]."


@narrate_event.register
def _(event: events.FormationDisabled, board: Board) -> str:
    more = f" with {event.general} more attrition" if event.general else ""
    name, base = piece_words(event.formation, board), area_words(event.base, board)
    return f"{name} is combat ineffective{more}: it goes from {area_words(event.area, board)} to its base, {base}."


@narrate_event.register
def _(event: events.FormationReturned, board: Board) -> str:
    return f"{piece_words(event.formation, board)} is fit again, and stands at {area_words(event.area, board)}."


@narrate_event.register
def _(event: events.FormationArrived, board: Board) -> str:
    late = " late" if event.rule == "KH-4.08" else ""
    return f"{piece_words(event.formation, board)} arrives{late} at {area_words(event.area, board)}."


@narrate_event.register
def _(event: events.FormationDelayed, board: Board) -> str:
    return f"{piece_words(event.formation, board)} finds no entry open, and waits [{event.rule}]."


@narrate_event.register
def _(event: events.ReplacementsGiven, board: Board) -> str:
    kinds = [f"{event.armor} armor"] if event.armor else []
    kinds += [f"{event.general} general"] if event.general else []
    stays = {"stationary": ", and will hold", "moving": ", and may move"}.get(event.mark, "")
    new = "; it assimilates them" if event.assimilating else ""
    name = piece_words(event.formation, board)
    return f"{name} receives replacements for {listed(kinds) or 'no'} attrition{stays}{new}."


@narrate_event.register
def _(event: events.WeatherSet, board: Board) -> str:
    card = board.weather.cards.get(event.weather)
    rolled = f" (a {event.die})" if event.die else ""
    return f"The weather: {card.title if card else in_words(event.weather)}{rolled}."


# --- orders and moves ---


@narrate_event.register
def _(event: events.OrdersWritten, board: Board) -> str:
    told = [
        f"{piece_words(piece, board)}: {path_words(path, board)}"
        for piece, path in {**event.moves, **event.leaders}.items()
        if len(path) > 1 or _may_come_in(piece, board)
    ]
    told += [f"{piece_words(piece, board)} leaves {number} behind" for piece, number in event.detach.items()]
    told += [f"aircraft to {areas_words(event.interdict, board)}"] if event.interdict else []
    plan = f" Plan: {event.plan.splitlines()[0]}" if event.plan else ""
    return f"{side_words(event.side, board)} orders: {'; '.join(told) or 'all hold'}.{plan}"


def _may_come_in(piece: str, board: Board) -> bool:
    """Tell whether a path of one area may be that of a delayed reinforcement (KH-R98)."""
    card = board.formations.get(whole_of(piece, board))
    return card is not None and card.enters > 0


@narrate_event.register
def _(event: events.EnemyMet, board: Board) -> str:
    return f"Met enemies, or did not get through: {pieces_words(event.pieces, board)}."


@narrate_event.register
def _(_event: events.NobodyMet, _board: Board) -> str:
    return ""


@narrate_event.register
def _(event: events.AreasInterdicted, board: Board) -> str:
    if not event.areas:
        return ""
    tried = listed(area_words(area, board) + (f" (a {die})" if die else "") for area, die in event.areas.items())
    done = f"{areas_words(event.stopped, board)} is interdicted" if len(event.stopped) == 1 else ""
    done = done or (f"{areas_words(event.stopped, board)} are interdicted" if event.stopped else "without effect")
    return f"Aircraft of {side_words(event.side, board)} fly against {tried}: {done}."


@narrate_event.register
def _(event: events.FormationDivided, board: Board) -> str:
    name, area = piece_words(event.formation, board), area_words(event.area, board)
    return f"{name} leaves {counted(event.strength, 'company', 'companies')} in {area} as {event.piece} [{event.rule}]."


@narrate_event.register
def _(event: events.FormationJoined, board: Board) -> str:
    return f"{piece_words(event.formation, board)} is whole again: {event.piece} has joined it."


@narrate_event.register
def _(event: events.ActivationRolled, board: Board) -> str:
    name, area = piece_words(event.formation, board), area_words(event.area, board)
    needs = f"{event.needs}{_modifiers(event.modifiers, board)}"
    result = "and attacks" if event.activated else "and does not stir"
    return f"{name} is to attack {area}: it rolls {event.die}, needs {needs}, {result}."


@narrate_event.register
def _(event: events.DoctrineInvoked, board: Board) -> str:
    lost = f" and {event.armor} armor" if event.armor else ""
    name = piece_words(event.formation, board)
    return f"{name} moves when it should regroup, for {event.general} general{lost} attrition [{event.rule}]."


@narrate_event.register
def _(event: events.DoctrineEnded, board: Board) -> str:
    return f"{piece_words(event.formation, board)} has had its rest."


@narrate_event.register
def _(event: events.FormationMoved, board: Board) -> str:
    return _moved(event.formation, [event.start, event.area], board)


@narrate_event.register
def _(event: events.LeaderMoved, board: Board) -> str:
    verb = {"KH-R104": "has to get away", "KH-R105": "goes with his troops"}.get(event.rule, "goes")
    return f"{piece_words(event.leader, board)} {verb}: {path_words(event.path, board)}."


@narrate_event.register
def _(event: events.LeaderReturned, board: Board) -> str:
    return f"{piece_words(event.leader, board)} comes back, at {area_words(event.area, board)}."


@narrate_event.register
def _(event: events.CharacterHit, board: Board) -> str:
    name = piece_words(event.leader, board)
    rolled = f" (a {event.die})" if event.die else ""
    if event.fate == "wounded":
        return f"{name} is badly wounded{rolled}: he comes back on {board.label(event.returns)} at the earliest."
    fate = {"minor": "is only scratched"}.get(event.fate, f"is {in_words(event.fate)}")
    return f"{name} {fate}{rolled}."


@narrate_event.register
def _(event: events.ControlChanged, board: Board) -> str:
    return f"{area_words(event.area, board)} falls to {side_words(event.side, board)}."


# --- honour, reports, the end ---


@narrate_event.register
def _(event: events.HonourGained, board: Board) -> str:  # noqa: ARG001 - the shape of all of these
    verb, points = ("gains", event.points) if event.points > 0 else ("loses", -event.points)
    why = REASONS.get(event.reason, in_words(event.reason))
    return f"{event.player} {verb} {counted(points, 'point')} of honour {why}."


@narrate_event.register
def _(event: events.MedalsAwarded, board: Board) -> str:
    best = [f"{listed(names)} of {side_words(side, board)}" for side, names in event.players.items() if names]
    return f"Great battlefield tacticians: {'; '.join(best)}." if best else ""


@narrate_event.register
def _(event: events.ReportIssued, board: Board) -> str:
    told = [
        f"{composition_words(event.seen[area]) if area in event.seen else 'enemies'} at {area_words(area, board)}"
        for area in sorted({*event.occupied, *event.seen})
    ]
    return f"Report to {side_words(event.side, board)}: {listed(told) or 'no enemy near'}."


@narrate_event.register
def _(event: events.ConditionCounted, board: Board) -> str:
    conditions = dict(enumerate(board.victory.conditions))
    condition = conditions.get(int(event.condition) if event.condition.isdigit() else -1)
    if condition is None:
        return ""
    wanted, whose = getattr(condition, "turns", 1), side_words(condition.side, board)
    if not event.turns:
        return f"No longer on the way to victory of {whose}: {condition.text}"
    so_far = f", for turn {event.turns} of {wanted}" if wanted > 1 else ""
    return f"Condition of victory of {whose} met{so_far}: {condition.text}"


@narrate_event.register
def _(event: GameEnded, board: Board) -> str:
    outcome = event.outcome if event.outcome == "draw" else side_words(event.outcome, board)
    why = BOTH_MET if event.rule == "KH-R110" else ENDING_WORDS.get(event.ending, event.ending)
    return ended_sentence(outcome, why)
