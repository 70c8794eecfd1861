"""The impact of other rules on a recorded game: a different record, an order no longer legal, or a different winner.

The recorded orders are submitted again as long as the rules ask the questions that they answered. The result names the
first difference and its outcome. Dice are keyed by purpose, so every other roll is unchanged.
"""

from collections.abc import Callable, Sequence
from itertools import zip_longest
from typing import Any

from msgspec import Struct, to_builtins

from sandtable.errors import LogDamaged, SandtableError
from sandtable.journal.branching.compare import comparable
from sandtable.journal.fields import differences
from sandtable.journal.file.log import Log
from sandtable.journal.fold import effective, other_version, read_records
from sandtable.journal.other_rules.rerun import RerunUnderRules, Stop
from sandtable.journal.record import form_for
from sandtable.journal.verification.rerun import named
from sandtable.journal.verification.stored import dice_by_label
from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.dice import KeyedDice
from sandtable.kernel.play.game import Game
from sandtable.kernel.records import (
    OF_CHAINS,
    OUTSIDE,
    CloseRecord,
    EventRecord,
    OrderRecord,
    RulingRecord,
    SealRecord,
    unsigned,
)
from sandtable.plugin.importing import one_line
from sandtable.plugin.manager import Prepared
from sandtable.quoting import disambiguated

SAME, CHOICES, DIFFERS = "same", "different options", "differs"
STRANDED, ILLEGAL, WINNER = "different decision", "order illegal", "different winner"
UNREAD = "cannot be run"
VERDICTS = (SAME, CHOICES, DIFFERS, STRANDED, ILLEGAL, WINNER, UNREAD)
"""Verdicts, mildest first. "different options": the same events, but a question offered different options."""

Fill = Callable[[Game, Decision], Order]
"""Answers a question that no recorded order answers."""


class Impact(Struct, frozen=True):
    """The result of ``log`` under other rules: the ``verdict``, and the first record that differs, with its rule.

    ``text`` describes the difference; without one ``record`` is 0. ``was`` and ``now`` are the outcomes, "" for a game
    without an end. If the recorded orders do not reach the end, ``stop`` names the record, the rule and the reason.
    ``problem`` is the reason why the rules could not be run at all.
    """

    log: str
    ruleset: str
    verdict: str
    record: int = 0
    rule: str = ""
    text: str = ""
    was: str = ""
    now: str = ""
    stop: Stop | None = None
    problem: str = ""


def impact_on(log: Log, prepared: Prepared, fill: Fill | None = None) -> Impact:
    """Return the impact of the rules in ``prepared``, of any version, on ``log``; never raises because of its content.

    If the recorded orders do not reach the end, ``fill`` answers; without it the game ends there.
    """
    name, ruleset = log.name, prepared.installed.name
    was = ""
    try:
        if log.broken is not None or log.misfit is not None:
            raise LogDamaged(f"{log.where(log.broken or 0)}: was altered: `sandtable verify` shows where")
        records = read_records(log, prepared.ruleset)
        was = records[-1].outcome if records and isinstance(records[-1], CloseRecord) else ""
        tried = RerunUnderRules(prepared, log, records, dice_by_label(log, records))
    except SandtableError as error:
        return Impact(name, ruleset, UNREAD, was=was, problem=str(error))
    except Exception as error:  # noqa: BLE001 - a crash of the rules is a result to report
        return Impact(name, ruleset, UNREAD, was=was, problem=one_line(error))
    tried.run(fill)
    now = tried.game.state.outcome
    made = tried.game.trail
    record, rule, text = _first(_compared(records), _compared(made), tried.stop)
    if not text and not other_version(log, prepared.ruleset):  # a digest holds the version
        record, text = _other_state(tried, log)
    verdict = _verdict(was, now, tried, differs=bool(text))
    if not text and tried.choices is not None:
        record, rule, text = tried.choices
    return Impact(name, ruleset, verdict, record, rule, text, was, now, tried.stop)


def _verdict(was: str, now: str, tried: RerunUnderRules, *, differs: bool) -> str:
    if now and was and now != was:
        return WINNER
    if tried.stop is not None:
        return ILLEGAL if tried.stop.illegal else STRANDED
    if differs:
        return DIFFERS
    return SAME if tried.choices is None else CHOICES


def _other_state(tried: RerunUnderRules, log: Log) -> tuple[int, str]:
    """Return the first digest that differs after the same records: the handlers make a different state."""
    game = tried.game
    if not isinstance(game.dice, KeyedDice) or tried.choices is not None or len(game.records) != log.records:
        return 0, ""
    shown = form_for(game.ruleset, game.dice).shown_digest
    for record, line in zip(game.records, log.lines[1:], strict=True):
        if (
            isinstance(record, SealRecord | CloseRecord)
            and b'"digest":"%b"' % shown(record.n, record.digest).encode() not in line
        ):
            return record.n, "the same records, but a different state"
    return 0, ""


def _compared(records: Sequence[Any]) -> list[Any]:
    """Return the records that count, without signatures and shares; of an amended order only the order."""
    return [
        unsigned(each) if isinstance(each, OUTSIDE) else each
        for each in effective(records)
        if not (isinstance(each, OF_CHAINS) or (isinstance(each, RulingRecord) and each.event is None))
    ]


def _first(stored: list[Any], made: list[Any], stop: Stop | None) -> tuple[int, str, str]:
    """Return the first of the ``stored`` records that is not ``made`` again, its rule, and how it differs."""
    for old, new in zip_longest(stored, made):
        if old is not None and new is not None and (_alike(old, new) or comparable(old) == comparable(new)):
            continue
        if new is None:
            return (stop.record, stop.rule, stop.text) if stop else (old.n, _rule_of(old), f"{named(old)} is not made")
        if old is None:
            return new.n, _rule_of(new), f"the rules continue with {named(new)}, but the log ends"
        return old.n, _rule_of(new) or _rule_of(old), _how(old, new)
    return 0, "", ""


def _alike(old: Any, new: Any) -> bool:
    """Return whether two records are equal, by a fast check; False proves nothing."""
    kind = old.__class__
    if kind is not new.__class__:
        return False
    if kind is EventRecord:
        return old.event.__class__ is new.event.__class__ and bool(old.event == new.event)
    return kind is OrderRecord and bool((old.by, old.order) == (new.by, new.order))


def _how(old: Any, new: Any) -> str:
    if type(old) is not type(new) or type(getattr(old, "event", None)) is not type(getattr(new, "event", None)):
        return f"the rules make {named(new)} here; the log has {named(old)}"
    for where, there, here in differences(to_builtins(old), to_builtins(new)):
        if where not in {"n", "asked", "digest"}:
            one, other = disambiguated(there, here)
            return f"{named(old)}: {where} was {one}; the rules give {other}"
    return f"{named(old)} differs"


def _rule_of(record: Any) -> str:
    rule: str = getattr(record, "rule", "") or getattr(getattr(record, "event", None), "rule", "")
    return rule
