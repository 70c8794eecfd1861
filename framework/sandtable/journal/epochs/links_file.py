"""The links file: a file next to the log that holds the secrets of the chains on this machine (log format, section 5).

It is on disk before the header that shows the tips. Before the links of an epoch are used, the file notes the running
hash for which they are given, so that no link is ever given for two hashes. It is removed at the close.
"""

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import msgspec

from sandtable.errors import DataError, LogExists, LogWriteFailed, PlayError
from sandtable.files.reading import read_file
from sandtable.files.writing import write_secret, write_whole
from sandtable.journal.file.keys import drop_key
from sandtable.kernel.shared.chains import LINKS, MAX_LINKS, link_bytes
from sandtable.kernel.shared.epochs import Due
from sandtable.kernel.shared.local import LocalLinks

_FORMAT = "sandtable-links"
_MAX_BYTES = 65_536


class _Kept(msgspec.Struct, forbid_unknown_fields=True):
    """The content of the file: links were last given for ``epoch`` and its running hash ``head``."""

    format: str
    secrets: dict[str, str]
    links: int = LINKS
    epoch: int = 0
    head: str = ""


def links_file(log: str | Path) -> Path:
    """Return the path of the links file of ``log``."""
    return Path(f"{log}.links")


class LinksFile(LocalLinks):
    """The links of the chains in the links file of ``log``. With ``notes``, each epoch is noted on disk before use."""

    def __init__(self, log: str | Path, kept: _Kept, *, notes: bool) -> None:
        super().__init__({name: bytes.fromhex(each) for name, each in kept.secrets.items()}, kept.links)
        self._file = links_file(log)
        self._kept = kept
        self._notes = notes

    @classmethod
    def create(
        cls, log: str | Path, secrets: Mapping[str, bytes], *, notes: bool, replace: bool = False
    ) -> "LinksFile":
        """Write the file for a new ``log``; raises LogExists if one exists and ``replace`` is false, LogWriteFailed."""
        kept = _Kept(_FORMAT, {name: each.hex() for name, each in sorted(secrets.items())})
        file = links_file(log)
        try:
            if replace:
                file.unlink(missing_ok=True)
            write_secret(file, _encoded(kept))
        except FileExistsError:
            raise LogExists(f"{file}: this file with secret links exists: remove it if no game needs it") from None
        except OSError as error:
            raise LogWriteFailed(f"{file}: cannot be written: {error.strerror}: no game was started") from error
        return cls(log, kept, notes=notes)

    @classmethod
    def reopen(cls, log: str | Path, *, notes: bool) -> "LinksFile":
        """Return the links in the file of ``log``, none without one; raises DataError if the file is invalid."""
        file = links_file(log)
        if not os.path.lexists(file):
            return cls(log, _Kept(_FORMAT, {}), notes=notes)
        try:
            kept = msgspec.json.decode(read_file(file, _MAX_BYTES, follow=False), type=_Kept)
        except (msgspec.MsgspecError, UnicodeError) as error:
            raise DataError(str(file), "", f"holds no links: {error}") from error
        wrong = kept.format != _FORMAT or not 0 < kept.links <= MAX_LINKS
        if wrong or not all(link_bytes(each) for each in kept.secrets.values()):
            raise DataError(str(file), "", "holds no links")
        return cls(log, kept, notes=notes)

    def check(self) -> None:
        """Raise PlayError if there are no links here: the game can be ended, but not continued."""
        if not self._secrets:
            raise PlayError(f"the links for the shared dice of this game are missing: put {self._file} next to the log")

    def link(self, name: str, due: Due) -> bytes | None:
        """Return the link of ``name``; raises PlayError if one of that epoch was given for a different head."""
        if name not in self._secrets:
            return None
        if due.head:
            self._note(due)
        return super().link(name, due)

    def _note(self, due: Due) -> None:
        """Note on disk that the links of the epoch are given for its head; raises PlayError and LogWriteFailed."""
        kept = self._kept
        if due.epoch < kept.epoch or (due.epoch == kept.epoch and due.head != kept.head):
            raise PlayError(
                f"{self._file}: the links of epoch {due.epoch} were already given for another order: "
                "this log is an older copy, continue with the newer one"
            )
        if due.epoch > kept.epoch:
            kept.epoch, kept.head = due.epoch, due.head
            if self._notes:
                write_whole(self._file, _encoded(kept), mode=0o600)


def _encoded(kept: _Kept) -> bytes:
    return msgspec.json.encode(kept) + b"\n"


def drop_secrets(log: str | Path, key: bytes) -> None:
    """Remove the secrets next to ``log``, whose game is over: its key file, which holds ``key``, and its links file."""
    drop_key(log, key)
    with suppress(OSError):
        links_file(log).unlink()
