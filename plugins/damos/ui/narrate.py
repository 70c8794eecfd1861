"""The game in sentences: one per event, movement in points, hexes with the names of towns."""

from collections.abc import Iterable
from functools import singledispatch
from typing import Any

from damos.model import events
from damos.model.board import Board
from damos.model.tables import GERMAN
from damos.ui.narrate_combat import narrate_combat
from damos.ui.terms import (
    Fields,
    agreed,
    counted_points,
    do,
    moves,
    name_of,
    names,
    place,
    places,
    plan_words,
    side_of,
    side_of_units,
)
from sandtable import Event, EventRecord, GameEnded, RollRecord
from sandtable.pictures import (
    capital,
    counted,
    ended_sentence,
    in_words,
    is_reported_by_event,
    listed,
    number_word,
    roll_sentence,
)

REPORTED_BY_EVENTS = ("reaction", "combat", "reroll", "air", "counter", "attrition", "rail", "duty", "undying")
"""Purposes of rolls whose faces are stored in an event."""
TOPICS = {"pause": "the work on the railways"}
"""The purpose of a roll in words, if the first word of the stored purpose is unclear."""
ENDINGS = {
    "moscow_held": "{city} is taken",
    "moscow_isolated": "{city} is cut off",
    "objective_held": "{city} is taken",
    "objective_isolated": "{city} is cut off",
    "gates": "the Germans are at the gates of {city}",
    "substantial": "{city} is safe",
}
"""Reasons for the end of the game; ``city`` is the objective of the scenario."""
PAUSES = {"smolensk": "Smolensk has been reached", "august": "it is the end of August"}

SENTENCES: dict[type[Event], str] = {
    events.SideSetUp: "{side} set up: {hexes}.",
    events.UnitsArrived: "{side} bring in {hexes}.",
    events.ForceActivated: "{owner} activate {units} in {hex} with {halves}.",
    events.UnitsPickedUp: "{units:join} the force in {hex} ({left} left).",
    events.UnitsDropped: "{units:stay} behind in {hex}.",
    events.AttackDeclared: "{side} announce a concerted attack on {target}.",
    events.AttackLaunched: "{side} attack {target} as announced, with {units}.",
    events.AttackDropped: "the concerted attack on {target} does not take place: {why}.",
    events.UnitsSurrendered: "cut off from every source of supply, {units:surrender} in {hex}.",
    events.UnitsReset: "the units of {side} are fresh again.",
    events.TurnOpened: "the air unit is ready.",
    events.CossacksNamed: "all units in {hex} can react this turn as if they were mobile [{rule}].",
    events.AttackCounted: "the attack on {hex} counts as one of the required attacks.",
    events.ForceReacted: "{units:react} {path}.",
    events.UnitsLeftOut: "{hex} is over-stacked, so {units:take} no part in the combat.",
    events.DieRerolled: "{side} re-roll die {number}: {after} instead of {before}.",
    events.DefenderOverwhelmed: (
        "{attack_modified} against {defense_modified} in {hex}: the defender is overwhelmed [{rule}]."
    ),
    events.HexHeld: "{side} hold {hex}.",
}
"""Templates of sentences that need only the fields of their event; ``Fields`` formats them."""


def sentence(record: Any, board: Board) -> str | None:
    """Return the sentence for a record, "" to skip the record, or None to leave it to the framework."""
    if isinstance(record, RollRecord):
        return _roll(record, board)
    if not isinstance(record, EventRecord):
        return None
    text = narrate_event(record.event, board)
    return None if text is None else capital(text)


def _roll(record: RollRecord, board: Board) -> str:
    """Return the sentence of a roll, or "" if an event reports the faces and the dice are not physical."""
    if is_reported_by_event(record, REPORTED_BY_EVENTS):
        return ""
    units = {unit_id: name_of(unit_id, board) for unit_id in board.counters}
    return roll_sentence(record, {**units, **{hex_: place(hex_, board) for hex_ in board.names}, **TOPICS})


@singledispatch
def narrate_event(event: Event, board: Board) -> str | None:
    """Return the sentence of an event, or None for an event of the kernel. Only unusual sentences cite a rule."""
    template = SENTENCES.get(type(event))
    return template.format_map(Fields(event, board)) if template else narrate_combat(event, board)


# ---------------------------------------------------------------------- set-up, arrivals, replacements


@narrate_event.register
def _(event: events.ReplacementsReceived, board: Board) -> str:
    got = "lose" if event.points < 0 else "receive"
    number = counted_points(abs(event.points), "replacement point")
    return f"{side_of(event.side, board)} {got} {number} and now have {number_word(event.total)}."


@narrate_event.register
def _(event: events.ReplacementsSpent, board: Board) -> str:
    shares = listed(f"{name_of(unit_id, board)} {points}" for unit_id, points in event.units.items())
    spent = f"{side_of(event.side, board)} spend {counted_points(event.points, 'replacement point')}"
    return f"{spent}: {shares}." if shares else f"{spent}."


@narrate_event.register
def _(event: events.UnitsRebuilt, board: Board) -> str:
    who = "it" if len(event.units) == 1 else "they"
    rebuilt = f"{side_of(event.side, board)} rebuild {names(event.units, board)}"
    return f"{rebuilt}, and {who} can enter on turn {event.arrives}."


