"""Narrate a log in sentences, under headings for turns and phases.

The ruleset's hook gives the sentences of its records; sentences for the kernel's records are here. A phase without
sentences gets no heading.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any, Literal, NamedTuple

from msgspec.structs import asdict

from sandtable.journal.standing.force import REASONS
from sandtable.kernel.decisions import PUBLIC
from sandtable.kernel.events import Event, GameEnded, OptionSet, PhaseBegan, PhaseEnded, TurnBegan
from sandtable.kernel.play.endings import ABANDONMENT, ADJUDICATION, AGREED_DRAW, DRAW, RESIGNATION
from sandtable.kernel.records import (
    OUTSIDE,
    CloseRecord,
    EndRecord,
    EventRecord,
    OrderRecord,
    RollRecord,
    RulingRecord,
    StandingRecord,
    UndoRecord,
)
from sandtable.rules.notation.names import name_words

SentenceOf = Callable[[Any], str | None]
"""A ruleset's hook that returns the sentence of a record, "" to skip it, or None if the ruleset has no sentence for it.

After None, the kernel's records (rolls, the end of the game, rulings, undo) get their usual sentence. Orders and the
ruleset's events are left out.
"""

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


class StoryLine(NamedTuple):
    """A line of the story. ``number`` is the number of its record; a heading has that of its phase."""

    kind: Literal["heading", "sentence"]
    text: str
    number: int


def narrate(
    records: Iterable[Any],
    sentence_of: SentenceOf | None = None,
    turn: int = 0,
    digest: Mapping[int, str] | None = None,
    *,
    numbers: bool = False,
) -> Iterator[str]:
    """Yield the story as lines of text: headings and indented sentences.

    Each heading except the first has a blank line before it. Without ``sentence_of``, every event is shown by name and
    fields. ``turn`` is the turn in which ``records`` begin, if they do not begin with the game. ``digest`` replaces
    sentences of records, except those of rulings. With ``numbers``, each sentence is preceded by the number of its
    record.
    """
    first = True
    for line in story(records, sentence_of, turn, digest):
        if line.kind == "heading" and not first:
            yield ""
        first = False
        number = f"{line.number:>5}" if numbers else ""
        yield line.text if line.kind == "heading" else f"{number}  {line.text}"


def story(
    records: Iterable[Any],
    sentence_of: SentenceOf | None = None,
    turn: int = 0,
    digest: Mapping[int, str] | None = None,
) -> Iterator[StoryLine]:
    """Yield the same as ``narrate``, each line with its kind and the number of its record."""
    heading: StoryLine | None = None
    ended = False
    for record in records:
        event = getattr(record, "event", None)
        if isinstance(event, TurnBegan):
            turn = event.turn
        elif isinstance(event, PhaseBegan):
            heading = StoryLine("heading", phase_heading(event, turn), record.n)
        elif isinstance(event, PhaseEnded):
            heading = None
        ended = ended or isinstance(event, GameEnded)
        told = digest.get(record.n) if digest and not isinstance(record, OUTSIDE) else None
        if told is not None:
            lines = told.splitlines()
        else:
            text = None if ended and isinstance(record, CloseRecord) else sentence(record, sentence_of)
            lines = [text] if text else []
        if lines and heading is not None:
            yield heading
            heading = None
        yield from (StoryLine("sentence", line, record.n) for line in lines)


def sentence(record: Any, sentence_of: SentenceOf | None) -> str | None:
    """Return the sentence of a record, the ruleset's or the usual one.

    Without ``sentence_of`` each event has one, except those of turns and phases. Returns None for a record without one.
    """
    own_sentence = sentence_of(record) if sentence_of and not isinstance(record, OUTSIDE) else None
    if own_sentence is not None:
        return own_sentence
    if isinstance(record, RulingRecord):
        return _ruling_sentence(record, sentence_of)
    if not isinstance(record, EventRecord):
        plain: Callable[[Any], str] | None = _PLAIN.get(type(record))
        return plain(record) if plain else None
    if isinstance(record.event, GameEnded):
        return ended_sentence(record.event.outcome, record.event.ending, record.event.shares or {})
    is_reported_by_event = sentence_of is None and not isinstance(record.event, TurnBegan | PhaseBegan | PhaseEnded)
    return event_sentence(record.event) if is_reported_by_event else None


def _ruling_sentence(record: RulingRecord[Any], sentence_of: SentenceOf | None) -> str:
    told = f"{capital(in_words(record.by))} rules ({record.reason})"
    if record.withdraws:
        return f"{told}: the ruling in record {record.withdraws} is withdrawn; everything since then is undone."
    if record.event is None:
        return f"{told}: the order in record {record.amends} is replaced; everything since then is undone."
    if isinstance(record.event, OptionSet):
        return f"{told}: from here on, the option {in_words(record.event.option)} is {in_words(record.event.value)}."
    return f"{told}: {sentence(EventRecord(record.n, record.event), sentence_of) or event_sentence(record.event)}"


def _undo_sentence(record: UndoRecord) -> str:
    return f"{capital(in_words(record.by))} takes back its order: everything since record {record.to} is undone."


def _standing_sentence(record: StandingRecord[Any]) -> str:
    who = capital(in_words(record.by))
    if record.withdraws:
        return f"{who} takes back standing order {record.withdraws}."
    order = name_words(type(record.answer).__name__)
    how = f"the bot {in_words(record.policy)}" if record.answer is None else f"the order {order}"
    until = f" until turn {record.until}" if record.until else ""
    kinds = listed([in_words(each) for each in record.purposes])
    return f"{who} gives standing order {record.n}{until}: questions of the kind {kinds} are answered by {how}."


def _answer_sentence(record: OrderRecord[Any]) -> str:
    """Return the sentence of an order that a standing order gave, or should have given; "" for any other."""
    if not record.standing:
        return ""
    who = f"standing order {record.standing} of {in_words(record.by)}"
    if record.refused:
        return f"{capital(who)} does not answer: {REASONS.get(record.refused, record.refused)}."
    return f"{capital(who)} answers."


def _people_sentence(record: EndRecord) -> str:
    """Return the sentence of an ending that people made, with its reason and the shares of more than two sides."""
    result = _result(record.outcome)
    sides = listed([in_words(side) for side in record.sides])
    what = {
        RESIGNATION: f"{capital(in_words(record.by))} resigns",
        AGREED_DRAW: f"{capital(sides)} agree on a draw",
        ADJUDICATION: f"{capital(in_words(record.by))} adjudicates the game as {result}",
        ABANDONMENT: f"{capital(sides)} abandoned the game",
    }[record.how]
    reason = f" ({record.reason})" if record.reason else ""
    ended = "" if record.how in (AGREED_DRAW, ADJUDICATION) else f": {result}"
    return f"{what}{reason}{ended}{_shares(record.shares)}."


def phase_heading(event: PhaseBegan, turn: int) -> str:
    """Return "Turn 3 — Germany: combat moves"; before turn 1 it begins with "Set-up".

    Between two phases there is only the turn.
    """
    path = event.phase.split(".")
    who = event.power or event.side
    if len(path) > 1 and path[0] == who:
        path = path[1:]
    what = ", ".join(in_words(part) for part in path)
    when = f"Turn {turn}" if turn else "Set-up"
    if not what:
        return when
    return f"{when} — {capital(in_words(who))}: {what}" if who else f"{when} — {what}"


def roll_sentence(
    record: RollRecord, names: Mapping[str, str] | None = None, result: Callable[[int], str] | None = None
) -> str:
    """Return "Rolls 3d6 for attack at TOB: 2 5 6, needing 1 1 3: one hit."; ``names`` gives words for its parts.

    ``result`` gives words for a number of dice that hit, if these are not hits. A roll without dice gives "".
    """
    if not record.dice:
        return ""
    label = record.label.split("/")
    purpose = label[2] if len(label) > 2 else record.label
    topic, *rest = ((names or {}).get(part, in_words(part)) for part in re.split("[.:]", purpose))
    at = f" at {' '.join(rest)}" if rest else ""
    hand = f"{capital(in_words(record.by))} rolls" if record.by else "Rolls"
    text = f"{hand} {len(record.dice)}d{record.sides} for {topic}{at}: {spaced(record.dice)}"
    return text + (needing(record, result) if record.needs else "") + "."


def is_reported_by_event(record: RollRecord, reported_by_events: Collection[str]) -> bool:
    """Return whether a roll needs no sentence because an event shows the faces. Physical dice always have a sentence.

    ``reported_by_events`` are first words of purposes, such as "attack" for "attack:TOB" and "attack.2".
    """
    purpose = record.label.split("/")[2:3]
    return bool(purpose) and re.split("[:.]", purpose[0], maxsplit=1)[0] in reported_by_events and not record.by


def needing(record: RollRecord, result: Callable[[int], str] | None = None) -> str:
    """Return the condition and the number of hits of a roll: ", needing 1 1 3: one hit"."""
    hits = sum(face <= need for face, need in zip(record.dice, record.needs, strict=False))
    needs = spaced(record.needs) if len(set(record.needs)) > 1 else f"{record.needs[0]} or less"
    return f", needing {needs}: {result(hits) if result else counted(hits, 'hit')}"


def ended_sentence(outcome: str, ending: str, shares: Mapping[str, int] | None = None) -> str:
    """Return the sentence for the end of a game, with its ``shares``, if any; ``outcome`` may be a token or a name."""
    return f"The game is over: {_result(outcome)} ({in_words(ending)}){_shares(shares or {})}."


def _shares(shares: Mapping[str, int]) -> str:
    listed_shares = ", ".join(f"{in_words(side)} {share / 10:g} %" for side, share in shares.items() if share)
    return f"; shares: {listed_shares}" if shares else ""


def _result(outcome: str) -> str:
    return "a draw" if outcome == DRAW else f"victory for {in_words(outcome)}"


_PLAIN: Mapping[type, Callable[[Any], str]] = {
    OrderRecord: _answer_sentence,
    StandingRecord: _standing_sentence,
    RollRecord: roll_sentence,
    UndoRecord: _undo_sentence,
    EndRecord: _people_sentence,
    CloseRecord: lambda record: ended_sentence(record.outcome, record.ending, record.shares),
}
"""The sentences of records that need neither the ruleset nor their place."""


def event_sentence(event: Event) -> str:
    """Return the fallback for any event, without empty or False fields: "UnitMoved: unit=7, path=[TOB, GUB]"."""
    fields = asdict(event)
    rule = fields.pop("rule", "")
    kept = ((name, value) for name, value in fields.items() if value or (value == 0 and value is not False))
    told = ", ".join(f"{name}={_plain(value)}" for name, value in kept)
    cited = f" [{rule}]" if rule else ""
    return f"{type(event).__name__}: {told}{cited}" if told else f"{type(event).__name__}{cited}"


def _plain(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_plain(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_plain(inner) for inner in value) + "]"
    return str(value)


def in_words(token: str) -> str:
    """Return a token as words: "combat_moves" as "combat moves"."""
    return token.replace("_", " ").strip()


def as_seen_by(viewer: str) -> str:
    """Return the point of view of a side or of PUBLIC, such as "as a spectator saw it"."""
    return f"as {'a spectator' if viewer == PUBLIC else in_words(viewer)} saw it"


def capital(text: str) -> str:
    """Return ``text`` with its first letter capitalized and the rest unchanged."""
    return text[:1].upper() + text[1:]


def number_word(number: int) -> str:
    """Return a number as a word ("no" for 0) up to twelve, in figures above."""
    return _NUMBERS[number] if 0 <= number < len(_NUMBERS) else str(number)


def counted(number: int, noun: str, plural: str = "") -> str:
    """Return "no hits", "one hit", "two hits"."""
    return f"{number_word(number)} {noun if number == 1 else plural or noun + 's'}"


def listed(items: Iterable[str]) -> str:
    """Return "a", "a and b", "a, b and c"."""
    *first, last = [*items] or [""]
    return f"{', '.join(first)} and {last}" if first else last


def spaced(numbers: Iterable[int]) -> str:
    """Return numbers separated by spaces."""
    return " ".join(map(str, numbers))
