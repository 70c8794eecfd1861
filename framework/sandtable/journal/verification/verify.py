"""Verifying a log: the rules run again from its orders, every record compared."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import force_setattr, replace

from sandtable.errors import LogDamaged, LogError, RulesetError, RulesetMissing, SandtableError, SignaturesUnchecked
from sandtable.journal.anchors.anchors import Seal, head_at, misfit, signer
from sandtable.journal.battles import Asked
from sandtable.journal.file.log import Log, kept_lines, misfit_text, read_bytes, split_log
from sandtable.journal.fold import fold_steps, prepare_for, read_records
from sandtable.journal.format.codec import RecordCodec
from sandtable.journal.format.header import game_id
from sandtable.journal.format.lines import LineForm
from sandtable.journal.format.openings import OPENING
from sandtable.journal.record import log_lines
from sandtable.journal.sides.slices import check_slice, count_closed, slice_log
from sandtable.journal.verification.edits import judged, other_files
from sandtable.journal.verification.embedded import EMBEDDED, battle_difference
from sandtable.journal.verification.rerun import Difference, Rerun
from sandtable.journal.verification.stored import dice_of, salts_of, shown_key
from sandtable.kernel.decisions import UMPIRE, Decision, Order
from sandtable.kernel.play.views import View
from sandtable.kernel.records import CloseRecord, OrderRecord, SealRecord
from sandtable.plugin.manager import Prepared, Rulesets

SAME, IN_PART, OTHER_FILES = "verified", "proven in part", "other ruleset files"
UNCHECKED = "signatures not checked"
UNFINISHED = ("damaged tail", "file ends early")
"""Kinds of difference that leave what stands before them untouched."""


Anchor = tuple[Seal, str]
"""A seal, and where it stands: the file, for a message."""


class Verdict(Struct, frozen=True):
    """What ``verify`` found.

    ``verdict`` is "verified", a kind of Difference, "unreadable", "ruleset missing", "ruleset broken", "signatures not
    checked" (nothing else differs; the library for them is not installed), or "other ruleset files": there is a
    difference, which an edit of the rules may have made. ``played_with`` and ``files_here`` are the hashes of the
    ruleset's files, of those that the log names and of those that are installed. ``game`` and ``head`` are the game's
    id and its last running hash; ``anchor`` says which seal fits, "" where none was given; ``closed`` is how many
    records are not open in this file.
    """

    log: str
    verdict: str
    records: int
    first_difference: Difference | None = None
    note: str = ""
    played_with: str = ""
    files_here: str = ""
    game: str = ""
    head: str = ""
    anchor: str = ""
    closed: int = 0

    @property
    def other_files(self) -> bool:
        """Whether the ruleset's files are not those it was played with, whatever the verdict."""
        return self.played_with != self.files_here

    @property
    def exit_code(self) -> int:
        """0 the same, 1 a difference, 3 unreadable, 4 if something is not installed or a ruleset's edit may be why."""
        codes = {SAME: 0, IN_PART: 0, "unreadable": 3}
        codes |= dict.fromkeys(("ruleset missing", "ruleset broken", UNCHECKED, OTHER_FILES), 4)
        return codes.get(self.verdict, 1)


class _Parted(Exception):
    """The game goes another way than the log, or its orders are used up."""


class _Script:
    """Gives the orders of a log, one after the other; notes in ``asked`` which battles were to be reported.

    Gives none once the game that made ``records`` has made more or fewer than the log has before the order.
    """

    def __init__(self, orders: Sequence[OrderRecord[Any]], records: Sequence[Any], asked: Asked) -> None:
        self._orders = iter(orders)
        self._records = records
        self._asked = asked

    def choose(self, decision: Decision, view: View) -> Order:  # noqa: ARG002 - the protocol's shape
        if UMPIRE in (decision.side, decision.power):
            self._asked.note(decision)
        for record in self._orders:
            if len(self._records) != record.n - 1:
                break
            order: Order = record.order
            return order
        raise _Parted


