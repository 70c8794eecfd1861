"""Narration of a campaign: a sentence for each event, with titles and names for ids.

Sentences for engagements are in ``narrate_battles.py``. Nothing is hidden here, because the records of a side hold only
events that it may see.
"""

from collections.abc import Callable, Sequence
from typing import Any

from khamsin.model import events
from khamsin.model.battle_events import SideActed
from khamsin.model.cards import Board
from khamsin.ui.narrate_battles import BATTLE_FUNCTIONS, BATTLE_SENTENCES
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
from sandtable.pictures import capital, counted, ended_sentence, in_words, is_reported_by_event, listed, roll_sentence

SHOWN_BY_EVENTS = (
    *("activation", "casualty", "escape", "guns", "interdiction", "leaders", "recovery"),
    *("surrender", "type", "weather", "withdrawal", "wound"),
)
"""First words of the purposes of rolls whose faces are shown by an event."""
TOPICS = {"capture": "the escape"}
"""Topics of rolls, if the first word of their purpose is not plain."""
REASONS = {
    "points": "for victory points",
    "own_troops": "for leading their formation's troops",
    "heroism": "for personal heroism",
    "withdrawal": "for a formation that withdraws",
    "precipitous": "for a precipitous withdrawal",
    "conduct": "for unchivalrous conduct",
}

SHORTLY = {"points": "victory points", "own_troops": "led own troops"}
"""Short forms of reasons for honor; the names of other reasons are plain."""


def sentence(record: Any, board: Board) -> str | None:
    """Return the sentence for a record, None if the framework is to write it, or "" to leave the record out."""
    if isinstance(record, RollRecord):
        return _roll(record, board)
    if not isinstance(record, EventRecord):
        return None
    happened = record.event.happened if isinstance(record.event, SideActed) else [record.event]
    routes = _routes(happened)
    sentences = [
        _moved(each.formation, routes.pop(each.formation, []), board)
        if isinstance(each, events.FormationMoved)
        else _event_sentence(each, board)
        for each in happened
    ]
    return None if None in sentences else " ".join(capital(each) for each in sentences if each)


def digest(records: Sequence[Any]) -> dict[int, str]:
    """Return, by record number, the sentence for a run of records: honor that players gain one after another.

    The sentence is at the last record of the run; its other records have "".
    """
    sentences: dict[int, str] = {}
    run: list[EventRecord[Event]] = []
    for record in (*records, None):
        if isinstance(record, EventRecord) and isinstance(record.event, events.HonorGained):
            run.append(record)
            continue
        if len(run) > 1:
            sentences |= dict.fromkeys((each.n for each in run), "")
            sentences[run[-1].n] = f"Honor: {_honors([each.event for each in run])}."
        run = []
    return sentences


def _honors(gained: Sequence[Any]) -> str:
    """Return honor gained, by player: "Clara +6 (victory points 5, led own troops 1), Anna +2 (victory points 2)"."""
    by_player: dict[str, list[events.HonorGained]] = {}
    for each in gained:
        by_player.setdefault(each.player, []).append(each)
    texts = []
    for player, many in by_player.items():
        why = ", ".join(f"{SHORTLY.get(each.reason, in_words(each.reason))} {each.points}" for each in many)
        texts.append(f"{player} {signed(sum(each.points for each in many))} ({why})")
    return ", ".join(texts)


def _routes(happened: Sequence[Event]) -> dict[str, list[str]]:
    """Return the path of each formation that moved. Formations move step by step, but a whole path has one sentence."""
    routes: dict[str, list[str]] = {}
    for each in happened:
        if isinstance(each, events.FormationMoved):
            routes.setdefault(each.formation, [each.start]).append(each.area)
    return routes


def _moved(formation: str, route: list[str], board: Board) -> str:
    """Return the sentence for a complete move, or "" if the move has had its sentence."""
    if not route:
        return ""
    (start, *between), end = [area_words(each, board) for each in route[:-1]], area_words(route[-1], board)
    name, by = piece_words(formation, board), f" through {listed(between)}" if between else ""
    return f"{name} moves from {start} to {end}{by}." if route[0] else f"{name} enters at {end}{by}."


def _event_sentence(event: Event, board: Board) -> str | None:
    """Return the sentence of an event, or None for a kernel event. Rules are named only if the event is unusual."""
    function = FUNCTIONS.get(type(event))
    if function is not None:
        return function(event, board)
    sentence = SENTENCES.get(type(event))
    return (
        sentence
        if not sentence
        else Filled(event, board).format(sentence if isinstance(sentence, str) else sentence(event))
    )


