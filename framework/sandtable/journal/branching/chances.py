"""The chance nodes of a recorded game: the game as it stood before a roll, and what the roll could have come to."""

from collections.abc import Sequence
from contextlib import suppress
from fractions import Fraction
from typing import Any

from msgspec import Struct, to_builtins
from msgspec.structs import replace

from sandtable.errors import LogError, SandtableError
from sandtable.journal.branching.causes import BOOKKEEPING, names_in, names_of
from sandtable.journal.file.log import Log
from sandtable.journal.fold import effective, fitting, prepare_for, read_records
from sandtable.journal.verification.edits import refusal
from sandtable.journal.verification.rerun import Rerun
from sandtable.journal.verification.stored import dice_of
from sandtable.kernel.decisions import Roll
from sandtable.kernel.dice import ChanceDice
from sandtable.kernel.play.game import Game
from sandtable.kernel.records import EventRecord, RollRecord
from sandtable.plugin.groups import nothing
from sandtable.plugin.manager import Prepared, Rulesets
from sandtable.rules.chance.outcomes import outcomes
from sandtable.rules.chance.rolls import Chances, RollOutcome, after, asked_of, common, without_dice

MOST_FACES = 64
"""Of a roll that can fall in more ways each die is told by itself."""
MOST_SINGLY = 240
"""Not even that, where the dice have more faces in all."""
MOST_TOLD = 3
"""So many events of one result are told."""
NOTHING = "nothing happens"


class ChanceRow(Struct, frozen=True):
    """What a roll may come to, in words, how likely that is, and which ``faces`` lead to it, where that can be said."""

    chance: Fraction
    faces: str
    told: str


class FaceRow(Struct, frozen=True):
    """What some faces of a roll come to, all else as it fell: ``fell`` where they are those that fell.

    Where ``die`` is not 0 they are those of this die alone, the other dice of the roll as they fell.
    """

    faces: tuple[tuple[int, ...], ...]
    fell: bool
    told: str
    die: int = 0


def first_roll(records: Sequence[Any], number: int) -> RollRecord | None:
    """Return the roll of record ``number``, or the first after it that still counts; None where there is none."""
    rolls = (each for each in effective(records) if isinstance(each, RollRecord) and each.dice)
    return next((each for each in rolls if each.n >= number), None)


def before_roll(prepared: Prepared, log: Log, records: Sequence[Any], roll: RollRecord) -> Game:
    """Return the game of ``log`` as it stood at ``roll``, to be forked; raises LogDamaged as a re-run does."""
    rerun = Rerun(prepared, log, records[: roll.n], dice_of(log, records))
    found = rerun.run()
    if found is not None:
        raise refusal(found, log, prepared, f"record {roll.n} cannot be reached: ")
    return rerun.game.before(roll.n)


def node_of(log: Log, number: int, rulesets: Rulesets) -> tuple[Game, RollRecord]:
    """Return the game as it stood at the roll in record ``number``, or the first after it, and that roll.

    Raises LogError where no roll follows.
    """
    prepared = prepare_for(log, rulesets)
    records = read_records(log, prepared.ruleset)
    roll = first_roll(records, number)
    if roll is None:
        raise LogError(f"{log.name}: nothing is rolled from record {number} on")
    return before_roll(prepared, log, records, roll), roll


def faces_of_roll(
    prepared: Prepared, game: Game, records: Sequence[Any], roll: RollRecord, about: Any
) -> list[FaceRow]:
    """Return what each way in which ``roll`` can fall comes to, all other dice as recorded; [] where that is too much.

    ``game`` stands at the roll. What is told is what happens of the kind of ``about``, an event, to what it names; or
    else, with None, at once to what the roll names. Of many dice each is told by itself, unless none of them matters.
    """
    asked = game.pending
    if not isinstance(asked, Roll) or asked.sides * asked.dice > MOST_SINGLY:
        return []
    fall = _Fall(prepared, game, records, roll, about)
    if asked.sides**asked.dice <= MOST_FACES:
        return fall.rows([each.faces for each in outcomes(Roll(asked.dice, asked.sides, asked.purpose))])
    found = []
    for die in range(asked.dice):
        before, after_it = roll.dice[:die], roll.dice[die + 1 :]
        found += fall.rows([(*before, face, *after_it) for face in range(1, asked.sides + 1)], die + 1)
    mattered = {row.die for row in found if not row.fell}
    return [row for row in found if row.die in mattered] or [replace(row, die=0) for row in found[:1]]