def verify_log(path: str | Path, rulesets: Rulesets, *, deep: bool = False, seals: Sequence[Anchor] = ()) -> Verdict:
    """Return the verdict on the log in ``path``; never raises for what the file holds.

    ``deep`` also folds the events and compares the state with every state digest, and checks each side's slice.
    ``seals`` are to fit, each with where it stands.
    """
    name = str(path)
    try:
        log = split_log(read_bytes(path), name, kept_lines(path))
        prepared = prepare_for(log, rulesets)
    except SandtableError as error:
        verdict = "ruleset broken" if isinstance(error, RulesetError) else "unreadable"
        verdict = "ruleset missing" if isinstance(error, RulesetMissing) else verdict
        return Verdict(name, verdict, 0, Difference(verdict, 0, str(error)))
    return verify(log, prepared, deep=deep, seals=seals)


def verify(log: Log, prepared: Prepared, *, deep: bool = False, seals: Sequence[Anchor] = ()) -> Verdict:
    """Return the verdict on ``log``, its ruleset ready in ``prepared``.

    The battles in it are verified too, where ``prepared`` is of a ruleset that was loaded from among others. ``seals``
    are to fit, each with where it stands: the first that does not is a difference of its own.
    """
    verdict = _judged(log, prepared, deep=deep)
    force_setattr(verdict, "game", log.header.game)
    force_setattr(verdict, "head", head_at(log, log.records))
    if verdict.verdict not in {SAME, IN_PART, *UNFINISHED}:
        return verdict
    for seal, where in seals:
        try:
            wrong = misfit(seal, log)
        except SignaturesUnchecked as error:
            found = Difference(UNCHECKED, max(seal.record, 0), f"{where}: {error}")
            return replace(verdict, verdict=UNCHECKED, first_difference=found)
        if wrong:
            text = f"{where}: the seal does not fit: {wrong}"
            return replace(verdict, verdict="seal", first_difference=Difference("seal", seal.record, text, "head"))
    if not seals:
        return verdict
    last, _ = max(seals, key=lambda each: each[0].record)
    by = signer(last, log)
    anchor = f"sealed after record {last.record}{f', signed by {by}' if by else ''}"
    return replace(verdict, anchor=anchor)


def _judged(log: Log, prepared: Prepared, *, deep: bool) -> Verdict:
    found: Difference | None = None
    note, asked = "", Asked()
    if not is_same(log, prepared, asked):
        try:
            log.check()
            closed = count_closed(log, prepared.ruleset) if log.broken is None and log.misfit is None else 0
            if closed:
                return _in_part(log, closed)
            found, note = first_difference(log, prepared, asked)
        except SignaturesUnchecked as error:
            return Verdict(log.name, UNCHECKED, log.records, Difference(UNCHECKED, 0, f"{log.name}: {error}"))
        except LogError as error:
            return Verdict(log.name, "unreadable", log.records, Difference("unreadable", 0, str(error)))
        except RulesetMissing as error:
            return _missing(log, error)
    if found is None or found.kind in UNFINISHED:
        try:
            found = _battles(log, prepared, asked) or found
        except RulesetMissing as error:
            return _missing(log, error)
    if found is None and deep:
        found = _deep(log, prepared)
    verdict = SAME
    if found is not None:
        found = judged(found, log, prepared)
        verdict = OTHER_FILES if found.edited else found.kind
    note = "; ".join(filter(None, (_branch_note(log), note)))
    files = log.header.ruleset_hash, prepared.installed.content_hash
    return Verdict(log.name, verdict, log.records, found, note, *files)


def _branch_note(log: Log) -> str:
    """Return, for a branch, of which game it is one and how many rolls were set in it; "" for the log of a game."""
    parent = log.header.parent
    if parent is None:
        return ""
    rolls = len(log.header.dice_set)
    dice = f", with {rolls} roll{'s' * (rolls > 1)} set" if rolls else ""
    return f"a branch of the game {parent.game} from record {parent.record} on{dice}: no game that was played"


