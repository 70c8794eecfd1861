"""Verifying a log: the rules are rerun from its orders and every record is compared."""

from collections import deque
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from msgspec.structs import replace

from sandtable.errors import (
    DataError,
    LogDamaged,
    LogError,
    PlayError,
    RulesetError,
    RulesetMissing,
    SandtableError,
    SignaturesUnchecked,
)
from sandtable.journal.anchors.anchors import Anchor, head_at, misfit, signer
from sandtable.journal.battles import BattleTerms
from sandtable.journal.file.log import KEY_RECORD, Log
from sandtable.journal.file.reading import kept_lines, read_bytes, split_log
from sandtable.journal.fold import fold_steps, prepare_for, read_records
from sandtable.journal.format.chain import parted
from sandtable.journal.format.codec import RecordCodec
from sandtable.journal.format.header import game_id
from sandtable.journal.format.lines import LineForm
from sandtable.journal.format.openings import OPENING
from sandtable.journal.hands.checking import HAND
from sandtable.journal.record import log_lines
from sandtable.journal.sides.claims import sides_shown, sides_unproven
from sandtable.journal.sides.slices import check_slice, salt_source, slice_log
from sandtable.journal.verification.edits import (
    altered_die,
    altered_opening,
    altered_stretch,
    differing_entry,
    header_difference,
    judged,
    key_difference,
    other_files,
    shared_difference,
)
from sandtable.journal.verification.embedded import battle_difference, reports_in
from sandtable.journal.verification.matching import ClosedRecord, known_records, strange_kind
from sandtable.journal.verification.proofs import Proofs, advice, branch_note, proofs_of, unsigned_items
from sandtable.journal.verification.rerun import Rerun, RerunObserver
from sandtable.journal.verification.ruled import ending_text, ruling_text, signed_in, wrong_ruling, wrong_standing
from sandtable.journal.verification.stored import dice_of, salts_of, shown_key
from sandtable.journal.verification.verdicts import (
    BROKEN_RULESET,
    FALSE,
    HOLDS,
    NO_RULESET,
    NOT_PROVEN,
    OTHER_FILES,
    SO_FAR,
    UNCHECKED,
    UNREADABLE,
    VERIFIED,
    Difference,
    Verdict,
)
from sandtable.kernel.decisions import PUBLIC, UMPIRE, Decision, Order
from sandtable.kernel.play.game import Game
from sandtable.kernel.play.views import View
from sandtable.kernel.records import CloseRecord, EndRecord, OrderRecord, RulingRecord, SealRecord
from sandtable.plugin.manager import Prepared, Rulesets

MANUAL = "the umpire typed the dice: no key proves them"

LocatedAnchor = tuple[Anchor, str]
"""An anchor and its location for messages, such as a file name."""


_ORDER = b'{"kind":"order"'
_NOTES = (HAND, KEY_RECORD)


class _Diverged(Exception):
    """The game differs from the log, or its orders are used up."""


class _Script:
    """A player that gives the orders and notes of a log in turn; ``asked`` notes the umpire's decisions and orders.

    It stops as soon as ``game`` has more or fewer records than the log has before the order.
    """

    def __init__(
        self, orders: Sequence[OrderRecord[Any]], notes: Sequence[Any], game: Game, asked: BattleTerms
    ) -> None:
        self._orders, self._notes = iter(orders), deque(notes)
        self._game, self._asked = game, asked
        self._salt = ""
        if notes:
            game.trail, game.closing, game.salt_for = [], self._note, lambda _: self._salt

    def _note(self) -> None:
        """Append the notes that are next in the log."""
        while self._notes and self._notes[0].n == self._game.number + 1:
            self._game.note(replace(self._notes.popleft(), hash=""))

    def choose(self, decision: Decision, view: View) -> Order:  # noqa: ARG002 - the protocol's shape
        if self._notes:
            self._note()
        record = next(self._orders, None)
        if record is None or self._game.number != record.n - 1:
            raise _Diverged
        if (decision.power or decision.side) == UMPIRE:
            self._asked.note(decision)
            self._asked.answers.append(record)
        self._salt = record.own_salt
        order: Order = record.order
        return order


