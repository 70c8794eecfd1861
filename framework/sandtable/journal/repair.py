"""Cutting off the part of a log that its last write left unfinished."""

import stat
from pathlib import Path

from sandtable.errors import LogDamaged
from sandtable.files.writing import keep_copy
from sandtable.journal.file.log import Log
from sandtable.journal.file.writer import LogWriter


def repair(path: str | Path) -> tuple[int, Path | None]:
    """Cut the torn tail off the log in ``path``; return the number of removed bytes and the copy of the old file.

    Returns (0, None) if nothing is torn. After a power cut the tail may be several lines (see ``tails``). Raises
    LogDamaged, and changes nothing, if a line before the last order is damaged. Raises LogWriteFailed if another
    process is writing the log, or the old file cannot be kept.
    """
    writer, log = LogWriter.reopen(path, repairing=True)
    with writer:
        return cut_tail(writer, log)


def cut_tail(writer: LogWriter, log: Log) -> tuple[int, Path | None]:
    """Repair a log that is open in ``writer``; afterwards it has no torn tail, and ``writer`` can continue.

    The result and the errors are those of ``repair``.
    """
    if log.broken is not None:
        what = "repair only cuts off a torn last line or the remains of the last write"
        raise LogDamaged(f"{log.where(log.broken)}: was altered: {what}")
    if not log.torn:
        return 0, None
    lost = len(log.torn)
    kept = keep_copy(log.name, log.data, stat.S_IMODE(writer.path.stat().st_mode))
    writer.cut_off(log)
    return lost, kept
