"""The campaign as a diary: what each event means to a reader, with titles and names for ids.

Events of engagements are told in ``narrate_battles.py``. What a side may not see is not in its records, so nothing is
hidden here.
"""

from collections.abc import Callable, Sequence
from typing import Any

from khamsin.model import events
from khamsin.model.battle_events import SideActed
from khamsin.model.cards import Board
from khamsin.ui.narrate_battles import BATTLE_SENTENCES, BATTLES_TOLD
from khamsin.ui.terms import (
    BOTH_MET,
    ENDING_WORDS,
    Filled,
    area_words,
    areas_words,
    attrition_words,
    by_area,
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
    *("activation", "casualty", "escape", "guns", "interdiction", "leaders", "recovery"),
    *("surrender", "type", "weather", "withdrawal", "wound"),
)
"""Purposes of rolls whose faces stand in an event."""
TOPICS = {"capture": "the escape"}
"""What dice are for, where the first word of their purpose is not plain."""
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
    """Return "Clara +6 (points 5, own troops 1), Anna +2", each player once."""
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
    """Return the sentence of an event, None for the kernel's own; rules are named only where something is unusual."""
    told = TOLD.get(type(event))
    if told is not None:
        return told(event, board)
    sentence = SENTENCES.get(type(event))
    return (
        sentence
        if not sentence
        else Filled(event, board).format(sentence if isinstance(sentence, str) else sentence(event))
    )


def _roll(record: RollRecord, board: Board) -> str:
    """Return the sentence of a roll: none where an event tells the face, but for physical dice."""
    if is_told(record, TOLD_BY_EVENTS):
        return ""
    titles = {key: piece_words(key, board) for key in (*board.formations, *board.leaders)}
    return roll_sentence(record, {**board.names, **titles, **TOPICS})


# --- sentences with lists ---


def _deployed(event: events.SideDeployed, board: Board) -> str:
    places = by_area({**event.areas, **event.leaders})
    told = "; ".join(f"{pieces_words(pieces, board)} at {area_words(area, board)}" for area, pieces in places.items())
    return f"{side_words(event.side, board)} deploys: {told or 'nobody'}."


def _supplied(event: events.SupplyChecked, board: Board) -> str:
    short = [f"{area_words(area, board)} for {counted(turns, 'turn')}" for area, turns in event.stocks.items()]
    living = f" On stocks alone: {listed(short)}." if short else ""
    if not event.cut:
        return f"{side_words(event.side, board)} is in supply everywhere.{living}" if living else ""
    return f"Out of supply of {side_words(event.side, board)}: {pieces_words(event.cut, board)}.{living}"


def _ordered(event: events.OrdersWritten, board: Board) -> str:
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


def _flown(event: events.AircraftFlew, board: Board) -> str:
    tried = listed(area_words(area, board) + (f" (a {die})" if die else "") for area, die in event.areas.items())
    return f"Aircraft of {side_words(event.side, board)} fly against {tried}." if tried else ""


def _interdicted(event: events.AreasInterdicted, board: Board) -> str:
    verb = "is" if len(event.stopped) == 1 else "are"
    who = side_words(event.side, board)
    return f"{areas_words(event.stopped, board)} {verb} interdicted by aircraft of {who}." if event.stopped else ""


def _awarded(event: events.MedalsAwarded, board: Board) -> str:
    best = [f"{listed(names)} of {side_words(side, board)}" for side, names in event.players.items() if names]
    return f"Great battlefield tacticians: {'; '.join(best)}." if best else ""


def _reported(event: events.ReportIssued, board: Board) -> str:
    told = [
        f"{composition_words(event.seen[area]) if area in event.seen else 'enemies'} at {area_words(area, board)}"
        for area in sorted({*event.occupied, *event.seen})
    ]
    return f"Report to {side_words(event.side, board)}: {listed(told) or 'no enemy near'}."


def _condition(event: events.ConditionCounted, board: Board) -> str:
    conditions = dict(enumerate(board.victory.conditions))
    condition = conditions.get(int(event.condition) if event.condition.isdigit() else -1)
    if condition is None:
        return ""
    wanted, whose = getattr(condition, "turns", 1), side_words(condition.side, board)
    if not event.turns:
        return f"No longer on the way to victory of {whose}: {condition.text}"
    if event.turns < wanted:
        return f"{whose} is at turn {event.turns} of {wanted} for a condition of victory, not met yet: {condition.text}"
    return f"{whose} meets a condition of victory: {condition.text}"


def _ended(event: GameEnded, board: Board) -> str:
    outcome = event.outcome if event.outcome == "draw" else side_words(event.outcome, board)
    why = BOTH_MET if event.rule == "KH-R110" else ENDING_WORDS.get(event.ending, event.ending)
    return ended_sentence(outcome, why)