def verify_log(
    path: str | Path, rulesets: Rulesets, *, deep: bool = False, anchors: Sequence[LocatedAnchor] = (), side: str = ""
) -> Verdict:
    """Return the verdict on the log in ``path``; never raises because of the file's content.

    ``deep`` also folds the events, compares the state with every state digest, and checks each side's slice. All
    ``anchors`` must fit. With a ``side`` the file is judged as its slice (see ``proofs.py``); raises PlayError if the
    game has no such side. If an invalid key file is next to the log, a note says that ``deep`` checked no slices.
    """
    name = str(path)
    try:
        log = split_log(read_bytes(path), name, kept_lines(path))
        prepared = prepare_for(log, rulesets)
    except SandtableError as error:
        verdict = BROKEN_RULESET if isinstance(error, RulesetError) else UNREADABLE
        verdict = NO_RULESET if isinstance(error, RulesetMissing) else verdict
        return Verdict(name, verdict, 0, Difference(verdict, 0, str(error)))
    return verify(log, prepared, deep=deep, anchors=anchors, side=side)


def verify(
    log: Log,
    prepared: Prepared,
    *,
    deep: bool = False,
    anchors: Sequence[LocatedAnchor] = (),
    side: str = "",
    watch: RerunObserver | None = None,
) -> Verdict:
    """Return the verdict on ``log`` with its ruleset ``prepared``.

    Battles in the log are verified too if the ruleset was loaded together with others. The other arguments are those of
    ``verify_log``, and so are the errors. The first anchor that does not fit is a difference. ``watch`` observes the
    rerun, so that a command that needs the game runs the rules once.
    """
    if side and side not in (PUBLIC, *prepared.ruleset.viewers):
        viewers = " or ".join((*prepared.ruleset.viewers, PUBLIC))
        raise PlayError(f"{prepared.ruleset.id} has no side {side!r}: choose {viewers}")
    verdict = _judged(log, prepared, deep=deep, side=side, watch=watch)
    if verdict.verdict not in HOLDS:
        return verdict
    for anchor, where in anchors:
        try:
            wrong = misfit(anchor, log)
        except SignaturesUnchecked as error:
            found = Difference(UNCHECKED, max(anchor.record, 0), f"{where}: {error}")
            return replace(verdict, verdict=UNCHECKED, first_difference=found)
        if wrong:
            text = f"{where}: the anchor does not match: {wrong}"
            return replace(verdict, verdict=FALSE, first_difference=Difference("anchor", anchor.record, text, "head"))
    if not anchors:
        return verdict
    last, _ = max(anchors, key=lambda each: each[0].record)
    return replace(verdict, anchor=_anchored(last, log))


def _anchored(anchor: Anchor, log: Log) -> str:
    """Return how far ``anchor``, which fits, anchors ``log``, and its signer."""
    ends = {0: "the header alone", log.records: f"record {anchor.record}, the last"}
    by = signer(anchor, log)
    signed = f", signed by {by}" if by else ""
    return f"anchored up to and including {ends.get(anchor.record, f'record {anchor.record}')}{signed}"


class _Comparison(NamedTuple):
    """The result of the record-by-record comparison: first difference, missing proofs, a note, and the records."""

    found: Difference | None
    proofs: Proofs
    note: str
    records: Sequence[Any]


def _judged(log: Log, prepared: Prepared, *, deep: bool, side: str, watch: RerunObserver | None) -> Verdict:
    asked = BattleTerms()
    try:
        if watch is None and is_same(log, prepared, asked):
            seen = _Comparison(None, Proofs(), "", ())
        else:
            log.check()
            seen = _compare(log, prepared, asked, side, watch or RerunObserver())
        signed, found = signed_in(log, _earlier(wrong_standing(seen.records, prepared), seen.found))
        proofs = seen.proofs.joined((), unsigned_items(signed.unsigned))
        if found is None:
            found, lost = _battles(log, prepared, asked, seen.records)
            proofs = proofs.joined((), lost) if side else proofs.joined(lost)
        closed = sum(isinstance(each, ClosedRecord) for each in seen.records)
    except SignaturesUnchecked as error:
        return _verdict(log, UNCHECKED, Difference(UNCHECKED, 0, f"{log.name}: {error}"))
    except LogError as error:
        return _verdict(log, UNREADABLE, Difference(UNREADABLE, 0, str(error)))
    except RulesetMissing as error:
        return _verdict(log, NO_RULESET, Difference(NO_RULESET, 0, str(error)))
    unchecked = ""
    if found is None and deep and not closed:
        try:
            found = _deep(log, prepared)
        except DataError as error:
            unchecked = f"its slices were not checked: {error}"
    verdict = NOT_PROVEN if proofs.missing else SO_FAR if proofs.pending or not log.is_over else VERIFIED
    if found is not None:
        found = judged(found, log, prepared)
        verdict = OTHER_FILES if found.edited else FALSE
    notes = (branch_note(log), seen.note, MANUAL if log.header.dice == "manual" else "", unchecked)
    return _verdict(
        log,
        verdict,
        found,
        note="; ".join(filter(None, notes)),
        played_with=log.header.ruleset_hash,
        files_here=prepared.installed.content_hash,
        closed=closed,
        missing=proofs.missing,
        pending=proofs.pending,
        rulings=(*(ruling_text(each, log) for each in seen.records if isinstance(each, RulingRecord)), *signed.losses),
        ended="".join(ending_text(each, log) for each in seen.records if isinstance(each, EndRecord)),
    )