class _Fall:
    """Lets a roll fall in one way or another, and tells what comes of it: see ``faces_of_roll``."""

    def __init__(self, prepared: Prepared, game: Game, records: Sequence[Any], roll: RollRecord, about: Any) -> None:
        self._game, self._roll = game, roll
        self._fell = {each.label: each.dice for each in effective(records) if isinstance(each, RollRecord)}
        self._subject = _Subject(roll if about is None else about, prepared)

    def rows(self, ways: Sequence[tuple[int, ...]], die: int = 0) -> list[FaceRow]:
        """Return what ``ways`` of the dice come to; those that come to the same are one row."""
        tried = [way for faces in ways if (way := self._way(faces)) is not None]
        is_all_one = all(way[2] == tried[0][2] for way in tried)  # then the sums are what came of it
        rows: dict[Any, list[tuple[tuple[int, ...], str]]] = {}
        for faces, told, coarse_key, fine_key in tried:
            rows.setdefault(fine_key if is_all_one else coarse_key, []).append((faces, told))
        return [
            FaceRow(
                tuple(each for each, _ in row), self._roll.dice in dict(row), common([told for _, told in row]), die
            )
            for row in rows.values()
        ]

    def _way(self, faces: tuple[int, ...]) -> tuple[tuple[int, ...], str, Any, Any] | None:
        """Return the faces, what they come to in words, and by what that is told from others: coarsely, finely."""
        twin, subject = self._game.fork(ChanceDice()), self._subject
        with suppress(SandtableError):
            twin.fall(faces)
            _roll_on(twin, self._fell, self._game.number, subject)
            events = subject.events(after(twin, self._game.number))
            told = subject.tell(events) if events else _waits(twin) or subject.tell(events)
            coarse, fine = (tuple(without_dice(each.event, sums=also) for each in events) for also in (False, True))
            return faces, told, coarse or told, fine or told
        return None


def _waits(game: Game) -> str:
    """Return what a game waits for: a roll, or somebody's answer; "" where it is over."""
    if isinstance(game.pending, Roll):
        return f"more is rolled: {game.pending.purpose}"
    return asked_of(game)


class _Subject:
    """What is told of the ways that a roll can go: events of one kind about certain names, or what names them."""

    def __init__(self, about: Any, prepared: Prepared) -> None:
        self._kind = None if isinstance(about, RollRecord) else type(about)
        sides = {*prepared.ruleset.seats, *prepared.ruleset.viewers}
        self._names = (names_of(about) if self._kind is None else names_in(to_builtins(about))) - sides
        self._prepared = prepared

    def events(self, records: Sequence[Any]) -> list[Any]:
        """Return the events of ``records`` that are meant."""
        found = [each for each in records if isinstance(each, EventRecord)]
        if self._kind is None:
            found = [each for each in found if type(each.event).__name__ not in BOOKKEEPING]
            return [each for each in found if self._names & names_of(each)][:2] or found[:1]
        alike = [each for each in found if type(each.event) is self._kind]
        return [each for each in alike if 2 * len(self._names & names_of(each)) > len(self._names)][:1] or (
            [] if self._names else alike[:1]
        )

    def tell(self, events: Sequence[Any]) -> str:
        """Return in words what happens."""
        told = dict.fromkeys(sentence(self._prepared, each).rstrip(".") for each in events)
        return "; ".join(told) or (NOTHING if self._kind is None else f"no {self._kind.__name__}")


