"""The chance nodes of a recorded game: the game before a roll, and the possible results of the roll."""

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

MAX_FACES = 64
"""Maximum number of outcomes listed for a roll; beyond that each die is listed separately."""
MAX_SINGLY = 240
"""Maximum number of faces of all dice of a roll; beyond that not even single dice are listed."""
MAX_TOLD = 3
"""Maximum number of events that are described for one result."""
NOTHING = "nothing happens"


class ChanceRow(Struct, frozen=True):
    """A possible result of a roll in words, its probability, and the ``faces`` that lead to it, if known."""

    chance: Fraction
    faces: str
    told: str


class FaceRow(Struct, frozen=True):
    """The result of some faces of a roll, with all other dice as recorded; ``fell`` if they include the recorded faces.

    If ``die`` is not 0, the faces are those of this die alone, with the other dice of the roll as recorded.
    """

    faces: tuple[tuple[int, ...], ...]
    fell: bool
    told: str
    die: int = 0


def first_roll(records: Sequence[Any], number: int) -> RollRecord | None:
    """Return the roll of record ``number``, or the first after it that still counts, or None."""
    rolls = (each for each in effective(records) if isinstance(each, RollRecord) and each.dice)
    return next((each for each in rolls if each.n >= number), None)


def before_roll(prepared: Prepared, log: Log, records: Sequence[Any], roll: RollRecord) -> Game:
    """Return the game of ``log`` before ``roll``, ready to be forked; raises LogDamaged as a rerun does."""
    rerun = Rerun(prepared, log, records[: roll.n], dice_of(log, records))
    found = rerun.run()
    if found is not None:
        raise refusal(found, log, prepared, f"record {roll.n} cannot be reached: ")
    return rerun.game.before(roll.n)


def node_of(log: Log, number: int, rulesets: Rulesets) -> tuple[Game, RollRecord]:
    """Return the game before the roll in record ``number`` or the first roll after it, and that roll.

    Raises LogError if no roll follows.
    """
    prepared = prepare_for(log, rulesets)
    records = read_records(log, prepared.ruleset)
    roll = first_roll(records, number)
    if roll is None:
        raise LogError(f"{log.name}: there is no roll from record {number} on")
    return before_roll(prepared, log, records, roll), roll


def faces_of_roll(
    prepared: Prepared, game: Game, records: Sequence[Any], roll: RollRecord, about: Any
) -> list[FaceRow]:
    """Return the result of each outcome of ``roll``, with all other dice as recorded; [] if there are too many.

    ``game`` is before the roll. The results are events of the type of ``about``, an event, that concern the same names.
    If ``about`` is None, they are the immediate events that concern the names of the roll. Of many dice each is listed
    separately, unless none of them matters.
    """
    asked = game.pending
    if not isinstance(asked, Roll) or asked.sides * asked.dice > MAX_SINGLY:
        return []
    fall = _Fall(prepared, game, records, roll, about)
    if asked.sides**asked.dice <= MAX_FACES:
        return fall.rows([each.faces for each in outcomes(Roll(asked.dice, asked.sides, asked.purpose))])
    found = []
    for die in range(asked.dice):
        before, after_it = roll.dice[:die], roll.dice[die + 1 :]
        found += fall.rows([(*before, face, *after_it) for face in range(1, asked.sides + 1)], die + 1)
    mattered = {row.die for row in found if not row.fell}
    return [row for row in found if row.die in mattered] or [replace(row, die=0) for row in found[:1]]


class _Fall:
    """A roll with different outcomes, and the rows of their results; see ``faces_of_roll``."""

    def __init__(self, prepared: Prepared, game: Game, records: Sequence[Any], roll: RollRecord, about: Any) -> None:
        self._game, self._roll = game, roll
        self._fell = {each.label: each.dice for each in effective(records) if isinstance(each, RollRecord)}
        self._subject = _Subject(roll if about is None else about, prepared)

    def rows(self, ways: Sequence[tuple[int, ...]], die: int = 0) -> list[FaceRow]:
        """Return the results of ``ways``, the outcomes of the dice; outcomes with the same result share a row."""
        tried = [way for faces in ways if (way := self._way(faces)) is not None]
        is_all_one = all(way[2] == tried[0][2] for way in tried)  # then only the sums distinguish the results
        rows: dict[Any, list[tuple[tuple[int, ...], str]]] = {}
        for faces, text, coarse_key, fine_key in tried:
            rows.setdefault(fine_key if is_all_one else coarse_key, []).append((faces, text))
        return [
            FaceRow(
                tuple(each for each, _ in row), self._roll.dice in dict(row), common([text for _, text in row]), die
            )
            for row in rows.values()
        ]

    def _way(self, faces: tuple[int, ...]) -> tuple[tuple[int, ...], str, Any, Any] | None:
        """Return the faces, their result in words, and two keys that distinguish it from others: coarse and fine.

        Returns None if the rules fail with these faces.
        """
        twin, subject = self._game.fork(ChanceDice()), self._subject
        with suppress(SandtableError):
            twin.resolve_roll(faces)
            _roll_on(twin, self._fell, self._game.number, subject)
            events = subject.events(after(twin, self._game.number))
            text = subject.describe(events) if events else _waits(twin) or subject.describe(events)
            coarse, fine = (tuple(without_dice(each.event, sums=also) for each in events) for also in (False, True))
            return faces, text, coarse or text, fine or text
        return None