def _verdict(log: Log, verdict: str, found: Difference | None, **facts: Any) -> Verdict:
    """Return ``verdict``, with ``found`` and further ``facts``, as the one on ``log``."""
    chains = {name: each.tip for name, each in log.header.chains.items()}
    head = head_at(log, log.records)
    return Verdict(log.name, verdict, log.records, found, game=log.header.game, head=head, chains=chains, **facts)


def _battles(
    log: Log, prepared: Prepared, asked: BattleTerms, known: Sequence[Any]
) -> tuple[Difference | None, list[str]]:
    """Return the first faulty battle in ``log``, and the battles whose logs are missing.

    ``known`` are the records, if they were read already.
    """
    rulesets = prepared.installed.beside
    if rulesets is None or not reports_in(known or asked.answers):
        return None, []
    records = known or read_records(log, prepared.ruleset)
    return battle_difference(log, records, asked, rulesets, _battle_difference, shown_key(log, records))


def _battle_difference(inner: Log, prepared: Prepared) -> Difference | None:
    """Return the difference of a battle's log, which must be complete and verified, or None if it is."""
    verdict = verify(inner, prepared)
    if verdict.verdict in {SO_FAR, NOT_PROVEN}:
        return Difference("battle differs", 0, f"its log is not proven by itself: {verdict.text}", "battle")
    return verdict.first_difference


def is_same(log: Log, prepared: Prepared, asked: BattleTerms | None = None) -> bool:
    """Return whether the rules, given the orders of ``log``, write its lines and openings: a fast check for most logs.

    False proves nothing; the record-by-record comparison must decide. ``asked`` notes the battles the umpire had to
    report, and its orders.
    """
    codec = RecordCodec.of(prepared.ruleset)
    whole = log.opened if log.openings else log.lines.__getitem__
    try:
        closing = codec.any.decode(whole(log.records))
        is_named = game_id(log.header, parted(log.chain[0])[0]) == log.header.game
        if log.torn or not isinstance(closing, CloseRecord) or not is_named:
            return False
        given = [number for number, line in enumerate(log.lines) if line.startswith(_ORDER)]
        orders = codec.orders.decode(b"[%b]" % b",".join(map(whole, given)))
        noted = log.lines if any(map(log.kinds.may_have, _NOTES)) else ()
        notes = [codec.any.decode(line) for line in noted if line.startswith(_NOTES)]
        game = prepared.new_game(dice_of(log, [closing]))
        game.play(dict.fromkeys(prepared.ruleset.seats, _Script(orders, notes, game, asked or BattleTerms())))
        first, rest, _ = log_lines(log.header, game)
    except Exception:  # noqa: BLE001 - an order from a log may make the rules raise anything
        return False
    return first + rest == log.data or _same_lines(first + rest, log)


def _same_lines(rewritten: bytes, log: Log) -> bool:
    """Return whether the rewritten log has the lines and openings of ``log``, which may be in other positions.

    The log may have openings for other viewers too: the roots in its lines prove them.
    """
    lines = rewritten.split(b"\n")[:-1]
    openings = [line for line in lines if line.startswith(OPENING)]
    chained = [line for line in lines if not line.startswith(OPENING)]
    return chained == log.chain and set(openings) <= set(log.openings.values()) and log.is_open()


