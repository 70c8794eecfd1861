"""Resuming a game from its log."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from sandtable.errors import LogDamaged, LogTorn, PlayError
from sandtable.journal.battles import battle_digests
from sandtable.journal.epochs.heads import continue_with
from sandtable.journal.epochs.links_file import LinksFile, drop_secrets
from sandtable.journal.file.keys import kept_key, key_file
from sandtable.journal.file.log import Log, misfit_text
from sandtable.journal.file.reading import private_file
from sandtable.journal.file.writer import LogWriter
from sandtable.journal.fold import prepare_for, read_records
from sandtable.journal.format.header import Header, person_plays
from sandtable.journal.hands.seeds import SeatKey
from sandtable.journal.hands.writing import Hands
from sandtable.journal.record import form_for
from sandtable.journal.sides.slices import sliced_for
from sandtable.journal.standing.answers import StandingOrders
from sandtable.journal.verification.edits import refusal
from sandtable.journal.verification.proofs import proofs_of
from sandtable.journal.verification.rerun import Rerun
from sandtable.journal.verification.stored import dice_of, shown_key
from sandtable.kernel.decisions import UMPIRE, Decision
from sandtable.kernel.play.game import Game
from sandtable.kernel.records import CloseRecord
from sandtable.kernel.shared.epochs import SharedDice
from sandtable.plugin.manager import Prepared, Rulesets


class Resumed:
    """A game at the end of its log, the writer that continues the file, and the hands that sign its orders."""

    def __init__(
        self, game: Game, writer: LogWriter, header: Header, prepared: Prepared, key: bytes, hands: Hands
    ) -> None:
        self.game = game
        self.writer = writer
        self.header = header
        self.prepared = prepared
        self.key = key
        self.hands = hands


Before = Callable[[Prepared, bytes, Game], Callable[[Decision], None]]


def resume(
    path: str | Path,
    rulesets: Rulesets,
    *,
    key: bytes | None = None,
    durable: bool = True,
    before: Before | None = None,
    signers: Sequence[SeatKey] = (),
) -> Resumed:
    """Open the log in ``path`` and resume its game; raises what ``LogWriter.reopen`` and ``rerun_to_end`` raise."""
    writer, log = LogWriter.reopen(path, durable=durable)
    try:
        return rerun_to_end(writer, log, rulesets, key=key, before=before, signers=signers)
    except BaseException:
        writer.close()
        raise


def _check_readable(log: Log) -> None:
    """Raise LogDamaged if a record was altered, LogTorn if the last line was cut off, PlayError for a slice."""
    if log.broken is not None:
        raise LogDamaged(
            f"{log.where(log.broken)}: was altered: only an intact log can be resumed; "
            f"after a power cut, `sandtable log repair {log.name}` cuts off the last write"
        )
    if side := sliced_for(log):
        raise PlayError(
            f"{log.name}: is the slice of {side}: it can be read, but not resumed; the keeper resumes the complete log"
        )
    if log.misfit is not None:
        raise LogDamaged(f"{log.name}: {misfit_text(log)}: only an intact log can be resumed")
    if log.torn:
        raise LogTorn(f"{log.name}: the last line was cut off: use `sandtable log repair {log.name}` first")


def _known_key(log: Log, records: Sequence[Any], key: bytes | None) -> bytes:
    """Return the dice key of an unfinished game: ``key``, the key in the log, or the key in the key file.

    Raises PlayError if there is none, or if the log is incomplete.
    """
    known = key or shown_key(log, records) or kept_key(log.name, log.header)
    if known is None and log.header.dice == "open" and not records:
        raise PlayError(
            f"{log.name}: the game was never started: it stopped before its first line was complete; "
            "start it again with --force"
        )
    if log.header.root and (0, UMPIRE) not in log.openings:
        raise PlayError(
            f"{log.name}: the secrets of its header are neither in the log nor in {private_file(log.name)}: "
            "put that file next to the log; a slice of a game cannot be resumed"
        )
    if known is None:
        beside = key_file(log.name)
        raise PlayError(
            f"{log.name}: its dice key is not in the log, and there is no {beside}: name the key file (--key)"
        )
    return known


def rerun_to_end(
    writer: LogWriter,
    log: Log,
    rulesets: Rulesets,
    *,
    key: bytes | None = None,
    before: Before | None = None,
    signers: Sequence[SeatKey] = (),
) -> Resumed:
    """Rerun ``log``, which ``writer`` has open, to its end and return the game, ready to continue.

    ``key`` is required if the header does not show it (``host``, ``manual``) and no key file exists (see ``keys``).
    ``before(prepared, key, game)`` may return a function that is called with each decision before its stored order is
    submitted: bots are asked again there, so that their private streams reach the same position. ``signers`` sign the
    orders of seats whose keys the log names. Raises LogTorn if the file must be repaired first. Raises LogDamaged if
    the rules give different or more records (RulesetMissing if they were edited since), or if an order is not signed.
    Raises DataError if the key file belongs to another log, and PlayError without a key, for a closed log and for a
    slice.
    """
    _check_readable(log)
    prepared = prepare_for(log, rulesets)
    records = read_records(log, prepared.ruleset)
    known = _known_key(log, records, key)
    rerun = Rerun(prepared, log, records, dice_of(log, records, known), goes_on=True)
    found = rerun.run(*([before(prepared, known, rerun.game)] if before else []))
    if found is not None:
        raise refusal(found, log, prepared, "")
    if rerun.unchecked is not None:
        raise rerun.unchecked
    if 0 < len(records) < rerun.game.number:
        raise LogDamaged(
            f"{log.name}: ends after record {log.records}, in the middle of the consequences of an order: "
            "only a log that ends at a question can be continued"
        )
    lost = proofs_of(log, prepared.ruleset, records, has_key=True, side="").missing
    if lost:
        raise LogDamaged(
            f"{log.name}: {lost[0]} are missing: they must be in the log or in {private_file(log.name)}; "
            "without them the finished game could not be proven"
        )
    if records and isinstance(records[-1], CloseRecord):
        drop_secrets(log.name, known)
        raise PlayError(f"{log.name}: the game is over ({rerun.game.state.ending}): there is nothing to resume")
    if person_plays(prepared.ruleset, log.header.players):
        writer.keep_private()  # the private file was empty and was not moved with the log
    if isinstance(rerun.game.dice, SharedDice):
        links = LinksFile.reopen(log.name, notes=writer.durable)
        continue_with(rerun.game.dice, log.header, prepared.ruleset, links)
    writer.form = form_for(prepared.ruleset, rerun.game.dice)
    writer.battles.update(battle_digests(log))
    hands = Hands.resumed(log, writer, signers)
    hands.follow(rerun.game)
    StandingOrders(prepared, rerun.game)
    hands.store(rerun.game, some=True)
    writer.check()
    return Resumed(rerun.game, writer, log.header, prepared.at(rerun.game.state), known, hands)
