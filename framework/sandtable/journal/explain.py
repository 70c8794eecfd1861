"""Explaining a record: the orders, the rolls, and the live procedures with the rules they cite."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import takewhile
from typing import Any, Protocol

from msgspec import Struct, to_builtins

from sandtable.errors import LogError
from sandtable.journal.branching.answers import Decided, decided
from sandtable.journal.branching.causes import (
    RULE_ID,
    is_choice,
    names_of,
    orders_behind,
    rolls_behind,
)
from sandtable.journal.branching.chances import FaceRow, faces_of_roll, narrated
from sandtable.journal.branching.influence import KEY, Led, has_causes, led_to, result_of
from sandtable.journal.file.log import Log
from sandtable.journal.fold import effective, prepare_for, read_records
from sandtable.journal.side_view.explaining import SliceSource, between
from sandtable.journal.sides.side_log import side_log
from sandtable.journal.sides.slices import seen_records
from sandtable.journal.verification.edits import refusal
from sandtable.journal.verification.rerun import Rerun, RerunObserver
from sandtable.journal.verification.stored import dice_of, keys_of_rolls, shown_key
from sandtable.journal.verification.verdicts import Difference, Verdict
from sandtable.journal.verification.verify import verify
from sandtable.kernel.decisions import Decision
from sandtable.kernel.events import UNSET, Calculation
from sandtable.kernel.play.game import Game
from sandtable.kernel.records import EventRecord, OrderRecord, RollRecord, UndoRecord
from sandtable.plugin.groups import nothing
from sandtable.plugin.manager import Prepared, Rulesets


class Frame(Struct, frozen=True):
    """A live procedure: its name, the first line of its docstring, and the rule ids it cites."""

    procedure: str
    summary: str
    rules: tuple[str, ...]


class ExplainedRoll(Struct, frozen=True):
    """A roll, and the shell ``command`` that computes it if the key is known.

    ``otherwise`` is the result of each face with all other dice as recorded, empty if not computed. ``units`` are the
    units of the dice, by die.
    """

    record: int
    label: str
    sides: int
    dice: tuple[int, ...]
    needs: tuple[int, ...]
    rule: str
    command: str
    otherwise: tuple[FaceRow, ...] = ()
    units: tuple[str, ...] = ()


class ExplainedCell(Struct, frozen=True):
    """The table cell in which a figure was looked up: its value, and the neighboring cells in its row and column."""

    name: str
    table: tuple[str, ...]
    value: str
    near: dict[str, str]


class Explanation(Struct, frozen=True):
    """The explanation of record ``record`` of a log.

    ``decided`` are the orders from which it follows: the answer to the question before it, or all of a sealed group;
    empty if it follows from the sequence of play. ``rolls`` are those from which it follows. ``told`` is the ruleset's
    narration, if any. ``sums`` are computed again for an event without calculations. Between two phases ``phase`` is
    "", and ``between`` names them.
    """

    log: str
    record: int
    kind: str
    what: dict[str, Any]
    turn: int
    phase: str
    rule: str
    decided: tuple[Decided, ...]
    rolls: tuple[ExplainedRoll, ...]
    procedures: tuple[Frame, ...]
    rules: dict[str, str]
    told: str = ""
    cells: tuple[ExplainedCell, ...] = ()
    between: tuple[str, str] = ("", "")
    sums: tuple[Calculation, ...] = ()


def explain(log: Log, number: int, rulesets: Rulesets, side: str = "") -> Explanation:
    """Return the explanation of ``explained``, without the verdict."""
    return explained(log, number, rulesets, side)[0]


def explained(log: Log, number: int, rulesets: Rulesets, side: str = "") -> tuple[Explanation, Verdict]:
    """Return why record ``number`` of ``log`` happened, as far as ``side`` may know ("": everything), and the verdict.

    Raises LogError if the record does not exist, is an undo, or may not be seen by the side. Raises LogDamaged if the
    rules do not give the record, or RulesetMissing if they were edited since.
    """
    if not 1 <= number <= log.records:
        raise LogError(f"{log.name}: has records 1 to {log.records}, not {number}")
    prepared = prepare_for(log, rulesets)
    slice_ = side_log(log, prepared, side or None)
    if slice_ is not None:
        verdict = verify(log, prepared, side=slice_.side)
        _refuse(verdict.first_difference, log, prepared, number)
        return _explanation(SliceSource(slice_, number), slice_.seen_at(number), slice_.side), verdict
    records = read_records(log, prepared.ruleset)
    live = _Live(log, prepared, records, number, side)
    verdict = verify(log, prepared, watch=live)
    if live.rerun is None:
        live.rerun = Rerun(prepared, log, records[:number], dice_of(log, records), seen=live.look)
        live.rerun.run(live.ask)
    _refuse(live.rerun.found, log, prepared, number)
    known = effective(records[:number])
    return _explanation(live, seen_records(known, prepared, side) if side else known, side), verdict


def _refuse(found: Difference | None, log: Log, prepared: Prepared, number: int) -> None:
    """Raise the error for a log that the rules contradict up to record ``number``."""
    if found is not None and found.record <= number:
        raise refusal(found, log, prepared, f"record {number} cannot be explained: ")


def _explanation(source: "_Source", seen: Sequence[Any], side: str) -> Explanation:
    """Return the explanation of a record from its ``source``; ``seen`` are records that ``side`` may know."""
    number, prepared = source.number, source.prepared
    known = effective([each for each in seen if each.n <= number])
    record = next((each for each in reversed(known) if each.n == number), None)
    back = next((each for each in source.records if each.n == number), None)
    if record is None and isinstance(back, UndoRecord):
        raise LogError(f"{source.name}: record {number}: {back.by} undid record {back.to}; no rule made it happen")
    if record is None:
        raise LogError(f"{source.name}: {side} may not see record {number}")
    sides = frozenset((*prepared.ruleset.seats, *prepared.ruleset.viewers))
    names = names_of(record)
    behind = source.led([Led(each) for each in orders_behind(known, source.phases, sides)], known)
    decided = tuple(source.decided(each, names) for each in behind)
    fell = rolls_behind(known, sides)
    event = getattr(record, "event", None)
    faces = {each.n: source.faces(each, event) for each in fell}
    own = _own_rolls(known)
    idle = [each for each in fell if len(faces[each.n]) == 1 and not (each.n in own and names & names_of(each))]
    idle = [each for each in idle if each.n != number]
    rolls = tuple(_roll(each, source.key_of(each.n), faces[each.n]) for each in fell if each not in idle)
    rule = getattr(record, "rule", "") or getattr(event, "rule", "")
    rule = rule or next((each.rule for each in decided if each.record == number), "")
    cited = {rule, *(rule for frame in source.frames for rule in frame.rules), *(roll.rule for roll in rolls)}
    cited |= {each.rule for each in decided} | set(RULE_ID.findall(str(to_builtins(record))))
    sums = sums_of(prepared, known)
    cited |= {each for sum_ in sums for _, _, each in sum_.steps}
    index = prepared.installed.hook.ruleset_index() or ()
    return Explanation(
        log=source.name,
        record=number,
        kind=type(record).__name__.removesuffix("Record").lower(),
        what={key: value for key, value in to_builtins(record).items() if key not in {"hash", "kind", "n"}},
        turn=source.turn,
        phase=source.phase,
        rule=rule,
        decided=decided,
        rolls=rolls,
        procedures=source.frames,
        rules={row.id: row.text for row in index if row.id in cited},
        told=narrated(prepared, record),
        cells=tuple(_cells(prepared, getattr(event, "calculations", None) or sums)),
        between=source.between(),
        sums=sums,
    )


def sums_of(prepared: Prepared, records: Sequence[Any]) -> tuple[Calculation, ...]:
    """Return the calculations of the last of the ``records``, if it is an event that does not carry them."""
    last = records[-1]
    if not isinstance(last, EventRecord) or getattr(last.event, "calculations", UNSET) is not UNSET:
        return ()
    return tuple((prepared.installed.ui.sums or nothing)(records, prepared.board) or ())


def _own_rolls(known: Sequence[Any]) -> set[int]:
    """Return the numbers of the last record, if it is a roll, and of the rolls directly before it."""
    before = takewhile(lambda each: isinstance(each, RollRecord), reversed(known[:-1]))
    return {known[-1].n, *(each.n for each in before)}


def _cells(prepared: Prepared, calculations: Sequence[Calculation]) -> Iterator[ExplainedCell]:
    """Yield the cells in which figures were looked up, if the ruleset has the table."""
    for each in calculations:
        found = prepared.installed.table(each.table[0], prepared.board) if len(each.table) == 3 else None
        around = found.around(*each.table[1:]) if found is not None else None
        if around is not None:
            yield ExplainedCell(each.name, each.table, *around)


class _Source(Protocol):
    """The material of an explanation of record ``number``; ``records`` are all that may be known of the log."""

    name: str
    number: int
    prepared: Prepared
    records: Sequence[Any]
    phases: dict[int, tuple[int, str]]
    turn: int
    phase: str

    @property
    def frames(self) -> tuple[Frame, ...]:
        """The active procedures, or nothing if they depend on what is hidden."""

    def key_of(self, number: int) -> bytes | None:
        """Return the dice key of the roll in a record, or None if it may not be known."""

    def led(self, behind: list[Led], known: Sequence[Any]) -> list[Led]:
        """Return the orders of ``behind`` that led to the last of the ``known`` records, if that can be found out."""

    def decided(self, led: Led, names: set[str]) -> Decided:
        """Return an order with its question and other possible answers, as far as they may be known.

        For an order behind another record, only the lines that led to it are given, or those with its ``names``.
        """

    def faces(self, roll: RollRecord, event: Any) -> tuple[FaceRow, ...]:
        """Return the result of each face of ``roll``, or nothing if that depends on what is hidden."""

    def between(self) -> tuple[str, str]:
        """Return the phases before and after a record between two phases, "" for none."""


class _Live(RerunObserver):
    """Observations of a rerun game, up to record ``number``, of which ``side`` ("": the umpire) may know its part."""

    def __init__(self, log: Log, prepared: Prepared, records: Sequence[Any], number: int, side: str) -> None:
        self.name, self.prepared, self.records = log.name, prepared, records
        self.number = number
        self.turn, self.phase = 0, ""
        self.phases: dict[int, tuple[int, str]] = {}
        self.frames: tuple[Frame, ...] = ()
        self._side = side
        self._is_open = not side or not prepared.ruleset.hidden
        """Whether nothing is hidden from the side: alternatives and active procedures depend on all of the state."""
        self._keys, self._key = keys_of_rolls(log, records), shown_key(log, records) or KEY
        self._last = ""
        self._asked: list[Decision] = []
        self._questions: dict[int, Decision] = {}
        self._log = log

    @property
    def game(self) -> Game:
        """The game that is rerun."""
        assert self.rerun is not None  # noqa: S101 - it observes that rerun
        return self.rerun.game

    @cached_property
    def then(self) -> Game:
        """The rerun game, or the game directly after the explained record if that no longer counts."""
        if any(each.n == self.number for each in self.game.trail):
            return self.game
        rerun = Rerun(self.prepared, self._log, self.records[: self.number], dice_of(self._log, self.records))
        rerun.run()
        return rerun.game

    def ask(self, decision: Decision) -> None:
        """Note the question that the next order answers."""
        self._asked.append(decision)

    def look(self, record: Any) -> None:
        """Note the turn and phase of ``record``, and the live procedures at the explained one."""
        if record.n > self.number:
            return
        state = self.game.state
        self.phases[record.n] = state.turn, state.phase
        if isinstance(record, OrderRecord) and self._asked:
            self._questions[record.n] = self._asked[-1]
        if state.phase:
            self._last = state.phase
        if record.n == self.number:
            self.frames = _frames(self.game) if self._is_open else ()
            self.turn, self.phase = state.turn, state.phase

    def led(self, behind: list[Led], known: Sequence[Any]) -> list[Led]:
        if not self._is_open or not has_causes(known[-1]):
            return behind
        first = next(each for each, (turn, _) in self.phases.items() if turn == self.turn)
        orders, result = [each.order for each in behind], result_of(self.records, known[-1])
        return led_to(self.then, known, orders, first, result, self._key)

    def key_of(self, number: int) -> bytes | None:
        return self._keys(number) if self._is_open else None

    def faces(self, roll: RollRecord, event: Any) -> tuple[FaceRow, ...]:
        if not self._is_open or not roll.dice:
            return ()
        return tuple(faces_of_roll(self.prepared, self.then.before(roll.n), self.records, roll, event))

    def between(self) -> tuple[str, str]:
        return between(self.records, self.number, self._last) if not self.phase else ("", "")

    def decided(self, led: Led, names: set[str]) -> Decided:
        """As in the protocol; the options are those of the game at the question, because they may read its state."""
        record = led.order
        is_own = not self._side or self.prepared.ruleset.side_of(record.by) == self._side
        if not is_own and not self._is_open:
            return decided(led, None, self.number, names)
        asked = self.then.before(record.n).waiting() if is_choice(record) else ()
        decision = next((each for each in asked if each.seat == record.by), None) or self._questions.get(record.n)
        return decided(led, decision, self.number, names, lists=is_own)


def _frames(game: Game) -> tuple[Frame, ...]:
    found = []
    for name, live in game.procedures():
        if name == "walk" or name.startswith("<"):
            continue
        first = live.gi_code.co_consts[0] if live.gi_code.co_consts else ""
        text = first if isinstance(first, str) else ""
        found.append(Frame(name, text.strip().split("\n")[0], tuple(dict.fromkeys(RULE_ID.findall(text)))))
    return tuple(found)


def _roll(record: RollRecord, key: bytes | None, otherwise: tuple[FaceRow, ...]) -> ExplainedRoll:
    hexkey = key.hex() if key else "<key shown at the close>"
    command = f"printf %s '{record.label}' | openssl dgst -sha256 -mac HMAC -macopt hexkey:{hexkey}"
    return ExplainedRoll(
        record.n, record.label, record.sides, record.dice, record.needs, record.rule, command, otherwise, record.units
    )
