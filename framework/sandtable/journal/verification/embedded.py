"""Verifying the battles in a campaign's log: each must be present, match its brief and give the reported result."""

import hashlib
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from sandtable.errors import RulesetMissing, SandtableError
from sandtable.journal.battles import BattleTerms, PackedBattle, Unpacker, battle_key_in, packed_battles, report, stage
from sandtable.journal.fields import differences
from sandtable.journal.file.log import Log
from sandtable.journal.file.reading import parse_log
from sandtable.journal.fold import effective, fold_log, prepare_for
from sandtable.journal.verification.edits import is_firm, other_files
from sandtable.journal.verification.verdicts import Difference
from sandtable.kernel.records import OrderRecord
from sandtable.plugin.manager import Prepared, Rulesets
from sandtable.tabletop.result import TABLE, ReportBattle
from sandtable.tabletop.terms import Terms

DIFFERS = "battle differs"
"""Kind of difference: a battle that does not match its report."""

WITHOUT_LOG = (TABLE, "resolver")
"""Sources of results that no log proves, because they are decisions of the umpire."""

Judge = Callable[[Log, Prepared], Difference | None]
"""A function that returns the error in the log of a battle, or None if it verifies."""


class _Fault(Exception):
    """A fault of a battle: the field, its value and the expected value; ``edited`` as in Difference."""

    def __init__(self, field: str, text: str, stored: str = "", expected: str = "", edited: str = "") -> None:
        super().__init__(text)
        self.field, self.text, self.stored, self.expected = field, text, stored, expected
        self.edited = edited


def reports_in(records: Sequence[Any]) -> list[OrderRecord[Any]]:
    """Return those of ``records`` that report a battle with a log, and that still count."""
    return [each for each in effective(records) if each.__class__ is OrderRecord and _has_battle(each.order)]


def battle_difference(
    log: Log, records: Sequence[Any], asked: BattleTerms, rulesets: Rulesets, judge: Judge, key: bytes | None
) -> tuple[Difference | None, list[str]]:
    """Return the difference of the first faulty battle in ``records``, and the battles whose logs are missing.

    ``asked`` are the terms that the rules gave the umpire, ``key`` is the campaign's dice key if known. Raises
    RulesetMissing if the ruleset of a battle is not installed.
    """
    reports = reports_in(records)
    named_battles = {record.order.result.battle for record in reports}
    battles: dict[str, PackedBattle] = {}
    missing: list[str] = []
    if reports:
        try:
            battles = {each.battle: each for each in packed_battles(log) if each.battle in named_battles}
        except SandtableError as error:
            return Difference(DIFFERS, reports[0].n, f"record {reports[0].n}: {error}"), missing
    unpack = Unpacker(log.name).unpack
    for record in reports:
        order = record.order
        title = f"{order.result.battle[:12]} of {order.brief}".strip()
        battle = battles.get(order.result.battle)
        if battle is None:
            missing.append(f"the log of the battle {title} in record {record.n} (an annex)")
            continue
        try:
            data = _unpacked(battle, unpack)
            _check(order, asked.terms.get(order.brief), data, rulesets, judge, key)
        except _Fault as fault:
            location = f"record {record.n}: battle {title}"
            text = f"{location}: {fault.field}: {fault.text}" if fault.field else f"{location}: {fault.text}"
            found = Difference(DIFFERS, record.n, text, fault.field, fault.stored, fault.expected)
            found = found if is_firm(found) else msgspec.structs.replace(found, edited=fault.edited)
            return found, missing
    return None, missing


def _has_battle(order: Any) -> bool:
    return isinstance(order, ReportBattle) and (order.result.battle != "" or order.result.source not in WITHOUT_LOG)


def _unpacked(battle: PackedBattle, unpack: Callable[[PackedBattle], bytes]) -> bytes:
    """Return the log of a battle; raise _Fault if it cannot be unpacked."""
    try:
        return unpack(battle)
    except SandtableError as error:
        raise _Fault("", str(error)) from error


def _check(
    order: ReportBattle, terms: Terms | None, data: bytes, rulesets: Rulesets, judge: Judge, key: bytes | None
) -> None:
    """Raise _Fault if the battle of ``order``, whose log is ``data``, is not valid.

    ``terms`` is None if the rules could not be run that far; then only the battle's log is verified.
    """
    result = order.result
    found = hashlib.sha256(data).hexdigest()
    if found != result.battle:
        raise _Fault("battle", f"the log in its annex has the SHA-256 {found}", result.battle, found)
    try:
        inner = parse_log(data, "its log")
        prepared = prepare_for(inner, rulesets)
        staged = stage(rulesets.load(result.source), terms.brief) if terms is not None else None
    except RulesetMissing:
        raise
    except SandtableError as error:
        raise _Fault("", str(error)) from error
    edited = other_files(inner, prepared)
    if staged is not None:
        _check_header(
            inner, result.source, staged, battle_key_in(key, order.brief) if key is not None else None, edited
        )
    problem = judge(inner, prepared)
    if problem is not None and is_firm(problem):
        field = "battle" if problem.kind == DIFFERS else f"battle.{problem.field}"
        raise _Fault(field, problem.text, problem.stored, problem.expected)
    if problem is not None:
        raise _Fault("", problem.text, edited=problem.edited)
    if terms is None:
        return
    state = fold_log(inner, prepared)
    due = report(prepared.installed, terms, state, found)
    if msgspec.json.encode(due) != msgspec.json.encode(result):
        parts = differences(msgspec.to_builtins(result), msgspec.to_builtins(due))
        where, stored, expected = next(parts, ("result", "the stored value", "a different value"))
        text = f"is reported as {stored}; the end of the battle gives {expected}"
        raise _Fault(where, text, stored, expected, edited=edited)


def _check_header(inner: Log, source: str, staged: Prepared, key: bytes | None, edited: str) -> None:
    """Raise _Fault if the header differs from the one that follows from the brief and the campaign's dice."""
    header = inner.header
    due = {
        "ruleset": (header.ruleset, source),
        "scenario": (header.scenario_hash, staged.scenario.digest),
        "key": (header.key, key.hex() if key is not None else header.key),
        "salts": (header.salts, ""),
    }
    due |= {where: (was, given) for where, was, given in differences(header.options, staged.options, "options")}
    for field, (stored, expected) in due.items():
        if stored != expected:
            raise _Fault(field, f"is {stored}; the brief gives {expected}", stored, expected, edited=edited)
