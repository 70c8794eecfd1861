"""The game in sentences: one per event, units by type and number, movement in points."""

from collections.abc import Callable, Iterable
from functools import singledispatch
from typing import Any

from kampfpanzer.fire.superiority import WRONG_WEAPON
from kampfpanzer.model import events
from kampfpanzer.model.board import Board
from kampfpanzer.model.forces import INFANTRY
from kampfpanzer.model.orders import DeclineCounterattack
from kampfpanzer.model.tables import RECOVERS_ON
from kampfpanzer.plotting.situation import points
from kampfpanzer.ui.aims import final_count
from sandtable import Event, EventRecord, GameEnded, OrderRecord, RollRecord, TurnBegan
from sandtable.pictures import (
    capital,
    ended_sentence,
    in_words,
    is_reported_by_event,
    listed,
    number_word,
    roll_sentence,
)

TOPICS = {
    "scatter": "the direction of panic",
    "points": "the length of panic",
    "contest": "the race",
    "counter": "the counterattack",
    "tie": "the target of opportunity fire",
}
"""The purpose of a roll in words, if the first word of the stored purpose is unclear."""
REPORTED_BY_EVENTS = ("panic", "scatter", "points", "fire", "shell", "overrun", "counter", "recovery")
"""Purposes of rolls whose dice are stored in an event."""
DIRECTIONS = dict(zip("ABCDEF", ("north", "northeast", "southeast", "south", "southwest", "northwest"), strict=True))
ENDINGS = {
    "majority": "by the count of units on the ground",
    "exited": "enough units have left the map",
    "destroyed": "enough enemy units are destroyed",
    "held": "the attack has failed",
    "bled": "the attack has failed, at too high a price",
    "reached": "the objective is reached",
}
COVERS = {"entrenchment": "an entrenchment", "slope": "the slope", "town": "the town", "wreck": "a wreck"}
STOPS = {
    "zone": "stops in {hex}, in the zone of {by}",
    "met": "stops in {hex}: {by} has moved next to it",
    "zone_to_zone": "stops in {hex}: it may not move from one zone of control to the next",
    "contest": "loses the race and stops in {hex}",
    "contest_won": "wins the race for {hex} and stops there, adjacent to the loser",
    "enemy": "stops in {hex}: {by} blocks its path",
    "swap": "stops in {hex}: it has met {by} head on",
    "hit": "is hit, loses its overrun and halts in {hex}",
    "hard": "halts in {hex}: its overrun meets a hard target",
    "exit": "halts in {hex}: the exit hex of its overrun is blocked",
    "entry": "cannot enter the map",
}
"""Reasons why a unit stops before it has completed its plot; see ``events.STOPS``."""
PATTERNS = {"T": "a tight pattern", "L": "a loose pattern"}
OPERATIONS = {"embark": "embark", "debark": "debark", "facing": "turn"}
BACKED = {
    "stack": "the hex is taken",
    "entrenchment": "it may not end in an entrenchment",
    "overrun": "its overrun failed",
}


def sentence(record: Any, board: Board) -> str | None:
    """Return the sentence for a record, "" to skip the record, or None to leave it to the framework."""
    if isinstance(record, RollRecord):
        return _roll(record, board)
    if isinstance(record, OrderRecord):
        return "The counterattack is declined." if isinstance(record.order, DeclineCounterattack) else None
    if not isinstance(record, EventRecord):
        return None
    parts = narrate_event(record.event, board)
    return None if parts is None else capital(parts)


def _roll(record: RollRecord, board: Board) -> str:
    """Return the sentence of a roll, or "" if an event reports the face and the dice are not physical."""
    if is_reported_by_event(record, REPORTED_BY_EVENTS):
        return ""
    names = {unit_id: name_of(unit_id, board) for unit_id in board.units}
    return roll_sentence(record, {**names, **{side: f"the {title}" for side, title in board.titles.items()}, **TOPICS})


@singledispatch
def narrate_event(event: Event, board: Board) -> str | None:
    """Return the sentence of an event, or None to leave it to the framework. Only unusual sentences cite a rule.

    Of the kernel's events, only the last turn and the end of the game have sentences here.
    """
    return SENTENCES[type(event)](event, board) if type(event) in SENTENCES else None


