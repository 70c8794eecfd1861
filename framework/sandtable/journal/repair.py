"""Mending a log whose last line was cut off."""

import os
import shutil
from pathlib import Path

from sandtable.errors import LogDamaged, LogExists, LogWriteFailed
from sandtable.journal.store import read_log


def repair(path: str | Path) -> tuple[int, Path | None]:
    """Cut the torn tail off the log in ``path``; return how many bytes went, and where the whole old file is kept.

    (0, None) when nothing is torn. Raises LogDamaged when a finished line is damaged: that is no torn tail, and nothing
    is changed then.
    """
    log = read_log(path)
    if log.broken is not None:
        raise LogDamaged(f"{log.where(log.broken)}: was altered: repair only cuts off a torn last line")
    if not log.torn:
        return 0, None
    file = Path(path)
    kept = _free_name(file)
    try:
        shutil.copyfile(file, kept)
        with file.open("rb+") as handle:
            handle.truncate(file.stat().st_size - len(log.torn))
            os.fsync(handle.fileno())
    except OSError as error:
        raise LogWriteFailed(f"{path}: cannot be mended: {error.strerror}") from error
    return len(log.torn), kept


def _free_name(file: Path) -> Path:
    for number in range(1, 1000):
        name = file.with_name(f"{file.name}.broken-{number}")
        if not name.exists():
            return name
    raise LogExists(f"{file}: a thousand broken copies are kept already: clear them away")
