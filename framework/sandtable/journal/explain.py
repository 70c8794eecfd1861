"""Explaining a record: the orders, the rolls, and the live procedures with the rules they cite."""

from collections.abc import Iterator, Sequence
from itertools import islice, takewhile
from typing import Any

from msgspec import Struct, to_builtins

from sandtable.errors import LogError
from sandtable.journal.branching.causes import RULE_ID, about, names_in, names_of, orders_behind, rolls_behind
from sandtable.journal.branching.chances import FaceRow, faces_of_roll, narrated
from sandtable.journal.branching.influence import KEY, MAX_LISTED, Led, has_causes, led_to, legal, result_of
from sandtable.journal.file.log import Log
from sandtable.journal.fold import effective, prepare_for, read_records
from sandtable.journal.sides.slices import seen_records
from sandtable.journal.verification.edits import refusal
from sandtable.journal.verification.rerun import Rerun, RerunObserver
from sandtable.journal.verification.stored import dice_of, keys_of_rolls, shown_key
from sandtable.journal.verification.verdicts import Verdict
from sandtable.journal.verification.verify import verify
from sandtable.kernel.decisions import Decision, EnterDice
from sandtable.kernel.events import UNSET, Calculation, PhaseBegan
from sandtable.kernel.options import Form, Sheet
from sandtable.kernel.play.game import Game
from sandtable.kernel.records import EventRecord, OrderRecord, RollRecord, UndoRecord
from sandtable.kernel.ruleset import Ruleset
from sandtable.plugin.groups import nothing
from sandtable.plugin.manager import Prepared, Rulesets

MAX_OTHERS = 8
"""Maximum number of other orders that are shown; those about the same units and locations come first."""


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


class Decided(Struct, frozen=True):
    """An order that led to a record: its question, its rule, and other orders that were possible.

    ``others`` are some of the other legal orders, ``more`` whether there were further ones. ``only`` means that no
    other order was legal. ``instead`` is another order after which the record would be different, {} if unknown.
    """

    record: int
    by: str
    asked: str
    rule: str
    order: dict[str, Any]
    others: tuple[dict[str, Any], ...] = ()
    more: bool = False
    only: bool = False
    instead: dict[str, Any] = {}


class ExplainedCell(Struct, frozen=True):
    """The table cell in which a figure was looked up: its value, and the neighboring cells in its row and column."""

    name: str
    table: tuple[str, ...]
    value: str
    near: dict[str, str]


class Explanation(Struct, frozen=True):
    """Why record ``record`` of a log happened.

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

    Raises LogError if the record does not exist or the side may not see it. Raises LogDamaged if the rules do not give
    the record, or RulesetMissing if they were edited since.
    """
    if not 1 <= number <= log.records:
        raise LogError(f"{log.name}: has records 1 to {log.records}, not {number}")
    prepared = prepare_for(log, rulesets)
    records = read_records(log, prepared.ruleset)
    live = _Live(number)
    verdict = verify(log, prepared, watch=live)
    if live.rerun is None:
        live.rerun = Rerun(prepared, log, records[:number], dice_of(log, records), seen=live.look)
        live.rerun.run(live.ask)
    rerun = live.rerun
    if rerun.found is not None and rerun.found.record <= number:
        raise refusal(rerun.found, log, prepared, f"record {number} cannot be explained: ")
    known = effective(records[:number])
    if side:
        known = seen_records(known, prepared, side)
    record = next((each for each in reversed(known) if each.n == number), None)
    back = records[number - 1]
    if record is None and isinstance(back, UndoRecord):
        raise LogError(f"{log.name}: record {number}: {back.by} undid record {back.to}; no rule made it happen")
    if record is None:
        raise LogError(f"{log.name}: {side} may not see record {number}")
    sides = frozenset((*prepared.ruleset.seats, *prepared.ruleset.viewers))
    is_open = not side or not prepared.ruleset.hidden  # what would change a record depends on what is hidden
    behind = [Led(each) for each in orders_behind(known, live.phases, sides)]
    if is_open and has_causes(record):
        first = next(each for each, (turn, _) in live.phases.items() if turn == live.turn)
        suggested, key = [each.order for each in behind], shown_key(log, records) or KEY
        behind = led_to(rerun.game, known, suggested, first, result_of(records, record), key)
    names = names_of(record)
    decided = tuple(live.decided(each, prepared.ruleset, side, names) for each in behind)
    fell = rolls_behind(known, sides)
    event = getattr(record, "event", None)
    faces = {each.n: _faces(rerun.game, prepared, records, each, event) if is_open else () for each in fell}
    own = _own_rolls(known)
    idle = [each for each in fell if len(faces[each.n]) == 1 and not (each.n in own and names & names_of(each))]
    idle = [each for each in idle if each.n != number]
    keys = keys_of_rolls(log, records)
    rolls = tuple(_roll(each, keys(each.n), faces[each.n]) for each in fell if each not in idle)
    rule = getattr(record, "rule", "") or getattr(event, "rule", "")
    rule = rule or next((each.rule for each in decided if each.record == number), "")
    cited = {rule, *(rule for frame in live.frames for rule in frame.rules), *(roll.rule for roll in rolls)}
    cited |= {each.rule for each in decided} | set(RULE_ID.findall(str(to_builtins(record))))
    sums = sums_of(prepared, known)
    cited |= {each for sum_ in sums for _, _, each in sum_.steps}
    index = prepared.installed.hook.ruleset_index() or ()
    explanation = Explanation(
        log=log.name,
        record=number,
        kind=type(record).__name__.removesuffix("Record").lower(),
        what={key: value for key, value in to_builtins(record).items() if key not in {"hash", "kind", "n"}},
        turn=live.turn,
        phase=live.phase,
        rule=rule,
        decided=decided,
        rolls=rolls,
        procedures=live.frames,
        rules={row.id: row.text for row in index if row.id in cited},
        told=narrated(prepared, record),
        cells=tuple(_cells(prepared, getattr(event, "calculations", None) or sums)),
        between=live.between(records),
        sums=sums,
    )
    return explanation, verdict


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