@narrate_event.register
def _(event: TurnBegan, board: Board) -> str | None:
    return f"turn {event.turn}, the last." if event.turn == board.last_turn else None


# ---------------------------------------------------------------------- words


def name_of(unit_id: str, board: Board) -> str:
    """Return the type and number of a unit, such as "PzII 94" or "infantry 26"."""
    kind = board.kinds.get(board.units.get(unit_id, ""))
    if kind is None:
        return f"unit {unit_id}"
    return f"{'infantry' if kind.category == INFANTRY else kind.name} {unit_id}"


def names(units: Iterable[str], board: Board) -> str:
    """Return the names of units, such as "PzII 94, PzII 95 and infantry 112", or "no unit"."""
    return listed(name_of(unit_id, board) for unit_id in units) or "no unit"


def side_of(side: str, board: Board) -> str:
    """Return the title of a side with its article, such as "the Germans"."""
    return f"the {board.titles.get(side, in_words(side))}"


def _to(letter: str) -> str:
    return DIRECTIONS.get(letter, letter)


def _why_withheld(event: events.FireWithheld, board: Board) -> str:
    at = f"{names(event.targets, board)} in {event.hex}"
    if event.rule == WRONG_WEAPON:
        return f"small arms may not fire at {at}"
    return f"superiority {event.superiority} against {at} is too low"


def _are(units: Iterable[str], one: str, many: str) -> str:
    return one if len(list(units)) == 1 else many


def _fell(superiority: int, die: int, result: str, total: int | None = None) -> str:
    """Return the superiority, die and result of an attack, with the column if ``total`` is beyond the table."""
    beyond = total is not None and total > superiority
    parts = f"superiority {total:+}, column {superiority:+}" if beyond else f"superiority {superiority:+}"
    return f"{parts}, die {die}: {result or 'no effect'}.".replace("+0,", "0,")


def _places(hexes: dict[str, str], board: Board, verb: str, verbs: str = "") -> str:
    """Return units by hex, such as "PzII 94 to 0703 and R35 8 and R35 10 to 0805".

    ``verb`` precedes the hex of one unit, ``verbs`` that of several units.
    """
    by_hex: dict[str, list[str]] = {}
    for unit_id, hex_ in hexes.items():
        by_hex.setdefault(hex_, []).append(unit_id)
    return listed(f"{names(units, board)} {_are(units, verb, verbs or verb)} {hex_}" for hex_, units in by_hex.items())


# ---------------------------------------------------------------------- set-up and plots


@narrate_event.register
def _(event: events.ForceDeployed, board: Board) -> str:
    on_foot = {unit_id: hex_ for unit_id, hex_ in event.hexes.items() if unit_id not in event.aboard}
    parts = [_places(on_foot, board, "in")] if on_foot else ["no units on the map"]
    parts += [f"{name_of(unit_id, board)} aboard {name_of(by, board)}" for unit_id, by in event.aboard.items()]
    parts += [f"{name_of(unit_id, board)} facing {_to(to)}" for unit_id, to in event.facings.items()]
    parts += [f"entrenched in {listed(event.entrenchments)}"] if event.entrenchments else []
    return f"{side_of(event.side, board)} set up: {', '.join(parts)}."


@narrate_event.register
def _(event: events.PlotsWritten, board: Board) -> str:
    if not event.plots:
        return f"{side_of(event.side, board)} hand in their plots."
    parts = ", ".join(f"{name_of(unit_id, board)} {plot}" for unit_id, plot in event.plots.items())
    return f"{side_of(event.side, board)} plot: {parts}."


# ---------------------------------------------------------------------- panic


@narrate_event.register
def _(event: events.PanicRolled, board: Board) -> str:
    digits = f"hexes ending in {listed(event.digits)}" if event.digits else "no hexes"
    who = f"{names(event.units, board)} {_are(event.units, 'panics', 'panic')}" if event.units else "no unit panics"
    return f"{side_of(event.side, board)} roll {event.die} for panic at level {event.level} ({digits}): {who}."


@narrate_event.register
def _(event: events.PanicPlotted, board: Board) -> str:
    where = _to(event.direction)
    spent = f"{event.points} {'point' if event.points == 1 else 'points'}"
    move = (
        f"will run {where} (plot {event.plot})" if event.plot else f"cannot run {where}: {spent} will not pay for a hex"
    )
    return f"{name_of(event.unit, board)} {move}."