def _missing(log: Log, error: RulesetMissing) -> Verdict:
    return Verdict(log.name, "ruleset missing", log.records, Difference("ruleset missing", 0, str(error)))


def _in_part(log: Log, closed: int) -> Verdict:
    """Return the verdict on a log that fits its chain, and of which not all is open in this file."""
    found = _header_difference(log) or _torn(log)
    note = (
        f"{closed} of {log.records} records are closed, or not whole, in this file; every part that it shows is what "
        "the chain commits to; the rules were not run: that takes all parts (`sandtable log join`)"
    )
    if not log.lines[-1].startswith(b'{"kind":"close"'):
        note = f"{note}; the game is not finished"
    return Verdict(log.name, IN_PART if found is None else found.kind, log.records, found, note, closed=closed)


def _battles(log: Log, prepared: Prepared, asked: Asked) -> Difference | None:
    """Return the first battle in ``log`` that does not hold."""
    rulesets = prepared.installed.beside
    told = (log.data, *log.kept, *log.openings.values())
    if rulesets is None or not asked.terms or not any(EMBEDDED in each for each in told):
        return None
    records = read_records(log, prepared.ruleset)
    return battle_difference(
        log,
        records,
        asked,
        rulesets,
        _battle_difference,
        shown_key(log, records),
    )


def _battle_difference(inner: Log, prepared: Prepared) -> Difference | None:
    """Return what is wrong with the log of a battle: it must be whole, and verify."""
    verdict = verify(inner, prepared)
    if verdict.closed:
        return Difference("battle differs", 0, f"{verdict.closed} of its records are closed: the whole log is wanted")
    return verdict.first_difference


def is_same(log: Log, prepared: Prepared, asked: Asked | None = None) -> bool:
    """Return whether the rules, given the orders of ``log``, write the same bytes; the quick way, for most logs.

    False says nothing: the careful way must look. ``asked`` gets what the umpire was to report.
    """
    codec = RecordCodec.of(prepared.ruleset)
    form = LineForm(prepared.ruleset)
    try:
        closing = codec.any.decode(form.whole(log.records, log.lines[-1], log.openings))
        if log.torn or not isinstance(closing, CloseRecord) or game_id(log.header) != log.header.game:
            return False
        if log.openings:
            given = [
                form.whole(number, line, log.openings)
                for number, line in enumerate(log.lines)
                if line.startswith(b'{"kind":"order"')
            ]
        else:
            given = [line for line in log.lines if line.startswith(b'{"kind":"order"')]
        orders = codec.orders.decode(b"[%b]" % b",".join(given))
        game = prepared.new_game(dice_of(log, [closing]))
        game.play(dict.fromkeys(prepared.ruleset.seats, _Script(orders, game.records, asked or Asked())))
        first, rest, _ = log_lines(log.header, game)
    except Exception:  # noqa: BLE001 - whatever an order of a log leads the rules to
        return False
    return first + rest == log.data or _same_lines(first + rest, log)


def _same_lines(again: bytes, log: Log) -> bool:
    """Tell whether the log that was made ``again`` has the lines and openings of ``log``, wherever they stand."""
    lines = again.split(b"\n")[:-1]
    openings = [line for line in lines if line.startswith(OPENING)]
    chained = [line for line in lines if not line.startswith(OPENING)]
    return chained == log.lines and frozenset(openings) == frozenset(log.openings.values())