TOLD: dict[type[Event], Callable[[Any, Board], str]] = {
    **BATTLES_TOLD,
    events.SideDeployed: _deployed,
    events.SupplyChecked: _supplied,
    events.OrdersWritten: _ordered,
    events.AircraftFlew: _flown,
    events.AreasInterdicted: _interdicted,
    events.FormationMoved: lambda event, board: _moved(event.formation, [event.start, event.area], board),
    events.MedalsAwarded: _awarded,
    events.ReportIssued: _reported,
    events.ConditionCounted: _condition,
    GameEnded: _ended,
}
"""By type of event, the function that returns its sentence."""


# --- sentences of fields ---


def _changed(event: events.SituationChanged) -> str:
    if event.text:
        return "{text}" if event.text.endswith((".", "!")) else "{text}."
    where, value = " in {area:area}" * bool(event.area), " {value:words}" * bool(event.value)
    return f"The situation changes{where}: {{kind:words}}{value}."


def _honoured(event: events.HonourGained) -> str:
    why = REASONS.get(event.reason, "{reason:words}")
    return (
        f"{{player}} {'gains' if event.points > 0 else 'loses'} {counted(abs(event.points), 'point')} of honour {why}."
    )


def _totals(dice: Sequence[int], modifiers: Sequence[tuple[str, int]]) -> str:
    """Return how modifiers change dice, as ", Rommel +1, for a total of 6"; "" if there are none."""
    if not modifiers:
        return ""
    totals = [str(die + sum(value for _, value in modifiers)) for die in dice]
    return f"{{modifiers:modifiers}}, for {'a total' if len(totals) == 1 else 'totals'} of {listed(totals)},"


LOSSES = {"surrendered": "surrenders", "broken_up": "breaks up for lack of supply"}
MARKS = {"stationary": ", and will hold", "moving": ", and may move"}
LEADER_MOVES = {"KH-R104": "has to get away", "KH-R105": "goes with his troops"}
FATES = {
    "wounded": "is badly wounded{die:die}: he comes back on {returns:turn} at the earliest.",
    "minor": "is only scratched{die:die}.",
}
SENTENCES: dict[type[Event], str | Callable[[Any], str]] = {
    **BATTLE_SENTENCES,
    events.TurnOpened: "",
    events.SituationChanged: _changed,
    events.SurrenderChecked: lambda event: (
        f"{{formation:piece}}, long without supply, rolls {{dice:list}}{_totals(event.dice, event.modifiers)} "
        "and needs {needs}: " + ("it holds together." if event.held else "it has had enough.")
    ),
    events.FormationLost: lambda event: (
        f"{{formation:piece}} {LOSSES.get(event.reason, '{reason:words}')} at {{area:area}} [{{rule}}]."
    ),
    events.FormationDisabled: lambda event: (
        f"{{formation:piece}} is combat ineffective{' with {general} more attrition' * bool(event.general)}: "
        "it goes from {area:area} to its base, {base:area}."
    ),
    events.FormationReturned: "{formation:piece} is fit again, and stands at {area:area}.",
    events.FormationArrived: lambda event: (
        f"{{formation:piece}} arrives{' late' * (event.rule == 'KH-4.08')} at {{area:area}}."
    ),
    events.FormationDelayed: "{formation:piece} finds no entry open, and waits [{rule}].",
    events.ReplacementsGiven: lambda event: (
        f"{{formation:piece}} receives replacements for {attrition_words(event.armor, event.general)}"
        f"{MARKS.get(event.mark, '')}{'; it assimilates them' * event.assimilating}."
    ),
    events.WeatherSet: "The weather: {weather:weather}{die:die}.",
    events.EnemyMet: "In contact with enemies, or stopped short of a goal: {pieces:pieces}.",
    events.NobodyMet: "",
    events.FormationDivided: (
        "{formation:piece} leaves {strength:company,companies} in {area:area} as {piece} [{rule}]."
    ),
    events.FormationJoined: "{formation:piece} is whole again: {piece} has joined it.",
    events.ActivationRolled: lambda event: (
        f"{{formation:piece}} is to attack {{area:area}}: it rolls {{die}}{_totals([event.die], event.modifiers)} "
        f"and needs {{needs}}: it {'attacks' if event.activated else 'does not stir'}."
    ),
    events.DoctrineInvoked: lambda event: (
        "{formation:piece} moves when it should regroup, for {general} general"
        f"{' and {armor} armor' * bool(event.armor)} attrition [{{rule}}]."
    ),
    events.DoctrineEnded: "{formation:piece} has had its rest.",
    events.LeaderMoved: lambda event: f"{{leader:piece}} {LEADER_MOVES.get(event.rule, 'goes')}: {{path:path}}.",
    events.LeaderReturned: "{leader:piece} comes back, at {area:area}.",
    events.CharacterHit: lambda event: f"{{leader:piece}} {FATES.get(event.fate, 'is {fate:words}{die:die}.')}",
    events.ControlChanged: "{area:area} falls to {side:side}.",
    events.HonourGained: _honoured,
}
"""By type of event, its sentence, see ``Filled``; or a function that returns it."""
