"""Why a record happened: the order, the rolls, and the live procedures with the rules they cite."""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice
from typing import Any

from msgspec import Struct, to_builtins

from sandtable.errors import LogError, SandtableError
from sandtable.journal.file.log import Log
from sandtable.journal.fold import effective, prepare_for, read_records
from sandtable.journal.sides.slices import seen_records
from sandtable.journal.verification.edits import refusal
from sandtable.journal.verification.rerun import Rerun
from sandtable.journal.verification.stored import dice_of, shown_key
from sandtable.kernel.decisions import Decision
from sandtable.kernel.options import Form, Sheet
from sandtable.kernel.play.game import Game
from sandtable.kernel.records import OrderRecord, RollRecord, SealRecord
from sandtable.kernel.ruleset import Ruleset
from sandtable.plugin.manager import Rulesets

_RULE_ID = re.compile(r"\b[A-Z][A-Z0-9]{0,4}-[A-Z]?\d+(?:\.\d+)?[a-z]?\b")


MOST_OTHERS = 8
"""So many other orders are shown."""


class Frame(Struct, frozen=True):
    """A live procedure: its name, what its docstring says first, and the rule ids it cites."""

    procedure: str
    summary: str
    rules: tuple[str, ...]


class ExplainedRoll(Struct, frozen=True):
    """A roll, and how anyone can compute it again: ``command`` for a shell, where the key is known."""

    record: int
    label: str
    sides: int
    dice: tuple[int, ...]
    needs: tuple[int, ...]
    rule: str
    command: str


class Decided(Struct, frozen=True):
    """An order that led to a record: to what it was the answer, by which rule, and what else could have been ordered.

    ``others`` are some of the other orders that were legal; ``more`` tells whether there were further ones.
    """

    record: int
    by: str
    asked: str
    rule: str
    order: dict[str, Any]
    others: tuple[dict[str, Any], ...] = ()
    more: bool = False