# ---------------------------------------------------------------------- fire


@narrate_event.register
def _(event: events.FireResolved, board: Board) -> str:
    strengths = "+".join(map(str, event.strengths))
    cover = COVERS.get(event.cover, f"the {event.cover}")
    against = f"{event.defense} ({event.addition} of it for {cover})" if event.addition else str(event.defense)
    who = f"{names(event.firers, board)} {_are(event.firers, 'fires', 'fire')}"
    kind = "opportunity fire: " if event.opportunity else ""
    end = _fell(event.superiority, event.die, event.result, sum(event.strengths) - event.defense)
    return f"{kind}{who} at {names(event.targets, board)} in {event.hex}: {strengths} against {against}, {end}"


@narrate_event.register
def _(event: events.UnitShelled, board: Board) -> str:
    die = f"{event.die}+{event.added}" if event.added else str(event.die)
    target = f"H fire of {name_of(event.firer, board)} attacks {name_of(event.unit, board)} in {event.hex}"
    return f"{target}, {event.column}, die {die}: {event.result or 'no effect'}."


# ---------------------------------------------------------------------- results


@narrate_event.register
def _(event: events.ResultsApplied, board: Board) -> str:
    levels: dict[int, list[str]] = {}
    for unit_id, level in event.disruption.items():
        levels.setdefault(level, []).append(unit_id)
    parts = [
        f"{names(units, board)} {_are(units, 'is', 'are')} disrupted at level {level}."
        for level, units in sorted(levels.items())
    ]
    parts += [f"{names(event.pinned, board)} {_are(event.pinned, 'is', 'are')} pinned."] if event.pinned else []
    return " ".join(map(capital, parts))


@narrate_event.register
def _(event: events.UnitDestroyed, board: Board) -> str:
    aboard = f", with {names(event.passengers, board)} aboard" if event.passengers else ""
    where = f" in {event.hex}" if event.hex else ""
    return f"{name_of(event.unit, board)} is destroyed{where}{aboard}."


@narrate_event.register
def _(event: events.RecoveryRolled, board: Board) -> str:
    most = RECOVERS_ON.get(event.level, 1)
    needs = f"{most} or less" if most > 1 else "1"
    who = f"{name_of(event.unit, board)} (disrupted, level {event.level}) needs {needs} to recover, rolls {event.die}"
    others = f", and so {_are(event.passengers, 'does', 'do')} {names(event.passengers, board)}"
    aboard = others if event.passengers and event.after < event.level else ""
    if event.after == event.level:
        return f"{who} and stays disrupted."
    return f"{who} and recovers{aboard}." if not event.after else f"{who} and drops to level {event.after}{aboard}."


# ---------------------------------------------------------------------- movement


def _after(tick: int) -> str:
    return f"{points(tick)} {'point' if 0 < tick <= 2 else 'points'}"


@narrate_event.register
def _(event: events.UnitStopped, board: Board) -> str:
    by = name_of(event.by, board) if event.by else "an enemy"
    what = STOPS.get(event.why, "stops in {hex}").format(hex=event.hex, by=by)
    return f"{name_of(event.unit, board)} {what}."


@narrate_event.register
def _(event: events.UnitBackedUp, board: Board) -> str:
    why = f"{name_of(event.unit, board)} cannot stay in {event.start} ({BACKED.get(event.why, event.why)})"
    if not event.hex:
        return f"{why}, finds no free hex on its path and returns off the map [{event.rule}]."
    return f"{why} and backs up to {event.hex} [{event.rule}]."


@narrate_event.register
def _(event: events.ContestDecided, board: Board) -> str:
    why = {"hexes": "by the shorter path", "allowance": "by the greater speed", "dice": "by the dice"}
    race = f"{names(event.winners, board)} and {names(event.losers, board)} race for {event.hex}"
    return f"{race}: {names(event.winners, board)} {_are(event.winners, 'wins', 'win')}, {why.get(event.by, event.by)}."


@narrate_event.register
def _(event: events.OverrunResolved, board: Board) -> str:
    who = f"{names(event.attackers, board)} {_are(event.attackers, 'overruns', 'overrun')}"
    count = ""
    if event.counted != len(event.defenders):
        count = f" (counted as {number_word(event.counted)})"
    end = _fell(event.superiority, event.die, event.result)
    return f"{who} {names(event.defenders, board)}{count} in {event.hex}: {end}"


