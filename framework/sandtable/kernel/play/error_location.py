"""The location, file and line, in the rules at which an error was raised, for the author of the ruleset.

Frames of Sandtable's own modules, the standard library and Sandtable's dependencies are skipped. The example games in
``sandtable.testing``, which are meant to be copied, count as rules.
"""

import sys
from collections.abc import Iterator
from pathlib import PurePath
from traceback import walk_tb
from types import FrameType

LIBRARIES = frozenset({"msgspec", "pluggy", "click", "rich", "networkx", "hypothesis", "pytest", "_pytest"})
COPIED = tuple(f"sandtable.testing.{name}" for name in ("toy", "tictactoe", "leagues", "scratch"))


def is_of_rules(frame: FrameType) -> bool:
    """Return whether the code of ``frame`` belongs to a ruleset or to other third-party code."""
    name = str(frame.f_globals.get("__name__", ""))
    top = name.partition(".")[0]
    if top == "sandtable":
        return name.startswith(COPIED)
    return top not in LIBRARIES and top not in sys.stdlib_module_names


def place_of_frame(frame: FrameType, line: int) -> str:
    """Return "rules.py:85, in walk", with the folder if the file name is a common one."""
    path = PurePath(frame.f_code.co_filename)
    file = f"{path.parent.name}/{path.name}" if path.name == "__init__.py" else path.name
    return f"{file}:{line}, in {frame.f_code.co_name}"


def place_of(error: BaseException) -> str:
    """Return the innermost location in the rules at which ``error`` or its cause was raised, or "" if there is none."""
    found: list[tuple[FrameType, int]] = []
    inmost: BaseException | None = error
    while inmost is not None:
        found = list(_frames(inmost)) or found
        inmost = inmost.__cause__
    return place_of_frame(*found[-1]) if found else ""


def _frames(error: BaseException) -> Iterator[tuple[FrameType, int]]:
    for frame, line in walk_tb(error.__traceback__):
        if is_of_rules(frame):
            yield frame, line