class Explanation(Struct, frozen=True):
    """Why record ``record`` of a log happened.

    ``decided`` are the orders from which it follows: that of the question before it, or all of a sealed group; none
    where it follows from the sequence of play. ``rolls`` are those from which it follows.
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


def explain(log: Log, number: int, rulesets: Rulesets, side: str = "") -> Explanation:
    """Return why record ``number`` of ``log`` happened, as far as ``side`` may know ("" for everything).

    Raises LogError when there is no such record, or the side may not see it. Where the rules do not lead to it, raises
    LogDamaged, or RulesetMissing if they were edited since.
    """
    if not 1 <= number <= log.records:
        raise LogError(f"{log.name}: has records 1 to {log.records}, no {number}")
    prepared = prepare_for(log, rulesets)
    records = read_records(log, prepared.ruleset)
    live = _Live(number)
    rerun = Rerun(prepared, log, records[:number], dice_of(log, records), seen=live.look)
    live.game = rerun.game
    found = rerun.run(before=live.ask)
    if found is not None:
        raise refusal(found, log, prepared, f"record {number} cannot be explained: ")
    known = effective(records[:number])
    if side:
        known = seen_records(known, prepared, side)
    record = next((each for each in reversed(known) if each.n == number), None)
    if record is None:
        raise LogError(f"{log.name}: record {number} is nothing that {side} may see")
    behind = _orders_behind(known, live.phases)
    names = _names_in(to_builtins(record))
    decided = tuple(live.decided(each, prepared.ruleset, side, names) for each in behind)
    rolls = tuple(_roll(each, shown_key(log, records)) for each in _rolls_behind(known))
    rule = getattr(record, "rule", "") or getattr(getattr(record, "event", None), "rule", "")
    rule = rule or next((each.rule for each in decided if each.record == number), "")
    cited = {rule, *(rule for frame in live.frames for rule in frame.rules), *(roll.rule for roll in rolls)}
    cited |= {each.rule for each in decided} | set(_RULE_ID.findall(str(to_builtins(record))))
    index = prepared.installed.hook.ruleset_index() or ()
    return Explanation(
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
    )


class _Live:
    """What is seen of the game while it is run again, up to record ``number``."""

    def __init__(self, number: int) -> None:
        self.game: Game
        self.number = number
        self.frames: tuple[Frame, ...] = ()
        self.turn, self.phase = 0, ""
        self.phases: dict[int, tuple[int, str]] = {}
        self._asked: list[Decision] = []
        self._questions: dict[int, Decision] = {}

    def ask(self, decision: Decision) -> None:
        """Note the question that the next order answers."""
        self._asked.append(decision)

    def look(self, record: Any) -> None:
        """Note where ``record`` happens, and what is live there."""
        state = self.game.state
        self.phases[record.n] = state.turn, state.phase
        if isinstance(record, OrderRecord) and self._asked:
            self._questions[record.n] = self._asked[-1]
        if record.n == self.number:
            self.frames, self.turn, self.phase = _frames(self.game), state.turn, state.phase

    def decided(self, record: Any, ruleset: Ruleset, side: str, names: set[str]) -> Decided:
        """Return an order with its question and other answers to it, as far as ``side`` may know of them.

        Of an order behind another record only the lines about its ``names`` are given.
        """
        decision = self._questions.get(record.n)
        told = to_builtins(record.order)
        if record.n != self.number:
            told = _about(told, names)
        if decision is None:
            return Decided(record.n, record.by, "", "", told)
        others: list[dict[str, Any]] = []
        more = False
        if not side or ruleset.side_of(record.by) == side:
            found = _others(decision.options, record.order, names if record.n != self.number else set())
            others, more = found[:MOST_OTHERS], len(found) > MOST_OTHERS
        return Decided(record.n, record.by, decision.prompt, decision.rule, told, tuple(others), more)


def _others(options: Any, order: Any, names: set[str]) -> list[dict[str, Any]]:
    """Return the first other orders that were legal, one more than are shown; none where they cannot be listed.

    Of a sheet only the other lines for ``names`` are given.
    """
    for name, space in options.fields.items() if isinstance(options, Form) else ():
        written = getattr(order, name)
        if isinstance(space, Sheet) and names & set(written):
            lines = ((key, each) for key in sorted(names & set(written)) for each in _listed(space.lines[key]))
            other = ((key, each) for key, each in lines if each != written[key])
            return [{name: {key: to_builtins(each)}} for key, each in islice(other, MOST_OTHERS + 1)]
    return [to_builtins(each) for each in islice(_listed(options), MOST_OTHERS + 2) if each != order][: MOST_OTHERS + 1]


def _listed(space: Any) -> Iterator[Any]:
    """Yield the values of a space, as far as they can be listed."""
    with suppress(SandtableError, ValueError, NotImplementedError):
        yield from space.values()


def _orders_behind(known: Sequence[Any], phases: dict[int, tuple[int, str]]) -> list[Any]:
    """Return the orders from which the last of the ``known`` records follows: itself, the last, or a sealed group.

    Where the last order was given in another phase, it is those of the turn that name something which the record does,
    cut down to that: a plot, for one. Where there are none, it follows from the sequence of play.
    """
    last = known[-1]
    if isinstance(last, OrderRecord):
        return [last]
    orders = [each for each in known if isinstance(each, OrderRecord)]
    if isinstance(last, SealRecord) or not orders:
        return []
    behind = orders[-1:]
    if behind[0].missing == 1:
        group = 1
        while group < len(orders) and orders[-1 - group].missing == group + 1:
            group += 1
        behind = orders[-group:]
    if phases.get(orders[-1].n) == phases.get(last.n):
        return behind
    now = phases.get(last.n, (0, ""))[0]
    named = _names_in(to_builtins(last))
    turn = [each for each in orders if phases.get(each.n, (-1, ""))[0] == now]
    return [each for each in turn if named & _names_in(to_builtins(each.order))]


def _names_in(value: Any) -> set[str]:
    """Return the texts in plain data that may name a unit or a place: those with a digit in them."""
    if isinstance(value, dict):
        return {each for key, inner in value.items() for each in {*_names_in(key), *_names_in(inner)} if key != "rule"}
    if isinstance(value, list | tuple):
        return {each for inner in value for each in _names_in(inner)}
    return {value} if isinstance(value, str) and any(map(str.isdigit, value)) and not _RULE_ID.search(value) else set()


def _about(value: Any, names: set[str]) -> Any:
    """Return an order as plain data, its long tables cut down to the lines that name one of ``names``."""
    if not isinstance(value, dict):
        return value
    kept = {key: inner for key, inner in value.items() if {key} & names}
    return kept if kept else {key: _about(inner, names) for key, inner in value.items()}


def _rolls_behind(known: Sequence[Any]) -> list[RollRecord]:
    """Return the rolls from which the last of the ``known`` records follows: the last before it, since an order."""
    if isinstance(known[-1], RollRecord):
        return [known[-1]]
    if isinstance(known[-1], OrderRecord | SealRecord):
        return []
    found: list[RollRecord] = []
    for record in reversed(known[:-1]):
        if isinstance(record, RollRecord):
            found.append(record)
        elif found or isinstance(record, OrderRecord | SealRecord):
            break
    return found[::-1]


def _frames(game: Game) -> tuple[Frame, ...]:
    found = []
    for name, live in game.procedures():
        if name == "walk":
            continue
        first = live.gi_code.co_consts[0] if live.gi_code.co_consts else ""  # type: ignore[attr-defined]
        text = first if isinstance(first, str) else ""
        found.append(Frame(name, text.strip().split("\n")[0], tuple(dict.fromkeys(_RULE_ID.findall(text)))))
    return tuple(found)


def _roll(record: RollRecord, key: bytes | None) -> ExplainedRoll:
    hexkey = key.hex() if key else "<key shown at the close>"
    command = f"printf %s '{record.label}' | openssl dgst -sha256 -mac HMAC -macopt hexkey:{hexkey}"
    return ExplainedRoll(record.n, record.label, record.sides, record.dice, record.needs, record.rule, command)
