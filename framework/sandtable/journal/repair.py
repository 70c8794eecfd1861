"""Cutting off what a log's last write left unfinished."""

import stat
from pathlib import Path

from sandtable.errors import LogDamaged, LogExists
from sandtable.files.writing import write_new
from sandtable.journal.file.log import Log
from sandtable.journal.file.writer import LogWriter

_MOST_COPIES = 999


def repair(path: str | Path) -> tuple[int, Path | None]:
    """Cut the torn tail off the log in ``path``; return how many bytes went, and where the whole old file is kept.

    (0, None) when nothing is torn. After a power cut the tail may be several lines (see ``tails``). Raises LogDamaged
    when a line before the last order is damaged: that is no torn tail, and nothing is changed then. Raises
    LogWriteFailed when another process is writing the log, or the old file cannot be kept.
    """
    writer, log = LogWriter.reopen(path, mending=True)
    with writer:
        return cut_tail(writer, log)


def cut_tail(writer: LogWriter, log: Log) -> tuple[int, Path | None]:
    """Do what ``repair`` does, to a log that is open; it has no torn tail afterwards, and ``writer`` can go on."""
    if log.broken is not None:
        what = "repair only cuts off a torn last line, or what is left of the last write"
        raise LogDamaged(f"{log.where(log.broken)}: was altered: {what}")
    if not log.torn:
        return 0, None
    lost, kept = len(log.torn), _keep(writer, log)
    writer.cut_off(log)
    return lost, kept


def _keep(writer: LogWriter, log: Log) -> Path:
    """Write a copy of the file, as it was read, beside it; return its name. It is on the disk then."""
    mode = stat.S_IMODE(writer.path.stat().st_mode)
    for number in range(1, _MOST_COPIES + 1):
        name = Path(f"{log.name}.broken-{number}")
        try:
            write_new(name, log.data, mode=mode)
        except LogExists:
            continue
        return name
    raise LogExists(f"{log.name}: {_MOST_COPIES} broken copies are kept already: clear them away")
