"""Verifying the battles that travel in a campaign's log: is each there, made of its brief, and come out as told."""

import hashlib
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from sandtable.errors import RulesetMissing, SandtableError
from sandtable.journal.battles import Asked, BattleRecord, key_due, read_battles, report, stage
from sandtable.journal.file.log import Log, parse_log
from sandtable.journal.fold import effective, fold_log, prepare_for
from sandtable.journal.verification.edits import is_firm, other_files
from sandtable.journal.verification.rerun import Difference, differences
from sandtable.kernel.records import OrderRecord
from sandtable.plugin.manager import Prepared, Rulesets
from sandtable.tabletop.result import ReportBattle
from sandtable.tabletop.terms import Terms

EMBEDDED = b'"battle":"'
"""Stands in every log in which a battle of another ruleset is reported."""

MISSING, DIFFERS = "battle missing", "battle differs"
"""Kinds of difference: a reported battle whose log is not there, and one that is not what was reported."""

Judge = Callable[[Log, Prepared], Difference | None]
"""Says what is wrong with the log of a battle, None when it verifies."""


class _Fault(Exception):
    """What is wrong with a battle: the field, the value there, and what it should be; ``edited`` as in Difference."""

    def __init__(
        self, field: str, text: str, stored: str = "", expected: str = "", kind: str = DIFFERS, edited: str = ""
    ) -> None:
        super().__init__(text)
        self.field, self.text, self.stored, self.expected, self.kind = field, text, stored, expected, kind
        self.edited = edited


def battle_difference(
    log: Log, records: Sequence[Any], asked: Asked, rulesets: Rulesets, judge: Judge, key: bytes | None
) -> Difference | None:
    """Return what is wrong with the first battle in ``records`` that does not hold, None when all do.

    ``asked`` are the terms that the rules put to the umpire, ``key`` the campaign's dice key where it is known. Raises
    RulesetMissing when the ruleset of a battle is not here.
    """
    told = [each for each in effective(records) if isinstance(each, OrderRecord) and _has_battle(each.order)]
    battles: dict[str, BattleRecord] = {}
    if told:
        try:
            battles = {each.digest: each for each in read_battles(log)}
        except SandtableError as error:
            return Difference(DIFFERS, told[0].n, f"record {told[0].n}: {error}")
    for record in told:
        order = record.order
        try:
            _check(order, asked.terms[order.brief], battles.get(order.result.battle), rulesets, judge, key)
        except _Fault as fault:
            place = f"record {record.n}: battle {order.result.battle[:12]} of {order.brief}"
            text = f"{place}: {fault.field}: {fault.text}" if fault.field else f"{place}: {fault.text}"
            found = Difference(fault.kind, record.n, text, fault.field, fault.stored, fault.expected)
            return found if is_firm(found) else msgspec.structs.replace(found, edited=fault.edited)
    return None


def _has_battle(order: Any) -> bool:
    return isinstance(order, ReportBattle) and order.result.battle != ""


def _check(
    order: ReportBattle, terms: Terms, battle: BattleRecord | None, rulesets: Rulesets, judge: Judge, key: bytes | None
) -> None:
    """Raise _Fault where the battle of ``order`` does not hold."""
    result = order.result
    if battle is None:
        raise _Fault("", "the log has no annex with it: get the whole file again", kind=MISSING)
    found = hashlib.sha256(battle.data).hexdigest()
    if found != battle.digest:
        raise _Fault("battle", f"the log in its annex has the SHA-256 {found}", result.battle, found)
    try:
        inner = parse_log(battle.data, "its log")
        prepared = prepare_for(inner, rulesets)
        staged = stage(rulesets.load(result.source), terms.brief)
    except RulesetMissing:
        raise
    except SandtableError as error:
        raise _Fault("", str(error)) from error
    edited = other_files(inner, prepared)
    _check_header(inner, result.source, staged, key_due(key, order.brief) if key is not None else None, edited)
    problem = judge(inner, prepared)
    if problem is not None:
        raise _Fault("", problem.text, edited=problem.edited)
    state = fold_log(inner, prepared)
    due = report(prepared.installed, terms, state, found)
    if msgspec.json.encode(due) != msgspec.json.encode(result):
        parts = differences(msgspec.to_builtins(result), msgspec.to_builtins(due))
        where, stored, expected = next(parts, ("result", "as it is", "otherwise"))
        text = f"is reported as {stored}; its end gives {expected}"
        raise _Fault(where, text, stored, expected, edited=edited)


def _check_header(inner: Log, source: str, staged: Prepared, key: bytes | None, edited: str) -> None:
    """Raise _Fault where the battle is not the one that the brief, and the campaign's dice, lead to."""
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