# ---------------------------------------------------------------------- the end of the movement phase


@narrate_event.register
def _(event: events.EntrenchmentsLost, _board: Board) -> str:
    what = _are(event.hexes, "the empty entrenchment", "the empty entrenchments")
    return f"{what} in {listed(event.hexes)} {_are(event.hexes, 'is', 'are')} lost." if event.hexes else ""


@narrate_event.register
def _(event: events.EntrenchmentsTaken, board: Board) -> str:
    rows = [f"the entrenchment in {hex_} now belongs to {side_of(side, board)}" for hex_, side in event.sides.items()]
    return f"{listed(rows)}."


@narrate_event.register
def _(event: GameEnded, board: Board) -> str:
    outcome = event.outcome if event.outcome == "draw" else side_of(event.outcome, board)
    return ended_sentence(outcome, ENDINGS.get(event.ending, event.ending))


SENTENCES: dict[type[Event], Callable[[Any, Board], str]] = {
    events.PlotShown: lambda event, board: f"the plot of {name_of(event.unit, board)} is revealed: {event.plot}.",
    events.TurnCleared: lambda event, board: (
        f"final count: {final_count(event.calculations, board)}." if event.calculations else ""
    ),
    events.FireTriggered: lambda event, board: (
        f"after {_after(event.tick)}, {name_of(event.target, board)} enters {event.hex} and triggers the fire of "
        f"{names(event.firers, board)}."
    ),
    events.ImpactPlaced: lambda event, board: (
        f"{name_of(event.firer, board)} places H fire on {event.hex} in {PATTERNS.get(event.pattern, event.pattern)}."
    ),
    events.ImpactsLifted: lambda _event, _board: "",
    events.WrecksLeft: lambda event, _board: (
        f"{_are(event.hexes, 'a wreck is', 'wrecks are')} left in {listed(event.hexes)}." if event.hexes else ""
    ),
    events.PinsLifted: lambda event, board: (
        f"{names(event.units, board)} {_are(event.units, 'is', 'are')} no longer pinned." if event.units else ""
    ),
    events.UnitsFrozen: lambda event, board: (
        f"{names(event.units, board)} will be overrun, so {_are(event.units, 'it', 'they')} may only fire "
        f"[{event.rule}]."
        if event.units
        else ""
    ),
    events.UnitsMoved: lambda event, board: f"after {_after(event.tick)}: {_places(event.hexes, board, 'to')}.",
    events.UnitsExited: lambda event, board: (
        f"after {_after(event.tick)}: {_places(event.edges, board, 'leaves the map from', 'leave the map from')}."
    ),
    events.CounterattackResolved: lambda event, board: (
        f"{name_of(event.unit, board)} counterattacks {name_of(event.target, board)}: "
        f"{_fell(event.superiority, event.die, event.result)}"
    ),
    events.EntryMissed: lambda event, board: (
        f"{names(event.units, board)} cannot enter the map "
        f"{'and never will' if event.lost else 'this turn'} [{event.rule}]."
        if event.units
        else ""
    ),
    events.FacingChanged: lambda event, board: f"{name_of(event.unit, board)} turns to face {_to(event.facing)}.",
    events.UnitEmbarked: lambda event, board: (
        f"{name_of(event.unit, board)} embarks on {name_of(event.vehicle, board)} in {event.hex}."
    ),
    events.UnitDebarked: lambda event, board: (
        f"{name_of(event.unit, board)} debarks from {name_of(event.vehicle, board)}"
        f"{f' and faces {_to(event.facing)}' if event.facing else ''}. "
        f"{name_of(event.vehicle, board)} moves to {event.hex}."
    ),
    events.OperationFailed: lambda event, board: (
        f"{name_of(event.unit, board)} does not {OPERATIONS.get(event.operation, in_words(event.operation))}: "
        f"{event.why} [{event.rule}]."
    ),
    events.FireWithheld: lambda event, board: (
        f"{_why_withheld(event, board)}: "
        f"{names(event.firers, board)} {_are(event.firers, 'holds its fire', 'hold their fire')} [{event.rule}]."
    ),
}
"""Sentences that are a single expression, by event; the other events have a function above."""