def _waits(game: Game) -> str:
    """Return what a game waits for, a roll or an order, or "" if it is over."""
    if isinstance(game.pending, Roll):
        return f"another roll follows: {game.pending.purpose}"
    return asked_of(game)


class _Subject:
    """The subject of a description: events of one type with certain names, or events that name a roll's names."""

    def __init__(self, about: Any, prepared: Prepared) -> None:
        self._kind = None if isinstance(about, RollRecord) else type(about)
        sides = {*prepared.ruleset.seats, *prepared.ruleset.viewers}
        self._names = (names_of(about) if self._kind is None else names_in(to_builtins(about))) - sides
        self._prepared = prepared

    def events(self, records: Sequence[Any]) -> list[Any]:
        """Return the events of ``records`` that belong to the subject."""
        found = [each for each in records if isinstance(each, EventRecord)]
        if self._kind is None:
            found = [each for each in found if type(each.event).__name__ not in BOOKKEEPING]
            return [each for each in found if self._names & names_of(each)][:2] or found[:1]
        alike = [each for each in found if type(each.event) is self._kind]
        return [each for each in alike if 2 * len(self._names & names_of(each)) > len(self._names)][:1] or (
            [] if self._names else alike[:1]
        )

    def describe(self, events: Sequence[Any]) -> str:
        """Return the events in words."""
        texts = dict.fromkeys(sentence(self._prepared, each).rstrip(".") for each in events)
        return "; ".join(texts) or (NOTHING if self._kind is None else f"no {self._kind.__name__}")


def chance_rows(prepared: Prepared, found: Chances) -> list[ChanceRow]:
    """Return the possible results of a roll in words, most likely first; results with the same text are merged."""
    rows: dict[str, tuple[Fraction, list[RollOutcome]]] = {}
    for each in found.results:
        text = common([described(prepared, records) for records in each.records])
        text = each.asked or text if text == NOTHING else text
        chance, group = rows.get(text, (Fraction(), []))
        rows[text] = chance + each.chance, [*group, each]
    faces = {text: _faces_text(found, group) for text, (_, group) in rows.items()}
    ordered = sorted(rows.items(), key=lambda each: -each[1][0])
    return [ChanceRow(chance, faces[text], text) for text, (chance, _) in ordered]


def faces_told(row: FaceRow, units: Sequence[str] = ()) -> str:
    """Return the faces of a row as text: "1 3-4"; for several dice the number of outcomes, or one die with its unit."""
    if row.die:
        unit = f" ({units[row.die - 1]})" if row.die <= len(units) else ""
        return f"die {row.die}{unit} {spans(sorted(each[row.die - 1] for each in row.faces))}"
    if len(row.faces[0]) == 1:
        return spans(sorted(face for (face,) in row.faces))
    return f"{len(row.faces)} outcomes, such as {' '.join(map(str, row.faces[0]))}"


def _faces_text(found: Chances, group: list[RollOutcome]) -> str:
    """Return the faces, hits or sums that lead to ``group``, or "" if several rolls do or they are not distinct."""
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
    """Return ascending whole numbers as text with runs joined: "1-3 5"."""
    found: list[list[int]] = []
    for each in numbers:
        if found and each == found[-1][1] + 1:
            found[-1][1] = each
        else:
            found.append([each, each])
    return " ".join(str(low) if low == high else f"{low}-{high}" for low, high in found)


def _roll_on(game: Game, fell: dict[str, tuple[int, ...]], since: int, subject: _Subject) -> None:
    """Roll the following dice as recorded until an event of the subject has happened."""
    while isinstance(roll := game.pending, Roll) and not subject.events(after(game, since)):
        faces = fell.get(game.label_of(roll), ())
        if len(faces) != roll.dice:
            return
        game.resolve_roll(faces)


def described(prepared: Prepared, records: Sequence[Any]) -> str:
    """Return the first MAX_TOLD events in ``records`` in words, and the number of the others."""
    events = [each for each in records if isinstance(each, EventRecord)]
    shown = [each for each in events if type(each.event).__name__ not in BOOKKEEPING]
    texts = list(dict.fromkeys(sentence(prepared, each) for each in shown))
    more = [f"and {count_of(len(texts) - MAX_TOLD)} more"] if len(texts) > MAX_TOLD else []
    return "; ".join([each.rstrip(".") for each in texts[:MAX_TOLD]] + more) or NOTHING


def count_of(number: int) -> str:
    """Return "one thing" or "3 things"."""
    return "one thing" if number == 1 else f"{number} things"


def narrated(prepared: Prepared, record: Any) -> str:
    """Return the ruleset's narration of a record, or ""."""
    text: str | None = None
    with suppress(SandtableError), fitting("", ""):  # a record that does not fit the game has no narration
        text = (prepared.installed.ui.narrate or nothing)(record, prepared.board)
    return text or ""


def sentence(prepared: Prepared, record: Any) -> str:
    """Return the ruleset's narration of an event, or without one its type and short fields."""
    text = narrated(prepared, record)
    if text:
        return text
    event = record.event
    plain = {name: getattr(event, name) for name in event.__struct_fields__ if name not in {"rule", "calculations"}}
    short = ", ".join(
        f"{name} {value}" for name, value in plain.items() if isinstance(value, str | int) and value != ""
    )
    return f"{type(event).__name__}: {short}" if short else type(event).__name__