def _compare(log: Log, prepared: Prepared, asked: BattleTerms, side: str, watch: RerunObserver) -> _Comparison:
    """Compare ``log`` record by record with a rerun of its orders, as far as it can run.

    ``asked`` notes the battles the umpire had to report. Raises LogDamaged if a record cannot be read, unless a broken
    chain or other ruleset files explain that. Raises SignaturesUnchecked if a ruling or ending is signed, the library
    for signatures is not installed, and nothing else differs.
    """
    found = header_difference(log, prepared) or altered_opening(log, prepared)
    if found is not None:
        return _Comparison(found, Proofs(), "", ())
    try:
        records = known_records(log, prepared.ruleset)
    except LogDamaged as error:
        if log.broken is not None:
            return _Comparison(altered_stretch(log, str(error)), Proofs(), "", ())
        if other_files(log, prepared):
            return _Comparison(Difference("rules diverge", 0, str(error)), Proofs(), "", ())
        raise
    found = key_difference(log, records) or shared_difference(log)
    if found is not None and (log.broken is None or found.record < log.broken):
        return _Comparison(found, Proofs(), "", records)
    prepared = _as_shown(prepared, log, records)
    rerun = watch.rerun = Rerun(prepared, log, records, dice_of(log, records), seen=watch.look)
    found = rerun.run(asked.note, watch.ask)
    if log.broken is not None and (found is None or found.record >= log.broken or found.kind == "rules diverge"):
        is_there = found is not None and log.broken <= found.record <= log.broken_to
        return _Comparison(altered_stretch(log, "", found if is_there else None), Proofs(), "", records)
    if found is None and rerun.stopped:
        found = altered_die(log, prepared) or differing_entry(records) or _strange_record(records)
    try:
        found = _earlier(found, wrong_ruling(records, log, prepared))
    except SignaturesUnchecked:
        if found is None:
            raise
    has_key = shown_key(log, records) is not None
    proofs = proofs_of(log, prepared.ruleset, records, has_key=has_key, side=side)
    proofs = proofs.joined((), [rerun.due] if rerun.due else ())
    claims = _unproven_claims(prepared, records)
    proofs = proofs.joined((), claims) if side else proofs.joined(claims)
    notes = (_how_far(log, rerun), advice(log, proofs) if found is None and not side else "")
    return _Comparison(found, proofs, "; ".join(filter(None, notes)), records)


def _as_shown(prepared: Prepared, log: Log, records: Sequence[Any]) -> Prepared:
    """Return ``prepared`` for a rerun; without a keeper, it holds the secrets that ``log`` shows."""
    return prepared if prepared.holds is None else prepared.apart(sides_shown(log, records, prepared.ruleset))


def _unproven_claims(prepared: Prepared, records: Sequence[Any]) -> list[str]:
    """Return the claims of a game without a keeper that the file does not prove, by side."""
    secrets = prepared.installed.manifest.secrets or "secrets"
    sides = () if prepared.holds is None else sides_unproven(records, prepared.ruleset)
    return [f"the claims of {each} ({secrets})" for each in sides]


def _earlier(one: Difference | None, other: Difference | None) -> Difference | None:
    """Return the difference in the earlier record, or None without any."""
    return min(filter(None, (one, other)), key=lambda each: each.record, default=None)


def _how_far(log: Log, rerun: Rerun) -> str:
    """Return how far the rules could be run and whether the game is unfinished; "" for a complete run."""
    notes = []
    if rerun.stopped:
        notes.append(f"the rules were run up to record {rerun.stopped - 1}: record {rerun.stopped} is closed")
    if not log.is_over:
        cut = ", in the middle of the consequences of the last order" if rerun.is_cut else ""
        notes.append(f"the game is not finished: it ends after record {log.records}{cut}")
    return "; ".join(notes)


def _strange_record(records: Sequence[Any]) -> Difference | None:
    """Return the first closed record whose kind has no closed records, or None."""
    for record in records:
        if isinstance(record, ClosedRecord) and (why := strange_kind(record)):
            return Difference("rules diverge", record.n, f"record {record.n}: {why}", "kind")
    return None


def _deep(log: Log, prepared: Prepared) -> Difference | None:
    """Return the first state digest that the folded events do not give, or None.

    Raises LogDamaged for a faulty slice, and DataError for an invalid key file next to a log without its key. Slices
    are checked only if the source of the salts is known, which a game in progress may not show.
    """
    records = read_records(log, prepared.ruleset)
    form = LineForm(prepared.ruleset, salts_of(log, records, dice_of(log, records)))
    for record, state in fold_steps(records, prepared, log.name):
        if isinstance(record, SealRecord | CloseRecord):
            digest = form.shown_digest(record.n, prepared.digest(state))
            if digest != record.digest:
                text = f"record {record.n}: the events fold to {digest}; the seal has {record.digest}"
                return Difference("rules diverge", record.n, text, "digest", record.digest, digest)
    for side in prepared.ruleset.viewers if salt_source(log, records) is not None else ():
        check_slice(slice_log(log, prepared, side), f"{log.name} (as {side} saw it)")
    return None
