"""What a bot in namespaces of its own may see of the files there are: most of the system, and nothing of the event.

The dice of a game follow from the manifest, so no bot may read that while it plays: the folders in which the event and
its bots live are covered, and only the bot's own files are shown in them again. ``supervisor.py`` does it.
"""

import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

SHARED = ("/tmp", "/var/tmp", "/run")  # noqa: S108 - nothing is put there
"""Where programs leave files and sockets for each other: a way to our other processes, and to other bots."""


def covered(hidden: Iterable[str]) -> tuple[str, ...]:
    """Return what is covered: the shared places and ``hidden``, full paths; of the root only manifests can be."""
    places = {Path(each).resolve() for each in (tempfile.gettempdir(), *SHARED, *hidden)}
    root = Path("/")
    found = {place for place in places - {root} if place.is_dir()}
    if root in places:
        found.update(file for file in root.glob("*.toml") if file.is_file())
    return tuple(sorted(map(str, found)))


def uncovered(command: Iterable[str], covers: Iterable[str], path: str) -> tuple[str, ...]:
    """Return what must be shown again below ``covers``, for ``command`` to run with the search path ``path``.

    These are the files that its words name, each with the folder it lies in, and the places where its program and those
    of the search path are installed. A folder that is covered, or holds what is, is not shown: the file alone.
    """
    places = [Path(each) for each in covers]
    wanted = [*_named(command, places), *_installed(command, places, path)]
    below = {each for each in wanted if any(place in each.parents for place in places)}
    return tuple(sorted(map(str, below)))


def _named(command: Iterable[str], places: list[Path]) -> Iterator[Path]:
    for word in command:
        file = Path(os.path.normpath(word))
        if file.is_absolute() and os.path.exists(file):  # noqa: PTH110 - as in _is_folder
            yield from (each for each in (file.parent, file) if each.is_file() or _is_free(each, places))


def _installed(command: Iterable[str], places: list[Path], path: str) -> Iterator[Path]:
    program = shutil.which(next(iter(command)), path=path)
    link = Path(os.path.abspath(program)) if program else None  # noqa: PTH100 - links are followed one by one
    folders = [Path(each) for each in path.split(os.pathsep) if os.path.isabs(each)]  # noqa: PTH117 - "" is none
    while link is not None:
        folders.append(link.parent)
        folders.append(link.parent.resolve())
        yield link
        link = Path(os.path.normpath(link.parent / link.readlink())) if link.is_symlink() else None
    for folder in folders:
        whole = folder.parent if folder.name in {"bin", "sbin"} else folder
        yield from (each for each in (whole, folder) if _is_folder(each) and _is_free(each, places))


def _is_folder(place: Path) -> bool:
    """Return whether a folder is there that we may see; unlike ``Path.is_dir`` it raises no OSError."""
    return os.path.isdir(place)  # noqa: PTH112 - see above


def _is_free(folder: Path, places: list[Path]) -> bool:
    """Return whether nothing in ``folder`` is covered."""
    return not any(place == folder or folder in place.parents for place in places)