def _faces(game: Game, prepared: Prepared, records: Sequence[Any], roll: RollRecord, event: Any) -> tuple[FaceRow, ...]:
    """Return the result of each face of ``roll``."""
    return tuple(faces_of_roll(prepared, game.before(roll.n), records, roll, event)) if roll.dice else ()


def _cells(prepared: Prepared, calculations: Sequence[Calculation]) -> Iterator[ExplainedCell]:
    """Yield the cells in which figures were looked up, if the ruleset has the table."""
    for each in calculations:
        found = prepared.installed.table(each.table[0], prepared.board) if len(each.table) == 3 else None
        around = found.around(*each.table[1:]) if found is not None else None
        if around is not None:
            yield ExplainedCell(each.name, each.table, *around)


class _Live(RerunObserver):
    """Observations of a rerun game, up to record ``number``."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.frames: tuple[Frame, ...] = ()
        self.turn, self.phase = 0, ""
        self.phases: dict[int, tuple[int, str]] = {}
        self._last = ""
        self._asked: list[Decision] = []
        self._questions: dict[int, Decision] = {}

    @property
    def game(self) -> Game:
        """The game that is rerun."""
        assert self.rerun is not None  # noqa: S101 - it observes that rerun
        return self.rerun.game

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
            self.frames, self.turn, self.phase = _frames(self.game), state.turn, state.phase

    def between(self, records: Sequence[Any]) -> tuple[str, str]:
        """Return the phases before and after a record between two phases, "" for none."""
        if self.phase:
            return "", ""
        events = (getattr(each, "event", None) for each in records[self.number - 1 :])
        return self._last, next((each.phase for each in events if isinstance(each, PhaseBegan)), "")

    def decided(self, led: Led, ruleset: Ruleset, side: str, names: set[str]) -> Decided:
        """Return an order with its question and other possible answers, as far as ``side`` may know them.

        For an order behind another record, only the lines that led to it are given, or those with its ``names``. The
        options are those of the game at the question, because they may read its state.
        """
        record, names = led.order, set(led.lines) or names
        order = to_builtins(record.order)
        if record.n != self.number:
            order = about(order, names)
        asked = () if isinstance(record.order, EnterDice) else self.game.before(record.n).waiting()
        decision = next((each for each in asked if each.seat == record.by), None) or self._questions.get(record.n)
        if decision is None:
            return Decided(record.n, record.by, "", "", order)
        if side and ruleset.side_of(record.by) != side:
            return Decided(record.n, record.by, decision.prompt, decision.rule, order)
        found = _others(decision.options, record.order, names if record.n != self.number else set())
        others, more = tuple(found[:MAX_OTHERS]), len(found) > MAX_OTHERS
        instead = {} if led.instead is None else about(to_builtins(led.instead), names)
        return Decided(record.n, record.by, decision.prompt, decision.rule, order, others, more, not found, instead)


def _others(options: Any, order: Any, names: set[str]) -> list[dict[str, Any]]:
    """Return other legal orders, up to one more than are shown; random ones if they cannot be listed.

    For a sheet only the other lines for ``names`` are given.
    """
    for name, space in options.fields.items() if isinstance(options, Form) else ():
        written = getattr(order, name)
        if isinstance(space, Sheet) and names & set(written):
            lines = ((key, each) for key in sorted(names & set(written)) for each in legal(space.lines[key]))
            other = ((key, each) for key, each in lines if each != written[key])
            return [{name: {key: to_builtins(each)}} for key, each in islice(other, MAX_OTHERS + 1)]
    found = [to_builtins(each) for each in islice(legal(options), MAX_LISTED) if each != order]
    mine = names_in(to_builtins(order)) | names
    return sorted(found, key=lambda each: not mine & names_in(each))[: MAX_OTHERS + 1]


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