def chance_rows(prepared: Prepared, found: Chances) -> list[ChanceRow]:
    """Return what a roll may come to in words, the likeliest first; results that read alike are one."""
    rows: dict[str, tuple[Fraction, list[RollOutcome]]] = {}
    for each in found.results:
        told = common([tell(prepared, records) for records in each.records])
        told = each.asked or told if told == NOTHING else told
        chance, group = rows.get(told, (Fraction(), []))
        rows[told] = chance + each.chance, [*group, each]
    said = {told: _said_faces(found, group) for told, (_, group) in rows.items()}
    ordered = sorted(rows.items(), key=lambda each: -each[1][0])
    return [ChanceRow(chance, said[told], told) for told, (chance, _) in ordered]


def faces_told(row: FaceRow, units: Sequence[str] = ()) -> str:
    """Return the faces of a row: "1 3-4"; of several dice so many of all ways, or the one die, by its unit."""
    if row.die:
        whose = f" ({units[row.die - 1]})" if row.die <= len(units) else ""
        return f"die {row.die}{whose} {spans(sorted(each[row.die - 1] for each in row.faces))}"
    if len(row.faces[0]) == 1:
        return spans(sorted(face for (face,) in row.faces))
    return f"{len(row.faces)} ways, such as {' '.join(map(str, row.faces[0]))}"


def _said_faces(found: Chances, group: list[RollOutcome]) -> str:
    """Return which faces, hits or sums lead to ``group``; "" where several rolls do, or where that says nothing."""
    roll = found.roll
    mine = [way for each in group for way in each.faces]
    if roll is None or found.samples or any(len(way) != 1 for way in mine):
        return ""
    if roll.needs:
        hits = sorted({roll.hits(way[0]) for way in mine})
        return f"{spans(hits)} {'hit' if hits == [1] else 'hits'}" if roll.dice > 1 else "hit" * (hits == [1]) or "miss"
    sums = {sum(way[0]) for way in mine}
    others = {sum(way[0]) for each in found.results if each not in group for way in each.faces}
    return ("sum " * (roll.dice > 1) + spans(sorted(sums))) if not sums & others else ""


def spans(numbers: Sequence[int]) -> str:
    """Return whole numbers, in order, with runs drawn together: "1-3 5"."""
    found: list[list[int]] = []
    for each in numbers:
        if found and each == found[-1][1] + 1:
            found[-1][1] = each
        else:
            found.append([each, each])
    return " ".join(str(low) if low == high else f"{low}-{high}" for low, high in found)


def _roll_on(game: Game, fell: dict[str, tuple[int, ...]], since: int, subject: _Subject) -> None:
    """Let the dice that follow fall as they are recorded, until what is meant has happened."""
    while isinstance(roll := game.pending, Roll) and not subject.events(after(game, since)):
        faces = fell.get(game.label_of(roll), ())
        if len(faces) != roll.dice:
            return
        game.fall(faces)


def tell(prepared: Prepared, records: Sequence[Any]) -> str:
    """Return in words what happens in ``records``."""
    events = [each for each in records if isinstance(each, EventRecord)]
    shown = [each for each in events if type(each.event).__name__ not in BOOKKEEPING]
    told = list(dict.fromkeys(sentence(prepared, each) for each in shown))
    more = [f"and {count_of(len(told) - MOST_TOLD)} more"] if len(told) > MOST_TOLD else []
    return "; ".join([each.rstrip(".") for each in told[:MOST_TOLD]] + more) or NOTHING


def count_of(number: int) -> str:
    """Return "one thing", "3 things"."""
    return "one thing" if number == 1 else f"{number} things"


def narrated(prepared: Prepared, record: Any) -> str:
    """Return a record as the ruleset tells it; "" where it does not."""
    text: str | None = None
    with suppress(SandtableError), fitting("", ""):  # a record that does not fit the game has no words
        text = (prepared.installed.ui.narrate or nothing)(record, prepared.board)
    return text or ""


def sentence(prepared: Prepared, record: Any) -> str:
    """Return an event as the ruleset tells it, otherwise by the kind of thing it is, and its short fields."""
    text = narrated(prepared, record)
    if text:
        return text
    event = record.event
    plain = {name: getattr(event, name) for name in event.__struct_fields__ if name not in {"rule", "calculations"}}
    told = ", ".join(f"{name} {value}" for name, value in plain.items() if isinstance(value, str | int) and value != "")
    return f"{type(event).__name__}: {told}" if told else type(event).__name__