def first_difference(log: Log, prepared: Prepared, asked: Asked | None = None) -> tuple[Difference | None, str]:
    """Return the first difference between ``log`` and what the rules make of its orders, and a note.

    ``asked`` gets what the umpire was to report. Raises SignaturesUnchecked if a ruling is signed, the library for
    that is not installed, and nothing else differs.
    """
    header = _header_difference(log)
    if header is not None:
        return header, ""
    try:
        records = read_records(log, prepared.ruleset)
    except LogDamaged as error:
        if log.broken is not None:
            return _altered(log, log.broken, str(error)), ""
        if other_files(log, prepared):
            return Difference("rules diverge", 0, str(error)), ""
        raise
    rerun = Rerun(prepared, log, records, dice_of(log, records))
    found = rerun.run((asked or Asked()).note)
    if log.broken is not None and (found is None or found.record >= log.broken or found.kind == "rules diverge"):
        return _altered(log, log.broken, found.text if found and found.record == log.broken else ""), ""
    if log.misfit is not None and (found is None or found.record >= log.misfit[0]):
        number, to = log.misfit
        return Difference("altered record", number, f"record {number}: {misfit_text(log)}", f"opening for {to}"), ""
    if found is not None:
        return found, ""
    if rerun.unchecked is not None:
        raise rerun.unchecked
    return _unfinished(log, records, is_cut=rerun.is_cut)


def _header_difference(log: Log) -> Difference | None:
    """Return what is wrong with the header, if anything is."""
    if log.broken == 0:
        text = f"{log.where(0)}: the header was altered: its hash does not fit its text"
        return Difference("altered record", 0, text, "hash")
    if game_id(log.header) != log.header.game:
        text = f"{log.where(0)}: the game id {log.header.game} does not follow from the header"
        return Difference("altered record", 0, text, "game", log.header.game, game_id(log.header))
    return None


def _unfinished(log: Log, records: Sequence[Any], *, is_cut: bool) -> tuple[Difference | None, str]:
    """Return what is missing at the end of a log that is right as far as it goes, and a note; (None, "") for nothing.

    ``is_cut`` tells that the rules make more of the last order.
    """
    torn = _torn(log)
    if torn is not None:
        return torn, ""
    if records and isinstance(records[-1], CloseRecord):
        return None, "" if shown_key(log, records) is not None else _unproven(log)
    text = f"{log.name}: ends after record {log.records} without a close: the game is not finished"
    if is_cut:
        text = f"{log.name}: ends after record {log.records}, in the middle of what the rules make of the last order"
    return Difference("file ends early", log.records + 1, text), _unproven(log)


def _torn(log: Log) -> Difference | None:
    if not log.torn:
        return None
    text = f"{log.name}: the last line was cut off after {len(log.torn)} bytes: `sandtable log repair` repairs the file"
    return Difference("damaged tail", log.records + 1, text)


def _unproven(log: Log) -> str:
    """Return what is not proven of the dice of a log that goes on, "" where all is."""
    if log.header.known_key(log.name) is not None:
        return ""
    return {
        "manual": "the dice are what the umpire typed: no key proves them",
        "host": "dice not yet proven: they are taken as they stand until the key is shown at the close",
    }.get(log.header.dice, "dice not proven: the key is not open in this file, they are taken as they stand")


def _altered(log: Log, record: int, detail: str) -> Difference:
    text = f"{log.where(record)}: record {record} was altered: its hash does not fit its text"
    return Difference("altered record", record, f"{text}; {detail}" if detail else text, "hash")


def _deep(log: Log, prepared: Prepared) -> Difference | None:
    """Return the first seal that the folded events do not lead to, or the first slice that does not hold."""
    records = read_records(log, prepared.ruleset)
    form = LineForm(prepared.ruleset, salts_of(log, records, dice_of(log, records)))
    for record, state in fold_steps(records, prepared, log.name):
        if isinstance(record, SealRecord | CloseRecord):
            digest = form.shown_digest(record.n, prepared.ruleset.codec.digest(state))
            if digest != record.digest:
                text = f"record {record.n}: the events fold to {digest}; the seal says {record.digest}"
                return Difference("rules diverge", record.n, text, "digest", record.digest, digest)
    for side in prepared.ruleset.viewers:
        check_slice(slice_log(log, prepared, side), f"{log.name} (as {side} saw it)")
    return None
