"""The files that a bot in its own namespaces may see: most of the system, and nothing of the tournament.

The dice of a game follow from the manifest, so no bot may read it while it plays. The folders of the tournament and its
bots are covered, and only the bot's own files are shown in them again. ``supervisor.py`` applies it.
"""

import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

SHARED = ("/tmp", "/var/tmp", "/run")  # noqa: S108 - no file is created there
"""Folders in which programs leave files and sockets for each other.

Through them a bot could reach our other processes or other bots.
"""


def covered(hidden: Iterable[str]) -> tuple[str, ...]:
    """Return the folders to cover: the shared ones and ``hidden``, as full paths.

    In the root only manifests are covered.
    """
    places = {Path(each).resolve() for each in (tempfile.gettempdir(), *SHARED, *hidden)}
    root = Path("/")
    found = {place for place in places - {root} if place.is_dir()}
    if root in places:
        found.update(file for file in root.glob("*.toml") if file.is_file())
    return tuple(sorted(map(str, found)))


def uncovered(command: Iterable[str], covers: Iterable[str], path: str) -> tuple[str, ...]:
    """Return the paths to show again below ``covers``, so that ``command`` runs with the search path ``path``.

    These are the files that its words name, each with its folder, and the folders where its program and those of the
    search path are installed. A folder that is covered, or contains a covered one, is not shown; only the file is.
    """
    places = [Path(each) for each in covers]
    needed = [*_named(command, places), *_installed(command, places, path)]
    below = {each for each in needed if any(place in each.parents for place in places)}
    return tuple(sorted(map(str, below)))


def _named(command: Iterable[str], places: list[Path]) -> Iterator[Path]:
    for word in command:
        file = Path(os.path.normpath(word))
        if file.is_absolute() and os.path.exists(file):  # noqa: PTH110 - as in _is_folder
            yield from (each for each in (file.parent, file) if each.is_file() or _is_free(each, places))


def _installed(command: Iterable[str], places: list[Path], path: str) -> Iterator[Path]:
    program = shutil.which(next(iter(command)), path=path)
    link = Path(os.path.abspath(program)) if program else None  # noqa: PTH100 - links are followed one by one
    folders = [Path(each) for each in path.split(os.pathsep) if os.path.isabs(each)]  # noqa: PTH117 - "" is not absolute
    while link is not None:
        folders.append(link.parent)
        folders.append(link.parent.resolve())
        yield link
        link = Path(os.path.normpath(link.parent / link.readlink())) if link.is_symlink() else None
    for folder in folders:
        prefix = folder.parent if folder.name in {"bin", "sbin"} else folder
        yield from (each for each in (prefix, folder) if _is_folder(each) and _is_free(each, places))


def _is_folder(place: Path) -> bool:
    """Return whether a visible folder exists there. Unlike ``Path.is_dir``, this raises no OSError."""
    return os.path.isdir(place)  # noqa: PTH112 - see above


def _is_free(folder: Path, places: list[Path]) -> bool:
    """Return whether nothing in ``folder`` is covered."""
    return not any(place == folder or folder in place.parents for place in places)
