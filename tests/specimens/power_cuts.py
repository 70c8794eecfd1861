"""A disk that keeps only synced data: writes are recorded, and a power cut at any later moment is simulated.

While a ``Watch`` is on, every open, write, truncate and sync through ``os`` is recorded with the content of the file.
At a power cut each file has, sector by sector, its content at the last sync or at any time since, zeros where it had
grown, or garbage. Of the names that were created and removed since the folder's last sync, some exist and some do not.
So only synced data is kept.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any
from unittest import mock

SECTOR = 512

Names = dict[str, int]


class Moment:
    """The possible content of the disk at one moment.

    It holds for each file the contents since its sync, and the names likewise.
    """

    def __init__(self, contents: dict[int, list[bytes]], names: Names, pending: list[Callable[[Names], None]]) -> None:
        self.contents = contents
        self.names = names
        self.pending = pending

    def cut(self, rng: Random, folder: Path) -> None:
        """Create in the empty ``folder`` what a power cut may leave."""
        names = dict(self.names)
        in_order = rng.random() < 0.5
        kept = rng.randrange(len(self.pending) + 1)
        for number, change in enumerate(self.pending):
            if number < kept if in_order else rng.random() < 0.5:
                change(names)
        for name, inode in names.items():
            (folder / name).write_bytes(torn(rng, self.contents[inode]))


def torn(rng: Random, states: list[bytes]) -> bytes:
    """Return the remains of a file that held ``states`` one after the other, the first of them synced."""
    if len(states) == 1:
        return states[0]
    size = len(rng.choice(states))
    sectors = []
    for at in range(0, size, SECTOR):
        end = min(at + SECTOR, size)
        state = rng.choice(states)
        found = state[at:end]
        rest = end - at - len(found)
        safe = len(states[0][at:end])  # synced data in a sector that is only appended to stays
        if all(each[at : at + safe] == states[0][at : at + safe] for each in states):
            found = states[0][at : at + safe] + found[safe:]
        filling = bytes(rest) if rng.random() < 0.7 else rng.randbytes(rest)
        sectors.append(found + filling)
    return b"".join(sectors)


class Watch:
    """A recorder of changes to the files of ``folder``. ``moments`` are those at which the power may fail.

    ``mark`` is the number of orders acknowledged at a moment.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.moments: list[tuple[Moment, int]] = []
        self.mark = 0
        self._states: dict[int, list[bytes]] = {}
        self._names: Names = {}
        self._pending: list[Callable[[Names], None]] = []
        self._handles: dict[int, int] = {}
        self._real: dict[str, Callable[..., Any]] = {}
        self._serial = 0
        self._inodes: dict[str, int] = {}
        for file in sorted(folder.iterdir()):
            self._inodes[file.name] = self._names[file.name] = self._new(file.read_bytes())

    def _new(self, data: bytes) -> int:
        self._serial += 1
        self._states[self._serial] = [data]
        return self._serial

    def acknowledge(self, orders: int) -> None:
        """Record that ``orders`` orders are acknowledged from now on."""
        self.mark = orders
        self.note()

    def note(self) -> None:
        """Record this moment."""
        states = {inode: list(held) for inode, held in self._states.items()}
        self.moments.append((Moment(states, dict(self._names), list(self._pending)), self.mark))

    def _renamed(self, change: Callable[[Names], None]) -> None:
        change(self._inodes)
        self._pending.append(change)
        self.note()

    def _look(self, handle: int) -> None:
        """Record the content of the file behind ``handle`` if it has changed."""
        inode = self._handles.get(handle)
        if inode is not None:
            data = Path(f"/proc/self/fd/{handle}").read_bytes()
            if data != self._states[inode][-1]:
                self._states[inode].append(data)
                self.note()

    @contextmanager
    def on(self) -> Iterator["Watch"]:
        """Record changes within this context, in which functions of ``os`` are replaced."""
        names = ("open", "write", "ftruncate", "fsync", "close", "unlink", "replace")
        self._real = {name: getattr(os, name) for name in names}
        with mock.patch.multiple(os, **{name: getattr(self, f"_{name}") for name in names}):
            yield self

    def _here(self, path: Any) -> str | None:
        """Return the name of ``path`` in the folder, or None if it is elsewhere."""
        file = Path(os.fsdecode(path)) if isinstance(path, str | bytes | os.PathLike) else None
        return file.name if file is not None and file.parent.resolve() == self.folder else None

    def _open(self, path: Any, flags: int, *rest: Any, **more: Any) -> int:
        name = self._here(path)
        handle: int = self._real["open"](path, flags, *rest, **more)
        self._handles.pop(handle, None)  # a file object may have closed it unseen
        if name is not None and flags & (os.O_WRONLY | os.O_RDWR):
            if name not in self._inodes:
                inode = self._new(b"")
                self._renamed(lambda names: names.__setitem__(name, inode))
            self._handles[handle] = self._inodes[name]
            self._look(handle)
        return handle

    def _write(self, handle: int, data: bytes) -> int:
        written: int = self._real["write"](handle, data)
        self._look(handle)
        return written

    def _ftruncate(self, handle: int, size: int) -> None:
        self._real["ftruncate"](handle, size)
        self._look(handle)

    def _fsync(self, handle: int) -> None:
        self._look(handle)
        self._real["fsync"](handle)
        inode = self._handles.get(handle)
        if inode is not None:
            del self._states[inode][:-1]
        elif Path(f"/proc/self/fd/{handle}").resolve() == self.folder:
            self._names, self._pending = dict(self._inodes), []
        self.note()

    def _close(self, handle: int) -> None:
        self._look(handle)
        self._handles.pop(handle, None)
        self._real["close"](handle)

    def _unlink(self, path: Any, **more: Any) -> None:
        self._real["unlink"](path, **more)
        name = self._here(path)
        if name is not None:
            self._renamed(lambda names: names.__delitem__(name) if name in names else None)

    def _replace(self, old: Any, new: Any, **more: Any) -> None:
        self._real["replace"](old, new, **more)
        before, after = self._here(old), self._here(new)
        if before is not None and after is not None:
            inode = self._inodes[before]

            def change(names: Names) -> None:
                names.pop(before, None)
                names[after] = inode

            self._renamed(change)
