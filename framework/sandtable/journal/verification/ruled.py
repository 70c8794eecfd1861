"""Decisions of people in a log: rulings, endings and standing orders, by whom, whether signed, and whether valid."""

from collections.abc import Sequence
from typing import Any

from sandtable.errors import LogDamaged, SignaturesUnchecked
from sandtable.journal.anchors.endings import signers, why_not_signed
from sandtable.journal.anchors.rulings import why_not_umpires
from sandtable.journal.file.log import UNREADABLE, Log
from sandtable.journal.hands.checking import SignedOrders, signed_orders
from sandtable.journal.standing.answers import in_force
from sandtable.journal.verification.matching import as_order
from sandtable.journal.verification.verdicts import Difference
from sandtable.kernel.decisions import UMPIRE
from sandtable.kernel.events import OptionSet
from sandtable.kernel.records import EndRecord, RulingRecord
from sandtable.plugin.manager import Prepared
from sandtable.quoting import shortened


def known_rules(prepared: Prepared) -> frozenset[str]:
    """Return the rule ids of the ruleset's index, empty without an index."""
    return frozenset(row.id for row in prepared.installed.hook.ruleset_index() or ())


def unknown_rule(rule: str, prepared: Prepared) -> str:
    """Return a sentence if ``rule`` is cited and the ruleset does not have it, or ""."""
    rules = known_rules(prepared) if rule else frozenset()
    if not rules or rule in rules:
        return ""
    return f"{prepared.ruleset.id} has no rule {shortened(rule)!r}"


def wrong_ruling(records: Sequence[Any], log: Log, prepared: Prepared) -> Difference | None:
    """Return the difference of the first ruling or ending that is not made by the people it names, or None.

    A ruling that cites a rule that does not exist is one too. Raises SignaturesUnchecked if there is none, and a
    signature cannot be checked.
    """
    unchecked: SignaturesUnchecked | None = None
    for record in records:
        if not isinstance(record, RulingRecord | EndRecord):
            continue
        try:
            unproven = _unproven(record, log)
        except SignaturesUnchecked as error:
            unchecked, unproven = error, ""
        if unproven:
            return Difference("ruling", record.n, f"record {record.n}: {unproven}", "signature")
        rule = record.rule if isinstance(record, RulingRecord) else ""
        if unknown := unknown_rule(rule, prepared):
            text = f"record {record.n}: the ruling cites a rule that does not exist: {unknown}"
            return Difference("ruling", record.n, text, "rule", rule)
    if unchecked is not None:
        raise unchecked
    return None


def wrong_standing(records: Sequence[Any], prepared: Prepared) -> Difference | None:
    """Return the difference of the first wrong standing order, or answer that is wrongly marked with one, or None.

    An order that is closed in the file has no mark, because standing orders answer open questions only. What a standing
    order answers is compared when the rules are run.
    """
    force = in_force(prepared)
    for record in records:
        if fault := force.take(as_order(record)):
            return Difference("standing", fault.record, fault.text, fault.field)
    return None


def signed_in(log: Log, found: Difference | None) -> tuple[SignedOrders, Difference | None]:
    """Check the hands of ``log``; return the result, and ``found`` or the first unsigned order, whichever is earlier.

    Raises SignaturesUnchecked if there is neither, and a signature cannot be checked.
    """
    try:
        signed = signed_orders(log)
    except (*UNREADABLE, LogDamaged):
        if found is None:
            raise
        return SignedOrders(), found
    fault = signed.fault
    if fault is not None and (found is None or fault.record < found.record):
        found = Difference("signature", fault.record, fault.text, fault.field)
    if found is None and signed.unchecked is not None:
        raise signed.unchecked
    return signed, found


def _unproven(record: RulingRecord[Any] | EndRecord, log: Log) -> str:
    if isinstance(record, EndRecord):
        return why_not_signed(record, log)
    return why_not_umpires(record, log)


def ending_text(record: EndRecord, log: Log) -> str:
    """Return an ending that people made, in words: its record, its author and who signed it."""
    due = signers(record, log.header.keys)
    signed = f"signed by {' and '.join(sorted(record.signatures))}" if due and record.signatures else "unsigned"
    sides = f" of {' and '.join(map(shortened, record.sides))}" if record.sides else ""
    reason = f": {shortened(record.reason)}" if record.reason else ""
    return f"record {record.n} by {shortened(record.by)}, {signed}: {record.how.replace('_', ' ')}{sides}{reason}"


def ruling_text(ruling: RulingRecord[Any], log: Log) -> str:
    """Return a ruling in words: its record, its author and whether it is signed."""
    if not ruling.signature:
        signed = "unsigned"
    elif UMPIRE in log.header.keys:
        try:
            signed = "signed" if not why_not_umpires(ruling, log) else "not signed by the key of the header"
        except SignaturesUnchecked:
            signed = "with a signature that cannot be checked here"
    else:
        signed = "with a signature that no key in the header proves"
    rule = f" by {shortened(ruling.rule)}" if ruling.rule else ""
    set_to = f", {ruling.event.option} is {ruling.event.value}" if isinstance(ruling.event, OptionSet) else ""
    return f"record {ruling.n} by {shortened(ruling.by)}, {signed}{shortened(set_to)}: {shortened(ruling.reason)}{rule}"