def _roll(record: RollRecord, board: Board) -> str:
    """Return the sentence of a roll, or "" if an event shows the face. Physical dice always have a sentence."""
    if is_reported_by_event(record, SHOWN_BY_EVENTS):
        return ""
    titles = {key: piece_words(key, board) for key in (*board.formations, *board.leaders)}
    return roll_sentence(record, {**board.names, **titles, **TOPICS})


# --- sentences with lists ---


def _deployed(event: events.SideDeployed, board: Board) -> str:
    places = by_area({**event.areas, **event.leaders})
    texts = [f"{area_words(area, board)}: {pieces_words(pieces, board)}." for area, pieces in places.items()]
    return f"{side_words(event.side, board)} deploys {' '.join(['its pieces.', *texts]) if texts else 'no pieces.'}"


def _supplied(event: events.SupplyChecked, board: Board) -> str:
    short = [f"{area_words(area, board)} for {counted(turns, 'turn')}" for area, turns in event.stocks.items()]
    living = f" Supplied by stocks alone: {listed(short)}." if short else ""
    if not event.cut:
        return f"{side_words(event.side, board)} is in supply everywhere.{living}" if living else ""
    return f"Formations of {side_words(event.side, board)} out of supply: {pieces_words(event.cut, board)}.{living}"


def _ordered(event: events.OrdersWritten, board: Board) -> str:
    texts = [
        f"{piece_words(piece, board)}: {path_words(path, board)}"
        for piece, path in {**event.moves, **event.leaders}.items()
        if len(path) > 1 or _may_enter(piece, board)
    ]
    texts += [
        f"{piece_words(piece, board)} leaves {counted(number, 'company', 'companies')} behind"
        for piece, number in event.detach.items()
    ]
    texts += [f"Aircraft: {areas_words(event.interdict, board)}"] if event.interdict else []
    plan = f" Plan: {event.plan.splitlines()[0]}" if event.plan else ""
    orders = ". ".join(capital(each) for each in texts) or "All pieces hold"
    return f"{side_words(event.side, board)} gives its orders. {orders}.{plan}"


def _may_enter(piece: str, board: Board) -> bool:
    """Return whether a path of one area may belong to a delayed reinforcement (KH-R98)."""
    card = board.formations.get(whole_of(piece, board))
    return card is not None and card.enters > 0


def _flown(event: events.AircraftFlew, board: Board) -> str:
    tried = listed(area_words(area, board) + (f" (die: {die})" if die else "") for area, die in event.areas.items())
    return f"Aircraft of {side_words(event.side, board)} fly against {tried}." if tried else ""


def _interdicted(event: events.AreasInterdicted, board: Board) -> str:
    verb = "is" if len(event.stopped) == 1 else "are"
    who = side_words(event.side, board)
    return f"{areas_words(event.stopped, board)} {verb} interdicted by aircraft of {who}." if event.stopped else ""


def _awarded(event: events.MedalsAwarded, board: Board) -> str:
    best = [f"{side_words(side, board)}: {listed(names)}." for side, names in event.players.items() if names]
    return " ".join(f"Great battlefield tacticians of {each}" for each in best)


def _reported(event: events.ReportIssued, board: Board) -> str:
    texts = [
        f"{composition_words(event.seen[area]) if area in event.seen else 'enemies'} at {area_words(area, board)}"
        for area in sorted({*event.occupied, *event.seen})
    ]
    return f"Report to {side_words(event.side, board)}: {listed(texts) or 'no enemies nearby'}."


def _condition(event: events.ConditionCounted, board: Board) -> str:
    conditions = dict(enumerate(board.victory.conditions))
    condition = conditions.get(int(event.condition) if event.condition.isdigit() else -1)
    if condition is None:
        return ""
    required, side = getattr(condition, "turns", 1), side_words(condition.side, board)
    if not event.turns:
        return f"{side} loses its progress toward a victory condition: {condition.text}"
    if event.turns < required:
        return f"{side} has completed {event.turns} of {required} turns toward a victory condition: {condition.text}"
    return f"{side} meets a victory condition: {condition.text}"


def _ended(event: GameEnded, board: Board) -> str:
    outcome = event.outcome if event.outcome == "draw" else side_words(event.outcome, board)
    why = BOTH_MET if event.rule == "KH-R110" else ENDING_WORDS.get(event.ending, event.ending)
    return ended_sentence(outcome, why)


