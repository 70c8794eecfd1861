"""Where in the rules an error came from: file and line, for whoever wrote them.

The house's own modules, the standard library and the libraries that the house uses are passed over; what of the house
is there to be copied (the toys in ``sandtable.testing``) counts as rules.
"""

import sys
from collections.abc import Iterator
from pathlib import PurePath
from traceback import walk_tb
from types import FrameType

LIBRARIES = frozenset({"msgspec", "pluggy", "click", "rich", "networkx", "hypothesis", "pytest", "_pytest"})
COPIED = ("sandtable.testing.toy", "sandtable.testing.tictactoe", "sandtable.testing.scratch")


def is_of_rules(frame: FrameType) -> bool:
    """Tell whether the code of ``frame`` belongs to a ruleset, or to whatever else a stranger wrote."""
    name = str(frame.f_globals.get("__name__", ""))
    top = name.partition(".")[0]
    if top == "sandtable":
        return name.startswith(COPIED)
    return top not in LIBRARIES and top not in sys.stdlib_module_names


def place_of_frame(frame: FrameType, line: int) -> str:
    """Return "rules.py:85, in walk"; the folder is told where the file is one of many of its name."""
    path = PurePath(frame.f_code.co_filename)
    file = f"{path.parent.name}/{path.name}" if path.name == "__init__.py" else path.name
    return f"{file}:{line}, in {frame.f_code.co_name}"


def place_of(error: BaseException) -> str:
    """Return where in the rules ``error``, or what it comes from, was raised: the inmost place; "" for none."""
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