# ---------------------------------------------------------------------- rails and strategic movement


@narrate_event.register
def _(event: events.RailExtended, board: Board) -> str:
    allowed = f"up to {counted(event.allowed, 'hex', 'hexes')}"
    rolled = f"{side_of(GERMAN, board)} roll {event.die} for the railhead {place(event.railhead, board)} ({allowed})"
    return f"{rolled} and convert {places(event.hexes, board) or 'nothing'}."


@narrate_event.register
def _(event: events.ForceMovedStrategically, board: Board) -> str:
    if not event.path:
        return f"{do(event.units, board, 'stay')}."
    route = f"from {place(event.path[0], board)} to {place(event.path[-1], board)}"
    length = counted(len(event.path) - 1, "hex", "hexes")
    return f"{do(event.units, board, 'move')} strategically {route} ({length}, {moves(event.halves)})."


# ---------------------------------------------------------------------- activation


@narrate_event.register
def _(event: events.ForceMoved, board: Board) -> str:
    how = "exploit" if event.exploiting else "move"
    route = f"from {place(event.start, board)} to {place(event.hex, board)}"
    return f"{do(event.units, board, how)} {route} ({moves(event.left, 'point')} left)."


@narrate_event.register
def _(event: events.ForceRallied, board: Board) -> str:
    end = " after winning" if event.why == "won" else f" ({moves(event.left, 'point')} left)"
    return f"{do(event.units, board, 'rally')} in {place(event.hex, board)}{end}."


@narrate_event.register
def _(event: events.ActivationEnded, board: Board) -> str:
    reacted = ""
    if event.reacted:
        reacted = f", and {do(event.reacted, board, 'are')} spent after reacting"
    if not event.units:
        return f"the activation ends{reacted}."
    return f"{do(event.units, board, 'have')} finished and {agreed('are', event.units)} spent{reacted}."


@narrate_event.register
def _(event: events.AttackPlanned, board: Board) -> str:
    if not event.plan:
        return f"{side_of(event.side, board)} secretly choose plan and units."
    return f"{side_of(event.side, board)} plan a {plan_words(event.plan)} by {names(event.units, board)}."


# ---------------------------------------------------------------------- the end of a player turn, exclusive rules


@narrate_event.register
def _(event: events.AttacksDemanded, board: Board) -> str:
    return f"{side_of(event.side, board)} roll {event.die} and must make {counted(event.number, 'attack')} this turn."


@narrate_event.register
def _(event: events.UndyingRolled, board: Board) -> str:
    end = f"returns on turn {event.returns} with strength {event.sp}" if event.returns else "does not return"
    return f"{side_of_units([event.unit], board)} roll {event.die}: {name_of(event.unit, board)} {end} [{event.rule}]."


@narrate_event.register
def _(event: events.PauseBegan, _board: Board) -> str:
    why = PAUSES.get(event.why, in_words(event.why) or "it is time")
    return f"{why}: for two turns, mobile German units may move only one hex and may not attack."


@narrate_event.register
def _(event: events.PauseChosen, _board: Board) -> str:
    chosen = "stay in place for the railways" if event.keep_still else "do not wait for the railways"
    return f"the mobile forces {chosen}."


@narrate_event.register
def _(event: GameEnded, board: Board) -> str:
    outcome = event.outcome if event.outcome == "draw" else side_of(event.outcome, board)
    objective = board.victory.objective
    city = board.names.get(objective, objective)
    text = ENDINGS.get(event.ending)
    return ended_sentence(outcome, in_words(event.ending) if text is None else text.format(city=city))


# ---------------------------------------------------------------------- marches in brief


Step = tuple[int, events.ForceMoved]
"""The number of a record and its step."""


def digest(records: Iterable[Any], board: Board) -> dict[int, str]:
    """Return the text that replaces each record's sentence: a whole march at its last step, and "" before that.

    Any other event, such as a reaction, splits a march, and so does a step in which units join or stay behind.
    """
    text: dict[int, str] = {}
    march: list[Step] = []
    for record in records:
        event = getattr(record, "event", None)
        if event is None:
            continue
        if march and not (isinstance(event, events.ForceMoved) and _continues(march[-1][1], event)):
            text |= _march_text(march, board)
            march = []
        if isinstance(event, events.ForceMoved):
            march.append((record.n, event))
    return text | _march_text(march, board)


def _continues(last: events.ForceMoved, step: events.ForceMoved) -> bool:
    """Return whether a step continues the march of the previous step."""
    return (last.units, last.hex, last.exploiting) == (step.units, step.start, step.exploiting)


def _march_text(march: list[Step], board: Board) -> dict[int, str]:
    """Return the text of a march; a single step keeps its own sentence."""
    if len(march) < 2:
        return {}
    steps = [event for _, event in march]
    how = "exploit" if steps[0].exploiting else "move"
    route = ", ".join(place(event.hex, board) for event in steps[:-1])
    ends = f"from {place(steps[0].start, board)} through {route} to {place(steps[-1].hex, board)}"
    length = counted(len(steps), "hex", "hexes")
    line = f"{do(steps[0].units, board, how)} {ends} ({length}, {moves(steps[-1].left, 'point')} left)."
    return {**{number: "" for number, _ in march}, march[-1][0]: line}