FUNCTIONS: dict[type[Event], Callable[[Any, Board], str]] = {
    **BATTLE_FUNCTIONS,
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
"""Functions that return the sentence of an event, by type of event."""


# --- sentences of fields ---


def _changed(event: events.SituationChanged) -> str:
    if event.text:
        return "{text}" if event.text.endswith((".", "!")) else "{text}."
    where, value = " in {area:area}" * bool(event.area), " {value:words}" * bool(event.value)
    return f"The situation changes{where}: {{kind:words}}{value}."


def _honored(event: events.HonorGained) -> str:
    why = REASONS.get(event.reason, "{reason:words}")
    return (
        f"{{player}} {'gains' if event.points > 0 else 'loses'} {counted(abs(event.points), 'point')} of honor {why}."
    )


def _totals(dice: Sequence[int], modifiers: Sequence[tuple[str, int]]) -> str:
    """Return the template of the totals of modified dice, or "" without modifiers.

    With the modifiers filled in, it is for example ", Rommel +1, for a total of 6,".
    """
    if not modifiers:
        return ""
    totals = [str(die + sum(value for _, value in modifiers)) for die in dice]
    return f"{{modifiers:modifiers}}, for {'a total' if len(totals) == 1 else 'totals'} of {listed(totals)},"


LOSSES = {"surrendered": "surrenders", "broken_up": "breaks up for lack of supply"}
MARKS = {"stationary": " It may not move this turn.", "moving": " It may move this turn."}
LEADER_MOVES = {"KH-R104": "is displaced", "KH-R105": "moves with the troops"}
FATES = {
    "wounded": "is badly wounded{die:die} and returns on {returns:turn} at the earliest.",
    "minor": "is only scratched{die:die}.",
}
SENTENCES: dict[type[Event], str | Callable[[Any], str]] = {
    **BATTLE_SENTENCES,
    events.TurnOpened: "",
    events.SituationChanged: _changed,
    events.SurrenderChecked: lambda event: (
        f"{{formation:piece}}, long without supply, rolls {{dice:list}}{_totals(event.dice, event.modifiers)} "
        f"and needs {{needs}}, so it {'holds' if event.held else 'does not hold'} out."
    ),
    events.FormationLost: lambda event: (
        f"{{formation:piece}} {LOSSES.get(event.reason, '{reason:words}')} at {{area:area}} [{{rule}}]."
    ),
    events.FormationDisabled: lambda event: (
        f"{{formation:piece}} is combat ineffective{' with {general} more general attrition' * bool(event.general)}"
        " and moves from {area:area} to its base, {base:area}."
    ),
    events.FormationReturned: "{formation:piece} is fit again and returns to the map at {area:area}.",
    events.FormationArrived: lambda event: (
        f"{{formation:piece}} arrives{' late' * (event.rule == 'KH-4.08')} at {{area:area}}."
    ),
    events.FormationDelayed: "{formation:piece} finds no open entry area and waits [{rule}].",
    events.ReplacementsGiven: lambda event: (
        f"{{formation:piece}} receives replacements, which remove {attrition_words(event.armor, event.general)}."
        f"{MARKS.get(event.mark, '')}{' It is assimilating replacements.' * event.assimilating}"
    ),
    events.WeatherSet: "The weather: {weather:weather}{die:die}.",
    events.EnemyMet: "Pieces of {side:side} in contact with enemies, or stopped early: {pieces:pieces}.",
    events.NoEnemyMet: "",
    events.FormationDivided: (
        "{formation:piece} leaves {strength:company,companies} in {area:area} ({piece}) [{rule}]."
    ),
    events.FormationJoined: "{formation:piece} is rejoined by its part {piece}.",
    events.ActivationRolled: lambda event: (
        f"{{formation:piece}} tries to attack {{area:area}}. It rolls {{die}}{_totals([event.die], event.modifiers)} "
        f"and needs {{needs}}, so it {'attacks' if event.activated else 'is not activated'}."
    ),
    events.DoctrineInvoked: lambda event: (
        "{formation:piece} moves although it should regroup and takes {general} general"
        f"{' and {armor} armor' * bool(event.armor)} attrition [{{rule}}]."
    ),
    events.DoctrineEnded: "{formation:piece} has completed its rest.",
    events.LeaderMoved: lambda event: f"{{leader:piece}} {LEADER_MOVES.get(event.rule, 'moves')}: {{path:path}}.",
    events.LeaderReturned: "{leader:piece} returns at {area:area}.",
    events.CharacterHit: lambda event: f"{{leader:piece}} {FATES.get(event.fate, 'is {fate:words}{die:die}.')}",
    events.ControlChanged: "{side:side} takes control of {area:area}.",
    events.HonorGained: _honored,
}
"""Sentences by type of event, to be filled by ``Filled``, or functions that return them."""
